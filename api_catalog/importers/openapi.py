"""OpenAPI 3.0 and 3.1, and Swagger 2."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from wildtool.api_catalog.functions.description import Description, Operation, Parameter, Refused, Signature
from wildtool.api_catalog.functions.texts import cut, plain
from wildtool.api_catalog.functions.values import kinds_of, said_examples
from wildtool.api_catalog.importers.importer import Importer
from wildtool.api_catalog.importers.references import follow
from wildtool.api_catalog.importers.results import infer_schema, spread_example
from wildtool.api_catalog.importers.schema_cleaning import REQUEST_NODES, RESULT_NODES, Walk, clean_schema, merged
from wildtool.schemas.base import JsonObject

METHODS = ("get", "post", "put", "patch", "delete")
"""Methods that do something for a user; ``options``, ``head`` and ``trace`` do not."""

_JSON = re.compile(r"(?:application|text)/(?:[\w.+-]*\+)?(?:json|hal)\b|^\*/\*$|^application/\*$", re.IGNORECASE)
_FORM = ("application/x-www-form-urlencoded", "multipart/form-data")


def fits(document: Any) -> bool:
    """Whether the document says it is OpenAPI or Swagger, or has paths as if."""
    if not isinstance(document, dict):
        return False
    return "openapi" in document or "swagger" in document or ("paths" in document and "info" in document)


def read(document: Any, name: str) -> list[Description]:
    """The API of an OpenAPI or Swagger document. Raises ``Refused`` where it has no operation."""
    info = document.get("info") if isinstance(document.get("info"), dict) else {}
    paths = document.get("paths")
    if not isinstance(paths, dict):
        raise Refused("no_paths", "no object under `paths`")
    declared = _declared_credentials(document)
    operations = [
        operation
        for path, item in paths.items()
        if isinstance(path, str)
        for operation in _operations(document, path, item, declared)
    ]
    if not operations:
        raise Refused("no_operations", "`paths` holds no operation")
    licence = info.get("license")
    tags = (
        [tag.get("name") for tag in document.get("tags") or [] if isinstance(tag, dict)]
        if isinstance(document.get("tags"), list)
        else []
    )
    categories = info.get("x-apisguru-categories")
    hints = [*(categories if isinstance(categories, list) else []), *tags[:20]]
    return [
        Description(
            title=cut(plain(info.get("title"), limit=300), 90) or name,
            description=cut(plain(info.get("description") or info.get("summary")), 400),
            version=str(info.get("version") or "")[:40],
            licence=_licence(licence),
            slug=_slug(info, name),
            operations=tuple(operations),
            server=_server(document),
            hints=tuple(hint for hint in hints if isinstance(hint, str)),
        )
    ]


def _licence(licence: Any) -> str:
    if not isinstance(licence, dict):
        return ""
    return plain(licence.get("identifier") or licence.get("name") or licence.get("url"), limit=200)[:80]


def _slug(info: dict[str, Any], name: str) -> str:
    provider, service = info.get("x-providerName"), info.get("x-serviceName")
    if isinstance(provider, str) and provider:
        text = f"{provider} {service}" if isinstance(service, str) and service else provider
    else:
        text = name
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:60] or "api"


def _server(document: dict[str, Any]) -> str:
    servers = document.get("servers")
    if (
        isinstance(servers, list)
        and servers
        and isinstance(servers[0], dict)
        and isinstance(servers[0].get("url"), str)
    ):
        return str(servers[0]["url"])[:300]
    host = document.get("host")
    if isinstance(host, str):
        schemes = document.get("schemes")
        scheme = schemes[0] if isinstance(schemes, list) and schemes else "https"
        base = document.get("basePath") if isinstance(document.get("basePath"), str) else ""
        return f"{scheme}://{host}{base}".rstrip("/")[:300]
    return ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _declared_credentials(document: dict[str, Any]) -> frozenset[str]:
    components = document.get("components")
    schemes = (components.get("securitySchemes") if isinstance(components, dict) else None) or document.get(
        "securityDefinitions"
    )
    if not isinstance(schemes, dict):
        return frozenset()
    names = set()
    for raw in schemes.values():
        scheme, _ = follow(document, raw)
        if str(scheme.get("type", "")).lower() == "apikey" and isinstance(scheme.get("name"), str):
            names.add(scheme["name"])
    return frozenset(names)


def _operations(document: dict[str, Any], path: str, raw_item: Any, declared: frozenset[str]) -> list[Operation]:
    item, _problem = follow(document, raw_item)
    shared = _list(item.get("parameters"))
    found = []
    for method in METHODS:
        raw = item.get(method)
        if not isinstance(raw, dict):
            continue
        own = _list(raw.get("parameters"))
        tags = _list(raw.get("tags"))
        found.append(
            Operation(
                name=raw["operationId"] if isinstance(raw.get("operationId"), str) else "",
                summary=plain(raw.get("summary"), limit=400),
                description=plain(raw.get("description") or item.get("description") or item.get("summary"), limit=4000),
                read=partial(_signature, document, path, method, raw, [*shared, *own], declared),
                method=method,
                path=path,
                deprecated=raw.get("deprecated") is True or raw.get("x-deprecated") is True,
                tags=tuple(tag for tag in tags if isinstance(tag, str)),
                width=len(shared) + len(own) + ("requestBody" in raw),
            )
        )
    return found


def _signature(
    document: dict[str, Any], path: str, method: str, raw: dict[str, Any], listed: list[Any], declared: frozenset[str]
) -> Signature:
    walk = Walk(document, nodes=REQUEST_NODES)
    found: dict[tuple[str, str], Parameter] = {}
    body: dict[str, Any] | None = None
    form: dict[str, Any] = {}
    form_required: list[str] = []
    flags: set[str] = set()
    for entry in listed:
        parameter, problem = follow(document, entry)
        if problem is not None:
            if problem == "external_ref":
                raise Refused("external_ref", "a parameter lies in another file")
            flags.add(problem)
            continue
        name, location = parameter.get("name"), parameter.get("in")
        if not isinstance(name, str) or not name.strip() or not isinstance(location, str):
            if parameter.get("required") is True:
                raise Refused("unnamed_parameter", "a required parameter has no usable name or place")
            continue
        if location == "body":
            body = parameter
            continue
        if location == "formData":
            if str(parameter.get("type")) == "file":
                flags.add("binary_body")
            form[name] = {key: value for key, value in parameter.items() if key not in {"name", "in", "required"}}
            if parameter.get("required") is True:
                form_required.append(name)
            continue
        if parameter.get("deprecated") is True and location != "path":
            continue
        if location in {"path", "query", "header", "cookie"}:
            schema = _parameter_schema(parameter, walk)
            required = parameter.get("required") is True or location == "path"
            found[(name, location)] = Parameter(name, location, required, schema, _style(parameter, location, schema))
    for name in re.findall(r"\{([^{}]+)\}", path):
        if (name, "path") not in found:
            found[(name, "path")] = Parameter(name, "path", True, {"type": "string"})
    parameters = sorted(found.values(), key=lambda parameter: parameter.location != "path")
    media = ""
    if form:
        body_schema: Any = {"type": "object", "properties": form, "required": form_required}
        walk.nulls = False
        media = "multipart/form-data" if "binary_body" in flags else _FORM[0]
        parameters += _body_parameters(body_schema, True, walk)
    elif body is not None:
        media = "application/json"
        parameters += _body_parameters(body.get("schema"), body.get("required") is True, walk, body)
    elif "requestBody" in raw and method != "get":
        request, problem = follow(document, raw["requestBody"])
        if problem == "external_ref":
            raise Refused("external_ref", "the body lies in another file")
        media, body_schema = _pick_media(request.get("content"), flags)
        walk.nulls = not media.startswith(_FORM)
        if body_schema is not None:
            parameters += _body_parameters(body_schema, request.get("required") is True, walk, request)
    if "external_ref" in walk.flags:
        raise Refused("external_ref", "a schema of the arguments lies in another file")
    if "conflicting_branches" in walk.flags:
        raise Refused("conflicting_branches", "an allOf joins types or enums that no value satisfies")
    if "binary" in walk.flags:
        flags.add("binary_body")
    returns = _returns(document, raw.get("responses"), flags)
    return Signature(tuple(parameters), returns, declared, media, tuple(sorted(flags | walk.flags)))


def _parameter_schema(parameter: dict[str, Any], walk: Walk) -> JsonObject:
    schema = parameter.get("schema")
    if not isinstance(schema, dict):
        content = parameter.get("content")
        if isinstance(content, dict) and content:
            first = next(iter(content.values()))
            schema = first.get("schema") if isinstance(first, dict) else None
    if isinstance(schema, dict):
        merged_schema, _ = merged(schema, walk)
        over = {key: parameter[key] for key in ("description", "example", "examples", "default") if parameter.get(key)}
        raw = {**merged_schema, **over}
    else:  # Swagger 2 writes the schema into the parameter
        raw = {key: value for key, value in parameter.items() if key not in {"name", "in", "required"}}
    cleaned = clean_schema(raw, walk)
    _keep_said(cleaned, raw)
    return cleaned


def _style(parameter: dict[str, Any], location: str, schema: JsonObject) -> str:
    """How several values are written into one place; either dialect in the words of Swagger 2."""
    if not kinds_of(schema) & {"array", "object"}:
        return ""
    collected = parameter.get("collectionFormat")
    if isinstance(collected, str) or "schema" not in parameter:
        return collected if collected in {"csv", "multi", "ssv", "tsv", "pipes"} else "csv"
    style = parameter.get("style") or ("form" if location in {"query", "cookie"} else "simple")
    if style == "form" and parameter.get("explode") is not False:
        return "multi"
    return {"spaceDelimited": "ssv", "pipeDelimited": "pipes", "deepObject": "deepObject"}.get(str(style), "csv")


def _keep_said(cleaned: JsonObject, raw: dict[str, Any]) -> None:
    """Examples ride along under ``examples`` until the tool takes them out of what a model sees."""
    said = said_examples(raw, cleaned.get("type"))
    if said:
        cleaned["examples"] = said[:6]


def _pick_media(content: Any, flags: set[str]) -> tuple[str, Any]:
    if not isinstance(content, dict):
        return "", None
    usable = [(name, entry) for name, entry in content.items() if isinstance(entry, dict) and isinstance(name, str)]
    for wanted in (_JSON.search, lambda name: name.split(";")[0].strip() in _FORM):
        for name, entry in usable:
            if wanted(name) and isinstance(entry.get("schema"), dict):
                return name, entry["schema"]
    for name, entry in usable:
        if _JSON.search(name) and isinstance(example := example_of(entry), dict):
            return name, infer_schema(example)
    if usable:
        flags.add("binary_body")
    return (usable[0][0], None) if usable else ("", None)


def _body_parameters(raw: Any, required: bool, walk: Walk, holder: dict[str, Any] | None = None) -> list[Parameter]:
    """One parameter per property of an object body; anything else as one parameter ``body``."""
    schema, passed = merged(raw, walk)
    del passed
    branches = [
        branch for keyword in ("oneOf", "anyOf") for branch in schema.get(keyword) or [] if isinstance(branch, dict)
    ]
    if "properties" not in schema and branches:
        schema = _union(branches, walk)
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        cleaned = clean_schema(raw, walk)
        if holder is not None and isinstance(holder.get("description"), str) and "description" not in cleaned:
            cleaned["description"] = cut(plain(holder["description"]), 200)
        if (
            not cleaned
            or cleaned == {"type": "object"}
            or (set(cleaned) <= {"type", "description"} and cleaned.get("type") == "object")
        ):
            walk.flags.add("freeform_body")
        walk.flags.add("whole_body")
        name = holder.get("name") if holder is not None and isinstance(holder.get("name"), str) else "body"
        return [Parameter(str(name), "body", required, cleaned)]
    cleaned = clean_schema({**schema, "type": "object"}, walk)
    wanted = cleaned.get("required", ())
    parameters = []
    for name, one in cleaned.get("properties", {}).items():
        original, _ = merged(properties[name], walk)
        _keep_said(one, original)
        parameters.append(Parameter(name, "body", name in wanted and (required or bool(wanted)), one))
    return parameters


def _union(branches: list[dict[str, Any]], walk: Walk) -> dict[str, Any]:
    """Object branches of a body as one object: all properties, and required what every branch requires."""
    flat = [merged(branch, walk)[0] for branch in branches[:6]]
    flat = [branch for branch in flat if isinstance(branch.get("properties"), dict)]
    if not flat:
        return {}
    properties: dict[str, Any] = {}
    for branch in flat:
        for name, one in branch["properties"].items():
            properties.setdefault(name, one)
    required = [set(branch["required"]) if isinstance(branch.get("required"), list) else set() for branch in flat]
    walk.flags.add("body_union")
    common = (
        set.intersection(*required) if all(isinstance(name, str) for names in required for name in names) else set()
    )
    return {"type": "object", "properties": properties, "required": [name for name in properties if name in common]}


def _returns(document: dict[str, Any], responses: Any, flags: set[str]) -> JsonObject | None:
    """The schema of the first success response; ``external_result`` is flagged where another file holds it."""
    if not isinstance(responses, dict):
        return None
    by_code = {str(code): entry for code, entry in responses.items()}
    for code in ("200", "201", "2XX", "2xx", "202", "203", "default"):
        if code not in by_code:
            continue
        response, problem = follow(document, by_code[code])
        if problem is not None:
            if problem == "external_ref":
                flags.add("external_result")
            continue
        schema, example = _response_schema(response)
        walk = Walk(document, result=True, nodes=RESULT_NODES)
        cleaned = clean_schema(schema, walk) if schema is not None else {}
        if "external_ref" in walk.flags:
            flags.add("external_result")
            return None
        if not _says_something(cleaned) and example is not None:
            cleaned = infer_schema(example)
        elif example is not None:
            spread_example(cleaned, example)
        if _says_something(cleaned):
            return cleaned
    return None


def example_of(entry: dict[str, Any]) -> Any:
    """The example of a media type: ``example``, else the first of ``examples``; None where there is neither."""
    many = entry.get("examples")
    if entry.get("example") is None and isinstance(many, dict) and many:
        first = next(iter(many.values()))
        return first.get("value") if isinstance(first, dict) else None
    return entry.get("example")


def _response_schema(response: dict[str, Any]) -> tuple[Any, Any]:
    """(schema, example) of a response in either dialect."""
    content = response.get("content")
    if isinstance(content, dict):
        for name, entry in content.items():
            if not isinstance(entry, dict) or not isinstance(name, str) or not _JSON.search(name):
                continue
            example = example_of(entry)
            schema = entry.get("schema") if isinstance(entry.get("schema"), dict) else None
            if example is None and schema is not None:
                example = schema.get("example")
            return schema, example
        return None, None
    examples = response.get("examples")
    example = next(iter(examples.values()), None) if isinstance(examples, dict) else None
    schema = response.get("schema") if isinstance(response.get("schema"), dict) else None
    return schema, example if isinstance(example, dict | list) else (schema.get("example") if schema else None)


def _says_something(schema: JsonObject) -> bool:
    kinds = kinds_of(schema)
    if {"string", "integer", "number", "boolean"} & kinds:
        return True
    if "array" in kinds:
        return bool(schema.get("items"))
    return bool(schema.get("properties") or schema.get("anyOf") or schema.get("additionalProperties"))


OPENAPI = Importer("openapi", "OpenAPI", fits, read, order=20)
