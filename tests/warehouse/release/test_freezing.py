"""Freezing: whole or not at all, the same bytes, never again."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.frozen import freeze
from wildtool.flows.library import verify_release
from wildtool.schemas.errors import FrozenError, GateError, InputError
from wildtool.schemas.label import Label
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.warehouse.release.freezing import split_sessions

VERSIONS = {"code_version": "0.1.0", "rules_version": "1"}


def digest_of(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def labels(sessions: list[Session], label: Callable[..., Label]) -> list[Label]:
    return [label(session) for session in sessions] + [label(session, "ann-2") for session in sessions]


@pytest.fixture
def frozen(sessions: list[Session], labels: list[Label], tmp_path: Path) -> Path:
    folder = tmp_path / "releases" / "0.1.0"
    freeze(sessions, "0.1.0", folder, labels=labels, **VERSIONS)
    return folder


def test_the_same_input_gives_the_same_bytes(
    sessions: list[Session], labels: list[Label], frozen: Path, tmp_path: Path
) -> None:
    again = tmp_path / "elsewhere" / "0.1.0"
    freeze(list(reversed(sessions)), "0.1.0", again, labels=labels, **VERSIONS)
    assert digest_of(again) == digest_of(frozen)
    assert "benchmark.duckdb" in digest_of(again)


ELSEWHERE = """
import sys, time
from pathlib import Path
import pyarrow
sys.path.insert(0, sys.argv[1])
pyarrow.set_cpu_count(int(sys.argv[3]))
later = time.time() + 86_400 * 400
time.time = lambda: later
from wildtool.schemas.vocabulary import Language
from tests.warehouse.conftest import make_label, make_session
from tests.frozen import freeze
sessions = [make_session(number, language) for language in Language for number in range(12)]
labels = [make_label(session) for session in sessions] + [make_label(session, "ann-2") for session in sessions]
freeze(sessions, "0.1.0", Path(sys.argv[2]), labels=labels, code_version="0.1.0", rules_version="1")
"""


@pytest.mark.parametrize(
    ("seed", "threads", "zone"), [("1", "1", "Asia/Shanghai"), ("4242", "4", "America/Los_Angeles")]
)
def test_another_process_day_and_place_give_the_same_bytes(
    frozen: Path, tmp_path: Path, seed: str, threads: str, zone: str
) -> None:
    (tmp_path / "cwd").mkdir()
    environment = {
        "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": threads, "TZ": zone, "LANG": "C", "PATH": os.environ["PATH"],
        "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }  # fmt: skip
    folder = tmp_path / "another place" / "0.1.0"
    root = str(Path(__file__).parents[3])
    subprocess.run(
        [sys.executable, "-c", ELSEWHERE, root, str(folder), threads], check=True, env=environment, cwd=tmp_path / "cwd"
    )
    assert digest_of(folder) == digest_of(frozen)


def test_a_second_freeze_changes_nothing(sessions: list[Session], labels: list[Label], frozen: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in frozen.rglob("*")}
    manifest = freeze(sessions, "0.1.0", frozen, labels=labels, **VERSIONS)
    assert {path: path.stat().st_mtime_ns for path in frozen.rglob("*")} == before
    assert manifest == ReleaseManifest.model_validate_json((frozen / "manifest.json").read_text(encoding="utf-8"))
    assert [path.name for path in frozen.parent.iterdir()] == ["0.1.0"]


def test_a_frozen_version_is_never_written_again(sessions: list[Session], labels: list[Label], frozen: Path) -> None:
    before = digest_of(frozen)
    with pytest.raises(FrozenError, match="differs in"):
        freeze(sessions[:-1], "0.1.0", frozen, labels=labels, **VERSIONS)
    assert digest_of(frozen) == before
    assert [path.name for path in frozen.parent.iterdir()] == ["0.1.0"]


def test_a_failed_gate_writes_nothing(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    good, bad = make(1), make(2)
    broken = bad.tasks[0].actions[0].model_copy(update={"arguments": {"city": 7}})
    task = bad.tasks[0].model_copy(update={"actions": (broken, *bad.tasks[0].actions[1:])})
    bad = bad.model_copy(update={"tasks": (task, *bad.tasks[1:])})
    folder = tmp_path / "1.0.0"
    with pytest.raises(GateError, match=r"arguments \(1\)") as caught:
        freeze([good, bad], "1.0.0", folder, labels=[label(good), label(bad)], **VERSIONS)
    assert any(f"{bad.id} task 0 action 0" in note for note in caught.value.__notes__)
    assert list(tmp_path.iterdir()) == []
    manifest = freeze(
        [good, bad],
        "1.0.0",
        folder,
        labels=[label(good), label(bad)],
        allow={"arguments", "grounding"},
        **VERSIONS,
    )
    assert [result.gate for result in manifest.gates if result.failures and result.allowed] == ["arguments"]
    # That the city was never said is read in text: a doubt that refuses nothing.
    assert "grounding" in [result.gate for result in manifest.gates if result.doubts]
    assert "let pass" in (folder / "README.md").read_text(encoding="utf-8")


def test_bad_usage(sessions: list[Session], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a semantic version"):
        freeze(sessions, "one", tmp_path / "r", **VERSIONS)
    with pytest.raises(InputError, match="no labelled session"):
        freeze([], "1.0.0", tmp_path / "r", **VERSIONS)
    with pytest.raises(InputError, match="no gate named nonsense"):
        freeze(sessions, "1.0.0", tmp_path / "r", allow={"nonsense"}, **VERSIONS)


def test_the_card_says_first_what_it_is(frozen: Path) -> None:
    body = (frozen / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    first = next(line for line in body.splitlines() if line.strip())
    assert "OFFLINE MODEL" in first and "SIMULATED LABELS" in first


def test_manifest_counts_and_checksums(frozen: Path) -> None:
    manifest = ReleaseManifest.model_validate_json((frozen / "manifest.json").read_text(encoding="utf-8"))
    counts = manifest.counts
    assert (counts["sessions"], counts["tasks"], counts["calls"], counts["asks"]) == (24, 96, 96, 24)
    assert counts["sessions.en"] == counts["sessions.zh"] == 12 and counts["annotators"] == 2
    assert counts["sessions.en.dev"] + counts["sessions.en.test"] == 12
    listed = {file.path: file.sha256 for file in manifest.files}
    assert listed == {
        path: digest for path, digest in digest_of(frozen).items() if not path.startswith("manifest.json")
    }


def test_every_file_carries_the_canary(frozen: Path) -> None:
    canary = json.loads((frozen / "manifest.json").read_text(encoding="utf-8"))["canary"].encode()
    for path in frozen.rglob("*"):
        if path.is_file():
            assert canary in path.read_bytes(), path


def test_datasets_loads_it_offline(frozen: Path, tmp_path: Path) -> None:
    code = f"""
import datasets, json
for name, language in (("en", "en"), ("zh", "zh"), (None, "en")):
    loaded = datasets.load_dataset({str(frozen)!r}, name)
    assert set(loaded) == {{"dev", "test"}}, loaded
    rows = [row for split in loaded.values() for row in split]
    assert len(rows) == 12
    for row in rows:
        assert row["language"] == language and len(row["tasks"]) == 4
        for tool in row["tools"]:
            assert json.loads(tool["parameters"])["type"] == "object"
        for task in row["tasks"]:
            for action in task["actions"]:
                assert isinstance(json.loads(action["arguments"]), dict)
    observation = json.loads(rows[0]["tasks"][1]["actions"][1]["observation"])
    assert observation["seats"] == []
print("loaded")
"""
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0 and "loaded" in done.stdout, done.stderr[-2000:]


def test_datasets_tells_two_releases_of_one_version_apart(
    sessions: list[Session], labels: list[Label], frozen: Path, tmp_path: Path
) -> None:
    """Its cache goes by folder name and configuration: the second folder must not be answered with the first's rows."""
    other = tmp_path / "elsewhere" / "0.1.0"
    freeze(sessions[::2], "0.1.0", other, labels=labels, **VERSIONS)
    code = f"""
import datasets
for folder in ({str(frozen)!r}, {str(other)!r}):
    print(sum(split.num_rows for name in ("en", "zh") for split in datasets.load_dataset(folder, name).values()))
"""
    environment = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "hf"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["24", "12"], done.stderr[-2000:]


def test_duckdb_and_jsonl_read_the_same_counts(frozen: Path) -> None:
    with duckdb.connect(str(frozen / "benchmark.duckdb"), read_only=True) as connection:

        def one(query: str) -> Any:
            return connection.execute(query).fetchall()[0][0]

        assert one("SELECT count(*) FROM sessions") == 24
        assert one("SELECT count(*) FROM tasks") == 96
        assert one("SELECT count(*) FROM actions WHERE kind = 'call'") == 96
        assert one("SELECT sum(tasks) FROM composition") == 96
        assert one("SELECT sum(tasks) FROM hidden_intents") == 72
        assert one("SELECT max(transitions) FROM type_sequences") == 3
        assert one("SELECT count(*) FROM tool_use") == 3
        assert one("SELECT sum(calls) FROM task_shape") == 96
        assert one("SELECT count(*) FROM annotators WHERE simulated") == 2
        assert one("SELECT count(*) FROM provenance WHERE json_array_length(annotators) = 1") == 24
        assert one("SELECT json_extract_string(arguments, '$.city') FROM actions WHERE name = 'getAirQuality' LIMIT 1")
    lines = [json.loads(line) for line in (frozen / "sessions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(lines) == 24 and sum(len(line["tasks"]) for line in lines) == 96
    for line in lines:
        assert line["messages"][0]["role"] == "system"
        assert [line["messages"][task["message"]]["role"] for task in line["tasks"]] == ["user"] * 4
        answered = {message["tool_call_id"] for message in line["messages"] if message["role"] == "tool"}
        called = {call["id"] for message in line["messages"] for call in message.get("tool_calls", ())}
        assert answered == called and len(called) == 4
        assert "x-returns" not in json.dumps(line["tools"])


def test_splits_stay_when_sessions_are_added(make: Callable[..., Session]) -> None:
    few = [make(number) for number in range(30)]
    many = [make(number) for number in range(120)]
    before = split_sessions(few, seed=1, dev_share=0.2)
    after = split_sessions(many, seed=1, dev_share=0.2)
    assert all(after[id] == split for id, split in before.items())
    assert 10 <= sum(split == "dev" for split in after.values()) <= 40
    kept = split_sessions(many, seed=2, dev_share=0.2, earlier=before)
    assert all(kept[id] == split for id, split in before.items())


def test_small_sets_have_both_splits(make: Callable[..., Session]) -> None:
    for seed in range(20):
        assert set(split_sessions([make(1), make(2)], seed=seed, dev_share=0.2).values()) == {"dev", "test"}
    assert set(split_sessions([make(1), make(2)], seed=0, dev_share=0).values()) == {"test"}


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[3])
from conftest import make_label, make_session
from wildtool.warehouse.release import freezing, layout
step, last = 0, int(sys.argv[2])
def dying(function):
    def called(*args, **kwargs):
        global step
        step += 1
        if step == last:
            os.kill(os.getpid(), 9)
        return function(*args, **kwargs)
    return called
for name in ("write_parquet", "write_lines", "write_benchmark", "describe"):
    setattr(layout, name, dying(getattr(layout, name)))
freezing.seal = dying(freezing.seal)
freezing.sync_folder = dying(freezing.sync_folder)
sessions = [make_session(number) for number in range(4)]
from tests.frozen import freeze
freeze(sessions, "1.0.0", __import__("pathlib").Path(sys.argv[1]),
       labels=[make_label(session) for session in sessions], code_version="1", rules_version="1")
"""


@pytest.mark.parametrize("step", [3, 25, 58])
def test_a_killed_freeze_leaves_all_or_nothing(
    make: Callable[..., Session], label: Any, tmp_path: Path, step: int
) -> None:
    folder = tmp_path / "1.0.0"
    command = [sys.executable, "-c", KILLED, str(folder), str(step), str(Path(__file__).parents[1])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (-9, 0), done.stderr
    if folder.exists():
        assert verify_release(folder).ok
    sessions = [make(number) for number in range(4)]
    labels = [label(session) for session in sessions]
    manifest = freeze(sessions, "1.0.0", folder, labels=labels, code_version="1", rules_version="1")
    assert verify_release(folder).ok and manifest.counts["sessions"] == 4
    assert [path.name for path in tmp_path.iterdir()] == ["1.0.0"]
