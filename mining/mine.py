"""The run: logs → seeds, behaviour, counts. Memory does not grow with the log beyond some 300 bytes a conversation."""

from __future__ import annotations

import pickle
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mining.clusters import cluster
from mining.dedup import BANDS, fold_exact, fold_near, unpack
from mining.digest import SEED_LANGUAGES, Digest, Failure, Payload, digest_rows
from mining.expand import Rewrite, expand
from mining.parallel import in_order
from mining.readers import Paths, RawRow, read_rows
from mining.readers import expand as expand_paths
from mining.scenarios import ClusterSummary, scenarios
from mining.spool import Bytes, Records
from mining.statistics import BehaviourCounter
from schemas.base import content_id
from schemas.conversation import BehaviourStats, ConversationBehaviour
from schemas.quarantine import Quarantined, StageReport, StepCount
from schemas.seed import SeedScenario
from schemas.vocabulary import Language, Stage

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how much of it is done, and of how much (None: unknown)."""

BATCH = 250
"""Rows digested at once: large enough that handing a batch to a worker costs nothing, small enough to show progress."""

NOTE_LANGUAGES = "languages other than en and zh are counted and kept for statistics, and are not made into seeds"


@dataclass(frozen=True, slots=True)
class MiningSettings:
    """What a run depends on besides the logs."""

    seed: int = 0
    """Seed of all randomness."""
    k: int = 3
    """Different users that must support a seed, and every word it shows."""
    scenarios: int = 256
    """Seeds wanted, rewritings included."""
    clusters: int | None = None
    """Clusters per language; None lets the number of openings decide."""
    workers: int | None = None
    """Processes that digest rows; None takes the machine's cores for large logs and one for small ones.
    It changes no result."""
    scratch: Path | None = None
    """Folder for temporary files (about 3 kB a conversation); None takes the system's."""


@dataclass(frozen=True, slots=True)
class MiningResult:
    """What a run found. ``behaviours`` and ``quarantined`` may lie on disk: iterate them, as often as wanted."""

    seeds: tuple[SeedScenario, ...]
    """Mined seeds and their rewritings (``parent`` set)."""
    behaviours: Collection[ConversationBehaviour]
    """Behaviour of each conversation that was kept, in the log's order."""
    stats: dict[str, BehaviourStats]
    """Behaviour by language of the conversations that were kept."""
    quarantined: Collection[Quarantined]
    """Every row that was not kept, with its reason."""
    report: StageReport
    """Counts step by step."""
    reasons: dict[str, int] = field(default_factory=dict)
    """Quarantined rows by reason."""
    languages: dict[str, int] = field(default_factory=dict)
    """Kept conversations by language."""
    flags: dict[str, int] = field(default_factory=dict)
    """Kept conversations by mark."""
    personal: dict[str, int] = field(default_factory=dict)
    """Distinct pieces of personal data replaced, by kind."""
    copies: dict[str, int] = field(default_factory=dict)
    """Conversations that a kept one stands for, itself included, where that is more than one, by id."""


class _Kept:
    """Digests of the rows that were kept so far: small arrays in memory, the rest in the spool."""

    def __init__(self, folder: Path | None) -> None:
        self.spool = Bytes(folder)
        self.exact: list[bytes] = []
        self.bands: list[NDArray[np.uint64]] = []
        self.places: list[tuple[int, int, int, int]] = []
        """Offset, and lengths of shingles, payload and raw row."""

    def add(self, digest: Digest) -> None:
        self.exact.append(digest.exact)
        self.bands.append(digest.bands)
        offset = self.spool.add(digest.shingles + digest.payload + digest.raw)
        self.places.append((offset, len(digest.shingles), len(digest.payload), len(digest.raw)))

    def shingles(self, row: int) -> NDArray[np.uint64]:
        offset, length, _, _ = self.places[row]
        return unpack(self.spool.read(offset, length))

    def payload(self, row: int) -> Payload:
        offset, shingles, length, _ = self.places[row]
        payload: Payload = pickle.loads(self.spool.read(offset + shingles, length))  # noqa: S301 - our own spool
        return payload

    def raw(self, row: int) -> str:
        offset, shingles, payload, length = self.places[row]
        return self.spool.read(offset + shingles + payload, length).decode("utf-8", "backslashreplace")


def mine(
    paths: Paths,
    *,
    settings: MiningSettings | None = None,
    progress: Progress | None = None,
    rewrite: Rewrite | None = None,
) -> MiningResult:
    """Mine logs: seeds, behaviour, statistics, and every row that was dropped with its reason.

    The steps of the report count conversations: ``read`` (rows of the input; bad rows fall out), ``clean`` (nothing
    of the user's in it), ``exact_duplicates`` and ``near_duplicates`` (folded into a representative, whose id is in
    the detail), ``behaviour`` (what is left; nothing falls out). An input whose every row is bad gives a result with
    no seeds and all rows in ``quarantined``; the caller decides whether that is an error.

    Args:
        paths: files, folders, globs, ``-``.
        settings: what the run depends on.
        progress: called as the run goes on.
        rewrite: a language model's rewriting of seeds; templates where None.

    Raises:
        InputError: a path leads nowhere, or the input as a whole is no log.
    """
    settings = settings or MiningSettings()
    tell = progress or (lambda text, done, total: None)
    began = time.perf_counter()
    kept = _Kept(settings.scratch)
    quarantined: Records[Quarantined] = Records(Quarantined, settings.scratch)
    failed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()

    def drop(row: Quarantined) -> None:
        quarantined.add(row)
        failed[row.step] += 1
        reasons[row.reason] += 1

    files = expand_paths(paths)
    rows = 0
    tell("reading", 0, None)
    for outcomes in in_order(digest_rows, _batches(read_rows(files)), workers=settings.workers):
        rows += len(outcomes)
        for outcome in outcomes:
            if isinstance(outcome, Failure):
                drop(outcome.row)
            else:
                kept.add(outcome)
        tell("reading", rows, None)

    representative = _fold(kept, drop, tell)
    survivors = np.flatnonzero(representative == np.arange(len(representative)))
    survey = _survey(kept, survivors, settings, tell)
    tell("scenarios", 0, None)
    seeds, below = scenarios(survey.summaries, k=settings.k)
    grown = expand(seeds, settings.scenarios, seed=settings.seed, rewrite=rewrite)
    tell("scenarios", len(grown), len(grown))
    copies = Counter(representative.tolist())
    steps = _steps(rows, failed)
    return MiningResult(
        seeds=tuple(grown),
        behaviours=survey.behaviours,
        stats={language: counter.stats() for language, counter in sorted(survey.counters.items())},
        quarantined=quarantined,
        report=StageReport(
            stage=Stage.MINE,
            run=content_id(
                "run", {"rows": [digest.hex() for digest in sorted(kept.exact)], "settings": _identity(settings)}
            ),
            steps=steps,
            notes={
                "files": len(files),
                "seconds": round(time.perf_counter() - began, 2),
                "openings": survey.openings,
                "clusters": len(survey.summaries),
                "clusters_below_k": below,
                "seeds_mined": len(seeds),
                "seeds": len(grown),
                "other_languages": sum(n for code, n in survey.languages.items() if code not in SEED_LANGUAGES),
                "languages": NOTE_LANGUAGES,
            },
        ),
        reasons=dict(sorted(reasons.items())),
        languages=dict(survey.languages.most_common()),
        flags=dict(sorted(survey.flags.items())),
        personal=dict(sorted(survey.personal.items())),
        copies={kept.payload(row).id: copies[row] for row in survivors.tolist() if copies[row] > 1},
    )


def _identity(settings: MiningSettings) -> dict[str, int | None]:
    return {"seed": settings.seed, "k": settings.k, "scenarios": settings.scenarios, "clusters": settings.clusters}


def _batches(rows: Iterator[RawRow | Quarantined]) -> Iterator[list[RawRow | Quarantined]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _fold(kept: _Kept, drop: Callable[[Quarantined], None], tell: Progress) -> NDArray[np.int64]:
    """Representative of each row; folded rows go to the quarantine with the id of theirs."""
    total = len(kept.exact)
    tell("duplicates", 0, total)
    representative = fold_exact(kept.exact)
    rows = np.flatnonzero(representative == np.arange(total))
    for row in np.flatnonzero(representative != np.arange(total)).tolist():
        drop(_folded(kept, row, int(representative[row]), None))
    keys = np.array(kept.bands, dtype=np.uint64).reshape(total, BANDS)
    kept.bands.clear()
    near, likeness = fold_near(keys, rows, kept.shingles)
    for row, value in sorted(likeness.items()):
        drop(_folded(kept, row, int(near[row]), value))
    tell("duplicates", total, total)
    return near[representative]


def _folded(kept: _Kept, row: int, into: int, likeness: float | None) -> Quarantined:
    own, other = kept.payload(row), kept.payload(into)
    return Quarantined.of(
        stage=Stage.MINE,
        step="exact_duplicates" if likeness is None else "near_duplicates",
        reason="exact_duplicate" if likeness is None else "near_duplicate",
        detail=f"same as {other.id}" if likeness is None else f"Jaccard {likeness} with {other.id}",
        source=own.source,
        line=own.line,
        raw=kept.raw(row),
    )


def _steps(rows: int, failed: Counter[str]) -> tuple[StepCount, ...]:
    steps = []
    left = rows
    for step in ("read", "clean", "exact_duplicates", "near_duplicates", "behaviour"):
        steps.append(StepCount(step=step, rows_in=left, rows_out=left - failed[step], quarantined=failed[step]))
        left -= failed[step]
    return tuple(steps)


@dataclass(slots=True)
class _Survey:
    """What one pass over the survivors gathers."""

    behaviours: Records[ConversationBehaviour]
    summaries: list[ClusterSummary] = field(default_factory=list)
    counters: dict[str, BehaviourCounter] = field(default_factory=dict)
    languages: Counter[str] = field(default_factory=Counter)
    flags: Counter[str] = field(default_factory=Counter)
    personal: Counter[str] = field(default_factory=Counter)
    openings: int = 0


def _survey(kept: _Kept, survivors: NDArray[np.int64], settings: MiningSettings, tell: Progress) -> _Survey:
    survey = _Survey(Records(ConversationBehaviour, settings.scratch))
    by_language: dict[str, list[int]] = {language: [] for language in SEED_LANGUAGES}
    counts: Counter[str] = Counter()
    for done, row in enumerate(survivors.tolist(), 1):
        one = kept.payload(row)
        survey.behaviours.add(ConversationBehaviour.of(conversation=one.id, language=one.language, turns=one.turns))
        survey.counters.setdefault(one.language, BehaviourCounter()).add(one.turns)
        survey.languages[one.language] += 1
        survey.flags.update(one.flags)
        survey.personal.update(dict(one.personal))
        if one.openings:
            by_language[one.language].append(row)
            counts[one.language] += len(one.openings)
        if done % BATCH == 0 or done == len(survivors):
            tell("behaviour", done, len(survivors))
    survey.openings = counts.total()
    for place, (language, rows) in enumerate(by_language.items()):
        tell("clustering", place, len(by_language))
        survey.summaries += _clusters(kept, Language(language), rows, counts[language], settings)
    tell("clustering", len(by_language), len(by_language))
    return survey


def _clusters(
    kept: _Kept, language: Language, rows: list[int], count: int, settings: MiningSettings
) -> list[ClusterSummary]:
    def texts() -> Iterator[str]:
        for row in rows:
            for opening in kept.payload(row).openings:
                yield opening.text

    labels = cluster(texts, count, seed=settings.seed, clusters=settings.clusters)
    summaries = [ClusterSummary(language) for _ in range(int(labels.max()) + 1 if len(labels) else 0)]
    place = 0
    for row in rows:
        one = kept.payload(row)
        for opening in one.openings:
            summaries[labels[place]].add(one.id, one.user, opening, one.turns)
            place += 1
    return summaries
