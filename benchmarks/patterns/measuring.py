"""How the time of a pattern grows with its text, and whether that can be trusted."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product

from benchmarks.patterns.attacks import Attack, attacks
from benchmarks.patterns.ours import HELD, SEARCHED, Ours

SIZE = 4000
"""Characters of the texts."""
SLOW_SECONDS = 0.0003
"""A pattern that begins anew at each of 4,000 characters and goes on to the end takes 8 million
steps, of a nanosecond at the least; a linear one is mostly far below, and else its growth tells."""
GROWTH = 8.0
"""Four times the text: a linear pattern takes 4 times as long, a square one 16 times."""
HOPELESS_SECONDS = 1.0
"""Of processor time for one text, after which a search is broken off: what doubles with each character never ends."""
TRIES = 5
"""Measurements of which the shortest counts: another process can make one longer, none can make it shorter."""

ENDS = ("", "\x00", "a")
"""What follows: most patterns cannot match it, and go back."""


@dataclass(frozen=True)
class Found:
    """One pattern and the text that was slowest."""

    where: str
    """Module."""
    pattern: str
    flags: int
    slowest_ms: float
    growth: float
    """How many times as long a text of four times the size takes; 0 where that was too short to tell, or broken off."""
    linear: bool
    attack: str
    """Its beginning."""


class _Hopeless(Exception):
    """A search was broken off."""


def _give_up(*_: object) -> None:
    raise _Hopeless


_WAYS: dict[str, Callable[[re.Pattern[str], str], object]] = {
    SEARCHED: lambda compiled, text: sum(1 for _ in compiled.finditer(text)),
    HELD: lambda compiled, text: compiled.fullmatch(text),
}


def measure(ours: Ours) -> Found:
    """The slowest text of a pattern. In the main thread alone: searches are broken off by a signal."""
    compiled = re.compile(ours.pattern, ours.flags)
    worst: Found | None = None
    with _breaking_off():
        for prefix, unit in attacks(ours.pattern, ours.flags):
            for end, way in product(ENDS, sorted(ours.ways)):
                found = _try(compiled, ours, Attack(prefix, unit, end), _WAYS[way])
                if worst is None or (found.linear, -found.slowest_ms) < (worst.linear, -worst.slowest_ms):
                    worst = found
            if worst is not None and not worst.linear:
                break
    assert worst is not None
    return worst


@contextmanager
def _breaking_off() -> Iterator[None]:
    before = signal.signal(signal.SIGVTALRM, _give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _try(compiled: re.Pattern[str], ours: Ours, attack: Attack, way: Callable[..., object]) -> Found:
    """What is slow is measured again beside a text of a quarter, and what looks bad then on one four times as long."""
    growth = 0.0
    seconds = _time(compiled, attack.text(SIZE), way)
    if seconds is not None and seconds > SLOW_SECONDS:
        seconds, growth = _confirmed(compiled, attack, way, (SIZE // 4, SIZE))
        if seconds is not None and seconds > SLOW_SECONDS and growth > GROWTH:
            longer, growth = _confirmed(compiled, attack, way, (SIZE, SIZE * 4))
            seconds = longer and seconds
    slowest = HOPELESS_SECONDS if seconds is None else seconds
    linear = seconds is not None and not (seconds > SLOW_SECONDS and growth > GROWTH)
    return Found(ours.where, ours.pattern, ours.flags, round(slowest * 1000, 2), round(growth, 1), linear, attack.shown)


def _confirmed(
    compiled: re.Pattern[str], attack: Attack, way: Callable[..., object], sizes: Sequence[int]
) -> tuple[float | None, float]:
    """Seconds for the longer text (None: broken off), how many times the shorter one's; the least of several tries."""
    least: list[float] = [HOPELESS_SECONDS, HOPELESS_SECONDS]
    for _ in range(TRIES):
        for n, size in enumerate(sizes):
            seconds = _time(compiled, attack.text(size), way)
            if seconds is None:
                return None, 0.0
            least[n] = min(least[n], seconds)
    return least[1], least[1] / max(least[0], 1e-9)


def _time(compiled: re.Pattern[str], text: str, way: Callable[..., object]) -> float | None:
    """Seconds of processor time; None for a search that had to be broken off."""
    began = time.thread_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, HOPELESS_SECONDS)
    try:
        way(compiled, text)
    except _Hopeless:
        return None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.thread_time() - began


CONTROLS = ((r"(?:a|a)*b", False), (r"(a+)+$", False), (r"\s+$", False), (r"[a-z]+(?:-[a-z]+)+", False), (r"\s*\)", False),
            (r"\ba+b", True), (r"(?<!\s)\s+$", True), (r"a{1,9}b", True))  # fmt: skip
"""Patterns of which it is known whether they are linear: measuring that is wrong about one of them is worth nothing."""


def check_measuring() -> None:
    """Measure what is known; a ``SystemExit`` where it comes out wrong."""
    for pattern, linear in CONTROLS:
        if measure(Ours("", pattern, 0)).linear is not linear:
            raise SystemExit(f"error: measuring is wrong about {pattern!r}, which is {'' if linear else 'not '}linear")
