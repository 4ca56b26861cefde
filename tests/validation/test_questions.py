"""Questions back: slots that exist and are missing, replies that give them."""

from __future__ import annotations

from tests.validation.findings import Case, cases


@cases("asks", "slots")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()
