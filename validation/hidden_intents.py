"""Hidden intents: what a task leaves unsaid lies where the label says, and as far back."""

from __future__ import annotations

from collections.abc import Iterator

from wildtool.grounding.distance import distance, turns_of
from wildtool.grounding.evidence import leaves, parameter_schema, task_words
from wildtool.grounding.hidden_intents import hidden_intent as spec_of
from wildtool.grounding.hidden_intents import reference_device
from wildtool.language.dates.values import days_of_value
from wildtool.language.folding import REFERS, normal, weight
from wildtool.language.ordinals import read_ordinals
from wildtool.schemas.session import Answer, Call, HiddenIntent, Session, Task
from wildtool.schemas.vocabulary import Device
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions


@task_rule(
    "hidden_intent", "hidden intents name an earlier task and its distance", reads_text=False, aliases=("hidden_text",)
)
def hidden_intent(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """The task that holds the piece is earlier, and as many user turns back as kind and distance say."""
    hidden = task.hidden_intent
    if hidden is None:
        return
    if number == 0:
        yield found(None, "the first task depends on an earlier one")
        return
    if not 0 <= hidden.said_in < number:
        yield found(None, f"it depends on task {hidden.said_in}, which is not before it")
        return
    turns = turns_of(session.tasks[:number])
    nearest, furthest = distance(turns, number, hidden.said_in), sum(turns[hidden.said_in :])
    stated = furthest if hidden.distance is None else hidden.distance
    spec = spec_of(hidden.kind)
    title, (least, most) = spec.title.lower(), spec.reach
    # In the first tasks nothing lies far enough back, whatever the label states.
    reach = stated if number >= least else furthest
    if reach < least:
        yield found(None, f"{title}, but only {reach} user turns back")
    if most is not None and nearest > most:
        yield found(None, f"{title}, but at least {nearest} user turns back", certainty=0.7)
    if hidden.distance is not None and not nearest <= hidden.distance <= furthest:
        yield found(None, f"task {hidden.said_in} is {nearest} user turns back, not {hidden.distance}")
    if spec.refers is False and hidden.device is not None and reference_device(hidden.device).refers:
        yield found(None, f"{title}, but the device is {hidden.device.value}")
    known = {name for one in functions(session).values() for name in one.get("parameters", {}).get("properties", {})}
    if hidden.piece and hidden.piece not in known:  # formats that name no piece leave it empty
        reason = f"no tool of the session takes {hidden.piece}, the piece that is left unsaid"
        yield found(None, reason, certainty=0.7)


@task_rule(
    "hidden_text",
    "what is hidden is absent from the message and present where it was said",
    reads_text=True,
    aliases=("hidden_intent",),
)
def hidden_text(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """The message leaves the piece out, points at it if it should, and the earlier task holds it."""
    hidden = task.hidden_intent
    if hidden is None or not 0 <= hidden.said_in < number:
        return
    spec = spec_of(hidden.kind)
    if spec.refers and not _refers(task, hidden.device, session.language):
        yield found(None, f"{spec.title.lower()}, but the message points at nothing")
    values = [(index, value) for index, value in _values(session, task, hidden.piece) if weight(value) >= 4]
    hiding = [(index, value) for index, value in values if not _says(task.user, value)]
    there = [(index, value) for index, value in hiding if _in_task(session.tasks[hidden.said_in], value)]
    if there:  # of several calls one depends on that task
        yield from _nearer(session, number, hidden, *there[0])
        return
    for index, value in values:
        if (index, value) in hiding:
            yield from _elsewhere(session, number, hidden, index, value)
        else:
            reason = f"{hidden.piece} is not hidden: the message itself says {value!r}"
            yield found(index, reason, evidence=task.user)


def _values(session: Session, task: Task, piece: str) -> Iterator[tuple[int, str]]:
    """What calls take for the piece, where it is a free text that can be looked for in words."""
    known = functions(session)
    for index, call in calls_of(task):
        schema, _ = parameter_schema(known.get(call.name, {}), piece)
        value = call.arguments.get(piece)
        if isinstance(value, str) and "enum" not in schema:
            yield index, value


def _says(text: str, value: str) -> bool:
    """The text holds the value as it is; a day is never said as tools write it."""
    return days_of_value(value) is None and normal(value) in normal(text)


def _elsewhere(session: Session, number: int, hidden: HiddenIntent, index: int, value: str) -> Iterator[Finding]:
    """The task that should hold the value does not."""
    others = [at for at, one in enumerate(session.tasks[:number]) if _in_task(one, value)]
    if others:
        yield found(index, f"{hidden.piece} {value!r} is of task {others[-1]}, not of task {hidden.said_in}")
    elif days_of_value(value) is None:
        reason = f"{hidden.piece} {value!r} does not occur in task {hidden.said_in}"
        yield found(index, reason, certainty=0.7)


def _nearer(session: Session, number: int, hidden: HiddenIntent, index: int, value: str) -> Iterator[Finding]:
    """The user says the value again, too near for a kind whose piece lies far back."""
    spec = spec_of(hidden.kind)
    if not spec.far:
        return
    turns = turns_of(session.tasks[:number])
    for at in range(number - 1, hidden.said_in, -1):
        near = distance(turns, number, at)
        if not spec.reaches(near) and any(normal(value) in normal(text) for text in task_words(session.tasks[at])):
            reason = f"{hidden.piece} {value!r} is said again in task {at}, only {near} user turns back"
            yield found(index, reason, certainty=0.85)
            return


def _refers(task: Task, device: Device | None, language: str) -> bool:
    """The message, or a reply to an ask, points at something."""
    words = "\n".join(task_words(task))
    if device is not None and not reference_device(device).refers:
        return True
    return bool(REFERS.search(words.casefold())) or bool(read_ordinals(words, language))


def _in_task(task: Task, value: str) -> bool:
    wanted = normal(value)
    if any(wanted in normal(text) for text in task_words(task)):
        return True
    return any(
        any(wanted in normal(str(seen)) for _, seen in leaves([action.arguments, action.observation]))
        if isinstance(action, Call)
        else isinstance(action, Answer) and wanted in normal(action.text)
        for action in task.actions
    )
