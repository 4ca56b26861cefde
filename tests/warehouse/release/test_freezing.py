"""Freezing: whole or not at all, the same bytes, never again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.frozen import digest_of, freeze
from wildtool.flows.library import verify_release
from wildtool.schemas.errors import FrozenError, GateError, HomeError, InputError
from wildtool.schemas.label import Label
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.session import Session

VERSIONS = {"code_version": "0.1.0", "rules_version": "1"}


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
from tests.frozen import digest_of, freeze
sessions = [make_session(number, language) for language in Language for number in range(12)]
labels = [make_label(session) for session in sessions] + [make_label(session, "ann-2") for session in sessions]
freeze(sessions, "0.1.0", Path(sys.argv[2]), labels=labels, code_version="0.1.0", rules_version="1")
"""


@pytest.mark.e2e  # a process of its own takes seconds
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


@pytest.mark.e2e  # a process of its own takes seconds
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


@pytest.mark.e2e  # a process of its own takes seconds
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
from tests.frozen import digest_of, freeze
freeze(sessions, "1.0.0", __import__("pathlib").Path(sys.argv[1]),
       labels=[make_label(session) for session in sessions], code_version="1", rules_version="1")
"""


@pytest.mark.e2e  # a process of its own takes seconds
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


# Versions, names


@pytest.mark.parametrize("version", ["1.0", "1.0.0.0", "v1.0.0", "1.0.0-", "1.0.0 ", "", "1.0.0\n", "1.0.0+x"])
def test_versions_are_semantic(sessions: list[Session], tmp_path: Path, version: str) -> None:
    with pytest.raises(InputError, match="semantic version"):
        freeze(sessions, version, tmp_path / "r", **VERSIONS)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "1x", "_x", "a/b", "a" * 81, "x\n", "../x"])
def test_names_are_plain(sessions: list[Session], tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="name"):
        freeze(sessions, "1.0.0", tmp_path / "r", name=name, **VERSIONS)


# Folders


def test_nothing_is_left_beside_the_release(make: Callable[..., Session], label: Any, tmp_path: Path) -> None:
    sessions = [make(1), make(2)]
    leftover = tmp_path / "deep" / ".1.0.0.freezing"
    leftover.mkdir(parents=True)
    (leftover / "junk").write_text("of a killed freeze", encoding="utf-8")
    folder = tmp_path / "deep" / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=[label(one) for one in sessions], **VERSIONS)
    assert [path.name for path in folder.parent.iterdir()] == ["1.0.0"] and not (folder / "junk").exists()
    assert all(path.stat().st_mode & 0o222 == 0 for path in folder.rglob("*") if path.is_file())
    assert verify_release(folder).ok


def test_a_frozen_folder_that_differs_names_the_first_files(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    sessions = [make(1), make(2)]
    labels = [label(one) for one in sessions]
    folder = tmp_path / "1.0.0"
    freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "README.md").chmod(0o644)
    (folder / "README.md").write_text("changed", encoding="utf-8")
    with pytest.raises(FrozenError, match=r"differs in README\.md \("):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "a.txt").write_text("added", encoding="utf-8")
    (folder / "sessions.jsonl").unlink()
    with pytest.raises(FrozenError, match=r"differs in README\.md, a\.txt, sessions\.jsonl \("):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)
    (folder / "b.txt").write_text("added", encoding="utf-8")
    with pytest.raises(FrozenError, match=r"differs in README\.md, a\.txt, b\.txt and 1 more files"):
        freeze(sessions, "1.0.0", folder, labels=labels, **VERSIONS)


def test_a_folder_that_cannot_be_written_is_the_disk_s_fault(
    make: Callable[..., Session], label: Any, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(HomeError, match="cannot be written"):
        freeze([make(1)], "1.0.0", tmp_path / "file" / "r", labels=[label(make(1))], **VERSIONS)
