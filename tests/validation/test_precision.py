"""The table of precisions names rules that read text, and is in bounds."""

from __future__ import annotations

from wildtool.validation.precision import measured, precision_of
from wildtool.validation.registry import RULES


def test_the_table_is_of_rules_that_read_text() -> None:
    assert measured().keys() <= {rule.id for rule in RULES if rule.reads_text}
    for each in measured().values():
        assert 0 <= each.right <= each.judged and each.judged > 0 and each.source


def test_an_unmeasured_rule_has_no_precision() -> None:
    assert precision_of("no such rule").share is None and not precision_of("no such rule").suffices
