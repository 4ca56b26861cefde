"""Hidden intents: where they lie, how far back, and what the words say of them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import Case, cases, found, results
from tests.validation.small_cases import changed, lean_on


@cases("hidden_intent", "hidden_text")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(("distance", "good"), [(3, True), (4, True), (5, False), (2, False), (None, True)])
def test_any_turn_of_the_earlier_task_may_hold_the_piece(make: Any, distance: int | None, good: bool) -> None:
    """Task 2 asks back, so task 3 lies 3 user turns behind the end of task 1, and 4 behind that of task 0."""
    session = changed(make(3), lean_on(3, said_in=0 if distance == 4 else 1, distance=distance))
    assert ("hidden_intent" not in found([session])) is good


def test_a_piece_that_no_tool_takes_is_doubted(make: Any) -> None:
    result = results([changed(make(3), lean_on(1, piece="colour"))])["hidden_intent"]
    assert "no tool of the session takes colour" in result.doubts[0].reason and not result.failures
    assert "hidden_intent" not in found([changed(make(3), lean_on(1, piece=""))])


def test_a_near_kind_that_lies_far_back_is_doubted(make: Any) -> None:
    def near(data: dict[str, Any]) -> None:
        data["tasks"][3]["hidden_intent"] = {"kind": "coreference", "piece": "city", "said_in": 0, "distance": 4}

    result = results([changed(make(3), near)])["hidden_intent"]
    assert [one.reason for one in result.doubts] == ["coreference, but at least 4 user turns back"]
    assert not result.failures
