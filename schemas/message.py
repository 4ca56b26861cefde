"""Assistant messages as endpoints send them, read into calls and text: one reading for what is played and what is imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.trajectory import CandidateCall


def read_calls(message: Mapping[str, Any], prefix: str) -> tuple[CandidateCall, ...]:
    """The calls of an assistant message.

    Observations are bound to call ids, so an id that is missing or comes twice (some servers send neither) is replaced
    by ``prefix`` and the call's place.
    """
    found: list[CandidateCall] = []
    raw = message.get("tool_calls")
    if not raw and isinstance(message.get("function_call"), dict):  # what servers sent before there were tools
        raw = [{"function": message["function_call"]}]
    for place, made in enumerate(raw if isinstance(raw, list) else ()):
        made = made if isinstance(made, dict) else {}
        function = made.get("function")
        function = function if isinstance(function, dict) else {}
        call_id = made.get("id")
        if not isinstance(call_id, str) or not call_id or call_id in {call.id for call in found}:
            call_id = f"{prefix}_{place}"
        text = function.get("arguments")
        if not isinstance(text, str):
            text = "" if text is None else json.dumps(text, ensure_ascii=False)
        found.append(
            CandidateCall(
                id=call_id,
                name=content_text(function.get("name")),
                arguments=read_arguments(text),
                raw_arguments=sound_text(text),
            )
        )
    return tuple(found)


def read_arguments(text: str) -> JsonObject | None:
    """Argument text as an object; None where it is none. Servers write a call without arguments as "" or "{}"."""
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_no_constant)
        # What cannot be written as UTF-8 (lone surrogates) cannot be kept either.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def content_text(content: Any) -> str:
    """Message content as text; some servers send a list of parts."""
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return sound_text(content) if isinstance(content, str) else ""


def sound_text(text: str) -> str:
    """The text with lone surrogates replaced, which UTF-8 refuses."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
