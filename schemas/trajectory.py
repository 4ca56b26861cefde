"""Trajectories: what a candidate model did on a release."""

from __future__ import annotations

from typing import Any, ClassVar

from wildtool.schemas.base import Identified, JsonObject, Record


class CandidateCall(Record):
    """One call that a candidate made."""

    id: str
    """Tool call id."""
    name: str
    """Name that it called."""
    arguments: JsonObject | None
    """Parsed arguments; None where the text is no JSON object."""
    raw_arguments: str
    """The argument text as it came."""
    observation: Any = None
    """What the referee answered; None where the step did not match."""


class CandidateStep(Record):
    """One assistant message: calls, or text."""

    calls: tuple[CandidateCall, ...] = ()
    """Calls made at once."""
    text: str = ""
    """Text beside or instead of calls."""
    refusal: str = ""
    """What a model says that refuses to answer at all, or why its endpoint gave nothing; there is no text then."""
    latency_seconds: float = 0.0
    """Wall time of the request."""
    prompt_tokens: int = 0
    """As the endpoint reports."""
    completion_tokens: int = 0
    """As the endpoint reports."""
    cost_usd: float | None = None
    """US dollars by the list prices of the run; None where the model has none."""
    sent: tuple[JsonObject, ...] = ()
    """Messages that the candidate got since its step before; with a task's first step, all up to there."""
    message: JsonObject | None = None
    """The assistant message as the endpoint gave it, reasoning included; None of a built-in candidate."""


class TaskTrajectory(Record):
    """What a candidate did in one task."""

    task: int
    """Task, from 0."""
    steps: tuple[CandidateStep, ...]
    """Assistant messages in order."""
    error: str | None = None
    """Set where a request failed for good: the task then counts as failed, and as not done on resume."""


class Trajectory(Identified):
    """What a candidate did in one session."""

    PREFIX: ClassVar[str] = "trj"
    IDENTITY: ClassVar[tuple[str, ...]] = ("release", "candidate", "settings", "session", "trial")

    release: str
    """Version of the release."""
    release_digest: str
    """SHA-256 of the release's manifest."""
    candidate: str
    """Model name, or ``builtin:gold``."""
    settings: JsonObject = {}
    """What shapes the run: base URL without credentials, temperature, history mode."""
    session: str
    """Id of the session."""
    trial: int = 0
    """Number of the trial, from 0."""
    tasks: tuple[TaskTrajectory, ...]
    """One entry a task."""
