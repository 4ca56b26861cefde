"""Load the data of furnishing: ranges, times, cities, and the words of each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from wildtool.language.folding import plain
from wildtool.language.lexicon import words
from wildtool.language.result_filters import split


@cache
def _table(name: str) -> Mapping[str, Any]:
    return tomllib.loads((files("wildtool.worlds.furnishing") / name).read_text(encoding="utf-8"))


@cache
def _patterns(name: str, key: str) -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    return tuple((re.compile(row["name"], re.IGNORECASE), row) for row in _table(name)[key])


@lru_cache(maxsize=1 << 14)
def number_range(name: str) -> tuple[float, float, int]:
    """Return lowest, highest and decimals of a number by its field's name."""
    held = "_".join(split(name))
    low, high, decimals = next(
        row["range"]
        for pattern, row in _patterns("numbers.toml", "ranges")
        if pattern.search(held) or pattern.search(name)
    )
    return float(low), float(high), int(decimals)


@lru_cache(maxsize=1 << 14)
def days_range(name: str) -> tuple[int, int]:
    """Return between which days from the clock a time lies, by its field's name."""
    held = "_".join(split(name))
    row = next(
        row for pattern, row in _patterns("numbers.toml", "times") if pattern.search(held) or pattern.search(name)
    )
    return int(row["days"][0]), int(row["days"][1])


@dataclass(frozen=True)
class LabelWords:
    """Words of which labels of one kind of thing are composed."""

    form: str
    first: tuple[str, ...]
    second: tuple[str, ...]

    def label(self, number: int) -> str:
        """Return one of all labels, by number; neighbours share no word."""
        one, other = number % len(self.first), (number // len(self.first) + 7 * number) % len(self.second)
        return self.form.format(first=self.first[one], second=self.second[other])

    @property
    def count(self) -> int:
        """How many labels there are."""
        return len(self.first) * len(self.second)


@lru_cache(maxsize=1 << 12)
def label_words(noun: str, language: str) -> LabelWords:
    """Return the words for labels of a noun: the pattern that matches its last word first."""
    rows = words(language, "furnishing", "worlds")["labels"]
    last = noun.split()[-1] if noun.split() else ""
    for text in (last, noun):
        for row in rows:
            if row["noun"] and text and re.search(rf"(?:{row['noun']})$", text, re.IGNORECASE):
                return LabelWords(row["form"], tuple(row["first"]), tuple(row["second"]))
    row = rows[-1]
    return LabelWords(row["form"], tuple(row["first"]), tuple(row["second"]))


@lru_cache(maxsize=1 << 14)
def texts_for(name: str, language: str) -> tuple[str, ...]:
    """Return texts for a field of this name."""
    rows = words(language, "furnishing", "worlds")["texts"]
    return next(tuple(row["say"]) for row in rows if re.search(row["name"], name, re.IGNORECASE))


def weekdays(language: str) -> tuple[str, ...]:
    """Return the names of the weekdays, Monday first."""
    return tuple(words(language, "furnishing", "worlds")["weekdays"]["names"])


@dataclass(frozen=True)
class City:
    """A city of the world."""

    name: str
    country: str
    code: str
    currency: str
    latitude: float
    longitude: float


@cache
def cities(language: str) -> tuple[City, ...]:
    """Return all cities by their names in a language; in the first one for a language without names."""
    table = _table("cities.toml")
    known: list[str] = table["languages"]
    at = known.index(language) if language in known else 0
    count = len(known)
    return tuple(City(row[at], row[count + at], *row[2 * count :]) for row in table["rows"])


@cache
def city_names(language: str) -> Mapping[str, City]:
    """Return cities by folded name, in any language."""
    found: dict[str, City] = {}
    table = _table("cities.toml")
    for row, city in zip(table["rows"], cities(language), strict=True):
        for name in row[: len(table["languages"])]:
            found[plain(name)] = city
    return found
