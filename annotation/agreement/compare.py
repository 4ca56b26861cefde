"""Compare two people's tasks: matched calls, equal arguments, equal dependencies. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wildtool.language.folding import folded
from wildtool.schemas.base import Record, canonical_json
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.vocabulary import Decision

FIELDS = (
    "decision",
    "user",
    "type",
    "topology",
    "hidden_intent",
    "calls",
    "arguments",
    "observations",
    "dependencies",
    "asks",
    "answer",
    "alternatives",
)
"""Fields in which labels can differ, in reporting order."""


class Overlap(Record):
    """Counts of what two tasks share. Sums, so that ratios over many tasks can be computed."""

    calls_a: int
    """Calls of the first."""
    calls_b: int
    """Calls of the second."""
    matched: int
    """Calls matched by name."""
    exact: int
    """Matched calls with equal arguments."""
    normalised: int
    """Matched calls whose arguments are equal up to case, blanks, width and the type of a number."""
    edges_a: int
    """Dependencies between matched calls, of the first."""
    edges_b: int
    """Dependencies between matched calls, of the second."""
    edges_shared: int
    """Dependencies in both."""

    @property
    def call_f1(self) -> float:
        """F1 of the multisets of names; 1 if neither task calls."""
        both = self.calls_a + self.calls_b
        return 2 * self.matched / both if both else 1.0


def overlap(first: Task, second: Task) -> Overlap:
    """Match calls of the same name: equal arguments first, then the most equal ones."""
    pairs = match_calls(first, second)
    back = {there: here for here, there in pairs.items()}
    edges_first = {edge for edge in _edges(first) if edge[0] in pairs and edge[1] in pairs}
    edges_second = {edge for edge in _edges(second) if edge[0] in back and edge[1] in back}
    calls = [(first.actions[here], second.actions[there]) for here, there in pairs.items()]
    return Overlap(
        calls_a=len(_calls(first)),
        calls_b=len(_calls(second)),
        matched=len(pairs),
        exact=sum(_exact(a, b) for a, b in calls),
        normalised=sum(_normal(a) == _normal(b) for a, b in calls),
        edges_a=len(edges_first),
        edges_b=len(edges_second),
        edges_shared=len({(pairs[a], pairs[b]) for a, b in edges_first} & edges_second),
    )


def match_calls(first: Task, second: Task) -> dict[int, int]:
    """Map the first task's calls to the second's, by index; a name that both call twice is matched twice."""
    candidates = [
        (-_likeness(first.actions[a], second.actions[b]), abs(a - b), a, b)
        for a in _calls(first)
        for b in _calls(second)
        if _name(first.actions[a]) == _name(second.actions[b])
    ]
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, here, there in sorted(candidates):
        if here not in pairs and there not in taken:
            pairs[here] = there
            taken.add(there)
    return pairs


def _calls(task: Task) -> list[int]:
    return [index for index, action in enumerate(task.actions) if isinstance(action, Call)]


def _edges(task: Task) -> set[tuple[int, int]]:
    """List the dependencies between calls; those of the answer follow from the rest."""
    calls = set(_calls(task))
    return {(index, on) for index in calls for on in task.actions[index].depends_on if on in calls}


def _name(action: Call | Ask | Answer) -> str:
    return action.name if isinstance(action, Call) else ""


def _arguments(action: Call | Ask | Answer) -> dict[str, Any]:
    return action.arguments if isinstance(action, Call) else {}


def _exact(first: Call | Ask | Answer, second: Call | Ask | Answer) -> bool:
    return canonical_json(_arguments(first)) == canonical_json(_arguments(second))


def _normal(action: Call | Ask | Answer) -> str:
    return canonical_json(normalised(_arguments(action)))


def _likeness(first: Call | Ask | Answer, second: Call | Ask | Answer) -> float:
    here, there = _arguments(first), _arguments(second)
    names = set(here) | set(there)
    equal = sum(
        name in here and name in there and canonical_json(here[name]) == canonical_json(there[name]) for name in names
    )
    return equal / len(names) if names else 1.0


def normalised(value: Any) -> Any:
    """Drop what people do not mean: case, blanks, full-width forms, 5.0 for 5. Booleans stay booleans."""
    match value:
        case str():
            return " ".join(folded(value).split())
        case bool():
            return value
        case float() if value.is_integer():
            return int(value)
        case list():
            return [normalised(each) for each in value]
        case dict():
            return {key: normalised(each) for key, each in value.items()}
        case _:
            return value


def task_fields(task: Task) -> dict[str, str]:
    """Write each field of a task as text that is equal for equal content, in whatever order the calls were written."""
    keys = action_keys(task.actions)
    calls = [(key, action) for key, action in zip(keys, task.actions, strict=True) if isinstance(action, Call)]
    intent = task.hidden_intent
    return {
        "user": task.user.strip(),
        "type": str(task.type),
        "topology": str(task.topology),
        "hidden_intent": "none" if intent is None else canonical_json([intent.kind, intent.piece, intent.said_in]),
        "calls": canonical_json(sorted(action.name for _, action in calls)),
        "arguments": canonical_json(sorted(canonical_json([action.name, action.arguments]) for _, action in calls)),
        "observations": canonical_json(
            sorted(canonical_json([action.name, action.observation]) for _, action in calls)
        ),
        "dependencies": canonical_json(
            sorted(key for key, action in zip(keys, task.actions, strict=True) if not isinstance(action, Answer))
        ),
        "asks": canonical_json(
            sorted(
                canonical_json([list(a.slots), a.tool, a.question, a.reply]) for a in task.actions if isinstance(a, Ask)
            )
        ),
        "answer": canonical_json([action.text.strip() for action in task.actions if isinstance(action, Answer)]),
        "alternatives": canonical_json(
            [
                sorted(
                    canonical_json([a.name, a.arguments, a.argument_alternatives])
                    for _, a in calls
                    if a.argument_alternatives
                ),
                sorted(canonical_json(sorted(action_keys(each))) for each in task.alternatives),
            ]
        ),
    }


def action_keys(actions: Sequence[Call | Ask | Answer]) -> list[str]:
    """Write each action's place in the graph as text: its name and, recursively, what it waits for.

    Names without arguments: a changed argument is one difference, not also one in every dependency.
    """
    keys: dict[int, str] = {}

    def key(index: int) -> str:
        if index not in keys:
            action = actions[index]
            what = action.name if isinstance(action, Call) else action.kind
            keys[index] = canonical_json([what, sorted(key(on) for on in action.depends_on)])
        return keys[index]

    return [key(index) for index in range(len(actions))]


def label_content(label: Label) -> tuple[str, ...]:
    """Write everything that a label says in a comparable form; of rejected sessions only the rejection."""
    return content(label.decision, label.tasks)


def content(decision: Decision, tasks: Iterable[Task]) -> tuple[str, ...]:
    """Do the same for a decision and tasks."""
    if decision is not Decision.ACCEPT:
        return (str(decision),)
    return (str(decision), *(canonical_json(task_fields(task)) for task in tasks))


def differing_fields(labels: Iterable[Label]) -> tuple[str, ...]:
    """List the fields in which labels of one draft differ, as in ``("decision", "task 2: arguments")``."""
    labels = list(labels)
    differing = []
    if len({label.decision for label in labels}) > 1:
        differing.append("decision")
    accepted = [[task_fields(task) for task in label.tasks] for label in labels if label.tasks]
    for number in range(min((len(tasks) for tasks in accepted), default=0)):
        for field in FIELDS:
            if len({tasks[number].get(field, "") for tasks in accepted}) > 1:
                differing.append(f"task {number + 1}: {field}")
    return tuple(differing)
