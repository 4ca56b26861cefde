"""Texts made comparable: one fold for each purpose, all by the same base. And the words that point at things.

``folded`` for patterns, ``plain`` and ``as_said`` for words, ``bare`` for words without punctuation, ``normal`` for
identifiers, ``in_place`` and ``unaccented`` where offsets must stay, ``visible`` for what a reader sees.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from wildtool.language.variants import plain_forms

REFERS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|there|this|that|these|those|same|former|latter|such|he|she|him|her|his|hers|both|either|"
    r"neither|other|another|ones?|above|earlier|previous|again|last|here|back|then|whose|which|instead|unchanged)\b|它|这|那|该|其|他|她|同一|同样|一样|前者|后者|上述|"
    r"上面|刚才|之前|上次|另|两者|此|再|还是|哪|不变|不用换|不换|照旧|原来|也|头一|中间|\b(?:cheap|clos|near|high|low|long|short|dear|earli|pric[ie]+|larg|bigg|small|fast|late|new|old)est\b|\bbest\b|\bthe (?:most|least|final|middle|lot)\b|\bany\b|whatever|你定|随便|最"
)
"""Words that point at something said before."""


def composed(text: str) -> str:
    """Compatible forms as one: wide and styled letters are plain ones. The base of all folds that may move characters."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def folded(text: str) -> str:
    """``composed`` text without case, for patterns: accents, punctuation and blanks stay."""
    return composed(text).casefold()


def visible(text: str) -> str:
    """``composed`` text as a reader sees it: straight apostrophes, no characters of no width."""
    if text.isascii():
        return text
    return "".join(char for char in composed(text).replace("’", "'") if unicodedata.category(char) != "Cf")


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """For comparing words: without width and composition of characters, case, accents, runs of blanks."""
    return caseless(without_accents(text))


def as_said(text: str) -> str:
    """``plain`` text with straight apostrophes, for finding what people type either way."""
    return plain(text.replace("’", "'"))


@lru_cache(maxsize=8192)
def bare(text: str) -> str:
    """``plain`` text without blanks and punctuation. Signs, decimal points and marks that mean (C++, C#, 5%) stay."""
    return re.sub(r"(?<!\w)([-+])(?=\d)|(?<=\d)([.])(?=\d)|[^\w+#%$€£¥&]+|_", lambda m: m[1] or m[2] or "", plain(text))


@lru_cache(maxsize=8192)  # gates compare the values of one session again and again
def normal(text: str) -> str:
    """For comparing identifiers and names: ``folded``, only letters and digits kept."""
    return "".join(char for char in unicodedata.normalize("NFKD", folded(text)) if char.isalnum())


def in_place(text: str) -> str:
    """Text in small letters, narrow and plain forms, each character where it was: offsets stay those of ``text``."""
    if text.isascii():
        return text.lower()
    return "".join(map(_char_in_place, plain_forms(text).translate(_SAME)))


_PLAIN_MARKS = {"'": "’‘ʼ＇′`", "-": "‐‑‒–−﹣－", "~": "〜∼～", '"': "“”″", " ": "\u00a0\u202f\u2009\u3000"}
_SAME = {ord(sign): mark for mark, signs in _PLAIN_MARKS.items() for sign in signs}


@cache
def _char_in_place(char: str) -> str:
    small = composed(char).lower()
    return small if len(small) == 1 else char


@lru_cache(maxsize=8192)
def unaccented(text: str) -> str:
    """``in_place`` text without accents, each character where it was."""
    folded = in_place(text)
    return folded if folded.isascii() else "".join(map(_base_of, folded))


@cache
def _base_of(char: str) -> str:
    base = unicodedata.normalize("NFKD", char)[:1].casefold()
    return base if len(base) == 1 else char


def without_accents(text: str) -> str:
    """The text without accents and with compatible forms apart, in its own case: for identifiers that are made from names."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def caseless(text: str) -> str:
    """Text in which case and blanks are one, and nothing else: digests that homes keep are made of it."""
    return " ".join(text.casefold().split())


def tokens(text: str) -> list[str]:
    """Words of Latin scripts and single Chinese characters, folded; camelCase and snake_case are taken apart."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", composed(text))
    return re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", spaced.casefold())


def weight(text: str) -> int:
    """How telling a text is: its letters and digits, a Chinese character counting as two."""
    return sum(2 if "\u3400" <= char <= "\u9fff" else 1 for char in normal(text))
