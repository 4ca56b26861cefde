"""Compare the values of arguments and rows: numbers in one form, texts without case, days and moments as spans of time."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from math import asin, cos, radians, sin, sqrt
from typing import Any

from wildtool.language.folding import plain

_NUMBER = re.compile(r"[-+]?\d{1,15}(?:\.\d{1,15})?$")
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$")

_SECONDS = (10**8, 10**11)
"""Numbers read as Unix seconds: 1973 to 5138. Larger ones are milliseconds, smaller ones years or plain numbers."""

Span = tuple[datetime, datetime]
"""First and last instant, both included."""


@lru_cache(maxsize=1 << 14)
def _steps(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


def dig(value: Any, path: str) -> Any:
    """Return the value at a path of names (``price.amount``); None where nothing is."""
    for step in _steps(path):
        if not isinstance(value, Mapping):
            return None
        value = value.get(step)
    return value


def put(value: dict[str, Any], path: str, held: Any) -> None:
    """Set the value at a path of names, in place; missing objects are made."""
    *outer, last = _steps(path)
    for step in outer:
        inner = value.get(step)
        value[step] = value = dict(inner) if isinstance(inner, Mapping) else {}
    value[last] = held


def form(value: Any) -> str:
    """Return the one form of a value by which keys are found: ``25``, ``25.0`` and ``"25"`` are one, texts lose their case."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return _number_form(float(value))
    if isinstance(value, str):
        text = plain(value)
        return _number_form(float(text)) if _NUMBER.match(text) and not _padded(text) else text
    if isinstance(value, Sequence):
        return "\x1f".join(form(each) for each in value)
    return str(value)


def _padded(text: str) -> bool:
    """Return whether leading zeros make it a code: ``007`` and ``7`` are two."""
    return len(text) > 1 and text[0] == "0" and text[1] != "."


def _number_form(value: float) -> str:
    return str(int(value)) if value.is_integer() else repr(value)


def equal(left: Any, right: Any) -> bool:
    """Return whether two values are the same thing; lists as sets of values."""
    if isinstance(left, list) and isinstance(right, list):
        return sorted(map(form, left)) == sorted(map(form, right))
    return left == right or form(left) == form(right)


def number(value: Any) -> float | None:
    """Return a value as a number; None where it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    return float(value) if isinstance(value, str) and _NUMBER.match(value.strip()) else None


@lru_cache(maxsize=1 << 14)
def _text_span(text: str) -> Span | None:
    if day := _DAY.match(text):
        year, month, date = int(day[1]), int(day[2] or 0), int(day[3] or 0)
        try:
            first = datetime(year, month or 1, date or 1)
            last = datetime(year, month or 12, date or monthrange(year, month or 12)[1], 23, 59, 59)
        except ValueError:
            return None
        return first, last
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    if moment.tzinfo is not None:
        moment = moment.astimezone(UTC).replace(tzinfo=None)
    return moment, moment


def span(value: Any) -> Span | None:
    """Return the span of time that a value names: ISO text of a year, month, day or moment, a year, Unix (milli)seconds."""
    if isinstance(value, str):
        text = value.strip()
        return _text_span(text) or (span(int(text)) if text.isdigit() and len(text) in (10, 13) else None)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if 1000 <= value <= 9999 and float(value).is_integer():
        return _text_span(str(int(value)))
    seconds = value / 1000 if value >= _SECONDS[1] else value
    if not _SECONDS[0] <= seconds < _SECONDS[1]:
        return None
    moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
    return moment, moment


def below(held: Any, bound: Any) -> bool | None:
    """Return whether a value lies below a bound, neither at it nor inside it; None where they cannot be compared."""
    one, other = number(held), number(bound)
    if one is not None and other is not None and not (isinstance(held, str) and len(held) in (10, 13)):
        return one < other
    at, of = span(held), span(bound)
    if at is not None and of is not None:
        return at[0] < of[0]
    if isinstance(held, str) and isinstance(bound, str):
        return plain(held) < plain(bound)
    return None


def above(held: Any, bound: Any) -> bool | None:
    """Return whether a value lies above a bound, neither at it nor inside it; None where they cannot be compared."""
    one, other = number(held), number(bound)
    if one is not None and other is not None and not (isinstance(held, str) and len(held) in (10, 13)):
        return one > other
    at, of = span(held), span(bound)
    if at is not None and of is not None:
        return at[1] > of[1]
    if isinstance(held, str) and isinstance(bound, str):
        return plain(held) > plain(bound)
    return None


def listed(value: Any) -> list[Any]:
    """Return the items of a list argument; text is split at commas."""
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [part.strip() for part in re.split(r"[,，;|]", value) if part.strip()]
    return [value]


def sort_key(value: Any) -> tuple[int, float, str]:
    """Return a key that orders all JSON values: numbers and moments first, then texts, absent ones last."""
    if value is None:
        return (2, 0.0, "")
    if isinstance(value, bool):
        return (0, float(value), "")
    if (figure := number(value)) is not None:
        return (0, figure, "")
    if isinstance(value, str):
        return (1, 0.0, plain(value))
    return (1, 0.0, str(value))


def kilometres(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Return the great-circle distance of two places given in degrees (haversine, mean Earth radius 6,371 km)."""
    one, other = radians(latitude), radians(other_latitude)
    half = sin((other - one) / 2) ** 2 + cos(one) * cos(other) * sin(radians(other_longitude - longitude) / 2) ** 2
    return 2 * 6371.0 * asin(sqrt(min(1.0, half)))
