"""Size and vocabulary of a labelling form.

An annotation tool shows the same form for every session of a project. So a form holds a fixed number of tasks, and a
fixed number of call and question slots per task.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field

from wildtool.schemas.base import Record
from wildtool.schemas.draft import Draft
from wildtool.schemas.session import Ask, Call
from wildtool.schemas.vocabulary import HiddenIntentKind, SlotStatus

MIN_CALL_SLOTS = 8
"""More than most tasks need: a project with labels cannot shrink its form, and growing it changes every label's hash."""

SPARE_CALL_SLOTS = 2
"""Free slots beyond the longest draft, for calls that annotators add."""

NO_INTENT = "none"
"""Choice for a task that hides nothing."""

REJECT_REASONS = (
    "unnatural_user_message",
    "not_solvable_with_tools",
    "wrong_calls_throughout",
    "observations_contradict",
    "hidden_intent_unclear",
    "private_or_harmful",
    "duplicate",
    "other",
)
"""Reasons to reject a session: faults that cannot be corrected in the form."""

USED = (SlotStatus.KEEP, SlotStatus.CHANGE, SlotStatus.ADD)
"""Statuses whose slot is part of the label."""

Purpose = Literal["label", "adjudicate"]
"""``adjudicate`` shows the labels of several people side by side above the dialogue."""


def intent_kinds() -> tuple[str, ...]:
    """List the hidden-intent kinds that a form offers: every kind that is registered."""
    return tuple(str(kind) for kind in HiddenIntentKind)


class InterfaceSpec(Record):
    """All that a form is generated from."""

    tasks: int = 4
    """Tasks per session, at most."""
    calls: int = MIN_CALL_SLOTS
    """Call slots per task."""
    asks: int = 1
    """Question slots per task."""
    purpose: Purpose = "label"
    """What people do with it."""
    intents: tuple[str, ...] = Field(default_factory=intent_kinds)
    """Hidden-intent kinds on offer. A project keeps those it was opened with until it has to grow."""

    def covers(self, other: InterfaceSpec) -> bool:
        """Return whether everything that fits ``other`` fits this form."""
        return (
            self.purpose == other.purpose
            and self.tasks >= other.tasks
            and self.calls >= other.calls
            and self.asks >= other.asks
            and set(self.intents) >= set(other.intents)
        )

    def joined(self, other: InterfaceSpec) -> InterfaceSpec:
        """Return the smallest spec that covers both."""
        return InterfaceSpec(
            tasks=max(self.tasks, other.tasks),
            calls=max(self.calls, other.calls),
            asks=max(self.asks, other.asks),
            purpose=self.purpose,
            intents=tuple(dict.fromkeys((*self.intents, *other.intents))),
        )


class Interface(Record):
    """A form as a project shows it."""

    spec: InterfaceSpec
    """What it was generated from."""
    hash: str
    """Hash of the form in the tool's own format; every label carries it."""


def fitting_spec(drafts: Iterable[Draft], *, purpose: Purpose = "label") -> InterfaceSpec:
    """Return the smallest spec with room for these drafts and for calls that annotators add."""
    spec = InterfaceSpec(purpose=purpose)
    for draft in drafts:
        tasks = draft.session.tasks
        actions = [actions for task in tasks for actions in (task.actions, *task.alternatives)]
        spec = InterfaceSpec(
            tasks=max(spec.tasks, len(tasks)),
            calls=max([spec.calls, *(SPARE_CALL_SLOTS + sum(isinstance(a, Call) for a in set_) for set_ in actions)]),
            asks=max([spec.asks, *(sum(isinstance(a, Ask) for a in set_) for set_ in actions)]),
            purpose=purpose,
        )
    return spec
