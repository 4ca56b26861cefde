"""Telephone numbers: what phonenumbers finds valid in a region, what is written like fiction's, and numbers in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from wildtool.language.numbers import signs_of_digits
from wildtool.mining.privacy.pattern import Spans, around

PHONE_REGIONS = ("US", "GB", "CN")
"""Regions that national numbers are tried as; numbers with a country code need none."""

FEWEST_NATIONAL = 10
"""Digits of a number in national form, area code and all, in each of the regions: dates and times have fewer."""

MOST_VERIFIED = 500
"""Candidates of one conversation that are verified, at some tenths of a millisecond each; what more looks like a telephone
number is taken for one."""

_PHONE_SHAPE = re.compile(r"(?<![\w.\-/])(?:\+|00)?\(?\d[\d \t\xa0().-]{5,18}\d(?![\w/-]|\.\d)")
_DATE_FIRST = re.compile(r"(?:19|20)\d\d([-.])\d{1,2}\1\d{1,2}(?!\d)")
_GROUPED = re.compile(r"[ \t\xa0().-]")
_CN_PHONE = re.compile(
    r"(?<!\d)(?:\+?86[ -]?)?1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?!\d)|(?<![\d-])0\d{2,3}-[2-9]\d{6,7}(?![\d-])"
)
"""Mobile numbers, and fixed ones with an area code."""
_FICTION = re.compile(r"(?<![\d.-])(?:\(?\d{3}\)?[ .-]?)?555[ .-]\d{4}(?![\d-])")
"""555 numbers are reserved for fiction: phonenumbers calls them invalid, people type them all the same."""
_NO_PHONE_BEFORE = re.compile(
    r"(?i)(?:\b(?:orders?|ref(?:erence)?|isbn|tracking|invoice|tickets?|bookings?|confirmation|reservation|case|policy|claim|serial|version|v)"
    r"(?! (?:or|and)\b)|\bno\.|#|订单|单号|编号|预订号|确认号)\W{0,4}(?:(?:number|no\.?|id|code|ref(?:erence)?|is|was|of)\b\W{0,3}){0,2}$"
)


@cache
def _spelt() -> re.Pattern[str]:
    """Mobile numbers begin with a 1 and a digit from 3 on."""
    digits = signs_of_digits()
    first = "".join(sign for sign, value in digits.items() if value == 1)
    second = "".join(sign for sign, value in digits.items() if value > 2)
    every = "".join(digits)
    return re.compile(rf"(?<![{every}])[{first}][{second}][{every}]{{9}}(?![{every}])")


def spelt_phones(text: str) -> Iterator[tuple[int, int]]:
    """Spans of Chinese mobile numbers in Chinese digits."""
    yield from (match.span() for match in _spelt().finditer(text))


_LOCAL = r"(?P<v>\+?\(?\d[\d ().-]{5,16}\d)(?![\w-]|[.,]\d)"
_TOLD = re.compile(
    r"(?i)(?:\b(?:call|ring|text|phone|reach|whatsapp|sms|contact)\s(?:me|us|him|her|them)(?:\s(?:back|up|later|tomorrow|tonight))?\s(?:on|at|under)"
    r"|\b(?:my|his|her|our)\s(?:(?:phone|mobile|cell|cellphone|contact|telephone|tel|home|work|whatsapp|new|best|direct)\s){0,2}"
    r"(?:number|no\.?|phone|mobile|cell|telephone|tel)(?:\sis|['’]s)?"
    r"|\b(?:phone|mobile|cell|tel|telephone|whatsapp)(?:\s(?:number|no\.?))?(?:\sis)?)[:=]?\s{0,2}" + _LOCAL
)
_ASKED = re.compile(
    r"(?i)\b(?:(?:phone|mobile|cell|contact|telephone|callback|whatsapp)(?:\s(?:number|no\b\.?))?|your (?:best )?number"
    r"|number (?:can|should|to reach|for you|do))\b[^?\n\0]{0,60}\?[^\n\0]{0,20}\n\0{3}\n[^\n\0\d]{0,30}?" + _LOCAL
)
_OTHER_NUMBER = re.compile(
    r"(?i)\b(?:orders?|ref(?:erence)?|isbn|tracking|invoice|tickets?|bookings?|confirmation|reservation|case|policy|claim|serial|account|card)"
    r"\s(?:number|no\b|id|code|ref)"
)
CUE_CHARS = 140
"""Characters before a number in which what announces it stands."""
_CODE = re.compile(r"(?:\+|\b00)\d{1,3}[ \t\xa0-]{0,2}\(?$")


def _told(text: str, windows: Spans) -> Iterator[tuple[int, int]]:
    """Spans of numbers that are telephone numbers by what is said before: local ones, which no region's rules know."""
    for first, end in windows:
        start = max(0, first - CUE_CHARS)
        for expression in (_TOLD, _ASKED):
            for match in expression.finditer(text, start, end):
                value = match["v"]
                if (
                    7 <= sum(map(str.isdigit, value)) <= 13
                    and not _DATE_FIRST.match(value)
                    and not _OTHER_NUMBER.search(text, max(0, match.start() - 100), match.start("v"))
                ):
                    yield match.span("v")


def phones(text: str, numbers: Spans | None = None) -> Iterator[tuple[int, int]]:
    """Spans of telephone numbers, with the country's code where it stands before: what phonenumbers finds valid in a region,
    what is written like fiction's, and what words before say to be one.

    Args:
        text: the text.
        numbers: where its long numbers lie, if that is known.
    """
    windows = around(text, numbers)
    for start, end in (*_valid(text, windows), *_told(text, windows)):
        code = _CODE.search(text, max(0, start - 8), start)
        yield code.start() if code else start, end


def _valid(text: str, windows: Spans) -> Iterator[tuple[int, int]]:
    """Spans of numbers that are telephone numbers by themselves."""
    taken: set[int] = set()
    for expression in (_CN_PHONE, _FICTION):
        if expression is _FICTION and "555" not in text:
            continue
        for start, end in windows:
            for match in expression.finditer(text, start, end):
                if expression is _FICTION and _said_otherwise(text, match.start()):
                    continue
                taken.update(match.span())
                yield match.span()
    matches = list(_PHONE_SHAPE.finditer(text))
    if not matches:
        return
    import phonenumbers

    for number, match in enumerate(matches):
        piece = match.group()
        digits = len(re.sub(r"\D", "", piece))
        if not 7 <= digits <= 15 or match.start() in taken or match.end() in taken:
            continue
        if number >= MOST_VERIFIED:
            yield match.span()
            continue
        if _said_otherwise(text, match.start()):
            continue
        regions: tuple[str | None, ...] = (None,)
        if not piece.startswith(("+", "00")):
            # A bare run of digits is an order number more often than a telephone.
            likely = digits >= FEWEST_NATIONAL and _GROUPED.search(piece) and not _DATE_FIRST.match(piece)
            regions = PHONE_REGIONS if likely else ()
        for region in regions:
            found = next(iter(phonenumbers.PhoneNumberMatcher(piece, region)), None)
            if found is not None:
                yield match.start() + found.start, match.start() + found.end
                break


def _said_otherwise(text: str, place: int) -> bool:
    """Do the words before a number say that it is another kind of number?"""
    return _NO_PHONE_BEFORE.search(text[max(0, place - 32) : place]) is not None
