"""What the shards of a stage may spend: limits are given for the run, and several shards may run at once."""

from __future__ import annotations

from typing import Any

from flows.settings import SECRETS, RunnerName, Settings

RATES = frozenset({"requests_per_minute", "tokens_per_minute"})
"""Limits of the gateway that shards at once share."""


class Allowance:
    """Divides the run's limits among its shards, so that together they never pass them.

    Not thread-safe by itself: ``Lanes`` makes shards one at a time, and ``spent`` only ever lowers what is promised.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lanes = settings.workers if settings.runner is RunnerName.DASK else 1
        self._promised = 0.0
        self._spent = 0.0

    def settings(self) -> Settings:
        """The settings of the next shard: its part of the budget and of the requests in flight, and no secret (a
        worker has its own environment; what travels may be logged or spilled to disk)."""
        part: dict[str, Any] = {"in_flight": max(1, self._settings.in_flight // self._lanes), **dict.fromkeys(SECRETS)}
        if self._lanes > 1 and (
            rates := {name: self._settings.gateway[name] for name in RATES & set(self._settings.gateway)}
        ):
            gateway = {name: rate / self._lanes for name, rate in rates.items() if isinstance(rate, (int, float))}
            part["gateway"] = {**self._settings.gateway, **gateway}
        if self._settings.budget_usd is not None:
            left = self._settings.budget_usd - self._spent - self._promised
            share = left if self._lanes == 1 else min(left, self._settings.budget_usd / self._lanes)
            # 0 would read as no limit; a budget below any price stops at the first call that costs anything.
            part["budget_usd"] = max(share, 1e-12)
            self._promised += share
        return self._settings.model_copy(update=part)

    def spent(self, granted: Settings, cost_usd: float) -> None:
        """A shard has finished that was given ``granted``, and cost so much."""
        self._spent += cost_usd
        if granted.budget_usd is not None:
            self._promised = max(0.0, self._promised - granted.budget_usd)
