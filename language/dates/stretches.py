"""Stretches of days that an expression may mean, and what the text around it tells."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from wildtool.language.dates.calendars import add_months, add_workdays
from wildtool.language.dates.moments import MomentKind
from wildtool.language.dates.said import Amount, Unit

DOUBTFUL = 0.85
"""Certainty of the way a name is looked up where no verb tells it and words of finished things stand beside it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the text around an expression tells."""

    now: datetime
    direction: int
    """-1 where the verb is past, 1 where it looks ahead, 0 where nothing tells."""
    doubt: float
    """Factor of certainty for a direction that words around it make doubtful; 1 for none."""
    half: str | None
    """``am`` or ``pm``, where what is spoken of belongs to one half of the day."""
    numeric: str
    colon: float

    @property
    def today(self) -> date:
        return self.now.date()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days that an expression may mean."""

    first: date
    last: date
    kind: MomentKind
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Days:
    """All stretches that an expression may mean, the likeliest first."""

    options: tuple[Stretch, ...]
    ambiguous: bool = False


def one_day(day: date, weight: float = 1.0) -> Stretch:
    return Stretch(day, day, MomentKind.DATE, weight)


def only(*options: Stretch, ambiguous: bool = False) -> Days:
    return Days(options, ambiguous)


def after(day: date, days: float) -> date:
    return day + timedelta(days=days)


def monday(day: date) -> date:
    """The Monday of its week."""
    return after(day, -day.weekday())


def days_between(first: date, last: date, weight: float = 1.0) -> Stretch:
    return Stretch(first, last, MomentKind.RANGE, weight)


def move(start: datetime, amount: Amount) -> tuple[datetime, bool, bool]:
    """The instant so much later; whether it is an instant rather than a day; whether half a month or year was counted."""
    fine = soft = False
    for value, unit in amount:
        match unit:
            case Unit.SECOND:
                start, fine = start + timedelta(seconds=value), True
            case Unit.MINUTE:
                start, fine = start + timedelta(minutes=value), True
            case Unit.HOUR:
                start, fine = start + timedelta(hours=value), True
            case Unit.DAY:
                start, fine = start + timedelta(days=value), fine or value != int(value)
            case Unit.WEEK:
                start, soft = start + timedelta(days=int(7 * value)), soft or value != int(value)
            case Unit.FORTNIGHT:
                start = start + timedelta(days=int(14 * value))
            case Unit.WORKDAY:
                start = datetime.combine(add_workdays(start.date(), int(value)), start.time())
            case Unit.WEEKEND:
                start = start + timedelta(days=int(7 * value))
            case _:
                months = value * {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF: 6, Unit.YEAR: 12, Unit.DECADE: 120}.get(
                    unit, 3
                )
                start = datetime.combine(add_months(start.date(), int(months)), start.time())
                if rest := months - int(months):
                    start, soft = start + timedelta(days=int(30 * rest)), True
    return start, fine, soft
