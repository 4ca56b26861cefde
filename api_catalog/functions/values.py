"""Single values of schemas: their types, whether they fit, and what may be said of them."""

from __future__ import annotations

import math
import re
import warnings
from typing import Any

from wildtool.schemas.base import JsonObject

_PORTABLE_LIMIT = 200


def as_object(value: Any) -> JsonObject:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def kinds_of(schema: JsonObject) -> set[str]:
    """The types that a clean schema allows; empty where it names none."""
    given = schema.get("type")
    return {given} if isinstance(given, str) else set(given or ())


def kind_of(schema: JsonObject) -> str | None:
    """The one type that a clean schema allows beside ``null``; None where there are none or several."""
    kinds = kinds_of(schema) - {"null"}
    return next(iter(kinds)) if len(kinds) == 1 else None


def json_type(value: Any) -> str:
    """The JSON type of a value."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def said_examples(schema: dict[str, Any], kind: Any) -> list[Any]:
    """Values of ``example`` and ``examples`` that fit a scalar type."""
    raw: list[Any] = []
    many = schema.get("examples")
    if isinstance(many, dict):
        raw += [entry.get("value") if isinstance(entry, dict) else entry for entry in many.values()]
    elif isinstance(many, list):
        raw += many
    for keyword in ("example", "x-example"):
        if schema.get(keyword) is not None:
            raw.append(schema[keyword])
    if isinstance(kind, list):
        kind = kind_of({"type": kind})
    if kind not in {"string", "integer", "number", "boolean"}:
        return []
    fitting = [coerce(value, kind) for value in raw[:12] if not isinstance(value, dict | list)]
    return list(
        {(type(value), value): value for value in fitting if value not in (None, "") and is_short(value)}.values()
    )


def coerce(value: Any, kind: str | None) -> Any:
    """The value in the type, or None where it does not fit: ``"10"`` → 10, ``"true"`` → True."""
    if not is_finite(value) or isinstance(value, dict):
        return None
    match kind:
        case "string":
            if isinstance(value, bool):
                return "true" if value else "false"
            return value if isinstance(value, str) else (str(value) if isinstance(value, int | float) else None)
        case "integer":
            if isinstance(value, bool):
                return None
            if isinstance(value, float):
                return int(value) if value.is_integer() and abs(value) < 2**53 else None
            if isinstance(value, str):
                return int(value) if re.fullmatch(r"\s*-?\d{1,15}\s*", value) else None
            return value if isinstance(value, int) and abs(value) < 2**63 else None
        case "number":
            if isinstance(value, bool):
                return None
            if isinstance(value, str):
                return float(value) if re.fullmatch(r"\s*-?\d{1,15}(?:\.\d{1,15})?\s*", value) else None
            return value if isinstance(value, int | float) else None
        case "boolean":
            if isinstance(value, str):
                return {"true": True, "false": False, "yes": True, "no": False}.get(value.strip().lower())
            return value if isinstance(value, bool) else None
        case None:
            return value if isinstance(value, str | int | float | bool) else None
        case _:
            return None


def portable(pattern: str) -> bool:
    """Whether a regular expression means the same in ECMAScript and Python, and cannot take for ever."""
    if len(pattern) > _PORTABLE_LIMIT or re.search(
        r"\(\?(?![:=!])|\\[pPzZAGQEKhHRXx]|\\u\{|\[\[:|[*+}]\+|\)[*+]\)?[*+]", pattern
    ):
        return False
    if re.search(r"\((?:[^()]*[*+}])[^()]*\)[*+{]", pattern):  # nested quantifiers: exponential backtracking
        return False
    if pattern.startswith("/") and pattern.rstrip("gimsuy").endswith("/"):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)  # sets that other dialects nest
            re.compile(pattern)
    except (FutureWarning, re.error, OverflowError, RecursionError):
        return False
    return True


def is_finite(value: Any) -> bool:
    """Whether JSON can hold the value."""
    return not isinstance(value, float) or math.isfinite(value)


def is_short(value: Any) -> bool:
    """Whether the value is printable and no essay."""
    return not isinstance(value, str) or (len(value) <= 200 and value.isprintable() and value.strip() != "")


def as_count(value: Any) -> int | None:
    """The value where it is a length; else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 else None


def as_number(value: Any) -> int | float | None:
    """The value where it is a finite number; else None."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) and is_finite(value) else None
