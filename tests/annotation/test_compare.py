from __future__ import annotations

import pytest

from wildtool.annotation.agreement.compare import normalised, overlap
from wildtool.schemas.session import Answer, Call, Task
from wildtool.schemas.vocabulary import TaskType


def _task(*calls: Call) -> Task:
    return Task(user="x", type=TaskType.SINGLE, actions=(*calls, Answer(text="y")))


def test_calls_of_one_name_are_matched_by_their_arguments() -> None:
    a, b = Call(name="f", arguments={"x": 1}), Call(name="f", arguments={"x": 2}, depends_on=(0,))
    other = _task(Call(name="f", arguments={"x": 2}), Call(name="f", arguments={"x": 1}, depends_on=(0,)))
    shared = overlap(_task(a, b), other)
    assert (shared.matched, shared.exact) == (2, 2)
    assert (shared.edges_a, shared.edges_b, shared.edges_shared) == (1, 1, 0)
    assert shared.call_f1 == 1


def test_missing_calls_cost_f1_and_their_edges_do_not_count() -> None:
    chain = _task(Call(name="f", arguments={}), Call(name="g", arguments={}, depends_on=(0,)))
    shared = overlap(chain, _task(Call(name="f", arguments={})))
    assert shared.call_f1 == pytest.approx(2 / 3)
    assert shared.edges_a == 0
    assert overlap(_task(), _task()).call_f1 == 1


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        ("Las  Vegas ", "las vegas", True),
        ("ＡＢＣ", "abc", True),
        (5, 5.0, True),
        (True, 1, False),
        ({"a": [1.0]}, {"a": [1]}, True),
        ("2024-07-13", "2024/07/13", False),
        ("not good", "good", False),
    ],
)
def test_normalising_drops_only_what_nobody_means(one: object, two: object, equal: bool) -> None:
    assert (repr(normalised(one)) == repr(normalised(two))) is equal
