"""One exchange a row, gathered by session, by the response that it goes on from, or by the history that it sends again."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.content import RowError, iso_time
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.shapes import find
from wildtool.mining.readers.speakers import GROUP_KEYS, TIME_KEYS, USER_KEYS, field
from wildtool.mining.readers.traces import Turn, history_of
from wildtool.schemas.base import sha256_hex

_PARTS = (
    "request",
    "response",
    "request_body",
    "response_body",
    "requestBody",
    "responseBody",
    "body",
    "completion",
    "choices",
)
_SESSIONS = tuple(
    name
    for name in GROUP_KEYS
    if name not in ("conversation", "session", "thread", "dialogue", "dialog", "chat", "ticket")
)


def fits(value: Any) -> bool:
    """A request with its response, or an exchange that names its session."""
    if not isinstance(value, dict) or (
        "messages" in value and not any(name in value for name in ("response", "choices", "completion"))
    ):
        return False
    if not any(isinstance(value.get(name), dict | list) for name in _PARTS) and not isinstance(
        field(value, (*_SESSIONS, "session")), str | int
    ):
        return False
    try:
        return bool(find(value))
    except RowError:
        return False


def turns(value: dict[str, Any]) -> list[Turn]:
    """The turn of one exchange."""
    pairs = find(value) or []
    request = _object(value, "request", "request_body", "requestBody", "body")
    response = _object(value, "response", "response_body", "responseBody")
    response = response["body"] if isinstance(response.get("body"), dict) else response
    user = field(value, USER_KEYS)
    meta = request.get("metadata")
    user = (
        user
        if isinstance(user, str | int)
        else request.get("user") or (meta.get("user_id") if isinstance(meta, dict) else "")
    )
    time = iso_time(field(value, TIME_KEYS)) or ""
    session = field(value, (*_SESSIONS, "session"))
    if isinstance(session, str | int) and str(session):
        return [Turn(str(session), str(user or ""), time, pairs)]
    before = next(
        (each["previous_response_id"] for each in (request, response, value) if each.get("previous_response_id")), None
    )
    own = str(response.get("id") or "")
    if before:
        return [Turn(str(before), str(user or ""), time, pairs, own=own)]
    first = next((text for role, text in pairs if role == "user"), "")
    return [Turn(history_of(sha256_hex(f"{user}\0{first}")[:24]), str(user or ""), time, pairs, own=own)]


def _object(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return next((value[name] for name in names if isinstance(value.get(name), dict)), {})


EXCHANGES = LogFormat("exchanges", "requests with their responses", fits, turns=turns, order=58, marks=())
