"""Read a chat from a row's JSON value by its format; helpers that chat formats share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.mining.readers.content import Chat, RowError
from wildtool.mining.readers.log_format import READERS, recognise
from wildtool.mining.readers.shapes import ANSWERS, LISTS, QUESTIONS, told
from wildtool.mining.readers.speakers import key
from wildtool.schemas.registry import OURS

_USUAL = frozenset((*LISTS, *QUESTIONS, *ANSWERS, "rejected", "conversationb"))
"""Names of an object's own fields: under them no two conversations stand beside each other."""

WRAPPERS = ("data", "conversations", "items", "rows", "runs", "traces", "records", "logs", "results", "chats", "spans")
"""Keys under which exports wrap the list of their rows."""


def unwrap(value: Any) -> list[Any] | None:
    """Rows of a document that wraps them in a list under a known key; None for any other document."""
    if not isinstance(value, dict):
        return None
    form = recognise(value)
    if form is not None and form.name != "anything":
        return None
    inner = list(value.values())
    usual = any(key(name) in _USUAL for name in value)
    if (
        len(inner) > 1
        and not usual
        and all(isinstance(each, dict | list) and recognise(each) is not None for each in inner)
    ):
        return inner
    for name in WRAPPERS:
        rows = value.get(name)
        if isinstance(rows, list) and rows and isinstance(rows[0], dict) and _holds(rows[0]):
            return rows
    if form is not None:
        return None
    for rows in value.values():
        if isinstance(rows, list) and rows and isinstance(rows[0], dict) and _holds(rows[0]):
            return rows
    return next((value[name] for name in WRAPPERS if isinstance(value.get(name), list) and value[name]), None)


def _holds(row: dict[str, Any]) -> bool:
    """Return whether a row is one of a log: a conversation, or a step of one."""
    form = recognise(row)
    return form is not None and form.name != "message_rows"


def read_chat(value: Any) -> Chat:
    """The chat in one row's JSON.

    Raises:
        RowError: no format fits, or the row breaks its format's shape.
    """
    form = recognise(value)
    if form is None:
        if isinstance(value, dict) and any(name in value for name in ("response", "result", "choices")) and told(value):
            raise RowError("no_user_message", "no user message in it; give the batch's input file too")
        keys = ", ".join(list(value)[:6]) if isinstance(value, dict) else type(value).__name__
        raise RowError("unknown_row_format", f"no chat format has this shape: {keys[:100]}")
    if form.read is None:
        raise RowError("bad_trace", f"a lone {form.name} row without any messages")
    try:
        chat = form.read(value)
    except RowError:
        raise
    except Exception as error:
        if (origin := READERS.origin(form.name)) == OURS:
            raise
        raise RowError("plugin_failed", f"{form.name} of {origin}: {type(error).__name__}: {error}") from error
    if isinstance(value, dict):
        chat.flags = _flags(value)
    return chat


def conversation_lists(value: Any) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """The lists of turns under ``conversations`` and ``conversation``: key, and first turn (None: no turn in it)."""
    for name in ("conversations", "conversation") if isinstance(value, dict) else ():
        turns = value.get(name)
        if isinstance(turns, list):
            yield name, next((turn for turn in turns if isinstance(turn, dict)), None)


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
