"""The result of reading text: spans, each with every reading it may have and how certain each is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

T = TypeVar("T")

SURE = 0.99
"""Least certainty at which a reading may block or decide anything. Below it, a reading is a doubt that people see."""


class Kind(StrEnum):
    """What a span of text denotes."""

    NUMBER = "number"
    QUANTITY = "quantity"
    DATE = "date"
    ORDINAL = "ordinal"
    SUPERLATIVE = "superlative"
    POINTER = "pointer"
    QUESTION = "question"


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """One thing that a span may mean."""

    value: T
    certainty: float
    """Probability that this reading is the intended one, in [0, 1]; calibrated on foreign text (docs/results)."""


@dataclass(frozen=True, slots=True)
class Span(Generic[T]):
    """A stretch of the text and its readings, the most certain first."""

    kind: Kind
    start: int
    """Offset of the first character in the text as given (never in a folded copy)."""
    end: int
    """Offset after the last character."""
    text: str
    readings: tuple[Reading[T], ...]
    ambiguous: bool = False
    """True where a careful listener would ask back: no reading is preferred, whatever the certainties say."""

    @property
    def best(self) -> Reading[T]:
        """The most certain reading."""
        return self.readings[0]

    @property
    def sure(self) -> bool:
        """True where the best reading is certain enough to decide something."""
        return not self.ambiguous and self.best.certainty >= SURE
