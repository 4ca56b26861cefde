"""WildChat and LMSYS-Chat-1M: ``conversation`` of role and content, with flags of their own."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import conversation_lists, describe
from wildtool.mining.readers.content import Chat
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.speakers import conversation_of


def fits(value: Any) -> bool:
    """The first list of turns that tells has ``role`` in its first turn; an empty ``conversation`` counts too."""
    for key, first in conversation_lists(value):
        if first is None:
            return key == "conversation"
        if "from" in first or "value" in first:
            return False
        if "role" in first:
            return True
    return False


def read(value: dict[str, Any]) -> Chat:
    """The turns; user and time may stand in the first of them."""
    turns = value["conversation"] if isinstance(value.get("conversation"), list) else value["conversations"]
    chat = describe(value, Chat(conversation_of(turns)))
    first = next((turn for turn in turns if isinstance(turn, dict)), {})
    if not chat.user and first.get("hashed_ip"):
        chat.user = str(first["hashed_ip"])
    if chat.created is None:
        chat.created = first.get("timestamp")
    return chat


WILDCHAT = LogFormat("wildchat", "WildChat or LMSYS", fits, read, order=50)
