"""Pacing: requests and tokens a minute, and the circuit breaker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from schemas.errors import ModelError

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


@dataclass
class Bucket:
    """A token bucket: ``per_minute`` units flow in evenly, at most a minute's worth is kept. None is no limit."""

    per_minute: float | None
    clock: Clock
    sleep: Sleep
    level: float = field(init=False)
    at: float = field(init=False)

    def __post_init__(self) -> None:
        self.level = self.per_minute or 0.0
        self.at = self.clock()
        self._lock = asyncio.Lock()

    async def take(self, amount: float) -> None:
        """Wait until ``amount`` units are there, and take them; more than a minute's worth waits for a full bucket."""
        if self.per_minute is None:
            return
        amount = min(amount, self.per_minute)
        async with self._lock:
            while True:
                now = self.clock()
                self.level = min(self.per_minute, self.level + (now - self.at) * self.per_minute / 60)
                self.at = now
                if self.level >= amount:
                    self.level -= amount
                    return
                await self.sleep((amount - self.level) * 60 / self.per_minute)


@dataclass
class Breaker:
    """Stops hammering an endpoint that is down.

    After ``failures`` failed requests in a row everything pauses for ``pause`` seconds; after ``trips`` pauses without
    one success between them the run ends with ``ModelError``.
    """

    failures: int
    pause: float
    trips: int
    clock: Clock
    sleep: Sleep
    in_a_row: int = 0
    tripped: int = 0
    closed_at: float = 0.0

    async def gate(self) -> None:
        """Wait while the breaker is open."""
        if self.tripped >= self.trips:
            raise ModelError(
                f"the model endpoint failed {self.failures} times in a row, {self.tripped} times over",
                "check the endpoint and run the same command again: what was paid for is kept",
            )
        while (wait := self.closed_at - self.clock()) > 0:
            await self.sleep(wait)

    def success(self) -> None:
        """A request was answered."""
        self.in_a_row = 0
        self.tripped = 0

    def failure(self) -> None:
        """A request failed."""
        self.in_a_row += 1
        if self.in_a_row >= self.failures:
            self.in_a_row = 0
            self.tripped += 1
            self.closed_at = self.clock() + self.pause
