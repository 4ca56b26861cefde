"""Make identifiers that look like a field's examples and are free."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from wildtool.language.result_filters import split
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import plain_type, text_fits

TRIES = 200
"""Draws before a counter is appended."""


def identifier(
    name: str, schema: JsonObject, pattern: str | None, noun: str, rng: Random, free: Callable[[Any], bool]
) -> Any:
    """Make an identifier that nothing else has; free examples come first."""
    fits = canonical_json(schema)
    told = [each for each in schema.get("enum") or schema.get("examples") or () if each is not None]
    examples = [each for each in told if text_fits(canonical_json(each), fits)]
    pool = list(examples)
    rng.shuffle(pool)
    for each in pool:
        if free(each):
            return each
    for attempt in range(TRIES):
        value = _made(name, schema, pattern, noun, rng, examples, attempt)
        if free(value) and text_fits(canonical_json(value), fits):
            return value
    for number in range(1, 10_000):
        value = number if plain_type(schema) in ("integer", "number") else f"{_stem(name, noun)}{number}"
        if free(value):
            return value
    raise AssertionError(name)


def _made(
    name: str, schema: JsonObject, pattern: str | None, noun: str, rng: Random, examples: list[Any], attempt: int
) -> Any:
    if pattern is not None:
        return re.sub(r"\{(\d)([dx])\}", lambda hit: _digits(int(hit[1]), hit[2], rng), pattern)
    kind = plain_type(schema)
    if kind in ("integer", "number"):
        low, high = int(schema.get("minimum", 1000)), int(schema.get("maximum", 99_999))
        return rng.randint(low, max(low, high))
    if schema.get("format") == "uuid":
        bits = [rng.getrandbits(n) for n in (32, 16, 12, 12, 48)]
        return f"{bits[0]:08x}-{bits[1]:04x}-4{bits[2]:03x}-a{bits[3]:03x}-{bits[4]:012x}"
    if examples:
        return _like(str(rng.choice(examples)), rng, attempt)
    longest = int(schema.get("maxLength", 40))
    return f"{_stem(name, noun)}_{rng.randrange(1000, 9999)}"[-longest:]


def _like(example: str, rng: Random, attempt: int) -> str:
    """Vary an example: its last run of digits, else its letters."""
    runs = list(re.finditer(r"\d+", example))
    if runs:
        run = runs[-1]
        size = len(run[0]) + (attempt > TRIES // 2)
        digits = str(rng.randrange(10 ** (size - 1), 10**size)) if size > 1 else str(rng.randrange(1, 10))
        return example[: run.start()] + digits + example[run.end() :]
    if example.isupper():
        return "".join(rng.choice("ABCDEFGHKLMNPRSTVWXYZ") if each.isalpha() else each for each in example)
    return f"{example}-{rng.randrange(2, 99)}"


def _digits(count: int, kind: str, rng: Random) -> str:
    return "".join(rng.choice("0123456789" if kind == "d" else "0123456789abcdef") for _ in range(count))


def _stem(name: str, noun: str) -> str:
    words = [
        each for each in split(name) if each not in ("id", "code", "key", "uuid", "slug", "row", "number")
    ] or noun.split()
    return (words[-1] if words else "ref")[:4]
