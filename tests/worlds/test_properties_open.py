"""Properties and mutants on a world whose rows come into being when they are asked for."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers

from tests.worlds.cinema import NOW
from tests.worlds.town import TOWN, TOWN_TOOLS, TownSource, town
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.interpreter import World
from wildtool.worlds.mutants import acceptable
from wildtool.worlds.properties import check, judge


def test_the_town_keeps_all_properties():
    assert check(TOWN, TOWN_TOOLS, town, rounds=10) == []


@given(seed=integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_for_any_calls(seed):
    assert judge(town(), TOWN_TOOLS, seed=seed, rounds=1) == []


def test_all_mutants_are_noticed():
    found = acceptable(TOWN, TOWN_TOOLS, TownSource(), NOW)
    assert found.rate >= 0.95, [each.place for each in found.survivors]


class InOrder(TownSource):
    """Numbers places in the order in which cities are asked for."""

    def __init__(self) -> None:
        self.made = 0

    def partition(self, table: str, given: Any, taken: Any) -> list[dict[str, Any]]:
        rows = super().partition(table, given, taken)
        self.made += 1
        return [{**row, "name": f"{row['name']} {self.made}"} for row in rows]


def test_rows_that_depend_on_the_reads_before_are_caught():
    seen = judge(World(TOWN, TOWN_TOOLS, InOrder(), NOW), TOWN_TOOLS, rounds=6)
    assert "reads_change_nothing" in {each.property for each in seen}


@pytest.mark.parametrize(
    ("path", "value", "property_"),
    [
        (("where", 2, "op"), "ge", "names_are_kept"),
        (("page", "default"), 6, "pages_concatenate"),
        (("page", "first_page"), 0, "pages_concatenate"),
    ],
)
def test_a_world_of_another_spec_is_caught(path, value, property_):
    whole = deepcopy(TOWN.model_dump(mode="json", exclude={"id"}))
    place: Any = whole["tools"]["findPlaces"]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    world = World(WorldSpec.of(**whole), TOWN_TOOLS, TownSource(), NOW)

    class Promised:
        """Promises the town and executes the other spec."""

        def __init__(self, inner: World) -> None:
            self.inner, self.spec, self.now, self.rows, self.call = inner, TOWN, NOW, inner.rows, inner.call

        def fork(self) -> Promised:
            return Promised(self.inner.fork())

    seen = judge(Promised(world), TOWN_TOOLS, rounds=8)
    assert property_ in {each.property for each in seen}, [str(each) for each in seen]
