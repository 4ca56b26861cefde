"""``wildtool catalog worlds`` and ``catalog show``: tables, operations, and what is not supported and why."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.api_catalog.conftest import spec
from tests.flows.conftest import Wildtool


@pytest.fixture
def pets(wildtool: Wildtool, tmp_path: Path) -> Wildtool:
    (tmp_path / "pets.json").write_text(json.dumps(spec("Pet Shop", "pet")), encoding="utf-8")
    assert wildtool("catalog", "build", "pets.json").code == 0
    return wildtool


def test_worlds_counts_what_can_be_executed(pets: Wildtool) -> None:
    ran = pets("catalog", "worlds", "--json")
    assert ran.code == 0
    (row,) = ran.json["lists"]
    covered = ran.json["coverage"]
    assert covered["tools"] == row["tools"] == 3 and covered["executable"] == row["executable"]
    assert set(row["operations"]) == set(
        pets("catalog", "show", row["id"], "--json").json["lists"][0]["world"]["tools"]
    )
    assert all(reason for reason in row["unsupported"].values())
    shown = pets("catalog", "worlds")
    assert shown.code == 0 and "executable tools" in shown.out


def test_one_list_shows_its_world(pets: Wildtool) -> None:
    row = pets("catalog", "worlds", "--json").json["lists"][0]
    shown = pets("catalog", "worlds", "--list", row["slug"])
    assert shown.code == 0 and f"{row['executable']} of 3 tools executable" in shown.out
    world = pets("catalog", "worlds", "--list", row["id"], "--json").json["lists"][0]["world"]
    for table in world["tables"]:
        assert f"table {table} " in shown.out
    for name, operation in world["tools"].items():
        assert f"{name}: " in shown.out or name in row["unsupported"], operation
    assert pets("catalog", "worlds", "--list", "nobody").refused("no tool list is called nobody")


def test_show_has_the_world_beside_the_functions(pets: Wildtool) -> None:
    row = pets("catalog", "worlds", "--json").json["lists"][0]
    shown = pets("catalog", "show", row["id"])
    assert shown.code == 0 and "tools executable, made by rules" in shown.out
    (found,) = pets("catalog", "show", row["id"], "--json").json["lists"]
    assert found["world"]["tool_list"] == row["id"] and found["world"]["made_by"] == "rules"


def test_a_model_needs_a_key_and_the_simulator_picks_nothing(pets: Wildtool) -> None:
    assert pets("catalog", "worlds", "--model", "gpt-4o", "-q").refused("no key for the model gpt-4o")
    assert pets("catalog", "worlds", "--model", "offline", "-q").refused("the simulator picks nothing")
