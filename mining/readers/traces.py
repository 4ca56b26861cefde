"""Traces: rows of Langfuse, LangSmith and OpenTelemetry, gathered into conversations.

A turn of a chat is one trace, and most tracers log the whole history again with each turn. So the rows of one
session are sorted by time, and a row whose messages repeat what is already there adds only what is new.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from wildtool.mining.readers.chat import LogFormat, recognise
from wildtool.mining.readers.content import Role, RowError, iso_time, message_pairs, role_of, text_of

MAX_OPEN = 20_000
"""Sessions held open at once. Beyond it the one untouched for longest is closed, so that memory stays bounded
(about 100 MB); a session whose rows lie further apart than that comes out in two pieces."""


@dataclass(slots=True)
class Turn:
    """What one trace row says."""

    session: str
    """Key of the conversation."""
    user: str
    """Whatever tells users apart."""
    time: str
    """ISO 8601, or empty."""
    messages: list[tuple[Role, str]]
    """What went in and came out."""


@dataclass(slots=True)
class Group:
    """A session being gathered."""

    source: str
    line: int
    turns: list[Turn] = field(default_factory=list)

    def merged(self) -> dict[str, Any]:
        """The session as one row of OpenAI messages."""
        turns = sorted(self.turns, key=lambda turn: turn.time)
        messages: list[tuple[Role, str]] = []
        for turn in turns:
            messages.extend(_new_messages(messages, turn.messages))
        return {
            "id": turns[0].session,
            "user": next((turn.user for turn in turns if turn.user), ""),
            "created_at": turns[0].time or None,
            "messages": [{"role": role, "content": text} for role, text in messages],
        }


def _new_messages(said: list[tuple[Role, str]], row: list[tuple[Role, str]]) -> list[tuple[Role, str]]:
    """Messages of a row beyond those already said: its longest prefix that ends what was said is left out."""
    said = [message for message in said if message[0] != "system"]
    row_chat = [message for message in row if message[0] != "system"] if said else row
    for length in range(min(len(row_chat), len(said)), 0, -1):
        if row_chat[:length] == said[-length:]:
            return row_chat[length:]
    return row_chat


class Grouper:
    """Gathers rows into conversations, with at most ``MAX_OPEN`` of them open."""

    def __init__(self, limit: int = MAX_OPEN) -> None:
        self._open: OrderedDict[str, Group] = OrderedDict()
        self._limit = limit

    def add(self, source: str, line: int, turn: Turn) -> Iterator[Group]:
        """Take one row in; gives back a session that had to be closed, if any."""
        key = turn.session or f"{source}:{line}"
        group = self._open.get(key)
        if group is None:
            group = self._open[key] = Group(source, line)
        group.turns.append(turn)
        self._open.move_to_end(key)
        if len(self._open) > self._limit:
            yield self._open.popitem(last=False)[1]

    def close(self) -> Iterator[Group]:
        """All sessions still open, in the order of their last row."""
        while self._open:
            yield self._open.popitem(last=False)[1]


def read_turns(value: dict[str, Any]) -> list[Turn]:
    """The turns in one trace row; an OTLP batch holds many, a technical span none.

    Raises:
        RowError: the row breaks its format's shape.
    """
    format_ = recognise(value)
    if format_ is LogFormat.LANGFUSE:
        return [_langfuse(value)]
    if format_ is LogFormat.LANGSMITH:
        return _langsmith(value)
    if format_ is LogFormat.OTEL:
        spans = list(_spans(value))
        return [turn for span in spans if (turn := _otel(span)) is not None]
    raise RowError("bad_trace", "the row is no trace")


def _messages(value: Any, role: Role) -> list[tuple[Role, str]]:
    """Messages in a trace's input or output: a list, an object that holds one, JSON text of these, or plain text."""
    if isinstance(value, str):
        if value.lstrip()[:1] in ("[", "{"):
            try:
                return _messages(json.loads(value), role)
            except ValueError:
                pass
        return [(role, text_of(value))] if value.strip() else []
    if isinstance(value, list):
        if value and isinstance(value[0], list):  # LangChain batches: a list of lists of messages
            return _messages(value[0], role)
        if all(isinstance(one, dict) for one in value):
            return message_pairs([_plain(one) for one in value])
        return [(role, text_of(value))]
    if isinstance(value, dict):
        for key in ("messages", "chat_history", "history"):
            if isinstance(value.get(key), list):
                pairs = _messages(value[key], role)
                last = value.get("input", value.get("question"))
                return [*pairs, *_messages(last, role)] if isinstance(last, str) else pairs
        if isinstance(value.get("choices"), list) and value["choices"]:
            return _messages(value["choices"][0].get("message"), role)
        if isinstance(value.get("generations"), list) and value["generations"]:
            return _messages(value["generations"][0], role)
        if "role" in value or "kwargs" in value:
            return message_pairs([_plain(value)])
        for key in (
            "content",
            "input",
            "question",
            "query",
            "prompt",
            "text",
            "output",
            "answer",
            "response",
            "result",
        ):
            if value.get(key):
                return _messages(value[key], role)
    return []


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    """A message out of the wrappings of LangChain's serialiser (``kwargs``, ``data``, ``message``)."""
    if isinstance(message.get("message"), dict) and "role" not in message:
        return _plain(message["message"])
    for key in ("kwargs", "data"):
        inner = message.get(key)
        if isinstance(inner, dict) and "content" in inner:
            name = inner.get("type") or message.get("type") or (message.get("id") or [""])[-1]
            return {
                "role": str(name).removesuffix("Chunk").removesuffix("Message").lower(),
                "content": inner["content"],
            }
    return message


def _langfuse(value: dict[str, Any]) -> Turn:
    meta = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    session = value.get("sessionId") or value.get("session_id") or value.get("traceId") or value.get("id") or ""
    user = value.get("userId") or value.get("user_id") or (meta or {}).get("user_id") or ""
    time = iso_time(value.get("timestamp") or value.get("createdAt") or value.get("startTime")) or ""
    pairs = [*_messages(value.get("input"), "user"), *_messages(value.get("output"), "assistant")]
    return Turn(str(session), str(user), time, pairs)


def _langsmith(value: dict[str, Any]) -> list[Turn]:
    if value.get("parent_run_id"):  # a step inside a turn: the root run has the turn's messages
        return []
    extra = value.get("extra") if isinstance(value.get("extra"), dict) else {}
    meta = (extra or {}).get("metadata") or {}
    session = next((meta[key] for key in ("thread_id", "session_id", "conversation_id") if meta.get(key)), None)
    time = iso_time(value.get("start_time")) or ""
    pairs = [*_messages(value.get("inputs"), "user"), *_messages(value.get("outputs"), "assistant")]
    return [
        Turn(
            str(session or value.get("trace_id") or value.get("id") or ""), str(meta.get("user_id") or ""), time, pairs
        )
    ]


def _spans(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    batches = value.get("resourceSpans", value.get("resource_spans"))
    if not isinstance(batches, list):
        yield value
        return
    for batch in batches:
        for scope in batch.get("scopeSpans") or batch.get("scope_spans") or []:
            yield from scope.get("spans") or []


def _attributes(raw: Any) -> dict[str, Any]:
    """OTLP's list of key and typed value, or a plain object."""
    if isinstance(raw, dict):
        return raw
    found: dict[str, Any] = {}
    for one in raw if isinstance(raw, list) else []:
        if isinstance(one, dict) and "key" in one:
            typed = one.get("value")
            found[one["key"]] = next(iter(typed.values()), None) if isinstance(typed, dict) else typed
    return found


def _otel(span: dict[str, Any]) -> Turn | None:
    """A GenAI span: messages in attributes (``gen_ai.input.messages``, ``gen_ai.prompt.0.content``) or in events."""
    attributes = _attributes(span.get("attributes"))
    pairs: list[tuple[Role, str]] = []
    for key, role in _OTEL_MESSAGES:
        if key in attributes:
            pairs += _messages(attributes[key], role)
    if not pairs:
        for prefix in ("gen_ai.prompt", "gen_ai.completion"):
            index = 0
            while (content := attributes.get(f"{prefix}.{index}.content")) is not None:
                name = attributes.get(f"{prefix}.{index}.role") or (
                    "user" if prefix.endswith("prompt") else "assistant"
                )
                pairs.append((role_of(name), text_of(content)))
                index += 1
    for event in [] if pairs else span.get("events") or []:
        pairs += _event(event)
    if not pairs:
        return None
    context = span.get("context") if isinstance(span.get("context"), dict) else {}
    trace = span.get("traceId") or span.get("trace_id") or (context or {}).get("trace_id") or ""
    session = attributes.get("gen_ai.conversation.id") or attributes.get("session.id") or trace
    time = iso_time(span.get("startTimeUnixNano") or span.get("start_time")) or ""
    user = attributes.get("user.id") or attributes.get("enduser.id") or ""
    return Turn(str(session), str(user), time, pairs)


_OTEL_MESSAGES: tuple[tuple[str, Role], ...] = (
    ("gen_ai.system_instructions", "system"),
    ("gen_ai.input.messages", "user"),
    ("gen_ai.output.messages", "assistant"),
    ("input.value", "user"),  # OpenInference
    ("output.value", "assistant"),
)


def _event(event: dict[str, Any]) -> list[tuple[Role, str]]:
    name = str(event.get("name", ""))
    body = _attributes(event.get("attributes"))
    if name == "gen_ai.choice":
        return _messages(body.get("message", body.get("content")), "assistant")
    if name.startswith("gen_ai.") and name.endswith(".message"):
        role = role_of(body.get("role") or name.split(".")[1])
        return [(role, text_of(body["content"]))] if body.get("content") else []
    if name == "gen_ai.content.prompt":
        return _messages(body.get("gen_ai.prompt"), "user")
    if name == "gen_ai.content.completion":
        return _messages(body.get("gen_ai.completion"), "assistant")
    return []
