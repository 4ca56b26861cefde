from __future__ import annotations

from wildtool.annotation import pseudonym


def test_a_pseudonym_is_stable_salted_and_irreversible() -> None:
    # The value is kept: labels of 0.1.0 hold it, and a person must not become two.
    assert pseudonym("anna@example.org") == "ann_19fd1632"
    assert pseudonym(" Anna@Example.org ") == pseudonym("anna@example.org")
    assert pseudonym("anna@example.org", salt="other") != pseudonym("anna@example.org")
    assert pseudonym("ben@example.org") != pseudonym("anna@example.org")
    assert pseudonym("") == "unknown"
