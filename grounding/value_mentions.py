"""Do these words say this value? By what people and APIs call it, not by string search alone: China is CN."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Any, Literal

from wildtool.language.api_codes import names_of
from wildtool.language.dates.spoken import now_said, when_said
from wildtool.language.dates.spoken_times import times_said
from wildtool.language.day_phrases import today
from wildtool.language.folding import as_said
from wildtool.language.parameter_names import humanise
from wildtool.language.spoken_numbers import numbers_in_words
from wildtool.schemas.base import JsonObject
from wildtool.schemas.vocabulary import Language

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO_TIME = re.compile(r"(?:^|T)(\d{2}):(\d{2})(?::\d{2})?")
_LATIN = re.compile(r"[a-z0-9]")
_CODE = re.compile(r"(?<![a-z0-9])[a-z0-9]++(?:[._/:-][a-z0-9]++)+")
"""A code in parts (folded): what has one part more is another one."""
_STOP = frozenset("a an the of for in on at to and or with by is are my me it from this that please".split())


@dataclass(frozen=True)
class Cues:
    """What helps to recognise a value of one parameter in words."""

    parameter: str
    now: str
    language: Language
    schema: JsonObject = field(default_factory=dict)
    enum_words: dict[str, str] = field(default_factory=dict)
    """How a person says an enum's values."""
    fragments: tuple[str, ...] = ()
    """Words that ask for a boolean option."""


@dataclass(frozen=True)
class Hit:
    """The words that say a value."""

    quote: str
    kind: Literal["user", "clock", "knowledge"]
    confidence: float = 1.0


def find(words: str, text: str) -> bool:
    """Whether the text holds the words, whole; a plural may stand for a singular."""
    needle, hay = as_said(words), as_said(text)
    if not needle or needle not in hay:
        return False
    head = r"(?<![a-z0-9])" if _LATIN.match(needle[0]) else ""
    tail = r"(?:e?s)?(?![a-z0-9])" if needle[-1].isalpha() and needle[-1].isascii() else ""
    if needle[-1].isdigit():
        tail = r"(?!\d)"
    if _CODE.fullmatch(needle):
        # ECO.GDP is not ECO.GDP.48.
        head, tail = r"(?<![a-z0-9])(?<![a-z0-9][._/:-])", r"(?![a-z0-9]|[._/:-][a-z0-9])"
    return re.search(head + re.escape(needle) + tail, hay) is not None


def said(value: Any, text: str, cues: Cues) -> Hit | None:
    """The words of a text that say a scalar value; None where none do."""
    if not text or value is None:
        return None
    if isinstance(value, bool):
        return _boolean(text, cues)
    if isinstance(value, int | float):
        return _number(float(value), text, cues) if abs(value) < 1e308 else None  # an integer beyond any float
    if isinstance(value, str):
        return _string(value, text, cues)
    return None


def _boolean(text: str, cues: Cues) -> Hit | None:
    for words in cues.fragments:
        if find(words, text):
            return Hit(words, "user")
    ignored = _STOP | {"include", "show", "has", "only", "with", "without"}
    content = [word for word in humanise(cues.parameter).split() if len(word) > 2 and word not in ignored]
    hit = next(
        (word for word in content if find(word, text) or (len(word) > 5 and as_said(word)[:5] in as_said(text))), None
    )
    return Hit(hit, "user", 0.7) if hit else None


def _number(value: float, text: str, cues: Cues) -> Hit | None:
    spoken = cues.enum_words.get(f"{value:g}")
    if spoken and find(spoken, text):
        return Hit(spoken, "user")
    near: Hit | None = None
    for number, quote in numbers_in_words(text):
        if number == value:
            return Hit(quote, "user")
        if number and value in (number * 60, number / 60, number * 1000, number / 1000, number / 100, number * 7):
            near = near or Hit(quote, "knowledge", 0.6)
    name = as_said(cues.parameter)
    start = today(cues.now)
    days = [day for first, last, _ in when_said(text, cues.language, cues.now).named for day in (first, last)] + [start]
    for part in ("year", "month", "day"):
        if part in name and value in {getattr(day, part) for day in days}:
            return Hit(text, "clock", 0.7)
    if "year" in name and value in (start.year + 1, start.year - 1):
        return Hit(text, "clock", 0.6)
    return near


_COMMON = frozenset(
    "in it is to us me no at be am as so do my de la by or an on if al id he hi ok are can per all top and the not".split()
)
"""Codes that are words as well: they count where they are written as codes."""


def _names(name: str, text: str) -> bool:
    """``find``, but IN is not "in"."""
    if as_said(name) in _COMMON:
        return name.isupper() and re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", text) is not None
    return find(name, text)


def _string(value: str, text: str, cues: Cues) -> Hit | None:
    if _names(value, text):
        return Hit(value, "user")
    spoken = cues.enum_words.get(value)
    if spoken and find(spoken, text):
        return Hit(spoken, "user")
    if _ISO_DAY.match(value):
        return _day(value, text, cues)
    if _ISO_TIME.match(value):
        return Hit(text, "user", 0.9) if _time_said(value, text, cues) else None
    return _reworded(value, text, cues)


def _reworded(value: str, text: str, cues: Cues) -> Hit | None:
    plain = humanise(value)
    if plain != value and len(plain) > 2 and find(plain, text):
        return Hit(plain, "user")
    if re.fullmatch(r"-?\d+(?:\.\d+)?", value):
        return _number(float(value), text, cues)
    for name in names_of(value):
        if _names(name, text):
            return Hit(name, "knowledge")
    if _CODE.fullmatch(as_said(value)):
        return None
    squeezed = _squeeze(value)
    # LasVegas for Las Vegas; short words stand inside longer ones.
    if (len(squeezed) >= 7 or (len(squeezed) >= 5 and squeezed != as_said(value))) and squeezed in _squeeze(text):
        return Hit(value, "user", 0.9)
    words = [word for word in re.findall(r"[^\W_]+", as_said(plain)) if word not in _STOP and len(word) > 1]
    # A code is said as it is or not at all: three of an address's four numbers are another address.
    if not words or as_said(value) in _COMMON or (" " not in value and any(char.isdigit() for char in value)):
        return None
    if as_said(value).isascii():
        found = [
            word for word in words if find(word, text) or (len(word) > 5 and f" {word[:-2]}" in f" {as_said(text)}")
        ]
    else:
        # Han runs carry no blanks: pairs of neighbouring characters stand for words.
        words = [a + b for run in words for a, b in pairwise(run)] or words
        found = [word for word in words if word in as_said(text)]
    share = len(found) / len(words)
    if share == 1.0:
        return Hit(" ".join(found), "user", 0.8)
    # A message or a query may be reworded; a name may not.
    return Hit(" ".join(found), "user", 0.6) if share >= 0.6 and len(words) >= 4 else None


def _squeeze(text: str) -> str:
    return re.sub(r"[\W_]+", "", as_said(text))


def _day(value: str, text: str, cues: Cues) -> Hit | None:
    try:
        day = date.fromisoformat(value[:10])
    except ValueError:
        return None
    when = when_said(text, cues.language, cues.now)
    moment = _ISO_TIME.search(value)
    timed = moment is None or (moment[1], moment[2]) in (("00", "00"), ("23", "59")) or _time_said(value, text, cues)
    if words := when.words(day):
        return Hit(words, "user" if day.isoformat() in words else "clock", 1.0 if timed else 0.6)
    if when.allows(day):
        return Hit(when.words_around(day) or when.named[0][2], "clock", 0.7)
    if day == today(cues.now) and (words := now_said(text, cues.language)):
        return Hit(words, "clock", 0.7)
    return None


def _time_said(value: str, text: str, cues: Cues) -> bool:
    hit = _ISO_TIME.search(value)
    return hit is not None and int(hit[1]) * 60 + int(hit[2]) in times_said(text, cues.language, cues.now).times


def is_today(value: Any, now: str) -> bool:
    """Whether a value is the clock's own day, or a moment of it."""
    return isinstance(value, str) and value[:10] == today(now).isoformat()
