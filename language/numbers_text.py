"""Reads numbers written in digits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from wildtool.language.folding import composed
from wildtool.language.lexicon import words


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as it stands in folded text."""

    start: int
    """Offset of its first character."""
    end: int
    """Offset after its last character."""
    value: float
    """What it says; the lower end where ``high`` is set."""
    high: float | None = None
    """Upper end of a numeral that is a range by itself: 七八十."""
    certainty: float = 0.995
    """How certain it is that this is a number and has this value."""
    other: float | None = None
    """Another value that it may have: 1.200 is 1200 in some countries."""
    longer: tuple[float, int] | None = None
    """Value and end of the reading that takes the letter behind it along: 5m may be five million."""
    digits: bool = False
    """It is written in digits."""
    pair: bool = False
    """It holds its measure word: 俩 is 两个."""
    scale: float = 1.0
    """The unit of scale that it ends on: 1000 of 45k, 10,000 of 三万, else 1. A range shares it: 3-5万."""


_DIGITS = re.compile(
    r"(?P<grouped>\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,12})?|\d{1,2}(?:,\d{2}){1,5},\d{3})(?![\d])"
    r"|(?P<spaced>\d{1,3}(?: \d{3}){1,5}(?:\.\d{1,12})?)(?![\d,.]\d|\d| \d)"
    r"|(?P<dotted>\d{1,3}(?:\.\d{3}){2,5})(?![\d.])"
    r"|(?P<comma>\d{1,3},\d{1,2})(?![\d,])"
    r"|(?P<mixed>(?:\d{1,3}[ -])?\d{1,2}/\d{1,2})(?![\d/])"
    r"|(?P<plain>\d{1,18}(?:\.\d{1,12})?|\.\d{1,6})"
)
_ANY = re.compile(r"(?<![\w.])[-−]?\d+(?:(?:,\d{3})+(?!\d))?(?:\.\d+)?|\d+(?:\.\d+)?")
_BEFORE = re.compile(r"[a-z_]{1,12}$")
_VULGAR = "".join(chr(code) for code in (*range(0xBC, 0xBF), *range(0x2150, 0x215F), 0x2189))
_VULGAR_AFTER = re.compile(rf" ?([{_VULGAR}])")
_MINUS_BEFORE = re.compile(r"(?:^|[\s(（:：,，=是到至约])-$|^-$")


def digits_in(text: str) -> Iterator[tuple[str, float]]:
    """Every number in digits as it stands in a text, even inside of a word or a code, and its value; a minus is read before
    a number that begins a word.

    For what may support a value, where a reader of what is meant (``written``) would pass codes and days over.
    """
    # A full-width comma parts numbers; composed it would join them.
    for match in _ANY.finditer(composed(text.replace("，", "， "))):
        yield match[0], float(match[0].replace(",", "").replace("−", "-"))


def vulgar(char: str) -> float:
    """The value of a sign such as ¾."""
    return unicodedata.numeric(char)


@cache
def _suffix(language: str) -> tuple[re.Pattern[str] | None, Mapping[str, float], Mapping[str, float]]:
    tables = words(language, "numbers")
    plain, doubtful = tables["suffixes"], tables["doubtful_suffixes"]
    signs = "|".join(sorted(map(re.escape, (*plain, *doubtful)), key=len, reverse=True))
    return (re.compile(rf" ?({signs})(?![a-z0-9])") if signs else None), plain, doubtful


def written(text: str, language: str, glued: frozenset[str] = frozenset()) -> list[Numeral]:
    """All numbers in digits of a folded text. ``glued`` are the words that may stand before digits without a blank."""
    found = []
    at = 0
    while (match := _DIGITS.search(text, at)) is not None:
        at = match.end()
        one = _in_digits(match, text, language, glued)
        if one is not None:
            found.append(one)
            at = max(at, one.end)
        else:
            at = _end_of_code(text, match.end())
    taken = {one.start for one in found} | {one.end for one in found}
    for sign in re.finditer(f"[{_VULGAR}]", text):
        if not any(one.start <= sign.start() < one.end for one in found) and sign.start() not in taken:
            found.append(Numeral(sign.start(), sign.end(), vulgar(sign[0]), digits=True))
    return sorted(found, key=lambda one: one.start)


_CODE = re.compile(r"[\d.,:/-]*\d")


def _end_of_code(text: str, at: int) -> int:
    """Where a row of digits that is no number ends: 3.11.2, BA117-2."""
    rest = _CODE.match(text, at)
    return rest.end() if rest else at


def _in_digits(match: re.Match[str], text: str, language: str, glued: frozenset[str]) -> Numeral | None:
    start, end, shape = match.start(), match.end(), match.lastgroup
    before = _BEFORE.search(text, max(0, start - 12), start)
    if before is not None and before[0] not in glued:
        inside = before.start() and text[before.start() - 1].isdigit() and "0" + before[0] in glued
        if not inside:
            return None
    if start and (text[start - 1].isdigit() or (text[start - 1] in ".,/" and text[start - 2 : start - 1].isdigit())):
        return None
    certainty, other = 0.995, None
    if shape == "mixed":
        value = _fraction(match[0])
        if value is None:
            return None
        certainty = 0.9
    elif shape == "comma":
        value, certainty = float(match[0].replace(",", ".")), 0.6
    elif shape == "dotted":
        value, certainty = float(match[0].replace(".", "")), 0.9
    elif shape == "spaced":
        value, certainty = float(match[0].replace(" ", "")), 0.9
    else:
        value = float(match[0].replace(",", ""))
        if shape == "plain" and re.fullmatch(r"[1-9]\d?\.\d{3}", match[0]):
            certainty, other = 0.95, value * 1000
        if re.match(r"[.,/:]\d|/\d", text[end : end + 2]) and text[end] not in ",:":
            return None  # a version, an address, a day
    longer, scale = None, 1.0
    if (behind := _VULGAR_AFTER.match(text, end)) is not None and shape == "plain":
        value, end = value + vulgar(behind[1]), behind.end()
    pattern, plain, doubtful = _suffix(language)
    if pattern is not None and (suffix := pattern.match(text, end)) is not None:
        if suffix[1] in plain and (len(suffix[1]) > 1 or suffix[0] == suffix[1]):
            value, end, scale = value * plain[suffix[1]], suffix.end(), plain[suffix[1]]
            other = None
        elif suffix[1] in doubtful and suffix[0] == suffix[1]:
            longer = (value * doubtful[suffix[1]], suffix.end())
    if _MINUS_BEFORE.search(text[max(0, start - 2) : start]):
        value, start = -value, start - 1
        other = None
    return Numeral(start, end, _round(value), None, certainty, other, longer, True, False, scale)


def _round(value: float) -> float:
    return round(value, 10)


def _fraction(text: str) -> float | None:
    whole, _, part = text.replace("-", " ").rpartition(" ")
    over, under = (int(one) for one in part.split("/"))
    if under not in (2, 3, 4, 5, 6, 8, 10, 12, 16, 32) or not 0 < over < under:
        return None
    return float(whole or 0) + over / under
