"""``worlds.parquet`` of a release: the world of each session, with the rows that its gold saw."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session_world import FrozenRows, FrozenWorld, SessionWorld

if TYPE_CHECKING:
    import pyarrow

WORLDS = "worlds.parquet"
"""Path within a release; a release whose sessions have no world lacks it."""

ROW_GROUP = 100
"""Worlds a row group: about 5 MB."""


def arrow_schema(canary: str) -> pyarrow.Schema:
    """Columns of the file; what varies is JSON text."""
    import pyarrow as pa

    columns = [(name, pa.string()) for name in ("session", "spec", "demands", "rows", "canary")]
    return pa.schema([*columns, ("seed", pa.int64())], metadata={"canary": canary})


def write_worlds(worlds: Iterable[FrozenWorld], path: Path, canary: str) -> None:
    """Write worlds, ordered by session. The same worlds give the same bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = arrow_schema(canary)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        batch: list[dict[str, Any]] = []
        for each in sorted(worlds, key=lambda one: one.session):
            batch.append(_row(each, canary))
            if len(batch) == ROW_GROUP:
                writer.write_table(pa.Table.from_pylist(batch, schema=schema))
                batch = []
        writer.write_table(pa.Table.from_pylist(batch, schema=schema))


def _row(frozen: FrozenWorld, canary: str) -> dict[str, Any]:
    dumped = frozen.world.model_dump(mode="json")
    return {
        "session": frozen.session,
        "spec": canonical_json(dumped["spec"]),
        "demands": canonical_json(dumped["demands"]),
        "rows": canonical_json([each.model_dump(mode="json") for each in frozen.rows]),
        "canary": canary,
        "seed": frozen.world.seed,
    }


def read_worlds(path: Path) -> Iterator[FrozenWorld]:
    """Read the worlds of a release. Raises ``ValueError`` where a row is not what ``write_worlds`` writes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=ROW_GROUP):
                for row in batch.to_pylist():
                    yield _world(row)
    except (pa.ArrowException, KeyError, TypeError) as error:
        raise ValueError(f"{path.name} holds no worlds: {str(error).splitlines()[0]}") from error


def _world(row: Mapping[str, Any]) -> FrozenWorld:
    world = {"spec": json.loads(row["spec"]), "seed": row["seed"], "demands": json.loads(row["demands"])}
    rows = tuple(FrozenRows.model_validate(each) for each in json.loads(row["rows"]))
    return FrozenWorld(session=row["session"], world=SessionWorld.model_validate(world), rows=rows)


def database_rows(frozen: FrozenWorld) -> dict[str, list[tuple[Any, ...]]]:
    """Return a world as rows of ``benchmark.duckdb``."""
    spec = frozen.world.spec
    return {
        "worlds": [(frozen.session, spec.id, frozen.world.seed, spec.made_by)],
        "world_operations": [
            (frozen.session, name, str(each.op), each.table, each.certainty, each.reason)
            for name, each in sorted(spec.tools.items())
        ],
        "world_rows": [
            (frozen.session, each.table, each.occasion, position, canonical_json(row))
            for each in frozen.rows
            for position, row in enumerate(each.rows)
        ],
    }
