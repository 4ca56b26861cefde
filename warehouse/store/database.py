"""Open the DuckDB file: late, waiting for other processes, with errors that people can act on."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.schemas.errors import StoreBusyError, StoreError

if TYPE_CHECKING:
    import duckdb

FIRST_PAUSE = 0.01
"""Seconds before the second try: a writer's opening takes some tens of milliseconds."""
LONGEST_PAUSE = 0.25
"""Seconds between later tries."""

_ONE_AT_A_TIME = threading.RLock()
"""Within a process DuckDB would let two threads write at once, and their transactions would conflict."""


def migrations() -> list[tuple[int, str, str]]:
    """All migrations as (number, name, SQL), in order; numbers run from 1 without gaps."""
    folder = files("wildtool.warehouse.store") / "migrations"
    found = sorted(
        (entry.name, entry.read_text(encoding="utf-8")) for entry in folder.iterdir() if entry.name.endswith(".sql")
    )
    numbered = [(int(name.split("_")[0]), name, sql) for name, sql in found]
    assert [number for number, _, _ in numbered] == list(range(1, len(numbered) + 1)), "migrations have gaps"
    return numbered


def migrate(connection: duckdb.DuckDBPyConnection, *, up_to: int | None = None) -> int:
    """Bring an open database to the newest version (or ``up_to``), each step a transaction; the version reached.

    Raises ``StoreError`` where the file is of a newer version than this code knows.
    """
    connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, name VARCHAR)")
    version = version_of(connection)
    known = migrations()
    if version > len(known):
        raise StoreError(
            f"the warehouse has version {version}, newer than the {len(known)} that this wildtool knows",
            "install the wildtool that wrote it, or a newer one",
        )
    for number, name, sql in known[version : up_to if up_to is not None else len(known)]:
        connection.execute("BEGIN")
        connection.execute(sql)
        connection.execute("INSERT INTO schema_version VALUES (?, ?)", [number, name])
        connection.execute("COMMIT")
        version = number
    return version


def version_of(connection: duckdb.DuckDBPyConnection) -> int:
    """Number of the last migration that the open database has had; 0 for an empty one."""
    known = connection.execute("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'schema_version'").fetchone()
    if known is None or known[0] == 0:
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM schema_version").fetchone()
    return int(row[0]) if row else 0


@contextmanager
def opened(
    path: Path, *, read_only: bool, wait: float, memory_limit: str, threads: int
) -> Iterator[duckdb.DuckDBPyConnection]:
    """An open connection that is closed at the end of the block; errors of DuckDB become ``StoreError``.

    Waits up to ``wait`` seconds for the file, then raises ``StoreBusyError`` naming the process that holds it.
    """
    import duckdb

    if not _ONE_AT_A_TIME.acquire(timeout=wait):
        raise _busy(path, "", wait)
    try:
        connection = _connect(path, read_only=read_only, wait=wait, memory_limit=memory_limit, threads=threads)
        try:
            yield connection
        finally:
            connection.close()
    except duckdb.Error as error:
        raise store_error(error, path) from error
    finally:
        _ONE_AT_A_TIME.release()


def _connect(path: Path, *, read_only: bool, wait: float, memory_limit: str, threads: int) -> duckdb.DuckDBPyConnection:
    import duckdb

    deadline = time.monotonic() + wait
    pause = FIRST_PAUSE
    while True:
        try:
            return duckdb.connect(
                str(path),
                read_only=read_only,
                config={
                    "autoinstall_known_extensions": "false",
                    "autoload_known_extensions": "false",
                    "memory_limit": memory_limit,
                    "threads": str(threads),
                },
            )
        except (duckdb.Error, OSError) as error:
            if not _is_busy(error):
                raise store_error(error, path) from error
            if time.monotonic() + pause > deadline:
                raise _busy(path, str(error), wait) from error
            time.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)


def _is_busy(error: Exception) -> bool:
    text = str(error)
    # Within one process DuckDB refuses to open a file for reading while it is open for writing.
    return "lock on file" in text or "different configuration" in text or "Unique file handle conflict" in text


def _busy(path: Path, text: str, wait: float) -> StoreBusyError:
    found = re.search(r"\(PID (\d+)\)", text)
    holder = f"process {found[1]}" if found else "another part of this process"
    return StoreBusyError(
        f"the warehouse {path} is held by {holder}, still after {wait:g} s",
        "wait until that process ends, or stop it, then run the same command again",
    )


def store_error(error: Exception, path: Path) -> StoreError:
    """What DuckDB or the system said, as a cause and a remedy."""
    text = str(error)
    line = text.splitlines()[0] if text else type(error).__name__
    lower = text.lower()
    if "no space left" in lower or "disk quota" in lower or "file too large" in lower or "out of disk" in lower:
        return StoreError(f"the disk is full: {path} could not be written", "free some space, then run it again")
    if "out of memory" in lower:
        return StoreError(f"the warehouse {path} needs more memory: {line}", "raise the store's memory_limit")
    if "not a valid duckdb database" in lower:
        return StoreError(
            f"{path} is not a DuckDB file",
            "restore a backup (wildtool restore BACKUP), or name another --home",
        )
    if any(word in lower for word in ("corrupt", "checksum", "deserializ", "serialization", "invalidated")):
        return StoreError(
            f"the warehouse {path} is damaged: {line}",
            "restore a backup (wildtool restore BACKUP), or name another --home",
        )
    if "version" in lower and "newer" in lower:
        return StoreError(f"the warehouse {path} was written by a newer DuckDB: {line}", "upgrade duckdb")
    if any(
        word in lower
        for word in (
            "permission denied",
            "read-only",
            "not permitted",
            "no such file",
            "not a directory",
            "is a directory",
        )
    ):
        return StoreError(f"the warehouse {path} cannot be written", "make the folder writable, or name another --home")
    return StoreError(
        f"the warehouse {path} cannot be used: {line}",
        "restore a backup (wildtool restore BACKUP), or name another --home",
    )
