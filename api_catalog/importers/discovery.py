"""Google discovery documents: recursive resources, and references by bare schema names."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from wildtool.api_catalog.functions.description import Description, Operation, Parameter, Refused, Signature
from wildtool.api_catalog.functions.names import singular, words_of
from wildtool.api_catalog.functions.texts import cut, plain
from wildtool.api_catalog.functions.values import as_object
from wildtool.api_catalog.importers.importer import Importer
from wildtool.api_catalog.importers.schema_cleaning import RESULT_NODES, Walk, clean_schema, merged
from wildtool.schemas.base import JsonObject

_DEEPEST = 8
"""Resources within resources; Google's deepest has five."""


def fits(document: Any) -> bool:
    """Whether the document is a discovery document."""
    if not isinstance(document, dict):
        return False
    return document.get("kind") == "discovery#restDescription" or (
        "discoveryVersion" in document and ("resources" in document or "methods" in document)
    )


def read(document: Any, name: str) -> list[Description]:
    """The API of a discovery document. Raises ``Refused`` where it has no method."""
    schemas = as_object(document.get("schemas"))
    root = {"schemas": {key: _pointed(value, 0) for key, value in schemas.items()}}
    operations = tuple(_operations(root, document, (), 0))
    if not operations:
        raise Refused("no_operations", "it holds no method")
    title = plain(document.get("title") or document.get("canonicalName") or document.get("name"), limit=200)
    return [
        Description(
            title=cut(title, 90) or name,
            description=cut(plain(document.get("description")), 400),
            version=str(document.get("version") or "")[:40],
            licence="",
            slug=f"google_{document.get('name') or name}".lower()[:60],
            operations=operations,
            server=f"{document.get('rootUrl', '')}{document.get('servicePath', '')}"[:300],
        )
    ]


def _pointed(value: Any, depth: int) -> Any:
    """The value with ``{"$ref": "Book"}`` written as ``#/schemas/Book``."""
    if depth > 40:
        return {}
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and not reference.startswith("#"):
            return {**{key: inner for key, inner in value.items() if key != "$ref"}, "$ref": f"#/schemas/{reference}"}
        return {key: _pointed(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_pointed(inner, depth + 1) for inner in value]
    return value


def _operations(root: JsonObject, holder: Any, above: tuple[str, ...], depth: int) -> Iterator[Operation]:
    if not isinstance(holder, dict) or depth > _DEEPEST:
        return
    methods = holder.get("methods")
    for name, method in methods.items() if isinstance(methods, dict) else ():
        if not isinstance(method, dict):
            continue
        template = str(method.get("path") or method.get("flatPath") or "")
        path = str(method.get("flatPath") or template).replace("{+", "{")
        parameters = as_object(method.get("parameters"))
        yield Operation(
            name=_name(str(name), above),
            summary="",
            description=plain(method.get("description"), limit=4000),
            read=partial(_signature, root, method),
            method=str(method.get("httpMethod") or "get").lower(),
            path="/" + path.lstrip("/"),
            template="/" + template.replace("{+", "{").lstrip("/"),
            deprecated=method.get("deprecated") is True,
            tags=above[-1:],
            width=len(parameters) + ("request" in method),
        )
    resources = holder.get("resources")
    for name, resource in resources.items() if isinstance(resources, dict) else ():
        yield from _operations(root, resource, (*above, str(name)), depth + 1)


_OF_ONE = frozenset({"get", "delete", "update", "patch", "insert", "create", "undelete", "watch"})


def _name(method: str, above: tuple[str, ...]) -> str:
    """``list region clusters`` for ``projects.regions.clusters.list``; a method of several words says its object itself."""
    if not above:
        return method
    if len(words_of(method)) > 1:
        return f"{method} {singular(above[-1])}"
    owner = [singular(above[-2])] if len(above) > 1 else []
    return " ".join((method, *owner, singular(above[-1]) if method in _OF_ONE else above[-1]))


def _signature(root: JsonObject, method: JsonObject) -> Signature:
    walk = Walk(root)
    parameters: list[Parameter] = []
    given = as_object(method.get("parameters"))
    for name, raw in given.items():
        if not isinstance(raw, dict) or raw.get("deprecated") is True:
            continue
        one = {key: value for key, value in raw.items() if key not in {"required", "location", "repeated", "format"}}
        for bound in ("minimum", "maximum"):  # written as text
            if isinstance(one.get(bound), str) and one[bound].lstrip("-").isdigit():
                one[bound] = int(one[bound])
        if isinstance(one.get("enum"), list) and isinstance(one.get("enumDescriptions"), list):
            dropped = {value for value in one["enum"] if str(value).endswith("_UNSPECIFIED")}
            one["enum"] = [value for value in one["enum"] if value not in dropped]
        schema = {"type": "array", "items": one, "description": raw.get("description")} if raw.get("repeated") else one
        location = str(raw.get("location") or "query")
        style = "multi" if raw.get("repeated") else "reserved" if f"{{+{name}}}" in str(method.get("path")) else ""
        required = raw.get("required") is True or location == "path"
        parameters.append(Parameter(name, location, required, clean_schema(schema, walk), style))
    parameters.sort(key=lambda parameter: parameter.location != "path")
    request = _pointed(method.get("request"), 0)
    if isinstance(request, dict) and request:
        body, _ = merged(request, walk)
        cleaned = clean_schema({**body, "type": "object"}, walk)
        needed = _required_in(body, str(method.get("id") or ""))
        parameters += [
            Parameter(name, "body", name in needed, schema) for name, schema in cleaned.get("properties", {}).items()
        ]
    response = _pointed(method.get("response"), 0)
    returns = clean_schema(response, Walk(root, result=True, nodes=RESULT_NODES)) if response else None
    return Signature(
        tuple(parameters),
        returns if returns and returns.get("properties") else None,
        body_media="application/json" if request else "",
        flags=("binary_body",) if "mediaUpload" in method and not given else (),
    )


def _required_in(body: JsonObject, method: str) -> set[str]:
    """Properties that the method requires: discovery says so in annotations, or in words."""
    properties = body.get("properties")
    needed = set()
    for name, raw in properties.items() if isinstance(properties, dict) else ():
        if not isinstance(raw, dict):
            continue
        noted = raw.get("annotations", {}).get("required", ()) if isinstance(raw.get("annotations"), dict) else ()
        if method in noted or str(raw.get("description", "")).startswith("Required."):
            needed.add(name)
    return needed


GOOGLE_DISCOVERY = Importer("google_discovery", "Google discovery", fits, read, order=10)
