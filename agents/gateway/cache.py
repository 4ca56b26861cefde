"""Cache responses in one SQLite file, by content of the request.

Each response is committed as it arrives, so that a killed run pays nothing twice. Entries that do not match their
checksum, or are no response for all that, are ignored and written anew; a file that is no database is set aside.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wildtool.schemas.base import canonical_json, sha256_hex
from wildtool.schemas.errors import HomeError

_SCHEMA = (
    "create table if not exists responses (key text primary key, body text not null, checksum text not null)",
    "create table if not exists batches (wave text primary key, server text not null, batch text, keys text not null)",
)

_PUT = "insert or replace into responses values (?, ?, ?)"


def _is_response(found: Any) -> bool:
    """A cached message and its tokens. Checked when read, since others may have written into the file."""
    if not isinstance(found, dict) or not isinstance(found.get("message"), dict):
        return False
    tokens = (found.get("prompt_tokens"), found.get("completion_tokens"))
    return all(count is None or isinstance(count, int) for count in tokens)


@dataclass(frozen=True)
class OpenBatch:
    """A batch that was asked for and not yet collected."""

    wave: str
    """Digest of what is in it; the batch carries it as metadata."""
    server: str
    """Address of the endpoint."""
    batch: str | None
    """Id that the endpoint gave; None where the run ended before it was known."""
    keys: tuple[str, ...]
    """Keys of its requests."""


class ResponseCache:
    """Responses by key; ``path`` None keeps them in memory only."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            return _connect(":memory:")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return _connect(str(self.path))
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise HomeError(
                    f"the response cache {self.path} cannot be opened: {error}", "check the folder"
                ) from error
            # No database at all: nothing of it can be used, but it may still be of use to someone.
            self.path.replace(self.path.with_suffix(".broken"))
            return _connect(str(self.path))
        except OSError as error:
            raise HomeError(f"the response cache {self.path} cannot be made: {error}", "check the folder") from error

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the response of a key, or None where there is none that can be trusted."""
        try:
            row = self._db.execute("select body, checksum from responses where key = ?", (key,)).fetchone()
        except sqlite3.DatabaseError:  # a damaged page: as good as not there
            return None
        if row is None or sha256_hex(row[0]) != row[1]:
            return None
        try:
            found = json.loads(row[0])
        except ValueError:
            return None
        return found if _is_response(found) else None

    def put(self, key: str, response: dict[str, Any]) -> None:
        """Keep a response; committed on return. ``HomeError`` where the disk refuses."""
        self._write(_PUT, [_row(key, response)])

    def put_all(self, responses: Mapping[str, dict[str, Any]]) -> None:
        """Keep many responses in one transaction."""
        self._write(_PUT, [_row(key, response) for key, response in responses.items()])

    def _write(self, sql: str, rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            with self._db:
                self._db.executemany(sql, rows)
        except sqlite3.DatabaseError as error:
            full = "full" in str(error)
            raise HomeError(
                f"the response cache {self.path} cannot be written: {error}",
                "free some space" if full else f"remove {self.path}: answers in it are asked for again",
            ) from error

    def open_batch(self, batch: OpenBatch) -> None:
        """Note a batch, before it is asked for and again when its id is known."""
        row = (batch.wave, batch.server, batch.batch, json.dumps(batch.keys))
        self._write("insert or replace into batches values (?, ?, ?, ?)", [row])

    def close_batch(self, wave: str) -> None:
        """Forget a batch: its answers are here."""
        self._write("delete from batches where wave = ?", [(wave,)])

    def open_batches(self, server: str) -> list[OpenBatch]:
        """Batches of a server that were not collected."""
        rows = self._db.execute("select wave, server, batch, keys from batches where server = ?", (server,))
        return [OpenBatch(wave, where, batch, tuple(json.loads(keys))) for wave, where, batch, keys in rows]

    def __len__(self) -> int:
        return int(self._db.execute("select count(*) from responses").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _row(key: str, response: dict[str, Any]) -> tuple[str, str, str]:
    body = canonical_json(response)
    return key, body, sha256_hex(body)


def _connect(target: str) -> sqlite3.Connection:
    db = sqlite3.connect(target, timeout=30)
    # WAL with NORMAL survives a killed process; only a power cut can lose the last commits, which then are paid again.
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=normal")
    for table in _SCHEMA:
        db.execute(table)
    return db
