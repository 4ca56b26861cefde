"""Result schemas from example answers, and example answers into result schemas."""

from __future__ import annotations

import json
import math
from typing import Any

from wildtool.schemas.base import JsonObject

_DEPTH = 6
_PROPERTIES = 40
_KEPT = 4


def infer_schema(example: Any, depth: int = _DEPTH) -> JsonObject:
    """JSON Schema of one example answer, with the example's values as ``examples``."""
    if isinstance(example, str) and example.lstrip()[:1] in ("{", "["):
        example = _parsed(example)
    match example:
        case bool():
            return {"type": "boolean"}
        case int():
            return {"type": "integer", "examples": [example]}
        case float():
            return {"type": "number", "examples": [example]} if math.isfinite(example) else {"type": "number"}
        case str():
            return {"type": "string", "examples": [example]} if _sayable(example) else {"type": "string"}
        case list():
            items = infer_schema(example[0], depth - 1) if example and depth > 0 else {}
            return {"type": "array", "items": items}
        case dict():
            if depth <= 0:
                return {"type": "object"}
            chosen = [(name, value) for name, value in example.items() if isinstance(name, str)][:_PROPERTIES]
            return {"type": "object", "properties": {name: infer_schema(value, depth - 1) for name, value in chosen}}
        case _:
            return {}


def spread_example(schema: JsonObject, example: Any, depth: int = _DEPTH) -> None:
    """Puts the values of an example answer as ``examples`` onto the leaves of its schema that have none."""
    if isinstance(example, str) and example.lstrip()[:1] in ("{", "["):
        example = _parsed(example)
    if depth <= 0 or example is None:
        return
    properties = schema.get("properties")
    if isinstance(example, dict) and isinstance(properties, dict):
        for name, value in example.items():
            if isinstance(properties.get(name), dict):
                spread_example(properties[name], value, depth - 1)
        return
    if isinstance(example, list):
        items = schema.get("items")
        if isinstance(items, dict):
            for value in example[:_KEPT]:
                spread_example(items, value, depth - 1)
        return
    if isinstance(example, dict) or "enum" in schema:
        return
    kinds = schema.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    fitting = (
        ("string" in kinds and isinstance(example, str) and _sayable(example))
        or ("integer" in kinds and isinstance(example, int) and not isinstance(example, bool))
        or (
            "number" in kinds
            and isinstance(example, int | float)
            and not isinstance(example, bool)
            and math.isfinite(example)
        )
    )
    held = schema.get("examples", [])
    if fitting and len(held) < _KEPT and example not in held:
        schema["examples"] = [*held, example]


def _sayable(text: str) -> bool:
    return 0 < len(text) <= 160 and text.isprintable()


def _parsed(text: str) -> Any:
    if len(text) > 200_000:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
