# ruff: noqa: S608 (names of tables come from benchmark.sql)
"""``benchmark.duckdb`` of a release: flat tables and views, the same bytes for the same input."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

FLUSH_ROWS = 20_000
"""Rows of one table that are held before they are written."""

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
        connection.execute((files("warehouse") / "benchmark.sql").read_text(encoding="utf-8"))
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
    """Zero the file's random identifier and mend the header's checksum.

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
