"""Which tools strict function calling takes, and the form in which it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from wildtool.api_catalog.functions.strict import strict_openai
from wildtool.api_catalog.functions.verify import oddities
from wildtool.api_catalog.sources.core_lists import read_core
from wildtool.schemas.tool import Tool


def tool(**properties: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": [name for name in properties if name != "option"]}
    return Tool(name="one", description="Does it.", parameters=schema)


@pytest.mark.parametrize(
    ("schema", "strict"),
    [
        ({"type": "string"}, True),
        ({"type": "object"}, False),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, True),
        ({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": {"type": "string"}}, False),
        ({"type": "array", "items": {"type": "object"}}, False),
        ({"type": "array", "items": {"type": "integer"}}, True),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, True),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, False),
        ({"description": "Anything."}, False),
    ],
)  # fmt: skip
def test_the_mark_follows_from_the_schema(schema: dict[str, Any], strict: bool) -> None:
    made = tool(a=schema)
    assert made.strict is strict and ("not_strict" in oddities(made)) is not strict
    assert strict_openai(made)["function"]["strict"] is strict
    if not strict:
        assert strict_openai(made)["function"]["parameters"] == made.parameters


def test_optional_parameters_become_nullable() -> None:
    made = tool(
        a={"type": "string"}, option={"type": "string", "enum": ["x", "y"], "default": "x", "description": "Way."}
    )
    form = strict_openai(made)["function"]["parameters"]
    assert form["required"] == ["a", "option"] and form["additionalProperties"] is False
    assert form["properties"]["option"] == {
        "type": ["string", "null"], "description": "Way. Default: x.", "enum": ["x", "y", None],
    }  # fmt: skip
    branches = tool(option={"anyOf": [{"type": "string"}, {"type": "integer"}]})
    assert strict_openai(branches)["function"]["parameters"]["properties"]["option"]["anyOf"][-1] == {"type": "null"}


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
            for inner in schema["properties"].values():
                yield from objects(inner)
        for inner in (schema.get("items"), *schema.get("anyOf", ())):
            yield from objects(inner)


def test_every_strict_tool_of_the_core_catalogue_meets_the_rules() -> None:
    tools = [one for each in read_core() for one in each.tools if one.strict]
    assert len(tools) > 200
    for one in tools:
        form = strict_openai(one)["function"]["parameters"]
        Draft202012Validator.check_schema(form)
        for found in objects(form):
            assert found["required"] == list(found["properties"]) and found["additionalProperties"] is False
            assert not any("default" in inner for inner in found["properties"].values())
