"""Rows on disk while a run goes on, so that memory does not grow with the log."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Generic, TypeVar

from schemas.base import Record

IN_MEMORY = 32 << 20
"""Bytes that a spool keeps in memory before it takes to disk: a log of some ten thousand conversations never does."""

R = TypeVar("R", bound=Record)


class Bytes:
    """Pieces of bytes, appended in order and read back by place."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, dir=folder)  # noqa: SIM115
        self._end = 0

    def add(self, data: bytes) -> int:
        """Append; gives the offset."""
        offset = self._end
        self._file.seek(offset)
        self._file.write(data)
        self._end += len(data)
        return offset

    def read(self, offset: int, length: int) -> bytes:
        """The bytes at an offset."""
        self._file.seek(offset)
        return self._file.read(length)


class Records(Generic[R]):
    """Records of one kind, appended in order, iterated as often as wanted."""

    def __init__(self, kind: type[R], folder: Path | None = None) -> None:
        self._kind = kind
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY, dir=folder)  # noqa: SIM115
        self._count = 0
        self._end = 0

    def add(self, record: R) -> None:
        """Append one record."""
        line = record.model_dump_json().encode("utf-8") + b"\n"
        self._file.seek(self._end)
        self._file.write(line)
        self._end += len(line)
        self._count += 1

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[R]:
        position = 0
        while position < self._end:
            self._file.seek(position)  # iterators may interleave: each keeps a place of its own
            line = self._file.readline()
            position += len(line)
            yield self._kind.model_validate_json(line)
