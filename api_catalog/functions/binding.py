"""A call of a tool → the HTTP request that it stands for (``x-binding``). Nothing is sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError
from wildtool.schemas.tool import Tool

_JOINTS = {"csv": ",", "ssv": " ", "tsv": "\t", "pipes": "|"}
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Request:
    """What a real call would send, without its credentials."""

    method: str
    """Upper case."""
    path: str
    """The path with its values in it, percent-encoded; relative to the server. The place of a credential stays open, as in
    ``/bot{token}/getMe``; ``binding["credentials"]`` names them all."""
    query: tuple[tuple[str, str], ...] = ()
    """Names as the API spells them, and values; not encoded."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers and the body's ``Content-Type``."""
    cookies: dict[str, str] = field(default_factory=dict)
    """Cookies."""
    body: Any = None
    """What is sent as the body, before it is written as ``Content-Type`` says; None for none."""
    server: str = ""
    """Address of the API."""

    def url(self) -> str:
        """The whole address."""
        return f"{self.server.rstrip('/')}{self.path}" + (f"?{urlencode(self.query)}" if self.query else "")


def rebuild(tool: Tool, arguments: Mapping[str, Any]) -> Request:
    """The request of a call.

    Raises ``InputError`` where the tool stands for no HTTP call, or an argument is none of its parameters, or the path lacks
    a value.
    """
    binding = tool.binding
    if not binding:
        raise InputError(
            f"{tool.name} stands for no HTTP call", "it came from a list of functions, not from an HTTP API"
        )
    path = str(binding["path"])
    query: list[tuple[str, str]] = []
    headers: dict[str, str] = {}
    cookies: dict[str, str] = {}
    body: Any = None
    for each in binding.get("fixed", ()):
        if each["in"] == "path":
            path = path.replace("{" + each["name"] + "}", quote(_text(each["value"]), safe=""))
        else:
            query.append((each["name"], _text(each["value"])))
    for name, value in arguments.items():
        place = binding["arguments"].get(name)
        if place is None:
            raise InputError(
                f"{tool.name} has no parameter {name}", f"it has {', '.join(binding['arguments']) or 'none'}"
            )
        match place["in"]:
            case "path":
                slashes = "/," if place.get("style") == "reserved" else ","
                path = path.replace("{" + place["name"] + "}", quote(_joined(value, place), safe=slashes))
            case "query":
                query += _pairs(value, place)
            case "header":
                headers[place["name"]] = _joined(value, place)
            case "cookie":
                cookies[place["name"]] = _joined(value, place)
            case _:
                body = value if binding.get("whole_body") else {**(body or {}), place["name"]: value}
    secret = {"{" + each["name"] + "}" for each in binding.get("credentials", ()) if each["in"] == "path"}
    if set(re.findall(r"\{[^{}]+\}", path)) & set(re.findall(r"\{[^{}]+\}", str(binding["path"]))) - secret:
        raise InputError(f"{tool.name} lacks a value for its path {path}", "give every required argument")
    if body is not None:
        headers["Content-Type"] = binding.get("media") or "application/json"
    return Request(str(binding["method"]).upper(), path, tuple(query), headers, cookies, body, str(binding["server"]))


def written(request: Request) -> bytes:
    """The body as bytes, as its media type says; JSON where that is none of the forms."""
    if request.body is None:
        return b""
    if request.headers.get("Content-Type", "").startswith(_FORM):
        pairs = [(name, _text(value)) for name, value in request.body.items()]
        return urlencode(pairs).encode()
    return json.dumps(request.body, ensure_ascii=False).encode()


def _pairs(value: Any, place: JsonObject) -> list[tuple[str, str]]:
    style = place.get("style")
    if isinstance(value, dict) and style == "deepObject":
        return [(f"{place['name']}[{key}]", _text(inner)) for key, inner in value.items()]
    if isinstance(value, dict) and style == "multi":
        return [(key, _text(inner)) for key, inner in value.items()]
    if isinstance(value, list) and style == "multi":
        return [(place["name"], _text(inner)) for inner in value]
    return [(place["name"], _joined(value, place))]


def _joined(value: Any, place: JsonObject) -> str:
    joint = _JOINTS.get(str(place.get("style")), ",")
    if isinstance(value, list) and not any(isinstance(inner, dict | list) for inner in value):
        return joint.join(_text(inner) for inner in value)
    return _text(value)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
