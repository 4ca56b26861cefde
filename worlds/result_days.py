"""Draw the days in made-up results: near the day asked for, one after another, with the right weekday."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from wildtool.language.day_phrases import today, weekday
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits
from wildtool.schemas.vocabulary import Language

_PAST = re.compile(
    r"^(?i:posted|published|created|updated|modified|released|registered|joined|ordered|issued|reported|recorded|observed"
    r"|founded|written|filed|uploaded|added|opened)(?:$|[A-Z_])"
)
"""Names of days on which something has happened."""

_WEEKDAY = ("weekday", "dayOfWeek", "day_of_week")
"""Names of fields that name the weekday of a thing's day."""

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def a_day(name: str, arguments: Mapping[str, Any], now: str, rng: Random) -> str:
    """Draw a day for a field: from the day asked for on, or among the last days where the field tells of the past."""
    days = timedelta(days=rng.randrange(0, 6))
    return ((today(now) - days) if _PAST.search(name) else (base_day(arguments, now) + days)).isoformat()


def base_day(arguments: Mapping[str, Any], now: str) -> date:
    """Return the first day that the call asks for; else the session's own."""
    for name, value in arguments.items():
        named = isinstance(value, str) and re.search(r"date|from|start|day", name, re.IGNORECASE)
        if named and _ISO_DAY.match(value):
            try:
                return date.fromisoformat(value[:10])
            except ValueError:
                continue
    return today(now)


def advance(item: JsonObject, index: int, arguments: Mapping[str, Any], now: str) -> None:
    """Let the days of a list follow one another, in place."""
    for name, value in item.items():
        if name in ("date", "day") and name not in arguments and _ISO_DAY.fullmatch(str(value)):
            item[name] = (base_day(arguments, now) + timedelta(days=index)).isoformat()


def name_weekday(item: JsonObject, schema: JsonObject, language: Language) -> None:
    """Correct the weekday of a thing that names its day, in place, as far as its schema allows."""
    fields = schema.get("properties", {})
    day = next((item[n] for n in ("date", "day", "startDate", "start_date") if isinstance(item.get(n), str)), "")
    for name in _WEEKDAY:
        if isinstance(item.get(name), str) and _ISO_DAY.fullmatch(day):
            named = weekday(date.fromisoformat(day), language)
            item[name] = named if fits(named, fields.get(name, {})) else item[name]
