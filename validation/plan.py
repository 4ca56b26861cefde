"""Drafts beside their plans: what was planned is what was written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.evidence import ancestors
from wildtool.grounding.planned_arguments import Place, resolved
from wildtool.language.prose_defaults import is_default
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.draft import Draft
from wildtool.schemas.plan import Blueprint, PlannedCall
from wildtool.schemas.session import Ask, Call, Task
from wildtool.validation.rule import Finding, draft_rule, found
from wildtool.validation.session_parts import calls_of, functions, shorten
from wildtool.worlds.values import equal

ANOTHER_WAY = 0.6
"""Certainty that other calls than the planned ones are a fault: a model may have found another way."""


@draft_rule("shape", "the draft is what was planned", reads_text=False)
def shape(draft: Draft) -> Iterator[Finding]:
    """Tasks, types, hidden intents, questions, calls, dependencies and known values are those of the plan."""
    plan, session = draft.plan, draft.session
    if len(session.tasks) != len(plan.tasks):
        yield found(None, f"{len(session.tasks)} tasks, {len(plan.tasks)} were planned")
    for field in ("language", "now"):
        if getattr(session, field) != getattr(plan, field):
            yield found(None, f"the session's {field} is {getattr(session, field)}, {getattr(plan, field)} was planned")
    for number, (task, blueprint) in enumerate(zip(session.tasks, plan.tasks, strict=False)):
        yield from _task(task, blueprint, number)


def _task(task: Task, blueprint: Blueprint, number: int) -> Iterator[Finding]:
    if (task.type, task.topology) != (blueprint.type, blueprint.topology):
        reason = f"{_kind(task.type, task.topology)}, but {_kind(blueprint.type, blueprint.topology)} was planned"
        yield found(None, reason, task=number)
    hidden, planned = task.hidden_intent, blueprint.hidden_intent
    if (hidden and hidden.kind) != (planned and planned.kind):
        reason = f"hidden intent {hidden.kind if hidden else 'none'}, planned was {planned.kind if planned else 'none'}"
        yield found(None, reason, task=number)
    asks = [index for index, action in enumerate(task.actions) if isinstance(action, Ask)]
    if len(asks) > 1:
        yield found(asks[1], f"{len(asks)} questions back, one is enough", task=number)
    made = sorted(call.name for _, call in calls_of(task))
    wanted = sorted(call.tool for call in blueprint.calls)
    if made != wanted:
        reason = f"calls {', '.join(made) or 'nothing'}, planned was {', '.join(wanted) or 'nothing'}"
        yield found(None, reason, task=number, certainty=ANOTHER_WAY)
        return
    yield from _calls(task, blueprint, number)


def _calls(task: Task, blueprint: Blueprint, number: int) -> Iterator[Finding]:
    """Compare calls that can be told apart by their tool alone; of two calls of one tool either may come first."""
    times = Counter(call.tool for call in blueprint.calls)
    place = {call.name: index for index, call in calls_of(task) if times[call.name] == 1}
    for planned in blueprint.calls:
        if planned.tool not in place:
            continue
        index = place[planned.tool]
        call = task.actions[index]
        assert isinstance(call, Call)
        before = ancestors(task, index)
        for on in planned.depends_on:
            producer = blueprint.calls[on].tool
            if producer in place and place[producer] not in before:
                yield found(index, f"{call.name} does not wait for {producer}, as was planned", task=number)
        yield from _values(call, planned, index, number)


def _values(call: Call, planned: PlannedCall, index: int, number: int) -> Iterator[Finding]:
    for argument in planned.arguments:
        if argument.value is None or argument.parameter not in call.arguments:
            continue
        value = call.arguments[argument.parameter]
        if _same(value, argument.value):
            continue
        reason = f"{call.name}.{argument.parameter} is {shorten(value)}, {shorten(argument.value)} was planned"
        # A name may be written in other ways; a number, a switch or a choice may not.
        free = isinstance(value, str) and isinstance(argument.value, str)
        yield found(index, reason, task=number, certainty=ANOTHER_WAY if free else 1.0)


@draft_rule("arguments_planned", "calls take the planned arguments, none more and none less", reads_text=False)
def arguments_planned(draft: Draft) -> Iterator[Finding]:
    """Each call of a session with a world has exactly the arguments of the plan, results filled in.

    A default that is spelled out is no difference. Values that the plan knows are compared by ``shape``.
    """
    plan, session = draft.plan, draft.session
    if plan.world is None:
        return
    results: dict[Place, Any] = {}
    known = functions(session)
    for number, (task, blueprint) in enumerate(zip(session.tasks, plan.tasks, strict=False)):
        made = [(index, call) for index, call in calls_of(task)]
        if [call.name for _, call in made] != [call.tool for call in blueprint.calls]:
            continue  # ``shape`` tells
        for place, ((index, call), planned) in enumerate(zip(made, blueprint.calls, strict=True)):
            results[number, place] = call.observation
            wanted = resolved(planned, number, results)
            if wanted is None:
                yield found(index, f"{call.name} takes a value that no result shows", task=number)
                continue
            schemas = known.get(call.name, {}).get("parameters", {}).get("properties", {})
            for name in wanted.keys() | call.arguments.keys():
                reason = _difference(name, wanted, call.arguments, schemas.get(name, {}))
                if reason is not None:
                    free = isinstance(wanted.get(name), str) and name in call.arguments
                    yield found(
                        index, f"{call.name}.{name} {reason}", task=number, certainty=ANOTHER_WAY if free else 1.0
                    )


def _difference(name: str, wanted: JsonObject, made: JsonObject, schema: JsonObject) -> str | None:
    """Return how an argument differs from the plan's; None where it does not."""
    if name not in made:
        return "is left out, though it was planned"
    if name not in wanted:
        return None if is_default(made[name], schema) else f"is {shorten(made[name])}, which nobody planned"
    if equal(made[name], wanted[name]):
        return None
    return f"is {shorten(made[name])}, {shorten(wanted[name])} was planned"


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    if isinstance(left, int | float) and isinstance(right, int | float) and not isinstance(left, bool):
        return not isinstance(right, bool) and float(left) == float(right)
    return canonical_json(left) == canonical_json(right)


def _kind(kind: object, topology: object) -> str:
    return f"{kind} ({topology})" if topology else str(kind)
