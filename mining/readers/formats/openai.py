"""OpenAI messages: a list of role and content, under ``messages``, or in a request log under ``request.messages``."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import describe
from wildtool.mining.readers.content import Chat, RowError
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.shapes import find
from wildtool.mining.readers.speakers import conversation_of


def fits(value: Any) -> bool:
    """A list of messages, or an object that holds one as ``messages`` or in its request."""
    if isinstance(value, list):
        return bool(value) and all(
            isinstance(one, dict) and "role" in one and "messages" not in one and not _GROUPED & one.keys()
            for one in value[:3]
        )
    if not isinstance(value, dict):
        return False
    request = value.get("request", value.get("body"))
    return "messages" in value or (isinstance(request, dict) and "messages" in request)


_GROUPED = frozenset(("session_id", "conversation_id", "thread_id", "chat_id", "dialogue_id"))
"""Fields of messages that say to which conversation each belongs."""


_MORE = frozenset(
    "response request body completion choices output outputs result reply candidates system system_prompt instructions".split()
)
"""Fields beside ``messages`` that add messages of their own."""


def read(value: Any) -> Chat:
    """The messages; those of a request log end with what its response says."""
    if isinstance(value, list):
        return Chat(conversation_of(value))
    messages = value.get("messages", ())
    if isinstance(messages, list) and not _MORE & value.keys():
        return describe(value, Chat(conversation_of(messages)))
    found = find(value) if not isinstance(messages, list) or messages else []
    if found is None:
        if not isinstance(messages, list):
            raise RowError("bad_messages", f"messages are a {type(messages).__name__}, not a list")
        found = conversation_of(messages)
    chat = describe(value, Chat(found))
    request = value.get("request", value.get("body"))
    if not chat.user and isinstance(request, dict) and isinstance(request.get("user"), str):
        chat.user = request["user"]
    return chat


OPENAI = LogFormat("openai", "OpenAI messages JSONL", fits, read, order=60)
