"""Tools and arguments: schemas that can be applied, and calls that are valid under them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from wildtool.language.folding import tokens
from wildtool.language.prose_defaults import default_in_prose
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Call, Session, Task
from wildtool.validation.rule import Finding, found, session_rule, task_rule
from wildtool.validation.session_parts import functions


@lru_cache(maxsize=4096)
def _validator(schema: str) -> Any:
    import jsonschema

    # Formats are checked: what is not a date cannot be what a tool documents.
    return jsonschema.Draft202012Validator(
        json.loads(schema), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def schema_errors(parameters: JsonObject, arguments: Any) -> list[str]:
    """What is wrong with a value under a JSON Schema, one line each; also where the schema itself is broken."""
    import jsonschema

    validator = _validator(canonical_json(parameters))
    try:
        errors = sorted(validator.iter_errors(arguments), key=lambda error: [str(part) for part in error.absolute_path])
    except (jsonschema.exceptions.UnknownType, jsonschema.exceptions.SchemaError) as error:
        return [f"the tool's own schema is broken: {str(error).splitlines()[0]}"]
    return [
        f"{'.'.join(str(part) for part in error.absolute_path) or 'arguments'}: {error.message[:200]}"
        for error in errors
    ]


@task_rule("arguments", "arguments are valid under the tool's schema", reads_text=False, aliases=("schema",))
def arguments(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Each call is of a known tool, with defined parameters only and values that the schema allows."""
    known = functions(session)
    for actions in (task.actions, *task.alternatives):
        for index, action in enumerate(actions):
            if not isinstance(action, Call):
                continue
            if action.name not in known:
                yield found(index, f"calls {action.name}, which is not among the session's tools")
                continue
            parameters = known[action.name].get("parameters", {"type": "object"})
            declared = parameters.get("properties", {})
            for name in action.arguments:
                # Schemas rarely say additionalProperties: false, and yet an undefined argument is an invented one.
                if name not in declared and parameters.get("additionalProperties") in (None, False):
                    yield found(index, f"{action.name} has no parameter {name}")
            for reason in schema_errors(parameters, action.arguments):
                yield found(index, f"{action.name}: {reason}", evidence=action.arguments)
            for name, values in action.argument_alternatives.items():
                for value in values:
                    for reason in schema_errors(parameters, {**action.arguments, name: value}):
                        yield found(index, f"{action.name}, alternative of {name}: {reason}", evidence=value)


@session_rule("tools", "tool names are legal and their schemas sound", reads_text=False)
def tools(session: Session) -> Iterator[Finding]:
    """Names are unique and legal; parameters are a JSON Schema whose required ones are defined."""
    names = Counter(tool["function"]["name"] for tool in session.tools)
    for name, times in names.items():
        if times > 1:
            yield found(None, f"{times} tools are named {name}")
        if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
            yield found(None, f"{name} is not a legal function name")
    for name, function in functions(session).items():
        for flaw in _schema_flaws(canonical_json(function.get("parameters", {}))):
            yield found(None, f"the parameters of {name} {flaw}")


@lru_cache(maxsize=4096)
def _schema_flaws(parameters: str) -> tuple[str, ...]:
    import jsonschema

    schema = json.loads(parameters)
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        return (f"are not a JSON Schema: {error.message[:200]}",)
    return tuple(_contradictions(schema, ""))


def _contradictions(schema: JsonObject, path: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    if undefined := sorted(set(schema.get("required", ())) - set(properties)):
        yield f"require undefined ones{path and ' in ' + path}: {', '.join(map(str, undefined))}"
    for where, inner in _properties(schema, path):
        if "default" in inner and inner["default"] is not None:
            own = {key: value for key, value in inner.items() if key != "default"}
            for reason in schema_errors(own, inner["default"])[:1]:
                yield f"give {where} a default that it does not allow: {reason}"
        yield from _contradictions(inner, where)
        if isinstance(inner.get("items"), dict):
            yield from _contradictions(inner["items"], f"{where}[]")


def _properties(schema: JsonObject, path: str) -> Iterator[tuple[str, JsonObject]]:
    for name, inner in schema.get("properties", {}).items():
        if isinstance(inner, dict):
            yield (f"{path}.{name}" if path else name), inner


@session_rule("tool_text", "tool descriptions agree with their schemas", reads_text=True, aliases=("tools",))
def tool_text(session: Session) -> Iterator[Finding]:
    """Types fit what names and descriptions say, and defaults stated in prose are in the schema."""
    for name, function in functions(session).items():
        for flaw in _text_flaws(canonical_json(function.get("parameters", {}))):
            yield found(None, f"the parameters of {name} {flaw}")


ABSURD = frozenset(
    "url uri link website homepage email mail title query name address description message text comment subject".split()
)
"""Last words of names that take text: a URL typed integer can be given by nobody."""


_URL = re.compile(
    r"(?:the |full |an? ){0,3}(?:url|uri|web ?address|link)\b(?! id)|(?:完整)?(?:网址|链接)", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def _text_flaws(parameters: str) -> tuple[str, ...]:
    return tuple(_misdescribed(json.loads(parameters), ""))


def _misdescribed(schema: JsonObject, path: str) -> Iterator[str]:
    for where, inner in _properties(schema, path):
        name = where.rpartition(".")[2]
        kind, text = inner.get("type"), str(inner.get("description", ""))
        if kind in ("integer", "number") and ((tokens(name)[-1:] and tokens(name)[-1] in ABSURD) or _URL.match(text)):
            yield f"give {where} the absurd type {kind}"
        stated = default_in_prose(text, kind, inner.get("enum"))
        if stated is not None and "default" not in inner and not schema_errors(inner, stated):
            yield f"state the default {stated!r} of {where} in prose only"
        yield from _misdescribed(inner, where)
        if isinstance(inner.get("items"), dict):
            yield from _misdescribed(inner["items"], f"{where}[]")
