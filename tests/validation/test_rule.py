"""What a rule may refuse: by computing, or by reading text once it was measured precise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.release import Outcome
from wildtool.schemas.session import Session, Task
from wildtool.validation import rule
from wildtool.validation.precision import Precision
from wildtool.validation.rule import Finding, Rule, Subject, found, not_judged, release_rule, task_rule


def one(reads_text: bool, certainty: float | None = None) -> Rule:
    @task_rule("one", "nothing is wrong", reads_text=reads_text)
    def find(session: Session, number: int, task: Task) -> Iterator[Finding]:
        if number == 1:
            yield found(0, "wrong", certainty=certainty, evidence={"a": 1})

    return find


def outcome(each: Rule, session: Session) -> tuple[Outcome, float | None]:
    (finding,) = each.run(Subject((session,)))
    assert (finding.session, finding.task, finding.action, finding.evidence) == (session.id, 1, 0, '{"a":1}')
    return each.outcome(finding), finding.certainty


def test_a_rule_that_computes_refuses_what_is_certain(make: Any) -> None:
    assert outcome(one(False), make(1)) == (Outcome.FAIL, 1.0)
    assert outcome(one(False, 0.99), make(1)) == (Outcome.FAIL, 0.99)
    assert outcome(one(False, 0.98), make(1)) == (Outcome.UNKNOWN, 0.98)


@pytest.mark.parametrize(
    ("judged", "right", "expected"),
    [
        (0, 0, (Outcome.UNKNOWN, 0.5)),
        (1, 0, (Outcome.UNKNOWN, 0.3333)),
        (99, 99, (Outcome.UNKNOWN, 0.9901)),  # too few to tell 0.99 from 0.98
        (100, 99, (Outcome.FAIL, 0.99)),
        (100, 98, (Outcome.UNKNOWN, 0.9706)),
        (1000, 1000, (Outcome.FAIL, 1.0)),
    ],
)
def test_a_rule_that_reads_text_refuses_by_its_measured_precision(
    make: Any, monkeypatch: pytest.MonkeyPatch, judged: int, right: int, expected: tuple[Outcome, float]
) -> None:
    monkeypatch.setattr(rule, "precision_of", lambda id: Precision(judged, right, "a test"))
    assert outcome(one(True), make(1)) == expected
    # Even a precise rule may doubt a single finding.
    assert outcome(one(True, 0.6), make(1)) == (Outcome.UNKNOWN, 0.6)


def test_what_cannot_be_judged_is_unknown_however_certain(make: Any) -> None:
    @release_rule("blind", "nothing is wrong", reads_text=False)
    def blind(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
        yield not_judged("the labels are not at hand")

    (finding,) = blind.run(Subject((make(1),)))
    assert blind.outcome(finding) is Outcome.UNKNOWN


def test_a_rule_may_leave_everything_to_people(make: Any) -> None:
    modest = replace(one(False), only_doubts=True)
    assert not modest.may_block and outcome(modest, make(1)) == (Outcome.UNKNOWN, 1.0)
