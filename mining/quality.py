"""What keeps a conversation out (with a reason), and what only marks it."""

from __future__ import annotations

import re

from schemas.conversation import Conversation

MOST_TURNS = 200
"""User turns beyond which a log row is a script or a test, not a person's conversation."""

LONGEST_TURN = 20_000
"""Characters beyond which a single user turn is a paste, from which nothing about tool use is learnt."""

_CODE_LINE = re.compile(
    r"[{};]\s*$|^\s*(?:def |class |import |from \w+ import|#include|function |const |let |var |</?\w+|//|\$ )"
)
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
    if len(re.sub(r"[\W\d_]", "", text)) < 2:
        return "no_words", "the user wrote no word"
    return None


def _is_code(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip()]
    return len(lines) >= 8 and sum(bool(_CODE_LINE.search(line)) for line in lines) * 2 > len(lines)
