"""Any object that holds messages under usual names: requests and responses, questions and answers, exports of other tools."""

from __future__ import annotations

from typing import Any

from wildtool.mining.readers.chat import describe
from wildtool.mining.readers.content import Chat, RowError
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.shapes import find


def fits(value: Any) -> bool:
    """An object in which messages are found."""
    if not isinstance(value, dict):
        return False
    try:
        return bool(find(value))
    except RowError:
        return True


def read(value: dict[str, Any]) -> Chat:
    """The messages that were found."""
    return describe(value, Chat(find(value) or []))


ANYTHING = LogFormat("anything", "an object that holds messages", fits, read, order=90)
