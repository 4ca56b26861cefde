"""Check a value against a schema: by hand for the common words of JSON Schema, with ``jsonschema`` for the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeGuard

from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import fits, plain_type

Check = Callable[[Any], bool]

_NOTES = frozenset(
    "type description title examples example default readOnly writeOnly deprecated nullable format contentEncoding xml".split()
)
"""Words that no value can fail, ``type`` and ``format`` aside."""

_READ = _NOTES | {"enum", "minimum", "maximum", "minLength", "maxLength", "pattern"}

_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,)}


def check_of(schema: JsonObject) -> Check:
    """Return what tells whether a value satisfies a schema."""
    return _check(canonical_json(schema))


@lru_cache(maxsize=1 << 14)
def _check(text: str) -> Check:
    schema: JsonObject = json.loads(text)
    kind = plain_type(schema)
    if not schema.keys() <= _READ or kind not in _TYPES or ("format" in schema and kind == "string"):
        return lambda value: fits(value, schema)
    tests: list[Check] = [_typed(kind)]
    if "enum" in schema:
        options = schema["enum"]
        tests.append(lambda value: value in options)
    if isinstance(low := schema.get("minimum"), int | float):
        tests.append(lambda value: isinstance(value, str | bool) or value >= low)
    if isinstance(high := schema.get("maximum"), int | float):
        tests.append(lambda value: isinstance(value, str | bool) or value <= high)
    if isinstance(least := schema.get("minLength"), int):
        tests.append(lambda value: not isinstance(value, str) or len(value) >= least)
    if isinstance(most := schema.get("maxLength"), int):
        tests.append(lambda value: not isinstance(value, str) or len(value) <= most)
    if isinstance(pattern := schema.get("pattern"), str):
        try:
            search = re.compile(pattern).search
        except re.error:
            return lambda value: fits(value, schema)
        tests.append(lambda value: not isinstance(value, str) or search(value) is not None)
    return tests[0] if len(tests) == 1 else lambda value: all(test(value) for test in tests)


def _typed(kind: str) -> Check:
    types = _TYPES[kind]
    if kind == "boolean":
        return lambda value: isinstance(value, bool)
    if kind == "integer":
        return lambda value: (
            not isinstance(value, bool)
            and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
        )
    return lambda value: isinstance(value, types) and not isinstance(value, bool)


def is_figure(value: Any) -> TypeGuard[int | float]:
    """Return whether a value is a number, booleans aside."""
    return isinstance(value, int | float) and not isinstance(value, bool)
