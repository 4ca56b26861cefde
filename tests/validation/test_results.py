"""Results: schemas, echoes, filters, one world."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import Case, cases, found, results
from tests.validation.small_cases import action, changed


@cases("observations", "filters")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()


def test_a_result_against_its_schema_refuses_and_a_false_echo_is_doubted(make: Any) -> None:
    broken = changed(make(3), lambda data: action(data, 0, 0).update(observation={"aqi": "forty"}))
    assert results([broken])["observations"].failures
    echo = changed(make(3), lambda data: action(data, 0, 0).update(observation={"aqi": 40, "city": "Elsewhere"}))
    assert results([echo])["observations"].doubts and not results([echo])["observations"].failures


@pytest.mark.parametrize("observation", [{"error": "sold out"}, {}, [], ""])
def test_a_fault_is_not_a_misfit(make: Any, observation: Any) -> None:
    assert "observations" not in found(
        [changed(make(3), lambda data: action(data, 0, 0).update(observation=observation))]
    )


def test_prose_is_not_an_echo(make: Any) -> None:
    """A field that is named like a parameter may hold another message."""

    def edit(data: dict[str, Any]) -> None:
        action(data, 0, 0)["observation"]["city"] = "Your request for this city was sent to the station."

    assert "observations" not in found([changed(make(3), edit)])


def test_one_identifier_with_two_names_is_doubted(make: Any) -> None:
    def edit(data: dict[str, Any]) -> None:
        action(data, 1, 1)["observation"]["title"] = "Carmen"

    result = results([changed(make(3), edit)])["consistency"]
    assert [one.task for one in result.doubts] == [1] and not result.failures
