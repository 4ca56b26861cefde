"""Dates and times as people and APIs write them, read against a fixed ``now``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache

from wildtool.language.dates.clocks import Clock, resolve_clock
from wildtool.language.dates.moments import Part
from wildtool.language.dates.said import Said
from wildtool.language.dates.tables import (
    macros,
    months,
    named_times,
    ordinal_endings,
    parts_of_day,
    relative_days,
    units,
    weekdays,
    weeks,
)
from wildtool.language.lexicon import languages
from wildtool.language.numbers import with_digits

# Of a text of at most 60 characters whose runs of blanks are one blank each.
_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_HAN = re.compile(r"(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]")
_MONTH_FIRST = re.compile(r"([a-z]{3,9})\.?\s(\d{1,2}),?\s(\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})\s(?:of\s)?([a-z]{3,9})\.?,?\s(\d{4})")
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s(\d{1,2})(?=$|,|\s)")
_DAY_MONTH = re.compile(r"(\d{1,2})\s(?:of\s)?([a-z]{3,9})\.?(?=$|,|\s)")
_HAN_DAY = re.compile(r"(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]")
_HALF_DAY = re.compile(r"(\d{1,2})\s?([ap])\.?m\.?")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d{0,20})?)?\s?([ap]\.?m\.?)?\s?(z|utc|gmt|[+-]\d{2}:?\d{2})?"
)
_MONTH_ALONE = re.compile(r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})|(?P<hy>\d{4})\s?年\s?(?P<hm>\d{1,2})\s?月")
_MONTH_YEAR = re.compile(r"([a-z]{3,9})\.?,?\s(\d{4})")
_DAY_NAME = re.compile(r"\A([a-z]{3,9}),?\s(?=.*\d)")
_DAYS_OF = {"day": 1, "week": 7, "fortnight": 14}
_MONTHS_OF = {"month": 1, "year": 12}


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Patterns over the words of all languages."""

    ending: re.Pattern[str]
    offset: re.Pattern[str]
    week: re.Pattern[str]
    clock: re.Pattern[str]
    weekday: re.Pattern[str]
    """Weekdays that hold a numeral: 周三."""


@cache
def _patterns() -> _Patterns:
    lengths = [word for word, unit in units().items() if unit in _DAYS_OF or unit in _MONTHS_OF]
    spaced = _any(word for word in lengths if word.isascii())
    joined = _any(word for word in lengths if not word.isascii())
    ahead, back = "|".join(macros("AFTER")), "|".join(macros("BEFORE"))
    joined_days = _any(word for word in weekdays() if not word.isascii())
    return _Patterns(
        re.compile(rf"(?<=\d)(?:{ordinal_endings()})\b"),
        re.compile(
            rf"in (?P<in>\d{{1,3}}|an?) (?P<in_unit>{spaced})(?![a-z])"
            rf"|(?P<off>\d{{1,3}}|an?) (?P<off_unit>{spaced}) (?P<way>ago|from now|later)"
            rf"|(?P<han>\d{{1,3}})\s?(?P<han_unit>{joined})(?:{ahead}|(?P<back>{back}))"
        ),
        re.compile(rf"({_any(weeks())})({joined_days})"),
        re.compile(rf"({_any(parts_of_day())})?\s?(\d{{1,2}})\s?[点时](?:\s?(半)|\s?(\d{{1,2}})\s?分?|整)?"),
        re.compile(joined_days),
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day, or both."""

    day: date | None
    clock: time | None
    """None where only the day is said."""
    rule: str
    """How it was read: ``date.format`` or ``date.relative``."""
    whole_month: bool = False
    """Only the month is said; ``day`` is its first."""

    def same(self, other: Moment, now: datetime) -> bool:
        """Do both mean the same? A day equals its midnight; where only one names an offset, the other has ``now``'s."""
        if (self.day is None) != (other.day is None) or self.whole_month != other.whole_month:
            return False
        if self.day is None or other.day is None:
            return self.clock == other.clock
        if self.clock is None and other.clock is None:
            return self.day == other.day
        return self._instant(now) == other._instant(now)

    def _instant(self, now: datetime) -> datetime:
        clock = self.clock or time()
        return datetime.combine(self.day or now.date(), clock, clock.tzinfo or now.tzinfo)


@lru_cache(maxsize=4096)
def read_moment(text: str, now: datetime) -> Moment | None:
    """The moment that the whole text means, or None. ``03/04/2024`` is ambiguous and so None; ``13/04/2024`` is not.

    ``now`` must know its offset.
    """
    words = " ".join(text.strip().lower().replace("，", ",").split())
    if not words or len(words) > 60:
        return None
    words = _patterns().ending.sub("", in_digits(words))
    words = re.sub(r"(\d)\.(\d{2})(?=\s*[ap]\.?m)", r"\1:\2", words)
    words = _HALF_DAY.sub(r"\1:00 \2m", words) if ":" not in words else words
    if words in named_times():
        return Moment(None, named_times()[words], "date.format")
    if (month := _month(words)) is not None:
        return Moment(month, None, "date.format", whole_month=True)
    if words in ("now", "现在"):
        return Moment(now.date(), now.time(), "date.relative")
    if (read := _read_clock(words)) is not None:
        return Moment(None, read.at, "date.format")
    if _CLOCK.fullmatch(words):
        return None
    day, rest, rule = _day(words, now)
    if day is None:
        return None
    rest = re.sub(r"^(?:t|,|at|\s)+", "", rest).strip()
    if not rest:
        return Moment(day, None, rule)
    read = Clock(named_times()[rest], 1.0) if rest in named_times() else _read_clock(rest)
    return Moment(day + timedelta(days=read.later), read.at, rule) if read is not None else None


def _month(words: str) -> date | None:
    """The month that the whole text names, as its first day."""
    try:
        if found := _MONTH_ALONE.fullmatch(words):
            return date(int(found["y"] or found["hy"]), int(found["m"] or found["hm"]), 1)
        if (found := _MONTH_YEAR.fullmatch(words)) and found[1] in months():
            return date(int(found[2]), months()[found[1]], 1)
    except ValueError:
        pass
    return None


def _read_clock(words: str) -> Clock | None:
    """The time of day that the whole text says; after midnight it is on the next day: 晚上12点."""
    if found := _CLOCK.fullmatch(words):
        at = _clock(found)
        return None if at is None else Clock(at, 1.0)
    found = _patterns().clock.fullmatch(words)
    if found is None:
        return None
    hour, minute = int(found[2]), 30 if found[3] else int(found[4] or 0)
    if hour > 23 or minute > 59:
        return None
    if found[1] is None:
        return Clock(time(hour, minute), 1.0)
    return resolve_clock(Said(hour=hour, minute=minute, part=Part(parts_of_day()[found[1]])), None, 0.5).options[0]


def in_digits(text: str) -> str:
    """The text with numerals before a unit or a measure word in digits, in any language: 三天后 is 3天后, 第二本 is 第2本."""
    for language in languages():
        text = with_digits(text, language, _patterns().weekday)
    return text


def _later(day: date, months: int) -> date:
    """The same day so many months on; the last day of a month that is shorter."""
    month = day.month - 1 + months
    year, month = day.year + month // 12, month % 12 + 1
    for number in (day.day, 30, 29, 28):
        try:
            return date(year, month, number)
        except ValueError:
            continue
    raise ValueError(months)


def _day(words: str, now: datetime) -> tuple[date | None, str, str]:
    """The day that the words begin with, what follows it, and the rule that read it."""
    try:
        for pattern, order in ((_ISO, (1, 3, 4)), (_HAN, (1, 2, 3))):
            if found := pattern.match(words):
                year, month, day = (int(found[group]) for group in order)
                return date(year, month, day), words[found.end() :], "date.format"
        if found := _COMPACT.fullmatch(words):
            return date(int(found[1]), int(found[2]), int(found[3])), "", "date.format"
        if (found := _MONTH_FIRST.match(words)) and found[1] in months():
            return date(int(found[3]), months()[found[1]], int(found[2])), words[found.end() :], "date.format"
        if (found := _DAY_FIRST.match(words)) and found[2] in months():
            return date(int(found[3]), months()[found[2]], int(found[1])), words[found.end() :], "date.format"
        if found := _NUMERIC.match(words):
            first, second = int(found[1]), int(found[3])
            if first > 12 or second > 12 or first == second:
                month, day = (second, first) if first > 12 else (first, second)
                return date(int(found[4]), month, day), words[found.end() :], "date.format"
            return None, words, ""
        today = now.date()
        if (found := _DAY_NAME.match(words)) and found[1] in weekdays():
            named, rest, rule = _day(words[found.end() :], now)
            # "Saturday, July 13" names its day twice, and means none if the two differ.
            agree = named is None or named.weekday() == weekdays()[found[1]]
            return (named, rest, rule) if agree else (None, words, "")
        if found := _patterns().week.match(words):
            monday = today - timedelta(days=today.weekday()) + timedelta(weeks=weeks()[found[1]])
            return monday + timedelta(days=weekdays()[found[2]]), words[found.end() :], "date.relative"
        # Without a year: that of now.
        if (found := _MONTH_DAY.match(words)) and found[1] in months():
            return date(today.year, months()[found[1]], int(found[2])), words[found.end() :], "date.relative"
        if (found := _DAY_MONTH.match(words)) and found[2] in months():
            return date(today.year, months()[found[2]], int(found[1])), words[found.end() :], "date.relative"
        if found := _HAN_DAY.match(words):
            return date(today.year, int(found[1]), int(found[2])), words[found.end() :], "date.relative"
        for phrase in sorted(relative_days(), key=len, reverse=True):
            if words.startswith(phrase):
                return today + timedelta(days=relative_days()[phrase]), words[len(phrase) :], "date.relative"
        if found := _patterns().offset.match(words):
            number = found["in"] or found["off"] or found["han"]
            steps = 1 if number in ("a", "an") else int(number)
            steps = -steps if found["way"] == "ago" or found["back"] else steps
            unit = units()[found["in_unit"] or found["off_unit"] or found["han_unit"]]
            if unit in _DAYS_OF:
                return today + timedelta(days=_DAYS_OF[unit] * steps), words[found.end() :], "date.relative"
            return _later(today, _MONTHS_OF[unit] * steps), words[found.end() :], "date.relative"
        if (found := re.fullmatch(r"last ([a-z]+)", words)) and found[1] in weekdays():
            behind = (today.weekday() - weekdays()[found[1]]) % 7 or 7
            return today - timedelta(days=behind), "", "date.relative"
        bare = re.sub(r"^(?:next|this|coming|on)\s+", "", words)
        if bare in weekdays():
            # The coming one; "next Friday" said on a Monday is ambiguous, and read as the coming one too.
            ahead = (weekdays()[bare] - today.weekday()) % 7 or 7
            return today + timedelta(days=ahead), "", "date.relative"
    except ValueError:  # no such day, as 2024-02-30
        return None, words, ""
    return None, words, ""


def _clock(found: re.Match[str]) -> time | None:
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    half = (found[5] or "").replace(".", "")
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    zone = (found[6] or "").upper()
    zone = "+00:00" if zone in ("Z", "UTC", "GMT") else zone
    try:
        return time.fromisoformat(f"{hour:02}:{minute:02}:{second:02}.{(found[4] or '0').ljust(6, '0')}{zone}")
    except ValueError:
        return None
