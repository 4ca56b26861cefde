"""Make the fields of one row agree: ends after starts, highs above lows, a city in its country, the weekday of its date."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from wildtool.language.folding import plain
from wildtool.language.result_filters import split
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import text_fits
from wildtool.worlds.furnishing.data import City, cities, city_names, weekdays
from wildtool.worlds.values import number, span

_RISING = (
    ("low", "median", "high"),
    ("low", "average", "high"),
    ("low", "mean", "high"),
    ("min", "avg", "max"),
    ("min", "average", "max"),
    ("min", "mean", "max"),
    ("minimum", "average", "maximum"),
    ("p25", "median", "p75"),
    ("low", "open", "high"),
    ("low", "close", "high"),
)
"""Words of numbers that rise in this order."""

_LATER = (
    ("created", "updated"), ("created", "modified"), ("created", "closed"), ("start", "end"), ("starts", "ends"),
    ("departure", "arrival"), ("from", "to"), ("from", "until"), ("checkin", "checkout"), ("opens", "closes"),
    ("opening", "closing"), ("published", "updated"), ("issued", "expires"), ("ordered", "delivered"),
)  # fmt: skip
"""Words of times of which the second does not come first."""


@dataclass(frozen=True)
class _Kin:
    """Which fields of a row speak of the same thing; it follows from their names."""

    rising: tuple[tuple[str, ...], ...]
    pairs: tuple[tuple[str, str], ...]
    place: dict[str, str]
    weekday: str | None


def agree(row: JsonObject, schemas: dict[str, JsonObject], fixed: Set[str], language: str, rng: Random) -> None:
    """Bring a row's fields into agreement, in place. ``fixed`` fields stay as they are."""
    kin = _kin(tuple(row))
    for names in kin.rising:
        if not set(names) & fixed and all(type(row[name]) in (int, float) for name in names):
            row.update(zip(names, sorted(row[name] for name in names), strict=True))
    for one, other in kin.pairs:
        _follow(row, one, other, fixed)
    if len(kin.place) > 1:
        _place(row, kin.place, schemas, fixed, language, rng)
    if kin.weekday is not None and kin.weekday not in fixed and isinstance(row[kin.weekday], str):
        _weekday(row, kin.weekday, language)


@lru_cache(maxsize=1 << 12)
def _kin(fields: tuple[str, ...]) -> _Kin:
    words = {name: split(name) for name in fields}

    def by_word(word: str) -> dict[str, str]:
        """Return fields whose name has a word, by the rest of their name."""
        return {"_".join(each for each in held if each != word): name for name, held in words.items() if word in held}

    rising = []
    for order in _RISING:
        named = [by_word(word) for word in order]
        for rest in sorted(named[0].keys() | named[-1].keys()):
            names = tuple(each[rest] for each in named if rest in each)
            if len(names) > 1:
                rising.append(names)
    pairs = []
    for first, second in _LATER:
        earlier, later = by_word(first), by_word(second)
        pairs += [(earlier[rest], later[rest]) for rest in sorted(earlier.keys() & later.keys())]
    place: dict[str, str] = {}
    for name, held in words.items():
        last = held[-1] if held else ""
        if last in ("city", "town") or held[-2:] == ["city", "name"]:
            place.setdefault("name", name)
        elif last == "country" or held[-2:] == ["country", "name"]:
            place.setdefault("country", name)
        elif held[-2:] == ["country", "code"]:
            place.setdefault("code", name)
        elif last in ("latitude", "lat"):
            place.setdefault("latitude", name)
        elif last in ("longitude", "lon", "lng"):
            place.setdefault("longitude", name)
    weekday = next((each for each in fields if re.fullmatch(r"(?i)week_?day|day_?of_?week|day_?name", each)), None)
    return _Kin(tuple(rising), tuple(pairs), place, weekday)


def _follow(row: JsonObject, one: str, other: str, fixed: Set[str]) -> None:
    """Let the second time not come before the first."""
    at, then = span(row[one]), span(row[other])
    if at is None or then is None or then[0] >= at[0]:
        return
    if not {one, other} & fixed:
        row[one], row[other] = row[other], row[one]
    elif other not in fixed:
        row[other] = row[one]


def _place(
    row: JsonObject,
    parts: dict[str, str],
    schemas: dict[str, JsonObject],
    fixed: Set[str],
    language: str,
    rng: Random,
) -> None:
    """Let a row with several fields of a place speak of one place."""
    city = _chosen(row, parts, fixed, language, rng)
    for part, name in parts.items():
        value: Any = getattr(city, part)
        if part in ("latitude", "longitude"):
            value = round(value + (rng.random() - 0.5) * 0.08, 4)
        if part == "country" and isinstance(row[name], str) and len(row[name]) == 2 and row[name].isupper():
            value = city.code
        if name not in fixed and (
            name not in schemas or text_fits(canonical_json(value), canonical_json(schemas[name]))
        ):
            row[name] = value


def _chosen(row: JsonObject, parts: dict[str, str], fixed: Set[str], language: str, rng: Random) -> City:
    known = city_names(language)
    if "name" in parts:
        held = known.get(plain(str(row[parts["name"]])))
        if held is not None:
            return held
    everywhere = list(cities(language))
    for part in ("country", "code"):
        if part in parts and parts[part] in fixed:
            wanted = plain(str(row[parts[part]]))
            same = [each for each in everywhere if wanted in (plain(each.country), plain(each.code))]
            everywhere = same or everywhere
    if "latitude" in parts and parts["latitude"] in fixed:
        at, beside = number(row[parts["latitude"]]) or 0.0, number(row.get(parts.get("longitude", ""))) or 0.0
        return min(everywhere, key=lambda each: (each.latitude - at) ** 2 + (each.longitude - beside) ** 2)
    return rng.choice(everywhere)


def _weekday(row: JsonObject, name: str, language: str) -> None:
    dates = [held for held in (span(value) for value in row.values() if isinstance(value, str)) if held is not None]
    day = next((each[0] for each in dates if each[0].date() == each[1].date()), None)
    if day is not None:
        row[name] = weekdays(language)[day.weekday()]
