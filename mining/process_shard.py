"""Process one shard of rows into a table: the pure function that runs in parallel."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson

from wildtool.language.detection import language_of, user_text
from wildtool.language.lexicon import languages as registered_languages
from wildtool.mining.arrow_columns import column
from wildtool.mining.behaviour import observe_texts
from wildtool.mining.deduplicate import (
    BANDS,
    FEWEST_SHINGLES,
    MOST_CHARACTERS,
    exact_digest,
    normal,
    shingles,
    sketches,
)
from wildtool.mining.privacy import Scrubbed, scrub_texts
from wildtool.mining.privacy.models import name_finder
from wildtool.mining.quality import flags_of, reason_to_drop
from wildtool.mining.readers import RawRow, parse_row
from wildtool.mining.readers.rows import text_id
from wildtool.mining.scenarios.clusters import REPLY_CHARS
from wildtool.mining.statistics import counted
from wildtool.schemas.base import canonical_json
from wildtool.schemas.conversation import Conversation, ConversationBehaviour, TurnBehaviour
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import TurnKind

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

SHARD_ROWS = 2_000
"""Rows of a shard on this machine: about two seconds of work, so that little is lost when it is stopped."""

SHARD_BYTES = 16 << 20
"""Bytes from which a shard is full before it has all its rows: some conversations hold 10 MB."""

TOGETHER = 200
"""Conversations that take one step before the next: what a step needs (patterns, phrases, weights) stays in the processor's
cache then. Few enough that their parsed messages need little memory."""

ENDS = 4_000
"""Characters kept of each end of a message: what behaviour looks at. Bounds the cost of messages of 10 MB."""

MOST_OPENINGS = 12
"""Openings of one conversation that are clustered: beyond, one talkative user would speak for many."""

LONGEST_OPENING = 600
"""Characters of an opening that are clustered: a need is said early."""


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of a log."""

    number: int
    """From 0, in the order of the log."""
    first: int
    """Number of its first row in the whole log, from 0."""
    rows: tuple[RawRow | Quarantined, ...]
    """The rows, unparsed, or failed already."""


def shards(
    rows: Iterable[RawRow | Quarantined], *, size: int = SHARD_ROWS, most_bytes: int = SHARD_BYTES
) -> Iterator[Shard]:
    """The rows of a log in shards; the same log gives the same shards."""
    held: list[RawRow | Quarantined] = []
    number = first = weight = 0
    for row in rows:
        held.append(row)
        weight += _weight(row)
        if len(held) >= size or weight >= most_bytes:
            yield Shard(number, first, tuple(held))
            number, first, weight, held = number + 1, first + len(held), 0, []
    if held:
        yield Shard(number, first, tuple(held))


def _weight(row: RawRow | Quarantined) -> int:
    if isinstance(row, Quarantined):
        return len(row.raw)
    if isinstance(row.data, bytes):
        return len(row.data)
    return sum(len(str(value)) for value in row.data.values())


def digest(shard: Shard, names: tuple[str, ...] = ()) -> pa.Table:
    """One row of the table for each of the shard, in order. Pure and total: no row of a log raises.

    Columns: ``row`` (in the whole log), ``source``, ``line``, ``raw``; ``step``, ``reason`` and ``detail`` where the
    row ends here (null ``step``: it goes on); ``id``, ``user``, ``language``, ``flags``, ``personal`` (JSON, placeholders
    by kind), ``exact``, ``text``, ``sketch`` and ``band_0`` … for duplicates; ``behaviour_id`` and ``behaviour`` (JSON),
    ``counts`` (statistics), ``openings`` (JSON). An exact copy of an earlier row of the shard has no behaviour.

    Args:
        shard: the rows.
        names: spaCy pipelines that look for names of persons beside the cues.
    """
    entries: list[dict[str, Any]] = []
    sets: list[NDArray[np.uint64]] = []
    sketched: list[int] = []
    seen: set[bytes] = set()
    waiting: list[tuple[dict[str, Any], Conversation, str]] = []
    for place, row in enumerate(shard.rows):
        outcome = row if isinstance(row, Quarantined) else parse_row(row)
        entry: dict[str, Any] = {"row": shard.first + place}
        entries.append(entry)
        if isinstance(outcome, Quarantined):
            entry |= _failure(outcome)
            continue
        assert isinstance(row, RawRow)
        entry |= {"source": row.source, "line": row.line, "raw": raw_text(row), "id": outcome.id, "user": outcome.user}
        reason = reason_to_drop(outcome)
        if reason is not None:
            entry |= {"step": "clean", "reason": reason[0], "detail": reason[1]}
            continue
        entry["exact"] = exact_digest(outcome.messages)
        if entry["exact"] in seen:
            continue
        seen.add(entry["exact"])
        words = user_text(outcome)
        text = normal(words)
        pieces = shingles(text)
        if len(pieces) >= FEWEST_SHINGLES:
            entry["text"] = text[:MOST_CHARACTERS]
            sets.append(pieces)
            sketched.append(place)
        waiting.append((entry, outcome, words))
        if len(waiting) == TOGETHER:
            _look(waiting, names)
            waiting = []
    _look(waiting, names)
    found = sketches(sets)
    for number, place in enumerate(sketched):
        entries[place]["sketch"] = found.values[number].tobytes()
        for band in range(BANDS):
            entries[place][f"band_{band}"] = found.bands[number, band]
    return _table(entries)


def raw_text(row: RawRow) -> str:
    """The row as it came; bytes that are not UTF-8 with backslash escapes, objects of tables as JSON."""
    if isinstance(row.data, bytes):
        return row.data.decode("utf-8", "backslashreplace")
    try:
        return orjson.dumps(row.data, default=str).decode("utf-8")
    except (TypeError, orjson.JSONEncodeError):
        return repr(row.data).encode("utf-8", "backslashreplace").decode("utf-8")


def _failure(row: Quarantined) -> dict[str, Any]:
    return {
        "step": row.step, "reason": row.reason, "detail": row.detail, "source": row.source, "line": row.line, "raw": row.raw,
    }  # fmt: skip


def _look(waiting: Sequence[tuple[dict[str, Any], Conversation, str]], names: tuple[str, ...]) -> None:
    """Fill in language, marks, behaviour and openings of conversations, from their scrubbed words; a step for all of them
    before the next, see ``TOGETHER``."""
    languages = [language_of(words) for _, _, words in waiting]
    scrubbed = [scrubbed_ends(conversation, names) for _, conversation, _ in waiting]
    observed = [
        observe_texts([(message.role, text) for message, text in zip(one.messages, said.texts, strict=True)], language)
        for (_, one, _), said, language in zip(waiting, scrubbed, languages, strict=True)
    ]
    for (entry, one, _), said, language, turns in zip(waiting, scrubbed, languages, observed, strict=True):
        entry["language"] = language
        entry["flags"] = sorted({*one.flags, *flags_of(one)})
        entry["personal"] = orjson.dumps(dict(sorted(said.found.items()))).decode() if said.found else None
        entry["behaviour_id"], entry["behaviour"] = written(one.id, language, turns)
        entry["counts"] = counted(turns).tobytes()
        entry["openings"] = openings_of(said.texts, turns, language)


def openings_of(texts: Sequence[str], turns: Sequence[TurnBehaviour], language: str) -> str | None:
    """The turns that open tasks, as JSON: number, end of the message before, text, beginning of the reply. None: none."""
    found: list[tuple[int, str, str, str]] = []
    if language in registered_languages():
        for turn in turns:
            if turn.kind is TurnKind.TASK_OPEN and len(found) < MOST_OPENINGS:
                place = turn.message
                before = texts[place - 1][-REPLY_CHARS:] if place else ""
                after = texts[place + 1][:REPLY_CHARS] if place + 1 < len(texts) else ""
                found.append((turn.turn, before, texts[place][:LONGEST_OPENING], after))
    return orjson.dumps(found).decode("utf-8") if found else None


def scrubbed_ends(conversation: Conversation, names: tuple[str, ...] = ()) -> Scrubbed:
    """The messages of users and assistants, cut and scrubbed; what tools and systems said is not read by anyone."""
    return scrub_texts(
        [_ends(message.content) if message.role in ("user", "assistant") else "" for message in conversation.messages],
        names=name_finder(names),
    )


def _ends(text: str) -> str:
    return text if len(text) <= 2 * ENDS else f"{text[:ENDS]}\n{text[-ENDS:]}"


def written(conversation: str, language: str, turns: tuple[TurnBehaviour, ...]) -> tuple[str, str]:
    """Id and canonical JSON of ``ConversationBehaviour.of`` these, four times faster: its texts and whole numbers are
    written alike by orjson."""
    fields: dict[str, Any] = {
        "conversation": conversation,
        "language": language,
        "turns": [
            {
                "turn": turn.turn,
                "message": turn.message,
                "kind": turn.kind.value,
                "composition": turn.composition.value,
                "hidden": [one.model_dump(mode="json") for one in turn.hidden],
            }
            for turn in turns
        ],
    }
    fields["id"] = text_id(ConversationBehaviour.PREFIX, fields)
    fields["copies"] = 1  # known after deduplication; not part of the identity
    try:
        return fields["id"], orjson.dumps(fields, option=orjson.OPT_SORT_KEYS).decode("utf-8")
    except orjson.JSONEncodeError:
        return fields["id"], canonical_json(fields)


def _table(entries: list[dict[str, Any]]) -> pa.Table:
    import pyarrow as pa

    columns = schema()
    return pa.Table.from_arrays(
        [column([entry.get(field.name) for entry in entries], field.type) for field in columns], schema=columns
    )


def schema() -> pa.Schema:
    """Columns of a digested shard."""
    import pyarrow as pa

    text = pa.string()
    kinds: dict[str, pa.DataType] = {
        "row": pa.int64(), "source": text, "line": pa.int64(), "raw": text, "step": text, "reason": text, "detail": text,
        "id": text, "user": text, "language": text, "flags": pa.list_(text), "personal": text,
        "exact": pa.binary(16), "text": text, "sketch": pa.binary(),
        "behaviour_id": text, "behaviour": text, "counts": pa.binary(), "openings": text,
    }  # fmt: skip
    return pa.schema([*kinds.items(), *((f"band_{band}", pa.uint64()) for band in range(BANDS))])
