"""Draw days, moments and times of day around the session's clock, and write them as a schema wants them."""

from __future__ import annotations

import re
from calendar import day_name
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from wildtool.language.day_phrases import weekday
from wildtool.worlds.furnishing.data import joined, name_words, patterns
from wildtool.worlds.furnishing.facts import Facts

Form = str
"""``date``, ``date-time``, ``seconds``, ``milliseconds``, ``clock``, ``month``, ``year``, ``text-year``, ``minute``."""

_EPOCH = datetime(1970, 1, 1)
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?$")
_SHAPES = (
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d$"), "minute"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]"), "date-time"),
    (re.compile(r"\d{4}-\d\d-\d\d$"), "date"),
    (re.compile(r"\d{4}-\d\d$"), "month"),
    (re.compile(r"(?:1[89]|20)\d\d$"), "text-year"),
)
_TIMES = frozenset(
    "date datetime timestamp at on day time created updated modified published expires start end since until joined".split()
)
_CLOCKS = frozenset("sunrise sunset opens closes clock moonrise moonset hour dawn dusk opening closing".split())
_STAMPS = frozenset(("timestamp", "at", "epoch", "unixtime", "utc", "ts", "dt"))
_DATED = frozenset(("date", "created", "updated", "modified", "published", "expires"))


@lru_cache(maxsize=1 << 14)
def form_of(name: str, kind: str, schema_format: str, examples: tuple[Any, ...], *, timed: bool) -> Form | None:
    """Return how a field writes a time; None where it holds none. ``timed`` fields are known to hold one."""
    words = name_words(name)
    if kind in ("integer", "number"):
        figures = [each for each in examples if isinstance(each, int | float) and not isinstance(each, bool)]
        if figures:
            low, high = min(figures), max(figures)
            if low > 10**8 and high < 10**11:
                return "seconds" if timed or _STAMPS & set(words) or _DATED & set(words) or "time" in words else None
            if low > 10**11:
                return "milliseconds" if timed or {"time", "date", "ms"} & set(words) or _STAMPS & set(words) else None
            return "year" if all(1000 <= each <= 2200 for each in figures) and (timed or "year" in words) else None
        if words[-1:] == ("year",) or "year" in words[-2:] or (timed and "year" in words):
            return "year"
        if "ms" in words and (timed or _DATED & set(words)):
            return "milliseconds"
        plain_time = timed and not {"day", "month", "week", "hour", "minute", "duration"} & set(words)
        return "seconds" if plain_time or (words[-1:] and words[-1] in _STAMPS) or _DATED & set(words[-2:]) else None
    if schema_format in ("date", "date-time"):
        return schema_format
    if schema_format:
        return None
    texts = [each for each in examples if isinstance(each, str)]
    if texts:
        if all(_CLOCK.match(each) for each in texts):
            return "clock"
        shape = next((form for pattern, form in _SHAPES if all(pattern.match(each) for each in texts)), None)
        return shape if shape != "text-year" or "year" in words else None
    if not words:
        return None
    last = words[-1]
    if last in _CLOCKS or (last == "time" and {"opening", "closing", "open", "close"} & set(words)):
        return "clock"
    if last == "year":
        return "text-year" if timed or len(words) < 3 else None
    if last == "month" and timed:
        return "month"
    if timed or last in _TIMES - {"on", "start", "end", "day", "since", "until", "joined"} or "date" in words[-2:]:
        whole = {"at", "time", "timestamp", "datetime", "created", "updated", "modified"}
        return "date-time" if last in whole else "date"
    return "date" if last == "on" and len(words) > 1 and words[-2].endswith("ed") else None


@lru_cache(maxsize=1 << 14)
def days_range(name: str) -> tuple[int, int]:
    """Return between which days from the clock a time lies, by its field's name."""
    held = joined(name)
    row = next(rest for pattern, rest in patterns("numbers", "times") if pattern.search(held))
    return int(row[0]), int(row[1])


def moment_maker(
    name: str, form: Form, low_year: float | None = None, high_year: float | None = None
) -> Callable[[Facts], Any]:
    """Return what draws a field's times. Years keep within the schema's bounds."""
    low, high = days_range(name)
    if form == "clock":
        return _clock_maker(name)
    if form == "year" or form == "text-year":
        return _year_maker(low, high, low_year, high_year, text=form == "text-year")

    def draw(facts: Facts) -> Any:
        return write(moment(facts, low, high), form)

    return draw


def moment(facts: Facts, low: int, high: int) -> datetime:
    """Draw a quarter of an hour between two days from the clock; within the year that the row belongs to, if it has one."""
    now = facts.scene.now
    rand = facts.random
    if facts.day is not None:
        return datetime(facts.year if facts.year is not None else now.year, *facts.day)
    if facts.year is not None and (facts.year != now.year or not low <= 0 <= high):
        first = datetime(facts.year, 1, 1)
        at = first + timedelta(days=int(rand() * (365 if facts.year % 4 else 366)))
    else:
        at = now.replace(second=0, microsecond=0) + timedelta(days=low + int(rand() * (high - low + 1)))
    at = at.replace(hour=8 + int(rand() * 13), minute=15 * int(rand() * 4), second=0, microsecond=0)
    if high <= 0 and at > now:
        at = now.replace(second=0, microsecond=0) - timedelta(minutes=5 + int(rand() * 600))
    return at


def _year_maker(low: int, high: int, least: float | None, most: float | None, *, text: bool) -> Callable[[Facts], Any]:
    def draw(facts: Facts) -> Any:
        now = facts.scene.now.year
        if facts.year is not None:
            year = facts.year
        elif low < -800:
            year = now + low // 365 + int(facts.random() * ((high - low) // 365 + 1))
        elif least is not None and most is not None and most - least < 400:
            # Newer things are more common than old ones.
            top = min(int(most), now)
            year = top - int((top - int(least)) * facts.random() ** 2 * 0.6) if top > least else int(least)
        else:
            year = now - int(12 * facts.random() ** 2)
        if least is not None:
            year = max(year, int(least))
        if most is not None:
            year = min(year, int(most))
        return str(year) if text else year

    return draw


def _clock_maker(name: str) -> Callable[[Facts], Any]:
    words = set(name_words(name))
    early = words & {"open", "opens", "opening", "sunrise", "start", "from", "dawn", "begin"}
    late = words & {"close", "closes", "closing", "sunset", "end", "to", "dusk"}
    low, high = (6, 10) if early else (17, 22) if late else (7, 21)

    def draw(facts: Facts) -> Any:
        return f"{facts.whole(low, high):02}:{15 * int(facts.random() * 4):02}"

    return draw


def write(at: datetime, form: Form) -> Any:
    """Write a moment in UTC."""
    match form:
        case "date":
            return at.date().isoformat()
        case "seconds":
            return int((at - _EPOCH).total_seconds())
        case "milliseconds":
            return int((at - _EPOCH).total_seconds()) * 1000
        case "minute":
            return at.isoformat()[:16]
        case "month":
            return at.isoformat()[:7]
        case "clock":
            return at.isoformat()[11:16]
        case "year":
            return at.year
        case "text-year":
            return str(at.year)
        case _:
            return at.isoformat(timespec="seconds") + "Z"


def written_like(at: datetime, held: Any) -> Any:
    """Write a moment as another one of the same field is written."""
    if isinstance(held, bool) or held is None:
        return held
    if isinstance(held, int | float):
        if 1000 <= held <= 9999:
            return at.year
        return write(at, "milliseconds" if held > 10**11 else "seconds")
    text = str(held)
    if _CLOCK.match(text):
        return at.isoformat()[11:16] + (":00" if len(text) > 5 else "")
    if len(text) == 16:
        return text[:0] + at.isoformat()[:10] + text[10] + at.isoformat()[11:16]
    if len(text) <= 10:
        return at.isoformat()[: len(text)]
    tail = text[19:] if re.fullmatch(r"(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?", text[19:]) else "Z"
    tail = re.sub(r"\d", "0", tail)
    return at.isoformat()[:10] + text[10] + at.isoformat(timespec="seconds")[11:] + tail


def read(value: Any) -> datetime | None:
    """Return the moment that a value names, or the time of day on 1 January 2000; None where it names none."""
    from wildtool.worlds.values import span

    if isinstance(value, str) and _CLOCK.match(value):
        hour, minute = int(value.split(":")[0]), int(value.split(":")[1])
        return datetime(2000, 1, 1, hour % 24, minute % 60)
    found = span(value)
    return found[0] if found is not None else None


def weekday_like(day: datetime, held: Any, language: str, options: Sequence[Any]) -> Any:
    """Return a day's weekday as its field writes it: among the options (an enum), short, small or as people say it."""
    english, own = day_name[day.weekday()], weekday(day.date(), language)
    for wanted in (
        own,
        english,
        english[:3],
        english.lower(),
        english[:3].lower(),
        english.upper(),
        english[:3].upper(),
    ):
        if wanted in options:
            return wanted
    if isinstance(held, int) and not isinstance(held, bool):
        return day.isoweekday()
    if options:
        return held
    return own if len(str(held)) != 3 or not str(held).isascii() else english[:3]


def utc(text: str) -> datetime:
    """Return a session's clock in UTC, without offset."""
    return datetime.fromisoformat(text).astimezone(UTC).replace(tzinfo=None)
