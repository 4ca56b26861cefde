"""Results of made-up worlds fit the schema and what was asked."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.agents.planning import core
from wildtool.language.result_filters import filters_of, limit_of, misfits, order_of
from wildtool.schemas.json_schema import fits, properties
from wildtool.schemas.tool import Tool, ToolList
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
