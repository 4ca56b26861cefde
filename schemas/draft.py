"""Drafts: sessions as the agents wrote them, with the checkers' verdicts and the trace."""

from __future__ import annotations

from typing import ClassVar, Literal

from wildtool.schemas.base import Identified, JsonObject, Record
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language


class Verdict(Record):
    """What one check says of a draft, a task or an action."""

    check: str
    """Id of the check."""
    ok: bool
    """False: the check doubts it."""
    reason: str = ""
    """One line for the annotator: "``cityId`` is found nowhere before this turn"."""
    evidence: str = ""
    """What the check looked at."""
    task: int | None = None
    """Task, from 0; None for the session."""
    action: int | None = None
    """Action of the task; None for the task."""
    confidence: float = 1.0
    """0 to 1; of a committee the share of its majority."""
    by: Literal["rule", "model"] = "rule"
    """Who says so."""

    @property
    def doubtful(self) -> bool:
        """Whether a person shall look: the check failed, or the checkers of a committee disagree."""
        return not self.ok or (self.by == "model" and self.confidence < 1.0)


class ModelCall(Record):
    """One model call of the trace."""

    role: str
    """Agent role."""
    model: str
    """Model name."""
    prompt: str
    """Name of the prompt file."""
    task: int
    """Task, from 0."""
    attempt: int = 0
    """0, or the number of the repair."""
    request: JsonObject
    """The request body."""
    response: JsonObject
    """The response's message."""
    prompt_tokens: int = 0
    """As the endpoint reports."""
    completion_tokens: int = 0
    """As the endpoint reports."""
    cached: bool = False
    """True if the response came from the cache."""


class Draft(Identified):
    """A session as the agents wrote it, before any human saw it. One draft a plan."""

    PREFIX: ClassVar[str] = "drf"
    IDENTITY: ClassVar[tuple[str, ...]] = ("plan", "session")

    plan: SessionPlan
    """What it should be."""
    session: Session
    """What it is."""
    verdicts: tuple[Verdict, ...]
    """Failed checks, and passed ones of models; open ones are shown to annotators."""
    trace: tuple[ModelCall, ...] = ()
    """All model calls, in order."""
    offline: bool
    """True if the offline simulator wrote it."""
    repairs: int = 0
    """Repairs that it took."""


class PassCount(Record):
    """How often a check was passed."""

    tries: int
    """Tries that were judged."""
    passed: int
    """Of them, passed."""
    first_tries: int
    """First tries that were judged, before any repair."""
    first_passed: int
    """Of them, passed: what the prompts are worth without repair."""


class RoleUsage(Record):
    """What a role's requests took, answers from the cache included."""

    calls: int
    """Requests."""
    prompt_tokens: int
    """As the endpoint reports."""
    completion_tokens: int
    """As the endpoint reports."""
    seconds: float = 0.0
    """Sum of their wall time; 0 where nothing is known."""

    def plus(self, other: RoleUsage) -> RoleUsage:
        """Both together."""
        return RoleUsage(**{name: getattr(self, name) + getattr(other, name) for name in RoleUsage.model_fields})

    def times(self, factor: float) -> RoleUsage:
        """So many times as much, in whole calls and tokens."""
        return RoleUsage(
            calls=round(self.calls * factor),
            prompt_tokens=round(self.prompt_tokens * factor),
            completion_tokens=round(self.completion_tokens * factor),
            seconds=self.seconds * factor,
        )


class DraftTally(Record):
    """How a plan's drafting went, check by check; kept beside the draft, also where there is none."""

    plan: str
    """Id of the plan."""
    language: Language
    """Its language."""
    model: str
    """Model of the assistant."""
    prompts: str
    """Version of the language's prompts: a digest of all their files."""
    drafted: bool
    """False: it went to quarantine."""
    committee: int = 1
    """Model checkers that read each task."""
    repairs: int
    """Tries beyond the first of each task."""
    checks: dict[str, PassCount]
    """By id of the check. ``usable`` is passed by a try that gave a task at all, ``<role>.json`` by an answer that was the
    JSON wanted, ``review`` by a task that the committee of model checkers found right."""
    usage: dict[str, RoleUsage] = {}
    """By agent role, what the session took: a later run is forecast from it."""
