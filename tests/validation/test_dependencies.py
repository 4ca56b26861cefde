"""Dependencies: values that flow are edges, and edges carry values."""

from __future__ import annotations

from tests.validation.findings import Case, cases


@cases("edges")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()
