"""Names of the form's controls. Tasks and slots are counted from 1, as annotators see them."""

from __future__ import annotations


def task_field(task: int, field: str) -> str:
    """Name of a task's control; tasks count from 1."""
    return f"t{task}_{field}"


def call_label(slot: int) -> str:
    """What the annotator sees of a call slot."""
    return f"c{slot}"


def ask_label(slot: int) -> str:
    """What the annotator sees of an ask slot."""
    return f"q{slot}"


def slot_field(task: int, label: str, field: str) -> str:
    """Name of a slot's control."""
    return f"t{task}_{label}_{field}"
