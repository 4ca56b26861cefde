"""Nouns for what parameters take."""

from __future__ import annotations

from typing import Any

import pytest

from wildtool.language.parameter_nouns import noun
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language


@pytest.mark.parametrize(
    ("parameter", "schema", "word"),
    [
        ("releasedAfter", {"type": "integer"}, "release year"),
        ("publishedSince", {"type": "string"}, "publication date"),
        ("maxPrice", {"type": "number"}, "price"),
        ("id", {"type": "string", "description": "The ID of the playlist to fetch"}, "playlist"),
        ("id", {"type": "string"}, "live stream"),
        ("fullName", {"type": "string"}, "full name"),
        ("artistName", {"type": "string"}, "artist"),
        ("radiusKm", {"type": "number"}, "radius"),
        ("sort_by", {"type": "string"}, "order"),
        ("toCurrency", {"type": "string"}, "target currency"),
    ],
)
def test_parameters_have_names_that_people_use(parameter: str, schema: dict[str, Any], word: str) -> None:
    parameters = {"type": "object", "properties": {parameter: schema}}
    tool = Tool(name="showLiveStream", description="Shows a live stream", parameters=parameters)
    assert noun(tool, parameter, Language.EN) == word


def test_nouns() -> None:
    schema = {"type": "object", "properties": {"artistName": {"type": "string", "description": "歌手名称。"}}}
    tool = Tool(name="getThing", description="Gets a thing.", parameters=schema)
    assert noun(tool, "artistName", Language.EN) == "artist"
    assert noun(tool, "artistName", Language.ZH) == "歌手"
