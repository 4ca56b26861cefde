"""Numbers as people write and say them: 1,050.75, 45k, twenty-five, half a dozen, 三千五, 廿五, 1.2亿."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from wildtool.language import numbers_han, numbers_spaced
from wildtool.language.folding import in_place
from wildtool.language.lexicon import languages, words
from wildtool.language.numbers_text import Numeral
from wildtool.language.spans import Kind, Reading, Span

_SYSTEMS: Mapping[str, Callable[[str, str, frozenset[str]], list[Numeral]]] = {
    "han": numbers_han.numerals,
    "spaced": numbers_spaced.numerals,
}
"""Numeral systems by the name that a language's ``numbers.toml`` gives."""


@cache
def _system(language: str) -> Callable[[str, str, frozenset[str]], list[Numeral]]:
    return _SYSTEMS[words(language, "numbers")["system"]]


def numerals(folded: str, language: str, glued: frozenset[str] = frozenset()) -> list[Numeral]:
    """Read all numerals of a text that ``folding.in_place`` made; ``glued`` are words that may touch digits before them: usd50."""
    return _system(language)(folded, language, glued)


def read_numbers(text: str, language: str) -> tuple[Span[float], ...]:
    """Read every number of a text, in order.

    A span has more than one reading where the number may be another: 5m is 5 (metres) or five million, 七八 is 7 or 8.
    Ordinals are no numbers. Raises ``RegistryError`` for an unknown language.
    """
    return tuple(_span(text, one) for one in numerals(in_place(text), language))


def parse_number(word: str, language: str) -> float | None:
    """Read a word that is one whole numeral ("twenty-five", "二十五", "1,200"); None where it is anything else."""
    folded = in_place(word)
    bare = folded.strip()
    start = folded.find(bare) if bare else 0
    for one in numerals(folded, language):
        if one.high is not None:
            continue
        if (one.start, one.end) == (start, start + len(bare)):
            return one.value
        if one.longer is not None and (one.start, one.longer[1]) == (start, start + len(bare)):
            return one.longer[0]
    return None


def with_digits(text: str, language: str, kept: re.Pattern[str] | None = None) -> str:
    """The text with whole numerals in digits where they stand before what the language's ``numbers.toml`` names ``counts``.

    三天后 becomes 3天后, 第二本 becomes 第2本, "in two weeks" becomes "in 2 weeks"; spreads (两三天) stay. Words that ``kept``
    finds stay too: 周三天气.
    """
    counts, ordinal = _before_digits(language)
    plain = in_place(text)
    hidden = kept.sub(lambda found: "\0" * len(found[0]), plain) if kept is not None else plain
    found = numerals(hidden.replace(ordinal, "\0" * len(ordinal)) if ordinal else hidden, language)
    out, at = [], 0
    for one in found:
        whole = one.high is None and not (one.digits or one.pair) and one.value >= 0 and one.value == int(one.value)
        if whole and counts.match(plain, one.end):
            out += [text[at : one.start], str(int(one.value))]
            at = one.end
    return "".join(out) + text[at:]


@cache
def _before_digits(language: str) -> tuple[re.Pattern[str], str]:
    table = words(language, "numbers")
    return re.compile(table["counts"]), table["ordinal"]


@cache
def signs_of_digits() -> Mapping[str, int]:
    """Single signs that are a digit each where a number is read out, of all languages that write numbers sign by sign."""
    tables = [table for table in (words(code, "numbers") for code in languages()) if table["system"] == "han"]
    return {sign: value for table in tables for sign, value in {**table["digits"], **table["spelt"]}.items()}


@cache
def small_numbers(language: str) -> Mapping[str, int]:
    """Words that are a number below a hundred each; none of a language that writes numbers sign by sign."""
    table = words(language, "numbers")
    if table["system"] != "spaced":
        return {}
    return {word: value for part in ("digits", "teens", "tens") for word, value in table[part].items()}


def _span(text: str, one: Numeral) -> Span[float]:
    rest = 1 - one.certainty
    values: list[tuple[float, float]] = [(one.value, one.certainty)]
    if one.high is not None:
        values = [(one.value, 0.5), (one.high, 0.5)]
    elif one.longer is not None:
        values = [(one.value, 0.5), (one.longer[0], 0.5)]
    elif one.other is not None:
        values.append((one.other, rest))
    readings = tuple(Reading(value, certainty) for value, certainty in values)
    doubtful = one.high is not None or one.longer is not None
    return Span(Kind.NUMBER, one.start, one.end, text[one.start : one.end], readings, doubtful)
