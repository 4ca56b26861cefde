"""Make identifiers: as their pattern, examples or format show, free, and apart from those of other tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from wildtool.language.parameter_names import looks_like_id
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import WorldField
from wildtool.worlds.furnishing.checks import Check, check_of
from wildtool.worlds.furnishing.data import name_words
from wildtool.worlds.furnishing.facts import Exhausted, Facts
from wildtool.worlds.furnishing.formats import uuid
from wildtool.worlds.furnishing.makers import slug_of
from wildtool.worlds.furnishing.numerals import bounds
from wildtool.worlds.furnishing.patterns import matching
from wildtool.worlds.furnishing.shapes import examples_of

Free = Callable[[Any], bool]
Make = Callable[[Facts, bool], Any]
"""``make(facts, wide)``; wide ones have more digits, so that those of parts that nobody has opened yet do not meet."""

TRIES = 120
"""Draws before a counter is appended."""

WIDE = 6
"""Digits of identifiers in parts that unseen values open: two parts of ten rows share one in 1 of 9,000 cases."""

_PLACE = re.compile(r"\{(\d+)([dx])\}")
_LETTERS = "abcdefghkmnpqrstuvwxyz"
_CODED = re.compile(
    r"(?:^|_)(?:id|uuid|guid|key|code|slug|hash|ref|reference|sku|token|sid|pid|number|no|isbn|ean|handle|row)$"
)


def is_coded(name: str) -> bool:
    """Return whether a key is a code; keys such as a date, a word or a role are named by what they are."""
    return looks_like_id(name) or bool(_CODED.search("_".join(name_words(name))))


def identifier(make: Make, check: Check, facts: Facts, free: Free, *, wide: bool, closed: bool = False) -> Any:
    """Return an identifier that nothing else has."""
    value: Any = None
    for attempt in range(TRIES):
        value = make(facts, wide or attempt > TRIES // 2)
        if check(value) and free(value):
            return value
    if closed:
        raise Exhausted(str(value))
    for number in range(1, 100_000):
        other = number if isinstance(value, int) else f"{value}{number}"
        if free(other) and (check(other) or number > 1000):
            return other
    raise AssertionError(value)


def make_of(name: str, field: WorldField, noun: str) -> tuple[Make, Check]:
    """Return what makes a field's identifiers, and what tells whether one satisfies the schema."""
    return _make_of(name, canonical_json(field.value), field.pattern, noun), check_of(field.value)


@lru_cache(maxsize=1 << 12)
def _make_of(name: str, text: str, pattern: str | None, noun: str) -> Make:
    import json

    schema: JsonObject = json.loads(text)
    if pattern is not None:
        return lambda facts, wide: _PLACE.sub(lambda hit: _drawn(facts, int(hit[1]), hit[2]), pattern)
    if options := [each for each in schema.get("enum") or () if each is not None]:
        return lambda facts, wide: facts.pick(options)
    kind = plain_type(schema)
    examples = examples_of(schema)
    if kind in ("integer", "number"):
        return _whole(schema, examples)
    if schema.get("format") in ("uuid", "guid") or _all(examples, _UUID):
        return lambda facts, wide: uuid(facts)
    if examples:
        return _like([str(each) for each in examples], schema)
    given = schema.get("pattern")
    if isinstance(given, str) and (made := matching(given)) is not None:
        return lambda facts, wide: made(facts.rng)
    if {"uuid", "guid"} & set(name_words(name)):
        return lambda facts, wide: uuid(facts)
    return _stemmed(name, schema, noun)


_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")


def _all(examples: tuple[Any, ...], pattern: re.Pattern[str]) -> bool:
    return bool(examples) and all(isinstance(each, str) and pattern.match(each) for each in examples)


def _whole(schema: JsonObject, examples: tuple[Any, ...]) -> Make:
    low, high = bounds(schema)
    figures = [int(each) for each in examples if isinstance(each, int | float) and not isinstance(each, bool)]
    size = max((len(str(abs(each))) for each in figures), default=5)
    size = min(max(size, 4), 15)

    def make(facts: Facts, wide: bool) -> int:
        digits = max(size, WIDE) if wide else size
        least = max(10 ** (digits - 1), int(low)) if low is not None else 10 ** (digits - 1)
        most = min(10**digits - 1, int(high)) if high is not None else 10**digits - 1
        if least > most:
            least, most = int(low if low is not None else min(0, most)), int(high if high is not None else least)
        return facts.whole(least, max(least, most))

    return make


_RUN = re.compile(r"\d+")


def _like(examples: list[str], schema: JsonObject) -> Make:
    fixed = {"pattern", "maxLength"} & schema.keys()
    mixed = [
        each for each in examples if len(each) > 11 and re.search(r"[a-z]", each) and re.search(r"\d|[A-Z]", each[1:])
    ]
    if len(mixed) == len(examples) and not any(re.search(r"[\s_\-/:.]", each) for each in examples):
        return lambda facts, wide: _reshuffled(facts.pick(examples), facts)

    def make(facts: Facts, wide: bool) -> str:
        example = facts.pick(examples)
        runs = list(_RUN.finditer(example))
        if not runs:
            return _lettered(example, facts)
        made, end = [], 0
        longest = max(runs, key=lambda run: (len(run[0]), run.start()))
        for run in runs:
            made.append(example[end : run.start()])
            size = len(run[0])
            if run is longest and not fixed:
                size = max(size, WIDE if wide else min(3, size + 1))
            # Years and short version numbers inside a code stay.
            keep = run is not longest and (size <= 2 or run[0].startswith(("19", "20")))
            made.append(run[0] if keep else _drawn(facts, size, "d", zero=run[0].startswith("0")))
            end = run.end()
        return "".join(made) + example[end:]

    return make


def _reshuffled(example: str, facts: Facts) -> str:
    """Draw letters and digits in the kinds and places of an opaque code; its first three characters stay."""
    made = list(example[:3])
    for character in example[3:]:
        if character.isdigit():
            made.append(str(facts.whole(0, 9)))
        elif character.isalpha() and character.isascii():
            drawn = facts.pick(_LETTERS)
            made.append(drawn.upper() if character.isupper() else drawn)
        else:
            made.append(character)
    return "".join(made)


def _lettered(example: str, facts: Facts) -> str:
    if example.isupper() and len(example) <= 8:
        return "".join(facts.pick(_LETTERS).upper() if each.isalpha() else each for each in example)
    return f"{example}-{facts.whole(2, 999)}"


def _stemmed(name: str, schema: JsonObject, noun: str) -> Make:
    dull = {"id", "code", "key", "uuid", "slug", "row", "number", "ref", "sid", "the", "reference", "handle"}
    words = [word for word in name_words(name) if word not in dull] or slug_of(noun).split("-")
    stem = (words[-1] if words else "ref")[:4] or "ref"
    longest = schema.get("maxLength")
    room = 40 if longest is None else int(longest)

    def make(facts: Facts, wide: bool) -> str:
        digits = _drawn(facts, WIDE if wide else 4, "d")
        text = f"{stem}_{digits}"
        return text if len(text) <= room else digits[:room]

    return make


def _drawn(facts: Facts, count: int, kind: str, *, zero: bool = False) -> str:
    letters = "0123456789" if kind == "d" else "0123456789abcdef"
    rest = "".join(facts.pick(letters) for _ in range(count - 1))
    return ("0" if zero and count > 1 else facts.pick(letters[1:])) + rest
