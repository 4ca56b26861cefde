"""Read the shape of a result schema: the list or object that it is about, and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.derivation.lexicon import joined, word_set

DEEPEST = 3
"""Levels of objects in which a main list is sought."""

_ASIDE = frozenset(
    "errors error links link warnings warning meta metadata facets included messages debug pagination paging".split()
)
"""Lists that no tool is about."""


@dataclass(frozen=True)
class Shape:
    """What a result is about."""

    schema: JsonObject
    """The result schema, alternatives and compositions resolved."""
    rows: tuple[str, ...] | None
    """Path of the main list; None where there is none. An empty path is the result itself."""
    item: JsonObject
    """Schema of an item of the main list."""
    row: tuple[str, ...]
    """Path of the object that is the one row, for results without a main list."""


def plain(schema: Any, depth: int = 0) -> JsonObject:
    """Resolve alternatives (the first that is not null) and compositions of a schema, down to eight levels."""
    if not isinstance(schema, dict) or depth > 8:
        return {}
    for key in ("oneOf", "anyOf"):
        options = [each for each in schema.get(key) or () if isinstance(each, dict) and each.get("type") != "null"]
        if options:
            rest = {name: value for name, value in schema.items() if name != key}
            return plain({**rest, **options[0]}, depth)
    if schema.get("allOf"):
        merged: JsonObject = {name: value for name, value in schema.items() if name != "allOf"}
        fields, needed = dict(merged.get("properties") or {}), list(merged.get("required") or ())
        for each in schema["allOf"]:
            part = plain(each, depth + 1)
            fields.update(part.get("properties") or {})
            needed.extend(part.get("required") or ())
            merged = {**part, **merged}
        return plain({**merged, "properties": fields, "required": needed}, depth + 1)
    return schema


def properties_of(schema: JsonObject) -> dict[str, JsonObject]:
    """Return the resolved schemas of an object's properties."""
    found = schema.get("properties")
    return {str(name): plain(inner, 1) for name, inner in found.items()} if isinstance(found, dict) else {}


def shape_of(returns: JsonObject | None) -> Shape:
    """Read the shape of a result schema."""
    schema = plain(returns)
    if plain_type(schema) == "array" or (plain_type(schema) == "any" and "items" in schema):
        return Shape(schema, (), plain(schema.get("items"), 1), ())
    lists = sorted(_lists(schema, (), 0), key=_weight)
    if lists:
        path, item = lists[0]
        return Shape(schema, path, item, ())
    return Shape(schema, None, {}, _row_path(schema))


def _lists(schema: JsonObject, path: tuple[str, ...], depth: int) -> Iterator[tuple[tuple[str, ...], JsonObject]]:
    for name, inner in properties_of(schema).items():
        if joined(name) in _ASIDE:
            continue
        if plain_type(inner) == "array":
            yield (*path, name), plain(inner.get("items"), 1)
        elif depth < DEEPEST and properties_of(inner):
            yield from _lists(inner, (*path, name), depth + 1)


def _weight(found: tuple[tuple[str, ...], JsonObject]) -> tuple[int, int, int]:
    """Sort objects before scalars, shallow before deep, rich before poor."""
    path, item = found
    return (0 if properties_of(item) else 1, len(path), -len(properties_of(item)))


def _row_path(schema: JsonObject) -> tuple[str, ...]:
    """Return the path of the one object that holds all: ``data`` of ``{"data": {...}, "status": ...}``."""
    fields = properties_of(schema)
    inner = [name for name, each in fields.items() if len(properties_of(each)) >= 2 and joined(name) not in _ASIDE]
    rest = [name for name in fields if name not in inner and joined(name) not in _ASIDE]
    fine = word_set("envelope", "fine") | word_set("envelope", "now") | {"code", "error", "requestid"}
    if len(inner) == 1 and all(joined(name) in fine for name in rest):
        return (inner[0], *_row_path(fields[inner[0]]))
    return ()


def leaf_at(schema: JsonObject, path: tuple[str, ...]) -> JsonObject:
    """Return the schema at a path of names."""
    for name in path:
        schema = properties_of(schema).get(name, {})
    return schema
