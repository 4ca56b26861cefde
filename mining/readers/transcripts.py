"""Read transcripts that are plain text: a speaker and what is said on each line, exports of messengers, chats kept as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from wildtool.mining.readers.content import ROLES, iso_time
from wildtool.mining.readers.speakers import Said, settled

_LINE = re.compile(
    r"^[\s\u200e\u200f]*(?:[-*]\s+)?"
    r"(?:\[(?P<bracket>[^\]\n]{4,40})\]\s*"
    r"|(?P<day>\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:[\s\u202f]?[APap]\.?[Mm]\.?)?)\s*[-–—]\s*"
    r"|(?P<stamp>\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*)\s+(?:[-|]\s*)?"
    r"|(?P<clock>\d{1,2}:\d\d(?::\d\d)?)\s+)?"
    r"(?P<mark>[#*_>]{0,4}\s*)(?P<who>[^\s:：\[\]{}<>|*_#][^:：\n{}\[\]]{0,38}?)\s*(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*(?P<text>.*)$"
)
_NOTICE = re.compile(r"^[\s\u200e]*(?:\[?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?\s+\d{1,2}:\d{2})")
_CUT = re.compile(
    r"^\s*(?:[-=*_~]{3,}|#+\s*(?:aider chat started|conversation|chat|session|dialogue|对话)\b.*"
    r"|(?:conversation|chat|session|dialogue|对话)\s*[#№]?\s*\d+\s*[:：]?)\s*$",
    re.IGNORECASE,
)
_AIDER = re.compile(r"^####\s+(?P<text>.*)$")

LEAST = 2
"""Lines of speakers that make a text a transcript."""


def is_transcript(head: str) -> bool:
    """Return whether a file's beginning reads like a transcript."""
    lines = [line for line in head.splitlines() if line.strip()][:60]
    if any(line.startswith("# aider chat started") for line in lines):
        return True
    hits = [hit for line in lines if (hit := _LINE.match(line))]
    known = [hit for hit in hits if _role(hit["who"]) is not None]
    timed = [hit for hit in hits if hit["bracket"] or hit["day"] or hit["stamp"]]
    if any(_role(hit["who"]) == "user" for hit in known) and len(known) >= LEAST:
        return True
    names = [hit["who"] for hit in timed]
    return len(timed) >= LEAST and len(timed) * 2 >= len(lines) and len(set(names)) <= max(2, len(names) // 2 + 1)


def _role(name: str) -> Any:
    return ROLES.get(name.strip().strip("*_# ").casefold())


def read_transcript(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the line at which each conversation begins, and the conversation as a row of OpenAI messages."""
    said: list[Said] = []
    started, first_time, aider, timed = 0, None, False, False

    def row() -> dict[str, Any]:
        messages = [(role, text) for role, text in settled(said) if text.strip()]
        return {
            "created_at": first_time,
            "messages": [{"role": role, "content": text.strip()} for role, text in messages],
        }

    for number, line in lines:
        if _CUT.match(line):
            aider = aider or "aider" in line
            if said:
                yield started, row()
            said, first_time = [], None
            continue
        if aider:
            hit = _AIDER.match(line)
            if hit is not None:
                if said and said[-1][0] == "user":
                    said[-1] = ("user", "", f"{said[-1][2]}\n{hit['text']}")
                else:
                    started = started if said else number
                    said.append(("user", "", hit["text"]))
            elif said and line.strip() and not line.startswith("> "):
                if said[-1][0] == "user":
                    said.append(("assistant", "", line))
                else:
                    said[-1] = ("assistant", "", f"{said[-1][2]}\n{line}")
            continue
        hit = _LINE.match(line)
        stamped = hit is not None and bool(hit["bracket"] or hit["day"] or hit["stamp"])
        if hit is not None and (_role(hit["who"]) is not None or (stamped and not hit["mark"].strip())):
            timed = timed or stamped
            if timed and not stamped and said:
                said[-1] = (*said[-1][:2], f"{said[-1][2]}\n{line}")
                continue
            role = _role(hit["who"])
            if not said:
                started = number
                first_time = iso_time(hit["bracket"] or hit["day"] or hit["stamp"])
            said.append((role, "" if role is not None else hit["who"].strip(), hit["text"]))
        elif said and line.strip() and not _NOTICE.match(line):
            said[-1] = (*said[-1][:2], f"{said[-1][2]}\n{line.rstrip()}")
    if said:
        yield started, row()
