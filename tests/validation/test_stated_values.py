"""Stated values: limits, counts, bounds and days against the user's words. Times have a file of their own."""

from __future__ import annotations

from tests.validation.findings import Case, cases


@cases("limits", "counts", "dates", "ordinals")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()
