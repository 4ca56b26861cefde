"""Days as people say them, and back again; the words of each language are in its ``day_phrases.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import cache
from random import Random
from typing import Any

from wildtool.language.lexicon import languages, spaced, words

_ISO = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")


def today(now: str) -> date:
    """The day of a session's clock."""
    return datetime.fromisoformat(now).date()


def weekday(day: date, language: str) -> str:
    """Its name: ``Monday``, ``星期一``."""
    table = _table(language)
    return str(table["weekday"]).format(weekday=table["weekdays"][day.weekday()])


def say_day(now: str, language: str, rng: Random, *, past: bool = False) -> tuple[date, str]:
    """A day near the clock and the words a person says for it; ``past`` for days gone by.

    Weekday names are only said for days that come later in the same week, so that nobody can misread them.
    """
    start = today(now)
    if past:
        day = start - timedelta(days=rng.choice((1, 5, 9, 14, 21, 33, 47)))
    else:
        day = start + timedelta(days=rng.choice((1, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 20)))
    table = _table(language)
    ways = [word for word, offset in table["relative"].items() if start + timedelta(days=offset) == day]
    if not ways:
        later_this_week = day > start and day.isocalendar()[:2] == start.isocalendar()[:2]
        forms = [table["this_week"]] if later_this_week else table["ways"]
        parts = _parts(day, start, table)
        ways = [form.format(**parts) for form in forms]
    return day, rng.choice(ways)


def _parts(day: date, start: date, table: Mapping[str, Any]) -> dict[str, str]:
    endings = table["ordinal_endings"]
    return {
        "day": str(day.day),
        "ordinal": f"{day.day}{endings.get(str(day.day), endings['other'])}",
        "month": str(day.month),
        "month_name": table["months"][day.month - 1] if table["months"] else "",
        "weekday": table["weekdays"][day.weekday()],
        "iso": day.isoformat(),
        "year": "" if day.year == start.year else str(table["year"]).format(year=day.year),
    }


def days_said(text: str, now: str) -> dict[str, str]:
    """Days that a text names, as ISO date to the words that name it; in all languages at once."""
    start = today(now)
    found: dict[str, str] = {}
    rest = text
    for language in languages():
        for word, offset in _relative(language):
            if re.search(rf"\b{word}\b" if spaced(language) else word, rest, re.IGNORECASE):
                found.setdefault((start + timedelta(days=offset)).isoformat(), word)
                rest = rest.replace(word, " ")
    for language in languages():
        for index, pattern in enumerate(_weekday_patterns(language)):
            if hit := pattern.search(text):
                ahead = (index - start.weekday() - 1) % 7 + 1
                found.setdefault((start + timedelta(days=ahead)).isoformat(), hit.group())
    for hit in _ISO.finditer(text):
        found.setdefault(hit.group(), hit.group())
    for language in languages():
        months = [name.casefold() for name in _table(language)["months"]]
        for pattern in _date_patterns(language):
            for hit in pattern.finditer(text):
                month = months.index(hit["month"].casefold()) + 1 if months else int(hit["month"])
                _note(found, hit["year"] or str(start.year), month, int(hit["day"]), hit.group())
    return found


def _note(found: dict[str, str], year: str, month: int, day: int, words: str) -> None:
    try:
        found.setdefault(date(int(year), month, day).isoformat(), words)
    except ValueError:  # there is no 31st of June
        return


def _table(language: str) -> Mapping[str, Any]:
    return words(language, "day_phrases")


@cache
def _relative(language: str) -> tuple[tuple[str, int], ...]:
    """Words for days near the clock's, the longest first."""
    table = _table(language)
    known: dict[str, int] = {**table["relative"], **table["understood"]}
    return tuple(sorted(known.items(), key=lambda item: -len(item[0])))


@cache
def _weekday_patterns(language: str) -> tuple[re.Pattern[str], ...]:
    patterns = _table(language)["patterns"]
    return tuple(
        re.compile(patterns["weekday"].format(weekday=form), re.IGNORECASE) for form in patterns["weekday_forms"]
    )


@cache
def _date_patterns(language: str) -> tuple[re.Pattern[str], ...]:
    table = _table(language)
    months = "|".join(table["months"])
    return tuple(re.compile(pattern.format(months=months), re.IGNORECASE) for pattern in table["patterns"]["dates"])
