"""The one log: which run, stage, shard and session a line is about; readable after a kill; without keys."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.flows.conftest import Wildtool
from wildtool.flows.log import FILE_NAME, Log, masked, read_log


def lines(home: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (home / FILE_NAME).read_text(encoding="utf-8").splitlines()]


def test_a_session_can_be_followed(wildtool: Wildtool, repository: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    for command in (
        ("catalog", "build", "core"),
        ("mine", str(repository / "examples" / "logs")),
        ("draft", "--model", "offline", "--profile", "demo", "--sessions", "2"),
    ):
        assert wildtool(*command, "--home", home, "-q").code == 0
    found = lines(home)
    drafted = [line for line in found if line["event"] == "drafted"]
    assert len(drafted) == 4
    assert len({line["session"] for line in drafted}) == 4
    assert all(str(line["shard"]).startswith("shd_") and line["stage"] == "draft" for line in drafted)
    assert len({line["run"] for line in found}) == 3
    ends = {line["stage"]: line for line in found if line["event"] == "stage ends"}
    assert set(ends) == {"catalog", "mine", "draft"}


def test_a_failure_is_logged_with_its_remedy(wildtool: Wildtool, tmp_path: Path) -> None:
    assert wildtool("draft", "--model", "offline", "--home", tmp_path / "home").code == 2
    (failed,) = [line for line in lines(tmp_path / "home") if line["event"] == "failed"]
    assert "no seed scenario" in str(failed["cause"])
    assert "wildtool mine" in str(failed["remedy"])


def test_a_torn_line_hides_no_other(tmp_path: Path) -> None:
    log = Log(tmp_path)
    for number in range(5):
        log.event("tick", number=number)
    with (tmp_path / FILE_NAME).open("a", encoding="utf-8") as stream:
        stream.write('{"time": "2026-01-01T00:00:00Z", "ev')
    assert [line["number"] for line in read_log(tmp_path, 6)] == [0, 1, 2, 3, 4]
    assert read_log(tmp_path / "nowhere", 5) == []


@pytest.mark.parametrize(
    "text", ["Bearer abcdefgh12345678", "key sk-proj-abcdefghijkl is wrong", "token=hf_abcdefghijkl"]
)
def test_what_looks_like_a_key_is_masked(text: str) -> None:
    assert "***" in masked(text)
    assert "abcdefgh" not in masked(text)
