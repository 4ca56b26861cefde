"""Functions that were written for models: OpenAI tools, MCP listings, BFCL, ToolAlpaca, RapidAPI/ToolBench.

They share one shape, a named function with a schema of its arguments, under different keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from wildtool.api_catalog.functions.description import Description, Operation, Parameter, Refused, Signature
from wildtool.api_catalog.functions.names import words_of
from wildtool.api_catalog.functions.texts import cut, plain
from wildtool.api_catalog.functions.values import as_object, json_type, said_examples
from wildtool.api_catalog.functions.wording import spoken_name
from wildtool.api_catalog.importers import openapi
from wildtool.api_catalog.importers.importer import Importer
from wildtool.api_catalog.importers.schema_cleaning import RESULT_NODES, Walk, clean_schema
from wildtool.schemas.base import JsonObject

_SCHEMAS = ("parameters", "inputSchema", "input_schema", "arguments", "args_schema")
_RESULTS = ("x-returns", "outputSchema", "output_schema", "returns", "response", "results")
_HOLDERS = (
    "tools",
    "api_list",
    "functions",
    "function",
    "available_tools",
    "functionDeclarations",
    "function_declarations",
)
_MOST_FUNCTIONS = 512
"""Of one list; more is a dump of many APIs."""


def fits(document: Any) -> bool:
    """Whether functions are in it, in any of the forms."""
    return next(_groups(document, "", 0), None) is not None


def read(document: Any, name: str) -> list[Description]:
    """The lists of functions of a document: one for each API, line or listing."""
    if _is_toolalpaca(document):
        return [one for entry in _listed(document) for one in _toolalpaca(entry, name)]
    found: list[Description] = []
    loose: list[JsonObject] = []
    for title, about, functions in _groups(document, "", 0):
        if title == "" and len(functions) == 1:
            loose += functions  # one tool a line: the file is the list
        else:
            found.append(_description(title, about, functions, name, len(found)))
    if loose:
        found.append(_description("", "", loose, name, len(found)))
    if not found:
        raise Refused("no_operations", "it holds no function")
    return found


def _listed(document: Any) -> list[Any]:
    return document if isinstance(document, list) else [document]


def _groups(document: Any, title: str, depth: int) -> Iterator[tuple[str, str, list[JsonObject]]]:
    """(title, about, functions) of every list of functions in a document."""
    if depth > 4:
        return
    if isinstance(document, list):
        functions = [each for each in document if _is_function(each)]
        if functions:
            yield title, "", functions
        for each in document:
            if not _is_function(each) and isinstance(each, dict | list):
                yield from _groups(each, "", depth + 1)
        return
    if not isinstance(document, dict):
        return
    if _is_function(document):
        yield title, "", [document]
        return
    for key in ("result", "toolConfig"):  # a JSON-RPC answer of an MCP server; a request to Bedrock
        if isinstance(document.get(key), dict):
            yield from _groups(document[key], title, depth + 1)
            return
    if isinstance(document.get("servers"), list):  # several listings
        yield from _groups(document["servers"], title, depth + 1)
        return
    given = _text(document, "tool_name", "title", "name", "serverName", "id")
    about = _text(document, "tool_description", "description", "instructions")
    for key in _HOLDERS:
        held: Any = document.get(key)
        if isinstance(held, str) and held[:1] in "[{":  # a column of a table
            try:
                held = json.loads(held)
            except ValueError:
                continue
        if isinstance(held, dict):
            named = [
                {"name": name, **each} for name, each in held.items() if isinstance(each, dict) and "name" not in each
            ]
            held = named if named and all(map(_is_function, named)) else [held]
        if isinstance(held, list):
            kept = [function for each in held for function in _unwrapped(each)]
            if kept:
                yield from _by_api(given, about, kept)
                return


def _unwrapped(entry: Any) -> list[JsonObject]:
    """The functions of an entry of a list of tools: itself, Bedrock's ``toolSpec``, Gemini's declarations."""
    if _is_function(entry):
        return [entry]
    if not isinstance(entry, dict):
        return []
    if isinstance(entry.get("toolSpec"), dict):
        specification = entry["toolSpec"]
        schema = as_object(specification.get("inputSchema"))
        return [{**specification, "inputSchema": as_object(schema.get("json")) or schema}]
    declared = entry.get("functionDeclarations") or entry.get("function_declarations")
    return [each for each in declared if _is_function(each)] if isinstance(declared, list) else []


def _by_api(title: str, about: str, functions: list[JsonObject]) -> Iterator[tuple[str, str, list[JsonObject]]]:
    """ToolBench puts functions of several APIs into one list, each with its ``tool_name``."""
    apis = {str(each.get("tool_name")) for each in functions if each.get("tool_name")}
    if not apis:
        yield title, about, functions
        return
    for api in sorted(apis):
        yield api, about, [each for each in functions if str(each.get("tool_name")) == api]


def _is_function(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    inner = entry.get("function")
    if isinstance(inner, dict) and isinstance(inner.get("name"), str):
        return True
    if not isinstance(_name(entry), str) or not _name(entry):
        return False
    if "required_parameters" in entry or "optional_parameters" in entry:
        return True
    return any(isinstance(entry.get(key), dict) for key in _SCHEMAS) or entry.get("type") == "function"


def _name(entry: JsonObject) -> Any:
    return entry.get("api_name") or entry.get("name")


def _text(entry: JsonObject, *keys: str) -> str:
    return next((str(entry[key]) for key in keys if isinstance(entry.get(key), str) and entry[key].strip()), "")


def _description(title: str, about: str, functions: list[JsonObject], name: str, number: int) -> Description:
    stem = re.sub(r"\.(?:jsonl?|ndjson|ya?ml|gz)$", "", name.rsplit("/", 1)[-1].rsplit("!", 1)[-1])
    called = plain(title, limit=200) or stem
    slug = re.sub(r"[^a-z0-9]+", "_", f"{called}".lower()).strip("_")[:56] or "tools"
    operations = tuple(_operation(each) for each in functions[:_MOST_FUNCTIONS])
    return Description(
        title=cut(called, 90),
        description=cut(plain(about), 400),
        version="",
        licence="",
        slug=f"{slug}_{number + 1}" if number and not title else slug,
        operations=operations,
        kept_names=True,
        snake=_is_snake([operation.name for operation in operations]),
    )


def _is_snake(names: list[str]) -> bool:
    """Whether most names that show a style are ``snake_case``; names that must be made anew follow it."""
    snake = sum(re.fullmatch(r"[a-z0-9]+(?:_[a-z0-9]+)+", name) is not None for name in names)
    return snake > sum(
        re.fullmatch(r"(?:[A-Z0-9]|[a-z](?![A-Z]))*+[a-z][A-Z][A-Za-z0-9]*", name) is not None for name in names
    )


def _operation(entry: JsonObject) -> Operation:
    inner = entry["function"] if isinstance(entry.get("function"), dict) else entry
    about = _text(inner, "description", "api_description", "desc", "summary")
    tag = _text(entry, "category_name", "category")
    return Operation(
        name=str(_name(inner) or ""),
        summary="",
        description=plain(about, limit=4000),
        read=partial(_signature, inner),
        deprecated=inner.get("deprecated") is True,
        tags=(tag,) if tag else (),
        width=0,
    )


def _signature(entry: JsonObject) -> Signature:
    raw: JsonObject = next((entry[key] for key in _SCHEMAS if isinstance(entry.get(key), dict)), {})
    if "required_parameters" in entry or "optional_parameters" in entry:
        raw = _rapidapi_schema(entry)
    elif raw and "properties" not in raw and all(isinstance(value, dict) for value in raw.values()):
        raw = {"type": "object", "properties": raw}  # the properties without their object
    walk = Walk(raw)
    cleaned = clean_schema({**raw, "type": "object"}, walk)
    if "external_ref" in walk.flags:
        raise Refused("external_ref", "a schema of the arguments lies in another file")
    originals = as_object(raw.get("properties"))
    parameters = []
    for name, schema in cleaned.get("properties", {}).items():
        original = originals.get(name)
        if isinstance(original, dict):
            said = said_examples(original, schema.get("type"))
            if said:
                schema["examples"] = said[:6]
        parameters.append(Parameter(name, "argument", name in cleaned.get("required", ()), schema))
    returns = None
    for key in _RESULTS:
        if isinstance(entry.get(key), dict):
            result = clean_schema(entry[key], Walk(entry[key], result=True, nodes=RESULT_NODES))
            if result.get("properties") or result.get("items") or result.get("type") not in (None, "object"):
                returns = result
                break
    keys = frozenset(name for name, one in originals.items() if as_object(one).get("type") == "credentials")
    return Signature(tuple(parameters), returns, keys, flags=tuple(sorted(walk.flags)))


def _rapidapi_schema(entry: JsonObject) -> JsonObject:
    properties: JsonObject = {}
    required: list[str] = []
    for key, needed in (("required_parameters", True), ("optional_parameters", False)):
        listed = entry.get(key)
        for each in listed if isinstance(listed, list) else ():
            if not isinstance(each, dict) or not isinstance(each.get("name"), str):
                continue
            kind = str(each.get("type") or "string").strip().lower()
            schema: JsonObject = {"type": kind}
            values: list[object] = next(
                (each[key] for key in ("enum", "options", "values") if isinstance(each.get(key), list)), []
            )
            if values:
                schema["enum"] = values
                if kind == "enum" and len(set(map(json_type, values))) == 1:  # a type of its own there: the values tell
                    del schema["type"]
            if isinstance(each.get("description"), str):
                schema["description"] = each["description"]
            form = re.fullmatch(r"(?:time|geopoint)\s*\((.+)\)", str(each.get("type")).strip(), re.IGNORECASE)
            if form and form[1].lower() not in str(schema.get("description", "")).lower():
                # JSON Schema's ``time`` wants seconds and a zone, and it has no points: the form is told in words.
                schema["description"] = (
                    f"{schema.get('description') or spoken_name(each['name'])[:-1]} ({form[1]})".strip()
                )
            value = each.get("default")
            if value not in (None, ""):
                # ToolBench writes an example for required parameters where optional ones have a default.
                schema["example" if needed else "default"] = value
            properties[each["name"]] = schema
            if needed:
                required.append(each["name"])
    return {"type": "object", "properties": properties, "required": required}


def _is_toolalpaca(document: Any) -> bool:
    entries = _listed(document)
    return (
        bool(entries)
        and isinstance(entries[0], dict)
        and ("NLDocumentation" in entries[0] or "Function_Description" in entries[0])
    )


def fits_toolalpaca(document: Any) -> bool:
    """Whether it is ToolAlpaca's list of APIs."""
    return _is_toolalpaca(document)


_ARGUMENTS = re.compile(r"Parameters?:\s*(?=\{)")
_ARGUMENTS_END = re.compile(r"\}(?:[^\S\n]*+\n\s*+Output|\s*+\Z)")


def _toolalpaca_arguments(text: str) -> str:
    """The JSON object behind ``Parameters:``, up to what the function puts out; an empty one where there is none."""
    begins = _ARGUMENTS.search(text)
    ends = _ARGUMENTS_END.search(text, begins.end()) if begins else None
    return text[begins.end() : ends.start() + 1] if begins and ends else "{}"


def _toolalpaca(entry: Any, name: str) -> list[Description]:
    if not isinstance(entry, dict):
        return []
    title, about = _text(entry, "Name"), _text(entry, "Description", "Introduction")
    documented = entry.get("Documentation")
    if isinstance(documented, str) and documented[:1] == "{":
        try:
            document = json.loads(documented)
        except ValueError:
            document = None
        if openapi.fits(document):
            return openapi.read(document, title or name)
    functions = []
    described = entry.get("Function_Description")
    for called, text in described.items() if isinstance(described, dict) else ():
        if called == "components" or not isinstance(text, str):
            continue
        functions.append({
            "name": called,
            "description": text.split("Parameters:")[0].strip(),
            "parameters": _toolalpaca_schema(_toolalpaca_arguments(text)),
        })  # fmt: skip
    return [_description(title, about, functions, name, 0)] if functions else []


def _toolalpaca_schema(text: str) -> JsonObject:
    """``{"city": "Required. String. Name of the city."}`` as a schema."""
    try:
        given = json.loads(text)
    except ValueError:
        given = {}
    properties: JsonObject = {}
    required: list[str] = []
    for name, about in given.items() if isinstance(given, dict) else ():
        words = words_of(str(about))
        kinds = ("string", "integer", "number", "boolean", "array", "object", "float", "date")
        properties[name] = {
            "type": next((kind for kind in kinds if kind in words[:4]), "string"),
            "description": re.sub(
                r"^(?:(?:required|optional|string|integer|number|boolean)\b[.,:; ]*)+", "", str(about), flags=re.I
            ),
        }
        if "required" in words[:4] and "not" not in words[:4] and "optional" not in words[:4]:
            required.append(name)
        listed = re.search(r"\bone of:?\s*\[([^\[\]]{1,400})\]", str(about), re.IGNORECASE)
        if listed and properties[name]["type"] == "string":
            properties[name]["enum"] = [value.strip(" '\"") for value in listed[1].split(",")]
    return {"type": "object", "properties": properties, "required": required}


TOOLALPACA = Importer("toolalpaca", "ToolAlpaca", fits_toolalpaca, read, order=30)
FUNCTIONS = Importer("functions", "functions", fits, read, order=40)
