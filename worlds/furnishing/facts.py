"""Hold what one row knows of itself while it is made: its name, place, people and clock, so that its fields agree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random
from typing import Any, TypeVar

from text_unidecode import unidecode

from wildtool.language.folding import plain
from wildtool.schemas.base import JsonObject, sha256_hex
from wildtool.worlds.furnishing.data import City, cities, city_names, country_cities, home_cities, names

T = TypeVar("T")


class Exhausted(Exception):
    """Raised where a closed set of names or codes has none left: there are seven continents."""


@dataclass(frozen=True)
class Person:
    """A person that a row speaks of."""

    first: str
    last: str
    full: str

    @property
    def handle(self) -> str:
        """Return the name as machines take it: letters and dots."""
        parts = (unidecode(self.first), unidecode(self.last))
        return ".".join("".join(c for c in part.lower() if c.isalnum()) for part in parts)


@dataclass(frozen=True)
class Scene:
    """What all rows of a world share."""

    language: str
    now: datetime
    """The session's clock, in UTC, without offset."""
    seed: str


class Facts:
    """What one row knows of itself. Everything is drawn when it is first asked for."""

    __slots__ = (
        "company",
        "day",
        "id",
        "label",
        "named",
        "noun",
        "people",
        "places",
        "points",
        "random",
        "rng",
        "scene",
        "topic",
        "year",
    )

    def __init__(self, scene: Scene, rng: Random, noun: str) -> None:
        self.scene = scene
        self.rng = rng
        self.random = rng.random
        self.noun = noun
        self.label = ""
        self.topic = ""
        self.named = ""
        self.id: Any = None
        self.year: int | None = None
        self.day: tuple[int, int] | None = None
        self.company = ""
        self.places: dict[str, City] = {}
        self.points: dict[str, tuple[float, float]] = {}
        self.people: dict[str, Person] = {}

    def inner(self, noun: str) -> Facts:
        """Return the facts of a thing inside this one: another thing at the same place."""
        other = Facts(self.scene, self.rng, noun)
        other.places, other.topic, other.year = self.places, self.topic, self.year
        return other

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of several."""
        return options[int(self.random() * len(options))]

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number, both ends included."""
        return low + int(self.random() * (high - low + 1))

    def place(self, scope: str, options: Sequence[City] = ()) -> City:
        """Return the row's place; ``scope`` tells two places of one row apart."""
        held = self.places.get(scope)
        if held is None:
            taken = {city.name for city in self.places.values()}
            for _ in range(6):
                held = self.pick(options or home_cities(self.scene.language))
                if held.name not in taken:
                    break
            assert held is not None
            self.places[scope] = held
        return held

    def point(self, scope: str) -> tuple[float, float]:
        """Return the coordinates of the row itself, within the city."""
        held = self.points.get(scope)
        if held is None:
            city = self.place(scope)
            held = (
                round(city.latitude + (self.random() - 0.5) * 0.08, 4),
                round(city.longitude + (self.random() - 0.5) * 0.1, 4),
            )
            self.points[scope] = held
        return held

    def person(self, scope: str) -> Person:
        """Return the person that the row speaks of."""
        held = self.people.get(scope)
        if held is None:
            told = names(self.scene.language)
            first, last = self.pick(told["first_name"]["say"]), self.pick(told["last_name"]["say"])
            held = self.people[scope] = Person(first, last, told["full_name"].format(first=first, last=last))
        return held

    def known(self) -> dict[str, str]:
        """Return what texts may speak of."""
        found = {"noun": self.noun} if self.noun else {}
        if self.label:
            found["label"] = self.label
        if self.topic:
            found["topic"] = self.topic
        if "" in self.places:
            found["city"] = self.places[""].name
        if self.company:
            found["company"] = self.company
        return found


def digits_of(value: Any) -> str:
    """Return digits that belong to a value: its own, else some of its digest."""
    own = "".join(character for character in str(value) if character.isdigit())
    return own or str(int(sha256_hex(str(value))[:6], 16))[:5]


def place_of(part: str, value: Any, scene: Scene) -> City | None:
    """Return the city that a given value of a place's field means; a made-up one for an unknown city. None where the value
    leaves the city open: see ``places_of``."""
    language = scene.language
    text = plain(str(value))
    if part in ("city", "airport_code"):
        held = city_names(language).get(text)
        if held is not None or part == "airport_code":
            return held
        at = int(sha256_hex(text)[:8], 16)
        near = home_cities(language)[at % len(home_cities(language))]
        return replace(
            near,
            name=str(value),
            latitude=round(near.latitude + (at % 89 - 44) / 60, 4),
            longitude=round(near.longitude + (at % 97 - 48) / 60, 4),
            people=8000 + at % 140_000,
        )
    return None


def places_of(part: str, value: Any, scene: Scene) -> Sequence[City]:
    """Return the cities that a given country, region, currency or time zone leaves."""
    text = plain(str(value))
    match part:
        case "country" | "country_code" | "country_code3" | "region":
            found = country_cities(scene.language).get(text, ())
            if found or part != "country":
                return found
            at = int(sha256_hex(text)[:8], 16)
            everywhere = cities(scene.language)
            return (replace(everywhere[at % len(everywhere)], country=str(value)),)
        case "region_code" | "currency" | "timezone":
            name = "region_code" if part == "region_code" else part
            return tuple(city for city in cities(scene.language) if plain(getattr(city, name)) == text)
        case _:
            return ()


Rule = Callable[[JsonObject, Collection[str], Facts, Mapping[str, Any]], None]
"""``rule(row, fixed, facts, parents)`` changes a row in place; ``parents`` are fields of the rows that it refers to."""
