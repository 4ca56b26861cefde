"""Checks on the graph: dependencies as the data flows, nothing that waits for no reason, an answer that waits for all."""

from __future__ import annotations

from collections.abc import Iterator

from wildtool.grounding.topology import ancestors, topology_of
from wildtool.grounding.value_sources import Setting, propose_edges
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.vocabulary import TaskType
from wildtool.validation.verdicts import calls_in, doubt


def dependencies(draft: Draft) -> Iterator[Verdict]:
    """A call that takes a value out of another's result, or out of a reply, waits for it."""
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    for number, task in enumerate(draft.session.tasks):
        before = ancestors([action.depends_on for action in task.actions])
        for edge in propose_edges(draft.session.tasks, number, setting):
            if edge.on in before[edge.action]:
                continue
            taker, giver = task.actions[edge.action], task.actions[edge.on]
            assert isinstance(taker, Call)
            source = (
                f"the result of {giver.name} ({edge.path})" if isinstance(giver, Call) else "the reply to the question"
            )
            reason = f"{taker.name}.{edge.argument} comes from {source}, so {taker.name} must wait for it"
            yield doubt(
                "dependencies",
                reason,
                task=number,
                action=edge.action,
                confidence=edge.confidence,
                evidence=f"action {edge.action} after action {edge.on}",
            )


def parallel(draft: Draft) -> Iterator[Verdict]:
    """No call waits for another whose result it does not need: they could have been made at once.

    A remark, not more: an order may be meant without any value passing (create, then list).
    """
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    for number, task in enumerate(draft.session.tasks):
        found = {(edge.action, edge.on) for edge in propose_edges(draft.session.tasks, number, setting)}
        for index, call in calls_in(task.actions):
            needed = {on for action, on in found if action == index}
            for on in call.depends_on:
                other = task.actions[on]
                if on in needed or not isinstance(other, Call):
                    continue
                reason = f"{call.name} waits for {other.name}, but takes nothing from its result"
                yield doubt(
                    "parallel",
                    reason,
                    task=number,
                    action=index,
                    confidence=0.6,
                    evidence=f"action {index} after action {on}",
                )


def ending(draft: Draft) -> Iterator[Verdict]:
    """A task's last action is its only answer, and it waits for all others."""
    for number, task in enumerate(draft.session.tasks):
        answers = [index for index, action in enumerate(task.actions) if isinstance(action, Answer)]
        last = len(task.actions) - 1
        if answers != [last]:
            reason = "a task ends with an answer, and has no other"
            yield doubt("ending", reason, task=number, evidence=[action.kind for action in task.actions])
            continue
        before = ancestors([action.depends_on for action in task.actions])[last]
        if left := set(range(last)) - before:
            reason = f"the answer does not wait for action {min(left)}"
            yield doubt("ending", reason, task=number, action=last, evidence=sorted(left))


def shape(draft: Draft) -> Iterator[Verdict]:
    """Each task's actions are what its type and topology say, and those are what was planned."""
    plan, session = draft.plan, draft.session
    if len(session.tasks) != len(plan.tasks):
        yield doubt("shape", f"{len(session.tasks)} tasks, {len(plan.tasks)} were planned")
    for field in ("language", "now"):
        if getattr(session, field) != getattr(plan, field):
            reason = f"the session's {field} is {getattr(session, field)}, {getattr(plan, field)} was planned"
            yield doubt("shape", reason)
    for number, (task, blueprint) in enumerate(zip(session.tasks, plan.tasks, strict=False)):
        if (task.type, task.topology) != (blueprint.type, blueprint.topology):
            reason = f"{_kind(task.type, task.topology)}, but {_kind(blueprint.type, blueprint.topology)} was planned"
            yield doubt("shape", reason, task=number)
        if misfit := _misfit(task):
            yield doubt("shape", misfit, task=number, evidence=[action.kind for action in task.actions])
        made = sorted(call.name for _, call in calls_in(task.actions))
        planned = sorted(call.tool for call in blueprint.calls)
        if made != planned:
            reason = f"calls {', '.join(made) or 'nothing'}, planned was {', '.join(planned) or 'nothing'}"
            yield doubt("shape", reason, task=number, confidence=0.6)


def _kind(kind: object, topology: object) -> str:
    return f"{kind} ({topology})" if topology else str(kind)


def _misfit(task: Task) -> str | None:
    """Why a task's actions are not what its type and topology say; None if they are."""
    made = calls_in(task.actions)
    asks = sum(isinstance(action, Ask) for action in task.actions)
    match task.type:
        case TaskType.CHAT:
            return f"a chat task with {len(made)} calls and {asks} questions back" if made or asks else None
        case TaskType.SINGLE:
            return (
                None
                if (len(made), asks) == (1, 0)
                else f"a single task with {len(made)} calls and {asks} questions back"
            )
        case TaskType.CLARIFY:
            return None if made and asks else f"a clarify task with {len(made)} calls and {asks} questions back"
        case TaskType.MULTI:
            if len(made) < 2 or asks:
                return f"a multi task with {len(made)} calls and {asks} questions back"
            place = {index: position for position, (index, _) in enumerate(made)}
            real = topology_of([[place[on] for on in call.depends_on if on in place] for _, call in made])
            return None if real is task.topology else f"the dependencies make it {real}, not {task.topology}"
