"""What an expression says of time before anybody knows which day it is: fields to be filled in from a clock."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from typing import Any

from wildtool.language.dates.moments import Part


class Way(StrEnum):
    """Which one of many a word before a name points at."""

    THIS = "this"
    NEXT = "next"
    LAST = "last"
    COMING = "coming"


class Unit(StrEnum):
    """Lengths of time, and stretches of a calendar."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WORKDAY = "workday"
    WEEK = "week"
    WEEKEND = "weekend"
    FORTNIGHT = "fortnight"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    SEASON = "season"
    YEAR = "year"
    DECADE = "decade"


class Edge(StrEnum):
    """A piece of a stretch."""

    START = "start"
    MIDDLE = "middle"
    END = "end"
    EARLY = "early"
    LATE = "late"
    FIRST_TEN = "first_ten"
    SECOND_TEN = "second_ten"
    LAST_TEN = "last_ten"
    FIRST_HALF = "first_half"
    SECOND_HALF = "second_half"


class Op(StrEnum):
    """How a derived day follows from its base."""

    SHIFT = "shift"
    """``amount`` later than the base, or than now."""
    EDGE = "edge"
    NTH = "nth"
    """The ``count``-th ``unit`` or ``weekday`` of the base; from the end where negative."""
    FIRST = "first"
    """The first ``count`` units of the base as one stretch; the last ones where negative."""
    WEEKDAY_AFTER = "weekday_after"
    WEEKDAY_BEFORE = "weekday_before"
    HOLDING = "holding"
    """The ``unit`` that holds the base."""
    WINDOW = "window"
    """The stretch of ``amount`` that begins or, where negative, ends now."""
    REST = "rest"
    """From now to the end of the base."""
    HOLIDAYS = "holidays"
    """The days off around the feast of the base."""


Amount = tuple[tuple[float, Unit], ...]
"""Lengths to be added up; negative to go back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Fields of one day, stretch or time; None where nothing is said."""

    year: int | None = None
    years: int | None = None
    """Years from this one; likewise ``months``, ``weeks``, ``days``."""
    month: int | None = None
    months: int | None = None
    day: int | None = None
    numeric: tuple[int, int] | None = None
    """Two numbers of which one is the month and the other the day."""
    lunar: bool | None = None
    """Month and day are of the Chinese year."""
    weekday: int | None = None
    weeks: int | None = None
    days: int | None = None
    way: Way | None = None
    feast: str | None = None
    unit: Unit | None = None
    ahead: int | None = None
    """Units from the current one."""
    index: int | None = None
    """Which quarter, half or season of the year."""
    op: Op | None = None
    base: Said | None = None
    amount: Amount | None = None
    count: int | None = None
    edge: Edge | None = None
    hour: int | None = None
    minute: int | None = None
    half: str | None = None
    """``am`` or ``pm``."""
    written: bool | None = None
    """The hour counts to 24 for sure."""
    colon: bool | None = None
    """The time is written in digits, as clocks of 24 hours show it too."""
    part: Part | None = None
    now: bool | None = None
    """The present instant, or its time of day on the day that is said."""
    also: Said | None = None
    """The same day in other words."""
    deadline: bool | None = None
    direction: int | None = None
    """-1: it lies behind, 1: ahead, whatever the verb says."""
    soft: bool | None = None
    """The words leave more than one reading open."""
    inclusive: bool | None = None
    certainty: float = 1.0

    @property
    def dated(self) -> bool:
        """It says something of a day."""
        return any(getattr(self, name) is not None for name in DATE_FIELDS)

    @property
    def timed(self) -> bool:
        """It says a time of day."""
        return self.hour is not None or bool(self.now)

    @property
    def free(self) -> bool:
        """Its day recurs, and the clock must choose which one is meant."""
        named = (self.month, self.day, self.weekday, self.feast, self.numeric, self.index)
        fixed = (self.year, self.years, self.months, self.weeks, self.days, self.way, self.op, self.ahead)
        return any(one is not None for one in named) and all(one is None for one in fixed)


@dataclass(frozen=True, slots=True)
class Between:
    """A stretch from one expression to another, both included; None where it is open."""

    start: Said | None
    end: Said | None
    certainty: float = 1.0


DATE_FIELDS = (
    "year", "years", "month", "months", "day", "numeric", "weekday", "weeks", "days", "feast", "unit", "ahead", "index", "op",
)  # fmt: skip
CALENDAR_FIELDS = (*DATE_FIELDS, "base", "amount", "count", "edge", "way", "lunar", "also", "direction", "soft")
"""All that tells the day and not the hour."""
_ENUMS: Mapping[str, type[StrEnum]] = {"way": Way, "unit": Unit, "edge": Edge, "op": Op, "part": Part}
_LIMITS = {"day": (0, 31), "month": (1, 12), "hour": (0, 24), "minute": (0, 59), "year": (1900, 2100), "index": (1, 4)}


@cache
def _names() -> tuple[str, ...]:
    return tuple(one.name for one in fields(Said) if one.name != "certainty")


def from_table(table: Mapping[str, Any]) -> Said:
    """Fields as a word file writes them. Raises ``TypeError`` or ``ValueError`` for a field or value that is none."""
    found: dict[str, Any] = {}
    for name, value in table.items():
        if name == "base":
            value = from_table(value)
        elif name == "amount":
            value = tuple((float(count), Unit(unit)) for count, unit in value)
        found[name] = _ENUMS[name](value) if name in _ENUMS else value
    return Said(**found)


def valid(said: Said) -> bool:
    """No field lies outside of what clocks and calendars know."""
    for name, (least, most) in _LIMITS.items():
        value = getattr(said, name)
        if value is not None and not least <= value <= most:
            return False
    return said.hour != 24 or not said.minute


def merge(first: Said, second: Said) -> Said | None:
    """Both at once; None where they say different things of one field."""
    changed: dict[str, Any] = {}
    for name in _names():
        theirs = getattr(second, name)
        if theirs is None:
            continue
        ours = getattr(first, name)
        if ours is not None and ours != theirs:
            return None
        changed[name] = theirs
    return replace(first, certainty=first.certainty * second.certainty, **changed)
