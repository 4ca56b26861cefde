"""Count the calls, tokens and cost of a run by role and model, and enforce its budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from wildtool.schemas.base import Record
from wildtool.schemas.errors import BudgetError


class Price(Record):
    """US dollars per million tokens."""

    prompt: float
    """Tokens sent."""
    completion: float
    """Tokens received."""

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars of so many tokens."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


PRICES: dict[str, Price] = {
    "gpt-4o": Price(prompt=2.5, completion=10.0),
    "gpt-4o-mini": Price(prompt=0.15, completion=0.6),
}
"""List prices; users replace them in ``GatewaySettings.prices``. Models that are not here count without a price."""

BYTES_PER_TOKEN = 3
"""UTF-8 bytes of JSON a prompt token, to reserve before a call. English has 4 to 5, Chinese about 4, JSON with short
words 3: a reservation must not be too small."""

GUESSED_COMPLETION = 400
"""Completion tokens to reserve before the first answers of a role; then the longest answer that was seen."""


MORE = "raise the budget and run the same command again: what was paid for is kept"


@dataclass
class Entry:
    """Sums of one role on one model."""

    calls: int = 0
    """Requests of ours: cached + answered + failures, and those under way."""
    cached: int = 0
    """Served from the cache, or by an equal request in flight."""
    retries: int = 0
    """Further tries at the endpoint."""
    failures: int = 0
    """Requests without an answer after all tries."""
    refusals: int = 0
    """Answers in which the model refuses."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None as soon as a call had no known price."""
    seconds: float = 0.0
    """Sum of the answers' wall time."""
    faults: Counter[str] = field(default_factory=Counter)
    """Failed tries by ``FailureKind``."""
    longest: int = 0
    """Completion tokens of the longest answer."""


@dataclass
class Ledger:
    """Sums by (role, model), with a budget that is never passed.

    What a call may take is set aside before it goes, so calls in flight never add up to more than the budget.
    """

    prices: Mapping[str, Price]
    budget_usd: float | None = None
    budget_tokens: int | None = None
    discount: float = 1.0
    """Factor on prices: batches cost half."""
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    reserved_usd: float = 0.0
    reserved_tokens: int = 0

    def entry(self, role: str, model: str) -> Entry:
        """Return the entry of a role and model, made on first use."""
        found = self.entries.get((role, model))
        if found is None:
            found = self.entries[role, model] = Entry()
        return found

    def reserve(self, role: str, model: str, prompt_bytes: int, most: int | None = None) -> tuple[float, int]:
        """Set aside what a call may take; ``BudgetError`` where that would pass the budget. Hand it to ``release``.

        ``most`` is the request's own limit on completion tokens, where it has one.
        """
        if self.budget_usd is None and self.budget_tokens is None:
            return 0.0, 0
        prompt = prompt_bytes // BYTES_PER_TOKEN
        completion = most if most is not None else max(GUESSED_COMPLETION, self.entry(role, model).longest)
        usd, tokens = self._cost(model, prompt, completion) or 0.0, prompt + completion
        if self.budget_usd is not None and self.spent() + self.reserved_usd + usd > self.budget_usd:
            raise BudgetError(
                f"the next call could pass the budget of ${self.budget_usd:g} (spent: ${self.spent():.4f})", MORE
            )
        if self.budget_tokens is not None and self.tokens() + self.reserved_tokens + tokens > self.budget_tokens:
            raise BudgetError(
                f"the next call could pass the budget of {self.budget_tokens} tokens (used: {self.tokens()})", MORE
            )
        self.reserved_usd += usd
        self.reserved_tokens += tokens
        return usd, tokens

    def release(self, reserved: tuple[float, int]) -> None:
        """Give back what was set aside, once what the call took is charged."""
        self.reserved_usd -= reserved[0]
        self.reserved_tokens -= reserved[1]

    def charge(self, role: str, model: str, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """Count one request that was paid for."""
        entry = self.entry(role, model)
        entry.prompt_tokens += prompt_tokens
        entry.completion_tokens += completion_tokens
        entry.longest = max(entry.longest, completion_tokens)
        entry.seconds += seconds
        cost = self._cost(model, prompt_tokens, completion_tokens)
        entry.cost = None if cost is None or entry.cost is None else entry.cost + cost

    def _cost(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        price = self.prices.get(model)
        return None if price is None else price.of(prompt_tokens, completion_tokens) * self.discount

    def spent(self) -> float:
        """US dollars of all calls with a known price."""
        return sum(entry.cost or 0.0 for entry in self.entries.values())

    def unpriced(self) -> list[str]:
        """Models whose calls were counted without a price, sorted."""
        return sorted({model for (_, model), entry in self.entries.items() if entry.cost is None})

    def tokens(self) -> int:
        """Tokens of all calls, both directions."""
        return sum(entry.prompt_tokens + entry.completion_tokens for entry in self.entries.values())

    def to_json(self) -> list[dict[str, Any]]:
        """One object a role and model, sorted."""
        return [
            {"role": role, "model": model, **asdict(entry), "faults": dict(sorted(entry.faults.items()))}
            for (role, model), entry in sorted(self.entries.items())
        ]
