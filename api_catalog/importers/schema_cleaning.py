"""Schemas as APIs write them → JSON Schema 2020-12 that a model can use.

One walk resolves references, merges ``allOf``, and cleans; it never builds more than its budget of nodes, so
cycles, bombs and giant schemas cost the same as small ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wildtool.api_catalog.functions.texts import PARAMETER_CHARACTERS, cut, plain, sentence
from wildtool.api_catalog.functions.values import (
    as_count,
    as_number,
    coerce,
    is_short,
    json_type,
    portable,
    said_examples,
)
from wildtool.api_catalog.importers.defaults import add_default
from wildtool.api_catalog.importers.kinds import (
    FORMATS,
    SAID,
    SCALARS,
    alternatives_in,
    format_in,
    kind_in,
    several_types,
)
from wildtool.api_catalog.importers.references import MISSING, is_external, lookup
from wildtool.schemas.base import JsonObject

REQUEST_DEPTH = 10
"""Levels of an argument that are kept. Strict function calling takes five; ``Tool.strict`` tells which tools fit that."""

RESULT_DEPTH = 7
"""Results lie a level or two deeper: an envelope, a list, its items."""

REQUEST_NODES = 160
RESULT_NODES = 150
"""Properties a schema may hold; the 99th percentile of kept operations is below 120."""

MOST_ENUM_VALUES = 50
"""More are a table, not a choice: it costs a prompt hundreds of tokens."""

MOST_BRANCHES = 4
"""``anyOf`` branches that a model is shown."""

_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")


@dataclass(slots=True)
class Walk:
    """One walk over a schema: where references point, and what may still be built."""

    document: Any
    """Root that ``#/…`` points into."""
    result: bool = False
    """True for results: ``writeOnly`` goes instead of ``readOnly``, examples stay."""
    nodes: int = REQUEST_NODES
    """Schema nodes that may still be built."""
    nulls: bool = True
    """False where ``null`` cannot be sent: a form."""
    flags: set[str] = field(default_factory=set)
    """What was lost on the way."""


def clean_schema(raw: Any, walk: Walk, *, depth: int | None = None) -> JsonObject:
    """JSON Schema 2020-12 of a schema in any dialect. Never raises, never exceeds the walk's budget."""
    levels = depth if depth is not None else (RESULT_DEPTH if walk.result else REQUEST_DEPTH)
    return _clean(raw, walk, levels, ())


def merged(raw: Any, walk: Walk) -> tuple[dict[str, Any], tuple[str, ...]]:
    """References followed and ``allOf`` merged at the top level only; and the references passed."""
    return _flatten(raw, walk, (), 0)


def _flatten(raw: Any, walk: Walk, passed: tuple[str, ...], chain: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    if not isinstance(raw, dict):
        return {}, passed
    if "const" in raw:  # an enum of one value: one keyword for what is chosen from, here and in all that reads it
        raw = {**{key: value for key, value in raw.items() if key != "const"}, "enum": [raw["const"]]}
    reference = raw.get("$ref")
    if isinstance(reference, str):
        siblings = {key: value for key, value in raw.items() if key != "$ref"}
        if is_external(reference):
            walk.flags.add("external_ref")
            return siblings, passed
        if reference in passed or chain > 24:
            walk.flags.add("cycle_cut")
            return {"type": "object", **siblings}, passed
        target = lookup(walk.document, reference)
        if target is MISSING:
            walk.flags.add("missing_ref")
            return siblings, passed
        base, passed = _flatten(target, walk, (*passed, reference), chain + 1)
        raw = {**base, **siblings} if siblings else base
    branches = raw.get("allOf")
    if isinstance(branches, list) and branches:
        together = {key: value for key, value in raw.items() if key != "allOf"}
        for branch in branches[:24]:
            part, passed = _flatten(branch, walk, passed, chain + 1)
            together = _join(together, part, walk)
        return together, passed
    return raw, passed


def _join(first: dict[str, Any], second: dict[str, Any], walk: Walk) -> dict[str, Any]:
    """Join two branches of an ``allOf``: a value must satisfy both, so types, enums and bounds are intersected.

    Branches that no value can satisfy flag ``conflicting_branches``. Of descriptions and the like the first's stay.
    """
    joined = {**second, **first}
    mine, theirs = first.get("properties"), second.get("properties")
    if isinstance(mine, dict) and isinstance(theirs, dict):
        both = {
            name: {"allOf": [mine[name], theirs[name]]}
            for name in mine
            if name in theirs and mine[name] != theirs[name]
        }
        joined["properties"] = {**theirs, **mine, **both}
    if isinstance(first.get("required"), list) and isinstance(second.get("required"), list):
        joined["required"] = [*second["required"], *first["required"]]
    if isinstance(first.get("enum"), list) and isinstance(second.get("enum"), list):
        joined["enum"] = [value for value in first["enum"] if value in second["enum"]]
        if not joined["enum"]:
            walk.flags.add("conflicting_branches")
    one, other = kind_in(first)[0], kind_in(second)[0]
    if one is not None and other is not None and one != other:
        if {one, other} == {"integer", "number"}:
            joined["type"] = "integer"
        else:
            walk.flags.add("conflicting_branches")
    for keyword, tighter in _TIGHTER.items():
        low, high = as_number(first.get(keyword)), as_number(second.get(keyword))
        if low is not None and high is not None:
            joined[keyword] = tighter(low, high)
    return joined


_TIGHTER: dict[str, Callable[[float, float], float]] = {
    "minimum": max, "exclusiveMinimum": max, "minLength": max, "minItems": max,
    "maximum": min, "exclusiveMaximum": min, "maxLength": min, "maxItems": min,
}  # fmt: skip


def _clean(raw: Any, walk: Walk, depth: int, passed: tuple[str, ...]) -> JsonObject:
    walk.nodes -= 1
    if not isinstance(raw, dict):
        return {}
    schema, passed = _flatten(raw, walk, passed, 0)
    kind, form, nullable = kind_in(schema)
    if kind == "string" and (form == "binary" or format_in(schema) == "binary"):
        walk.flags.add("binary")
    alternatives = alternatives_in(schema)
    several = several_types(schema) if not walk.result and not alternatives else []
    if not SCALARS.issuperset(several):  # "string or array": each with the keywords of its own
        alternatives = [{**{key: schema[key] for key in schema.keys() - SAID}, "type": one} for one in several]
        kind, several = None, []
    description = cut(plain(schema.get("description")) or plain(schema.get("title"), limit=80), PARAMETER_CHARACTERS)
    cleaned: JsonObject = {}
    if alternatives and kind not in {"array", "string", "integer", "number", "boolean"}:
        cleaned, more_null = _any_of(schema, alternatives, walk, depth, passed)
        nullable = nullable or more_null
        kind = cleaned.get("type", kind) if isinstance(cleaned.get("type"), str) else None
    elif several:
        kind = None
        cleaned = {"type": several}
        for one in several:
            _scalar(cleaned, {key: schema[key] for key in schema if key != "enum"}, one, None, walk)
        values = schema.get("enum")
        allowed = {*several, "integer"} if "number" in several else set(several)
        fitting = [one for one in values if json_type(one) in allowed] if isinstance(values, list) else []
        if fitting:
            schema = {**schema, "enum": fitting}
    elif kind == "object" or (kind is None and isinstance(schema.get("properties"), dict)):
        cleaned = _object(schema, walk, depth, passed)
    elif kind == "array" or (kind is None and "items" in schema):
        cleaned = _array(schema, walk, depth, passed)
    elif kind is not None:
        cleaned = {"type": kind}
    if kind in {"string", "integer", "number", "boolean"} and "anyOf" not in cleaned:
        _scalar(cleaned, schema, kind, form, walk)
        description = _cap_enum(cleaned, description)
    elif kind is None and isinstance(schema.get("enum"), list):
        _scalar(cleaned, schema, None, form, walk)
        description = _cap_enum(cleaned, description)
    if description:
        cleaned["description"] = sentence(description)
    if not walk.result:
        add_default(cleaned, schema, description)
    if walk.result:
        _examples(cleaned, schema)
    if nullable and walk.result and isinstance(cleaned.get("type"), str) and "enum" not in cleaned:
        cleaned["type"] = [cleaned["type"], "null"]
    return cleaned


def _takes_null(raw: Any, walk: Walk) -> bool:
    """Whether a schema allows ``null``."""
    schema, passed = _flatten(raw, walk, (), 0)
    del passed
    return kind_in(schema)[2] or any(one.get("type") in ("null", ["null"]) for one in alternatives_in(schema))


def _any_of(
    schema: dict[str, Any], branches: list[Any], walk: Walk, depth: int, passed: tuple[str, ...]
) -> tuple[JsonObject, bool]:
    """``anyOf`` of the branches a model can tell apart; one branch, or one type, needs no ``anyOf``."""
    nullable = False
    cleaned: list[JsonObject] = []
    shared: dict[str, Any] = {key: schema[key] for key in ("properties", "required") if key in schema}
    for branch in branches:
        if isinstance(branch, dict) and branch.get("type") in ("null", ["null"]):
            nullable = True
            continue
        if len(cleaned) == MOST_BRANCHES or walk.nodes <= 0:
            walk.flags.add("branches_cut")
            break
        flat, inner = _flatten(branch, walk, passed, 0)
        if flat.get("enum") == [None]:
            nullable = True
            continue
        one = _clean(_join(flat, shared, walk) if shared else flat, walk, depth - 1 if depth > 1 else depth, inner)
        if one and one not in cleaned:
            cleaned.append(one)
    if not cleaned:
        return {}, nullable
    if len(cleaned) == 1:
        return cleaned[0], nullable
    kinds = [one.get("type") for one in cleaned]
    if kinds[0] in ("string", "integer") and all(
        kind == kinds[0] and "enum" in one for kind, one in zip(kinds, cleaned, strict=True)
    ):
        values = list(dict.fromkeys(value for one in cleaned for value in one["enum"]))
        return {"type": kinds[0], "enum": values}, nullable
    if all(kind == kinds[0] for kind in kinds) and kinds[0] in ("string", "integer", "number", "boolean"):
        return {"type": kinds[0]}, nullable
    if set(kinds) == {"integer", "number"} if all(isinstance(kind, str) for kind in kinds) else False:
        return {"type": "number"}, nullable
    return {"anyOf": cleaned}, nullable


def _object(schema: dict[str, Any], walk: Walk, depth: int, passed: tuple[str, ...]) -> JsonObject:
    cleaned: JsonObject = {"type": "object"}
    properties = schema.get("properties")
    required = schema.get("required")
    wanted = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    if isinstance(properties, dict) and properties and depth > 0:
        kept: JsonObject = {}
        ordered = (
            sorted(properties, key=lambda name: name not in wanted) if walk.nodes < len(properties) else properties
        )
        for name in ordered:
            raw = properties[name]
            if not isinstance(name, str) or not isinstance(raw, dict):
                continue
            if raw.get("writeOnly" if walk.result else "readOnly") is True or (
                not walk.result and raw.get("deprecated") is True
            ):
                continue
            if walk.nodes <= 0:
                walk.flags.add("budget_cut")
                break
            kept[name] = _clean(raw, walk, depth - 1, passed)
            if isinstance(raw.get("required"), bool) and raw["required"]:  # draft 3, and many hand-written files
                wanted.append(name)
        cleaned["properties"] = {name: kept[name] for name in properties if name in kept}
        held = [name for name in dict.fromkeys(wanted) if name in kept]
        if held:
            cleaned["required"] = held
        for name in held if walk.nulls and not walk.result else ():
            # One that may be left out needs no null; one that may not has no other way to say "none".
            kind = kept[name].get("type")
            if kind and "enum" not in kept[name] and _takes_null(properties[name], walk):
                kept[name]["type"] = [*(kind if isinstance(kind, list) else [kind]), "null"]
    elif isinstance(properties, dict) and properties:
        walk.flags.add("depth_cut")
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict) and extra and depth > 0 and walk.nodes > 0 and "properties" not in cleaned:
        values = _clean(extra, walk, depth - 1, passed)
        if values:
            cleaned["additionalProperties"] = values
    return cleaned


def _array(schema: dict[str, Any], walk: Walk, depth: int, passed: tuple[str, ...]) -> JsonObject:
    items = schema.get("items", schema.get("prefixItems"))
    inner = re.fullmatch(
        r"\s*(?:list|array|arraylist)\s*[<\[(]\s*(\w+)\s*[>\])].*|\s*(\w+)\[\]", str(schema.get("type")), re.I
    )
    if items is None and inner is not None:  # "List[int]", "string[]"
        items = {"type": inner[1] or inner[2]}
    if isinstance(items, list):  # tuples: one schema for all positions
        items = items[0] if items and isinstance(items[0], dict) else {}
    if depth <= 0 or walk.nodes <= 0:
        walk.flags.add("depth_cut")
        return {"type": "array", "items": {}}
    cleaned_items = _clean(items, walk, depth - 1, passed) if isinstance(items, dict) else {}
    if not cleaned_items:
        walk.flags.add("items_guessed")
        cleaned_items = {} if walk.result else {"type": "string"}
    cleaned: JsonObject = {"type": "array", "items": cleaned_items}
    low, high = as_count(schema.get("minItems")), as_count(schema.get("maxItems"))
    if low is not None and (high is None or low <= high) and low > 0:
        cleaned["minItems"] = low
    if high is not None and (low is None or low <= high) and high > 0:
        cleaned["maxItems"] = high
    return cleaned


def _scalar(cleaned: JsonObject, schema: dict[str, Any], kind: str | None, form: str | None, walk: Walk) -> None:
    """Adds enum, format, bounds and pattern to a schema of one scalar type."""
    values = schema.get("enum")
    if isinstance(values, list) and "enum" not in cleaned:
        coerced = [coerce(value, kind) for value in values if value is not None]
        kept = list(
            {(type(value), value): value for value in coerced if value is not None and is_short(value)}.values()
        )
        if kept:
            cleaned["enum"] = kept
        elif any(value is not None for value in values):
            walk.flags.add("enum_mismatch")
    if kind == "string":
        if (format_ := form or format_in(schema)) in FORMATS and "enum" not in cleaned:
            cleaned["format"] = format_
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and "enum" not in cleaned and portable(pattern):
            cleaned["pattern"] = pattern
        low, high = as_count(schema.get("minLength")), as_count(schema.get("maxLength"))
        if low and (high is None or low <= high) and low > 1:
            cleaned["minLength"] = low
        if high and (low is None or low <= high) and high < 4096:
            cleaned["maxLength"] = high
    if kind in {"integer", "number"}:
        bounds = {name: value for name in _NUMBERS if (value := as_number(schema.get(name))) is not None}
        for exclusive, plain_name in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if schema.get(exclusive) is True and plain_name in bounds:  # OpenAPI 3.0: a boolean beside the bound
                bounds[exclusive] = bounds.pop(plain_name)
        lowest = max((bounds[name] for name in ("minimum", "exclusiveMinimum") if name in bounds), default=-math.inf)
        highest = min((bounds[name] for name in ("maximum", "exclusiveMaximum") if name in bounds), default=math.inf)
        if lowest <= highest:
            cleaned.update({name: value for name, value in bounds.items() if abs(value) < 2**31 - 1})


def _cap_enum(cleaned: JsonObject, description: str) -> str:
    """Takes a too long enum out of the schema and into the description."""
    values = cleaned.get("enum")
    if not isinstance(values, list) or len(values) <= MOST_ENUM_VALUES:
        return description
    del cleaned["enum"]
    some = ", ".join(str(value) for value in values[:12])
    told = f"One of {len(values)} values, such as {some}."
    said = sentence(cut(description, PARAMETER_CHARACTERS - len(told) - 2))
    if not any(map(str.isalnum, said)):  # nothing there, or a dash
        return told
    return f"{said}{'.' if said[-1] in ')）' else ''} {told}"


def _examples(cleaned: JsonObject, schema: dict[str, Any]) -> None:
    """Examples of result values, for the environment to speak with."""
    found = said_examples(schema, cleaned.get("type"))
    if found and "enum" not in cleaned:
        cleaned["examples"] = found[:5]
