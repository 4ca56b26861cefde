"""Values that would come up where they must not are seen before anybody drafts."""

from __future__ import annotations

from typing import Any, Literal

from wildtool.agents.planning.drafters import ANY_DRAFTER
from wildtool.agents.planning.leak_check import clashes
from wildtool.agents.simulator.drafter import SIMULATOR
from wildtool.schemas.base import JsonObject
from wildtool.schemas.plan import Blueprint, PlannedArgument, PlannedCall
from wildtool.schemas.session import HiddenIntent
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType, Topology


def _tool(name: str, parameter: str, phrase: str, returns: JsonObject | None = None) -> Tool:
    schema = {"type": "object", "properties": {parameter: {"type": "string"}}, "required": [parameter]}
    return Tool(name=name, description=name, parameters=schema, returns=returns, phrasings=(phrase,))


SONGS: JsonObject = {"type": "object", "properties": {"artist": {"type": "string", "examples": ["Nina Simone"]}}}
TOOLS = {
    tool.name: tool
    for tool in (
        _tool("playlist", "mood", "make a {mood} playlist", SONGS),
        _tool("artist", "artistName", "tell me about {artistName}"),
        _tool("weather", "city", "check the weather in {city} today"),
        _tool("line", "line", "see how {line} runs"),
    )
}


def _call(
    tool: str, source: Literal["user", "earlier", "missing", "observation"], value: Any, **more: Any
) -> PlannedCall:
    name = next(iter(TOOLS[tool].parameters["properties"]))
    return PlannedCall(tool=tool, arguments=(PlannedArgument(parameter=name, source=source, value=value, **more),))


def _single(call: PlannedCall, hidden: HiddenIntent | None = None) -> Blueprint:
    return Blueprint(type=TaskType.SINGLE, calls=(call,), hidden_intent=hidden)


def _found(blueprint: Blueprint, *before: Blueprint) -> list[str]:
    return list(clashes(blueprint, len(before), before, TOOLS, Language.EN, SIMULATOR))


def _far(piece: str) -> HiddenIntent:
    return HiddenIntent(kind=HiddenIntentKind.LONG_RANGE, piece=piece, said_in=0, distance=3)


def test_a_plain_task_clashes_with_nothing() -> None:
    assert _found(_single(_call("weather", "user", "Lyon"))) == []


def test_a_phrase_that_says_the_missing_value() -> None:
    task = _single(_call("weather", "missing", "today"))
    assert "a phrase for the task says today" in _found(task)
    # A model finds its own words: the simulator's phrases bar nothing for it.
    assert list(clashes(task, 0, (), TOOLS, Language.EN, ANY_DRAFTER)) == []


def test_the_name_of_a_thing_that_half_says_it() -> None:
    assert any("own name" in each for each in _found(_single(_call("line", "earlier", "Line 4", task=0))))


def test_a_result_between_that_may_show_the_piece() -> None:
    start = _single(_call("artist", "user", "Nina Simone"))
    lean = _single(_call("artist", "earlier", "Nina Simone", task=0), _far("artistName"))
    loud, quiet = _single(_call("playlist", "user", "calm")), _single(_call("weather", "user", "Lyon"))
    assert any("may show nina simone" in each for each in _found(lean, start, loud, quiet))
    assert _found(lean, start, quiet, _single(_call("weather", "user", "Porto"))) == []


def test_a_task_between_that_follows_up_on_the_same_result() -> None:
    start = _single(_call("artist", "user", "Adele"))
    follow = _single(_call("line", "earlier", None, task=0, action=0, path="albums[0].title"))
    lean = _single(_call("artist", "earlier", "Adele", task=0), _far("artistName"))
    assert "a task between follows up on the same result" in _found(lean, start, follow, start)


def test_calls_side_by_side_that_chance_would_chain() -> None:
    calls = (_call("playlist", "user", "calm"), _call("artist", "user", "Nina Simone"))
    side = Blueprint(type=TaskType.MULTI, topology=Topology.PARALLEL, calls=calls)
    assert any("playlist may show Nina Simone" in each for each in _found(side))


def test_a_chain_over_a_value_that_the_user_has_said() -> None:
    taken = _call("artist", "observation", None, action=0, path="artist")
    chain = Blueprint(
        type=TaskType.MULTI, topology=Topology.SEQUENTIAL, calls=(_call("playlist", "user", "calm"), taken)
    )
    assert _found(chain) == []
    said = _single(_call("artist", "user", "Nina Simone"))
    assert any("which the user said" in each for each in _found(chain, said))


def test_the_third_and_the_last_of_three_are_one() -> None:
    items = [_call("artist", "observation", None, action=0, path=f"songs[{n}].artistId") for n in (2, -1)]
    calls = (_call("playlist", "user", "calm"), *items)
    fan = Blueprint(type=TaskType.MULTI, topology=Topology.MIXED, calls=calls)
    assert "artist may be called twice for one thing" in _found(fan)
    first = _call("artist", "observation", None, action=0, path="songs[0].artistId")
    apart = Blueprint(type=TaskType.MULTI, topology=Topology.MIXED, calls=(calls[0], first, items[1]))
    assert _found(apart) == []
