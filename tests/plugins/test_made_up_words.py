"""A made-up language and a made-up hidden-intent kind: every room handles them or says at its start what it lacks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.plugin import install, run_with
from tests.plugins import ROOMS as WORDS
from tests.plugins import acme
from tests.plugins.rooms import ROOMS

LACKS = {
    "language": "room language has no dates.toml",
    "grounding": "room grounding has no system_message.md",
    "worlds": "room worlds has no values.toml",
    "mining": "room mining has no behaviour.toml",
    "mining_words": "room mining has no ",
    "api_catalog": "catalogue holds no list in qx",
    "planning": "room agents/prompts has no checker.md",
    "drafting_offline": "room agents/prompts has no checker.md",
    "evaluation": "room evaluation has no arguments.toml",
    "release": "room language has no ",
}
"""What each room says of a language without words. The form shows words and reads none."""

HANDLES = {
    "language": "Monday",
    "grounding": "system",
    "mining": 1,
    "mining_words": "task_open",
    "planning": ["qx"],
    "annotation": True,
    "evaluation": ["qx"] * 4,
    "release": ["qx", "qx", True],
}
"""What each room gives with the English words under another name."""

STILL_LACKS = {
    "api_catalog": "catalogue holds no list in qx",
    "drafting_offline": "the offline simulator has no grammar for the language 'qx'",
}
"""What words alone do not give."""

KIND = """
from wildtool.grounding.hidden_intents import HiddenIntentSpec
from wildtool.schemas.vocabulary import Device, HiddenIntentKind

RECAP = HiddenIntentSpec(
    kind=HiddenIntentKind("recap"), title="Recap", subtype="Recap of all", reach=(3, None), published=100.0,
    said_devices=lambda tool, parameter: (Device.DEMONSTRATIVE,), chat_devices=(Device.DEMONSTRATIVE,),
    meaning="it asks for everything said so far",
)
"""


def outcomes(site: Path, names: list[str]) -> dict[str, Any]:
    ran = run_with(site, f"from tests.plugins.rooms import main; main({names!r})")
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def without_words(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return outcomes(acme(tmp_path_factory.mktemp("bare"), rooms=()), list(ROOMS))


@pytest.fixture(scope="module")
def with_words(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return outcomes(acme(tmp_path_factory.mktemp("full"), rooms=tuple(room for room, _, _ in WORDS)), list(ROOMS))


def test_every_room_is_expected_to_do_something() -> None:
    assert set(LACKS) | {"annotation"} == set(ROOMS)
    assert set(HANDLES) | set(STILL_LACKS) | {"worlds"} == set(ROOMS)


@pytest.mark.parametrize("room", LACKS)
def test_a_room_without_words_for_a_language_says_so_at_its_start(without_words: dict[str, Any], room: str) -> None:
    told = without_words[room]
    assert "error" in told, told
    assert LACKS[room] in told["cause"] and "qx" in told["cause"]
    assert told["remedy"] and "\n" not in told["cause"] + told["remedy"]


@pytest.mark.parametrize("room", HANDLES)
def test_a_room_with_words_for_a_language_handles_it(with_words: dict[str, Any], room: str) -> None:
    assert with_words[room] == {"gave": HANDLES[room]}


@pytest.mark.parametrize("room", STILL_LACKS)
def test_what_words_do_not_give_is_said(with_words: dict[str, Any], room: str) -> None:
    assert STILL_LACKS[room] in with_words[room]["cause"]


def test_each_room_is_told_apart_by_its_own_words(tmp_path: Path) -> None:
    rooms = tuple(room for room, _, _ in WORDS if room != "evaluation")
    told = outcomes(acme(tmp_path, rooms=rooms), ["grounding", "evaluation"])
    assert told["grounding"] == {"gave": "system"}
    assert "evaluation has no" in told["evaluation"]["cause"]


def test_a_made_up_kind_is_known_to_every_room(tmp_path: Path) -> None:
    site = install(tmp_path, "more", KIND, "[wildtool.hidden_intents]\nrecap = more:RECAP\n")
    told = outcomes(site, ["kind"])["kind"]["gave"]
    assert told["subtype"] == "Recap of all" and told["back"] == ["recap", 0]
    assert told["breakdown"] is True
    assert told["mined"] == 0.0 and told["profile"] > 0
    assert told["far"] <= told["places"]


def test_a_made_up_kind_goes_the_whole_way_from_plan_to_export(tmp_path: Path) -> None:
    site = install(tmp_path, "more", KIND, "[wildtool.hidden_intents]\nrecap = more:RECAP\n")
    outcome = outcomes(site, ["kind_whole_way"])["kind_whole_way"]
    assert "gave" in outcome, outcome
    told = outcome["gave"]
    assert told["drafts"] == 6 and told["planned"] == told["counted"] == 6  # a third of the later tasks
    assert told["refused"] == [] and told["bad"] == 0
    assert told["loaded"] and told["original"] and told["form"] and told["guide"]
    read = told["read"]
    assert read.pop("test.parquet") + read.pop("dev.parquet") == 4, "English ones"
    assert read == {"recap": 6, "benchmark.duckdb": 6, "sessions.jsonl": 6}
    assert all(told["formats"].values()), told["formats"]
    assert told["judged"] == {"far": [], "near": ["recap, but only 1 user turns back"]}


BRANCH = re.compile(r"""Language\.(?:EN|ZH)\b|[=!]= ["'](?:en|zh)["']|\bif zh\b|\bis_?(?:chinese|english)\b""")


def test_no_code_asks_which_language_it_is(repository: Path) -> None:
    """The simulator's grammar of two languages is code; it refuses others."""
    folders = ("agents", "annotation", "api_catalog", "benchmarks", "evaluation", "flows", "grounding", "language", "mining",
               "schemas", "validation", "warehouse", "worlds")  # fmt: skip
    found = [
        f"{path.relative_to(repository)}: {line.strip()}"
        for folder in folders
        for path in sorted((repository / folder).rglob("*.py"))
        if "simulator" not in path.parts
        for line in path.read_text(encoding="utf-8").split("\n")
        if BRANCH.search(line)
    ]
    assert not found
