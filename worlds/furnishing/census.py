"""Say of countries and cities what is so: how many people live there, on what area, with which capital."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from wildtool.language.folding import plain
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.furnishing.checks import check_of
from wildtool.worlds.furnishing.data import City, name_words, table
from wildtool.worlds.furnishing.facts import Facts, Rule

COUNTED = 2024
"""Year of the figures."""


@cache
def countries() -> Mapping[str, tuple[int, int, float, tuple[str, ...]]]:
    """Return people, square kilometres, yearly growth in per cent and capital (by language) of countries, by code."""
    return {
        code: (people * 1000, area, growth, tuple(capital))
        for code, people, area, growth, *capital in table("places")["census"]
    }


def people_of(code: str, year: int) -> int:
    """Return how many people lived in a country in a year; the growth is that of today."""
    people, _, growth, _ = countries()[code]
    return int(round(people * (1 + growth / 100) ** (year - COUNTED), -3))


def census(fields: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    """Yield a rule that makes a place's people, area, density and capital true."""
    numbers = [name for name in fields if plain_type(schemas[name]) in ("integer", "number")]
    people = _named(numbers, "population", "inhabitants")
    area = _named(numbers, "area")
    density = _named([name for name in numbers if name != people], "density")
    capital = next((name for name in fields if name_words(name)[:1] == ("capital",)), None)
    capital = capital if capital is not None and plain_type(schemas[capital]) == "string" else None
    if people is None and capital is None:
        return
    year = next((name for name in fields if name_words(name)[-1:] == ("year",)), None)
    checks = {name: check_of(schemas[name]) for name in (people, area, density, capital) if name is not None}

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        place = facts.places.get("")
        if place is None or place.code not in countries():
            return
        at = row.get(year) if year is not None else None
        found = _country(row, place) or _city(row, place)
        if found is None:
            return
        now: datetime = facts.scene.now
        whole = found == "country"
        size = countries()[place.code][1]
        held = people_of(place.code, at if isinstance(at, int) else now.year) if whole else place.people
        told: dict[str | None, Any] = {people: held}
        if whole:
            language = table("places")["languages"]
            names = countries()[place.code][3]
            tongue = facts.scene.language
            told |= {
                area: size,
                density: round(held / size, 1),
                capital: names[language.index(tongue) if tongue in language else 0],
            }
        for name, value in told.items():
            if name in row and name not in fixed and checks[str(name)](value):
                row[str(name)] = value

    yield rule


def _named(numbers: Sequence[str], *words: str) -> str | None:
    return next((name for word in words for name in numbers if name_words(name)[:1] == (word,)), None)


def _country(row: JsonObject, place: City) -> str | None:
    """Return whether the row is about a whole country: one of its texts is the country's name, none the city's."""
    texts = {plain(value) for value in row.values() if isinstance(value, str)}
    whole = texts & {plain(place.country), plain(place.code), plain(place.code3)}
    return "country" if whole and plain(place.name) not in texts else None


def _city(row: JsonObject, place: City) -> str | None:
    texts = {plain(value) for value in row.values() if isinstance(value, str)}
    return "city" if plain(place.name) in texts else None
