"""The store beside other processes, killed processes, older versions, damaged files and full disks."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from wildtool.schemas.base import Record
from wildtool.schemas.errors import StoreBusyError, StoreError
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Stage
from wildtool.warehouse.store.database import migrate, migrations
from wildtool.warehouse.store.store import Store
from wildtool.warehouse.store.tables import BY_TYPE, TABLES


def bad_row(number: int) -> Quarantined:
    return Quarantined.of(stage=Stage.MINE, step="read", reason="broken_json", line=number, raw="{")


def python(code: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


HOLD = """
import duckdb, sys, time
connection = duckdb.connect(sys.argv[1])
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


def held(path: Path, seconds: float) -> subprocess.Popen[str]:
    process = python(HOLD, path, seconds)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_second_process_waits_then_says_who_holds_the_store(store: Store) -> None:
    store.quarantine([bad_row(1)])
    process = held(store.path, 60)
    try:
        for reader in (False, True):
            start = time.monotonic()
            with pytest.raises(StoreBusyError, match=f"held by process {process.pid}") as caught:
                impatient = Store(store.path, wait=0.5)
                impatient.status() if reader else impatient.quarantine([bad_row(2)])
            assert 0.3 < time.monotonic() - start < 10
            assert "\n" not in str(caught.value)
    finally:
        process.kill()
        process.communicate()
    assert store.quarantine([bad_row(2)]) == 1


def test_a_short_hold_is_waited_out(store: Store) -> None:
    store.quarantine([bad_row(1)])
    process = held(store.path, 1)
    assert Store(store.path, wait=30).status().counts["Quarantined"] == 1
    process.communicate()


WRITE_ON = """
import sys
from wildtool.schemas.quarantine import Quarantined
from wildtool.warehouse.store.store import Store
from wildtool.warehouse.store.tables import BY_TYPE, TABLES
store = Store(sys.argv[1])
for batch in range(1000):
    rows = [Quarantined.of(stage="mine", step="read", reason="r", line=batch * 200 + row, raw="x" * 2000)
            for row in range(200)]
    store.quarantine(rows)
    print(batch, flush=True)
"""


@pytest.mark.e2e  # processes of its own take seconds
def test_status_answers_while_another_process_writes(store: Store) -> None:
    process = python(WRITE_ON, store.path)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        seen = [Store(store.path, wait=30).status().counts["Quarantined"] for _ in range(5)]
        assert process.poll() is None
        assert seen == sorted(seen) and seen[0] >= 200
        assert all(rows % 200 == 0 for rows in seen)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.e2e  # processes of its own take seconds
@pytest.mark.parametrize("pause", [0.03, 0.13])
def test_kill_in_the_middle_of_writing_leaves_whole_batches(store: Store, pause: float) -> None:
    process = python(WRITE_ON, store.path)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(pause)
    os.kill(process.pid, signal.SIGKILL)
    out, _ = process.communicate()
    reported = 1 + len(out.splitlines())
    rows = store.count(Quarantined)
    assert rows % 200 == 0 and rows >= 200 * reported
    assert store.quarantine([bad_row(-1)]) == 1
    assert store.count(Quarantined) == rows + 1


@pytest.mark.parametrize("version", range(1, len(migrations())))
def test_every_earlier_version_is_brought_up_with_its_data(store: Store, sessions: list[Session], version: int) -> None:
    store.path.parent.mkdir(parents=True)
    with duckdb.connect(str(store.path)) as connection:
        migrate(connection, up_to=version)
        for number, session in enumerate(sessions):
            connection.execute(
                "INSERT INTO sessions (id, seq, language, body) VALUES (?, ?, ?, ?)",
                [session.id, number, session.language.value, session.to_json()],
            )
    # Reading is enough to bring it up; what was there stays.
    assert store.status().version == len(migrations())
    assert store.read(Session) == sorted(sessions, key=lambda session: session.id)
    assert store.put(sessions) == 0


def kept_records(version: int) -> list[Record]:
    """Records of every type that the store holds, in the words of the code whose store had this version."""
    path = Path(__file__).with_name(f"records_of_{version}.jsonl")
    kinds = {table.record.__name__: table.record for table in TABLES}
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [kinds[name].model_validate(body) for name, body in rows]


@pytest.mark.parametrize("version", range(1, len(migrations()) + 1))
def test_records_of_every_type_come_through_every_migration(store: Store, version: int) -> None:
    """The bodies are as older code wrote them; columns are filled as that version had them."""
    records = kept_records(2)
    store.path.parent.mkdir(parents=True)
    written: list[Record] = []
    with duckdb.connect(str(store.path)) as connection:
        migrate(connection, up_to=version)
        there = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        for number, record in enumerate(records):
            table = BY_TYPE[type(record)]
            if table.name not in there:
                continue
            columns = [row[0] for row in connection.execute(f"DESCRIBE {table.name}").fetchall()]
            values = {"id": table.key(record), "seq": number, "body": record.to_json()}
            values |= {name: getattr(one := take(record), "value", one) for name, take in table.columns.items()}
            placed = [f'"{name}"' for name in columns]
            connection.execute(
                f"INSERT INTO {table.name} ({', '.join(placed)}) VALUES ({', '.join('?' * len(placed))})",  # noqa: S608
                [values[name] for name in columns],
            )
            written.append(record)
    assert store.status().version == len(migrations())
    for kind in {type(record) for record in records}:
        expected = sorted((BY_TYPE[kind].key(one), one.to_json()) for one in written if type(one) is kind)
        assert sorted((BY_TYPE[kind].key(one), one.to_json()) for one in store.read(kind)) == expected
    assert store.put(written) == 0


def test_a_failed_migration_leaves_the_version_before(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        migrate(connection, up_to=1)
        connection.execute("CREATE TABLE score_reports (clash INTEGER)")
    with pytest.raises(StoreError):
        Store(tmp_path / "x.duckdb").status()
    with duckdb.connect(str(tmp_path / "x.duckdb")) as connection:
        assert connection.execute("SELECT max(version) FROM schema_version").fetchall() == [(1,)]
        assert connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'task_scores'").fetchall() \
            == [(0,)]  # fmt: skip


def test_a_store_of_a_newer_wildtool_is_refused(store: Store) -> None:
    store.quarantine([bad_row(1)])
    with duckdb.connect(str(store.path)) as connection:
        connection.execute("INSERT INTO schema_version VALUES (99, 'future')")
    for use in (store.status, lambda: store.quarantine([bad_row(2)])):
        with pytest.raises(StoreError, match="version 99, newer"):
            use()


def test_files_that_are_no_store(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("shopping list\n" * 1000, encoding="utf-8")
    with pytest.raises(StoreError, match="not a DuckDB file") as caught:
        Store(text).status()
    assert caught.value.exit_code == 2 and "\n" not in str(caught.value)
    with pytest.raises(StoreError):
        Store(text / "warehouse.duckdb").quarantine([bad_row(1)])
    with pytest.raises(StoreError):
        Store(tmp_path).quarantine([bad_row(1)])


def test_a_cut_or_overwritten_file(store: Store) -> None:
    store.quarantine([bad_row(number) for number in range(3000)])
    data = store.path.read_bytes()
    store.path.write_bytes(data[:20_480])
    with pytest.raises(StoreError):
        store.read(Quarantined)
    store.path.write_bytes(data[:12288] + bytes(len(data) - 12288))
    with pytest.raises(StoreError):
        store.read(Quarantined)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="cannot be written"):
            Store(tmp_path / "home" / "warehouse.duckdb").quarantine([bad_row(1)])
    finally:
        tmp_path.chmod(0o700)


FILL = """
import resource, signal, sys
from wildtool.schemas.errors import StoreError
from wildtool.schemas.quarantine import Quarantined
from wildtool.warehouse.store.store import Store
from wildtool.warehouse.store.tables import BY_TYPE, TABLES
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8_000_000, 8_000_000))
store = Store(sys.argv[1])
try:
    for batch in range(100):
        store.quarantine([Quarantined.of(stage="mine", step="read", reason="r", line=batch * 500 + row,
                                         raw=str(hash((batch, row))) * 200) for row in range(500)])
        print(batch, flush=True)
except StoreError as error:
    print("refused:", error, flush=True)
"""


@pytest.mark.e2e  # processes of its own take seconds
def test_a_full_disk_is_told_and_loses_nothing(store: Store) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)
    process = python(FILL, store.path)
    out, err = process.communicate(timeout=120)
    *batches, last = out.splitlines()
    assert last.startswith("refused:"), (last, err[-1000:])
    assert "the disk is full" in last
    assert store.count(Quarantined) >= 500 * len(batches)


CREATE = """
import os, sys
from wildtool.warehouse.store import database, store
step = int(sys.argv[2])
def dying(connection, **more):
    database.migrate(connection, up_to=step)
    os.kill(os.getpid(), 9)
store.migrate = dying
store.Store(sys.argv[1]).set_state("a", 1)
"""


@pytest.mark.e2e  # processes of its own take seconds
@pytest.mark.parametrize("step", range(len(migrations()) + 1))
def test_a_kill_while_the_store_is_made_leaves_none(store: Store, step: int) -> None:
    process = python(CREATE, store.path, step)
    process.communicate()
    assert process.returncode == -signal.SIGKILL and not store.path.exists()
    assert store.quarantine([bad_row(1)]) == 1 and store.status().version == len(migrations())


@pytest.mark.e2e  # processes of its own take seconds
def test_two_processes_make_the_store_at_once(store: Store) -> None:
    code = "import sys\nfrom wildtool.warehouse import Store\nStore(sys.argv[1]).set_state(sys.argv[2], 1)"
    both = [python(code, store.path, name) for name in ("a", "b")]
    for process in both:
        _, err = process.communicate()
        assert process.returncode == 0, err
    assert store.get_state("a") == store.get_state("b") == 1
    assert [path.name for path in store.path.parent.iterdir()] == ["warehouse.duckdb"]


def test_odd_text_is_kept(store: Store) -> None:
    row = Quarantined.of(
        stage=Stage.MINE, step="read", reason="nul\x00l", source="\u2028", raw="\x00\U0001f600 'quoted' \\ud800"
    )
    assert store.quarantine([row]) == 1
    assert store.read(Quarantined, reason="nul\x00l", source="\u2028") == [row]
