# ruff: noqa: S608 (names of tables and columns come from wildtool.warehouse.store.tables, values are always bound)
"""Records as rows of the store's tables: what is current, what a filter means, how rows are written."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any

from wildtool.warehouse.store.tables import Table

if TYPE_CHECKING:
    import duckdb
    import pyarrow


def current(table: Table) -> str:
    """The table, or the newest rows of it."""
    if not table.current:
        return table.name
    return (
        f"(SELECT * FROM {table.name} QUALIFY row_number() OVER "
        f"(PARTITION BY {', '.join(table.current)} ORDER BY {table.newest} DESC, seq DESC) = 1)"
    )


def condition(table: Table, where: dict[str, Any]) -> tuple[str, list[Any]]:
    """SQL that continues a WHERE, and the values to bind."""
    parts: list[str] = []
    values: list[Any] = []
    for name, value in where.items():
        if name != "id" and name not in table.columns:
            raise ValueError(f"{table.name} has no column {name}: use one of id, {', '.join(table.columns)}")
        if value is None:
            parts.append(f'AND "{name}" IS NULL')
        elif isinstance(value, Collection) and not isinstance(value, str):
            parts.append(f'AND "{name}" IN (SELECT unnest(?))')
            values.append([_plain(one) for one in value])
        else:
            parts.append(f'AND "{name}" = ?')
            values.append(_plain(value))
    return " ".join(parts), values


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def arrow_rows(table: Table, rows: Sequence[Any]) -> pyarrow.Table:
    """Rows as an Arrow table of id, ordinal, the filter columns and body; of equal ids the last row counts."""
    import pyarrow

    unique = {table.key(row): row for row in rows}
    columns: dict[str, list[Any]] = {"id": list(unique), "ordinal": list(range(len(unique)))}
    for name, take in table.columns.items():
        columns[name] = [_plain(take(row)) for row in unique.values()]
    records = [row[1] if isinstance(row, tuple) else row for row in unique.values()]
    columns["body"] = [record.to_json() for record in records]
    return pyarrow.table(columns)


def insert(connection: duckdb.DuckDBPyConnection, table: Table, rows: pyarrow.Table) -> int:
    """Write rows in the open transaction; how many ids were new."""
    names = ["id", "seq", *table.columns, "body"]
    quoted = ", ".join(f'"{name}"' for name in names)
    taken = ", ".join("nextval('writes')" if name == "seq" else f'i."{name}"' for name in names)
    # What is there already, word for word, is not written again: a second run leaves the file as it was.
    same = "c.id = i.id AND c.body = i.body" if table.replace else "c.id = i.id"
    again = "DO NOTHING"
    if table.replace:
        changes = ", ".join(f'"{name}" = excluded."{name}"' for name in names[1:])
        again = f"DO UPDATE SET {changes} WHERE excluded.{table.newest} >= {table.name}.{table.newest}"
    connection.register("incoming", rows)
    try:
        counted = connection.execute(
            f"SELECT count(*) FROM incoming i WHERE NOT EXISTS (FROM {table.name} c WHERE c.id = i.id)"
        ).fetchone()
        connection.execute(
            f"INSERT INTO {table.name} ({quoted}) SELECT {taken} FROM "
            f"(FROM incoming i WHERE NOT EXISTS (FROM {current(table)} c WHERE {same}) ORDER BY ordinal) i "
            f"ON CONFLICT (id) {again}"
        )
    finally:
        connection.unregister("incoming")
    return int(counted[0]) if counted else 0
