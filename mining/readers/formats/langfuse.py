"""Langfuse traces, gathered by session."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.content import iso_time
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.traces import Turn, exchange, trace_messages

_KEYS = ("sessionId", "session_id", "traceId", "trace_id", "observations")


_STEPS = frozenset(("TOOL", "RETRIEVER", "EMBEDDING", "EVENT", "GUARDRAIL", "EVALUATOR"))
"""Types of observations in which no user speaks."""


def fits(value: Any) -> bool:
    """An object with a session, a trace or observations, and an input or output."""
    if not isinstance(value, dict):
        return False
    trace = value.get("trace")
    if isinstance(trace, dict) and ("input" in trace or "output" in trace):
        return True
    return any(key in value for key in _KEYS) and ("input" in value or "output" in value)


def turns(value: dict[str, Any]) -> list[Turn]:
    """The one turn of a trace; none for a step of a tool."""
    trace = value.get("trace")
    value = trace if isinstance(trace, dict) else value
    if str(value.get("type") or "").upper() in _STEPS:
        return []
    meta = value.get("metadata") if isinstance(value.get("metadata"), dict) else {}
    session = value.get("sessionId") or value.get("session_id") or value.get("traceId") or value.get("id") or ""
    user = value.get("userId") or value.get("user_id") or (meta or {}).get("user_id") or ""
    time = iso_time(value.get("timestamp") or value.get("createdAt") or value.get("startTime")) or ""
    pairs = exchange(trace_messages(value.get("input"), "user"), trace_messages(value.get("output"), "assistant"))
    step = bool(value.get("parentObservationId") or value.get("parent_observation_id"))
    return [Turn(str(session), str(user), time, pairs, step=step)] if pairs else []


LANGFUSE = LogFormat(
    "langfuse", "Langfuse traces", fits, turns=turns, order=70, marks=tuple(f'"{key}"'.encode() for key in _KEYS)
)
