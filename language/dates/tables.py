"""Names of months, weekdays and near days in all languages, as values of arguments hold them: no slips, no chat spellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from wildtool.language.lexicon import languages, words
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
