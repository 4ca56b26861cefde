"""Say how a log is read: its format, the fields that were taken, and the first conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from wildtool.mining.readers import expand, read_rows
from wildtool.mining.readers.chat import unwrap
from wildtool.mining.readers.files import LogFile, values
from wildtool.mining.readers.log_format import formats_remedy, recognise
from wildtool.mining.readers.rows import RawRow, beginning, parse_row
from wildtool.mining.readers.shapes import LISTS, decoded
from wildtool.mining.readers.speakers import GROUP_KEYS, ROLE_KEYS, TEXT_KEYS, TIME_KEYS, USER_KEYS, key, named
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError
from wildtool.schemas.quarantine import Quarantined

FIELDS = ("role", "text", "user", "session", "time")
"""Fields that ``--map`` can name."""


@dataclass
class Explained:
    """What was read of a log."""

    format: str
    """Format of the first row: a registered format, ``table``, or ``transcript``."""
    fields: dict[str, str | None]
    """Name of the field by what it holds (``role``, ``text``, ``user``, ``session``, ``time``); None where none does."""
    conversations: int = 0
    user_turns: int = 0
    unread: int = 0
    """Rows that went to quarantine."""
    reasons: list[str] = field(default_factory=list)
    """Why, each reason once."""
    first: list[JsonObject] = field(default_factory=list)
    """Messages of the first conversation: role and content."""

    def data(self) -> JsonObject:
        """The object that ``--json`` prints."""
        return {
            "format": self.format,
            "fields": self.fields,
            "conversations": self.conversations,
            "user_turns": self.user_turns,
            "first": self.first,
        }


def explain(paths: Sequence[str], names: Mapping[str, str] | None = None) -> Explained:
    """Read logs to the end and say how. ``names`` are fields by what they hold, as ``--map`` gives them.

    Raises:
        InputError: nothing of the logs can be read; the cause says what was seen.
    """
    files = expand(paths, names or {})
    shape, example = _shape(files[0])
    found = Explained(shape, _fields(example, names or {}))
    for row in read_rows(files):
        outcome = row if isinstance(row, Quarantined) else parse_row(row)
        if isinstance(outcome, Quarantined):
            found.unread += 1
            reason = f"{outcome.reason}: {outcome.detail}"
            if reason not in found.reasons:
                found.reasons.append(reason)
            continue
        turns = sum(message.role == "user" for message in outcome.messages)
        if not turns:
            found.unread += 1
            found.reasons.append("no user message in it; give the file of the requests too")
            continue
        found.conversations += 1
        found.user_turns += turns
        if not found.first:
            found.first = [{"role": message.role, "content": message.content} for message in outcome.messages]
    if not found.conversations:
        seen = "; ".join(found.reasons[:3]) or "no row"
        raise InputError(
            f"nothing was read of {files[0].label} ({shape}): {seen}",
            f"name its fields with --map role=…,text=…,session=…, or {formats_remedy()}",
        )
    return found


def _shape(file: LogFile) -> tuple[str, Any]:
    """Return the format of a file's first row, and the row."""
    layout, head = beginning(file)
    if layout in ("transcript", None):
        return layout or "unknown", {}
    if layout == "parquet":
        row = next((each for each in read_rows([file]) if isinstance(each, RawRow)), None)
        value = row.data if row is not None else {}
        form = recognise(value)
        return (form.name if form is not None else "unknown"), value
    if layout not in ("lines", "array", "document"):
        header = head.split(b"\n", 1)[0].decode("utf-8", "replace")
        return "table", {name.strip().strip('"'): "" for name in header.split(layout)}
    depth = 1 if layout == "array" else 0
    for _, data in values(iter([head]), depth=depth):
        value = decoded(data.decode("utf-8", "replace"))
        rows = unwrap(value)
        value = rows[0] if rows else value
        form = recognise(value)
        if form is not None:
            return form.name, value
    return "unknown", {}


def _fields(row: Any, names: Mapping[str, str]) -> dict[str, str | None]:
    """Return the fields of a row by what they hold."""
    row = row if isinstance(row, Mapping) else {"messages": row}
    blank = {name: value if value not in (None, "") else "…" for name, value in row.items()}
    message, prefix = _message(row)
    found: dict[str, str | None] = {
        "role": _with(prefix, named(message, ROLE_KEYS)),
        "text": _with(prefix, named(message, TEXT_KEYS)),
        "user": named(blank, USER_KEYS),
        "session": named(blank, (*GROUP_KEYS, "id", "uuid")),
        "time": named(blank, TIME_KEYS),
    }
    return {name: names.get(name, found[name]) for name in FIELDS}


def _message(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    for name, value in row.items():
        held = decoded(value)
        if key(name) in LISTS and isinstance(held, list) and held and isinstance(held[0], Mapping):
            return held[0], f"{name}[]."
    return {name: value if value not in (None, "") else "…" for name, value in row.items()}, ""


def _with(prefix: str, name: str | None) -> str | None:
    return None if name is None else prefix + name
