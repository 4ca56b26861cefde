"""Names that come from data or from users never lead out of the folder that they name a file in."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from rich.console import Group
from rich.table import Table
from werkzeug import Response

from tests.flows.conftest import Wildtool
from tests.fuzz.corpus import small_release
from wildtool.flows.cli.views import DataConsole
from wildtool.flows.progress import visible
from wildtool.schemas.base import sha256_hex

NAMES = ["../../../owned", "/tmp/owned", "a\\..\\owned\n", "..", "名字" * 90]


@pytest.fixture
def answering(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An endpoint that says something to everything."""
    said = {"choices": [{"message": {"role": "assistant", "content": "done"}, "finish_reason": "stop"}]}
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(
        lambda _: Response(json.dumps(said), content_type="application/json")
    )
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    yield httpserver.url_for("/v1")


def below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


@pytest.mark.e2e  # plays three candidates; other pages stand for it
def test_pages_of_candidates(wildtool: Wildtool, tmp_path: Path, answering: str) -> None:
    """A model's name stands in the name of its report."""
    release, home = small_release(tmp_path / "1.0.0"), tmp_path / "deep" / "er" / "home"
    before = below(tmp_path)
    for name in NAMES:
        ran = wildtool("evaluate", "run", "--release", release, "--model", name, "--base-url", answering, "--split",
                       "dev", "--home", home, "--json")  # fmt: skip
        assert ran.code in (0, 2) and "Traceback" not in ran.err, ran.err
        if ran.code == 0:
            page = Path(ran.json["page"])
            assert page.parent == home / "reports" and page.is_file()
    assert len(list((home / "reports").iterdir())) >= len(NAMES) - 2
    assert all(path.is_relative_to(home) for path in below(tmp_path) - before)


@pytest.mark.parametrize(
    ("what", "value"), [("version", "../../../owned"), ("version", "1.0.0/../../owned"), ("path", "../owned"),
                        ("path", "data/../../owned.parquet"), ("path", "/etc/hostname")],
)  # fmt: skip
def test_a_release_of_somebody_else(wildtool: Wildtool, tmp_path: Path, what: str, value: str) -> None:
    """Its manifest names versions and files: those that lead elsewhere are refused, whatever is done with it."""
    release, home = small_release(tmp_path / "1.0.0"), tmp_path / "home"
    manifest = release / "manifest.json"
    held = json.loads(manifest.read_bytes())
    if what == "version":
        held["version"] = value
    else:
        held["files"][0]["path"] = value
    manifest.chmod(0o644)
    manifest.write_text(json.dumps(held), encoding="utf-8")
    before = below(tmp_path)
    for command in (
        ("evaluate", "run", "--release", release, "--model", "builtin:gold"), ("release", "verify", release),
        ("release", "export", release, "--format", "jsonl", "--out", tmp_path / "out"), ("release", "explore", release),
    ):  # fmt: skip
        assert wildtool(*command, "--home", home).refused(str(manifest)), command
    assert {path for path in below(tmp_path) - before if not path.is_relative_to(home)} == set()
    assert not list(home.rglob("*owned*"))


@pytest.mark.parametrize("version", ["../owned", "1.0.0/../../owned", "/tmp/owned", ".."])
def test_a_version_that_is_a_path_is_no_version(wildtool: Wildtool, tmp_path: Path, version: str) -> None:
    home = tmp_path / "home"
    assert wildtool("release", "freeze", version, "--home", home).code == 2
    assert not (home / "releases").exists() or not list((home / "releases").iterdir())
    assert not list(tmp_path.rglob("*owned*"))


def test_long_names_stay_apart() -> None:
    from wildtool.flows.stages.score import _file_name

    names = [_file_name("m" * 300 + end) for end in "ab"]
    assert len(set(names)) == 2 and max(map(len, names)) <= 100
    assert names[0].endswith(sha256_hex("m" * 300 + "a")[:8])


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_terminal_obeys_no_name(wildtool: Wildtool, tmp_path: Path) -> None:
    """Names and rows that hold escape codes, markup or emoji codes are shown as they are, the codes made visible."""
    name = "bad\x1b[31m\x07[red]:warning:.jsonl"
    (tmp_path / name).write_text('{"messages": [\n' * 2 + '{"role": "\x9b31m"}\n', encoding="utf-8")
    wildtool("mine", name)
    for command in (("quarantine",), ("status",), ("catalog", "import", name)):
        ran = wildtool(*command)
        assert all(each.isprintable() for line in (ran.out + ran.err).splitlines() for each in line), command
    said = wildtool("quarantine").out.replace("\n", "")
    assert "bad�[31m�" in said and "[red]" in said and ":warning:" in said


def test_control_characters_are_made_visible() -> None:
    assert visible("a\x1b[31m\x07\u202eb\n c\td") == "a�[31m��b\n c\td"
    console = DataConsole(60)
    table = Table(title="t\x1b]0;x\x07")
    table.add_column("head\x1b[1m")
    table.add_row("cell\x9b2J")
    with console.capture() as taken:
        console.print(Group(table, "line\x1b[31m"))
    assert not [each for each in taken.get() if not each.isprintable() and each != "\n"]
