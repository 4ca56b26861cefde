"""What a text says of days: the days and stretches that an argument may hold, and whether all of it could be read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Any

from wildtool.language.dates.calendars import add_months, month_end
from wildtool.language.dates.cascade import fold
from wildtool.language.dates.moments import Moment, MomentKind, Part, Point
from wildtool.language.dates.reading import read_dates
from wildtool.language.lexicon import readable, words
from wildtool.language.quantities import read_quantities
from wildtool.language.spans import Span
from wildtool.language.units import convert, dimension

LIKELY = 0.86
"""Least certainty, over all readings of an expression, at which it rules out other days: "the 3rd" may be an item."""
FAINT = 0.05
"""Readings below it are not what anybody means."""


@dataclass(frozen=True)
class Spoken:
    """What a text says of days."""

    days: frozenset[date]
    """Days that it may mean, every reading; the neighbours of an open end, and the same day of other months or years."""
    spans: tuple[tuple[date, date], ...]
    """First and last day of each stretch that it may mean, with the days that people count in by custom."""
    unclear: bool
    """It also speaks of time in words that name no day, or that may mean something else."""
    ends: frozenset[date] = frozenset()
    """Of the days, those that only follow from a length: "on the 1st for ten days"."""
    named: tuple[tuple[date, date, str], ...] = ()
    """First day, last day and words of each reading, in order of appearance."""

    def __bool__(self) -> bool:
        return bool(self.days or self.spans)

    def allows(self, day: date) -> bool:
        """The text may mean this day."""
        return day in self.days or any(first <= day <= last for first, last in self.spans)

    def words(self, day: date) -> str | None:
        """The words that name exactly this day, or an end of a stretch; None where none do."""
        by_day = (said for first, last, said in self.named if first == last == day)
        by_end = (said for first, last, said in self.named if day in (first, last))
        return next(by_day, None) or next(by_end, None)

    def words_around(self, day: date) -> str | None:
        """The words of the first stretch that holds this day; None where none does."""
        return next((said for first, last, said in self.named if first <= day <= last), None)


@dataclass(frozen=True)
class Words:
    """The table ``said`` of a language and of those mixed into it, compiled."""

    unclear_days: re.Pattern[str]
    unclear_times: re.Pattern[str]
    now: re.Pattern[str]
    about: re.Pattern[str]
    parts: Mapping[Part, re.Pattern[str]]
    nights: frozenset[str]


@cache
def said_words(language: str) -> Words:
    """What rules ask beside the readings. Raises ``RegistryError`` for a language without words of dates."""
    own = words(language, "dates")
    tables = [own, *(words(other, "dates") for other in own.get("also", ()))]

    def joined(expressions: list[str]) -> re.Pattern[str]:
        return re.compile("|".join(f"(?:{one})" for one in expressions) or r"(?!)", re.ASCII)

    def of(key: str) -> re.Pattern[str]:
        return joined([one for table in tables for one in table["said"][key]])

    return Words(
        unclear_days=of("unclear_days"),
        unclear_times=of("unclear_times"),
        now=of("now"),
        about=of("about"),
        parts={part: joined([one for table in tables for one in _part_words(table, part)]) for part in Part},
        nights=frozenset(one for table in tables for one in table["said"]["nights"]),
    )


def _part_words(table: Mapping[str, Any], part: Part) -> list[str]:
    edge = r"\b" if table["spaced"] else ""
    plain = [f"{edge}{re.escape(one)}{edge}" for one in table["lexicon"]["part"]["values"].get(part, ())]
    return [*plain, *table["said"]["parts"].get(part, ())]


@lru_cache(maxsize=2048)  # rules ask again and again of the texts of one session
def expressions(text: str, language: str, now: str) -> tuple[Span[Moment], ...]:
    """Every expression of time in a text, seen from ``now`` (ISO 8601); languages that nobody registered have stand-ins."""
    return read_dates(text, readable(language), datetime.fromisoformat(now))


@lru_cache(maxsize=2048)
def when_said(text: str, language: str, now: str) -> Spoken:
    """The days and stretches that a text names, seen from ``now`` (ISO 8601)."""
    today = datetime.fromisoformat(now).date()
    exact: set[date] = set()
    beside: set[date] = set()
    named: list[tuple[date, date, str]] = []
    unclear = False
    found = expressions(text, language, now)
    dates = [
        [one for one in span.readings if one.certainty >= FAINT and _bounds(one.value) != (None, None)]
        for span in found
    ]
    for span, dated in zip(found, dates, strict=True):
        if not dated:
            continue
        likely = sum(one.certainty for one in dated) >= LIKELY
        if span.ambiguous:
            # "On 04/03, er, April 3rd": what is said in other words tells which reading is meant.
            others = {
                _bounds(one.value) for each, at in zip(dates, found, strict=True) if at is not span for one in each
            }
            dated = [one for one in dated if _bounds(one.value) in others] or dated
        fuzzy = span.ambiguous and len(dated) == 1 and dated[0].value.kind in (MomentKind.RANGE, MomentKind.MONTH)
        unclear = unclear or not likely or (fuzzy and None not in _bounds(dated[0].value))
        for reading in dated:
            first, last = _bounds(reading.value)
            open_end = reading.value.deadline or first is None or last is None
            first, last = first or last, last or first
            assert first is not None and last is not None
            named.append((first, last, span.text))
            if first == last:
                exact.add(first)
                beside |= _recurring(first, span, language)
            beside |= (
                {one + timedelta(days=step) for one in {first, last} for step in (-1, 0, 1)} if open_end else set()
            )
    spans = [_customary(first, last, today) for first, last, _ in named if first != last]
    spans = [one for one in spans if not (_is_weekend(*one) and any(one[0] <= day <= one[1] for day in exact))]
    rolling = [one for first, last, _ in named if first != last for one in _rolling(first, last, today)]
    ends = {day + length for day in exact for length in _lengths(text, language, found)} - exact - beside
    return Spoken(
        frozenset(exact | beside | ends),
        (*spans, *rolling),
        unclear or left_over(said_words(readable(language)).unclear_days, text, found),
        frozenset(ends),
        tuple(named),
    )


def now_said(text: str, language: str) -> str | None:
    """The words of a text that speak of the present; None where none do."""
    hit = said_words(readable(language)).now.search(fold(text))
    return text[hit.start() : hit.end()] if hit else None


def _recurring(day: date, span: Span[Moment], language: str) -> set[date]:
    """The same day of the months or years around, where no month or no year is said: what was spoken of tells which.

    Seen from the day after, "the 20th" is that of the next month and "20 July" that of the next year.
    """
    if span.best.value.kind not in (MomentKind.DATE, MomentKind.DATETIME):
        return set()
    following = datetime.combine(day + timedelta(days=1), time(9))
    again = [day_of(one.best.value.start) for one in expressions(span.text, language, following.isoformat())]
    steps = [months for months in (1, 12) if again[:1] == [add_months(day, months)]]
    around = (add_months(day, sign * months) for months in steps for sign in (-1, 1))
    return {moved for moved in around if moved.day == day.day}


def left_over(pattern: re.Pattern[str], text: str, found: tuple[Span[Moment], ...]) -> bool:
    """Does the pattern match anything outside of what was read?"""
    return any(
        not any(span.start <= match.start() and match.end() <= span.end for span in found)
        for match in pattern.finditer(fold(text))
    )


def day_of(point: Point | None) -> date | None:
    """The day of a point; None for a time of day."""
    match point:
        case datetime():
            return point.date()
        case date():
            return point
        case _:
            return None


def _bounds(moment: Moment) -> tuple[date | None, date | None]:
    if moment.kind in (MomentKind.RANGE, MomentKind.MONTH):
        return day_of(moment.start), day_of(moment.end)
    return day_of(moment.start), day_of(moment.start)


def _lengths(text: str, language: str, found: tuple[Span[Moment], ...]) -> set[timedelta]:
    """Lengths of stays: three nights end on the third day after the first one, or with the second."""
    nights = said_words(readable(language)).nights
    lengths: set[timedelta] = set()
    for span in read_quantities(text, readable(language)):
        if any(one.start < span.end and span.start < one.end for one in found):
            continue
        value, unit = span.best.value.value, span.best.value.unit or ""
        if not isinstance(value, int | float):
            continue
        days = value if unit in nights else convert(value, unit, "day") if dimension(unit) == "time" else None
        if days is not None and 1 <= days <= 400 and days == int(days):
            lengths |= {timedelta(days=int(days)), timedelta(days=int(days) - 1)}
    return lengths


def _is_weekend(first: date, last: date) -> bool:
    return first.weekday() >= 4 and (last - first).days <= 3 and last.weekday() in (6, 0)


def _customary(first: date, last: date, today: date) -> tuple[date, date]:
    """A stretch with the days that may be counted in: from Friday to Monday for a weekend, a day more from or to today."""
    if first.weekday() == 5 and (last - first).days == 1:
        return first - timedelta(days=1), last + timedelta(days=1)
    return first - timedelta(days=last == today), last + timedelta(days=first == today)


def _rolling(first: date, last: date, today: date) -> list[tuple[date, date]]:
    """As many days up to now, or from now on, where a week or month of the calendar is named: "last week"."""
    week = first.weekday() == 0 and (last - first).days == 6
    month = first.day == 1 and last == month_end(first.year, first.month)
    if not week and not month:
        return []
    length = timedelta(days=8 if week else 32)
    if first <= today <= last:
        return [(today, today + timedelta(days=7))] if week else []
    if timedelta() < today - last <= length:
        return [(today - length, today)]
    if timedelta() < first - today <= length:
        return (
            [(today + timedelta(days=7), today + timedelta(days=7 if week else 32))]
            if week
            else [(today + timedelta(days=28), today + timedelta(days=32))]
        )
    return []
