"""Inject endpoint faults on demand, to test everything behind them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from random import Random


class Fault(StrEnum):
    """One way in which an endpoint fails."""

    RATE_LIMIT = "rate_limit"
    """429 without ``Retry-After``."""
    RATE_LIMIT_TIMED = "rate_limit_timed"
    """429 with ``Retry-After``."""
    SERVER_ERROR = "server_error"
    """500."""
    TIMEOUT = "timeout"
    """No answer in time."""
    DROPPED = "dropped"
    """The connection breaks."""
    TRUNCATED = "truncated"
    """JSON that ends half-way."""
    EMPTY_CHOICE = "empty_choice"
    """An answer without a choice."""
    REFUSAL = "refusal"
    """The model refuses."""
    INVALID_TOOL = "invalid_tool"
    """A call of an unknown tool."""


@dataclass
class Faults:
    """Which share of requests fails, and how. Drawn from a seed by request and try: the same run fails the same way.

    ``times`` bounds how often one request fails, so that retries can win; None lets it fail for ever.
    """

    share: float = 0.3
    kinds: tuple[Fault, ...] = tuple(Fault)
    seed: int = 0
    times: int | None = 3
    retry_after: float = 1.0
    """Seconds that ``RATE_LIMIT_TIMED`` asks for."""
    seen: dict[str, int] = field(default_factory=dict)
    """Tries by request."""
    counts: dict[Fault, int] = field(default_factory=dict)
    """Faults so far, by kind."""

    def draw(self, request: str) -> Fault | None:
        """Draw the fault of this attempt at a request, if any; ``request`` is its digest."""
        tries = self.seen.get(request, 0)
        self.seen[request] = tries + 1
        rng = Random(f"{self.seed}:{request}:{tries}")
        if rng.random() >= self.share or (self.times is not None and tries >= self.times):
            return None
        fault = rng.choice(self.kinds)
        self.counts[fault] = self.counts.get(fault, 0) + 1
        return fault
