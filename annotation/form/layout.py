"""Describe the form without a vendor: fields, slots, choices, and when each is shown. A backend renders it.

A call's dependency boxes name earlier slots only, so calls cannot form a cycle.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from wildtool.annotation.form.controls import (
    DECISION,
    MADE_BY,
    REASONS,
    REMARK,
    ask_label,
    call_label,
    slot_field,
    task_field,
)
from wildtool.annotation.form.interface import NO_INTENT, REJECT_REASONS, USED, InterfaceSpec
from wildtool.schemas.base import Record
from wildtool.schemas.vocabulary import Decision, SlotStatus, TaskType, Topology

TYPE_KEYS = ("1234", "qwer", "asdf", "zxcv")
"""Keys for a task's type, with Shift: one keyboard row per task, one column per type. Browsers own Alt and Ctrl."""

INTENT_KEYS = ("", "tyui", "ghjk", "bnml")
"""Keys for a task's hidden intent, with Shift, on the same rows. Choices beyond a row have no key."""

ACCEPT_KEY, REJECT_KEY = "o", "p"
"""Keys for the decision, with Shift."""


class Condition(Record):
    """Shows something only while a choice holds one of some values."""

    control: str
    """Control of the choice."""
    values: tuple[str, ...]
    """Values that show it."""


class Text(Record):
    """A text that annotators edit."""

    name: str
    """Control."""
    title: str = ""
    """Heading; empty for none."""
    rows: int
    """Height in lines."""
    placeholder: str = ""
    """Hint in an empty text."""
    code: bool = False
    """Set in a fixed-width font."""


class Choice(Record):
    """One of some values, or several of them."""

    name: str
    """Control."""
    title: str = ""
    """Heading; empty for none."""
    values: tuple[str, ...]
    """What can be chosen."""
    multiple: bool = False
    """Allows several."""
    required: str | None = None
    """Message for whoever leaves it open; None where that is allowed."""
    keys: tuple[str, ...] = ()
    """Keys of the first values, pressed with Shift."""
    when: Condition | None = None
    """Shown only then; None for always."""


class ToolChoice(Record):
    """One of the session's tools."""

    name: str
    """Control."""
    title: str
    """Heading."""


class Row(Record):
    """Fields side by side."""

    fields: tuple[Text | Choice | ToolChoice, ...]
    """From the left."""
    when: Condition | None = None
    """Shown only then; None for always."""


class Folded(Record):
    """A text that opens on a click."""

    title: str
    """What is shown while it is closed."""
    field: Text
    """The text."""


Item = Text | Choice | ToolChoice | Row | Folded


class Slot(Record):
    """Room for one call or one question."""

    label: str
    """What dependency boxes call it."""
    title: str
    """Heading."""
    question: bool
    """A question to the user; else a call."""
    status: Choice
    """What the annotator does with it. The rest is shown while the slot is used."""
    doubt: str
    """Key of the doubts about it."""
    items: tuple[Item, ...]
    """Its fields."""

    @property
    def used(self) -> Condition:
        """Shows the slot's fields."""
        return Condition(control=self.status.name, values=tuple(str(status) for status in USED))


class TaskSection(Record):
    """The form of one task."""

    title: str
    """Heading."""
    doubt: str
    """Key of the doubts about it."""
    head: tuple[Item, ...]
    """Fields before the slots."""
    asks: tuple[Slot, ...]
    """Question slots; each is shown once the one before it is used."""
    calls: tuple[Slot, ...]
    """Call slots, likewise."""
    tail: tuple[Item, ...]
    """Fields after the slots."""


class Layout(Record):
    """The whole form."""

    tasks: tuple[TaskSection, ...]
    """One section per task."""
    decision: tuple[Item, ...]
    """What is said of the session."""
    signature: Text
    """Where programs sign; hidden from people."""

    def doubts(self) -> Iterator[str]:
        """Yield the keys of all doubts: texts beside the controls, which nobody edits."""
        for task in self.tasks:
            yield task.doubt
            yield from (slot.doubt for slot in (*task.calls, *task.asks))

    def controls(self) -> Iterator[Text | Choice | ToolChoice]:
        """Yield every control."""
        for task in self.tasks:
            yield from _controls(task.head)
            for slot in (*task.asks, *task.calls):
                yield slot.status
                yield from _controls(slot.items)
            yield from _controls(task.tail)
        yield from _controls(self.decision)
        yield self.signature


def _controls(items: tuple[Item, ...]) -> Iterator[Text | Choice | ToolChoice]:
    for item in items:
        match item:
            case Row():
                yield from item.fields
            case Folded():
                yield item.field
            case Text() | Choice() | ToolChoice():
                yield item


@lru_cache(maxsize=32)
def layout(spec: InterfaceSpec) -> Layout:
    """Lay out the form of a spec."""
    return Layout(
        tasks=tuple(_task(spec, task) for task in range(1, spec.tasks + 1)),
        decision=_decision(),
        signature=Text(name=MADE_BY, rows=1),
    )


def _task(spec: InterfaceSpec, task: int) -> TaskSection:
    head: list[Item] = [
        Text(name=task_field(task, "user"), title="User's message", rows=3),
        Choice(
            name=task_field(task, "type"),
            title="Type",
            values=tuple(str(kind) for kind in TaskType),
            required=f"Task {task}: choose its type",
            keys=_keys(TYPE_KEYS, task),
        ),
        Choice(
            name=task_field(task, "topology"),
            title="Shape of the calls (topology)",
            values=tuple(str(shape) for shape in Topology),
            required=f"Task {task}: a multi task has a topology",
            when=Condition(control=task_field(task, "type"), values=(TaskType.MULTI,)),
        ),
    ]
    if task > 1:  # nothing comes before the first task
        head += _intent(spec, task)
    return TaskSection(
        title=f"Task {task}",
        doubt=task_field(task, "doubt"),
        head=tuple(head),
        asks=tuple(_ask(spec, task, slot) for slot in range(1, spec.asks + 1)),
        calls=tuple(_call(spec, task, slot) for slot in range(1, spec.calls + 1)),
        tail=(
            Text(name=task_field(task, "answer"), title="Final answer", rows=3),
            Folded(
                title="Other right sets of calls",
                field=Text(
                    name=task_field(task, "alternatives"),
                    rows=3,
                    placeholder="see the guide: a JSON list of call lists",
                    code=True,
                ),
            ),
        ),
    )


def _intent(spec: InterfaceSpec, task: int) -> list[Item]:
    return [
        Choice(
            name=task_field(task, "intent"),
            title="Hidden intent: how it depends on earlier turns",
            values=(NO_INTENT, *spec.intents),
            required=f"Task {task}: choose its hidden intent, or none",
            keys=_keys(INTENT_KEYS, task),
        ),
        Row(
            fields=(
                Text(name=task_field(task, "piece"), title="Piece left unsaid (parameter)", rows=1),
                Choice(
                    name=task_field(task, "said_in"),
                    title="Said in task",
                    values=tuple(str(number) for number in range(1, task)),
                    required=f"Task {task}: choose the task that said it",
                ),
            ),
            when=Condition(control=task_field(task, "intent"), values=spec.intents),
        ),
    ]


def _call(spec: InterfaceSpec, task: int, slot: int) -> Slot:
    label = call_label(slot)
    asks = [ask_label(number) for number in range(1, spec.asks + 1)]
    earlier = (*asks, *(call_label(number) for number in range(1, slot)))
    items: tuple[Item, ...] = (
        ToolChoice(name=slot_field(task, label, "name"), title="Function"),
        Text(name=slot_field(task, label, "arguments"), title="Arguments (JSON)", rows=5, placeholder="{}", code=True),
        Text(name=slot_field(task, label, "observation"), title="Result (JSON or text)", rows=3, code=True),
        Choice(name=slot_field(task, label, "after"), title="Must wait for", values=earlier, multiple=True),
        Folded(
            title="Other right argument values",
            field=Text(
                name=slot_field(task, label, "alternatives"),
                rows=2,
                placeholder='as in {"date": ["2024-07-13", "2024-07-14"]}',
                code=True,
            ),
        ),
    )
    return _slot(task, label, f"Call {label}", items, question=False)


def _ask(spec: InterfaceSpec, task: int, slot: int) -> Slot:
    label = ask_label(slot)
    earlier = [ask_label(number) for number in range(1, slot)]
    calls = [call_label(number) for number in range(1, spec.calls + 1)]
    items: tuple[Item, ...] = (
        Text(name=slot_field(task, label, "question"), title="Question to the user", rows=2),
        Row(
            fields=(
                Text(name=slot_field(task, label, "slots"), title="Missing parameters (separate by commas)", rows=1),
                ToolChoice(name=slot_field(task, label, "tool"), title="Function that needs them"),
            )
        ),
        Text(name=slot_field(task, label, "reply"), title="User's reply", rows=2),
        Choice(name=slot_field(task, label, "after"), title="Must wait for", values=(*earlier, *calls), multiple=True),
    )
    return _slot(task, label, f"Question {label}", items, question=True)


def _slot(task: int, label: str, title: str, items: tuple[Item, ...], *, question: bool) -> Slot:
    return Slot(
        label=label,
        title=title,
        question=question,
        status=Choice(
            name=slot_field(task, label, "status"),
            values=tuple(str(status) for status in SlotStatus),
            required=f"Task {task}, {label}: choose what to do with it",
        ),
        doubt=slot_field(task, label, "doubt"),
        items=items,
    )


def _decision() -> tuple[Item, ...]:
    return (
        Choice(
            name=DECISION,
            values=(Decision.ACCEPT, Decision.REJECT),
            required="Decide: accept the session as it stands in this form, or reject it",
            keys=(ACCEPT_KEY, REJECT_KEY),
        ),
        Choice(
            name=REASONS,
            title="Why",
            values=REJECT_REASONS,
            multiple=True,
            required="Say why you reject the session",
            when=Condition(control=DECISION, values=(Decision.REJECT,)),
        ),
        Text(name=REMARK, title="Remark", rows=2, placeholder="anything the next reader should know"),
    )


def _keys(rows: tuple[str, ...], task: int) -> tuple[str, ...]:
    """Return the keys of a task's row; tasks beyond the rows have none."""
    return tuple(rows[task - 1]) if task <= len(rows) else ()
