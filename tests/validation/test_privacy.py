"""Personal data: what looks real refuses a release, what is reserved for examples does not."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import Case, cases, results
from tests.validation.small_cases import changed
from wildtool.validation.privacy import personal_data


@cases("privacy")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()


def test_personal_data_refuses_a_release(make: Any) -> None:
    """The one rule that reads text and was measured on enough foreign text to refuse by it."""
    session = changed(
        make(3), lambda data: data["tasks"][0].update(user=data["tasks"][0]["user"] + " jane.roe@mailbox.org")
    )
    assert results([session])["privacy"].failures


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("card 4111 1111 1111 1111", ["a payment card number"]),
        ("card 4111-1111-1111-1111", ["a payment card number"]),
        ("card 4111111111111111", ["a payment card number"]),
        ("card 3782 822463 10005", ["a payment card number"]),
        ("card 2221 0000 0000 0009", ["a payment card number"]),
        ("card 2223003122003222", ["a payment card number"]),
        ("moment 20240713093001", []),
        ("order 2000000000000006", []),
        ("order 354-9511985-9596963", []),
        ("order 4111 1111 1111 1112", []),
        ("write to hello@example.com", []),
        ("write to jane.roe@mailbox.org", ["an e-mail address"]),
        ("call +1 212 555 0123", []),
        ("身份证11010519491231002X", ["a Chinese identity number"]),
        ("身份证110105194912310021", []),
    ],
)
def test_what_looks_like_personal_data(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in personal_data(text)] == kinds
