"""Drafts: sessions as the agents wrote them, with the checkers' verdicts and the trace."""

from __future__ import annotations

from typing import ClassVar, Literal

from schemas.base import Identified, JsonObject, Record
from schemas.plan import SessionPlan
from schemas.session import Session


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
