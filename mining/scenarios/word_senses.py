"""Decide whether an ambiguous word has its category's sense: "a book by" is for reading, "book a table" is not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from wildtool.mining.words import words as words_of

BEFORE = 40
"""Characters looked at before a word; what is looked at after it is bounded by the expressions."""

AHEAD = 24
"""Characters from the beginning of a word on that an expression before it may look at."""

LONGEST = 8
"""Most characters of the longest Chinese word that a sign may be part of."""


@dataclass(frozen=True, slots=True)
class _Sense:
    """What ``word_senses.toml`` says of a word; all of it may be absent."""

    forms: re.Pattern[str] | None
    sure: re.Pattern[str] | None
    before: re.Pattern[str] | None
    after: re.Pattern[str] | None
    not_before: re.Pattern[str] | None
    not_after: re.Pattern[str] | None
    not_in: re.Pattern[str] | None

    def holds(self, text: str, start: int, end: int) -> bool:
        """Does the word from start to end have its category's sense?"""
        form = text[start:end]
        if self.forms is not None and not self.forms.fullmatch(form):
            return False
        if self.sure is not None and self.sure.fullmatch(form):
            return True
        first = max(0, start - BEFORE)
        if self.not_before is not None and self._ends(self.not_before, text, first, start):
            return False
        if self.not_after is not None and self.not_after.match(text, end):
            return False
        if self.not_in is not None:
            around = text[max(0, start - LONGEST) : end + LONGEST]
            place = min(start, LONGEST)
            return not any(
                found.start() <= place and place + end - start <= found.end() for found in self.not_in.finditer(around)
            )
        if self.before is None and self.after is None:
            return True
        return (self.before is not None and self._ends(self.before, text, first, start)) or (
            self.after is not None and self.after.match(text, end) is not None
        )

    @staticmethod
    def _ends(expression: re.Pattern[str], text: str, first: int, end: int) -> bool:
        """Does a match end at a place? Expressions may look beyond it."""
        return any(found.end() == end for found in expression.finditer(text, first, end + AHEAD))


@cache
def _senses(language: str) -> dict[str, _Sense]:
    keys = _Sense.__slots__
    return {
        word: _Sense(**{key: re.compile(f"(?i){said[key]}") if key in said else None for key in keys})
        for word, said in words_of(language, "word_senses").items()
    }


def in_sense(language: str, word: str, text: str, start: int, end: int) -> bool:
    """Does a word of our lists, found from start to end in some form, have its category's sense there?"""
    senses = _senses(language)
    sense = senses.get(word) or senses.get(word.casefold())
    return sense is None or sense.holds(text, start, end)
