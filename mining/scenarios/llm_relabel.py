"""Let a language model relabel the turns of some rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from wildtool.mining.process_shard import openings_of, scrubbed_ends, written
from wildtool.mining.readers import RawRow, parse_row
from wildtool.mining.scenarios.llm_rewrite import Ask, Observed, refine
from wildtool.mining.statistics import counted
from wildtool.schemas.conversation import ConversationBehaviour
from wildtool.schemas.quarantine import Quarantined

if TYPE_CHECKING:
    import pyarrow as pa


def second_look(
    entries: Iterable[dict[str, Any]], ask: Ask, names: tuple[str, ...] = ()
) -> tuple[dict[int, dict[str, Any]], dict[str, int]]:
    """What the model changed, by row: the columns ``behaviour_id``, ``behaviour``, ``counts`` and ``openings``; and counts.

    Args:
        entries: rows of the shard files with ``row``, ``language``, ``source``, ``line``, ``raw`` and ``behaviour``.
        ask: the model.
        names: spaCy pipelines that look for names, as in ``digest``.
    """
    known: list[tuple[int, str, Observed]] = []
    for entry in entries:
        conversation = parse_row(RawRow(entry["source"], entry["line"], entry["raw"].encode("utf-8")))
        if isinstance(conversation, Quarantined):  # bytes that were no UTF-8 cannot be read back
            continue
        roles = [message.role for message in conversation.messages]
        texts = tuple(zip(roles, scrubbed_ends(conversation, names).texts, strict=True))
        turns = ConversationBehaviour.model_validate_json(entry["behaviour"]).turns
        known.append((entry["row"], entry["language"], Observed(conversation.id, texts, turns)))
    found, changed = refine([one for _, _, one in known], ask)
    columns: dict[int, dict[str, Any]] = {}
    for (row, language, one), turns in zip(known, found, strict=True):
        if turns != one.turns:
            identity, text = written(one.id, language, turns)
            columns[row] = {
                "behaviour_id": identity,
                "behaviour": text,
                "counts": counted(turns).tobytes(),
                "openings": openings_of([text for _, text in one.texts], turns, language),
            }
    return columns, {"conversations_looked_at_again": len(known), "turns_labelled_anew": changed}


def patched(table: pa.Table, changes: dict[int, dict[str, Any]]) -> pa.Table:
    """Apply the model's changes to a shard's table: those columns of ``second_look`` that the table has."""
    places = {row: place for place, row in enumerate(table["row"].to_pylist()) if row in changes} if changes else {}
    if not places:
        return table
    import pyarrow as pa

    for name in ("behaviour_id", "behaviour", "counts", "openings"):
        if name in table.column_names:
            values = table[name].to_pylist()
            for row, place in places.items():
                values[place] = changes[row][name]
            number = table.column_names.index(name)
            kind = table.field(number)
            table = table.set_column(number, kind, pa.array(values, kind.type))
    return table
