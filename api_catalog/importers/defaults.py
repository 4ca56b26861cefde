"""Defaults given to cleaned parameters: as the raw schema declares them, or as its prose states them."""

from __future__ import annotations

import re
from typing import Any

from wildtool.api_catalog.functions.texts import plain
from wildtool.api_catalog.functions.values import as_number, coerce, is_finite, is_short, json_type, kind_of, kinds_of
from wildtool.language.prose_defaults import default_in_prose
from wildtool.schemas.base import JsonObject


def add_default(cleaned: JsonObject, schema: dict[str, Any], description: str) -> None:
    """Adds the default that a raw schema declares, or else tells in prose, where it fits the cleaned one."""
    kinds, kind = kinds_of(cleaned), kind_of(cleaned)
    given = schema.get("default")
    value: Any = None
    if given is not None and kind in {"string", "integer", "number", "boolean"}:
        value = coerce(given, kind)
    elif given is not None and kind == "array" and isinstance(given, list):
        value = (
            given
            if all(is_finite(item) and json_type(item) == cleaned["items"].get("type") for item in given)
            else None
        )
    elif given is not None and len(kinds) > 1 and not isinstance(given, dict | list):
        value = given if json_type(given) in kinds or ("number" in kinds and json_type(given) == "integer") else None
    else:
        value = default_in_prose(plain(schema.get("description")) or description, kind, cleaned.get("enum"))
    if value is None or value == "" or not is_short(value):
        return
    if "enum" in cleaned and (value, isinstance(value, bool)) not in [
        (one, isinstance(one, bool)) for one in cleaned["enum"]
    ]:
        return  # to Python 1 is True
    if isinstance(value, int | float) and not isinstance(value, bool):
        low = as_number(cleaned.get("minimum", cleaned.get("exclusiveMinimum")))
        high = as_number(cleaned.get("maximum", cleaned.get("exclusiveMaximum")))
        if (low is not None and value < low) or (high is not None and value > high):
            return
    if isinstance(value, str) and not _fits_text(value, cleaned):
        return
    cleaned["default"] = value


def _fits_text(value: str, cleaned: JsonObject) -> bool:
    """Whether a text keeps the pattern and the lengths of its own schema; a default that does not is no default."""
    if not cleaned.get("minLength", 0) <= len(value) <= cleaned.get("maxLength", len(value)):
        return False
    pattern = cleaned.get("pattern")
    return pattern is None or re.search(pattern, value) is not None
