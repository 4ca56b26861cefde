"""The simulator: results that fit what was asked, small talk that is answered, replies in several manners."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from tests.agents.planning import choose, core, seeds
from wildtool.agents.planning.plan import plan_sessions
from wildtool.agents.planning.reference_devices import abbreviation
from wildtool.agents.planning.small_talk import topic_kind
from wildtool.agents.profiles import load_profile
from wildtool.language.parameter_nouns import noun
from wildtool.language.result_filters import filters_of, limit_of, misfits, order_of
from wildtool.schemas.json_schema import fits, properties
from wildtool.schemas.plan import PlannedArgument
from wildtool.schemas.tool import Tool, ToolList
from wildtool.schemas.vocabulary import Device, Language, TaskType
from wildtool.worlds.narrowing import in_units
from wildtool.worlds.results import World
from wildtool.worlds.spoken_values import pick

NOW = "2026-07-10T09:30:00+00:00"


def narrowed() -> list[tuple[ToolList, Tool, dict[str, Any]]]:
    """Calls of core tools with arguments that narrow the result, each with several values."""
    found = []
    for each in core():
        for tool in each.tools:
            for name in properties(tool):
                for seed in range(4):
                    said = pick(tool, name, each.language, NOW, Random(seed))
                    arguments = {name: said.value} if said is not None else {}
                    if filters_of(arguments, properties(tool)) or limit_of(arguments) or order_of(arguments):
                        found.append((each, tool, arguments))
    return found


def test_results_are_what_the_arguments_ask_for() -> None:
    calls = narrowed()
    assert len(calls) > 300
    for number, (offered, tool, arguments) in enumerate(calls):
        world = World(
            tools=offered, tool=tool.name, arguments=arguments, now=NOW, least=0, rng=Random(number), observed=()
        )
        result = world.result(tool.returns)
        assert list(misfits(arguments, result, properties(tool))) == [], (tool.name, arguments)
        assert tool.returns is None or fits(result, tool.returns), (tool.name, arguments)


def test_lists_in_lists_that_cannot_differ_end_soon() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {"name": {"const": "North"}}, "required": ["name"]}
    for _ in range(3):
        within = {"name": {"const": "North"}, "parts": {"type": "array", "items": schema}}
        schema = {"type": "object", "properties": within, "required": ["name", "parts"]}
    offered = core()[0]
    world = World(tools=offered, tool=offered.tools[0].name, arguments={}, now=NOW, least=2, rng=Random(0))
    assert fits(world.result(schema), schema)
    assert world.items < 5_000  # each level drawing sixty times would make a hundred thousand


def test_degrees_follow_the_units() -> None:
    assert in_units("temperature", 20.0, {"units": "imperial"}) == 68.0
    assert in_units("temperature", 20.0, {"units": "metric"}) == 20.0
    assert in_units("highPrice", 20.0, {"units": "imperial"}) == 20.0


@pytest.mark.parametrize(
    ("parameter", "words", "language", "short"),
    [
        ("artistName", "Glass Garden", Language.EN, "GG"),
        ("contactName", "Peter Novak", Language.EN, "Peter"),
        ("country", "United States", Language.EN, None),
        ("artistName", "Adele", Language.EN, None),
        ("keyword", "Night Trains", Language.EN, None),
        ("teamName", "北京国安", Language.ZH, "国安"),
        ("companyName", "顺达物流", Language.ZH, "顺达"),
        ("contactName", "刘思雨", Language.ZH, "思雨"),
        ("city", "乌鲁木齐", Language.ZH, None),
    ],
)
def test_names_have_short_forms(parameter: str, words: str, language: Language, short: str | None) -> None:
    said = PlannedArgument(parameter=parameter, source="user", value=words, words=words)
    assert abbreviation(said, language) == short


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


def test_people_chat_about_things_and_not_about_settings() -> None:
    assert topic_kind("city") == "place"
    assert topic_kind("teamName") == "fame"
    assert all(topic_kind(name) is None for name in ("cityId", "status", "period", "units", "email", "statusCode"))


@pytest.mark.parametrize("language", list(Language))
def test_all_devices_are_planned(language: Language) -> None:
    profile = load_profile("default")
    profile = profile.model_copy(update={"sessions": {language: 160}, "fault_share": 0.0})
    plans = plan_sessions(profile, seeds(), choose, seed=1)
    found = Counter(t.hidden_intent.device for plan in plans for t in plan.tasks if t.hidden_intent)
    assert set(found) == set(Device), set(Device) - set(found)
    chats = (task for plan in plans for task in plan.tasks if task.type is TaskType.CHAT)
    assert all(mention.value for task in islice(chats, 50) for mention in task.mentions)
