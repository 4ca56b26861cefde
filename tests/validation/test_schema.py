"""Tools and arguments: calls are valid under sound schemas, and descriptions agree with them."""

from __future__ import annotations

from tests.validation.findings import Case, cases


@cases("arguments", "tools", "tool_text")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()
