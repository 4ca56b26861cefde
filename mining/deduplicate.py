"""Exact and near duplicates: the representative stays and remembers how many it stands for.

Exact copies are found by digest, near ones by MinHash bands whose pairs are verified by Jaccard, both in DuckDB, which
takes to disk where memory ends. What a worker does for it (digest, shingles, sketches) is at the top, the comparison below.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wildtool.language.folding import caseless
from wildtool.schemas.base import canonical_json
from wildtool.schemas.conversation import Message

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

SHINGLE = 5
"""Characters a shingle: works for Chinese and English alike, and a typo breaks five shingles only."""

BANDS = 20
ROWS = 6
PERMUTATIONS = BANDS * ROWS
"""20 bands of 6 rows: a pair of Jaccard .8 is a candidate with 99.8 %, one of .5 with 27 %."""

THRESHOLD = 0.8
"""Jaccard from which two conversations are one: paraphrases lie below .5, copies with edited details above .85."""

SKETCH_THRESHOLD = 0.65
"""Agreement of sketches below which a pair is not worth verifying: four standard deviations below ``THRESHOLD``."""

FEWEST_SHINGLES = 20
"""Shorter texts ("hello", "谢谢") are compared exactly only: they are alike without being copies."""

MOST_CHARACTERS = 20_000
"""Characters of the user that are compared: bounds what one long conversation costs."""

HEADS = 4
"""Of the rows that share a band each is compared with the first few: all pairs would cost the square of a template."""

MOST_TRIED = 16
"""Candidates tried per row, those that share most bands first."""

SEED = 7
"""Of the permutations; they decide only which pairs are verified."""

_FACTORS = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F],
    dtype=np.uint64,
)
"""Odd constants of 64 bits that spread the characters of a shingle."""


def exact_digest(messages: Sequence[Message]) -> bytes:
    """16 bytes, equal for conversations whose roles and texts are equal up to case and blanks."""
    whole = "\x1e".join(f"{message.role}\x1f{message.content}" for message in messages)
    return blake2b(normal(whole).encode("utf-8", "surrogatepass"), digest_size=16).digest()


normal = caseless
"""Text in which case and blanks are one; digests of earlier versions are made of it."""


def shingles(text: str) -> NDArray[np.uint64]:
    """Hashes of the distinct shingles of a normal text, sorted."""
    signs = np.frombuffer(text[:MOST_CHARACTERS].encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    count = len(signs) - SHINGLE + 1
    if count < 1:
        return np.zeros(0, dtype=np.uint64)
    hashed = signs[:count] * _FACTORS[0]
    for place in range(1, SHINGLE):
        hashed = (hashed ^ (hashed >> np.uint64(29))) + signs[place : place + count] * _FACTORS[place]
    hashed.sort()
    different = np.empty(count, dtype=bool)
    different[0] = True
    np.not_equal(hashed[1:], hashed[:-1], out=different[1:])
    distinct: NDArray[np.uint64] = hashed[different]
    return distinct


@dataclass(frozen=True, slots=True)
class Sketches:
    """MinHash of many texts."""

    values: NDArray[np.uint16]
    """Shape (texts, PERMUTATIONS): the low 16 bits of each minimum, enough to see whether two are equal."""
    bands: NDArray[np.uint64]
    """Shape (texts, BANDS): equal keys make a candidate pair."""


def sketches(sets: Sequence[NDArray[np.uint64]]) -> Sketches:
    """Sketches of sets of shingles, which rensa computes for all at once."""
    import rensa

    if not sets:
        return Sketches(np.zeros((0, PERMUTATIONS), np.uint16), np.zeros((0, BANDS), np.uint64))
    offsets = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(one) for one in sets], out=offsets[1:])
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(np.concatenate(sets), offsets, PERMUTATIONS, SEED)
    minima = np.array(matrix.to_rows(), dtype=np.uint64).reshape(len(sets), BANDS, ROWS)
    keys = np.zeros((len(sets), BANDS), dtype=np.uint64)
    for place in range(ROWS):
        keys = (keys ^ (keys >> np.uint64(31))) * _FACTORS[0] + minima[:, :, place] * _FACTORS[1]
    return Sketches((minima & np.uint64(0xFFFF)).astype("<u2").reshape(len(sets), PERMUTATIONS), keys)


def jaccard(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> float:
    """Shared over all, of two sorted sets; 0 where nothing is shared."""
    shared = len(np.intersect1d(left, right, assume_unique=True))
    return shared / (len(left) + len(right) - shared) if shared else 0.0


@dataclass(frozen=True, slots=True)
class Fold:
    """Which rows stand behind which."""

    row: NDArray[np.int64]
    """Rows that are copies, ascending."""
    of: NDArray[np.int64]
    """The representative of each: an earlier row that is not itself a copy."""
    exact: NDArray[np.bool_]
    """Equal up to case and blanks, or only nearly."""

    def copies(self) -> dict[int, int]:
        """For how many rows each representative stands, itself included, by row."""
        rows, counts = np.unique(self.of, return_counts=True)
        return dict(zip(rows.tolist(), (counts + 1).tolist(), strict=True))


def with_copies(table: pa.Table, copies: dict[int, int]) -> pa.Table:
    """A table of ``row`` and ``behaviour`` (JSON) whose behaviours say for how many conversations theirs stand."""
    rows = table["row"].to_pylist()
    places = [place for place, row in enumerate(rows) if row in copies]
    if not places:
        return table
    import pyarrow as pa

    bodies = table["behaviour"].to_pylist()
    for place in places:
        bodies[place] = canonical_json(json.loads(bodies[place]) | {"copies": copies[rows[place]]})
    return table.set_column(table.column_names.index("behaviour"), "behaviour", pa.array(bodies, pa.string()))


MEMORY = "400MB"
"""What DuckDB may take before it goes to disk."""


def connect(scratch: Path) -> duckdb.DuckDBPyConnection:
    """A database in memory that spills into a folder."""
    import duckdb

    return duckdb.connect(
        ":memory:",
        config={
            "memory_limit": MEMORY,
            "temp_directory": str(scratch),
            "threads": "2",
            "preserve_insertion_order": "false",
            "autoinstall_known_extensions": "false",
        },
    )


def fold(files: Sequence[Path], rows: int, *, scratch: Path) -> Fold:
    """Representatives of all rows that were kept so far.

    A row folds into the earliest row that is a representative, shares a band with it, and whose verified Jaccard
    reaches ``THRESHOLD``. So no chain of small steps folds what is far apart. Memory: 17 bytes a row and ``MEMORY``.

    Args:
        files: Parquet files with ``row``, ``exact``, ``text``, ``sketch`` and ``band_0`` and on; ``exact`` is null in
            rows that take no part, ``sketch`` in those that are compared exactly only.
        rows: number of rows in all.
        scratch: folder for what does not fit in memory.
    """
    if not files:
        empty = np.zeros(0, dtype=np.int64)
        return Fold(empty, empty, np.zeros(0, dtype=bool))
    with connect(scratch) as base:
        base.execute("CREATE VIEW spool AS SELECT * FROM read_parquet(?)".replace("?", _list(files)))
        base.execute(
            "CREATE TABLE copies AS SELECT row, first FROM (SELECT row, min(row) OVER (PARTITION BY exact) AS first "
            "FROM spool WHERE exact IS NOT NULL) WHERE row <> first"
        )
        first = base.execute("SELECT row, first FROM copies").fetchnumpy()
        representative: NDArray[np.int64] = np.arange(rows, dtype=np.int64)
        representative[first["row"]] = first["first"]
        exact = np.zeros(rows, dtype=bool)
        exact[first["row"]] = True
        for row, head in _near(base):
            if representative[row] == row and representative[head] == head:
                representative[row] = head
    # An exact copy of what became a near copy stands behind the same one.
    representative = representative[representative]
    copies = np.flatnonzero(representative != np.arange(rows))
    return Fold(copies, representative[copies], exact[copies])


def _near(base: duckdb.DuckDBPyConnection) -> Iterator[tuple[int, int]]:
    """Verified pairs (row, earlier row), ascending. Sixteen bytes each: a log of one template has many times its rows."""
    base.execute("CREATE TABLE candidates (row BIGINT, head BIGINT)")
    base.execute(
        "CREATE VIEW compared AS SELECT * FROM spool WHERE sketch IS NOT NULL AND row NOT IN (SELECT row FROM copies)"
    )
    for band in range(BANDS):
        base.execute(
            f"""INSERT INTO candidates
            WITH members AS (SELECT row, band_{band} AS key FROM compared),
                 heads AS (SELECT key, min(row, {HEADS}) AS heads FROM members GROUP BY key HAVING count(*) > 1)
            SELECT row, head FROM (SELECT m.row, unnest(h.heads) AS head FROM members m JOIN heads h USING (key))
            WHERE head < row"""  # noqa: S608 - numbers of ours
        )
    base.execute(
        f"""CREATE TABLE pairs AS SELECT row, head FROM candidates GROUP BY row, head
        QUALIFY row_number() OVER (PARTITION BY row ORDER BY count(*) DESC, head) <= {MOST_TRIED}"""  # noqa: S608
    )
    base.execute("DROP TABLE candidates")
    base.execute("CREATE TABLE alike (row BIGINT, head BIGINT)")
    for batch in _batches(base, "sketch", "pairs"):
        agree = _sketch_agreement(batch["one"], batch["other"])
        chosen = np.flatnonzero(agree >= SKETCH_THRESHOLD)
        _append(base, "alike", batch["row"][chosen], batch["head"][chosen])
    base.execute("CREATE TABLE verified (row BIGINT, head BIGINT)")
    for batch in _batches(base, "text", "alike"):
        known: dict[str, NDArray[np.uint64]] = {}
        chosen = np.zeros(len(batch["row"]), dtype=bool)
        for place, (one, other) in enumerate(zip(batch["one"], batch["other"], strict=True)):
            left, right = (
                known.setdefault(text, shingles(text)) if text not in known else known[text] for text in (one, other)
            )
            chosen[place] = jaccard(left, right) >= THRESHOLD
        _append(base, "verified", batch["row"][chosen], batch["head"][chosen])
    reader = base.sql("SELECT row, head FROM verified ORDER BY row, head").to_arrow_reader(BATCH)
    for found in reader:
        yield from zip(found.column(0).to_pylist(), found.column(1).to_pylist(), strict=True)


def _batches(base: duckdb.DuckDBPyConnection, column: str, pairs: str) -> Iterator[dict[str, Any]]:
    """Pairs with a column of both rows, some thousand at a time."""
    reader = base.cursor().sql(
        f"""SELECT p.row, p.head, a.{column} AS one, b.{column} AS other FROM {pairs} p
        JOIN spool a ON a.row = p.row JOIN spool b ON b.row = p.head"""  # noqa: S608
    )
    for batch in reader.to_arrow_reader(BATCH):
        yield {
            "row": batch.column(0).to_numpy(),
            "head": batch.column(1).to_numpy(),
            "one": batch.column(2).to_pylist(),
            "other": batch.column(3).to_pylist(),
        }


BATCH = 2_000
"""Pairs held at once: of the longest texts 80 MB."""


def _append(base: duckdb.DuckDBPyConnection, table: str, row: NDArray[np.int64], head: NDArray[np.int64]) -> None:
    import pyarrow as pa

    found = pa.table({"row": row, "head": head})
    base.register("found", found)
    base.execute(f"INSERT INTO {table} SELECT row, head FROM found")  # noqa: S608
    base.unregister("found")


def _sketch_agreement(one: list[bytes], other: list[bytes]) -> NDArray[np.float64]:
    left, right = (np.frombuffer(b"".join(side), dtype="<u2").reshape(len(side), PERMUTATIONS) for side in (one, other))
    agreement: NDArray[np.float64] = (left == right).mean(axis=1)
    return agreement


def _list(files: Sequence[Path]) -> str:
    return "[" + ", ".join("'" + str(file).replace("'", "''") + "'" for file in files) + "]"
