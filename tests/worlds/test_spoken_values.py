"""Values that a person could say for a parameter."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_schema import fits
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language
from wildtool.worlds.spoken_values import pick, speak

NOW = "2026-07-15T09:00:00+00:00"  # a Wednesday


def _tool(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Tool(name="getThing", description=more.pop("description", "Gets a thing."), parameters=schema, **more)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": ["null", "string"]},
        {"type": "string", "enum": ["red", "green"]},
        {"type": "string", "format": "date"},
        {"type": "string", "format": "date-time"},
        {"type": "string", "format": "email"},
        {"type": "string", "format": "uri"},
        {"type": "integer", "minimum": 3, "maximum": 9},
        {"type": "integer", "enum": [1, 2, 4]},
        {"type": "number", "minimum": 0.5},
        {"type": "boolean", "default": False},
        {"type": "array", "items": {"type": "string"}, "minItems": 2},
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_what_is_picked_fits_the_schema(schema: dict[str, Any], language: Language) -> None:
    tool = _tool({"thing": schema})
    for seed in range(20):
        said = pick(tool, "thing", language, NOW, Random(seed))
        assert said is not None
        assert fits(said.value, schema)


@pytest.mark.parametrize(
    "schema", [{"type": "object"}, {"type": "string", "format": "uuid"}, {"type": "array", "items": {"type": "object"}}]
)
def test_what_nobody_could_say_is_not_picked(schema: dict[str, Any]) -> None:
    assert pick(_tool({"thing": schema}), "thing", Language.EN, NOW, Random(1)) is None


def test_examples_and_words_of_the_catalogue_come_first() -> None:
    tool = _tool(
        {"city": {"type": "string"}, "sort": {"type": "string", "enum": ["asc", "desc"]}},
        examples={"city": ("Ghent",)},
        enum_words={"sort": {"asc": "rising"}},
    )
    said = pick(tool, "city", Language.EN, NOW, Random(1))
    assert said is not None and said.value == "Ghent"
    said = pick(tool, "sort", Language.EN, NOW, Random(1))
    assert said is not None and (said.value, said.words) == ("asc", "rising")


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize(
    ("name", "description", "letters"),
    [
        ("country", "Country as ISO 3166-1 alpha-2 code.", 2),
        ("countryCode", "Two-letter code of the country.", 2),
        ("country", "Country (ISO 3166).", 2),
        ("country_code", "ISO 3166-1 alpha-3 code.", 3),
        ("country", "Name of the country.", 0),
    ],
)
def test_countries_are_said_by_name_and_given_as_documented(
    language: Language, name: str, description: str, letters: int
) -> None:
    schema = {"type": "string", "description": description}
    tool = Tool(name="x", description="X.", parameters={"type": "object", "properties": {name: schema}})
    for seed in range(5):
        said = pick(tool, name, language, "2024-07-12T09:30:00+00:00", Random(seed))
        assert said is not None
        if letters:
            assert len(said.value) == letters and said.value.isupper() and said.words != said.value
        else:
            assert said.value == said.words


def test_neither_defaults_nor_used_values_are_picked() -> None:
    tool = _tool({"days": {"type": "integer", "enum": [1, 2, 3], "default": 2}})
    picked = {pick(tool, "days", Language.EN, NOW, Random(n), avoid=frozenset({canonical_json(3)})) for n in range(20)}
    assert {said.value for said in picked if said} == {1}


def test_values_in_plain_words() -> None:
    assert speak(["a", "b", "c"], Language.EN) == "a, b and c"
    assert speak(["甲", "乙"], Language.ZH) == "甲和乙"
    assert speak(5.0, Language.EN) == "5"
    assert (speak(True, Language.EN), speak(False, Language.ZH)) == ("yes", "否")
