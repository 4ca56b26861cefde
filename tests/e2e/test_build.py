"""The whole pipeline as ``make demo`` runs it: a real Prefect flow, a real Label Studio, a frozen and scored release."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.e2e

BUILD = (
    "--profile",
    "demo",
    "--model",
    "offline",
    "--auto-label",
    "--release",
    "0.1.0",
    "--catalog",
    "core",
    "--json",
    "-q",
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of its own, whose Label Studio is stopped at the end."""
    folder = tmp_path_factory.mktemp("home")
    yield folder
    wildtool("annotate", "serve", "--stop", "--home", str(folder))


def wildtool(*arguments: str, timeout: float = 900) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PREFECT_"))}
    script = "from wildtool.flows.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=timeout, env=environment
    )


@pytest.fixture(scope="module")
def built(home: Path, repository: Path) -> Any:
    ran = wildtool("build", str(repository / "examples" / "logs"), *BUILD, "--home", str(home))
    assert ran.returncode == 0, ran.stderr[-3000:]
    return json.loads(ran.stdout)


def test_every_stage_adds_up(built: Any) -> None:
    for summary in (built["catalog"], built["mine"], built["draft"], built["annotate"], built["release"]):
        for step in summary["steps"]:
            assert step["rows_in"] == step["rows_out"] + step["quarantined"]
    assert built["mine"]["steps"][0]["rows_in"] == 332
    assert built["draft"]["drafts"] >= 16
    assert built["annotate"]["push"]["pushed"] == built["draft"]["drafts"]
    assert built["annotate"]["open"] == 0


def test_marks_say_what_it_is(built: Any, home: Path) -> None:
    manifest = built["release"]["manifest"]
    assert manifest["offline"]
    assert manifest["simulated_labels"]
    card = (home / "releases" / "0.1.0" / "README.md").read_text(encoding="utf-8")
    first = next(line for line in card.split("---", 2)[2].splitlines() if line.strip())
    assert "offline" in first.lower()
    assert "simulated" in first.lower()


def test_gold_scores_100_and_plain_text_only_on_chat(built: Any) -> None:
    gold, null = (each["score"] for each in built["evaluate"])
    assert gold["task_accuracy"]["value"] == gold["session_accuracy"]["value"] == 1.0
    assert gold["optimal_path_rate"]["value"] == 1.0
    by_type = {name: rate["value"] for name, rate in null["breakdown"]["type"].items()}
    assert by_type == {"chat": 1.0, "single": 0.0, "multi": 0.0, "clarify": 0.0}


def test_the_release_loads_and_verifies(
    built: Any, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    import datasets

    folder = home / "releases" / "0.1.0"
    sessions = 0
    for language in ("en", "zh"):
        for split in datasets.load_dataset(str(folder), language, cache_dir=str(tmp_path)).values():
            for row in split:
                sessions += 1
                assert len(row["tasks"]) == 4
                assert all(isinstance(json.loads(tool["parameters"]), dict) for tool in row["tools"])
    assert sessions == built["release"]["manifest"]["counts"]["sessions"] >= 16
    assert wildtool("release", "verify", str(folder)).returncode == 0


def test_a_second_build_changes_nothing(built: Any, home: Path, repository: Path) -> None:
    release = home / "releases" / "0.1.0"
    before = {path: path.stat().st_mtime_ns for path in release.rglob("*")}
    ran = wildtool("build", str(repository / "examples" / "logs"), *BUILD, "--home", str(home))
    assert ran.returncode == 0, ran.stderr[-3000:]
    again = json.loads(ran.stdout)
    assert all(again[stage]["unchanged"] for stage in ("catalog", "mine", "draft", "annotate", "release"))
    assert {path: path.stat().st_mtime_ns for path in release.rglob("*")} == before


def test_status_tells_it_all(built: Any, home: Path) -> None:
    held = json.loads(wildtool("status", "--json", "--home", str(home)).stdout)
    assert {"mine", "catalog", "draft", "push", "pull", "adjudicate", "release", "evaluate"} <= set(held["stages"])
    assert held["counts"]["Session"] == built["release"]["manifest"]["counts"]["sessions"]
