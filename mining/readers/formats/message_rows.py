"""One message a row, gathered by conversation: tables, channel exports, transcripts of coding agents."""

from __future__ import annotations

import re
from typing import Any

from wildtool.mining.readers.content import ROLES, iso_time
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.speakers import GROUP_KEYS, ROLE_KEYS, TEXT_KEYS, TIME_KEYS, USER_KEYS, field, key, said
from wildtool.mining.readers.traces import SAME_FILE, Turn

_WHO = frozenset(ROLE_KEYS) - {"user", "name", "username"}
_WHAT = frozenset(TEXT_KEYS) - {"value", "parts", "contents", "description", "transcript"}
_ABOUT = frozenset(
    (
        "summary",
        "filehistorysnapshot",
        "sessionmeta",
        "turncontext",
        "eventmsg",
        "compacted",
        "queueoperation",
        "progress",
    )
)
"""Types of a transcript's rows that are about it."""

_MARKUP = re.compile(
    r"\s*<(?:environment_context|user_instructions|command-name|command-message|local-command|system-reminder|permissions)"
)
"""What programs put before a user's words."""

_STEPS = frozenset(
    ("channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name", "group_join", "pinned_item")
)


def fits(value: Any) -> bool:
    """An object that says who speaks and what, and holds no list of messages."""
    if not isinstance(value, dict) or "messages" in value:
        return False
    payload = value.get("payload")
    kind = key(str(value.get("type") or ""))
    if isinstance(payload, dict) and "type" in value and "timestamp" in value:
        return True
    if kind in _ABOUT or (_of_agent(value) and kind in ("user", "assistant", "system", "attachment")):
        return True
    if "ts" in value and "user" in value and isinstance(value.get("text"), str):
        return True
    held = {key(name): each for name, each in value.items()}
    what = any(isinstance(held.get(name), str) for name in _WHAT) or (
        isinstance(held.get("content"), list) and isinstance(held.get("role"), str)
    )
    return what and any(isinstance(held.get(name), str | dict) and held[name] for name in _WHO)


def _of_agent(value: dict[str, Any]) -> bool:
    return ("sessionId" in value or "parentUuid" in value) and ("message" in value or "content" in value)


def turns(value: dict[str, Any]) -> list[Turn]:
    """The turn of one message; none for a row that is about the conversation."""
    kind = key(str(value.get("type") or ""))
    if kind in _ABOUT or value.get("isSidechain") or value.get("isMeta") or value.get("subtype") in _STEPS:
        return []
    message = value
    payload = value.get("payload")
    if isinstance(payload, dict):
        if payload.get("type") not in (None, "message") or "role" not in payload:
            return []
        message = payload
    elif isinstance(value.get("message"), str) and kind in ROLES:
        message = {"role": kind, "content": value["message"]}
    one = said(message)
    if one is None or _MARKUP.match(one[2]):
        return []
    role, speaker, text = one
    session = "" if "ts" in value and isinstance(value.get("text"), str) else str(field(value, GROUP_KEYS) or "")
    time = iso_time(field(value, TIME_KEYS)) or ""
    user = field(value, USER_KEYS)
    told = user if isinstance(user, str | int) and (role == "user" or key(str(user)) not in ROLES) else ""
    return [
        Turn(
            session or SAME_FILE, str(told), time, [(role or "user", text)], speaker="" if role is not None else speaker
        )
    ]


MESSAGE_ROWS = LogFormat("message_rows", "one message a row", fits, turns=turns, order=65, marks=())
