"""OpenAI messages: a list of role and content, under ``messages``, or in a request log under ``request.messages``."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import describe
from wildtool.mining.readers.content import Chat, message_pairs, text_of
from wildtool.mining.readers.log_format import LogFormat


def fits(value: Any) -> bool:
    """A list of messages, or an object that holds one as ``messages`` or in its request."""
    if isinstance(value, list):
        return bool(value) and all(
            isinstance(one, dict) and "role" in one and "messages" not in one for one in value[:3]
        )
    if not isinstance(value, dict):
        return False
    request = value.get("request", value.get("body"))
    return "messages" in value or (isinstance(request, dict) and "messages" in request)


def read(value: Any) -> Chat:
    """The messages; those of a request log end with the first choice of its response."""
    if isinstance(value, list):
        return Chat(message_pairs(value))
    request = value.get("request", value.get("body"))
    if "messages" in value or not isinstance(request, dict):
        messages = value["messages"]
        user = value.get("user")
    else:
        messages = request["messages"]
        user = request.get("user")
    pairs = message_pairs(messages)
    response = value.get("response", value.get("completion"))
    if isinstance(response, dict):
        inner = response.get("body", response)
        for choice in (inner.get("choices") if isinstance(inner, dict) else None) or []:
            if isinstance(choice, dict) and isinstance(choice.get("message"), dict):
                pairs.append(("assistant", text_of(choice["message"].get("content"))))
                break
    chat = describe(value, Chat(pairs))
    if not chat.user and isinstance(user, str):
        chat.user = user
    return chat


OPENAI = LogFormat("openai", "OpenAI messages JSONL", fits, read, order=60)
