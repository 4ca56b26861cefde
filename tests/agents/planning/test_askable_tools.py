"""What people would ask for is decided without the simulator; what the simulator can word, by the simulator."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from wildtool.agents.planning.askable_tools import askable, plausible, sayable
from wildtool.agents.planning.drafters import ANY_DRAFTER
from wildtool.agents.planning.quotas import Cell
from wildtool.agents.planning.task_search import Planner
from wildtool.agents.simulator.drafter import SIMULATOR
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language, TaskType

RESULT = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}


def tool(name: str = "getHotels", description: str = "Gets the hotels of a city.", **more: Any) -> Tool:
    schema = more.pop("schema", {"city": {"type": "string"}})
    parameters = {"type": "object", "properties": schema, "required": list(schema)}
    return Tool(name=name, description=description, parameters=parameters, **{"returns": RESULT, **more})


@pytest.mark.parametrize(
    ("offered", "asked"),
    [
        (tool(), True),
        (tool(description="To use this API, your integration must act on behalf of a user."), True),
        (tool(returns=None), True),
        (tool(returns={"type": "object", "properties": {"status": {"type": "string"}}}), False),
        (tool("listWebhooks", "Lists webhooks."), False),
        (tool("getIt", "Returns the OAuth credentials of an app."), False),
        (tool("updateHotel", "Updates a hotel."), False),
        (tool(schema={"nonce": {"type": "string"}}), False),
        (tool(schema={"city": {"type": "array", "items": {"type": "string"}}}), False),
        (tool("updateHotel", phrasings=("change {city}",)), True),
    ],
)
def test_people_ask_for_what_is_made_for_them(offered: Tool, asked: bool) -> None:
    assert askable(offered, ()) == asked


def test_a_value_that_nobody_says_may_come_from_a_result() -> None:
    taker = tool(schema={"hotelId": {"type": "string"}})
    link = ToolLink(producer="listHotels", path="hotels[*].id", consumer="getHotels", parameter="hotelId")
    assert not askable(taker, ())
    assert askable(taker, (link,))


def test_what_the_simulator_cannot_word_bars_no_model() -> None:
    assert not SIMULATOR.can_say(tool())
    assert ANY_DRAFTER.can_say(tool())
    assert SIMULATOR.can_say(tool(phrasings=("find {city}",), returns=None))


def test_phrases_are_the_simulators_alone() -> None:
    offered = tool(phrasings=("find hotels in {city}",), optional_phrasings={"stars": ("with {stars} stars",)})
    assert SIMULATOR.phrases(offered, Language.EN) == ["find hotels in  ", "with   stars"]
    assert ANY_DRAFTER.phrases(offered, Language.EN) == ()


def test_a_planner_keeps_the_tools_that_its_drafter_can_say() -> None:
    tools = (tool(phrasings=("find hotels in {city}",)), tool("getThings", "Gets things."))
    offered = ToolList.of(
        slug="hotels", title="Hotels", description="Hotels.", language=Language.EN, category="Travel",
        subcategory="Hotels", source="test", licence="MIT", version="1", tools=tools,
    )  # fmt: skip
    cells = [Cell(TaskType.SINGLE, None, None)]
    now = "2026-07-10T09:30:00+00:00"
    free = Planner(offered, cells, now, Random(0))
    simulated = Planner(offered, cells, now, Random(0), drafter=SIMULATOR)
    assert [each.name for each in free.tools] == ["getHotels", "getThings"]
    assert [each.name for each in simulated.tools] == ["getHotels"]
    assert free.hopeful and not simulated.hopeful


def test_sayable_values() -> None:
    schema = {
        "city": {"type": "string"}, "sessionToken": {"type": "string"}, "year": {"type": "integer"},
        "colour": {"type": "string", "enum": ["red", "green"]}, "mode": {"type": "string", "enum": ["a1", "b2"]},
        "title": {"type": "string", "description": "Base64 of the title"}, "cityId": {"type": "string"},
    }  # fmt: skip
    offered = tool(schema=schema)
    assert {name for name in schema if sayable(offered, name)} == {"city", "year", "colour"}


def test_inferred_links_that_seldom_hold() -> None:
    deep = ToolLink(producer="a", path="x.y.z[*].id", consumer="getHotels", parameter="city")
    flat = ToolLink(producer="a", path="x[*].id", consumer="getHotels", parameter="city")
    assert plausible(flat, tool()) and not plausible(deep, tool())
    assert not plausible(flat, tool(schema={"city": {"type": "string", "pattern": "^[A-Z]{3}$"}}))
    naming = ToolLink(producer="a", path="x[*].id", consumer="createList", parameter="title")
    assert not plausible(naming, tool("createList", schema={"title": {"type": "string"}}))
