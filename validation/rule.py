"""The parts every rule is made of: what it looks at, what it finds, and whether it may refuse.

A rule is a function that yields a finding for each fault, wrapped by one of ``task_rule``, ``session_rule``,
``draft_rule`` and ``release_rule``, and listed in ``registry``. It never yields anything for what is right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from wildtool.language.spans import SURE
from wildtool.schemas.base import canonical_json
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.draft import Draft
from wildtool.schemas.release import Outcome
from wildtool.schemas.session import Session, Task
from wildtool.validation.precision import NONE, Precision, precision_of

CERTAIN = 1.0
"""Certainty of a finding that was computed."""

EVIDENCE_SIZE = 300
"""Characters of evidence that a finding keeps."""


class LooksAt(StrEnum):
    """What a rule judges at once."""

    TASK = "task"
    """One task, with the tasks before it."""
    SESSION = "session"
    """One session."""
    DRAFT = "draft"
    """One draft: a session beside its plan."""
    RELEASE = "release"
    """All sessions of a release together."""


@dataclass(frozen=True)
class Finding:
    """One place where a rule found something, or could not judge."""

    reason: str
    """One line."""
    session: str = ""
    """Id of the session; empty for the whole release."""
    task: int | None = None
    """Task, from 0."""
    action: int | None = None
    """Action of the task."""
    evidence: str = ""
    """What the rule looked at."""
    certainty: float | None = None
    """Probability, in [0, 1], that the finding is right; None until the rule fills in its own."""
    judged: bool = True
    """False: the rule lacked what it needs to judge."""


def found(
    action: int | None, reason: str, *, task: int | None = None, certainty: float | None = None, evidence: Any = ""
) -> Finding:
    """A finding at an action of what the rule looks at; ``evidence`` may be any JSON."""
    text = evidence if isinstance(evidence, str) else canonical_json(evidence)
    return Finding(reason, task=task, action=action, certainty=certainty, evidence=text[:EVIDENCE_SIZE])


def in_session(session: Session, reason: str, task: int | None = None, action: int | None = None) -> Finding:
    """A finding of a rule that looks at a whole release, at a place of one session."""
    return Finding(reason, session=session.id, task=task, action=action)


def not_judged(reason: str) -> Finding:
    """Says why a rule could not judge."""
    return Finding(reason, judged=False)


@dataclass(frozen=True)
class Subject:
    """What rules are run on: sessions and what is known beside them; a draft where there is one."""

    sessions: Sequence[Session]
    context: ReleaseContext = field(default_factory=ReleaseContext)
    draft: Draft | None = None


@dataclass(frozen=True)
class Rule:
    """One condition that sessions must meet."""

    id: str
    """Short name, as ``--allow`` takes it and verdicts and manifests carry it."""
    title: str
    """What must be true, in a few words."""
    looks_at: LooksAt
    """What it judges at once."""
    reads_text: bool
    """True if a finding rests on the meaning of words; False if it is computed from records."""
    find: Callable[[Subject], Iterator[Finding]]
    """Yields each fault."""
    only_doubts: bool = False
    """True if none of its findings is certain enough to refuse anything."""
    aliases: tuple[str, ...] = ()
    """Ids of earlier versions whose judgement this rule holds, so that ``--allow`` and old manifests go on working."""

    @property
    def precision(self) -> Precision:
        """What was measured of it; nothing for a rule that computes."""
        return precision_of(self.id) if self.reads_text else NONE

    @property
    def may_block(self) -> bool:
        """Whether its certain findings refuse a draft or a release."""
        return not self.only_doubts and (not self.reads_text or self.precision.suffices)

    def outcome(self, finding: Finding) -> Outcome:
        """Fail where the finding refuses, else unknown: people decide."""
        certain = finding.judged and (finding.certainty or 0.0) >= SURE
        return Outcome.FAIL if certain and self.may_block else Outcome.UNKNOWN

    def run(self, subject: Subject) -> tuple[Finding, ...]:
        """All findings, each with a certainty: its own, else that of the rule."""
        usual = self.precision.certainty if self.reads_text else CERTAIN
        return tuple(
            one if one.certainty is not None else replace(one, certainty=round(usual, 4)) for one in self.find(subject)
        )


TaskFinder = Callable[[Session, int, Task], Iterable[Finding]]
SessionFinder = Callable[[Session], Iterable[Finding]]
DraftFinder = Callable[[Draft], Iterable[Finding]]
ReleaseFinder = Callable[[Sequence[Session], ReleaseContext], Iterable[Finding]]


def task_rule(
    id: str, title: str, *, reads_text: bool, only_doubts: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[TaskFinder], Rule]:
    """Make a rule of a function that judges one task of a session."""

    def make(find: TaskFinder) -> Rule:
        def over_all(subject: Subject) -> Iterator[Finding]:
            for session in subject.sessions:
                for number, task in enumerate(session.tasks):
                    for one in find(session, number, task):
                        yield replace(one, session=session.id, task=number)

        return Rule(id, title, LooksAt.TASK, reads_text, over_all, only_doubts, aliases)

    return make


def session_rule(
    id: str, title: str, *, reads_text: bool, only_doubts: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[SessionFinder], Rule]:
    """Make a rule of a function that judges one session."""

    def make(find: SessionFinder) -> Rule:
        def over_all(subject: Subject) -> Iterator[Finding]:
            for session in subject.sessions:
                for one in find(session):
                    yield replace(one, session=session.id)

        return Rule(id, title, LooksAt.SESSION, reads_text, over_all, only_doubts, aliases)

    return make


def draft_rule(
    id: str, title: str, *, reads_text: bool, only_doubts: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[DraftFinder], Rule]:
    """Make a rule of a function that judges a draft beside its plan."""

    def make(find: DraftFinder) -> Rule:
        def of_draft(subject: Subject) -> Iterator[Finding]:
            if subject.draft is not None:
                for one in find(subject.draft):
                    yield replace(one, session=subject.draft.session.id)

        return Rule(id, title, LooksAt.DRAFT, reads_text, of_draft, only_doubts, aliases)

    return make


def release_rule(
    id: str, title: str, *, reads_text: bool, only_doubts: bool = False, aliases: tuple[str, ...] = ()
) -> Callable[[ReleaseFinder], Rule]:
    """Make a rule of a function that judges all sessions of a release together."""

    def make(find: ReleaseFinder) -> Rule:
        def of_release(subject: Subject) -> Iterator[Finding]:
            yield from find(subject.sessions, subject.context)

        return Rule(id, title, LooksAt.RELEASE, reads_text, of_release, only_doubts, aliases)

    return make
