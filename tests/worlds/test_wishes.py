"""What people say is composed from what a tool does; a manual's words are never said."""

from __future__ import annotations

import re
from typing import Any

import pytest

from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.worlds.derivation.derive import derive
from wildtool.worlds.wishes import topics_of, worded


def _tool(name: str, parameters: dict[str, Any], needed: tuple[str, ...] = (), returns: Any = None) -> Tool:
    schema = {"type": "object", "properties": parameters, "required": list(needed)}
    return Tool(name=name, description="Retrieves the resource collection.", parameters=schema, returns=returns)


def _list(*tools: Tool, links: tuple[ToolLink, ...] = (), language: Language = Language.EN) -> ToolList:
    return ToolList.of(
        slug="x", title="X", description="X.", language=language, category="c", subcategory="s", source="t",
        licence="MIT", version="1", tools=tools, links=links,
    )  # fmt: skip


def _rows(name: str, **fields: Any) -> dict[str, Any]:
    item = {"type": "object", "properties": fields, "required": list(fields)}
    return {"type": "object", "properties": {name: {"type": "array", "items": item}}, "required": [name]}


ALBUM = {"albumId": {"type": "string"}, "title": {"type": "string"}, "year": {"type": "integer"}}
SEARCH = _tool(
    "searchAlbums",
    {
        "query": {"type": "string", "description": "Words of the title."},
        "year": {"type": "integer"},
        "limit": {"type": "integer"},
        "sort": {"type": "string", "enum": ["title", "year"]},
    },
    ("query",),
    _rows("albums", **ALBUM),
)
GET = _tool(
    "getAlbum",
    {"albumId": {"type": "string"}},
    ("albumId",),
    {"type": "object", "properties": ALBUM, "required": list(ALBUM)},
)
LINK = ToolLink(
    producer="searchAlbums", path="albums[*].albumId", consumer="getAlbum", parameter="albumId", required=True
)


def _phrasings(tools: ToolList) -> dict[str, Tool]:
    return {tool.name: tool for tool in worded(tools, derive(tools)).tools}


def test_a_search_says_what_for_and_a_look_up_points() -> None:
    said = _phrasings(_list(SEARCH, GET, links=(LINK,)))
    assert all("albums" in each and "{query}" in each for each in said["searchAlbums"].phrasings)
    assert all("that album" in each and "{" not in each for each in said["getAlbum"].phrasings)
    assert {"year", "limit", "sort"} <= set(said["searchAlbums"].optional_phrasings)


def test_no_word_of_the_manual_and_no_name_of_a_parameter_is_said() -> None:
    for tool in _phrasings(_list(SEARCH, GET, links=(LINK,))).values():
        texts = [*tool.phrasings, *(piece for pieces in tool.optional_phrasings.values() for piece in pieces)]
        assert texts
        for text in texts:
            bare = re.sub(r"\{\w+\}", "", text)
            assert not re.search(r"resource|collection|retriev|albumId|query|\blimit\b", bare), text


def test_searches_have_topics_that_fit_their_rows() -> None:
    said = _phrasings(_list(SEARCH))
    assert said["searchAlbums"].examples["query"]
    assert set(said["searchAlbums"].examples["query"]) <= set(topics_of(derive(_list(SEARCH))))


@pytest.mark.parametrize(
    "tool",
    [
        _tool("getTokens", {}, (), _rows("tokens", tokenId={"type": "string"}, value={"type": "string"})),
        _tool("searchAlbums", {"q": {"type": "string"}, "etag": {"type": "string"}}, ("q", "etag"), _rows("albums", **ALBUM)),
        _tool("searchAlbums", {"q": {"type": "string"}}, ("q",)),
        _tool("getAlbum", {"albumId": {"type": "string"}}, ("albumId",), {"type": "object", "properties": ALBUM}),
    ],
    ids=["a machine's thing", "a machine's argument", "no result", "an identifier that nothing shows"],
)  # fmt: skip
def test_what_nobody_would_say_stays_without_words(tool: Tool) -> None:
    assert _phrasings(_list(tool))[tool.name].phrasings == ()


def test_phrasings_of_its_own_stay() -> None:
    own = SEARCH.model_copy(update={"phrasings": ("dig out records on {query}",)})
    assert _phrasings(_list(own))["searchAlbums"] == own


def test_a_language_whose_nouns_are_not_known_composes_nothing() -> None:
    tools = _list(SEARCH, language=Language.ZH)
    assert worded(tools, derive(tools)) == tools
    assert topics_of(derive(tools)) == ()
