"""Load the data of furnishing: kinds of fields, numbers, times, places, relations, and the words of each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib.resources import files
from math import gcd
from typing import Any

from wildtool.language.folding import plain
from wildtool.language.lexicon import words
from wildtool.language.result_filters import split

_STRIDE = 7919
"""A prime: neighbouring numbers give names that share no word."""


@cache
def table(name: str) -> Mapping[str, Any]:
    """Return one of the room's TOML files."""
    return tomllib.loads((files("wildtool.worlds.furnishing") / f"{name}.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1 << 14)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a field's name, in small letters."""
    return tuple(split(name))


@lru_cache(maxsize=1 << 14)
def joined(name: str) -> str:
    """Return the words of a field's name, joined as the data's patterns expect them."""
    return "_".join(name_words(name))


@cache
def patterns(file: str, key: str) -> tuple[tuple[re.Pattern[str], tuple[Any, ...]], ...]:
    """Return the rows of a list of rules: the pattern, and the rest of the row."""
    at = 1 if file == "kinds" else 0
    return tuple(
        (re.compile(row[at], re.IGNORECASE), tuple(each for index, each in enumerate(row) if index != at))
        for row in table(file)[key]
    )


@dataclass(frozen=True)
class Pool:
    """Names of one kind, numbered from 0."""

    forms: tuple[tuple[str, tuple[str, ...]], ...]
    """Forms, each with the slots it has."""
    lists: Mapping[str, tuple[str, ...]]
    about: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Forms for things that were searched by a topic."""
    ends: tuple[int, ...] = field(default=())
    """Numbers at which each form's names end."""

    @property
    def count(self) -> int:
        """How many names there are."""
        return self.ends[-1]

    def name(self, number: int) -> str:
        """Return one of all names."""
        number = number * self.stride % self.count
        for (form, slots), end in zip(self.forms, self.ends, strict=True):
            if number < end:
                return self._filled(form, slots, number)
        raise AssertionError(number)

    def topical(self, topic: str, number: int) -> str | None:
        """Return a name that holds a topic; None where the pool has no such names."""
        if not self.about:
            return None
        form, slots = self.about[number % len(self.about)]
        return self._filled(form, slots, number // len(self.about), topic)

    @property
    def stride(self) -> int:
        """How far apart the names of neighbouring numbers lie."""
        return next(step for step in range(_STRIDE, _STRIDE + 1000) if gcd(step, self.count) == 1)

    def _filled(self, form: str, slots: tuple[str, ...], number: int, topic: str = "") -> str:
        chosen = {}
        for slot in slots:
            if slot in self.lists:
                number, at = divmod(number, len(self.lists[slot]))
                chosen[slot] = self.lists[slot][at]
        return form.format(**chosen, topic=topic, Topic=_titled(topic))


def _titled(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split(" "))


_SLOT = re.compile(r"\{(\w+)\}")


def _forms(texts: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((text, tuple(_SLOT.findall(text))) for text in texts)


def names(language: str) -> Mapping[str, Any]:
    """Return the names of a language."""
    return words(language, "names", "worlds")


@cache
def pool(kind: str, language: str) -> Pool | None:
    """Return the names of a kind; None where the language has none of them."""
    held = names(language).get(kind)
    if not isinstance(held, Mapping):
        return None
    lists: dict[str, tuple[str, ...]] = {}
    for name, value in held.items():
        if name in ("forms", "about"):
            continue
        if isinstance(value, str):
            other, _, part = value.partition(".")
            value = names(language)[other][part]
        lists[name] = tuple(value)
    forms = _forms(held.get("forms", ("{say}",)))
    ends: list[int] = []
    for _, slots in forms:
        size = 1
        for slot in slots:
            size *= len(lists[slot])
        ends.append((ends[-1] if ends else 0) + size)
    return Pool(forms, lists, _forms(held.get("about", ())), tuple(ends))


@cache
def texts(kind: str, language: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the texts of a kind, each with what must be known to say it; none where the language has none."""
    held = words(language, "texts", "worlds").get(kind, ())
    return tuple((text, frozenset(_SLOT.findall(text))) for text in held)


@dataclass(frozen=True)
class City:
    """A city of the world, with what follows from it."""

    name: str
    country: str
    code: str
    code3: str
    currency: str
    symbol: str
    calling: str
    spoken: str
    continent: str
    region: str
    region_code: str
    latitude: float
    longitude: float
    people: int
    airport: str
    timezone: str


@cache
def cities(language: str) -> tuple[City, ...]:
    """Return all cities by their names in a language; in the first one for a language without names."""
    held = table("places")
    known: list[str] = held["languages"]
    at = known.index(language) if language in known else 0
    countries = {row[0]: row for row in held["countries"]}
    found = []
    for code, latitude, longitude, people, airport, timezone, region_code, *named in held["cities"]:
        _, code3, currency, symbol, calling, spoken, continent, *country = countries[code]
        region, name = named[at], named[len(known) + at]
        found.append(
            City(
                name, country[at], code, code3, currency, symbol, calling, spoken, continent, region, region_code,
                latitude, longitude, people * 1000, airport, timezone,
            )
        )  # fmt: skip
    return tuple(found)


@cache
def home_cities(language: str) -> tuple[City, ...]:
    """Return the cities that a language's people speak of, those of its home countries in their share."""
    everywhere = cities(language)
    homes = names(language).get("home", ())
    return tuple(city for home in homes for city in everywhere if city.code == home) or everywhere


@cache
def city_names(language: str) -> Mapping[str, City]:
    """Return cities by folded name or airport, in any language."""
    held = table("places")
    found: dict[str, City] = {}
    for row, city in zip(held["cities"], cities(language), strict=True):
        for name in (row[4], *row[-len(held["languages"]) :]):
            found.setdefault(plain(name), city)
    return found


@cache
def country_cities(language: str) -> Mapping[str, tuple[City, ...]]:
    """Return the cities of a country by its folded names and codes."""
    held = table("places")
    found: dict[str, tuple[City, ...]] = {}
    for code, code3, *_, first, second in held["countries"]:
        there = tuple(city for city in cities(language) if city.code == code)
        for name in (code, code3, first, second):
            found[plain(name)] = there
    for city in cities(language):
        found.setdefault(plain(city.region), tuple(each for each in cities(language) if each.region == city.region))
    return found


@cache
def holidays(language: str) -> tuple[tuple[str, str, str], ...]:
    """Return public holidays: country, month and day, name."""
    held = table("places")
    at = held["languages"].index(language) if language in held["languages"] else 0
    return tuple((row[0], row[1], row[2 + at]) for row in held["holidays"])
