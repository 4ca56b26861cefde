# ruff: noqa: S608 (names of tables and columns come from wildtool.warehouse.store.tables, values are always bound)
"""The store: everything that is kept, in one DuckDB file.

One process writes at a time, and while it holds the file no other may even read. So every public method opens
the file, does its work in one transaction, and closes it; who finds it held waits with back-off.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from wildtool.schemas.base import Record, canonical_json
from wildtool.schemas.draft import DraftTally
from wildtool.schemas.errors import StoreError
from wildtool.schemas.label import PushedTask
from wildtool.schemas.quarantine import Quarantined, StageReport
from wildtool.schemas.score import ScoreReport, TaskScore
from wildtool.schemas.vocabulary import Stage
from wildtool.warehouse.store.database import migrate, migrations, opened, store_error, version_of
from wildtool.warehouse.store.rates import pass_rates
from wildtool.warehouse.store.rows import arrow_rows, condition, current, insert
from wildtool.warehouse.store.status import StoreStatus
from wildtool.warehouse.store.tables import BY_TYPE, TABLES, TASK_SCORES, pushed_id, score_id

if TYPE_CHECKING:
    import duckdb
    import pyarrow

R = TypeVar("R", bound=Record)

WRITE_BATCH = 5_000
"""Records a transaction: 5,000 drafts are about 250 MB of JSON text, and a reader waits for one batch at most."""
READ_BATCH = 1_000
"""Records a page of ``iterate``."""


class Store:
    """The store in one file. Cheap to make: nothing is opened or created before the first call."""

    def __init__(self, path: Path, *, wait: float = 30.0, memory_limit: str = "1GB", threads: int = 2) -> None:
        """``wait``: seconds to wait for another process; ``memory_limit``: as DuckDB writes it (``2GB``)."""
        self.path = Path(path)
        self.wait = wait
        self.memory_limit = memory_limit
        self.threads = threads

    # -- records ------------------------------------------------------------------------------------------------

    def put(self, records: Iterable[Record]) -> int:
        """Write records of any stored type; the number of rows whose id was new.

        Idempotent: a content-hash id that is there changes nothing, a keyed record (session, trajectory, label,
        ledger entry, report) is replaced by its newer content. Up to 5,000 records are one transaction.
        Raises ``StoreError``; a type that is not stored is a ``TypeError``.
        """
        new = 0
        remaining = iter(records)
        while batch := list(islice(remaining, WRITE_BATCH)):
            grouped: dict[type[Record], list[Record]] = {}
            for record in batch:
                if type(record) not in BY_TYPE:
                    raise TypeError(f"the store holds no {type(record).__name__}")
                grouped.setdefault(type(record), []).append(record)
            tables = [(BY_TYPE[kind], arrow_rows(BY_TYPE[kind], rows)) for kind, rows in grouped.items()]
            with self._open() as connection:
                connection.execute("BEGIN")
                new += sum(insert(connection, table, rows) for table, rows in tables)
                connection.execute("COMMIT")
        return new

    def put_table(self, kind: type[Record], rows: pyarrow.Table) -> int:
        """Write records that are at hand as an Arrow table, in one transaction; as ``put`` in all else.

        ``rows`` holds ``id``, ``body`` (canonical JSON) and the kind's columns; ids are different from each other. For a
        million records, which need not become objects on their way from one file to another.
        """
        import pyarrow

        table = BY_TYPE[kind]
        if not len(rows):
            return 0
        numbered = rows.select(["id", *table.columns, "body"]).append_column(
            "ordinal", pyarrow.array(range(len(rows)), type=pyarrow.int64())
        )
        with self._open() as connection:
            connection.execute("BEGIN")
            new = insert(connection, table, numbered)
            connection.execute("COMMIT")
        return new

    def get(self, kind: type[R], id: str) -> R | None:
        """The record of this id, superseded or not; None where there is none."""
        table = BY_TYPE[kind]
        with self._open(read_only=True) as connection:
            row = connection.execute(f"SELECT body FROM {table.name} WHERE id = ?", [id]).fetchone()
        return kind.model_validate_json(row[0]) if row else None

    def read(self, kind: type[R], **where: Any) -> list[R]:
        """All current records whose columns have these values (a collection: any of them), ordered by id.

        Columns are those of ``wildtool.warehouse.store.tables``; another name is a ``ValueError``.
        """
        return list(self.iterate(kind, **where))

    def iterate(self, kind: type[R], **where: Any) -> Iterator[R]:
        """As ``read``, page by page: the file is held only while a page of 1,000 is fetched."""
        table = BY_TYPE[kind]
        clause, values = condition(table, where)
        last = ""
        while True:
            with self._open(read_only=True) as connection:
                rows = connection.execute(
                    f"SELECT id, body FROM {current(table)} WHERE id > ? {clause} ORDER BY id LIMIT {READ_BATCH}",
                    [last, *values],
                ).fetchall()
            for _, body in rows:
                yield kind.model_validate_json(body)
            if len(rows) < READ_BATCH:
                return
            last = rows[-1][0]

    def ids(self, kind: type[Record], **where: Any) -> list[str]:
        """Ids of all current records, in order, without their bodies."""
        return self.read_column(kind, "id", **where)

    def read_column(self, kind: type[Record], column: str, **where: Any) -> list[Any]:
        """One column of all current records, ordered by id, without their bodies."""
        table = BY_TYPE[kind]
        if column != "id" and column not in table.columns:
            raise ValueError(f"{table.name} has no column {column}: use one of id, {', '.join(table.columns)}")
        clause, values = condition(table, where)
        with self._open(read_only=True) as connection:
            rows = connection.execute(
                f'SELECT "{column}" FROM {current(table)} WHERE true {clause} ORDER BY id', values
            ).fetchall()
        return [row[0] for row in rows]

    def count(self, kind: type[Record], **where: Any) -> int:
        """Number of current records."""
        table = BY_TYPE[kind]
        clause, values = condition(table, where)
        with self._open(read_only=True) as connection:
            row = connection.execute(f"SELECT count(*) FROM {current(table)} WHERE true {clause}", values).fetchone()
        return int(row[0]) if row else 0

    # -- quarantine, reports, ledger, scores, state ---------------------------------------------------------------

    def quarantine(self, rows: Iterable[Quarantined]) -> int:
        """Keep rows that failed; the number of new ones."""
        return self.put(rows)

    def quarantined(self, stage: Stage | None = None) -> list[Quarantined]:
        """Quarantined rows, of one stage or of all."""
        return self.read(Quarantined) if stage is None else self.read(Quarantined, stage=stage)

    def put_report(self, report: StageReport) -> None:
        """Keep a stage's report; a report of the same run replaces the old one."""
        self.put([report])

    def reports(self, stage: Stage | None = None) -> list[StageReport]:
        """Reports, the oldest first."""
        with self._open(read_only=True) as connection:
            rows = connection.execute(
                "SELECT body FROM stage_reports WHERE ? IS NULL OR stage = ? ORDER BY seq", [stage, stage]
            ).fetchall()
        return [StageReport.model_validate_json(row[0]) for row in rows]

    def pushed(self, draft: str, server: str, project: str, round: int = 1) -> PushedTask | None:
        """The ledger's entry of a draft in a project of a server."""
        return self.get(PushedTask, pushed_id(draft, server, project, round))

    def put_scores(self, report: ScoreReport, scores: Iterable[TaskScore]) -> None:
        """Keep a score with its task scores; an earlier one of the same release, candidate and rules gives way."""
        key = score_id(report)
        rows = arrow_rows(TASK_SCORES, [(key, score) for score in scores])
        with self._open() as connection:
            connection.execute("BEGIN")
            connection.register("kept", rows)
            connection.execute(
                "DELETE FROM task_scores WHERE report = ? AND id NOT IN (SELECT id FROM kept)", [score_id(report)]
            )
            connection.unregister("kept")
            insert(connection, BY_TYPE[ScoreReport], arrow_rows(BY_TYPE[ScoreReport], [report]))
            insert(connection, TASK_SCORES, rows)
            connection.execute("COMMIT")

    def task_scores(self, report: ScoreReport) -> list[TaskScore]:
        """The task scores behind a score, by session, trial and task."""
        with self._open(read_only=True) as connection:
            rows = connection.execute(
                "SELECT body FROM task_scores WHERE report = ? ORDER BY session, trial, task", [score_id(report)]
            ).fetchall()
        return [TaskScore.model_validate_json(row[0]) for row in rows]

    def set_state(self, key: str, value: Any) -> None:
        """Keep a JSON value under a key."""
        with self._open() as connection:
            connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", [key, canonical_json(value)])

    def get_state(self, key: str, default: Any = None) -> Any:
        """The value of a key, or the default."""
        with self._open(read_only=True) as connection:
            row = connection.execute("SELECT value FROM state WHERE key = ?", [key]).fetchone()
        return json.loads(row[0]) if row else default

    # -- the whole ------------------------------------------------------------------------------------------------

    def status(self) -> StoreStatus:
        """What is held, stage by stage. Works while a run goes on, between the writer's short openings."""
        exists = self.path.exists()
        with self._open(read_only=True) as connection:
            counts = {
                table.record.__name__: connection.execute(f"SELECT count(*) FROM {current(table)}").fetchall()[0][0]
                for table in (*TABLES, TASK_SCORES)
            }
            reports = connection.execute("SELECT body FROM stage_reports ORDER BY seq").fetchall()
            quarantine = connection.execute(
                "SELECT stage, reason, count(*) FROM quarantine GROUP BY ALL ORDER BY ALL"
            ).fetchall()
            tallies = connection.execute("SELECT body FROM draft_tallies ORDER BY seq").fetchall()
            version = version_of(connection)
        newest = {report.stage: report for report in (StageReport.model_validate_json(row[0]) for row in reports)}
        by_stage: dict[Stage, dict[str, int]] = {}
        for stage, reason, rows in quarantine:
            by_stage.setdefault(Stage(stage), {})[reason] = rows
        return StoreStatus(
            path=str(self.path),
            exists=exists,
            bytes=self.path.stat().st_size if exists else 0,
            version=version,
            counts=counts,
            stages={stage: newest[stage] for stage in Stage if stage in newest},
            quarantine={stage: by_stage[stage] for stage in Stage if stage in by_stage},
            pass_rates=pass_rates(DraftTally.model_validate_json(row[0]) for row in tallies),
        )

    def backup(self, target: Path) -> int:
        """Write a consistent copy to a new file; its size in bytes. Raises ``StoreError`` if it exists."""
        if target.exists():
            raise StoreError(f"{target} exists", "name a new file for the backup")
        if not (target.absolute().parent.is_dir() and os.access(target.absolute().parent, os.W_OK | os.X_OK)):
            raise StoreError(
                f"{target} cannot be written: {target.parent} is not a folder you can write to",
                "name a file in a folder that is there and yours",
            )
        if not self.path.exists():
            raise StoreError(f"there is no warehouse at {self.path}", "nothing to back up: run wildtool build first")
        with self._open(read_only=True):
            pass  # an older file is migrated, a damaged one refused, before it is copied
        unfinished = target.with_name(target.name + ".unfinished")
        unfinished.unlink(missing_ok=True)
        with opened(Path(":memory:"), read_only=False, **self._settings()) as connection:
            connection.execute(f"ATTACH {_quoted(self.path)} AS original (READ_ONLY)")
            connection.execute(f"ATTACH {_quoted(unfinished)} AS copied")
            connection.execute("COPY FROM DATABASE original TO copied")
            connection.execute("DETACH copied")
        unfinished.replace(target)
        return target.stat().st_size

    def restore(self, source: Path) -> Path | None:
        """Put a backup in this store's place; where the store that was here is kept now (None: there was none).

        Raises ``StoreError`` where the backup cannot be read, ``StoreBusyError`` where someone uses the store.
        """
        if not source.exists():
            raise StoreError(f"there is no backup at {source}", "name an existing file")
        try:
            with opened(source, read_only=True, **self._settings()) as connection:
                is_one = source.is_file() and version_of(connection) > 0
        except StoreError as error:
            if error.__class__ is not StoreError:
                raise  # in use: what it says is true of a backup too
            is_one = False
        if not is_one:
            raise StoreError(f"{source} is not a warehouse backup", "name a file that wildtool backup wrote")
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = self.path.with_name(self.path.name + ".restoring")
        shutil.copyfile(source, unfinished)
        with unfinished.open("rb") as stream:
            os.fsync(stream.fileno())
        kept = None
        if self.path.exists():
            kept = self.path.with_name(self.path.name + ".before-restore")
            try:
                with opened(self.path, read_only=False, **self._settings()):
                    pass  # nobody uses it, and closing folds its write-ahead log in
            except StoreError as error:
                if error.__class__ is not StoreError:
                    raise
                # a damaged store is what restore is for
            # A second name first, then the new file in one step: a kill in between must not leave a place without a store.
            kept.unlink(missing_ok=True)
            try:
                os.link(self.path, kept)
            except OSError:  # a file system without hard links
                shutil.copyfile(self.path, kept)
            self.path.with_name(self.path.name + ".wal").unlink(missing_ok=True)
        unfinished.replace(self.path)
        return kept

    def _settings(self) -> dict[str, Any]:
        return {"wait": self.wait, "memory_limit": self.memory_limit, "threads": self.threads}

    @contextmanager
    def _open(self, *, read_only: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the file in its newest version; reading a store that is not there yet finds it empty."""
        settings = self._settings()
        if not self.path.exists():
            if read_only:
                with opened(Path(":memory:"), read_only=False, **settings) as connection:
                    migrate(connection)
                    yield connection
                return
            self._create()
        if read_only:
            with opened(self.path, read_only=True, **settings) as connection:
                if version_of(connection) == len(migrations()):
                    yield connection
                    return
        with opened(self.path, read_only=False, **settings) as connection:
            migrate(connection)
            yield connection

    def _create(self) -> None:
        """Make the file beside its place and put it there whole: a kill must not leave half a header."""
        unfinished = self.path.with_name(f".{self.path.name}.{os.getpid()}-{threading.get_ident()}.new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            unfinished.unlink(missing_ok=True)
            with opened(unfinished, read_only=False, **self._settings()) as connection:
                migrate(connection)
            # A hard link, since it fails where another process was faster; a rename would take its place.
            try:
                os.link(unfinished, self.path)
            except FileExistsError:
                pass
            except OSError:  # a file system without hard links
                unfinished.replace(self.path)
            unfinished.unlink(missing_ok=True)
        except OSError as error:
            raise store_error(error, self.path) from error


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
