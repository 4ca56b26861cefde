"""Days as a person writes them, by the session's clock."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from wildtool.language.lexicon import words


def today(now: str) -> date:
    """The day of a session's clock."""
    return datetime.fromisoformat(now).date()


def weekday(day: date, language: str) -> str:
    """Its name: ``Monday``, ``星期一``."""
    return str(_words(language)["weekdays"][day.weekday()])


def say_day(now: str, language: str, rng: Random, *, past: bool = False) -> tuple[date, str]:
    """A day near the clock and the words a person says for it; ``past`` for days gone by.

    Weekday names are only said for days that come later in the same week, so that nobody can misread them.
    """
    start = today(now)
    if past:
        day = start - timedelta(days=rng.choice((1, 5, 9, 14, 21, 33, 47)))
    else:
        day = start + timedelta(days=rng.choice((1, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 20)))
    return day, rng.choice(_ways(day, start, _words(language)))


def day_of_month(day: int, language: str) -> str:
    """A day without its month: ``the 14th``, ``14号``."""
    said = _words(language)
    return str(said["bare_day"]).format(ordinal=said["ordinals"][day - 1])


def _words(language: str) -> Mapping[str, Any]:
    table: Mapping[str, Any] = words(language, "dates")["say"]
    return table


def _ways(day: date, start: date, said: Mapping[str, Any]) -> list[str]:
    """The ways to say a day, seen from another one."""
    if near := said["relative"].get(str((day - start).days)):
        return [near]
    if day > start and day.isocalendar()[:2] == start.isocalendar()[:2]:
        return [said["this_week"][day.weekday()]]
    fields = {
        "month": said["months"][day.month - 1],
        "day": day.day,
        "ordinal": said["ordinals"][day.day - 1],
        "year": "" if day.year == start.year else said["of_year"].format(year=day.year),
        "iso": day.isoformat(),
    }
    return [way.format(**fields) for way in said["day"]]
