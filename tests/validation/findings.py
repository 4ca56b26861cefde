"""What rules find in sessions, by rule; and planted defects as cases for tests."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from tests.validation import rich_cases, small_cases
from tests.warehouse.conftest import make_session
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.release import GateResult
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language
from wildtool.validation.registry import RULES
from wildtool.validation.running import ReleaseRules

QUIET = frozenset({"answer", "untold"})
"""Rules that judge the wording of final answers, which most sessions of these tests leave out or cut short."""

JUDGE = ReleaseRules.of(RULES)


def results(sessions: Sequence[Session], context: ReleaseContext | None = None) -> dict[str, GateResult]:
    """The result of each rule."""
    return {result.gate: result for result in JUDGE(sessions, context)}


def found(
    sessions: Sequence[Session], context: ReleaseContext | None = None, *, quiet: Collection[str] = QUIET
) -> dict[str, list[str]]:
    """Reasons by rule, of failures and doubts alike; without the rules that are to be ``quiet``."""
    return {
        rule: [one.reason for one in (*result.failures, *result.doubts)]
        for rule, result in results(sessions, context).items()
        if (result.failures or result.doubts) and rule not in quiet
    }


@dataclass(frozen=True)
class Case:
    """A session with one planted defect, and the rule that is meant to find it."""

    rule: str
    session: Session
    words: str = ""
    """Part of the reason."""

    def check(self) -> None:
        """The rule finds it; it refuses the session only if it may."""
        result = results([self.session])[self.rule]
        reasons = [one.reason for one in (*result.failures, *result.doubts)]
        assert any(self.words in reason for reason in reasons), found([self.session])
        rule = next(rule for rule in RULES if rule.id == self.rule)
        assert rule.may_block or not result.failures


def cases(*rules: str) -> Any:
    """The planted defects of these rules, as a parametrisation of a test with the argument ``case``."""
    made = [
        pytest.param(
            Case(rule, small_cases.changed(make_session(3, language), edit), words),
            id=f"{rule}-{words[:24]}-{language}",
        )
        for rule, words, edit in small_cases.DEFECTS
        for language in Language
        if rule in rules
    ]
    made += [
        pytest.param(Case(rule, rich_cases.edited(name, edit)), id=f"{rule}-{name}-{number}")
        for number, (rule, name, edit) in enumerate(rich_cases.DEFECTS)
        if rule in rules
    ]
    assert {param.values[0].rule for param in made} == set(rules), "each rule has a planted defect"
    return pytest.mark.parametrize("case", made)


def planted() -> frozenset[str]:
    """Rules with a planted defect."""
    return frozenset(rule for rule, *_ in (*small_cases.DEFECTS, *rich_cases.DEFECTS))
