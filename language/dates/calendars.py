"""Days that a calendar gives: feasts of a year, days of the Chinese year, ends of months and quarters."""

from __future__ import annotations

import tomllib
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

TERM_DAYS = (
    5.4055, 20.12, 3.87, 18.73, 5.63, 20.646, 4.81, 20.1, 5.52, 21.04, 5.678, 21.37,
    7.108, 22.83, 7.5, 23.13, 7.646, 23.042, 8.318, 23.438, 7.438, 22.36, 7.18, 21.94,
)  # fmt: skip
"""Mean day of month of each solar term in the years 2000 to 2099, minor cold first; within a day of the observatory's."""


@cache
def _table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("wildtool.language.dates") / f"{name}.toml").read_text(encoding="utf-8"))


def month_end(year: int, month: int) -> date:
    """The last day of a month."""
    return date(year, month, monthrange(year, month)[1])


def add_months(day: date, months: int) -> date:
    """The same day of month so many months on, or the last day of a month that is shorter.

    Raises ``ValueError`` for a year before 1 or after 9999.
    """
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def add_workdays(day: date, count: int) -> date:
    """The working day so many working days on; public holidays are not known here."""
    step = 1 if count >= 0 else -1
    weeks, rest = divmod(abs(count), 5)
    day += timedelta(days=7 * weeks * step)
    while rest:
        day += timedelta(days=step)
        rest -= day.weekday() < 5
    return day


def easter(year: int) -> date:
    """Easter Sunday of the western churches (Meeus, Jones, Butcher)."""
    a, (b, c) = year % 19, divmod(year, 100)
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(first: date, last: date, weekday: int, which: int) -> date | None:
    """The ``which``-th such weekday between two days, counted from the end where negative; None where there is none."""
    if which > 0:
        day = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (which - 1))
    else:
        day = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-which - 1))
    return day if first <= day <= last else None


def lunar_day(year: int, month: int, day: int) -> date | None:
    """The day of a Chinese year (day 0 of month 12: its last); None outside of 2014 to 2040 or where there is no such day."""
    row = _table("lunar")["years"].get(str(year))
    if row is None:
        return None
    begins, lengths, leap = str(row).split()
    months = [29 + int(long) for long in lengths]
    first = date.fromisoformat(begins)
    if month == 12 and day == 0:
        return first + timedelta(days=sum(months) - 1)
    place = month - 1 + (1 if int(leap) and month > int(leap) else 0)
    if not 1 <= month <= 12 or not 1 <= day <= months[place]:
        return None
    return first + timedelta(days=sum(months[:place]) + day - 1)


def solar_term(year: int, number: int) -> date:
    """The day of a solar term, 0 being minor cold in January."""
    short = year % 100
    # The four terms before March count the leap days of past years only.
    leaps = (short - 1) // 4 if number < 4 else short // 4
    return date(year, number // 2 + 1, int(short * 0.2422 + TERM_DAYS[number]) - leaps)


def feast_days(key: str, year: int) -> tuple[date, ...]:
    """Days in a Gregorian year that bear the name; empty where the table ends. Raises ``KeyError`` for an unknown key."""
    how = _table("feasts")[key]
    found: Sequence[date | None]
    if "fixed" in how:
        month, day = map(int, how["fixed"].split("-"))
        found = (date(year, month, day),)
    elif "easter" in how:
        found = (easter(year) + timedelta(days=how["easter"]),)
    elif "nth" in how:
        which, weekday, month = how["nth"]
        found = (nth_weekday(date(year, month, 1), month_end(year, month), weekday, which),)
    elif "lunar" in how:
        month, day = map(int, how["lunar"].split("-"))
        found = [lunar_day(chinese, month, day) for chinese in (year - 1, year)]
    elif "term" in how:
        found = (solar_term(year, how["term"]),)
    else:
        found = [date.fromisoformat(text) for text in how["table"]]
    days = (day + timedelta(days=how.get("plus", 0)) for day in found if day is not None)
    return tuple(day for day in days if day.year == year)


def feast_doubt(key: str) -> tuple[float, str | None]:
    """The probability that the named day is meant, and the key of the other day that may be."""
    how = _table("feasts")[key]
    return float(how.get("doubt", 1.0)), how.get("other")


def feast_spread(key: str) -> int:
    """How many days the holidays of a feast last by custom; 1 where they are the day itself."""
    return int(_table("feasts")[key].get("spread", 1))
