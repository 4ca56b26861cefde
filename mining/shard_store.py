"""Keep processed shards on disk during a run, so that memory stays flat and a killed run can resume."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

NAME = "shard-{:06d}.parquet"


class Spool:
    """A folder with one Parquet file a shard. A file is there whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for unfinished in folder.glob(".*.new"):
            unfinished.unlink()

    @classmethod
    def temporary(cls) -> Spool:
        """Return a temporary spool; its folder is removed with the last reference to it."""
        spool = cls(Path(tempfile.mkdtemp(prefix="wildtool-mining-")))
        weakref.finalize(spool, shutil.rmtree, spool.folder, ignore_errors=True)
        return spool

    @property
    def scratch(self) -> Path:
        """Where a database may spill."""
        path = self.folder / "scratch"
        path.mkdir(mode=0o700, exist_ok=True)
        return path

    def has(self, shard: int) -> bool:
        """Whether this shard was processed before."""
        return self.path(shard).exists()

    def path(self, shard: int) -> Path:
        """File of a shard."""
        return self.folder / NAME.format(shard)

    def put(self, shard: int, table: pa.Table) -> None:
        """Write a shard."""
        import pyarrow.parquet as pq

        unfinished = self.folder / f".{os.getpid()}-{NAME.format(shard)}.new"
        pq.write_table(table, unfinished, compression="zstd", compression_level=1)
        unfinished.replace(self.path(shard))

    def tables(self, files: Sequence[Path], columns: Sequence[str]) -> Iterator[pa.Table]:
        """Some columns of each shard, in order, one shard in memory at a time."""
        import pyarrow.parquet as pq

        for file in files:
            yield pq.read_table(file, columns=list(columns), memory_map=False)
