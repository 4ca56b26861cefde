"""Lay out the points in time of a series."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, assert_never

from wildtool.schemas.base import JsonObject
from wildtool.schemas.world import ErrorKind, Window
from wildtool.worlds.selection import Refused
from wildtool.worlds.values import dig, number, span

MOST_POINTS = 400
"""Points of one answer: a year of days and some."""

Step = Literal["minute", "hour", "day", "week", "month", "quarter", "year"]


def points(window: Window, arguments: JsonObject, now: str) -> list[datetime]:
    """Return the points that a call asks for, oldest first, in UTC without offset.

    Raises ``Refused`` for a window that ends before it starts, a count below one and what is no moment.
    """
    here = datetime.fromisoformat(now).astimezone(UTC).replace(tzinfo=None)
    if (at := _moment(window.at, arguments, first=True)) is not None:
        return [floor(at, window.step)]
    count = _count(window, arguments)
    start, end = _moment(window.start, arguments, first=True), _moment(window.end, arguments, first=False)
    if start is not None and end is not None and end < start:
        raise Refused(ErrorKind.INVALID_ARGUMENT, str(window.end))
    if start is None and end is None:
        first = floor(here, window.step)
        start = first if window.ahead else moved(first, window.step, 1 - count)
    elif start is None:
        assert end is not None
        start = moved(floor(end, window.step), window.step, 1 - count)
    if end is None:
        end = moved(floor(start, window.step), window.step, count - 1)
    found: list[datetime] = []
    at = floor(start, window.step)
    while at <= end and len(found) < MOST_POINTS:
        if at >= start or window.step != "hour":
            found.append(at)
        at = moved(at, window.step, 1)
    if window.count is not None and dig(arguments, window.count) is not None:
        found = found[:count]
    return found


def _count(window: Window, arguments: JsonObject) -> int:
    value = dig(arguments, window.count) if window.count is not None else None
    figure = number(value) if value is not None else float(window.default)
    if figure is None or figure < 1:
        raise Refused(ErrorKind.INVALID_ARGUMENT, str(window.count))
    return min(int(figure), MOST_POINTS)


def _moment(path: str | None, arguments: JsonObject, *, first: bool) -> datetime | None:
    value = dig(arguments, path) if path is not None else None
    if value in (None, "", "now", "latest", "today"):
        return None
    found = span(value)
    if found is None:
        raise Refused(ErrorKind.INVALID_ARGUMENT, str(path))
    return found[0] if first else found[1]


def floor(moment: datetime, step: Step) -> datetime:
    """Return the last point of the step's grid at or before a moment; weeks begin on Monday."""
    match step:
        case "minute":
            return moment.replace(second=0, microsecond=0)
        case "hour":
            return moment.replace(minute=0, second=0, microsecond=0)
        case "day":
            return moment.replace(hour=0, minute=0, second=0, microsecond=0)
        case "week":
            return floor(moment, "day") - timedelta(days=moment.weekday())
        case "month":
            return floor(moment, "day").replace(day=1)
        case "quarter":
            return floor(moment, "month").replace(month=(moment.month - 1) // 3 * 3 + 1)
        case "year":
            return floor(moment, "month").replace(month=1)
        case unknown:
            assert_never(unknown)


def moved(moment: datetime, step: Step, by: int) -> datetime:
    """Return the moment some steps later, or earlier; a month's end stays in its month."""
    match step:
        case "minute":
            return moment + timedelta(minutes=by)
        case "hour":
            return moment + timedelta(hours=by)
        case "day":
            return moment + timedelta(days=by)
        case "week":
            return moment + timedelta(weeks=by)
        case "month" | "quarter" | "year":
            months = moment.year * 12 + moment.month - 1 + by * {"month": 1, "quarter": 3, "year": 12}[step]
            year, month = divmod(months, 12)
            day = min(moment.day, monthrange(year, month + 1)[1])
            return moment.replace(year=year, month=month + 1, day=day)
        case unknown:
            assert_never(unknown)


def written(moment: datetime, window: Window) -> Any:
    """Write a point as the window's form asks."""
    match window.form:
        case "date":
            return moment.date().isoformat()
        case "date-time":
            return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
        case "seconds":
            return int(moment.replace(tzinfo=UTC).timestamp())
        case "milliseconds":
            return int(moment.replace(tzinfo=UTC).timestamp() * 1000)
        case "year":
            return moment.year
        case "month":
            return moment.strftime("%Y-%m")
        case "clock":
            return moment.strftime("%H:%M")
        case unknown:
            assert_never(unknown)
