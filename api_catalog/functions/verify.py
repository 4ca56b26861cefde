"""Whether a tool may be offered to a model: valid schema, named and described, within budget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from wildtool.api_catalog.functions.names import words_of
from wildtool.api_catalog.functions.values import kinds_of
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.tool import Tool, ToolList

MOST_TOOL_CHARACTERS = 6000
"""Of a tool as a model sees it: about 1,500 tokens."""

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Verification:
    """Counts over a catalogue."""

    lists: int
    tools: int
    invalid: dict[str, int]
    """Tools by reason for which they must not leave."""
    warnings: dict[str, int]
    """Tools by what is odd but allowed: ``absurd_type``, ``not_strict``, ``cannot_be_asked``."""
    examples: dict[str, str]
    """One ``slug.tool`` for each reason."""

    @property
    def ok(self) -> bool:
        """Whether every kept tool is valid."""
        return not self.invalid


def verify_catalogue(lists: Iterable[ToolList]) -> Verification:
    """Check every tool and link of tool lists, or of a ``Catalogue``.

    Returns:
        Lists and tools counted, tools by fault and by warning, and one example of each.

    Source: ``api_catalog/functions/verify.py``.
    """
    invalid: Counter[str] = Counter()
    warnings: Counter[str] = Counter()
    examples: dict[str, str] = {}
    count = tools = 0
    for each in getattr(lists, "lists", lists):
        count += 1
        names = Counter(tool.name for tool in each.tools)
        by_name = {tool.name: tool for tool in each.tools}
        for tool in each.tools:
            tools += 1
            problem = problem_of(tool)
            found = [problem[0]] if problem else []
            if names[tool.name] > 1:
                found.append("doubled_name")
            for reason in found:
                invalid[reason] += 1
                examples.setdefault(reason, f"{each.slug}.{tool.name}")
            for reason in oddities(tool):
                warnings[reason] += 1
                examples.setdefault(reason, f"{each.slug}.{tool.name}")
        for link in each.links:
            if not link_resolves(by_name.get(link.producer), link.path, by_name.get(link.consumer), link.parameter):
                invalid["broken_link"] += 1
                examples.setdefault("broken_link", f"{each.slug}: {link.producer} {link.path} -> {link.consumer}")
    return Verification(count, tools, dict(sorted(invalid.items())), dict(sorted(warnings.items())), examples)


def problem_of(tool: Tool) -> tuple[str, str] | None:
    """(reason, detail) for which the tool must not leave; None for a good one."""
    if not _NAME.fullmatch(tool.name):
        return "illegal_name", tool.name
    if not tool.description.strip():
        return "no_description", tool.name
    parameters = tool.parameters
    if parameters.get("type") != "object" or not isinstance(parameters.get("properties"), dict):
        return "parameters_no_object", str(parameters.get("type"))
    for schema in (parameters, tool.returns):
        if schema is not None and (message := _invalid_schema(schema)):
            return "invalid_schema", message
    if broken := _shape(parameters):
        return broken
    for name, schema in parameters["properties"].items():
        if not _NAME.fullmatch(name):
            return "illegal_parameter_name", name
        if not schema.get("description"):
            return "parameter_undescribed", name
        if "default" in schema and not _holds(schema, schema["default"]):
            return "default_not_allowed", f"{name} = {schema['default']!r}"
    size = len(canonical_json(tool.openai()))
    if size > MOST_TOOL_CHARACTERS:
        return "too_long", f"{size} characters"
    return None


def oddities(tool: Tool) -> list[str]:
    """What is odd about a tool that may still leave."""
    found = set()
    if absurd_types(tool):
        found.add("absurd_type")
    if any("anyOf" in schema for schema in tool.parameters["properties"].values()):
        found.add("any_of")
    if not tool.strict:
        found.add("not_strict")
    if tool.returns is None:
        found.add("no_returns")
    return sorted(found)


_WORDED = frozenset(
    """
    url uri link website homepage webpage webhook hostname email mail title query name username address description
    message text comment subject
    """.split()
)
"""Last words of names whose values are no numbers, whatever the source says."""


def absurd_types(tool: Tool) -> dict[str, str]:
    """The type of each parameter, nested ones by path, whose name says that it cannot be that: ``{"site.url": "integer"}``."""
    return dict(_absurd(tool.parameters, ""))


def _absurd(schema: JsonObject, path: str) -> Iterator[tuple[str, str]]:
    for name, inner in schema.get("properties", {}).items():
        where = f"{path}.{name}" if path else name
        kinds = kinds_of(inner) - {"null"}
        if kinds and kinds <= {"integer", "number"} and _WORDED & set(words_of(name)[-1:]):
            yield where, "/".join(sorted(kinds))
        yield from _absurd(inner, where)
        if isinstance(inner.get("items"), dict):
            yield from _absurd(inner["items"], f"{where}[]")


def link_resolves(producer: Tool | None, path: str, consumer: Tool | None, parameter: str) -> bool:
    """Whether both ends of a link exist."""
    if producer is None or consumer is None or parameter not in consumer.parameters.get("properties", {}):
        return False
    here: Any = producer.returns
    for name, star in re.findall(r"([^.\[\]]+)|(\[\*\])", path):
        if not isinstance(here, dict):
            return False
        here = here.get("items") if star else (here.get("properties") or {}).get(name)
    return isinstance(here, dict)


def _shape(schema: JsonObject) -> tuple[str, str] | None:
    """What the metaschema allows but a model must not get."""
    properties = schema.get("properties")
    if properties is not None:
        missing = [name for name in schema.get("required", ()) if name not in properties]
        if missing:
            return "required_undefined", ", ".join(missing)
        for name, inner in properties.items():
            if broken := _shape(inner):
                return broken[0], f"{name}: {broken[1]}"
    for branch in schema.get("anyOf", ()):
        if broken := _shape(branch):
            return broken
    if schema.get("type") == "array":
        if not isinstance(schema.get("items"), dict):
            return "array_without_items", ""
        return _shape(schema["items"])
    if "enum" in schema and not schema["enum"]:
        return "empty_enum", ""
    return None


@cache
def _metaschema() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(Draft202012Validator.META_SCHEMA)


_KEYWORDS = frozenset({"type", "description", "properties", "required", "items", "enum", "examples", "format", "default",
                       "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength",
                       "minItems", "maxItems", "anyOf", "pattern", "additionalProperties"})  # fmt: skip
_KINDS = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})


def _invalid_schema(schema: JsonObject) -> str:
    """What the 2020-12 metaschema says against a schema; empty for a valid one.

    Schemas of the usual keywords with the usual values are valid by construction of the metaschema and are told by a
    walk, fifty times as fast; everything else is put before the metaschema itself.
    """
    if _plainly_valid(schema):
        return ""
    error = next(iter(_metaschema().iter_errors(schema)), None)
    return "" if error is None else f"{error.json_path}: {error.message[:160]}"


def _plainly_valid(schema: Any) -> bool:
    if not isinstance(schema, dict) or not schema.keys() <= _KEYWORDS:
        return False
    kind = schema.get("type")
    if kind is not None:
        kinds = kind if isinstance(kind, list) else [kind]
        if (
            not kinds
            or not all(isinstance(each, str) and each in _KINDS for each in kinds)
            or len(set(kinds)) < len(kinds)
        ):
            return False
    required = schema.get("required", [])
    if (
        not isinstance(required, list)
        or not all(isinstance(each, str) for each in required)
        or len(set(required)) < len(required)
    ):
        return False
    for keyword in ("description", "format", "pattern"):
        if not isinstance(schema.get(keyword, ""), str):
            return False
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(schema.get(keyword, 0), bool) or not isinstance(schema.get(keyword, 0), int | float):
            return False
    for keyword in ("minLength", "maxLength", "minItems", "maxItems"):
        value = schema.get(keyword, 0)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            return False
    for keyword in ("enum", "examples"):
        if not isinstance(schema.get(keyword, []), list):
            return False
    inner = [
        *(
            schema["properties"].values()
            if isinstance(schema.get("properties", {}), dict) and "properties" in schema
            else ()
        )
    ]
    if "properties" in schema and not isinstance(schema["properties"], dict):
        return False
    if "anyOf" in schema:
        if not isinstance(schema["anyOf"], list) or not schema["anyOf"]:
            return False
        inner += schema["anyOf"]
    inner += [schema[keyword] for keyword in ("items", "additionalProperties") if keyword in schema]
    return all(each is True or each is False or _plainly_valid(each) for each in inner)


def _holds(schema: JsonObject, value: Any) -> bool:
    from jsonschema import Draft202012Validator

    return next(iter(Draft202012Validator(schema).iter_errors(value)), None) is None
