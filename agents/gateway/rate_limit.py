"""Pace requests: limits on requests and tokens a minute, waits that an endpoint asks for, circuit breaker."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from wildtool.schemas.errors import StoppedError

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


@dataclass
class Bucket:
    """A token bucket: ``per_minute`` units flow in evenly, at most a minute's worth is kept. None: unlimited."""

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
                # A float's dust must not make a sleep of 1e-12 s that never ends.
                if self.level >= amount - 1e-9:
                    self.level = max(0.0, self.level - amount)
                    return
                await self.sleep((amount - self.level) * 60 / self.per_minute)


@dataclass
class Breaker:
    """Stops hammering an endpoint that is down, and one that asks for a pause.

    After ``failures`` failed requests in a row the breaker opens: everything waits for ``pause`` seconds. Then it is
    half open: one request goes as a probe and the others wait for it. Its answer closes the breaker, its failure opens
    it again; after ``trips`` openings without one answer between them the run ends with ``StoppedError``.
    """

    failures: int
    pause: float
    trips: int
    clock: Clock
    sleep: Sleep
    in_a_row: int = 0
    tripped: int = 0
    paused_until: float = 0.0
    _era: int = 0
    _probing: asyncio.Event | None = None

    @property
    def is_open(self) -> bool:
        """No request was answered since the breaker tripped."""
        return self.tripped > 0

    async def gate(self) -> int:
        """Return when a request may go; its outcome must be reported with the number that this gives.

        In the half open state one caller gets through. Numbers tell apart what was sent before the breaker opened, and
        says nothing new, from the probe.
        """
        while True:
            if self.tripped >= self.trips:
                raise StoppedError(
                    f"the model endpoint failed {self.failures} times in a row, and its probes after that",
                    "check the endpoint and run the same command again: what was paid for is kept",
                )
            if (wait := self.paused_until - self.clock()) > 0:
                await self.sleep(wait)
            elif not self.is_open:
                return self._era
            elif self._probing is None:
                self._probing = asyncio.Event()
                return self._era
            else:
                await self._probing.wait()

    def hold(self, seconds: float) -> None:
        """Let nothing go for some seconds, since the endpoint said so (``Retry-After``)."""
        self.paused_until = max(self.paused_until, self.clock() + seconds)

    def success(self) -> None:
        """Record an answer: the endpoint works."""
        self.in_a_row = 0
        self.tripped = 0
        self._release()

    def failure(self, era: int) -> None:
        """Record a failure that speaks against the endpoint."""
        if era != self._era:
            return
        self.in_a_row += 1
        if self.is_open or self.in_a_row >= self.failures:
            self.in_a_row = 0
            self.tripped += 1
            self._era += 1
            self.hold(self.pause)
        self._release()

    def neither(self, era: int) -> None:
        """Record a request that ended without telling whether the endpoint works: if it was the probe, the next one is."""
        if era == self._era:
            self._release()

    def _release(self) -> None:
        if self._probing is not None:
            self._probing.set()
            self._probing = None
