"""Bring items of made-up results within what the arguments ask for: bounds, days, flags, order, units."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from wildtool.language.result_filters import Filter, order_of, split
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits
from wildtool.worlds.fields import listed

_TRIES = 40
"""Draws for a value that all filters on a field allow."""

_IMPERIAL = frozenset(("imperial", "fahrenheit", "f", "us"))
_DEGREES = frozenset("temperature temp high low feels dew min max".split())


def fit_item(item: Any, schema: Any, filters: Sequence[Filter], now: str, rng: Random) -> None:
    """Change the fields of an item that a filter does not allow, in place; what no value satisfies stays as it is."""
    if not isinstance(item, dict) or not filters:
        return
    properties = schema.get("properties", {}) if isinstance(schema, dict) else {}
    by_field: dict[str, list[Filter]] = {}
    for each in filters:
        if (name := each.field(item)) is not None:
            by_field.setdefault(name, []).append(each)
    for name, bounds in by_field.items():
        inner = properties.get(name, {})
        if all(each.allows(item[name]) for each in bounds):
            continue
        examples = [e for e in (*listed(inner), *(inner.get("enum") or ())) if all(b.allows(e) for b in bounds)]
        examples = [e for e in examples if type(e) is type(item[name])]
        if examples:
            item[name] = rng.choice(examples)
            continue
        for _ in range(_TRIES):
            value = _drawn(item[name], bounds, now, rng)
            if value is not None and fits(value, inner) and all(each.allows(value) for each in bounds):
                item[name] = value
                break


def _drawn(held: Any, bounds: Sequence[Filter], now: str, rng: Random) -> Any:
    """Draw a value of the field's type within the bounds."""
    least = next((each.value for each in bounds if each.least and each.kind in ("number", "time", "clock")), None)
    most = next((each.value for each in bounds if not each.least and each.kind in ("number", "time", "clock")), None)
    match bounds[0].kind:
        case "true":
            return True
        case "equal":
            return bounds[0].value
        case "day":
            return str(bounds[0].value)[:10] + str(held)[10:]
        case "rank":
            return rng.choice(bounds[0].ranks)
        case "number":
            low = float(least) if least is not None else float(most or 0) * 0.3
            high = float(most) if most is not None else low * 1.6 + 1
            value = rng.uniform(low, high)
            return max(int(value), -(-int(low) // 1)) if isinstance(held, int) else round(value, 1)
        case "clock":
            hour = rng.randrange(0, 24)
            return re.sub(r"\d{2}:\d{2}", f"{hour:02}:{rng.choice(('00', '15', '30', '45'))}", str(held), count=1)
        case "time":
            return _time(held, least, most, now, rng)


def _time(held: Any, least: Any, most: Any, now: str, rng: Random) -> Any:
    today = datetime.fromisoformat(now).date()
    if not isinstance(held, str):
        low = int(str(least)[:4]) if least is not None else int(str(most)[:4]) - 12
        high = int(str(most)[:4]) if most is not None else max(today.year, low)
        return rng.randint(low, high)
    # A year bounds all its days.
    low_day = _day(least, "-01-01") if least is not None else None
    high_day = _day(most, "-12-31") if most is not None else None
    if low_day is None:
        low_day = (high_day or today) - timedelta(days=60)
    if high_day is None:
        high_day = today if low_day < today else low_day + timedelta(days=14)
    day = low_day + timedelta(days=rng.randrange(0, max((high_day - low_day).days, 0) + 1))
    return day.isoformat()[: min(len(held), 10)] + held[10:]


def _day(value: Any, rest: str) -> date | None:
    text = str(value)[:10]
    try:
        return date.fromisoformat(text + rest if len(text) == 4 else text)
    except ValueError:
        return None


def in_order(items: list[Any], arguments: Mapping[str, Any]) -> list[Any]:
    """Sort the items as the arguments ask; unchanged where no field shows the order."""
    order = order_of(arguments)
    if order is None or not items or not all(isinstance(item, dict) for item in items):
        return items
    name = order.field(items)
    if name is None:
        return items
    # "By price" starts at the cheapest, "by rating" and "by date" at the best and newest.
    falling = not {"price", "distance", "name", "title"} & set(order.fields) if order.falling is None else order.falling
    return sorted(items, key=lambda item: item[name], reverse=falling)


def in_units(name: str, value: Any, arguments: JsonObject) -> Any:
    """Convert a number to the units that the arguments ask for; examples of temperatures are in degrees Celsius."""
    wanted = {
        str(v).casefold() for k, v in arguments.items() if set(split(k)) & {"unit", "units", "scale", "temperature"}
    }
    degrees = set(split(name)) & _DEGREES and not set(split(name)) & {"price", "percent", "chance"}
    if degrees and wanted & _IMPERIAL and isinstance(value, int | float) and not isinstance(value, bool):
        warm = value * 9 / 5 + 32
        return round(warm) if isinstance(value, int) else round(warm, 1)
    return value
