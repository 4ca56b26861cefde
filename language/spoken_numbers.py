"""Numbers that a text says in any registered language, whatever they count: what may support a value."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from wildtool.language.folding import as_said, in_place
from wildtool.language.lexicon import languages, words
from wildtool.language.numbers import read_numbers
from wildtool.language.numbers_text import digits_in
from wildtool.language.quantities import read_quantities
from wildtool.language.quantities_items import DOUBT

WEAK = 0.95
"""Certainty below which a word for 1 may be a pronoun: "that one"."""


@lru_cache(maxsize=4096)  # rules ask again and again of the texts of one session
def numbers_in_words(text: str) -> tuple[tuple[float, str], ...]:
    """Numbers that a text says in digits or words of any language, with the words as ``as_said`` folds them.

    Sessions mix languages, and this only looks for what may support a value: every reading counts, and so do digits inside
    of words and numbers without their sign.
    """
    found: dict[tuple[float, str], None] = {}
    for quote, number in digits_in(as_said(text)):
        found |= dict.fromkeys(((number, quote), (abs(number), quote)))
    for language in languages():
        for span in read_numbers(text, language):
            found |= dict.fromkeys((reading.value, as_said(span.text)) for reading in span.readings)
        for one in read_quantities(text, language):  # twice, a dozen, 一家三口
            for reading in one.readings:
                ends = reading.value.value
                quote = as_said(one.text)
                found |= dict.fromkeys((end, quote) for end in (ends if isinstance(ends, tuple) else (ends,)))
    return tuple(found)


@lru_cache(maxsize=4096)
def numbers_said(text: str) -> frozenset[float]:
    """Numbers that a text says, every reading; articles and pronouns ("that one") are none."""
    plain = in_place(text)
    found = {number for _, number in digits_in(as_said(text))}
    found |= {abs(number) for number in found}
    for language in languages():
        for span in read_numbers(text, language):
            found |= {one.value for one in span.readings if one.value != 1 or span.best.certainty >= WEAK}
        for one in read_quantities(text, language):
            if one.best.value.value != 1 or (one.best.certainty > DOUBT and read_numbers(one.text, language)):
                for reading in one.readings:
                    ends = reading.value.value
                    found |= set(ends if isinstance(ends, tuple) else (ends,))
    return frozenset(found | {value for value, said in _alone() if said.search(plain)})


@cache
def _alone() -> tuple[tuple[float, re.Pattern[str]], ...]:
    """Words that stand for a number by themselves, without being numerals."""
    tables = [words(code, "counted") for code in languages()]
    return tuple((float(row["value"]), re.compile(row["said"])) for table in tables for row in table["alone"])
