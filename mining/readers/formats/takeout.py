"""Google Takeout's activity of Gemini: one prompt a row, with its answer as HTML."""

from __future__ import annotations

import html
import re
from typing import Any

from wildtool.mining.readers.content import Chat
from wildtool.mining.readers.log_format import LogFormat

_ASKED = re.compile(r"^(?:Prompted|Asked|Said|You said:?)\s+(?P<text>.+)$", re.S)


def fits(value: Any) -> bool:
    """An activity whose title says what was asked."""
    return (
        isinstance(value, dict)
        and "header" in value
        and isinstance(value.get("title"), str)
        and _ASKED.match(value["title"]) is not None
    )


def read(value: dict[str, Any]) -> Chat:
    """The prompt, and the answer without its markup."""
    hit = _ASKED.match(value["title"])
    assert hit is not None
    chat = Chat([("user", hit["text"].strip())], created=value.get("time"))
    items = value.get("safeHtmlItem")
    parts = [str(each.get("html") or "") for each in items if isinstance(each, dict)] if isinstance(items, list) else []
    answer = html.unescape(re.sub(r"<[^<>]+>", " ", " ".join(parts))).strip()
    if answer:
        chat.messages.append(("assistant", " ".join(answer.split())))
    return chat


TAKEOUT = LogFormat("takeout", "Google Takeout's Gemini activity", fits, read, order=55)
