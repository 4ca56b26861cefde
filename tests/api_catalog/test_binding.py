"""A call rebuilt from ``x-binding`` is the call that the API describes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wildtool.api_catalog import import_paths, rebuild
from wildtool.api_catalog.functions.binding import written
from wildtool.schemas.errors import InputError
from wildtool.schemas.tool import Tool

NAMES = st.sampled_from(
    ["id", "name", "filter[name]", "$top", "page.size", "id-2", "X-Trace-Level", "größe", "user id"]
)
"""Legal and illegal ones, and the same name in several places."""

KINDS = {
    "string": st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=9),
    "integer": st.integers(-9, 10**6), "boolean": st.booleans(),
    "array": st.lists(st.text("abcxyz é&=/?#", min_size=1, max_size=5), min_size=1, max_size=3),
}  # fmt: skip
PARAMETERS = st.lists(
    st.tuples(st.sampled_from(["path", "query", "header", "body"]), NAMES, st.sampled_from(sorted(KINDS))),
    unique_by=lambda one: (one[0], one[1]), min_size=1, max_size=7,
)  # fmt: skip


def imported(parameters: list[tuple[str, str, str]]) -> tuple[Tool, str]:
    """The tool of an operation with these parameters, and the path template."""
    schema = {kind: {"type": kind, **({"items": {"type": "string"}} if kind == "array" else {})} for kind in KINDS}
    template = "/things" + "".join(f"/{{{name}}}" for place, name, _ in parameters if place == "path")
    body = {name: {**schema[kind], "description": "A value."} for place, name, kind in parameters if place == "body"}
    operation: dict[str, Any] = {
        "summary": "Change things in one call",
        "parameters": [
            {"name": name, "in": place, "required": place == "path", "description": "A value.", "schema": schema[kind]}
            for place, name, kind in parameters if place != "body"
        ],
    }  # fmt: skip
    if body:
        operation["requestBody"] = {"content": {"application/json": {"schema": {"type": "object", "properties": body}}}}
    document = {"openapi": "3.0.0", "info": {"title": "Things", "version": "1"}, "servers": [{"url": "https://things.example/v1"}],
                "paths": {template: {"post": operation}}}  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "things.json")
        path.write_text(json.dumps(document), encoding="utf-8")
        report = import_paths([path])
    return report.lists[0].tools[0], template


def said(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool | int) else str(value)


@settings(max_examples=60, deadline=None)  # the machine may be busy
@given(st.data(), PARAMETERS)
def test_every_argument_goes_where_the_api_wants_it(
    data: st.DataObject, parameters: list[tuple[str, str, str]]
) -> None:
    tool, template = imported(parameters)
    assert tool.binding is not None
    by_place = {(place["in"], place["name"]): visible for visible, place in tool.binding["arguments"].items()}
    assert set(by_place) == {(place, name) for place, name, _ in parameters}, "no argument is lost, none is invented"
    kinds = {(place, name): kind for place, name, kind in parameters}
    values = {where: data.draw(KINDS[kinds[where]]) for where in by_place}
    request = rebuild(tool, {by_place[where]: value for where, value in values.items()})
    assert request.method == "POST"

    sent = urlsplit(request.url())
    assert sent.netloc == "things.example"
    template_parts = template.strip("/").split("/")[1:]
    for part, piece in zip(template_parts, sent.path.removeprefix("/v1/things").strip("/").split("/"), strict=False):
        value = values[("path", part.strip("{}"))]
        assert unquote(piece) == (",".join(value) if isinstance(value, list) else said(value))
    pairs = parse_qsl(sent.query, keep_blank_values=True)
    wanted = []
    for (place, name), value in values.items():
        if place == "query":
            wanted += [(name, inner) for inner in value] if isinstance(value, list) else [(name, said(value))]
        elif place == "header":
            assert request.headers[name] == (",".join(value) if isinstance(value, list) else said(value))
    assert sorted(pairs) == sorted(wanted)
    body = {name: value for (place, name), value in values.items() if place == "body"}
    assert (json.loads(written(request)) if body else request.body) == (body or None)


def test_a_body_that_is_no_object_is_sent_whole(tmp_path: Path) -> None:
    operation = {"summary": "Save all these words", "requestBody": {"required": True, "content": {"application/json": {
        "schema": {"type": "array", "items": {"type": "string"}}}}}}  # fmt: skip
    path = tmp_path / "words.json"
    path.write_text(
        json.dumps({"openapi": "3.0.0", "info": {"title": "Words"}, "paths": {"/words": {"put": operation}}})
    )
    tool = import_paths([path]).lists[0].tools[0]
    request = rebuild(tool, {next(iter(tool.parameters["properties"])): ["a", "b"]})
    assert (request.method, request.path, request.body) == ("PUT", "/words", ["a", "b"])


def test_what_no_model_is_shown_is_still_sent(tmp_path: Path) -> None:
    parameters = [
        {"name": "format", "in": "path", "required": True, "schema": {"type": "string", "enum": ["xml", "json"]}},
        {"name": "token", "in": "path", "required": True, "schema": {"type": "string"}},
        {"name": "api_key", "in": "query", "required": True, "schema": {"type": "string"}},
        {"name": "output", "in": "query", "required": True, "schema": {"type": "string", "enum": ["json"]}},
        {"name": "team", "in": "query", "schema": {"type": "string"}, "description": "Name of the team."},
    ]  # fmt: skip
    operation = {"summary": "List the games of a team", "parameters": parameters}
    security = {"key": {"type": "apiKey", "in": "query", "name": "token"}}
    path = tmp_path / "games.json"
    path.write_text(json.dumps({"openapi": "3.0.0", "info": {"title": "Games"}, "components": {"securitySchemes": security},
                                "paths": {"/{format}/bot{token}/games": {"get": operation}}}))  # fmt: skip
    tool = import_paths([path]).lists[0].tools[0]
    assert list(tool.parameters["properties"]) == ["team"] and tool.binding is not None
    request = rebuild(tool, {"team": "{x}"})
    assert request.path == "/json/bot{token}/games"
    assert request.query == (("output", "json"), ("team", "{x}"))
    assert {(each["in"], each["name"]) for each in tool.binding["credentials"]} == {
        ("path", "token"),
        ("query", "api_key"),
    }


def test_google_names_in_the_path_keep_their_slashes(tmp_path: Path) -> None:
    method = {"id": "pubsub.projects.topics.get", "path": "v1/{+topic}", "flatPath": "v1/projects/{projectsId}/topics/{topicsId}",
              "httpMethod": "GET", "description": "Gets the settings of a topic.", "parameters": {
                  "topic": {"type": "string", "required": True, "location": "path", "description": "Name of the topic."},
                  "fields": {"type": "string", "repeated": True, "location": "query", "description": "Parts."}}}  # fmt: skip
    document = {"kind": "discovery#restDescription", "name": "pubsub", "title": "Topics", "rootUrl": "https://pubsub.example/",
                "servicePath": "", "resources": {"projects": {"resources": {"topics": {"methods": {"get": method}}}}}}  # fmt: skip
    path = tmp_path / "pubsub.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    tool = import_paths([path]).lists[0].tools[0]
    assert tool.name == "getProjectTopic"
    request = rebuild(tool, {"topic": "projects/p 1/topics/t", "fields": ["a", "b"]})
    assert request.url() == "https://pubsub.example/v1/projects/p%201/topics/t?fields=a&fields=b"


def test_what_cannot_be_rebuilt_is_told() -> None:
    tool, _ = imported([("path", "id", "string")])
    with pytest.raises(InputError, match="lacks a value"):
        rebuild(tool, {})
    with pytest.raises(InputError, match="no parameter"):
        rebuild(tool, {"ghost": 1})
    with pytest.raises(InputError, match="no HTTP call"):
        rebuild(tool.model_copy(update={"binding": None}), {})
