"""Runs rules: on a draft, as verdicts; on a release, as results that a manifest keeps."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.release import GateFailure, GateResult, Outcome
from wildtool.schemas.session import Session
from wildtool.validation.registry import all_rules, allowed, known_ids, of_drafts, of_releases
from wildtool.validation.rule import Finding, Rule, Subject


@dataclass(frozen=True)
class DraftRules:
    """Rules as the drafting loop takes them."""

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, rules: Sequence[Rule] | None = None) -> DraftRules:
        """Those of the given rules (default: all) that can judge a draft."""
        return cls(of_drafts(all_rules() if rules is None else rules))

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids that verdicts may carry."""
        return tuple(rule.id for rule in self.rules)

    @property
    def blocking(self) -> frozenset[str]:
        """Ids of rules whose certain verdicts send a draft back."""
        return frozenset(rule.id for rule in self.rules if rule.may_block)

    def __call__(self, draft: Draft) -> tuple[Verdict, ...]:
        """Everything the rules find in a draft, most certain first within a rule; empty for a flawless one."""
        subject = Subject((draft.session,), draft=draft)
        return tuple(
            verdict
            for rule in self.rules
            for verdict in sorted((_verdict(rule, one) for one in rule.run(subject)), key=lambda v: -v.confidence)
        )


def _verdict(rule: Rule, finding: Finding) -> Verdict:
    return Verdict(
        check=rule.id,
        ok=False,
        reason=finding.reason,
        evidence=finding.evidence,
        task=finding.task,
        action=finding.action,
        confidence=finding.certainty or 0.0,
        by="rule",
    )


@dataclass(frozen=True)
class ReleaseRules:
    """Rules as freezing and verifying take them."""

    rules: tuple[Rule, ...]

    @classmethod
    def of(cls, rules: Sequence[Rule] | None = None) -> ReleaseRules:
        """Those of the given rules (default: all) that can judge a release."""
        return cls(of_releases(all_rules() if rules is None else rules))

    @property
    def ids(self) -> frozenset[str]:
        """Every id that ``allow`` takes."""
        return known_ids(self.rules)

    def __call__(
        self, sessions: Sequence[Session], context: ReleaseContext | None = None, allow: Collection[str] = ()
    ) -> tuple[GateResult, ...]:
        """The result of each rule, in order, with all its findings; ``checked`` counts sessions.

        Raises ``InputError`` where ``allow`` names no rule.
        """
        let_pass = allowed(self.rules, allow)
        subject = Subject(sessions, context or ReleaseContext())
        return tuple(_result(rule, subject, rule.id in let_pass) for rule in self.rules)


def _result(rule: Rule, subject: Subject, let_pass: bool) -> GateResult:
    failures: list[GateFailure] = []
    doubts: list[GateFailure] = []
    reasons: list[str] = []
    for one in rule.run(subject):
        if not one.judged:
            reasons.append(one.reason)
            continue
        (failures if rule.outcome(one) is Outcome.FAIL else doubts).append(_place(one))
    return GateResult(
        gate=rule.id,
        title=rule.title,
        checked=len(subject.sessions),
        failures=tuple(failures),
        failed=len(failures),
        allowed=let_pass,
        doubts=tuple(doubts),
        doubted=len(doubts),
        unknown="; ".join(reasons),
    )


def _place(finding: Finding) -> GateFailure:
    return GateFailure(
        session=finding.session,
        task=finding.task,
        action=finding.action,
        reason=finding.reason,
        evidence=finding.evidence,
        certainty=finding.certainty or 0.0,
    )
