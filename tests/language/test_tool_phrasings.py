"""Phrases out of descriptions, and pieces for parameters."""

from __future__ import annotations

from typing import Any

from wildtool.language.tool_phrasings import fragments, phrasings
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


def _tool(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name="getThing", description=more.pop("description", "Gets a thing."), parameters=schema, **more)


def test_required_values_find_a_place_in_phrases_of_the_name() -> None:
    tool = _tool(
        {"city": {"type": "string"}, "limit": {"type": "integer"}}, ("city",), description="Returns the weather."
    )
    assert all("{city}" in phrase and "{limit}" not in phrase for phrase in phrasings(tool, Language.EN))
    assert "{limit}" in fragments(tool, "limit", Language.EN)[0]


def test_a_tool_without_phrasings_is_called_by_its_name_never_by_its_manual() -> None:
    assert phrasings(_tool({}, description="Returns the webhook payload."), Language.EN) == (
        "get the thing",
        "show me the thing",
        "fetch the thing",
    )


def test_switches_are_asked_for_against_their_default() -> None:
    tool = _tool({"includeTax": {"type": "boolean"}, "withTips": {"type": "boolean", "default": True}})
    assert fragments(tool, "includeTax", Language.EN) == ("with tax",)
    assert fragments(tool, "withTips", Language.EN) == ("without tips",)
