"""Graphs: order, endings, repeated calls, types and topologies."""

from __future__ import annotations

from typing import Any

from tests.validation.findings import Case, cases, results
from tests.validation.small_cases import action, changed


@cases("graph", "waits", "redundant", "type")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()


def test_a_call_repeated_side_by_side_refuses_and_one_asked_again_is_doubted(make: Any) -> None:
    def again(data: dict[str, Any]) -> None:
        first = action(data, 0, 0)
        data["tasks"][2]["actions"].insert(0, {**first, "depends_on": []})

    def twice(data: dict[str, Any]) -> None:
        data["tasks"][0]["actions"].insert(0, action(data, 0, 0))
        action(data, 0, 2)["depends_on"] = [0, 1]

    asked_again = results([changed(make(3), again)])["redundant"]
    assert not asked_again.failures and [one.task for one in asked_again.doubts] == [2]
    side_by_side = results([changed(make(3), twice)])["redundant"]
    assert [(one.task, one.action) for one in side_by_side.failures] == [(0, 1)]
