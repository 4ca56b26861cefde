"""The whole way from logs to seed scenarios."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pydantic import Field

from mining.behaviour import observe
from mining.clusters import Cluster, Opening, cluster
from mining.dedup import fold
from mining.domains import LANGUAGES, domain_of
from mining.expand import expand
from mining.language import with_language
from mining.privacy import scrub
from mining.quality import reason_to_drop
from mining.readers import read_logs
from mining.scenarios import seeds_of
from mining.statistics import behaviour_stats
from schemas.base import Record
from schemas.conversation import BehaviourStats, Conversation, ConversationBehaviour
from schemas.quarantine import Quarantined, StageReport, StepCount
from schemas.seed import SeedScenario
from schemas.vocabulary import Stage, TurnKind

Progress = Callable[[str, int, int | None], None]

REPORT_EVERY = 200
"""Conversations between two words on how far it is."""


class MiningSettings(Record):
    """What shapes the result."""

    seed: int = 0
    """Seed of all randomness."""
    k: int = Field(default=3, ge=1)
    """Fewest different users that a seed needs: what fewer people did may tell who they are."""
    scenarios: int | None = Field(default=None, ge=1)
    """Seeds wanted a language; None: as many as the log gives."""


class MiningResult(Record):
    """What mining gives."""

    seeds: tuple[SeedScenario, ...]
    """Seed scenarios, by language and category."""
    behaviours: tuple[ConversationBehaviour, ...]
    """Behaviour of every kept conversation, in the order of the log."""
    stats: dict[str, BehaviourStats]
    """Behaviour by language."""
    quarantined: tuple[Quarantined, ...]
    """Rows that were dropped, each with its reason."""
    report: StageReport
    """Rows in = rows out + quarantined, at each step. ``run`` is left empty: it is the caller's to name."""


def mine(
    paths: Sequence[str], *, settings: MiningSettings | None = None, progress: Progress | None = None
) -> MiningResult:
    """Mine logs. Where every row is bad the result holds them in ``quarantined`` and nothing else.

    Raises:
        InputError: a path leads nowhere, or nothing in the input is a log.
    """
    settings = settings or MiningSettings()
    say = progress or (lambda text, done, total: None)
    quarantined: list[Quarantined] = []

    read: list[Conversation] = []
    for conversation in read_logs(list(paths), quarantine=quarantined.append):
        read.append(conversation)
        if len(read) % REPORT_EVERY == 0:
            say("reading conversations", len(read), None)
    steps = [
        StepCount(step="read", rows_in=len(read) + len(quarantined), rows_out=len(read), quarantined=len(quarantined))
    ]

    clean: list[Conversation] = []
    for conversation in read:
        reason = reason_to_drop(conversation)
        if reason is None:
            clean.append(conversation)
        else:
            quarantined.append(_dropped("clean", *reason, conversation))
    steps.append(_step("clean", len(read), len(clean)))

    kept, copies = fold(clean, seed=settings.seed)
    for copy in copies:
        reason_code = "exact_duplicate" if copy.exact else "near_duplicate"
        quarantined.append(_dropped("deduplicate", reason_code, f"stands behind {copy.of}", copy.conversation))
    steps.append(_step("deduplicate", len(clean), len(kept)))

    scrubbed: list[Conversation] = []
    behaviours: list[ConversationBehaviour] = []
    for number, conversation in enumerate(kept, 1):
        scrubbed.append(scrub(with_language(conversation)))
        behaviours.append(observe(scrubbed[-1]))
        if number % REPORT_EVERY == 0 or number == len(kept):
            say("scrubbing and observing", number, len(kept))
    steps.append(_step("observe", len(kept), len(behaviours)))

    seeds, notes = _seeds(scrubbed, behaviours, settings)
    languages = sorted({behaviour.language for behaviour in behaviours})
    stats = {language: behaviour_stats(one for one in behaviours if one.language == language) for language in languages}
    others = sum(stats[language].conversations for language in languages if language not in LANGUAGES)
    return MiningResult(
        seeds=tuple(seeds),
        behaviours=tuple(behaviours),
        stats=stats,
        quarantined=tuple(quarantined),
        report=StageReport(
            stage=Stage.MINE,
            run="",
            steps=tuple(steps),
            notes={
                "seeds": len(seeds),
                "conversations_in_other_languages": others,
                **{
                    f"conversations_{language}": stats[language].conversations
                    for language in LANGUAGES
                    if language in stats
                },
                **notes,
            },
        ),
    )


def _seeds(
    conversations: Sequence[Conversation], behaviours: Sequence[ConversationBehaviour], settings: MiningSettings
) -> tuple[list[SeedScenario], dict[str, int]]:
    by_id = {behaviour.conversation: behaviour for behaviour in behaviours}
    seeds: list[SeedScenario] = []
    notes = {"openings": 0, "openings_without_category": 0, "clusters_without_enough_users": 0}
    for language in LANGUAGES:
        openings: list[Opening] = []
        for conversation in conversations:
            if conversation.language != language:
                continue
            for opening in _openings(conversation, by_id[conversation.id]):
                notes["openings"] += 1
                if opening is None:
                    notes["openings_without_category"] += 1
                else:
                    openings.append(opening)
        clusters: list[Cluster] = cluster(openings, language, seed=settings.seed)
        found, weak = seeds_of(clusters, by_id, k=settings.k)
        notes["clusters_without_enough_users"] += len(weak)
        seeds += expand(found, settings.scenarios, seed=settings.seed) if settings.scenarios else found
    return seeds, notes


def _openings(conversation: Conversation, behaviour: ConversationBehaviour) -> list[Opening | None]:
    """The turns that open a task, with their category; None for one that no word places."""
    found: list[Opening | None] = []
    for turn in behaviour.turns:
        if turn.kind is not TurnKind.TASK_OPEN:
            continue
        text = conversation.messages[turn.message].content
        domain = domain_of(text, conversation.language)
        found.append(None if domain is None else Opening(conversation, turn.turn, text, domain))
    return found


def _step(name: str, rows_in: int, rows_out: int) -> StepCount:
    return StepCount(step=name, rows_in=rows_in, rows_out=rows_out, quarantined=rows_in - rows_out)


def _dropped(step: str, reason: str, detail: str, conversation: Conversation) -> Quarantined:
    return Quarantined.of(
        stage=Stage.MINE,
        step=step,
        reason=reason,
        detail=detail,
        source=conversation.source,
        line=conversation.line,
        raw=conversation.to_json(),
    )
