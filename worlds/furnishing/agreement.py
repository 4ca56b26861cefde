"""Make the fields of one row agree: ends after starts, highs above lows, a city in its country, the weekday of its date."""

from __future__ import annotations

import re
from collections.abc import Set
from datetime import datetime
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


def agree(row: JsonObject, schemas: dict[str, JsonObject], fixed: Set[str], language: str, rng: Random) -> None:
    """Bring a row's fields into agreement, in place. ``fixed`` fields stay as they are."""
    _rise(row, fixed)
    _follow(row, fixed)
    _place(row, schemas, fixed, language, rng)
    _weekday(row, fixed, language)


def _by_word(row: JsonObject, word: str) -> dict[str, str]:
    """Return fields whose name has a word, by the rest of their name."""
    found = {}
    for name in row:
        words = split(name)
        if word in words:
            found["_".join(each for each in words if each != word)] = name
    return found


def _rise(row: JsonObject, fixed: Set[str]) -> None:
    for order in _RISING:
        named = [_by_word(row, word) for word in order]
        for rest in named[0].keys() | named[-1].keys():
            names = [each[rest] for each in named if rest in each]
            if len(names) < 2 or set(names) & fixed or any(type(row[name]) not in (int, float) for name in names):
                continue
            for name, value in zip(names, sorted(row[name] for name in names), strict=True):
                row[name] = value


def _follow(row: JsonObject, fixed: Set[str]) -> None:
    for first, second in _LATER:
        earlier, later = _by_word(row, first), _by_word(row, second)
        for rest in earlier.keys() & later.keys():
            one, other = earlier[rest], later[rest]
            at, then = span(row[one]), span(row[other])
            if at is None or then is None or then[0] >= at[0]:
                continue
            if not {one, other} & fixed:
                row[one], row[other] = row[other], row[one]
            elif other not in fixed:
                row[other] = row[one]


def _place(row: JsonObject, schemas: dict[str, JsonObject], fixed: Set[str], language: str, rng: Random) -> None:
    """Let a row with several fields of a place speak of one place."""
    parts: dict[str, str] = {}
    for name in row:
        words = split(name)
        last = words[-1] if words else ""
        if last in ("city", "town") or words[-2:] == ["city", "name"]:
            parts.setdefault("name", name)
        elif last == "country" or words[-2:] == ["country", "name"]:
            parts.setdefault("country", name)
        elif words[-2:] == ["country", "code"]:
            parts.setdefault("code", name)
        elif last in ("latitude", "lat"):
            parts.setdefault("latitude", name)
        elif last in ("longitude", "lon", "lng"):
            parts.setdefault("longitude", name)
    if len(parts) < 2:
        return
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


def _weekday(row: JsonObject, fixed: Set[str], language: str) -> None:
    name = next((each for each in row if re.fullmatch(r"(?i)week_?day|day_?of_?week|day_?name", each)), None)
    if name is None or name in fixed or not isinstance(row[name], str):
        return
    dates = [held for held in (span(value) for value in row.values() if isinstance(value, str)) if held is not None]
    day = next((each[0] for each in dates if each[0].date() == each[1].date()), None)
    if isinstance(day, datetime):
        row[name] = weekdays(language)[day.weekday()]
