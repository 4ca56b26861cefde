"""Processes killed at random moments while they write the store, back it up, restore it, or freeze a release."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.frozen import freeze
from tests.warehouse.conftest import accepted, make_session
from wildtool.flows.library import verify_release
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Session
from wildtool.warehouse import Store

pytestmark = pytest.mark.e2e

KILLS = 12
BATCH = 40

STORE = """
import sys
from pathlib import Path
from wildtool.schemas.quarantine import Quarantined
from tests.warehouse.conftest import make_session
from wildtool.warehouse import Store
path, start, batch = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
store = Store(path, wait=30)
for round in range(start, start + 1000):
    # Sessions and what they replace in one write; then rows, a mark, a copy, and the copy put back.
    store.put([make_session(round * batch + row) for row in range(batch)])
    lines = range(round * batch, round * batch + batch)
    store.quarantine([Quarantined.of(stage="mine", step="read", reason="r", line=line, raw="x" * 500) for line in lines])
    store.set_state("round", round)
    copy = path.with_name(f"copy{round}.duckdb")
    store.backup(copy)
    store.restore(copy)
    print(round, flush=True)
"""

FREEZE = """
import sys
from pathlib import Path
from tests.warehouse.conftest import accepted, make_session
from tests.frozen import freeze
sessions = [make_session(number) for number in range(40)]
labels = accepted(sessions)
print("ready", flush=True)
freeze(sessions, "1.0.0", Path(sys.argv[1]), labels=labels, code_version="1", rules_version="1")
"""


def started(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )


def test_a_store_killed_at_any_moment_holds_whole_writes(tmp_path: Path) -> None:
    random = Random(1)
    store = Store(tmp_path / "warehouse.duckdb", wait=30)
    following = rounds = 0
    for _ in range(KILLS):
        process = started(STORE, store.path, following, BATCH)
        assert process.stdout is not None
        told = [process.stdout.readline()]  # imports and the first round are over
        time.sleep(random.uniform(0, 1.5))
        process.send_signal(signal.SIGKILL)
        out, error = process.communicate()
        assert process.returncode == -signal.SIGKILL, error
        told += out.splitlines()
        last = int(told[-1])
        sessions, rows = store.count(Session), store.count(Quarantined)
        assert sessions % BATCH == rows % BATCH == 0
        # All that was told as done is there, and at most the round after it is there in part.
        assert (last + 1) * BATCH <= rows <= sessions <= (last + 2) * BATCH
        assert store.get_state("round") in (last, last + 1)
        for copy in tmp_path.glob("copy*.duckdb"):
            assert Store(copy).count(Session) % BATCH == 0
            copy.unlink()
        rounds += last + 1 - following
        following = last + 1
    assert rounds >= KILLS and all(session.tasks for session in store.iterate(Session))


def test_a_freeze_killed_at_any_moment_leaves_all_or_nothing(tmp_path: Path) -> None:
    sessions = [make_session(number) for number in range(40)]
    start = time.monotonic()
    freeze(sessions, "1.0.0", tmp_path / "whole", labels=accepted(sessions), code_version="1", rules_version="1")
    whole = time.monotonic() - start
    random, killed = Random(2), 0
    folder = tmp_path / "r" / "1.0.0"
    for _ in range(KILLS):
        process = started(FREEZE, folder)
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(random.uniform(0, whole))
        process.send_signal(signal.SIGKILL)
        _, error = process.communicate()
        assert process.returncode in (-signal.SIGKILL, 0), error
        killed += not folder.exists()
        assert not folder.exists() or verify_release(folder).ok
    assert killed
    manifest = freeze(sessions, "1.0.0", folder, labels=accepted(sessions), code_version="1", rules_version="1")
    assert verify_release(folder).ok and [path.name for path in folder.parent.iterdir()] == ["1.0.0"]
    assert manifest.files == json_files(tmp_path / "whole")


def json_files(folder: Path) -> tuple[object, ...]:
    from wildtool.schemas.release import ReleaseManifest

    return ReleaseManifest.model_validate(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))).files


def wildtool(home: Path, *words: object) -> subprocess.CompletedProcess[str]:
    code = "import sys; from wildtool.flows.cli import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, words), "--home", str(home)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"WILDTOOL_STORE_WAIT_SECONDS": "1"},
    )


def test_a_second_command_that_writes_is_refused_in_one_line(tmp_path: Path) -> None:
    store = Store(tmp_path / "warehouse.duckdb")
    store.put([make_session(1)])
    hold = "import duckdb, sys, time\nkept = duckdb.connect(sys.argv[1])\nprint('held', flush=True)\ntime.sleep(120)"
    process = started(hold, store.path)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    try:
        (tmp_path / "one.jsonl").write_text(f"{make_session(2).to_json()}\n", encoding="utf-8")
        done = wildtool(tmp_path, "release", "import", tmp_path / "one.jsonl", "-q")
    finally:
        process.kill()
        process.communicate()
    cause, remedy = done.stderr.strip().splitlines()
    assert done.returncode in (1, 2) and f"held by process {process.pid}" in cause and remedy.startswith("remedy: ")
    assert store.count(Session) == 1


def test_backup_and_restore_as_commands(tmp_path: Path) -> None:
    store = Store(tmp_path / "warehouse.duckdb")
    store.put([make_session(number) for number in range(3)])
    copy = tmp_path / "copy.duckdb"
    assert wildtool(tmp_path, "backup", copy).returncode == 0
    assert wildtool(tmp_path, "backup", copy).returncode != 0  # never over an older one
    store.put([make_session(9)])
    restored = json.loads(wildtool(tmp_path, "restore", copy, "--json").stdout)
    assert store.count(Session) == 3 and Store(Path(restored["kept"])).count(Session) == 4
