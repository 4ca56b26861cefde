"""Running rules: verdicts on drafts, results on releases, and how many findings of what kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.validation.checked_drafts import draft, with_arguments, with_task
from wildtool.agents import DraftChecks
from wildtool.agents.drafting.checks import failures
from wildtool.schemas.release import GateCounts, Outcome
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import TaskType
from wildtool.validation.registry import RULES
from wildtool.validation.rule import Finding, found, session_rule
from wildtool.validation.running import DraftRules, ReleaseRules
from wildtool.warehouse.release.rules import ReleaseRules as Judge

CHECKS: DraftChecks = DraftRules.of(RULES)
"""What validation offers is what drafting wants: mypy says so."""

JUDGE: Judge = ReleaseRules.of(RULES)


def test_a_doubt_of_a_rule_that_reads_text_sends_no_draft_back() -> None:
    invented = with_arguments(draft(), 0, 0, city="Hamburg")
    verdicts = [v for v in CHECKS(invented) if v.check == "grounding"]
    assert verdicts and not failures(verdicts, CHECKS)


def test_what_a_rule_computes_sends_a_draft_back() -> None:
    other = with_task(draft(), 3, type=TaskType.SINGLE)
    assert {v.check for v in failures(CHECKS(other), CHECKS)} == {"type", "shape"}


def test_rules_of_whole_releases_judge_no_draft_and_plans_no_release() -> None:
    assert "near_equal" not in CHECKS.ids and "shape" in CHECKS.ids
    assert "shape" not in JUDGE.ids - {"shape"} and "shape" not in [r.gate for r in ReleaseRules.of(RULES)([])]
    assert CHECKS.blocking < set(CHECKS.ids)


@session_rule("sure", "x", reads_text=False)
def sure(session: Session) -> Iterator[Finding]:
    yield found(None, "wrong")


@session_rule("unsure", "x", reads_text=True)
def unsure(session: Session) -> Iterator[Finding]:
    yield found(None, "odd")


@session_rule("silent", "x", reads_text=True)
def silent(session: Session) -> Iterator[Finding]:
    yield from ()


def test_results_say_pass_fail_or_unknown(make: Any) -> None:
    rules = ReleaseRules((sure, unsure, silent))
    results = rules([make(1), make(2)])
    assert [result.outcome for result in results] == [Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS]
    assert [result.ok for result in results] == [False, True, True]
    assert str(GateCounts.of(results)) == "2 gates passed, 1 failed, 0 allowed, 2 doubts"
    let_pass = rules([make(1)], allow={"sure"})
    assert str(GateCounts.of(let_pass)) == "2 gates passed, 1 allowed, 1 doubts"


def test_a_flood_of_findings_is_cut_only_where_it_is_kept(make: Any) -> None:
    (result,) = ReleaseRules((sure,))([make(number) for number in range(500)])
    assert len(result.failures) == result.failed == 500
    kept = result.shortened()
    assert len(kept.failures) == 201 and kept.failures[-1].reason == "and 300 more failures" and kept.failed == 500


def test_a_part_names_no_session_of_another(make: Any) -> None:
    one, two = make(1), make(2)
    (result,) = ReleaseRules((unsure,))([one, two])
    part = result.of_sessions({one.id})
    assert [finding.session for finding in part.doubts] == [one.id] and part.doubted == 1
