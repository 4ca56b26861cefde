"""Phrases out of descriptions, and pieces for parameters."""

from __future__ import annotations

from typing import Any

import pytest

from wildtool.language.tool_phrasings import derived, fragments, phrasings
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


def _tool(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name="getThing", description=more.pop("description", "Gets a thing."), parameters=schema, **more)


@pytest.mark.parametrize(
    ("description", "phrase"),
    [
        ("Returns the current weather.", "get the current weather"),
        ("Search for books by title. Results are paged.", "search for books by title"),
        ("Lists all open orders", "list all open orders"),
    ],
)
def test_phrases_come_out_of_descriptions(description: str, phrase: str) -> None:
    assert phrasings(_tool({}, description=description), Language.EN)[0] == phrase


def test_required_values_find_a_place_in_derived_phrases() -> None:
    tool = _tool(
        {"city": {"type": "string"}, "limit": {"type": "integer"}}, ("city",), description="Returns the weather."
    )
    assert all("{city}" in phrase and "{limit}" not in phrase for phrase in phrasings(tool, Language.EN))
    assert "{limit}" in fragments(tool, "limit", Language.EN)[0]


def test_manuals_give_no_phrase() -> None:
    assert derived(_tool({}, description="Returns the webhook payload of the endpoint."), Language.EN) == ()
    # A phrase is made of the name then.
    assert phrasings(_tool({}, description="Returns the webhook payload."), Language.EN) == (
        "get the thing",
        "show me the thing",
        "fetch the thing",
    )


def test_a_language_without_verbs_in_front_asks_for_the_topic() -> None:
    tool = _tool({"city": {"type": "string"}}, ("city",), description="查询天气。返回温度。")
    assert phrasings(tool, Language.ZH)[0].startswith("查一下天气，")
    assert "{city}" in phrasings(tool, Language.ZH)[0]


def test_switches_are_asked_for_against_their_default() -> None:
    tool = _tool({"includeTax": {"type": "boolean"}, "withTips": {"type": "boolean", "default": True}})
    assert fragments(tool, "includeTax", Language.EN) == ("with tax",)
    assert fragments(tool, "withTips", Language.EN) == ("without tips",)
