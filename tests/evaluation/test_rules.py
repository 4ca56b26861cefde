"""The scorer's rules: their version is tied to what decides, and other packages can add rules."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from wildtool.evaluation import rule_table, rules
from wildtool.evaluation.arguments.compare import Context, arguments_right, compare_arguments
from wildtool.evaluation.rules import RULES, SCORER_RULES, ScorerRule, rules_version
from wildtool.schemas.errors import PluginError
from wildtool.schemas.score import same_rules

CONTEXT = Context(datetime(2024, 7, 12, 9, 30, tzinfo=UTC))
SCHEMA = {"properties": {"cell": {"type": "string", "format": "geohash"}, "n": {"type": "integer"}}}


def test_the_version_is_that_of_the_rules() -> None:
    assert rule_table.table_hash() == rules.RULES_HASH, (
        "what decides a verdict changed: raise RULES_NUMBER in evaluation/rules.py if a verdict can change, and record "
        "the hash that `python -m wildtool.evaluation.rule_table` prints as RULES_HASH"
    )
    assert f"{rules.RULES_NUMBER}+{rules.RULES_HASH}" == rules.RULES_VERSION == rules_version()


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("X = [1, 2]\n", 'X = [\n    1,  # one\n    2,\n]\n"""Numbers."""\n', True),
        ("def f(a):\n    return a > 1\n", 'def f(a):\n    """é: says."""\n    # why\n\n    return a > 1\n', True),
        ("X = 1\n", "X = 2\n", False),
        ("X = 'a#b'\n", "X = 'a#c'\n", False),
        ("X = f'{a}b'\n", "X = f'{a}c'\n", False),
        ("if a:\n    x = 1\n", "if a:\n    x = 1\nx = 2\n", False),
    ],
)
def test_only_what_decides_is_hashed(before: str, after: str, same: bool) -> None:
    assert (rule_table.normalised(before) == rule_table.normalised(after)) is same


def test_all_that_judges_is_in_the_table() -> None:
    table = rule_table.rule_table()
    assert {
        "wildtool.evaluation.score", "wildtool.evaluation.referee", "wildtool.evaluation.arguments.compare",
        "wildtool.evaluation.asks.ask_and_answer", "wildtool.evaluation.matching.assignment",
        "wildtool.evaluation.wildtoolbench.matching", "wildtool.language.wording", "wildtool.language.date_parsing",
    } <= table["code"].keys()  # fmt: skip
    deciding = (
        ("evaluation", "arguments"),
        ("language", "requests"),
        ("language", "slot_words"),
        ("language", "request_stop"),
    )
    assert {f"{room}/{code}/{topic}.toml" for code in ("en", "zh") for room, topic in deciding} <= table["words"].keys()


def test_every_rule_that_a_verdict_can_name_is_registered(repository: Path) -> None:
    named = set()
    for file in ("evaluation/arguments/compare.py", "language/wording.py", "language/date_parsing.py"):
        text = (repository / file).read_text(encoding="utf-8")
        named |= set(
            re.findall(r'"((?:number|type|boolean|date|text|array|object|default|null|argument|code)\.[a-z_]+)"', text)
        )
    assert len(named) > 25
    assert named <= {rule.name for rule in RULES}


def test_versions_of_one_number_decide_alike() -> None:
    assert same_rules("3", "3+1f3a9c02")  # a release of 0.1.0
    assert same_rules("3+1f3a9c02", "3+77e0d1b4")
    assert not same_rules("3", "4+1f3a9c02") and not same_rules("3+1f3a9c02", "4+1f3a9c02")
    assert not same_rules("3+1f3a9c02", "3+1f3a9c02.aa") and not same_rules("3+1f3a9c02.bb", "3+1f3a9c02.aa")


@pytest.fixture
def near_cells():
    """A rule for geohashes: a shared prefix is enough."""

    def compare(gold, got, schema, context):
        return got.startswith(gold[:5]) if schema.get("format") == "geohash" and isinstance(got, str) else None

    yield SCORER_RULES.add(ScorerRule("geohash.near", "the same cell of 5 km", compare))
    SCORER_RULES.remove("geohash.near")


def test_an_added_rule_decides_what_it_applies_to_and_shows_in_the_version(near_cells) -> None:
    (cell, number) = compare_arguments({"cell": "u05kq123", "n": 1}, {"cell": "u05kq999", "n": 2}, SCHEMA, CONTEXT)
    assert (cell.ok, cell.rule) == (True, "geohash.near") and (number.ok, number.rule) == (False, "number.value")
    assert arguments_right({"cell": "u05kq123"}, {"cell": "u05kq999"}, SCHEMA, CONTEXT)
    assert rules_version().startswith(f"{rules.RULES_VERSION}.") and not same_rules(
        rules_version(), rules.RULES_VERSION
    )


def test_without_it_the_same_values_differ() -> None:
    assert not arguments_right({"cell": "u05kq123"}, {"cell": "u05kq999"}, SCHEMA, CONTEXT)
    assert rules_version() == rules.RULES_VERSION


def test_a_rule_that_breaks_is_blamed_by_name() -> None:
    def broken(gold, got, schema, context):
        raise ZeroDivisionError("x")

    SCORER_RULES.add(ScorerRule("acme.broken", "never", broken))
    try:
        with pytest.raises(
            PluginError, match=r"the scorer rule 'acme\.broken' of this process failed: ZeroDivisionError"
        ):
            compare_arguments({"n": 1}, {"n": 1}, SCHEMA, CONTEXT)
    finally:
        SCORER_RULES.remove("acme.broken")
