"""LangSmith runs, gathered by thread or session."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.content import iso_time
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.traces import Turn, exchange, trace_messages


def fits(value: Any) -> bool:
    """An object with a run type, and inputs or outputs."""
    return isinstance(value, dict) and "run_type" in value and ("inputs" in value or "outputs" in value)


def turns(value: dict[str, Any]) -> list[Turn]:
    """The turn of a root run; none for a step inside a turn."""
    if value.get("parent_run_id"):  # a step inside a turn: the root run has the turn's messages
        return []
    extra = value.get("extra") if isinstance(value.get("extra"), dict) else {}
    meta = (extra or {}).get("metadata") or {}
    session = next((meta[key] for key in ("thread_id", "session_id", "conversation_id") if meta.get(key)), None)
    time = iso_time(value.get("start_time")) or ""
    pairs = exchange(trace_messages(value.get("inputs"), "user"), trace_messages(value.get("outputs"), "assistant"))
    return [
        Turn(
            str(session or value.get("trace_id") or value.get("id") or ""), str(meta.get("user_id") or ""), time, pairs
        )
    ]


LANGSMITH = LogFormat("langsmith", "LangSmith runs", fits, turns=turns, order=30, marks=(b"run_type",))
