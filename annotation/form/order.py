"""Order a task's actions in the form: stably, and never before what they wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from wildtool.annotation.form.controls import ask_label, call_label
from wildtool.schemas.session import Answer, Ask, Call

Actions = Sequence[Call | Ask | Answer]


def in_order(priorities: Sequence[int], waits: Sequence[Sequence[int]]) -> list[int]:
    """Order indices so that each follows everything it waits for; of the free ones the lowest priority comes first.

    Raises ``ValueError`` where the waits form a cycle.
    """
    left = set(range(len(priorities)))
    done: list[int] = []
    while left:
        free = [index for index in left if not left.intersection(waits[index])]
        if not free:
            raise ValueError("actions wait for one another in a cycle")
        chosen = min(free, key=lambda index: (priorities[index], index))
        done.append(chosen)
        left.remove(chosen)
    return done


def form_order(actions: Actions) -> list[int]:
    """Order a task's actions as the form's slots show them. Drafts in topological order keep theirs."""
    return in_order(range(len(actions)), [action.depends_on for action in actions])


def slot_labels(actions: Actions) -> list[str]:
    """Name each action as annotators see it: ``c1``, ``q1`` or ``answer``."""
    labels = [""] * len(actions)
    calls = asks = 0
    for index in form_order(actions):
        match actions[index]:
            case Call():
                calls += 1
                labels[index] = call_label(calls)
            case Ask():
                asks += 1
                labels[index] = ask_label(asks)
            case Answer():
                labels[index] = "answer"
            case other:
                assert_never(other)
    return labels
