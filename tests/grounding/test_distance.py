"""How far back a hidden intent reaches: in user turns, from the last turn of the earlier task."""

from __future__ import annotations

import pytest

from wildtool.grounding.distance import LONG_RANGE, distance, planned_turns, turns_of
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.vocabulary import TaskType

SINGLE, MULTI, CLARIFY, CHAT = TaskType.SINGLE, TaskType.MULTI, TaskType.CLARIFY, TaskType.CHAT


def test_more_than_two_turns_back_is_long_range() -> None:
    assert LONG_RANGE == 3


@pytest.mark.parametrize(
    ("turns", "task", "said_in", "expected"),
    [
        ([1, 1, 1, 1], 1, 0, 1),
        ([1, 1, 1, 1], 2, 0, 2),
        ([1, 1, 1, 1], 3, 0, 3),
        ([1, 1, 1, 1], 3, 2, 1),
        ([2, 1, 1, 1], 1, 0, 1),  # the reply still shows it
        ([2, 1, 1, 1], 2, 0, 2),
        ([1, 2, 1, 1], 2, 0, 3),  # the question between is a turn more
        ([1, 3, 1, 1], 3, 0, 5),
        ([1, 3, 1, 1], 3, 1, 2),
    ],
)
def test_turns_are_counted_from_the_last_of_the_earlier_task(
    turns: list[int], task: int, said_in: int, expected: int
) -> None:
    assert distance(turns, task, said_in) == expected


def test_a_question_back_is_a_user_turn() -> None:
    types = (CLARIFY, SINGLE, CLARIFY, CHAT, MULTI)
    assert planned_turns(types) == [2, 1, 2, 1, 1]
    # Task 0 is last shown at its reply (turn 1), task 3 opens at turn 5.
    assert distance(planned_turns(types), 3, 0) == 4
    assert distance(planned_turns(types), 1, 0) == 1


def test_turns_of_tasks_count_replies() -> None:
    ask = Ask(slots=("city",), question="Where?", reply="Here")
    call = Call(name="f", arguments={})
    tasks = [
        Task(user="a", type=SINGLE, actions=(call, Answer(text="."))),
        Task(user="b", type=CLARIFY, actions=(ask, call, Answer(text="."))),
        Task(user="c", type=CLARIFY, actions=(ask, ask, call, Answer(text="."))),
    ]
    assert turns_of(tasks) == [1, 2, 3]
