"""Names of the form's controls. Tasks and slots count from 1, as annotators see them."""

from __future__ import annotations

import re

DECISION, REASONS, REMARK = "decision", "reasons", "remark"
"""Controls of the whole session."""

MADE_BY = "made_by"
"""Control that people do not see; a program that labels signs here."""

TASK_CHOICES = ("type", "topology", "intent", "said_in")
"""Fields of a task that hold choices; its other fields hold text."""

SLOT_CHOICES = ("status", "name", "tool", "after")
"""Fields of a slot that hold choices; its other fields hold text."""

_CHOICE = re.compile(
    rf"{DECISION}|{REASONS}|t\d+_(?:{'|'.join(TASK_CHOICES)})|t\d+_[cq]\d+_(?:{'|'.join(SLOT_CHOICES)})"
)


def task_field(task: int, field: str) -> str:
    """Name a task's control."""
    return f"t{task}_{field}"


def call_label(slot: int) -> str:
    """Name a call slot as annotators see it."""
    return f"c{slot}"


def ask_label(slot: int) -> str:
    """Name a question slot as annotators see it."""
    return f"q{slot}"


def slot_field(task: int, label: str, field: str) -> str:
    """Name a slot's control."""
    return f"t{task}_{label}_{field}"


def is_choice(control: str) -> bool:
    """Tell a control of choices from a text."""
    return _CHOICE.fullmatch(control) is not None
