"""What the model calls of a run took: counts, tokens and money, by role and model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from schemas.base import Record
from schemas.errors import BudgetError


class Price(Record):
    """US dollars per million tokens."""

    prompt: float
    """Tokens sent."""
    completion: float
    """Tokens received."""


PRICES: dict[str, Price] = {
    "gpt-4o": Price(prompt=2.5, completion=10.0),
    "gpt-4o-mini": Price(prompt=0.15, completion=0.6),
}
"""List prices; users replace them in ``GatewaySettings.prices``. Models that are not here count without a price."""

_GUESSED_COMPLETION = 400
"""Completion tokens to reserve before a call; drafting calls seldom pass it."""


@dataclass
class Entry:
    """Sums of one role on one model."""

    calls: int = 0
    cached: int = 0
    retries: int = 0
    failures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0
    """US dollars; None as soon as a call had no known price."""
    seconds: float = 0.0


@dataclass
class Ledger:
    """Sums by (role, model), with a budget that is never passed.

    ``budget`` is in US dollars, ``token_budget`` in tokens of both directions; None is no limit.
    """

    prices: Mapping[str, Price]
    budget: float | None = None
    token_budget: int | None = None
    entries: dict[tuple[str, str], Entry] = field(default_factory=dict)
    reserved_cost: float = 0.0
    reserved_tokens: int = 0

    def entry(self, role: str, model: str) -> Entry:
        """The entry of a role and model, made on first use."""
        return self.entries.setdefault((role, model), Entry())

    def reserve(self, model: str, prompt_characters: int) -> tuple[float, int]:
        """Set aside what a call may take; ``BudgetError`` where that would pass the budget. Hand it to ``release``."""
        tokens = prompt_characters // 4 + _GUESSED_COMPLETION
        price = self.prices.get(model)
        cost = 0.0 if price is None else _cost(price, prompt_characters // 4, _GUESSED_COMPLETION)
        if self.budget is not None and self.spent() + self.reserved_cost + cost > self.budget:
            raise BudgetError(
                f"the next call could pass the budget of ${self.budget:.2f} (spent ${self.spent():.4f})",
                "raise the budget and run the same command again: what was paid for is kept",
            )
        used = self.tokens() + self.reserved_tokens + tokens
        if self.token_budget is not None and used > self.token_budget:
            raise BudgetError(
                f"the next call could pass the budget of {self.token_budget} tokens (used {self.tokens()})",
                "raise the budget and run the same command again: what was paid for is kept",
            )
        self.reserved_cost += cost
        self.reserved_tokens += tokens
        return cost, tokens

    def release(self, reserved: tuple[float, int]) -> None:
        """Give back what ``reserve`` set aside."""
        self.reserved_cost -= reserved[0]
        self.reserved_tokens -= reserved[1]

    def charge(self, role: str, model: str, prompt_tokens: int, completion_tokens: int, seconds: float) -> None:
        """Count one answered request."""
        entry = self.entry(role, model)
        entry.prompt_tokens += prompt_tokens
        entry.completion_tokens += completion_tokens
        entry.seconds += seconds
        price = self.prices.get(model)
        if price is None:
            entry.cost = None
        elif entry.cost is not None:
            entry.cost += _cost(price, prompt_tokens, completion_tokens)

    def spent(self) -> float:
        """US dollars of all calls with a known price."""
        return sum(entry.cost or 0.0 for entry in self.entries.values())

    def tokens(self) -> int:
        """Tokens of all calls, both directions."""
        return sum(entry.prompt_tokens + entry.completion_tokens for entry in self.entries.values())

    def to_json(self) -> list[dict[str, Any]]:
        """One object a role and model, sorted."""
        return [{"role": role, "model": model, **asdict(e)} for (role, model), e in sorted(self.entries.items())]


def _cost(price: Price, prompt: int, completion: int) -> float:
    return (prompt * price.prompt + completion * price.completion) / 1_000_000
