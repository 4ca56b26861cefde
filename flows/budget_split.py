"""Split a run's budgets and rate limits among shards that run at the same time."""

from __future__ import annotations

from typing import Any

from wildtool.flows.settings import SECRETS, RunnerName, Settings

RATES = ("requests_per_minute", "tokens_per_minute")
"""Limits that shards at once share: of the gateway, and of each role's own endpoint."""


class Allowance:
    """Divides the run's limits among its shards, so that together they never pass them.

    Not thread-safe by itself: ``Lanes`` makes shards one at a time, and ``spent`` only ever lowers what is promised.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lanes = settings.workers if settings.runner is RunnerName.DASK else 1
        tokens = settings.gateway.get("budget_tokens")
        self._usd = None if settings.budget_usd is None else _Purse(settings.budget_usd, self._lanes)
        self._tokens = None if tokens is None else _Purse(float(tokens), self._lanes)

    def settings(self) -> Settings:
        """The settings of the next shard: its part of the budgets, rates and requests in flight, and no secret (a
        worker has its own environment; what travels may be logged or spilled to disk)."""
        part: dict[str, Any] = {"in_flight": max(1, self._settings.in_flight // self._lanes), **dict.fromkeys(SECRETS)}
        gateway = _divided(self._settings.gateway, self._lanes)
        if self._usd is not None:
            # 0 would read as no limit; a budget below any price stops at the first call that costs anything.
            part["budget_usd"] = max(self._usd.promise(), 1e-12)
        if self._tokens is not None:
            gateway["budget_tokens"] = max(int(self._tokens.promise()), 1)  # likewise: no call takes one token
        return self._settings.model_copy(update={**part, "gateway": gateway})

    def spent(self, granted: Settings, cost_usd: float, tokens: int) -> None:
        """A shard has finished that was given ``granted``, and took so much."""
        if self._usd is not None and granted.budget_usd is not None:
            self._usd.settle(granted.budget_usd, cost_usd)
        if self._tokens is not None:
            self._tokens.settle(granted.gateway["budget_tokens"], tokens)


class _Purse:
    """A budget of which shards get parts: an even one each while several run, all that is left where one runs."""

    def __init__(self, budget: float, lanes: int) -> None:
        self._left = budget
        self._most = budget / lanes
        self._promised = 0.0

    def promise(self) -> float:
        """The part of the next shard."""
        part = max(0.0, min(self._left - self._promised, self._most))
        self._promised += part
        return part

    def settle(self, promised: float, spent: float) -> None:
        """A shard that was promised so much spent so much."""
        self._left -= spent
        self._promised = max(0.0, self._promised - promised)


def _divided(gateway: dict[str, Any], lanes: int) -> dict[str, Any]:
    """The gateway's settings with every rate divided, those of single roles too."""
    part = {name: value / lanes if name in RATES and _number(value) else value for name, value in gateway.items()}
    if isinstance(roles := gateway.get("roles"), dict):
        part["roles"] = {
            role: _divided(endpoint, lanes) if isinstance(endpoint, dict) else endpoint
            for role, endpoint in roles.items()
        }
    return part


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
