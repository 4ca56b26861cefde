"""How benchmarks hand over what they measured: one form of figure, so that a page can be made from data.

Every script of this folder prints tables for people and, with ``--json``, one JSON object that holds ``figures`` in this
form. ``python -m benchmarks.runall`` runs them and writes docs/results/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

LEVEL = 0.05
"""Closer than this to a peer is level: two runs of the same thing differ by as much."""

Better = Literal["less", "more"]


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure and what stands beside it: a limit, a peer's figure, or nothing."""

    what: str
    """What was measured, with its size."""
    ours: float
    unit: str
    """``s``, ``CPU s``, ``MB``, ``share``, ``count``..."""
    beside: str = ""
    """``at most``, ``at least``, or the peer's name; empty where nothing is there to compare with."""
    theirs: float | None = None
    """The limit, or the peer's figure in the same unit; None where it is absent."""
    better: Better = "less"
    absent: str = ""
    """Why the peer's figure is absent."""

    @property
    def ratio(self) -> float | None:
        """Ours by theirs; None where there is nothing to divide by."""
        return self.ours / self.theirs if self.theirs else None

    @property
    def missed(self) -> bool:
        """Whether a limit is broken. Being behind a peer breaks nothing."""
        if self.theirs is None or self.beside not in ("at most", "at least"):
            return False
        return self.ours > self.theirs if self.beside == "at most" else self.ours < self.theirs

    @property
    def verdict(self) -> str:
        """``met``, ``missed``, ``better``, ``worse``, ``level``, ``absent: why``, or ``-``."""
        if self.absent:
            return f"absent: {self.absent}"
        if self.theirs is None:
            return "-"
        if self.beside in ("at most", "at least"):
            return "missed" if self.missed else "met"
        if abs(self.ours - self.theirs) <= LEVEL * abs(self.theirs):
            return "level"
        return "better" if (self.ours < self.theirs) == (self.better == "less") else "worse"


def at_most(what: str, ours: float, unit: str, limit: float) -> Figure:
    """A figure with an upper limit."""
    return Figure(what, ours, unit, "at most", limit)


def at_least(what: str, ours: float, unit: str, limit: float) -> Figure:
    """A figure with a lower limit."""
    return Figure(what, ours, unit, "at least", limit, "more")


def peer(
    what: str, ours: float, unit: str, name: str, theirs: float | None, *, better: Better = "less", absent: str = ""
) -> Figure:
    """A figure beside a peer's; without the peer's, ``absent`` says why."""
    if theirs is None and not absent:
        raise ValueError(f"{what}: say why the figure of {name} is absent")
    return Figure(what, ours, unit, name, theirs, better, absent if theirs is None else "")


def packed(figures: Iterable[Figure]) -> list[dict[str, Any]]:
    """Figures as JSON."""
    return [asdict(each) for each in figures]


def unpacked(rows: Iterable[dict[str, Any]]) -> list[Figure]:
    """Figures from JSON."""
    return [Figure(**row) for row in rows]
