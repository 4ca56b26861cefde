"""What a text says of times of day: the times and stretches that an argument may hold, in minutes since midnight."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache

from wildtool.language.dates.cascade import fold
from wildtool.language.dates.moments import Moment, MomentKind, Part, Point
from wildtool.language.dates.spoken import FAINT, expressions, left_over, said_words
from wildtool.language.lexicon import readable
from wildtool.language.quantities import read_quantities
from wildtool.language.spans import Span
from wildtool.language.units import convert, dimension

DAY = 24 * 60
LIKELY = 0.6
"""Least certainty, over all readings of an expression, at which it rules out other times."""
_HOURS = {
    Part.MORNING: ((4 * 60, 12 * 60 + 30),),
    Part.NOON: ((11 * 60, 15 * 60),),
    Part.AFTERNOON: ((12 * 60, 19 * 60),),
    Part.EVENING: ((16 * 60, DAY),),
    Part.NIGHT: ((18 * 60, DAY), (0, 6 * 60)),
}
"""Minutes at which a part of the day may begin and end."""
_ABOUT, _RECKONED, _BESIDE, _NEAR = 30, 15, 10, 24
"""Minutes around "about eight" and around "in two hours"; characters beside a time in which "about" belongs to it, and in
which a part of the day says which half is meant."""


@dataclass(frozen=True)
class Clock:
    """What a text says of times of day."""

    times: frozenset[int]
    """Times it names, every reading."""
    spans: tuple[tuple[int, int], ...]
    """First and last minute of each stretch that it names beside them ("after eight", "around noon", "in the evening")."""
    unclear: bool
    """It also speaks of time in words that name no time of day."""

    def __bool__(self) -> bool:
        return bool(self.times or self.spans)

    def allows(self, minute: int) -> bool:
        """The text may mean this time."""
        return minute in self.times or any(first <= minute <= last for first, last in self.spans)


@lru_cache(maxsize=2048)  # rules ask again and again of the texts of one session
def times_said(text: str, language: str, now: str) -> Clock:
    """The times of day that a text names, seen from ``now`` (ISO 8601)."""
    said = said_words(readable(language))
    folded = fold(text)
    moment = datetime.fromisoformat(now)
    clock = moment.hour * 60 + moment.minute
    times: set[int] = set()
    spans: list[tuple[int, int]] = []
    found = expressions(text, language, now)
    unclear = left_over(said.unclear_times, text, found)
    lengths = _lengths(text, language, found)
    parts = _parts(found) + [
        (part, one.start()) for part, pattern in said.parts.items() for one in pattern.finditer(folded)
    ]
    for span in found:
        readings = [one.value for one in span.readings if one.certainty >= FAINT]
        timed = [one for one in readings if any(_minute(point) is not None for point in (one.start, one.end))]
        near = {part for part, at in parts if span.start - _NEAR <= at <= span.end + _NEAR}
        timed = [one for one in timed if _within(one, near)] or timed
        if timed and sum(one.certainty for one in span.readings) < LIKELY:
            unclear = True
        about = said.about.search(folded[max(0, span.start - _BESIDE) : span.end + _BESIDE])
        slack = _RECKONED if timed and _reckoned(span, language, now) else _ABOUT if about else 0
        for one in timed:
            named, stretches = _of(one)
            times |= named
            spans += [(first, last) for first, last in stretches if not (lengths and last == DAY)]
            spans += [((at - slack) % DAY, (at + slack) % DAY) for at in named if slack]
    # An end may be said as a length: "from seven, for two hours".
    times |= {(at + sign * length) % DAY for at in set(times) for length in lengths for sign in (1, -1)}
    if left_over(said.now, text, found):
        spans.append(((clock - _RECKONED) % DAY, (clock + _RECKONED) % DAY))
    if not times:
        spans += [hours for part in Part if part in {one for one, _ in parts} for hours in _HOURS[part]]
    wrapped = [(first, DAY) if first > last else (first, last) for first, last in spans]
    wrapped += [(0, last) for first, last in spans if first > last]
    return Clock(frozenset(times), tuple(wrapped), unclear)


def _parts(found: tuple[Span[Moment], ...]) -> list[tuple[Part, int]]:
    """Parts of the day that are read with a day, each with its place."""
    return [(one.value.part, span.start) for span in found for one in span.readings if one.value.part is not None]


def _within(moment: Moment, parts: set[Part]) -> bool:
    """Does the time lie in one of the parts of the day?"""
    at = _minute(moment.start if moment.start is not None else moment.end)
    return at is not None and any(first <= at <= last for part in parts for first, last in _HOURS[part])


def _minute(point: Point | None) -> int | None:
    match point:
        case datetime() | time():
            return point.hour * 60 + point.minute
        case date() | None:
            return None


def _of(moment: Moment) -> tuple[set[int], list[tuple[int, int]]]:
    """The times that a moment names, and the stretches that it leaves open or spans."""
    if moment.kind is not MomentKind.RANGE:
        at = _minute(moment.start)
        named = set() if at is None else {at}
        return named, [(0, one) for one in named if moment.deadline]
    first, last = _minute(moment.start), _minute(moment.end)
    named = {one for one in (first, last) if one is not None}
    if first is not None and last is not None:
        return named, [(first, last)]
    if moment.end is None and first is not None:
        return named, [(first, DAY)]
    return named, [(0, last)] if moment.start is None and last is not None else []


def _reckoned(span: Span[Moment], language: str, now: str) -> bool:
    """Is the time counted from the clock ("in two hours") instead of named?"""
    if span.best.value.kind is not MomentKind.DATETIME:
        return False
    later = datetime.fromisoformat(now) + timedelta(minutes=7)
    again = expressions(span.text, language, later.isoformat())
    here = expressions(span.text, language, now)
    return [_minute(one.best.value.start) for one in here] != [_minute(one.best.value.start) for one in again]


def _lengths(text: str, language: str, found: tuple[Span[Moment], ...]) -> set[int]:
    """Lengths in minutes that stand beside what was read as time."""
    lengths: set[int] = set()
    for span in read_quantities(text, readable(language)):
        if any(one.start < span.end and span.start < one.end for one in found):
            continue
        value, unit = span.best.value.value, span.best.value.unit or ""
        if isinstance(value, int | float) and dimension(unit) == "time":
            minutes = convert(value, unit, "min") or 0
            lengths |= {round(minutes)} if 0 < minutes < DAY else set()
    return lengths
