"""Names of months, weekdays and near days in all languages, as values of arguments hold them: no slips, no chat spellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import time
from functools import cache
from typing import Any

from wildtool.language.lexicon import languages, words
from wildtool.language.units import measures
from wildtool.schemas.errors import LanguageError


@cache
def months() -> Mapping[str, int]:
    """Names of months and their numbers, from 1."""
    return _named("month")


@cache
def weekdays() -> Mapping[str, int]:
    """Names of weekdays and their numbers, Monday being 0."""
    return _named("weekday")


@cache
def relative_days() -> Mapping[str, int]:
    """Words for days near the clock and how many days away they are; tonight is on the day of the clock."""
    found: dict[str, int] = {}
    for table in _tables():
        for entry in table.get("phrases", ()):
            fields = entry["with"]
            if (set(fields) == {"days"} and entry["as"] == "day") or fields == {"days": 0, "part": "night"}:
                found |= {word: fields["days"] for word in entry.get("words", ()) if word not in found}
    return found


@cache
def ordinals() -> Mapping[str, int]:
    """Words for places in an order: first, 31 at most."""
    return {
        word: int(number)
        for table in _tables()
        for number, said in table["lexicon"].get("ord", {}).get("values", {}).items()
        for word in said
    }


@cache
def ordinal_endings() -> str:
    """What stands behind digits that are a place in an order (st, nd), in all languages, as an expression."""
    return "|".join(table["ordinal"] for table in _tables() if "ordinal" in table)


@cache
def units() -> Mapping[str, str]:
    """Words for lengths of time and their units: days, weeks, 个月."""
    found: dict[str, str] = {}
    for table in _tables():
        for entry in table["lexicon"].values():
            if entry["field"] == "unit":
                found |= {word: unit for unit, said in entry["values"].items() for word in said if word not in found}
    for language in languages():
        found |= {word: code for word, code in measures(language).items() if code == "day" and word not in found}
    return found


@cache
def weeks() -> Mapping[str, int]:
    """Words before a weekday that tell its week, and how many weeks away it is: 下, 上个."""
    return _named("weeks")


@cache
def parts_of_day() -> Mapping[str, str]:
    """Words for parts of a day and the part they name."""
    return {
        word: part for table in _tables() for part, said in table["lexicon"]["part"]["values"].items() for word in said
    }


@cache
def named_times() -> Mapping[str, time]:
    """Words for times of day: noon, midnight."""
    found: dict[str, time] = {}
    for table in _tables():
        for entry in table.get("phrases", ()):
            fields = entry["with"]
            if entry["as"] == "time" and {"hour", "minute"} <= set(fields):
                found |= {word: time(fields["hour"] % 24, fields["minute"]) for word in entry.get("words", ())}
    return found


@cache
def macros(name: str) -> tuple[str, ...]:
    """The macro of that name in each language that has it: ``AFTER`` is what stands behind a length that lies ahead."""
    return tuple(table["macros"][name] for table in _tables() if name in table["macros"])


@cache
def time_words(*, spaced: bool) -> frozenset[str]:
    """Words that name a time by themselves, of languages with spaces or without: weekdays, months, 上周, 今晚, evening."""
    found: set[str] = set()
    for table in _tables():
        if table["spaced"] is not spaced:
            continue
        lexicon = table["lexicon"]
        for entry in lexicon.values():
            if entry["field"] in ("weekday", "month", "months", "years", "part"):
                found.update(word for said in entry["values"].values() for word in said)
            elif entry["field"] == "weeks":
                units = [unit for said in lexicon["unit_week"]["values"].values() for unit in said]
                week = [unit for unit in units if not any(unit != one and unit.startswith(one) for one in units)]
                found.update(word + unit for said in entry["values"].values() for word in said for unit in week)
            elif entry["field"] == "unit":
                found.update(
                    said[0] for unit, said in entry["values"].items() if unit in (_CALENDAR if spaced else _WORK)
                )
        for entry in table.get("phrases", ()):
            if entry["as"] in ("day", "daypart", "time", "period"):
                found.update(entry.get("words", ()))
    return frozenset(found)


_CALENDAR = frozenset(("week", "month", "year"))
_WORK = frozenset(("workday",))
"""Units whose words name a time by themselves: "the week", 工作日."""


def _tables() -> Iterator[Mapping[str, Any]]:
    for language in languages():
        try:
            yield words(language, "dates")
        except LanguageError:  # a language may have other words, and none for dates yet
            continue


def _named(field: str) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for table in _tables():
        for entry in table["lexicon"].values():
            if entry["field"] == field:
                found |= {
                    word: int(number) for number, said in entry["values"].items() for word in said if word not in found
                }
    return found
