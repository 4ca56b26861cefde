"""ShareGPT: ``conversations`` of ``from`` and ``value``."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import conversation_lists, describe
from wildtool.mining.readers.content import Chat
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.speakers import conversation_of


def fits(value: Any) -> bool:
    """The first list of turns that tells has ``from`` or ``value`` in its first turn; an empty ``conversations`` counts too."""
    for key, first in conversation_lists(value):
        if first is None:
            return key == "conversations"
        if "from" in first or "value" in first:
            return True
        if "role" in first:
            return False
    return False


def read(value: dict[str, Any]) -> Chat:
    """The turns, after the system prompt where the row has one."""
    turns = value["conversations"] if isinstance(value.get("conversations"), list) else value["conversation"]
    pairs = conversation_of(turns)
    system = value.get("system")
    if isinstance(system, str) and system.strip():
        pairs.insert(0, ("system", system))
    return describe(value, Chat(pairs))


SHAREGPT = LogFormat("sharegpt", "ShareGPT", fits, read, order=40)
