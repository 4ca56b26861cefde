"""Chat formats: one recogniser, and one function a format from a row's JSON to a ``Chat``."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, assert_never

from wildtool.mining.readers.content import Chat, RowError, message_pairs, role_of, text_of


class LogFormat(StrEnum):
    """Formats of logs, recognised by content."""

    OPENAI = "openai"
    """``messages`` of role and content; request logs with ``request.messages`` too."""
    SHAREGPT = "sharegpt"
    """``conversations`` of ``from`` and ``value``."""
    WILDCHAT = "wildchat"
    """WildChat and LMSYS-Chat-1M: ``conversation`` of role and content, with flags of their own."""
    CHATGPT = "chatgpt"
    """ChatGPT export: a tree of nodes in ``mapping``."""
    LANGFUSE = "langfuse"
    """Langfuse traces, grouped by session."""
    LANGSMITH = "langsmith"
    """LangSmith runs, grouped by thread or session."""
    OTEL = "otel"
    """OpenTelemetry GenAI spans, grouped by conversation or trace."""


TRACES = frozenset({LogFormat.LANGFUSE, LogFormat.LANGSMITH, LogFormat.OTEL})
"""Formats of which several rows make one conversation."""

WRAPPERS = ("data", "conversations", "items", "rows", "runs", "traces", "records", "logs", "results", "chats", "spans")
"""Keys under which exports wrap the list of their rows."""


def recognise(value: Any) -> LogFormat | None:
    """Format of one row's JSON; None where no format fits."""
    if isinstance(value, list):
        return LogFormat.OPENAI if _looks_like_messages(value) else None
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("mapping"), dict):
        return LogFormat.CHATGPT
    if "resourceSpans" in value or "resource_spans" in value:
        return LogFormat.OTEL
    if ("spanId" in value or "span_id" in value or "context" in value) and "attributes" in value:
        return LogFormat.OTEL
    if "run_type" in value and ("inputs" in value or "outputs" in value):
        return LogFormat.LANGSMITH
    for key in ("conversations", "conversation"):
        turns = value.get(key)
        if isinstance(turns, list):
            first = next((turn for turn in turns if isinstance(turn, dict)), None)
            if first is None:
                return LogFormat.SHAREGPT if key == "conversations" else LogFormat.WILDCHAT
            if "from" in first or "value" in first:
                return LogFormat.SHAREGPT
            if "role" in first:
                return LogFormat.WILDCHAT
    if "messages" in value:
        return LogFormat.OPENAI
    request = value.get("request", value.get("body"))
    if isinstance(request, dict) and "messages" in request:
        return LogFormat.OPENAI
    traced = any(key in value for key in ("sessionId", "session_id", "traceId", "trace_id", "observations"))
    if traced and ("input" in value or "output" in value):
        return LogFormat.LANGFUSE
    return None


def _looks_like_messages(value: list[Any]) -> bool:
    return bool(value) and all(isinstance(one, dict) and "role" in one and "messages" not in one for one in value[:3])


def unwrap(value: Any) -> list[Any] | None:
    """Rows of a document that wraps them in a list under a known key; None where it is no such document."""
    if isinstance(value, dict) and recognise(value) is None:
        for key in WRAPPERS:
            rows = value.get(key)
            if isinstance(rows, list) and rows:
                return rows
    return None


def read_chat(value: Any) -> Chat:
    """The chat in one row's JSON.

    Raises:
        RowError: no format fits, or the row breaks its format's shape.
    """
    chat = _of_format(value, recognise(value))
    if isinstance(value, dict):
        chat.flags = _flags(value)
    return chat


def _of_format(value: Any, format_: LogFormat | None) -> Chat:
    match format_:
        case LogFormat.OPENAI:
            return _openai(value)
        case LogFormat.SHAREGPT:
            return _sharegpt(value)
        case LogFormat.WILDCHAT:
            return _wildchat(value)
        case LogFormat.CHATGPT:
            return _chatgpt(value)
        case LogFormat.LANGFUSE | LogFormat.LANGSMITH | LogFormat.OTEL:
            raise RowError("bad_trace", f"a lone {format_} row without any messages")
        case None:
            keys = ", ".join(list(value)[:6]) if isinstance(value, dict) else type(value).__name__
            raise RowError("unknown_row_format", f"no chat format has this shape: {keys[:100]}")
        case _:
            assert_never(format_)


def _flags(value: dict[str, Any]) -> list[str]:
    """Marks that the log gives the conversation or one of its messages, under the keys of WildChat and LMSYS-Chat-1M."""
    turns = next(
        (value[key] for key in ("messages", "conversation", "conversations") if isinstance(value.get(key), list)), ()
    )
    places = [value, value.get("metadata"), *turns]
    marked = [place for place in places if isinstance(place, dict)]
    moderation = value.get("openai_moderation", value.get("moderation"))
    judged = moderation if isinstance(moderation, list) else [moderation]
    toxic = any(isinstance(one, dict) and _yes(one.get("flagged")) for one in judged)
    found = ["toxic"] if toxic or any(_yes(place.get("toxic")) for place in marked) else []
    return [*found, "redacted"] if any(_yes(place.get("redacted")) for place in marked) else found


def _yes(value: Any) -> bool:
    return value is True or value == 1 or (isinstance(value, str) and value.strip().lower() in ("true", "yes", "1"))


def _named(value: dict[str, Any], *names: str) -> Any:
    for name in names:
        if value.get(name) not in (None, "", []):
            return value[name]
    return None


def describe(value: dict[str, Any], chat: Chat) -> Chat:
    """Fill in id, user and time from the keys that logs use for them."""
    chat.id = str(_named(value, "id", "conversation_id", "conversation_hash", "chat_id", "session_id", "uuid") or "")
    meta = value.get("metadata")
    found = _named(value, "user", "user_id", "userId", "hashed_ip", "end_user", "account_id")
    if found is None and isinstance(meta, dict):
        found = _named(meta, "user_id", "userId", "user", "hashed_ip")
    if isinstance(found, dict):
        found = _named(found, "id", "user_id", "name")
    chat.user = str(found) if found is not None else ""
    chat.created = _named(
        value, "created_at", "timestamp", "create_time", "createdAt", "created", "time", "tstamp", "date", "start_time"
    )
    return chat


def _openai(value: Any) -> Chat:
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


def _sharegpt(value: dict[str, Any]) -> Chat:
    turns = value["conversations"] if isinstance(value.get("conversations"), list) else value["conversation"]
    pairs = message_pairs(turns, role="from", content="value")
    system = value.get("system")
    if isinstance(system, str) and system.strip():
        pairs.insert(0, ("system", system))
    return describe(value, Chat(pairs))


def _wildchat(value: dict[str, Any]) -> Chat:
    turns = value["conversation"] if isinstance(value.get("conversation"), list) else value["conversations"]
    chat = describe(value, Chat(message_pairs(turns)))
    first = next((turn for turn in turns if isinstance(turn, dict)), {})
    if not chat.user and first.get("hashed_ip"):
        chat.user = str(first["hashed_ip"])
    if chat.created is None:
        chat.created = first.get("timestamp")
    return chat


def _chatgpt(value: dict[str, Any]) -> Chat:
    """Flatten the tree along the current branch: from ``current_node`` up to the root.

    Without a current node the newest leaf is taken. A cycle, which a broken export can hold, ends the walk.
    """
    mapping: dict[str, Any] = value["mapping"]
    current = value.get("current_node")
    if current not in mapping:
        leaves = [key for key, node in mapping.items() if isinstance(node, dict) and not node.get("children")]
        current = max(leaves, key=lambda key: _node_time(mapping[key]), default=None)
    branch: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in mapping and current not in seen:
        seen.add(current)
        node = mapping[current]
        if not isinstance(node, dict):
            break
        if isinstance(node.get("message"), dict):
            branch.append(node["message"])
        current = node.get("parent")
    pairs = []
    for message in reversed(branch):
        author = message.get("author") or {}
        meta = message.get("metadata") or {}
        if meta.get("is_visually_hidden_from_conversation"):
            continue
        text = text_of(message.get("content"))
        if text.strip():
            pairs.append((role_of(author.get("role")), text))
    return describe(value, Chat(pairs))


def _node_time(node: dict[str, Any]) -> float:
    message = node.get("message")
    time = message.get("create_time") if isinstance(message, dict) else None
    return float(time) if isinstance(time, int | float) else 0.0
