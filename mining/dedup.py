"""Duplicates: exact ones by digest in DuckDB, near ones by MinHash bands with every candidate verified by Jaccard."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SHINGLE = 3
"""Tokens in a shingle. A token is a word or one Han sign."""

PERMUTATIONS = 96
BANDS = 16
ROWS = PERMUTATIONS // BANDS
"""16 bands of 6: a pair of Jaccard .8 is a candidate with 99.2 %, one of .5 with 22 %."""

THRESHOLD = 0.8
"""Jaccard of shingles from which on two conversations say the same. Below it templated dialogues, which differ only
in what was ordered, would fold."""

FEWEST_SHINGLES = 8
"""Shorter conversations fold only when equal: on them one word moves Jaccard by more than a tenth."""

MOST_SHINGLES = 20_000
"""Shingles of a conversation that count (about 100 kB of text): bounds the cost of 10 MB messages."""

MINHASH_SEED = 7
TOKEN = re.compile(r"[^\W_\u3400-\u9fff]+|[\u3400-\u9fff]")
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)
"""Odd constants of 64 bits (those of xxHash) that spread the CRCs of a shingle's tokens."""

_CRC: dict[str, int] = {}
_CRC_LIMIT = 200_000


def exact_digest(texts: Sequence[tuple[str, str]]) -> bytes:
    """16 bytes that are equal for conversations whose roles and texts are, but for case and blanks."""
    digest = blake2b(digest_size=16)
    for role, text in texts:
        digest.update(f"{role}\x1f{' '.join(text.casefold().split())}\x1e".encode("utf-8", "surrogatepass"))
    return digest.digest()


def shingles(texts: Sequence[tuple[str, str]]) -> NDArray[np.uint64]:
    """Hashes of the distinct shingles of a conversation, sorted."""
    if len(_CRC) > _CRC_LIMIT:
        _CRC.clear()
    crcs: list[int] = []
    for _, text in texts:
        for token in TOKEN.findall(text.casefold()):
            value = _CRC.get(token)
            if value is None:
                value = _CRC[token] = crc32(token.encode("utf-8", "surrogatepass"))
            crcs.append(value)
        if len(crcs) > MOST_SHINGLES:
            break
    if len(crcs) < SHINGLE:
        return np.array(sorted(set(crcs)), dtype=np.uint64)
    tokens = np.array(crcs[:MOST_SHINGLES], dtype=np.uint64) + np.uint64(1)
    count = len(tokens) - SHINGLE + 1
    hashed = tokens[:count] * _FACTORS[0]
    for place in range(1, SHINGLE):
        hashed = (hashed ^ (hashed >> np.uint64(29))) + tokens[place : place + count] * _FACTORS[place]
    return np.unique(hashed)


def band_keys(sets: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Keys of the bands of each set's MinHash (rensa), shape (sets, BANDS). Equal keys make a candidate pair."""
    import rensa

    if not sets:
        return np.zeros((0, BANDS), dtype=np.uint64)
    offsets = np.zeros(len(sets) + 1, dtype=np.uint64)
    np.cumsum([len(one) for one in sets], out=offsets[1:])
    matrix = rensa.RMinHash.digest_matrix_from_flat_token_hashes(
        np.concatenate(sets), offsets, PERMUTATIONS, MINHASH_SEED
    )
    rows = np.array(matrix.to_rows(), dtype=np.uint64).reshape(len(sets), BANDS, ROWS)
    keys = np.zeros((len(sets), BANDS), dtype=np.uint64)
    for place in range(ROWS):
        keys = (keys ^ (keys >> np.uint64(31))) * _FACTORS[0] + rows[:, :, place] * _FACTORS[1]
    return keys


def jaccard(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> float:
    """Jaccard similarity of two sorted sets of hashes; 1 for two empty ones."""
    if not len(one) and not len(other):
        return 1.0
    shared = len(np.intersect1d(one, other, assume_unique=True))
    return shared / (len(one) + len(other) - shared)


def fold_exact(digests: Sequence[bytes]) -> NDArray[np.int64]:
    """Index of each row's representative: the first row with the same digest. DuckDB spills to disk where it must."""
    if not digests:
        return np.zeros(0, dtype=np.int64)
    import duckdb
    import pyarrow as pa

    table = pa.table(
        {"row": pa.array(range(len(digests)), type=pa.int64()), "digest": pa.array(digests, type=pa.binary(16))}
    )
    with duckdb.connect(":memory:", config={"memory_limit": "512MB", "autoinstall_known_extensions": "false"}) as base:
        base.register("seen", table)
        found = base.execute("select min(row) over (partition by digest) as first from seen order by row").fetchnumpy()
    return np.asarray(found["first"], dtype=np.int64)


def fold_near(
    keys: NDArray[np.uint64], rows: NDArray[np.int64], shingles_of: Callable[[int], NDArray[np.uint64]]
) -> tuple[NDArray[np.int64], dict[int, float]]:
    """Index of each row's representative among near duplicates, and the Jaccard with it of each folded row.

    A row folds into the earliest row that shares a band with it, is a representative itself, and whose verified
    Jaccard reaches ``THRESHOLD``. So no chain of small steps folds what is far apart.

    Args:
        keys: band keys, shape (all rows, BANDS).
        rows: indices of the rows that take part, ascending (exact duplicates already left out).
        shingles_of: gives the shingles of a row back.
    """
    representative = np.arange(len(keys), dtype=np.int64)
    likeness: dict[int, float] = {}
    candidates: dict[int, set[int]] = {}
    for band in range(keys.shape[1]):
        column = keys[rows, band]
        order = np.argsort(column, kind="stable")
        ordered = column[order]
        starts = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
        for start, end in zip(starts[:-1], starts[1:], strict=True):
            if end - start < 2:
                continue
            bucket = rows[order[start:end]]
            # Against the first few of a bucket only: a bucket of thousands is one template, whose first rows
            # are its representatives; all pairs would cost its square.
            heads = bucket[:BUCKET_HEADS].tolist()
            for row in bucket[1:].tolist():
                candidates.setdefault(row, set()).update(head for head in heads if head < row)
    for row in sorted(candidates):
        own = shingles_of(row)
        if len(own) < FEWEST_SHINGLES:
            continue
        for other in sorted(candidates[row]):
            if representative[other] != other:
                continue
            similarity = jaccard(own, shingles_of(other))
            if similarity >= THRESHOLD:
                representative[row] = other
                likeness[row] = round(similarity, 3)
                break
    return representative, likeness


BUCKET_HEADS = 8


def pack(hashes: NDArray[np.uint64]) -> bytes:
    """Shingles as bytes for the spool."""
    return hashes.tobytes()


def unpack(data: bytes) -> NDArray[Any]:
    """Shingles from the spool."""
    return np.frombuffer(data, dtype=np.uint64)
