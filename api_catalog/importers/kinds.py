"""Which types a schema says it has, in whatever words people write them."""

from __future__ import annotations

import re
from typing import Any

from wildtool.api_catalog.functions.values import json_type

_TYPES: dict[str, tuple[str, str | None]] = {
    "string": ("string", None), "str": ("string", None), "text": ("string", None), "char": ("string", None),
    "varchar": ("string", None), "date": ("string", "date"), "datetime": ("string", "date-time"),
    "date-time": ("string", "date-time"), "timestamp": ("string", None), "time": ("string", None),
    "uuid": ("string", "uuid"), "guid": ("string", "uuid"), "uri": ("string", "uri"), "url": ("string", "uri"),
    "email": ("string", "email"), "enum": ("string", None), "password": ("string", None), "byte": ("string", None),
    "bytes": ("string", None), "binary": ("string", "binary"), "file": ("string", "binary"), "geopoint": ("string", None),
    "integer": ("integer", None), "int": ("integer", None), "int32": ("integer", None), "int64": ("integer", None),
    "long": ("integer", None), "short": ("integer", None), "bigint": ("integer", None),
    "number": ("number", None), "float": ("number", None), "double": ("number", None), "decimal": ("number", None),
    "numeric": ("number", None), "real": ("number", None), "currency": ("number", None),
    "boolean": ("boolean", None), "bool": ("boolean", None),
    "array": ("array", None), "list": ("array", None), "tuple": ("array", None), "set": ("array", None),
    "arraylist": ("array", None), "collection": ("array", None), "sequence": ("array", None),
    "object": ("object", None), "dict": ("object", None), "dictionary": ("object", None), "map": ("object", None),
    "hashmap": ("object", None), "json": ("object", None), "hash": ("object", None), "struct": ("object", None),
    "null": ("null", None), "none": ("null", None),
}  # fmt: skip
"""Types as people write them → (JSON Schema type, format). Unknown ones, ``any`` among them, say nothing."""

FORMATS = frozenset({"date", "date-time", "time", "email", "uri", "uuid", "ipv4", "ipv6", "hostname", "duration"})
"""Formats that JSON Schema 2020-12 and strict function calling both know."""


SCALARS = frozenset({"string", "integer", "number", "boolean"})
"""Types whose values have no parts."""

SAID = frozenset({"description", "title", "default", "example", "examples", "nullable", "x-nullable"})
"""Keywords that say something of a value as a whole, whichever of several types it has."""


def several_types(schema: dict[str, Any]) -> list[str]:
    """The types of a type array, without ``null``; empty where there are not several."""
    given = schema.get("type")
    if not isinstance(given, list):
        return []
    kinds = [_TYPES.get(one.strip().lower(), ("", None))[0] for one in given[:8] if isinstance(one, str)]
    kinds = [kind for kind in dict.fromkeys(kinds) if kind not in {"", "null"}]
    if "number" in kinds and "integer" in kinds:
        kinds.remove("integer")
    return kinds if len(kinds) > 1 else []


def kind_in(schema: dict[str, Any]) -> tuple[str | None, str | None, bool]:
    """(type, format that the type implies, nullable)."""
    given = schema.get("type")
    nullable = schema.get("nullable") is True or schema.get("x-nullable") is True
    if isinstance(given, list):
        names = [name for name in given if isinstance(name, str)]
        nullable = nullable or "null" in names
        names = [name for name in names if name != "null"]
        if len(names) == 2 and set(names) == {"integer", "number"}:
            names = ["number"]
        given = names[0] if len(names) == 1 else ("string" if "string" in names else None)
    if isinstance(given, str):
        spelled = given.strip().lower().partition(",")[0].strip()  # "str, optional"
        spelled = re.sub(r"^(?:list|array|arraylist)\s*[<\[(].*", "array", spelled).removesuffix("?")
        if spelled.endswith("[]"):
            spelled = "array"
        spelled = spelled.partition("(")[0].strip()  # "DATE (YYYY-MM-DD)"
        kind, form = _TYPES.get(spelled, (None, None))
        if kind == "string" and spelled == "json":
            kind = "object"
        if kind is not None and kind != "null":
            return kind, form, nullable
    for keyword, kind in (("properties", "object"), ("additionalProperties", "object"), ("items", "array"),
                          ("pattern", "string"), ("minLength", "string"), ("maxLength", "string")):  # fmt: skip
        if keyword in schema and schema[keyword] is not None:
            return kind, None, nullable
    values = schema.get("enum")
    if isinstance(values, list) and values:
        kinds = {json_type(value) for value in values if value is not None}
        if len(kinds) == 1:
            return kinds.pop(), None, nullable or None in values
        if kinds == {"integer", "number"}:
            return "number", None, nullable
    if format_in(schema) in {"int32", "int64"}:
        return "integer", None, nullable
    if format_in(schema) in FORMATS | {"binary", "byte", "password"}:
        return "string", None, nullable
    return None, None, nullable


def format_in(schema: dict[str, Any]) -> str | None:
    given = schema.get("format")
    return given if isinstance(given, str) else None


def alternatives_in(schema: dict[str, Any]) -> list[Any]:
    for keyword in ("oneOf", "anyOf"):
        branches = schema.get(keyword)
        if isinstance(branches, list):
            silent = {"required", "description", "title", "not", "properties"}
            meaningful = [
                branch
                for branch in branches
                if isinstance(branch, dict)
                and (set(branch) - silent or ("properties" in branch and "properties" not in schema))
            ]
            if meaningful:
                return meaningful
    return []
