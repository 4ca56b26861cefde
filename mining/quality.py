"""Marks on a conversation. They never delete anything: whoever uses a seed decides what the marks are worth."""

from __future__ import annotations

import re
from collections.abc import Sequence

SHORT_CHARS = 8
"""Fewer characters than this over all user turns say no need: "hi", "test", "???"."""

LONG_TURNS = 60
LONG_CHARS = 60_000
"""Beyond either a conversation is a work session, whose turns lean on more than a miner sees."""

CODE_SHARE = 0.35
"""Share of a text's non-blank lines that look like code, from which on it is a dump."""

CODE_LINE = re.compile(
    r"^\s*(?:import |from \w+ import|def \w+\(|class \w+|#include|public |private |function\b|const |let |var |return\b|if ?\(|for ?\(|"
    r"while ?\(|</?\w+[^>]*>|\{|\}|SELECT |INSERT |Traceback|File \"|at \w+\.|\$ |>>> |[\w.]+\(.*\);?$|[\w.\[\]]+ ?= ?[^=].*;?$)"
)
BOILERPLATE = re.compile(
    r"(?i)\b(?:ignore (?:all|any|the) (?:previous|prior|above) (?:instructions|prompts)|you are (?:now )?(?:dan|chatgpt|an? ai|a large language model)|"
    r"act as an? |i want you to act as|as a prompt generator|midjourney|/imagine|respond only with|from now on you (?:will|are))|"
    r"你现在是一个|请你扮演|你将扮演|忽略(?:之前|以上|上面)的(?:指令|提示)"
)
PROFANE = re.compile(
    r"(?i)\b(?:fuck\w*|motherfuck\w*|cunts?|bitch(?:es)?|assholes?|shit(?:ty|head)?|faggots?|nigg(?:er|a)s?|retard(?:ed|s)?|whores?|sluts?|"
    r"kill yourself|kys|rape[ds]?)\b|傻[逼屄比]|操你|草泥马|他妈的|妈的|去死吧|婊子|王八蛋|脑残|滚蛋"
)


def quality_flags(users: Sequence[str]) -> tuple[str, ...]:
    """Marks by what the user wrote: ``short``, ``long``, ``code``, ``boilerplate``, ``profane``.

    Args:
        users: texts of the user's turns.
    """
    joined = "\n".join(users)
    flags = []
    if len("".join(joined.split())) < SHORT_CHARS:
        flags.append("short")
    if len(users) > LONG_TURNS or len(joined) > LONG_CHARS:
        flags.append("long")
    if _is_code(joined):
        flags.append("code")
    if BOILERPLATE.search(joined):
        flags.append("boilerplate")
    if PROFANE.search(joined):
        flags.append("profane")
    return tuple(flags)


def _is_code(text: str) -> bool:
    fenced = text.count("```") // 2
    lines = [line for line in text[:20_000].splitlines() if line.strip()]
    if len(lines) < 4:
        return False
    coded = sum(CODE_LINE.match(line) is not None for line in lines)
    return coded >= CODE_SHARE * len(lines) or (fenced > 0 and coded >= 4)
