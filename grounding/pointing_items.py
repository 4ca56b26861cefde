"""A list that was shown, by fields, in comparable form whatever their names and types; and the record of a description."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any, Protocol

from wildtool.language.lexicon import languages, words
from wildtool.language.pointer_grammar import concepts, fold, grammar, shared_words
from wildtool.language.pointer_tokens import kinds_of
from wildtool.language.units import convert

HAN = re.compile(r"[\u3400-\u9fff]")
_CLOCK = re.compile(r"(?<![\d:.-])([01]?\d|2[0-4]):([0-5]\d)(?::\d\d)?(?: ?([ap])\.?m)?\b")
_AMPM = re.compile(r"(?<![\d:.])(1[0-2]|0?[1-9]) ?([ap])\.?m\b")
_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/年.](\d{1,2})[-/月.](\d{1,2})")
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+(?:,\d{3})*(?:\.\d+)?|(?<=[^\W\d_])\d+(?:\.\d+)?")
MEASURE = re.compile(r"(-?\d+(?:,\d{3})*(?:\.\d+)?)\s*([^\W\d_]{1,12}[²³]?|㎡|%|°[cf]|[$€£¥])?")
_CLOCKED = frozenset({"time", "arrival", "closing", "duration", "length"})
"""Scales whose values may be written with a colon: 07:10, and 3:12 for minutes and seconds."""
_PLAIN_WORDS = frozenset(
    {"is", "has", "have", "with", "allowed", "available", "included", "includes", "friendly", "only", "can"}
)


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the items of a list."""

    name: str
    words: tuple[str, ...]
    """Words of the name, folded."""
    values: tuple[Any, ...]
    """The value in each item; None where an item has none."""

    @property
    def unit(self) -> str | None:
        """Code of the unit in the field's name: kg of weight_kg and of 重量克."""
        known = unit_codes()
        if self.words and self.words[-1] in known and len(self.words) > 1:
            return known[self.words[-1]]
        if HAN.search(self.name):
            ends = [word for word in known if HAN.search(word) and fold(self.name).rstrip(")）").endswith(word)]
            return known[max(ends, key=len)] if ends and len(max(ends, key=len)) < len(self.name) else None
        return None

    @property
    def telling(self) -> frozenset[str]:
        """Words of the name that say what it is about."""
        return frozenset(self.words) - _PLAIN_WORDS or frozenset(self.words)


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity: caches of what a list holds are keyed by it
class Table:
    """A list that was shown."""

    name: str
    names: tuple[str, ...]
    """The name of each item, folded; empty for an item without any text."""
    fields: tuple[Field, ...]

    @property
    def length(self) -> int:
        return len(self.names)


@cache
def unit_codes() -> Mapping[str, str]:
    """Codes of units by their words in all languages."""
    found: dict[str, str] = {}
    for language in languages():
        for code, each in words(language, "units")["measures"].items():
            for word in each:
                found.setdefault(fold(word), code)
    return found


def name_words(name: str) -> tuple[str, ...]:
    """Words of a field's or list's name, folded: ``pricePerNight`` gives price, per, night."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^\w]+|_", " ", name)
    return tuple(fold(spaced).split())


def read_table(name: str, items: Sequence[Any]) -> Table:
    """A list of JSON values by fields; objects inside objects become fields of their own, arrays of texts one text."""
    flat = [dict(_leaves(item if isinstance(item, dict) else {"": item}, "")) for item in items]
    paths = dict.fromkeys(path for item in flat for path in item)
    fields = tuple(
        Field(path, name_words(path.rsplit(".", 1)[-1]), _told(tuple(item.get(path) for item in flat)))
        for path in paths
    )
    return Table(fold(name), tuple(fold(_name(item)) for item in flat), fields)


def _told(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Values as booleans where all of them are words for yes and no."""
    yes, no = shared_words("yes"), shared_words("no")
    plain = [fold(value).strip() if isinstance(value, str) else None for value in values]
    if len(values) < 2 or not all(each in yes or each in no for each in plain):
        return values
    return tuple(each in yes for each in plain)


def _leaves(item: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in item.items():
        if isinstance(value, dict):
            found += _leaves(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            found.append((f"{prefix}{key}", " ; ".join(map(str, value))))
        else:
            found.append((f"{prefix}{key}", value))
    return found


def _name(item: Mapping[str, Any]) -> str:
    keys = shared_words("names")
    for key in ("", "name", "title", *(key for key in item if fold(key) in keys)):
        if isinstance(item.get(key), str):
            return str(item[key])
    named = [value for key, value in item.items() if isinstance(value, str) and set(name_words(key)) & keys]
    texts = [value for key, value in item.items() if isinstance(value, str) and name_words(key)[-1:] != ("id",)]
    return str((named or texts or [""])[0])


@cache
def list_kinds(name: str) -> frozenset[str]:
    """Kinds of items that a list's name tells: hotel of "hotels_nearby"."""
    whole = kinds_of(name)
    if whole:
        return whole
    found = set(whole)
    for word in name_words(name):
        found |= kinds_of(word)
    if HAN.search(name):
        found |= {
            kind for kind, words in concepts("nouns").items() if any(len(w) > 1 and name.endswith(w) for w in words)
        }
    return frozenset(found)


# -------------------------------------------------------------------- values


def clock_of(value: Any) -> int | None:
    """Minutes since midnight of the first time of day in a text; None where it has none."""
    if not isinstance(value, str):
        return None
    folded = fold(value)
    iso = re.search(r"\d{4}-\d\d-\d\d[t ](\d\d):(\d\d)", folded)
    if iso:
        return int(iso[1]) * 60 + int(iso[2])
    if match := _CLOCK.search(folded):
        hour = int(match[1]) % 12 + (12 if match[3] == "p" else 0) if match[3] else int(match[1])
        return hour * 60 + int(match[2])
    if match := _AMPM.search(folded):
        return (int(match[1]) % 12 + (12 if match[2] == "p" else 0)) * 60
    return None


def day_of(value: Any) -> date | None:
    """The first day written with its year in a text; None where it has none."""
    match = _DAY.search(value) if isinstance(value, str) else None
    try:
        return date(int(match[1]), int(match[2]), int(match[3])) if match else None
    except ValueError:
        return None


@cache
def _month_patterns() -> tuple[re.Pattern[str], re.Pattern[str], Mapping[str, int]]:
    """Day before month, month before day, and months by their words in all languages."""
    months = {word: at + 1 for at, words_of in enumerate(concepts("months").values()) for word in words_of}
    spelled = "|".join(sorted(map(re.escape, months), key=len, reverse=True))
    latin = "|".join(word for word in months if not HAN.search(word))
    return (
        re.compile(rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?[ -](?:of )?({latin})\b"),
        re.compile(rf"(?<![\d\w])({spelled})[ -]?(\d{{1,2}})(?!\d)"),
        months,
    )


@lru_cache(maxsize=4096)
def month_day(value: Any) -> tuple[int, int] | None:
    """Month and day of the first day in a text, with or without its year; None where it has none."""
    if (day := day_of(value)) is not None:
        return day.month, day.day
    if not isinstance(value, str):
        return None
    folded = fold(value)
    before, after, months = _month_patterns()
    if match := before.search(folded):
        return months[match[2]], int(match[1])
    match = after.search(folded)
    return (months[match[1]], int(match[2])) if match else None


def number_of(value: Any) -> float | None:
    """A number, or the only number of a text; booleans are none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value)
    found = _NUMBER.findall(fold(str(value)))
    return float(found[0].replace(",", "").replace("−", "-")) if len(found) == 1 else None


def numbers_of(value: Any) -> frozenset[float]:
    """All numbers of a value; times of day and days are none."""
    if isinstance(value, bool) or value is None:
        return frozenset()
    if isinstance(value, int | float):
        return frozenset({float(value)})
    plain = _DAY.sub(" ", _CLOCK.sub(" ", fold(str(value))))
    return frozenset(float(each.replace(",", "").replace("−", "-")) for each in _NUMBER.findall(plain))


def _measured(value: Any, into: str | None, dimension: str = "") -> tuple[float, str | None] | None:
    """A value with its unit; parts in units of one kind are added: 2h 15m."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value), into
    total: float | None = None
    unit = into
    for digits, word in MEASURE.findall(fold(str(value))):
        number = float(digits.replace(",", ""))
        code = unit_codes().get(word)
        if code == "m" and dimension == "duration":
            code = "min"
        if total is None:
            total, unit = number, code or into
            if code == "m" and re.search(r"\d\s*h", fold(str(value))):
                unit = "min"
        elif code and unit:
            if code == "m" and unit in ("hour", "min"):
                code = "min"
            more = convert(number, code, unit)
            total += more if more is not None else 0.0
        elif unit == "hour" and not code:
            total += number / 60  # 1h30
    return (total, unit) if total is not None else None


def _scaled(values: Sequence[Any]) -> tuple[float | None, ...] | None:
    """Ranks of values that are all steps of one known scale: easy, medium, hard."""
    plain = ["" if value is None else fold(str(value)).strip() for value in values]
    for language in languages():
        for line in grammar(language)["scales"]["order"]:
            steps = [step.replace("_", " ") for step in line.split()]
            if all(value in steps or not value for value in plain) and any(plain):
                return tuple(float(steps.index(value)) if value else None for value in plain)
    return None


def comparable(field: Field, dimension: str) -> tuple[float | None, ...] | None:
    """The field's values as numbers on one scale; None where they are not of that kind."""
    values = field.values
    if all(isinstance(value, bool) or value is None for value in values):
        return None
    clocks = [clock_of(value) for value in values]
    days = [day_of(value) for value in values]
    if any(day is not None for day in days):
        if dimension not in ("date", "time", "arrival"):
            return None
        return tuple(
            None if day is None else day.toordinal() * 1440.0 + (clock or 0)
            for day, clock in zip(days, clocks, strict=True)
        )
    if dimension in ("date", "time", "arrival") and all(month_day(value) for value in values):
        return tuple(
            (d[0] * 31.0 + d[1]) * 1440 + (c or 0) for d, c in zip(map(month_day, values), clocks, strict=True) if d
        )
    if any(clock is not None for clock in clocks):
        return tuple(None if c is None else float(c) for c in clocks) if dimension in _CLOCKED else None
    if dimension in ("time", "arrival"):
        return None
    if (scaled := _scaled(values)) is not None:
        return scaled
    measured = [_measured(value, field.unit, dimension) for value in values]
    known = [each for each in measured if each is not None]
    if not known or 2 * len(known) < len(values):
        return None
    first = known[0][1]
    return tuple(
        None
        if each is None
        else convert(each[0], each[1], first)
        if each[1] and first and each[1] != first
        else each[0]
        for each in measured
    )


# -------------------------------------------------------------- descriptions


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
