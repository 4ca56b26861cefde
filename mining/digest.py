"""What mining keeps of one conversation: digests, marks, behaviour, openings. The part that runs in parallel."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mining.behaviour import observe
from mining.dedup import band_keys, exact_digest, pack, shingles
from mining.language import detect
from mining.privacy import NameFinder, scrub
from mining.quality import quality_flags
from mining.readers import RawRow, parse_row
from schemas.conversation import Conversation, TurnBehaviour
from schemas.quarantine import Quarantined
from schemas.vocabulary import Composition, Stage, TurnKind

SEED_LANGUAGES = ("en", "zh")
"""Languages that sessions are written in; of others only statistics are kept."""

OPENING_CHARS = 400
"""Characters of an opening turn that clustering sees: a need is said early."""

MOST_OPENINGS = 12
"""Opening turns per conversation that clustering sees."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A user turn that opens a task, scrubbed."""

    turn: int
    """Among the user turns."""
    text: str
    """At most ``OPENING_CHARS`` of it."""


@dataclass(frozen=True, slots=True)
class Payload:
    """What is read back of a conversation after duplicates are known."""

    id: str
    source: str
    line: int
    user: str
    language: str
    flags: tuple[str, ...]
    turns: tuple[TurnBehaviour, ...]
    openings: tuple[Opening, ...]
    personal: tuple[tuple[str, int], ...]
    """Personal data found: kind and distinct values."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A conversation on its way from a worker: arrays small enough to keep, and bytes for the spool."""

    exact: bytes
    """16 bytes, equal for exact duplicates."""
    bands: NDArray[np.uint64]
    """Band keys of the MinHash."""
    shingles: bytes
    """For verifying near duplicates."""
    payload: bytes
    """A pickled ``Payload``. Pickle, since it never leaves this run's own spool."""
    raw: bytes
    """The row as it came."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that ends here, and the step that ends it."""

    row: Quarantined


def digest_rows(rows: Sequence[RawRow | Quarantined], names: NameFinder | None = None) -> list[Digest | Failure]:
    """Read, clean and digest a batch of rows. One outcome a row, in order; a pure function of the rows."""
    outcomes: list[Digest | Failure | int] = []
    sets: list[NDArray[np.uint64]] = []
    kept: list[tuple[bytes, Payload, bytes]] = []
    for row in rows:
        outcome = row if isinstance(row, Quarantined) else parse_row(row)
        if isinstance(outcome, Conversation) and isinstance(row, RawRow):
            raw = row.data if isinstance(row.data, bytes) else _as_json(outcome)
            reason = unusable(outcome)
            if reason is None:
                texts = [(message.role, message.content) for message in outcome.messages]
                sets.append(shingles(texts))
                kept.append((exact_digest(texts), _payload(outcome, names), raw))
                outcomes.append(len(kept) - 1)
                continue
            outcome = _dropped(outcome, *reason, raw)
        assert isinstance(outcome, Quarantined)
        outcomes.append(Failure(outcome))
    bands = band_keys(sets)
    return [
        Digest(
            exact=kept[one][0],
            bands=bands[one],
            shingles=pack(sets[one]),
            payload=pickle.dumps(kept[one][1], protocol=5),
            raw=kept[one][2],
        )
        if isinstance(one, int)
        else one
        for one in outcomes
    ]


def _as_json(conversation: Conversation) -> bytes:
    return conversation.model_dump_json().encode("utf-8")


def unusable(conversation: Conversation) -> tuple[str, str] | None:
    """Reason and detail why there is nothing to mine in a conversation; None where there is."""
    if not conversation.messages:
        return "empty_conversation", "the conversation has no messages"
    users = [message.content for message in conversation.messages if message.role == "user"]
    if not users:
        return "no_user_turn", "no message is the user's"
    if not any(text.strip() for text in users):
        return "empty_user_turns", "the user's messages are all empty"
    return None


def _dropped(conversation: Conversation, reason: str, detail: str, raw: bytes) -> Quarantined:
    return Quarantined.of(
        stage=Stage.MINE,
        step="clean",
        reason=reason,
        detail=detail,
        source=conversation.source,
        line=conversation.line,
        raw=raw.decode("utf-8", "backslashreplace"),
    )


def _payload(conversation: Conversation, names: NameFinder | None) -> Payload:
    messages = conversation.messages
    users = [message.content for message in messages if message.role == "user"]
    scrubbed = scrub([message.content for message in messages], names=names)
    language = detect(users)
    texts = [(message.role, text) for message, text in zip(messages, scrubbed.texts, strict=True)]
    turns = observe(texts, language)
    flags = (*conversation.flags, *(flag for flag in quality_flags(users) if flag not in conversation.flags))
    openings: tuple[Opening, ...] = ()
    if language in SEED_LANGUAGES:
        openings = tuple(
            Opening(turn.turn, " ".join(texts[turn.message][1][:OPENING_CHARS].split()))
            for turn in turns
            if turn.kind is TurnKind.TASK_OPEN
        )[:MOST_OPENINGS]
    return Payload(
        id=conversation.id,
        source=conversation.source,
        line=conversation.line,
        user=conversation.user,
        language=language,
        flags=flags,
        turns=turns,
        openings=openings,
        personal=tuple((kind.value, count) for kind, count in sorted(scrubbed.found.items())),
    )


def compositional(turn: TurnBehaviour) -> bool:
    """Does the turn put several needs?"""
    return turn.composition is not Composition.NONE
