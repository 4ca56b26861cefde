"""Graphs: actions that can be ordered, end in one answer, and are what the task's type and topology say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from wildtool.grounding import topology
from wildtool.grounding.evidence import ancestors
from wildtool.schemas.session import Answer, Ask, Session, Task, check_graph
from wildtool.schemas.vocabulary import TaskType, Topology
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import call_key, calls_of


@task_rule("graph", "dependencies are acyclic and end in an answer", reads_text=False, aliases=("ending",))
def graph(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Dependencies form no cycle, the last action is the only answer, and nobody says nothing."""
    for actions in (task.actions, *task.alternatives):
        try:
            check_graph(actions)
        except ValueError as error:
            yield found(None, str(error))
        if not actions or not isinstance(actions[-1], Answer):
            yield found(None, "the last action is not an answer", evidence=[action.kind for action in actions])
        for index, action in enumerate(actions[:-1]):
            if isinstance(action, Answer):
                yield found(index, "an answer is not the last action")
        for index, action in enumerate(actions):
            if len(set(action.depends_on)) < len(action.depends_on):
                yield found(index, "names a dependency twice")
            texts = {Ask: ("question", "reply"), Answer: ("text",)}.get(type(action), ())
            for name in texts:
                if not getattr(action, name).strip():
                    yield found(index, f"its {name} is empty")
    if not task.user.strip():
        yield found(None, "the user says nothing")


@task_rule("waits", "the answer waits for every other action", reads_text=False, aliases=("edges", "ending"))
def waits(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """The final answer comes after all calls and questions of its task."""
    last = len(task.actions) - 1
    if last > 0 and isinstance(task.actions[last], Answer):
        for index in sorted(set(range(last)) - ancestors(task, last)):
            yield found(last, f"the answer does not wait for action {index}")


@task_rule("redundant", "no call is made twice", reads_text=False, aliases=("graph",))
def redundant(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """A call made twice side by side is a fault; asked again later, it may be answered otherwise and is a doubt."""
    before = call_graph(task)
    earlier = {call_key(call): at for at in range(number - 1, -1, -1) for _, call in calls_of(session.tasks[at])}
    seen: dict[str, int] = {}
    for index, call in calls_of(task):
        key = call_key(call)
        first = seen.setdefault(key, index)
        if first != index:
            # Side by side nothing can have changed in between.
            certainty = 0.9 if first in before[index] else 1.0
            yield found(index, f"repeats the call of action {first}", certainty=certainty, evidence=call.arguments)
        elif key in earlier:
            reason = f"{call.name} was called with the same arguments in task {earlier[key]} already"
            yield found(index, reason, certainty=0.7, evidence=call.arguments)


def call_graph(task: Task) -> dict[int, set[int]]:
    """By call, the calls that must be done before it, also by way of asks."""
    indexes = {index for index, _ in calls_of(task)}
    return {index: ancestors(task, index) & indexes for index in indexes}


def topology_of(task: Task) -> Topology:
    """The topology that the dependencies among a task's calls give."""
    before = call_graph(task)
    place = {index: position for position, index in enumerate(sorted(before))}
    return topology.topology_of([[place[on] for on in before[index]] for index in sorted(before)])


@task_rule("type", "type and topology agree with the graph", reads_text=False, aliases=("shape",))
def type_(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """The numbers of calls and asks are those of the task's type, the dependencies those of its topology."""
    calls = len(calls_of(task))
    asks = sum(isinstance(action, Ask) for action in task.actions)
    match task.type:
        case TaskType.SINGLE:
            if calls != 1 or asks:
                yield found(None, f"a single task has {calls} calls and {asks} asks")
        case TaskType.MULTI:
            if calls < 2 or asks:
                yield found(None, f"a multi task has {calls} calls and {asks} asks")
            elif task.topology is not (real := topology_of(task)):
                yield found(None, f"the label says {task.topology}, the dependencies are {real.value}")
        case TaskType.CLARIFY:
            if not asks:
                yield found(None, "a clarify task asks nothing")
            elif not calls:
                yield found(None, "a clarify task calls nothing", certainty=0.7)
        case TaskType.CHAT:
            if calls or asks:
                yield found(None, f"a chat task has {calls} calls and {asks} asks")
        case _:
            assert_never(task.type)
