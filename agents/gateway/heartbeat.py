"""Progress messages while model requests are pending: without them, a hanging endpoint shows nothing for minutes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET_SECONDS = 30.0
"""Seconds without an answer, and between two messages of one kind. Most answers take less; a line every half minute is bearable."""


class Heartbeat:
    """Counts what waits, and tells ``note`` of silence and of retries. Without ``note`` it does nothing.

    ``limits`` says how long a try may take, and how many there are.
    """

    def __init__(
        self, note: Callable[[str], None] | None, limits: str, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._note = note
        self._limits = limits
        self._clock = clock
        self._waiting = 0
        self._since = 0.0
        """Time of the last answer, or of the first request to wait since."""
        self._retries = 0
        self._told_retry: float | None = None
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """One request is under way, its tries and pauses included."""
        if self._note is None:
            yield
            return
        if not self._waiting:
            self._since = self._clock()
            self._wind()
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def answered(self) -> None:
        """Record an answer."""
        self._since = self._clock()

    def retried(self, detail: str, tried: int) -> None:
        """Report a failed attempt that will be repeated, at most every ``QUIET_SECONDS``."""
        self._retries += 1
        now = self._clock()
        if self._note is None or (self._told_retry is not None and now - self._told_retry < QUIET_SECONDS):
            return
        self._told_retry = now
        so_far = "" if self._retries == 1 else f"; {self._retries:,} retries so far"
        self._note(f"try {tried} failed ({detail[:200]}), trying again{so_far}")

    def look(self) -> None:
        """Tell of silence, if it is one."""
        quiet = self._clock() - self._since
        if self._note is not None and self._waiting and quiet >= QUIET_SECONDS:
            what = "request waits" if self._waiting == 1 else "requests wait"
            self._note(f"{self._waiting:,} {what}, no answer for {quiet:.0f} s ({self._limits})")

    def _wind(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._ring)

    def _ring(self) -> None:
        self.look()
        self._wind()
