"""One release, read by everything that strangers read it with: all count the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.frozen import freeze
from tests.warehouse.rich import rich_sessions

pytestmark = pytest.mark.e2e

DATASETS = """
import datasets, json, sys
found = {}
for config in ("en", "zh"):
    for split, rows in datasets.load_dataset(sys.argv[1], config).items():
        for row in rows:
            found.setdefault("sessions", []).append(row["id"])
            found.setdefault("tasks", []).extend(task["type"] for task in row["tasks"])
            for task in row["tasks"]:
                found.setdefault("calls", []).extend(action["name"] for action in task["actions"] if action["kind"] == "call")
print(json.dumps(found))
"""
JQ = "[.[] | {id, types: [.tasks[].type], calls: [.messages[] | .tool_calls // [] | .[].function.name]}]"


def in_process(code: str, folder: Path, cache: Path) -> Any:
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(cache), "HF_DATASETS_CACHE": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True, env=environment
    )
    return json.loads(run.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("readers") / "1.0.0"
    freeze(
        list(rich_sessions().values()),
        "1.0.0",
        path,
        code_version="0.1.0",
        rules_version="1",
        allow={"judged", "licences"},
    )
    return path


def test_all_readers_count_the_same(folder: Path, tmp_path: Path) -> None:
    by_datasets = in_process(DATASETS, folder, tmp_path)
    with duckdb.connect(str(folder / "benchmark.duckdb"), read_only=True) as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM sessions").fetchall()]
        types = dict(connection.execute("SELECT type, sum(tasks)::INT FROM composition GROUP BY type").fetchall())
        calls = dict(connection.execute("SELECT name, calls FROM tool_use").fetchall())
    assert sorted(by_datasets["sessions"]) == sorted(ids) and len(ids) == len(rich_sessions())
    assert Counter(by_datasets["tasks"]) == types
    assert Counter(by_datasets["calls"]) == calls
    lines = [json.loads(line) for line in (folder / "sessions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sorted(line["id"] for line in lines) == sorted(ids)
    assert Counter(task["type"] for line in lines for task in line["tasks"]) == types
    original = [
        json.loads(line)
        for path in (folder / "original").iterdir()
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sorted(row["session"] for row in original) == sorted(ids)


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq is not installed")
def test_jq_counts_the_same(folder: Path) -> None:
    run = subprocess.run(["jq", "-s", JQ, str(folder / "sessions.jsonl")], capture_output=True, text=True, check=True)
    rows = json.loads(run.stdout)
    with duckdb.connect(str(folder / "benchmark.duckdb"), read_only=True) as connection:
        types = dict(connection.execute("SELECT type, count(*) FROM tasks GROUP BY type").fetchall())
        calls = dict(connection.execute("SELECT name, calls FROM tool_use").fetchall())
    assert len(rows) == len(rich_sessions())
    assert Counter(kind for row in rows for kind in row["types"]) == types
    assert Counter(name for row in rows for name in row["calls"]) == calls


def test_mlcroissant_counts_the_same(folder: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant", reason="the extra croissant is not installed")
    dataset = mlcroissant.Dataset(str(folder / "croissant.json"))
    rows = [row for one in dataset.metadata.record_sets for row in dataset.records(record_set=one.id)]
    assert len(rows) == len(rich_sessions())


def test_a_stranger_without_a_home_verifies_it(folder: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(folder, tmp_path / "from a friend")
    command = [str(Path(sys.executable).with_name("wildtool")), "release", "verify", str(copied), "--json", "-q"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "nobody"), "LANG": "C.UTF-8"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["ok"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["from a friend"]  # no home was made
    victim = copied / "sessions.jsonl"
    victim.chmod(0o644)
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    run = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert run.returncode == 1 and "sessions.jsonl was changed" in run.stderr
