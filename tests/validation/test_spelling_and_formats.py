"""Spelling and formats of arguments."""

from __future__ import annotations

from tests.validation.findings import Case, cases


@cases("spelling", "formats")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()
