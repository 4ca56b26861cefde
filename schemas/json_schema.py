"""JSON Schemas of parameters: their types, and whether a value satisfies one."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.tool import Tool


def properties(tool: Tool) -> dict[str, JsonObject]:
    """Schemas of the top-level parameters."""
    found = tool.parameters.get("properties", {})
    return {name: schema if isinstance(schema, dict) else {} for name, schema in found.items()}


def required(tool: Tool) -> tuple[str, ...]:
    """Names of the required parameters that the schema defines."""
    return tuple(name for name in tool.parameters.get("required", ()) if name in properties(tool))


def plain_type(schema: JsonObject) -> str:
    """The JSON type of a schema, the first that is not null; ``any`` where it says none."""
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        kind = next((each for each in kind if each != "null"), "any")
    if kind == "any" and "enum" in schema:
        return "string"
    return str(kind)


@lru_cache(maxsize=4096)
def _validator(schema: str) -> Any:
    from jsonschema import Draft202012Validator

    # With formats, as the annotation form and the release gates judge them.
    return Draft202012Validator(json.loads(schema), format_checker=Draft202012Validator.FORMAT_CHECKER)


def fits(value: Any, schema: JsonObject) -> bool:
    """Whether a value satisfies a JSON Schema (2020-12). A schema that cannot be applied fits nothing."""
    return first_misfit(value, schema) is None


@lru_cache(maxsize=1 << 16)
def text_fits(value: str, schema: str) -> bool:
    """``fits`` for JSON texts: planning asks for the same few values of a schema thousands of times."""
    return fits(json.loads(value), json.loads(schema))


def first_misfit(value: Any, schema: JsonObject) -> str | None:
    """One line on why a value does not satisfy a schema; None if it does."""
    from jsonschema.exceptions import SchemaError
    from referencing.exceptions import Unresolvable

    try:
        error = next(iter(_validator(canonical_json(schema)).iter_errors(value)), None)
    except (SchemaError, Unresolvable, re.error) as broken:
        return f"the schema cannot be applied: {str(broken).splitlines()[0]}"
    if error is None:
        return None
    return f"{error.json_path}: {error.message[:200]}"
