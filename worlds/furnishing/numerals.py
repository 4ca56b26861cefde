"""Draw numbers: in the range of their field's name, around their examples, within their schema's bounds."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, cos, exp, floor, gcd, log, pi
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.furnishing.data import City, joined, name_words, patterns
from wildtool.worlds.furnishing.facts import Facts

Draw = Callable[[Facts], Any]

_WARM = frozenset("temperature temp celsius feels dew high low min max".split())
_NOT_WARM = frozenset("color colour price rate water humidity".split())
_IMPERIAL = frozenset(("fahrenheit", "f"))


@lru_cache(maxsize=1 << 14)
def number_rule(name: str) -> tuple[float, float, int, frozenset[str]]:
    """Return of a number, by its field's name: lowest, highest, decimals and marks (``log``: small ones are the more common;
    ``zero``: a new thing starts at 0; ``hard``: no example leads outside)."""
    held = joined(name)
    row = next(rest for pattern, rest in patterns("numbers", "ranges") if pattern.search(held))
    return float(row[0]), float(row[1]), int(row[2]), frozenset(row[3:])


def bounds(schema: JsonObject) -> tuple[float | None, float | None]:
    """Return the lowest and highest number that a schema allows, those it excludes left out by a step."""
    low, high = schema.get("minimum"), schema.get("maximum")
    step = 1.0 if plain_type(schema) == "integer" else 0.01
    under, over = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if isinstance(under, int | float) and not isinstance(under, bool):
        low = under + step if low is None else max(low, under + step)
    elif under is True and low is not None:
        low = low + step
    if isinstance(over, int | float) and not isinstance(over, bool):
        high = over - step if high is None else min(high, over - step)
    elif over is True and high is not None:
        high = high - step
    usable = [
        float(each) if isinstance(each, int | float) and not isinstance(each, bool) else None for each in (low, high)
    ]
    return usable[0], usable[1]


def number_maker(name: str, schema: JsonObject, examples: tuple[Any, ...]) -> Draw:
    """Return what draws a field's numbers."""
    whole = plain_type(schema) == "integer"
    least, most = bounds(schema)
    low, high, decimals, marks = number_rule(name)
    lowest, highest, logarithmic = low, high, "log" in marks
    figures = [float(each) for each in examples if isinstance(each, int | float) and not isinstance(each, bool)]
    unit = 0.0
    if len(figures) > 1:
        low, high = min(figures), max(figures)
        decimals = min(max(len(f"{each:.10g}".partition(".")[2]) for each in figures), 6)
        unit = _unit(figures, decimals)
        logarithmic = low > 0 and high / low > 60
        if low == high:
            low, high = low * 0.7, high * 1.3 + 1
    elif figures:
        decimals = min(len(f"{figures[0]:.10g}".partition(".")[2]), 6)
        low, high = sorted((figures[0] * 0.6, figures[0] * 1.5 + (1 if decimals == 0 else 0)))
    elif _is_warm(name) and decimals:
        return _warmth(name, schema, whole=whole, least=least, most=most)
    if "hard" in marks and not (lowest <= low and high <= highest):
        low, high = (max(low, lowest), min(high, highest)) if low < highest and high > lowest else (lowest, highest)
    low, high = _within(low, high, least, most)
    step = schema.get("multipleOf")
    if isinstance(step, int | float) and step > 0:
        first, last = ceil(low / step), floor(high / step)
        return lambda facts: _stepped(first + int(facts.random() * (max(last - first, 0) + 1)), step)
    if unit and (whole or decimals == 0):
        first, last = ceil(low / unit), floor(high / unit)
        return lambda facts: int(unit * (first + int(facts.random() * (last - first + 1))))
    if logarithmic and high > 0:
        return _logarithmic(low, high, decimals, whole=whole)
    if whole or decimals == 0:
        first, last = ceil(low), max(floor(high), ceil(low))
        return lambda facts: first + int(facts.random() * (last - first + 1))
    width = high - low
    return lambda facts: round(low + facts.random() * width, decimals)


def _stepped(times: int, step: float) -> int | float:
    value = times * step
    return int(value) if float(step).is_integer() else round(value, 6)


def _unit(figures: list[float], decimals: int) -> float:
    """Return the round number that all examples are multiples of; 0 where there is none."""
    if decimals or len(figures) < 3:
        return 0.0
    common = 0
    for each in figures:
        common = gcd(common, int(abs(each)))
    return float(common) if common > 1 else 0.0


def _within(low: float, high: float, least: float | None, most: float | None) -> tuple[float, float]:
    """Return the part of a range that the bounds allow; a range beside them moves inside."""
    if least is not None and low < least:
        low = least
        if high <= low:
            high = max(low + 1, low * 1.8) if most is None else low + (most - low) * 0.6
    if most is not None and high > most:
        high = most
        if low >= high:
            low = min(high, least if least is not None else high * 0.3 if high > 0 else high - 10)
    return low, max(low, high)


def _logarithmic(low: float, high: float, decimals: int, *, whole: bool) -> Draw:
    base = max(low, 1.0)
    scale = log(max(high / base, 1.0))
    shift = base - low

    def draw(facts: Facts) -> Any:
        value = base * exp(facts.random() * scale) - shift
        if value > 10_000:
            value = round(value, -2) if value < 10_000_000 else round(value, -4)
        value = min(max(value, low), high)
        return int(value) if whole or decimals == 0 else round(value, decimals)

    return draw


def _is_warm(name: str) -> bool:
    words = set(name_words(name))
    return bool(words & {"temperature", "temp", "celsius", "feels", "dew", "fahrenheit"}) and not words & _NOT_WARM


def warmth(city: City, day: int) -> float:
    """Return a place's usual temperature on a day of the year, in degrees Celsius: by latitude and season."""
    latitude = abs(city.latitude)
    hottest = 200 if city.latitude >= 0 else 18
    return 28.0 - 0.0068 * latitude * latitude + 0.19 * latitude * cos(2 * pi * (day - hottest) / 365.25)


def _warmth(name: str, schema: JsonObject, *, whole: bool, least: float | None, most: float | None) -> Draw:
    words = set(name_words(name))
    offset = 4.5 if words & {"max", "high", "maximum"} else -4.5 if words & {"min", "low", "minimum", "dew"} else 0.0
    imperial = bool(words & _IMPERIAL) or "fahrenheit" in str(schema.get("description", "")).lower()

    def draw(facts: Facts) -> Any:
        value = warmth(facts.place(""), facts.scene.now.timetuple().tm_yday) + offset + (facts.random() - 0.5) * 5
        if imperial:
            value = value * 9 / 5 + 32
        value = max(value, least) if least is not None else value
        value = min(value, most) if most is not None else value
        return round(value) if whole else round(value, 1)

    return draw
