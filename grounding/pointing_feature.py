"""The record of a description found in a text, and where a word stands in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from wildtool.grounding.pointing_items import HAN


class Sort(StrEnum):
    """What a feature was found in."""

    NAME = "name"
    """The whole name of an item."""
    PART = "part"
    """Words of a name."""
    TEXT = "text"
    FLAG = "flag"
    NUMBER = "number"
    TIME = "time"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Feature:
    """A stretch of the text and the items that it describes."""

    sort: Sort
    start: int
    end: int
    items: frozenset[int]
    certainty: float
    """Probability that these words are about the items' values at all."""


Free = Callable[[int, int], bool]
"""Whether a stretch of the text is not yet explained."""


class Stretch(Protocol):
    """Anything with a place in the text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def places(*groups: Iterable[Stretch]) -> list[tuple[int, int]]:
    """(Start, end) of all stretches of the groups."""
    return [(each.start, each.end) for group in groups for each in group]


def bounded(folded: str, word: str) -> Iterable[tuple[int, int]]:
    """Yields where a word stands whole; characters of scripts without blanks may touch others."""
    start = folded.find(word)
    while start >= 0:
        end = start + len(word)
        before = start == 0 or HAN.match(word[0]) or not folded[start - 1].isalnum() or HAN.match(folded[start - 1])
        after = end == len(folded) or HAN.match(word[-1]) or not folded[end].isalnum() or HAN.match(folded[end])
        if before and after:
            yield start, end
        start = folded.find(word, end)
