"""Make values of single fields, and find the name of the thing that holds them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject


def label_of(item: Mapping[str, Any]) -> str | None:
    """Return what a person would call an item of a list; None where it has no name."""
    for wanted in (
        r"title|headline",
        r"name|label",
        r".{0,80}(?:Title|Name|Headline|_name|_title)",
        r"summary|city|model|event|word|text|food",
    ):
        for name, value in item.items():
            if re.fullmatch(wanted, name, re.IGNORECASE) and isinstance(value, str) and 1 < len(value) <= 60:
                return value
    return None


def listed(schema: JsonObject) -> list[Any]:
    """Return the schema's examples that are plain values and nobody's address."""
    examples = schema.get("examples")
    if not isinstance(examples, list):
        examples = [schema["example"]] if "example" in schema else []
    # Examples of real APIs hold addresses of real people.
    return [e for e in examples if not isinstance(e, dict | list) and ("@" not in str(e) or "@example." in str(e))]


def vary(value: Any, rng: Random) -> Any:
    """Vary a value: draw its digits anew."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        drawn = abs(value) * rng.uniform(0.5, 1.9) + rng.randrange(1, 9)
        return int(drawn) if isinstance(value, int) else round(drawn, 4 if abs(value) < 200 else 2)
    if re.search(r"\d", value):
        return re.sub(r"\d", lambda hit: str(rng.randrange(1, 10)), value)
    return value


def number(schema: JsonObject, kind: str, rng: Random) -> int | float:
    """Draw a number that the schema allows."""
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    low = 1 if low is None else low + ("exclusiveMinimum" in schema and "minimum" not in schema)
    high = max(low, low + 100 if high is None else min(high, low + 5000))
    step = schema.get("multipleOf")
    value: int | float = rng.randint(int(low), int(high)) if kind == "integer" else round(rng.uniform(low, high), 1)
    if not step:
        return value
    # Rounding may lead past the maximum.
    return type(value)(step * max(-(-low // step), min(max(1, round(value / step)), high // step)))


def in_step(thing: JsonObject, fields: JsonObject) -> None:
    """Let addresses that end in a thing's code end in this thing's code, in place: examples know only their own."""
    for name, value in thing.items():
        if not isinstance(value, str) or "://" not in value:
            continue
        head, slash, end = value.rpartition("/")
        for other, schema in fields.items():
            if (
                other != name
                and isinstance(thing.get(other), str)
                and isinstance(schema, dict)
                and end in listed(schema)
            ):
                thing[name] = f"{head}{slash}{thing[other]}"
