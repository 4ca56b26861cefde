"""Turn a JSON Schema into what draws its values: done once a schema, so that a row costs little."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.furnishing.checks import Check, check_of
from wildtool.worlds.furnishing.data import joined, name_words, pool, texts
from wildtool.worlds.furnishing.facts import Facts, digits_of
from wildtool.worlds.furnishing.formats import FORMATS
from wildtool.worlds.furnishing.kinds import kind_of, scope_of
from wildtool.worlds.furnishing.makers import CODES, MAKERS, PLACES, TEXTS, Named, like
from wildtool.worlds.furnishing.moments import form_of, moment_maker
from wildtool.worlds.furnishing.numerals import bounds, number_maker
from wildtool.worlds.furnishing.patterns import matching

Draw = Callable[[Facts], Any]

_DRAWN_ANEW = frozenset(("person", "company", "address", "street"))
"""Kinds whose examples show how a value looks; two things seldom share one."""

DEEPEST = 5
"""Nesting that is filled; below, only what a schema requires."""

MOST_FIELDS = 10
"""Optional fields of an inner object that are filled: a person must be able to read the result."""

TRIES = 12
"""Draws for a value that the schema allows."""

_USUAL = re.compile(
    r"(?:^|_)(?:active|enabled|visible|available|public|verified|valid|success|ok|open|in_stock|published|confirmed)(?:$|_)"
)
_UNUSUAL = re.compile(
    r"(?:^|_)(?:delet\w*|archiv\w*|cancel\w*|closed|hidden|disabled|blocked|banned|expired|explicit|adult|nsfw|spam|draft|private"
    r"|locked|suspend\w*|error|fail\w*|test|pinned|muted|mature|withheld|sold_out)(?:$|_)"
)


def draw_of(
    name: str, schema: JsonObject, noun: str, language: str, *, timed: bool = False, needed: Sequence[str] = ()
) -> Draw:
    """Return what draws a field's values. ``needed`` are paths inside it that must be there."""
    return _draw(name, canonical_json(schema), noun, language, timed, tuple(needed), 0)


@lru_cache(maxsize=1 << 15)
def _draw(name: str, text: str, noun: str, language: str, timed: bool, needed: tuple[str, ...], depth: int) -> Draw:
    schema = settled(json.loads(text))
    if "const" in schema:
        value = schema["const"]
        return lambda facts: value
    options = [each for each in schema.get("enum") or () if each is not None]
    if options:
        return lambda facts: facts.pick(options)
    kind = plain_type(schema)
    if kind == "object" or (kind == "any" and "properties" in schema):
        return _object(name, schema, language, needed, depth)
    if kind == "array" or (kind == "any" and "items" in schema):
        return _array(name, schema, language, needed, depth)
    if kind == "boolean":
        held = joined(name)
        share = 0.12 if _UNUSUAL.search(held) else 0.85 if _USUAL.search(held) else 0.5
        return lambda facts: facts.random() < share
    if kind == "null":
        return lambda facts: None
    return _checked(_scalar(name, schema, kind, noun, language, timed), name, schema)


def settled(schema: Any) -> JsonObject:
    """Return a schema with one alternative chosen, the first that is not null, and its parts joined."""
    if not isinstance(schema, dict):
        return {}
    for key in ("oneOf", "anyOf"):
        options = [each for each in schema.get(key) or () if isinstance(each, dict) and each.get("type") != "null"]
        if options:
            return settled({**{k: v for k, v in schema.items() if k != key}, **options[0]})
    if schema.get("allOf"):
        merged: JsonObject = {}
        for each in [*schema["allOf"], {k: v for k, v in schema.items() if k != "allOf"}]:
            each = settled(each)
            joint: JsonObject = {"properties": {**merged.get("properties", {}), **each.get("properties", {})}}
            joint["required"] = [*merged.get("required", []), *each.get("required", [])]
            merged = {**merged, **each, **({k: v for k, v in joint.items() if v})}
        return merged
    return schema


def examples_of(schema: JsonObject) -> tuple[Any, ...]:
    """Return a schema's examples that are plain values and nobody's address."""
    held = schema.get("examples")
    if not isinstance(held, list):
        held = [schema["example"]] if schema.get("example") is not None else []
    return tuple(
        each
        for each in held
        if isinstance(each, str | int | float | bool) and ("@" not in str(each) or "@example." in str(each))
    )


def _scalar(name: str, schema: JsonObject, kind: str, noun: str, language: str, timed: bool) -> Draw:
    examples = examples_of(schema)
    schema_format = str(schema.get("format") or "")
    least, most = bounds(schema)
    form = form_of(
        name,
        kind if kind in ("integer", "number") else "string",
        schema_format if kind == "string" else "",
        examples,
        timed=timed,
    )
    if form is not None:
        return moment_maker(name, form, least, most)
    found = kind_of(name, noun)
    if kind in ("integer", "number"):
        if found in ("latitude", "longitude"):
            coded, named = MAKERS[found], Named(name, scope_of(name))
            return lambda facts: coded(facts, named)
        return number_maker(name, schema, examples)
    if (made := FORMATS.get(schema_format)) is not None and found not in CODES:
        return made
    if schema_format in ("email", "idn-email"):
        found = "email"
    return _text(name, schema, found, noun, language, examples)


def _text(
    name: str, schema: JsonObject, found: str | None, noun: str, language: str, examples: tuple[Any, ...]
) -> Draw:
    pattern = schema.get("pattern")
    if found == "timezone" and any(str(each).upper().startswith(("UTC", "GMT", "+", "-")) for each in examples):
        found, examples = "utc_offset", ()
    if (
        isinstance(pattern, str)
        and found not in (*PLACES, "utc_offset")
        and (made := matching(pattern)) is not None
        and not examples
    ):
        return lambda facts: made(facts.rng)
    named = Named(name, scope_of(name), examples)
    if found == "label":
        found = None
    if found in CODES and examples:
        return _coded_like(found, named)
    if found == "address" and examples and not any("," in str(each) for each in examples):
        found = "street"
    if examples and found not in PLACES and found not in TEXTS and found not in _DRAWN_ANEW:
        return lambda facts: facts.pick(examples)
    if found is not None and (coded := MAKERS.get(found)) is not None:
        return lambda facts: coded(facts, named)
    if found is not None and (told := texts(found, language)):
        return _telling(told, examples)
    names = pool(found or "", language)
    if names is not None and names.count:
        holder = names
        return lambda facts: holder.name(int(facts.random() * holder.count))
    if name_words(name)[-1:] == ("id",):
        stem = named.stem
        return lambda facts: f"{stem}_{facts.whole(1000, 9999)}"
    plain = pool("category", language)
    assert plain is not None
    return lambda facts: plain.name(int(facts.random() * plain.count))


def _coded_like(found: str, named: Named) -> Draw:
    texts_like = [str(each) for each in named.examples]
    ours = [each for each in texts_like if "://" not in each or ".example" in each or "//example." in each]
    coded = MAKERS[found]
    if not ours:
        return lambda facts: coded(facts, named)
    if found not in ("url", "image_url", "media_url"):
        if not any(any(c.isdigit() for c in each) or each.isupper() for each in ours):
            return lambda facts: facts.pick(ours)
        return lambda facts: like(facts.pick(ours), facts)

    def address(facts: Facts) -> str:
        example = facts.pick(ours)
        runs = re.findall(r"\d+", example)
        if facts.id is None or not runs:
            return like(example, facts)
        return re.sub(rf"{runs[-1]}(?!.*\d)", digits_of(facts.id), example)

    return address


def _telling(told: tuple[tuple[str, frozenset[str]], ...], examples: tuple[Any, ...]) -> Draw:
    """Return what says something of the row itself."""

    def draw(facts: Facts) -> str:
        known = facts.known()
        if examples and "label" not in known:
            return str(facts.pick(examples))
        usable = [text for text, slots in told if slots <= known.keys()]
        if not usable:
            return str(facts.pick(examples)) if examples else facts.noun or "–"
        best = [text for text in usable if "{topic}" in text] if facts.topic and facts.random() < 0.5 else []
        return facts.pick(best or usable).format(**known)

    return draw


def _checked(draw: Draw, name: str, schema: JsonObject) -> Draw:
    """Return a draw whose values satisfy the schema."""
    check = check_of(schema)
    kind = plain_type(schema)
    constrained = schema.keys() & {"pattern", "minLength", "maxLength", "not", "allOf", "if", "multipleOf"} or (
        schema.get("format") and kind == "string"
    )
    if not constrained and _surely(draw, check):
        return draw
    rescue = _rescue(name, schema, check)
    most = schema.get("maxLength")

    def checked(facts: Facts) -> Any:
        for _ in range(TRIES):
            value = draw(facts)
            if isinstance(value, str) and isinstance(most, int) and len(value) > most:
                value = value[:most].rstrip(" ,.;:-") if most > 3 else value[:most]
            if check(value):
                return value
        return rescue(facts)

    return checked


def _surely(draw: Draw, check: Check) -> bool:
    from datetime import datetime

    from wildtool.worlds.furnishing.facts import Scene

    scene = Scene("en", datetime(2026, 3, 2, 9, 30), "")
    return all(check(draw(Facts(scene, Random(seed), "thing"))) for seed in range(3))


def _rescue(name: str, schema: JsonObject, check: Check) -> Draw:
    """Return what draws values where a field's own kind never satisfies its schema: by pattern, example or bare type."""
    text_pattern = schema.get("pattern")
    made = matching(text_pattern) if isinstance(text_pattern, str) else None
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    kept = [each for each in (*examples_of(schema), schema.get("default")) if each is not None and check(each)]
    moments = ("2026-01-01T09:00:00+00:00", "2026-01-01T09:00:00.000Z", "2026-01-01T09:00:00.000000Z")
    bare = [
        *moments,
        "",
        "a",
        "ab",
        "A1B2",
        "12345",
        "1",
        "2026-01-01",
        "2026-01-01T09:00:00Z",
        0,
        1,
        10,
        0.5,
        True,
        [],
        {},
    ]

    def draw(facts: Facts) -> Any:
        for _ in range(TRIES * 2):
            if made is not None and check(value := made(facts.rng)):
                return value
            if kept and made is None and check(value := _varied(facts.pick(kept), facts)):
                return value
            size = least if most is None else min(max(least, 4), int(most))
            if check(value := "".join(facts.pick("abcdefghkmnprstuvwxyz23456789") for _ in range(size))):
                return value
        if kept:
            return facts.pick(kept)
        return next((each for each in bare if check(each)), None)

    return draw


def _varied(value: Any, facts: Facts) -> Any:
    return like(value, facts) if isinstance(value, str) else value


def _object(name: str, schema: JsonObject, language: str, needed: tuple[str, ...], depth: int) -> Draw:
    from wildtool.worlds.furnishing.relations import agreeing

    required = set(schema.get("required") or ())
    paths: dict[str, list[str]] = {}
    for path in needed:
        head, _, rest = path.partition(".")
        paths.setdefault(head, []).extend([rest] if rest else [])
    fields: Mapping[str, Any] = schema.get("properties") or {}
    noun = _singular(" ".join(name_words(name)))
    kept: dict[str, JsonObject] = {}
    for field, inner in fields.items():
        wanted = field in required or field in paths
        if wanted or (depth < DEEPEST and len(kept) < MOST_FIELDS and isinstance(inner, dict)):
            kept[field] = settled(inner)
    if depth > DEEPEST + 3:
        kept = {}
    parts = [
        (field, _draw(field, canonical_json(inner), noun, language, False, tuple(paths.get(field, ())), depth + 1))
        for field, inner in kept.items()
    ]
    label = next(
        (field for field in kept if kind_of(field, noun) is not None and _names_itself(field, kept[field])), None
    )
    parts.sort(key=lambda part: (part[0] != label, _order(part[0], noun)))
    own_id = next((field for field in kept if _identifies(field, kept[field])), None)
    agree = agreeing(tuple(kept), kept)
    order = list(kept)

    def draw(facts: Facts) -> JsonObject:
        inner = facts.inner(noun)
        made: JsonObject = {}
        for field, part in parts:
            made[field] = part(inner)
            if field == label:
                inner.label = str(made[field])
        if own_id is not None and label is not None:
            made[own_id] = _id_of(inner, made[own_id], kept[own_id], label)
        agree(made, frozenset(), inner, {})
        return {field: made[field] for field in order}

    return draw


def _id_of(facts: Facts, drawn: Any, schema: JsonObject, label: str) -> Any:
    """Return the id of an inner thing: the same name has the same id wherever it turns up in a world."""
    rng = Random(f"{facts.scene.seed}:{facts.noun}:{facts.label.casefold()}")
    if isinstance(drawn, str):
        known = Facts(facts.scene, rng, facts.noun)
        examples = [each for each in examples_of(schema) if isinstance(each, str)]
        made = like(examples[int(rng.random() * len(examples))] if examples else drawn, known)
        return made if check_of(schema)(made) else drawn
    if isinstance(drawn, int) and not isinstance(drawn, bool):
        low, high = bounds(schema)
        return rng.randint(int(low if low is not None else 1000), int(high if high is not None else 99_999))
    return drawn


def _names_itself(field: str, schema: JsonObject) -> bool:
    return (
        plain_type(schema) == "string"
        and name_words(field)[-1:] in (("name",), ("title",), ("label",))
        and "enum" not in schema
    )


def _identifies(field: str, schema: JsonObject) -> bool:
    return name_words(field)[-1:] in (("id",), ("uuid",), ("key",)) and plain_type(schema) in ("string", "integer")


@lru_cache(maxsize=1 << 14)
def _order(field: str, noun: str) -> int:
    """Return when a field is made: a place before what follows from it, texts at last."""
    kind = kind_of(field, noun)
    if kind == "city":
        return 0
    if kind in PLACES or kind in ("first_name", "last_name", "person", "company"):
        return 1
    return 3 if kind in TEXTS or kind in ("email", "url", "domain", "slug", "username", "initials") else 2


def _array(name: str, schema: JsonObject, language: str, needed: tuple[str, ...], depth: int) -> Draw:
    least, most = int(schema.get("minItems") or 0), int(schema.get("maxItems") or 4)
    items = schema.get("items")
    item = settled(items if isinstance(items, dict) else {})
    part = _draw(
        _singular(name), canonical_json(item), _singular(" ".join(name_words(name))), language, False, needed, depth + 1
    )
    nested = plain_type(item) in ("object", "array") or "properties" in item
    high = min(max(most, least), max(least, 3 if nested else 4))
    low = min(max(least, 0 if depth >= DEEPEST else 2), high)
    if depth >= DEEPEST:
        high = low
    naming = [
        field for field in item.get("properties") or {} if _names_itself(field, settled(item["properties"][field]))
    ]
    coordinates = name_words(name)[-1:] in (("coordinates",), ("bbox",), ("location",)) and plain_type(item) == "number"

    def draw(facts: Facts) -> list[Any]:
        if coordinates and least <= 2 <= max(most, 2):
            latitude, longitude = facts.point("")
            return [longitude, latitude]
        made: list[Any] = []
        seen: set[str] = set()
        for _ in range(facts.whole(low, high)):
            for _ in range(6):
                value = part(facts)
                mark = str(value.get(naming[0])) if naming and isinstance(value, dict) else repr(value)
                if mark not in seen:
                    break
            if mark in seen and len(made) >= least:
                continue
            seen.add(mark)
            made.append(value)
        return made

    return draw


def _singular(name: str) -> str:
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    return name[:-1] if name.endswith("s") and not name.endswith(("ss", "us", "is")) and len(name) > 3 else name
