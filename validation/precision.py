"""How often a rule that reads text was right on text that the simulator did not write.

``precision.toml`` holds what ``python -m benchmarks.rules FILE... --write`` measured. A rule may refuse a draft or a
release by reading text only if it was measured precise; until then people see its findings as doubts.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from wildtool.language.spans import SURE

TABLE = Path(__file__).with_name("precision.toml")
"""What was measured."""

ENOUGH = 100
"""Fewest judged findings that tell a precision of 0.99: with fewer, one wrong finding alone leads below it."""


@dataclass(frozen=True)
class Precision:
    """How many findings of a rule were judged, and how many of them were right."""

    judged: int
    right: int
    source: str
    """What the findings were judged on."""

    @property
    def share(self) -> float | None:
        """Right findings among those judged; None where none was."""
        return self.right / self.judged if self.judged else None

    @property
    def certainty(self) -> float:
        """Probability that the next finding is right: the share where it was measured on enough, else by Laplace's rule
        of succession, which gives 0.5 where nothing was judged."""
        return self.right / self.judged if self.suffices else (self.right + 1) / (self.judged + 2)

    @property
    def suffices(self) -> bool:
        """Whether the rule may refuse by reading text."""
        return self.judged >= ENOUGH and self.right >= SURE * self.judged


NONE = Precision(0, 0, "")
"""Of a rule that was never measured."""


@cache
def measured() -> dict[str, Precision]:
    """The table by rule id."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {rule: Precision(row["judged"], row["right"], row["source"]) for rule, row in rows.items()}


def precision_of(rule: str) -> Precision:
    """What was measured of a rule; ``NONE`` where nothing was."""
    return measured().get(rule, NONE)
