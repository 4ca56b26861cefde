# ruff: noqa: S608 (names of tables come from benchmark.sql)
"""``benchmark.duckdb`` of a release: flat tables and views, the same bytes for the same input."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session import Session
from wildtool.warehouse.formats.tabular import session_of_row

if TYPE_CHECKING:
    import duckdb

FLUSH_ROWS = 20_000
"""Rows of one table that are held before they are written."""

READ_BATCH = 500
"""Sessions that are read at once: about 20 MB."""
PAGE = 4096
"""Bytes of the file's main header."""
IDENTIFIER = slice(124, 140)
"""Where DuckDB 2.0 (file version 999) keeps a file's random 16-byte identifier, the only bytes that differ
between two files written by the same statements, besides the header's checksum in its first 8 bytes."""


def write_benchmark(path: Path, tables: Iterable[Mapping[str, list[tuple[Any, ...]]]]) -> dict[str, int]:
    """Write rows, given in portions by table name, to a new file; the number of rows by table.

    One thread and one order, and the random identifier zeroed: the same rows give the same bytes.
    """
    import duckdb

    pending: dict[str, list[tuple[Any, ...]]] = {}
    counts: dict[str, int] = {}
    with duckdb.connect(str(path), config={"threads": "1", "autoinstall_known_extensions": "false"}) as connection:
        connection.execute((files("wildtool.warehouse.formats") / "benchmark.sql").read_text(encoding="utf-8"))
        columns = {
            name: [row[0] for row in connection.execute(f"DESCRIBE {name}").fetchall()]
            for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
        }
        for portion in tables:
            for name, rows in portion.items():
                pending.setdefault(name, []).extend(rows)
                counts[name] = counts.get(name, 0) + len(rows)
                if len(pending[name]) >= FLUSH_ROWS:
                    _append(connection, name, columns[name], pending.pop(name))
        for name in columns:
            _append(connection, name, columns[name], pending.pop(name, []))
        connection.execute("CHECKPOINT")
    _forget_identifier(path)
    return counts


def read_benchmark(path: Path) -> Iterator[Session]:
    """The sessions of a ``benchmark.duckdb``, ordered by id. Raises ``ValueError`` where the file is none."""
    import duckdb

    try:
        with duckdb.connect(str(path), read_only=True, config={"autoinstall_known_extensions": "false"}) as connection:
            ids = [row[0] for row in connection.execute("SELECT id FROM sessions ORDER BY id").fetchall()]
            for start in range(0, len(ids), READ_BATCH):
                yield from _read_batch(connection, ids[start : start + READ_BATCH])
    except (duckdb.Error, KeyError, TypeError) as error:
        raise ValueError(
            f"{path.name} is not the benchmark.duckdb of a release: {str(error).splitlines()[0]}"
        ) from error


def _read_batch(connection: duckdb.DuckDBPyConnection, ids: list[str]) -> Iterator[Session]:
    def rows(table: str, order: str, key: str = "session") -> dict[str, list[dict[str, Any]]]:
        found = connection.execute(
            f"SELECT * FROM {table} WHERE {key} IN (SELECT unnest(?)) ORDER BY {key}, {order}", [ids]
        )
        names = [column[0] for column in found.description or ()]
        by_session: dict[str, list[dict[str, Any]]] = {id: [] for id in ids}
        for values in found.fetchall():
            row = dict(zip(names, values, strict=True))
            by_session[row[key]].append(row)
        return by_session

    sessions, tools, origins = rows("sessions", "id", "id"), rows("tools", "position"), rows("provenance", "session")
    tasks, actions = rows("tasks", "task"), rows("actions", "task, action")
    dependencies = rows("dependencies", "task, action, rowid")
    for id in ids:
        on: dict[tuple[int, int], list[int]] = {}
        for one in dependencies[id]:
            on.setdefault((one["task"], one["action"]), []).append(one["depends_on"])
        for action in actions[id]:
            action["depends_on"] = on.get((action["task"], action["action"]), [])
            if action["kind"] == "ask":
                action["slots"] = json.loads(action["slots"])
        rebuilt = [
            {
                **{name: task[name] for name in ("user", "type", "topology", "alternatives")},
                "hidden_intent": None
                if task["hidden_intent"] is None
                else {
                    "kind": task["hidden_intent"],
                    **{name: task[name] for name in ("device", "piece", "said_in", "distance")},
                },
                "actions": [action for action in actions[id] if action["task"] == task["task"]],
            }
            for task in tasks[id]
        ]
        origin = origins[id][0]
        provenance = {name: origin[name] for name in ("seed", "plan", "draft", "offline", "simulated_labels")}
        provenance |= {name: json.loads(origin[name]) for name in ("labels", "models", "prompts")}
        provenance["imported"] = json.loads(origin["imported"]) if origin["imported"] is not None else None
        yield session_of_row(
            {**sessions[id][0], "tools": tools[id], "tasks": rebuilt, "provenance": canonical_json(provenance)}
        )


def _append(connection: duckdb.DuckDBPyConnection, name: str, columns: list[str], rows: list[tuple[Any, ...]]) -> None:
    import pyarrow

    if not rows:
        return
    table = pyarrow.table(
        {column: list(values) for column, values in zip(columns, zip(*rows, strict=True), strict=True)}
    )
    connection.register("portion", table)
    connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM portion")
    connection.unregister("portion")


def _forget_identifier(path: Path) -> None:
    """Zero the file's random identifier and recompute the header's checksum.

    Where the header is not as expected (a later DuckDB), the file stays as it is: it is right, but another
    run gives another identifier.
    """
    with path.open("r+b") as file:
        header = bytearray(file.read(PAGE))
        if header[8:12] != b"DUCK" or struct.unpack_from("<Q", header)[0] != _checksum(header[8:]):
            return
        header[IDENTIFIER] = bytes(16)
        struct.pack_into("<Q", header, 0, _checksum(header[8:]))
        file.seek(0)
        file.write(header)


def _checksum(block: bytes | bytearray) -> int:
    """DuckDB's checksum of a block whose length is a multiple of 8: its words, multiplied and xored."""
    total = 5381
    for (word,) in struct.iter_unpack("<Q", block):
        total ^= (word * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    return total
