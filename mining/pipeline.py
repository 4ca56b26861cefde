"""The whole way from logs to seed scenarios. Memory does not grow with the log beyond some tens of bytes a row.

Shards of rows are digested by worker processes (or by any other runner, on other machines), written to a spool by the
one writer, and folded; what follows reads the spool column by column. With a spool folder of the caller's a run that
was killed goes on with the shards that are missing.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
import orjson
from numpy.typing import NDArray
from pydantic import Field

from mining.clusters import Opening, cluster
from mining.dedup import Fold, fold, with_copies
from mining.digest import SHARD_ROWS, Shard, digest, shards
from mining.domains import LANGUAGES, domain_of
from mining.expand import expand
from mining.parallel import Runner, in_processes
from mining.readers import expand as expand_paths
from mining.readers import read_rows
from mining.scenarios import seeds_of
from mining.second_look import patched, second_look
from mining.spool import Spool
from mining.statistics import COUNT, WIDTH, stats_of
from mining.writer import Ask, word
from schemas.base import Record
from schemas.conversation import BehaviourStats, Conversation, ConversationBehaviour
from schemas.quarantine import Quarantined, StageReport, StepCount
from schemas.seed import SeedScenario
from schemas.vocabulary import Stage

if TYPE_CHECKING:
    import pyarrow as pa

Progress = Callable[[str, int, int | None], None]

MOST_OPENINGS = 20_000
"""Openings a language that are clustered, a sample chosen by content beyond: what a million users do, twenty thousand
show, and clustering costs more than linear."""


class MiningSettings(Record):
    """What shapes the result."""

    seed: int = 0
    """Seed of all randomness."""
    k: int = Field(default=3, ge=1)
    """Fewest different users that a seed needs: what fewer people did may tell who they are."""
    scenarios: int | None = Field(default=None, ge=1)
    """Seeds wanted a language; None: as many as the log gives."""
    model: str | None = None
    """Name of the model that ``ask`` reaches; it shapes the result, so it is part of the settings."""
    refine: int = Field(default=0, ge=0)
    """Conversations whose turns the model looks at again: a fair sample, by id."""


R = TypeVar("R", bound=Record)


class Rows(Generic[R]):
    """Records that lie in the spool: counted, and iterated as often as wanted, in the order of the log."""

    def __init__(self, count: int, read: Callable[[], Iterator[R]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[R]:
        return self._read()


@dataclass(frozen=True)
class MiningResult:
    """What mining gives."""

    seeds: tuple[SeedScenario, ...]
    """Seed scenarios, by language and category."""
    behaviours: Rows[ConversationBehaviour]
    """Behaviour of every kept conversation, in the order of the log."""
    stats: dict[str, BehaviourStats]
    """Behaviour by language."""
    quarantined: Rows[Quarantined]
    """Rows that were dropped, each with its reason."""
    report: StageReport
    """Rows in = rows out + quarantined, at each step. ``run`` is left empty: it is the caller's to name."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Quarantined rows by ``step/reason``."""
    flags: dict[str, int] = field(default_factory=dict)
    """Kept conversations by mark: ``toxic``, ``redacted``, ``code``, ``boilerplate``."""
    personal: dict[str, int] = field(default_factory=dict)
    """Different pieces of personal data replaced in kept conversations, by kind."""
    copies: dict[str, int] = field(default_factory=dict)
    """Conversations that a kept one stands for, itself included, where that is more than one, by id."""
    tables: Callable[[], Iterator[pa.Table]] = lambda: iter(())
    """The behaviours as tables of ``id``, ``conversation``, ``language`` and ``body`` (JSON): for bulk writing."""


def mine(
    paths: Sequence[str],
    *,
    settings: MiningSettings | None = None,
    progress: Progress | None = None,
    spool: Path | None = None,
    runner: Runner | None = None,
    shard_rows: int = SHARD_ROWS,
    ask: Ask | None = None,
) -> MiningResult:
    """Mine logs. Where every row is bad the result holds them in ``quarantined`` and nothing else.

    Args:
        paths: files, folders, globs, ``-``.
        settings: what shapes the result.
        progress: called with what is being done, how much of it is done, and of how much.
        spool: folder of digested shards, named by the caller for this input and these settings; what is there already
            is not digested again. None: a temporary one, which lives as long as the result.
        runner: runs ``digest`` over shards; None: one worker process a core. It changes no result.
        shard_rows: rows of a shard: more where handing one over is dear.
        ask: a language model. It words the seeds and looks again at ``settings.refine`` conversations; what it does not
            answer stays as it was.

    Raises:
        InputError: a path leads nowhere, or nothing in the input is a log.
    """
    settings = settings or MiningSettings()
    say = progress or (lambda text, done, total: None)
    store = Spool(spool) if spool else Spool.temporary()
    files, rows = _digested(paths, store, runner or in_processes, shard_rows, say)
    say("folding duplicates", 0, rows)
    folded = fold(files, rows, scratch=store.scratch)
    shutil.rmtree(store.scratch)
    view = _View(store, files, rows, folded)
    asked: dict[str, int] = {}
    if ask is not None and settings.refine:
        say("asking the model about turns", 0, settings.refine)
        asked = view.refine(settings.refine, ask)
    survey = view.survey()
    say("finding situations", 0, None)
    seeds, notes = _seeds(view, settings)
    if ask is not None and seeds:
        say("asking the model for words", 0, len(seeds))
        seeds, asked["seeds_worded"] = word(seeds, ask)
    languages = sorted(survey.counts)
    stats = {language: stats_of(survey.counts[language]) for language in languages}
    others = sum(stats[language].conversations for language in languages if language not in LANGUAGES)
    say("finding situations", len(seeds), len(seeds))
    return MiningResult(
        seeds=tuple(seeds),
        behaviours=Rows(view.kept, view.behaviours),
        stats=stats,
        quarantined=Rows(rows - view.kept, view.quarantined),
        report=StageReport(
            stage=Stage.MINE,
            run="",
            steps=_steps(rows, survey.reasons),
            notes={
                "seeds": len(seeds),
                "conversations_in_other_languages": others,
                **{f"conversations_{one}": stats[one].conversations for one in LANGUAGES if one in stats},
                **{f"flagged_{flag}": count for flag, count in sorted(survey.flags.items())},
                **notes,
                **asked,
            },
        ),
        reasons={f"{step}/{reason}": count for (step, reason), count in sorted(survey.reasons.items())},
        flags=dict(sorted(survey.flags.items())),
        personal=dict(sorted(survey.personal.items())),
        copies=view.copies(),
        tables=view.behaviour_tables,
    )


def _digested(
    paths: Sequence[str], store: Spool, runner: Runner, shard_rows: int, say: Progress
) -> tuple[list[Path], int]:
    """Files of all shards in the order of the log, and the number of rows."""
    count = rows = 0

    def missing() -> Iterator[Shard]:
        nonlocal count, rows
        for shard in shards(read_rows(expand_paths(list(paths))), size=shard_rows):
            count, rows = count + 1, shard.first + len(shard.rows)
            if not store.has(shard.number):
                yield shard

    say("mining conversations", 0, None)
    done = 0
    for shard, table in runner(digest, missing(), name="mine-shards"):
        store.put(shard.number, table)
        done += len(shard.rows)
        say("mining conversations", done, None)
    return [store.path(number) for number in range(count)], rows


@dataclass(slots=True)
class _Survey:
    """Sums over the log."""

    counts: dict[str, NDArray[np.int64]] = field(default_factory=dict)
    reasons: Counter[tuple[str, str]] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    personal: Counter[str] = field(default_factory=Counter)


class _View:
    """The spool after the fold: which rows are kept, and what they hold."""

    def __init__(self, spool: Spool, files: list[Path], rows: int, folded: Fold) -> None:
        self._spool, self._files, self._fold = spool, files, folded
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

    def refine(self, most: int, ask: Ask) -> dict[str, int]:
        """Have a model look at the turns of the ``most`` conversations with the smallest ids, which are hashes."""
        ids = (
            (one, row)
            for table, kept in self._tables("id", "language")
            for one, row, language in zip(
                *(table.filter(kept)[name].to_pylist() for name in ("id", "row", "language")), strict=True
            )
            if language in LANGUAGES
        )
        wanted = {row for _, row in nsmallest(most, ids)}
        entries = [
            entry
            for table, _ in self._tables("language", "source", "line", "raw", "behaviour")
            for entry in table.filter([row in wanted for row in table["row"].to_pylist()]).to_pylist()
        ]
        self._refined, notes = second_look(entries, ask)
        return notes

    def survey(self) -> _Survey:
        """Counts over all rows; also counts the kept ones."""
        found = _Survey()
        for table, kept in self._tables("reason", "language", "counts", "flags", "personal"):
            self.kept += int(kept.sum())
            found.reasons.update(
                (step, reason)
                for step, reason in zip(table["step"].to_pylist(), table["reason"].to_pylist(), strict=True)
                if step is not None
            )
            chosen = table.filter(kept)
            if not len(chosen):
                continue
            matrix = np.frombuffer(b"".join(chosen["counts"].to_pylist()), dtype=COUNT).reshape(-1, WIDTH)
            languages = np.array(chosen["language"].to_pylist())
            for language in np.unique(languages).tolist():
                total = matrix[languages == language].sum(axis=0, dtype=np.int64)
                found.counts[language] = found.counts.get(language, 0) + total
            for flags in chosen["flags"].to_pylist():
                found.flags.update(flags)
            for text in chosen["personal"].drop_null().to_pylist():
                found.personal.update(orjson.loads(text))
        exact = int(self._fold.exact.sum())
        if exact:
            found.reasons["deduplicate", "exact_duplicate"] = exact
        if len(self._fold.row) - exact:
            found.reasons["deduplicate", "near_duplicate"] = len(self._fold.row) - exact
        return found

    def behaviour_tables(self) -> Iterator[pa.Table]:
        """Behaviours of the kept rows, a shard at a time, in the store's columns."""
        copies = self._fold.copies()
        for table, kept in self._tables("id", "language", "behaviour_id", "behaviour"):
            chosen = with_copies(table.filter(kept), copies).select(["behaviour_id", "id", "language", "behaviour"])
            yield chosen.rename_columns(["id", "conversation", "language", "body"])

    def behaviours(self) -> Iterator[ConversationBehaviour]:
        """Behaviours of the kept rows as records."""
        for table in self.behaviour_tables():
            for body in table["body"].to_pylist():
                yield ConversationBehaviour.model_validate_json(body)

    def quarantined(self) -> Iterator[Quarantined]:
        """All rows that are not kept: those that failed, then copies with the id of what stands for them."""
        representatives = self._ids(np.unique(self._fold.of))
        columns = ("reason", "detail", "source", "line", "raw")
        for table, kept in self._tables(*columns):
            for row in table.filter(~kept).to_pylist():
                step, reason, detail = row["step"], row["reason"], row["detail"]
                if step is None:
                    place = int(np.searchsorted(self._fold.row, row["row"]))
                    step, reason = "deduplicate", "exact_duplicate" if self._fold.exact[place] else "near_duplicate"
                    detail = f"stands behind {representatives[int(self._fold.of[place])]}"
                yield Quarantined.of(
                    stage=Stage.MINE, step=step, reason=reason, detail=detail or "", source=row["source"], line=row["line"], raw=row["raw"],
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

    def openings(self, language: str) -> tuple[list[dict[str, Any]], bool]:
        """Rows of a language that open tasks, at most ``MOST_OPENINGS`` of them; and whether that is a sample."""
        import pyarrow as pa
        import pyarrow.compute as pc

        columns = ("language", "openings", "id", "user", "behaviour")
        picked: pa.Table | None = None
        total = 0
        for table, kept in self._tables(*columns):
            mask = (
                kept
                & np.asarray(pc.equal(table["language"], language).fill_null(False))
                & np.asarray(table["openings"].is_valid())
            )
            chosen = table.filter(mask).select(["row", *columns])
            total += len(chosen)
            picked = chosen if picked is None else pa.concat_tables([picked, chosen])
            if len(picked) > 2 * MOST_OPENINGS:
                picked = _sample(picked)
        if picked is None:
            return [], False
        return _sample(picked).sort_by("row").to_pylist(), total > MOST_OPENINGS


def _sample(table: pa.Table) -> pa.Table:
    """The rows with the smallest ids: ids are hashes, so this is a fair sample that no order of the log changes."""
    return table if len(table) <= MOST_OPENINGS else table.sort_by("id").slice(0, MOST_OPENINGS)


def _seeds(view: _View, settings: MiningSettings) -> tuple[list[SeedScenario], dict[str, int | bool]]:
    seeds: list[SeedScenario] = []
    notes = {
        "openings": 0,
        "openings_without_category": 0,
        "clusters_without_enough_users": 0,
        "clustered_a_sample": False,
    }
    for language in LANGUAGES:
        rows, sampled = view.openings(language)
        notes["clustered_a_sample"] = notes["clustered_a_sample"] or sampled
        openings: list[Opening] = []
        behaviours: dict[str, ConversationBehaviour] = {}
        for row in rows:
            behaviours[row["id"]] = ConversationBehaviour.model_validate_json(row["behaviour"])
            whose = _bare(row["id"], row["user"], language)
            for turn, before, text, after in orjson.loads(row["openings"]):
                domain = domain_of(text, language)
                openings.append(Opening(whose, turn, text, domain, before, after))
                notes["openings"] += 1
                notes["openings_without_category"] += domain is None
        found, weak = seeds_of(cluster(openings, language, seed=settings.seed), behaviours, k=settings.k)
        notes["clusters_without_enough_users"] += len(weak)
        seeds += expand(found, settings.scenarios, seed=settings.seed) if settings.scenarios else found
    return seeds, notes


def _bare(id_: str, user: str, language: str) -> Conversation:
    """A conversation of which only id and user matter."""
    return Conversation.trusted(
        id=id_, source_id="", source="", line=0, user=user, language=language, created_at=None, messages=(), flags=(), copies=1,
    )  # fmt: skip


def _steps(rows: int, reasons: Counter[tuple[str, str]]) -> tuple[StepCount, ...]:
    lost: Counter[str] = Counter()
    for (step, _), count in reasons.items():
        lost[step] += count
    steps: list[StepCount] = []
    left = rows
    for step in ("read", "clean", "deduplicate", "observe"):
        steps.append(StepCount(step=step, rows_in=left, rows_out=left - lost[step], quarantined=lost[step]))
        left -= lost[step]
    return tuple(steps)
