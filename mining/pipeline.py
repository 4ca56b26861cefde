"""Mine logs into seed scenarios. Memory grows with the log by some tens of bytes a row only.

Shards of rows are digested by worker processes (or by any other runner, on other machines), written to shard files by one
writer, and deduplicated; later steps read the files column by column. With a folder of the caller's own, a killed run
resumes with the missing shards.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import Field

from wildtool.grounding.hidden_intents import require_complete
from wildtool.language.lexicon import languages as registered_languages
from wildtool.mining.deduplicate import fold
from wildtool.mining.parallel import Runner, in_processes
from wildtool.mining.privacy.models import name_finder
from wildtool.mining.process_shard import SHARD_ROWS, Shard, digest, shards
from wildtool.mining.readers import expand as expand_paths
from wildtool.mining.readers import read_rows
from wildtool.mining.scenarios.clusters import Opening, cluster
from wildtool.mining.scenarios.compose import seeds_of
from wildtool.mining.scenarios.domains import domain_of
from wildtool.mining.scenarios.expand import expand
from wildtool.mining.scenarios.llm_rewrite import Ask, word
from wildtool.mining.shard_reader import Openers, View
from wildtool.mining.shard_store import Spool
from wildtool.mining.statistics import stats_of
from wildtool.mining.words import check_languages
from wildtool.schemas.base import Record
from wildtool.schemas.conversation import BehaviourStats, ConversationBehaviour
from wildtool.schemas.quarantine import Quarantined, StageReport, StepCount
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    import pyarrow as pa

Progress = Callable[[str, int, int | None], None]

MOST_OPENINGS = 20_000
"""Openings of a language that are clustered; beyond that, a fair sample (see ``shard_reader.Openers``). Clustering costs
more than linear, and 20,000 openings show what a million users do."""


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
    names: tuple[str, ...] = ()
    """spaCy pipelines that look for names of persons beside the cues (``mining.privacy.models``)."""
    keep_raw: bool = False
    """Whether quarantined rows hold the row as it came, personal data and all."""
    fields: dict[str, str] = Field(default_factory=dict)
    """Fields of the log's rows by what they hold: role, text, user, session, time; found by their usual names without."""


R = TypeVar("R", bound=Record)


class Rows(Generic[R]):
    """Records in the shard files: counted, and iterated any number of times in the order of the log."""

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
    """The behaviours as large tables of ``id``, ``conversation``, ``language`` and ``body`` (JSON): for bulk writing."""


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
    """Mine logs: personal data scrubbed, duplicates merged, behaviour counted, seed scenarios found.

    Args:
        paths: logs in any registered format: files, folders, globs, ``-`` for standard input.
        settings: what shapes the result; None takes the defaults.
        progress: called with what is being done, how much of it is done, and of how much (None: unknown).
        spool: folder of processed shards, named by the caller for this input and these settings; existing shards are not
            processed again. None: a temporary one, which lives as long as the result.
        runner: runs ``digest`` over shards; None: one worker process a core. It changes no result.
        shard_rows: rows of a shard: more where handing one over is expensive.
        ask: a language model. It words the seeds and looks again at ``settings.refine`` conversations; what it does not
            answer stays as it was.

    Returns:
        Seeds, behaviour of every kept conversation, statistics by language, quarantined rows and counts. Shares are from 0
        to 1. Where every row is bad, the result holds them in ``quarantined`` and nothing else.

    Raises:
        InputError: a path leads nowhere, nothing in the input is a log, or a pipeline for names is not installed.
        LanguageError: a registered language lacks words that mining needs.
        SettingsError: a registered hidden-intent kind or reference device is not sound.

    Source: ``mining/pipeline.py``.
    """
    settings = settings or MiningSettings()
    say = progress or (lambda text, done, total: None)
    store = Spool(spool) if spool else Spool.temporary()
    check_languages()
    require_complete()
    name_finder(settings.names)  # report a missing pipeline at once, not from a worker
    files, rows = _digested(
        paths, store, partial(digest, names=settings.names), runner or in_processes, shard_rows, say, settings.fields
    )
    say("removing duplicates", 0, rows)
    folded = fold(files, rows, scratch=store.scratch)
    shutil.rmtree(store.scratch)
    view = View(store, files, rows, folded, keep_raw=settings.keep_raw)
    asked: dict[str, int] = {}
    if ask is not None and settings.refine:
        say("asking the model about turns", 0, settings.refine)
        asked = view.refine(settings.refine, ask, settings.names)
    survey = view.survey()
    say("finding scenarios", 0, None)
    seeds, notes = _seeds(view.openers(MOST_OPENINGS), settings)
    if ask is not None and seeds:
        say("asking the model for words", 0, len(seeds))
        seeds, asked["seeds_worded"] = word(seeds, ask)
    languages = sorted(survey.counts)
    stats = {language: stats_of(survey.counts[language]) for language in languages}
    others = sum(stats[language].conversations for language in languages if language not in registered_languages())
    say("finding scenarios", len(seeds), len(seeds))
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
                **{f"conversations_{one}": stats[one].conversations for one in registered_languages() if one in stats},
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
    paths: Sequence[str],
    store: Spool,
    work: Callable[[Shard], pa.Table],
    runner: Runner,
    shard_rows: int,
    say: Progress,
    fields: Mapping[str, str],
) -> tuple[list[Path], int]:
    """Files of all shards in the order of the log, and the number of rows."""
    count = rows = 0

    def missing() -> Iterator[Shard]:
        nonlocal count, rows
        for shard in shards(read_rows(expand_paths(list(paths), fields)), size=shard_rows):
            count, rows = count + 1, shard.first + len(shard.rows)
            if not store.has(shard.number):
                yield shard

    say("mining conversations", 0, None)
    done = 0
    for shard, table in runner(work, missing(), name="mine-shards"):
        store.put(shard.number, table)
        done += len(shard.rows)
        say("mining conversations", done, None)
    return [store.path(number) for number in range(count)], rows


def _seeds(openers: dict[str, Openers], settings: MiningSettings) -> tuple[list[SeedScenario], dict[str, int | bool]]:
    seeds: list[SeedScenario] = []
    notes = {
        "openings": 0,
        "openings_without_category": 0,
        "clusters_without_enough_users": 0,
        "clustered_a_sample": False,
    }
    for language in sorted(openers):
        sample = openers.pop(language)
        openings: list[Opening] = []
        counts: dict[str, bytes] = {}
        for row in sample.taken():
            counts[row["id"]] = row["counts"]
            for turn, before, text, after in row["openings"]:
                domain = domain_of(text, language)
                openings.append(Opening(row["id"], row["user"], turn, text, domain, before, after))
                notes["openings_without_category"] += domain is None
        notes["openings"] += len(openings)
        notes["clustered_a_sample"] = notes["clustered_a_sample"] or sample.sampled
        found, weak = seeds_of(cluster(openings, language, seed=settings.seed), counts, k=settings.k)
        notes["clusters_without_enough_users"] += len(weak)
        seeds += expand(found, settings.scenarios, seed=settings.seed) if settings.scenarios else found
    return seeds, notes


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
