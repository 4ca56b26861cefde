from __future__ import annotations

import pytest

from wildtool.annotation.form.order import form_order, in_order, slot_labels
from wildtool.schemas.session import Answer, Ask, Call

ASK = Ask(slots=("city",), question="Where?", reply="Lyon", depends_on=(1,))


def test_free_indices_come_by_priority_and_nothing_before_what_it_waits_for() -> None:
    assert in_order([0, 1, 2], [[], [], []]) == [0, 1, 2]
    assert in_order([2, 1, 0], [[], [], []]) == [2, 1, 0]
    assert in_order([0, 1, 2], [[2], [0], []]) == [2, 0, 1]
    assert in_order([0, 0], [[], []]) == [0, 1]


def test_a_cycle_is_refused() -> None:
    with pytest.raises(ValueError, match="cycle"):
        in_order([0, 1], [[1], [0]])


def test_labels_count_calls_and_questions_in_the_order_of_the_form() -> None:
    actions = (ASK, Call(name="f", arguments={}), Call(name="g", arguments={}), Answer(text="x", depends_on=(0, 2)))
    assert form_order(actions) == [1, 0, 2, 3]
    assert slot_labels(actions) == ["q1", "c1", "c2", "answer"]
