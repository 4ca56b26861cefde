"""How far back a hidden intent reaches, counted in user turns. A reply to a question back is a user turn too."""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.schemas.session import Ask, Task
from wildtool.schemas.vocabulary import TaskType

LONG_RANGE = 3
"""User turns back from which a hidden intent counts as long range: "more than two"."""


def distance(turns: Sequence[int], task: int, said_in: int) -> int:
    """User turns from a task's opening back to the last user turn of an earlier task.

    ``turns`` holds the user turns of each task. The last turn counts, since its answer still shows the values: a piece
    lies no further back than where it was last shown.
    """
    return 1 + sum(turns[said_in + 1 : task])


def turns_of(tasks: Sequence[Task]) -> list[int]:
    """User turns of each task: its opening and one reply a question back."""
    return [1 + sum(isinstance(action, Ask) for action in task.actions) for task in tasks]


def planned_turns(types: Sequence[TaskType]) -> list[int]:
    """User turns of each planned task: a clarify task has one question back."""
    return [2 if kind is TaskType.CLARIFY else 1 for kind in types]
