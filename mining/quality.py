"""Reasons to leave a conversation out, and flags that only mark it."""

from __future__ import annotations

import re

from wildtool.schemas.conversation import Conversation

MOST_TURNS = 200
"""User turns beyond which a log row is a script or a test, not a person's conversation."""

LONGEST_TURN = 20_000
"""Characters beyond which a single user turn is a paste, from which nothing about tool use is learnt."""

_CODE_LINE = re.compile(
    r"[{};]\s*$|^\s*(?:def |class |import |from \w+ import|#include|function |const |let |var |</?\w+|//|\$ )"
)
_TWO_LETTERS = re.compile(r"[^\W\d_][\W\d_]*[^\W\d_]")
_SPAM = re.compile(
    r"(?i)click (?:here|the link) now|100% (?:free|guaranteed)|limited time offer|act now!|make \$\d|buy followers|"
    r"加微信.{0,12}(?:返利|兼职|日结)|日赚\d|刷单|代开发票|稳赚不赔|点击链接.{0,8}领取"
)


def reason_to_drop(conversation: Conversation) -> tuple[str, str] | None:
    """Reason code and detail, or None for a conversation worth mining."""
    turns = [message.content.strip() for message in conversation.messages if message.role == "user"]
    if not turns:
        return "no_user_turn", "no message of a user"
    if not any(turns):
        return "empty_user_turns", "all messages of the user are empty"
    if len(turns) > MOST_TURNS:
        return "too_many_turns", f"{len(turns)} user turns; people take at most {MOST_TURNS}"
    if max(map(len, turns)) > LONGEST_TURN:
        return "pasted_text", f"a user turn of {max(map(len, turns))} characters"
    text = "\n".join(turns)
    if _SPAM.search(text):
        return "spam", "advertising phrases"
    if _is_code(text):
        return "code_dump", "most lines of the user are code"
    if _TWO_LETTERS.search(text) is None:
        return "no_words", "the user wrote no word"
    return None


_BOILERPLATE = re.compile(
    r"(?i)(?:ignore (?:the|all) (?:above|previous)|you are now (?:dan|chatgpt|an ai)|act as (?:a|an) (?:linux terminal|prompt)|"
    r"i want you to act as|as a prompt generator|你现在是一个|我希望你充当|忽略(?:以上|之前)的)"
)
"""Prompts that circulate and are pasted: they say what spread on the web, not what the user needed."""


def flags_of(conversation: Conversation) -> tuple[str, ...]:
    """Marks that a conversation gets without being dropped: ``boilerplate`` and ``code``. ``toxic`` and ``redacted``
    are the log's own marks: a word classifier called one turn in 200 of polite dialogues profane ("a place to eat")."""
    turns = [message.content for message in conversation.messages if message.role == "user"]
    found = []
    if any(_announced(turn[:LOOKED_AT]) for turn in turns):
        found.append("boilerplate")
    if any("```" in turn or _is_code(turn) for turn in turns):
        found.append("code")
    return tuple(found)


_BOILERPLATE_WORDS = ("ignore", "you are now", "act as", "prompt generator", "你现在", "充当", "忽略")


def _announced(text: str) -> bool:
    lowered = text.lower()
    for word in _BOILERPLATE_WORDS:  # one of them is in whatever the expression finds; most turns hold none
        if word in lowered:
            return _BOILERPLATE.search(text) is not None
    return False


LOOKED_AT = 2_000
"""Characters of a turn in which a pasted prompt announces itself."""


def _is_code(text: str) -> bool:
    if text.count("\n") < 7:
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) >= 8 and sum(bool(_CODE_LINE.search(line)) for line in lines) * 2 > len(lines)
