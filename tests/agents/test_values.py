"""Values a person could say, the words for them, and phrases out of descriptions."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random
from typing import Any

import pytest

from wildtool.grounding.topology import topology_of
from wildtool.language.day_phrases import days_said, say_day, today
from wildtool.language.parameter_names import humanise
from wildtool.language.tool_phrasings import fragments, noun, phrasings
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import leaf, leaves, loosen, parent, pin, pinned_index, resolve
from wildtool.schemas.json_schema import fits
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language, Topology
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


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("past", [True, False])
def test_a_day_is_understood_as_it_was_meant(language: Language, past: bool) -> None:
    for offset in range(14):
        now = f"{(date(2026, 12, 20) + timedelta(days=offset)).isoformat()}T09:00:00+00:00"
        for seed in range(30):
            day, words = say_day(now, language, Random(seed), past=past)
            assert (day < today(now)) == past
            assert day.isoformat() in days_said(words, now), (now, day, words)


def test_days_in_sentences() -> None:
    assert set(days_said("is it open tomorrow, or this Friday?", NOW)) == {"2026-07-16", "2026-07-17"}
    assert set(days_said("the day after tomorrow please", NOW)) == {"2026-07-17"}
    assert set(days_said("后天和7月20号", NOW)) == {"2026-07-17", "2026-07-20"}
    assert days_said("June 31 and may be", NOW) == {}


def test_paths() -> None:
    value = {"a": [{"b": 1}, {"b": 2, "c": [5]}]}
    assert resolve(value, "a[1].b") == 2
    assert resolve(value, "a[-1].c[0]") == 5
    assert resolve(value, "a[*].b") == 1
    for path in ("a[7].b", "a.b", "x", "a[0].c"):
        with pytest.raises(LookupError):
            resolve(value, path)
    assert list(leaves(value)) == [("a[0].b", 1), ("a[1].b", 2), ("a[1].c[0]", 5)]
    assert pin("a[*].c[*].d", 2) == "a[0].c[2].d"
    assert loosen("a[0].c[-1].d") == "a[*].c[*].d"
    assert (leaf("a[0].id"), parent("a[0].id"), pinned_index("a[0].c[-1].d"), pinned_index("a.b")) == (
        "id",
        "a[0]",
        -1,
        None,
    )


@pytest.mark.parametrize(
    ("edges", "topology"),
    [
        (((), ()), Topology.PARALLEL),
        (((), (0,)), Topology.SEQUENTIAL),
        (((), (0,), (1,)), Topology.SEQUENTIAL),
        (((), (0,), (0, 1)), Topology.SEQUENTIAL),
        (((), (0,), (0,)), Topology.MIXED),
        (((), (), (0, 1)), Topology.MIXED),
        (((), (0,), ()), Topology.MIXED),
    ],
)
def test_topologies(edges: tuple[tuple[int, ...], ...], topology: Topology) -> None:
    assert topology_of(edges) is topology


def test_words() -> None:
    assert humanise("windSpeedKmh") == "wind speed kmh"
    assert humanise("user_ID") == "user ID"
    assert speak(["a", "b", "c"], Language.EN) == "a, b and c"
    assert speak(["甲", "乙"], Language.ZH) == "甲和乙"
    assert speak(5.0, Language.EN) == "5"


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


def test_nouns() -> None:
    tool = _tool({"artistName": {"type": "string", "description": "歌手名称。"}})
    assert noun(tool, "artistName", Language.EN) == "artist"
    assert noun(tool, "artistName", Language.ZH) == "歌手"
