"""Read the shard files after deduplication: the kept rows, column by column, one shard at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from numpy.typing import NDArray

from wildtool.language.lexicon import languages as registered_languages
from wildtool.mining.deduplicate import Fold, with_copies
from wildtool.mining.privacy import Scrubber
from wildtool.mining.scenarios.llm_relabel import patched, second_look
from wildtool.mining.scenarios.llm_rewrite import Ask
from wildtool.mining.shard_store import Spool
from wildtool.mining.statistics import COUNT, WIDTH
from wildtool.schemas.conversation import ConversationBehaviour
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(slots=True)
class Survey:
    """Sums over the log."""

    counts: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    personal: Counter[str] = field(default_factory=Counter)


class View:
    """The shard files after deduplication: kept rows and their contents."""

    def __init__(self, spool: Spool, files: list[Path], rows: int, folded: Fold, *, keep_raw: bool = False) -> None:
        """Take the shard files; ``keep_raw``: quarantined rows hold the row as it came, personal data and all."""
        self._spool, self._files, self._fold = spool, files, folded
        self._keep_raw = keep_raw
        self._copy = np.zeros(rows, dtype=bool)
        self._copy[folded.row] = True
        self.kept = 0
        self._refined: dict[int, dict[str, Any]] = {}

    def _tables(self, *columns: str) -> Iterator[tuple[pa.Table, NDArray[np.bool_]]]:
        """Columns of each shard, and which of its rows are kept."""
        for table in self._spool.tables(self._files, ["row", "step", *columns]):
            rows = table.column("row").to_numpy()
            ended = np.asarray(table.column("step").is_valid())
            yield patched(table, self._refined), ~ended & ~self._copy[rows]

    def refine(self, most: int, ask: Ask, names: tuple[str, ...]) -> dict[str, int]:
        """Have a model look at the turns of the ``most`` conversations with the smallest ids, which are hashes."""
        ids = (
            (one, row)
            for table, kept in self._tables("id", "language")
            for one, row, language in zip(
                *(table.filter(kept)[name].to_pylist() for name in ("id", "row", "language")), strict=True
            )
            if language in registered_languages()
        )
        wanted = {row for _, row in nsmallest(most, ids)}
        entries = [
            entry
            for table, _ in self._tables("language", "source", "line", "raw", "behaviour")
            for entry in table.filter([row in wanted for row in table["row"].to_pylist()]).to_pylist()
        ]
        self._refined, notes = second_look(entries, ask, names)
        return notes

    def survey(self) -> Survey:
        """Counts over all rows; also counts the kept ones."""
        import pyarrow.compute as pc

        found = Survey()
        for table, kept in self._tables("reason", "language", "counts", "flags", "personal"):
            self.kept += int(kept.sum())
            ended = table.filter(table["step"].is_valid())
            found.reasons.update(zip(ended["step"].to_pylist(), ended["reason"].to_pylist(), strict=True))
            chosen = table.filter(kept)
            if not len(chosen):
                continue
            matrix = np.frombuffer(b"".join(chosen["counts"].to_pylist()), dtype=COUNT).reshape(-1, WIDTH)
            languages = np.array(chosen["language"].to_pylist())
            for language in np.unique(languages).tolist():
                total = matrix[languages == language].sum(axis=0, dtype=np.int64)
                found.counts[language] = found.counts.get(language, 0) + total
            found.flags.update(pc.list_flatten(chosen["flags"]).to_pylist())
            for text in chosen["personal"].drop_null().to_pylist():
                found.personal.update(orjson.loads(text))
        exact = int(self._fold.exact.sum())
        if exact:
            found.reasons["deduplicate", "exact_duplicate"] = exact
        if len(self._fold.row) - exact:
            found.reasons["deduplicate", "near_duplicate"] = len(self._fold.row) - exact
        return found

    def behaviour_tables(self) -> Iterator[pa.Table]:
        """Behaviours of the kept rows in the store's columns, some shards at a time."""
        import pyarrow as pa

        copies = self._fold.copies()
        held: list[pa.Table] = []
        for table, kept in self._tables("id", "language", "behaviour_id", "behaviour"):
            held.append(with_copies(table.filter(kept), copies))
            if sum(map(len, held)) >= WRITTEN:
                yield _named(pa.concat_tables(held))
                held = []
        if held:
            yield _named(pa.concat_tables(held))

    def behaviours(self) -> Iterator[ConversationBehaviour]:
        """Behaviours of the kept rows as records."""
        for table in self.behaviour_tables():
            for body in table["body"].to_pylist():
                yield ConversationBehaviour.model_validate_json(body)

    def quarantined(self) -> Iterator[Quarantined]:
        """All rows that are not kept: those that failed, then copies with the id of what stands for them.

        A row is a pointer (file and line) and a reason; it holds the text only where raw rows are kept.
        """
        representatives = self._ids(np.unique(self._fold.of))
        columns = ("reason", "detail", "source", "line", "raw")
        for table, kept in self._tables(*columns):
            for row in table.filter(~kept).to_pylist():
                step, reason, detail = row["step"], row["reason"], row["detail"]
                if step is None:
                    place = int(np.searchsorted(self._fold.row, row["row"]))
                    step, reason = "deduplicate", "exact_duplicate" if self._fold.exact[place] else "near_duplicate"
                    detail = f"stands behind {representatives[int(self._fold.of[place])]}"
                raw = row["raw"] if self._keep_raw else ""
                detail = detail or "" if self._keep_raw else Scrubber()(detail or "")
                yield Quarantined.of(
                    stage=Stage.MINE, step=step, reason=reason, detail=detail, source=row["source"], line=row["line"], raw=raw,
                )  # fmt: skip

    def copies(self) -> dict[str, int]:
        """How many conversations those stand for that stand for others, by id."""
        copies = self._fold.copies()
        ids = self._ids(np.array(list(copies), dtype=np.int64))
        return {ids[row]: count for row, count in copies.items()}

    def _ids(self, rows: NDArray[np.int64]) -> dict[int, str]:
        """Conversation ids of these rows."""
        wanted = np.zeros(len(self._copy), dtype=bool)
        wanted[rows] = True
        found: dict[int, str] = {}
        for table in self._spool.tables(self._files, ["row", "id"]) if len(rows) else ():
            numbers = table["row"].to_numpy()
            chosen = table.filter(wanted[numbers])
            found.update(zip(chosen["row"].to_pylist(), chosen["id"].to_pylist(), strict=True))
        return found

    def openers(self, most: int) -> dict[str, Openers]:
        """Rows that open tasks, by language: of each enough for ``most`` openings."""
        import pyarrow.compute as pc

        found = {language: Openers(most) for language in registered_languages()}
        for table, kept in self._tables("language", "openings", "id", "user", "counts"):
            chosen = table.filter(kept & np.asarray(table["openings"].is_valid()))
            for language, openers in found.items():
                openers.add(chosen.filter(pc.equal(chosen["language"], language)))
        return found


def _named(table: pa.Table) -> pa.Table:
    chosen = table.select(["behaviour_id", "id", "language", "behaviour"])
    return chosen.rename_columns(["id", "conversation", "language", "body"])


WRITTEN = 20_000
"""Behaviours handed over at a time, some 25 MB: with each write the store looks up the ids that it has and rewrites its
newest rows, so that writing a million of them by the shard would cost more than mining them."""


class Openers:
    """Rows of a language that open tasks: all of them, or of many a fair sample, in bounded memory.

    The sample are the rows with the smallest ids: ids are hashes, so no order of the log changes it.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: pa.Table | None = None
        self._below: str | None = None
        self.sampled = False
        """Are there more than were taken?"""

    def add(self, table: pa.Table) -> None:
        """Rows of a shard, with ``row``, ``id``, ``user``, ``openings`` and ``counts``."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if self._below is not None:  # an id above those of enough rows is never taken
            table = table.filter(pc.less_equal(table["id"], self._below))
        self._rows = table if self._rows is None else pa.concat_tables([self._rows, table])
        if len(self._rows) > self._most + self._most // SLACK:
            # Each row holds at least one opening, so that as many rows as openings are always enough.
            self._rows = self._rows.sort_by("id").slice(0, self._most).combine_chunks()
            self._below = self._rows["id"][-1].as_py()
            self.sampled = True

    def __len__(self) -> int:
        """Rows held."""
        return 0 if self._rows is None else len(self._rows)

    def taken(self) -> list[dict[str, Any]]:
        """The rows, in the order of the log; their ``openings`` parsed, at most ``most`` in all."""
        if self._rows is None:
            return []
        found: list[dict[str, Any]] = []
        count = 0
        for batch in self._rows.sort_by("id").to_batches(max_chunksize=BATCH):
            for row in batch.to_pylist():
                row["openings"] = orjson.loads(row["openings"])
                count += len(row["openings"])
                if count > self._most and found:
                    self.sampled = True
                    return sorted(found, key=lambda row: row["row"])
                found.append(row)
        return sorted(found, key=lambda row: row["row"])


SLACK = 4
"""A part of a sample's rows beyond which it is cut again: cutting sorts all of them."""

BATCH = 1_000
"""Rows of a sample that become objects at a time."""
