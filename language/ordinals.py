"""Reads positions in a list: "the second one", "third from the end", 第三个, 倒数第二, "the latter"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum

from wildtool.language.pointer_grammar import Rule, fold, rank_of, rules, scan
from wildtool.language.spans import Kind, Reading, Span


class End(StrEnum):
    """Where a position is counted from."""

    FRONT = "front"
    BACK = "back"
    MIDDLE = "middle"


@dataclass(frozen=True, slots=True)
class Ordinal:
    """A position in a list."""

    place: int
    """Counted from 1 at ``end``; 1 for the middle."""
    end: End = End.FRONT
    of: int | None = None
    """Length that the list must have: 2 for former and latter."""
    count: int = 1
    """How many items from there: 2 for "the first two"."""

    def index(self, length: int) -> int | None:
        """The index from 0 in a list of that length; None where there is no such item or no single one."""
        if self.count != 1 or (self.of is not None and self.of != length):
            return None
        if self.end is End.MIDDLE:
            return length // 2 if length % 2 and length > 1 else None
        if not 1 <= self.place <= length:
            return None
        return self.place - 1 if self.end is End.FRONT else length - self.place


def read_ordinals(text: str, language: str, nouns: Set[str] = frozenset()) -> tuple[Span[Ordinal], ...]:
    """Reads every position that the text names, in order of appearance.

    ``nouns`` are words for what was shown (folded): "the second day" and 第二天 count days only where days were listed,
    and "track 2" is a position only where tracks were. Raises ``RegistryError`` for an unknown language.
    """
    folded = fold(text)
    found: list[Span[Ordinal]] = []
    for rule, match in _matches(folded, language, nouns):
        if rule.table.get("decoy"):
            continue
        groups = match.groupdict()
        word = groups.get("n") or groups.get("m")
        place = rank_of(language, word) if word else rule.table.get("place", 1)
        count = rank_of(language, groups["count"]) if groups.get("count") else rule.table.get("count", 1)
        if place is None or count is None:
            continue
        value = Ordinal(place, End(rule.table["end"]), rule.table.get("of"), count)
        start, end = match.span()
        reading = Reading(value, float(rule.table.get("certainty", 0.995)))
        ambiguous = bool(rule.table.get("ambiguous", False))
        found.append(Span(Kind.ORDINAL, start, end, text[start:end], (reading,), ambiguous))
    return tuple(sorted(found, key=lambda span: span.start))


def ordinal_decoys(text: str, language: str, nouns: Set[str] = frozenset()) -> tuple[tuple[int, int], ...]:
    """The offsets (start, end) of expressions that only look like positions: "the second time", 首先."""
    folded = fold(text)
    return tuple(match.span() for rule, match in _matches(folded, language, nouns) if rule.table.get("decoy"))


def _matches(folded: str, language: str, nouns: Set[str]) -> Iterator[tuple[Rule, re.Match[str]]]:
    def skip(rule: Rule, match: re.Match[str]) -> bool:
        """Whether a decoy counts what was listed, or a number follows a noun of nothing listed."""
        groups = match.groupdict()
        if groups.get("noun") is not None and groups["noun"].strip() in nouns:
            return True
        return groups.get("listed") is not None and groups["listed"] not in nouns

    return scan(folded, rules(language, "ordinal"), skip)
