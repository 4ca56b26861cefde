"""Texts made comparable, and how people point at things, in both languages at once."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

REFERS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|there|this|that|these|those|same|former|latter|such|he|she|him|her|his|hers|both|either|"
    r"neither|other|another|ones?|above|earlier|previous|again|last|here|back|then|whose|which|instead|unchanged)\b|它|这|那|该|其|他|她|同一|同样|一样|前者|后者|上述|"
    r"上面|刚才|之前|上次|另|两者|此|再|还是|哪|不变|照旧|原来|也|头一|中间|\b(?:cheap|clos|near|high|low|long|short|dear|earli|pric[ie]+|larg|bigg|small|fast|late|new|old)est\b|\bbest\b|\bthe (?:most|least|final|middle|lot)\b|\bany\b|whatever|你定|随便|最"
)
"""Words that point at something said before."""


@lru_cache(maxsize=8192)  # gates compare the values of one session again and again
def normal(text: str) -> str:
    """Text for comparing: compatible forms and cases folded, only letters and digits kept."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if char.isalnum())


def tokens(text: str) -> list[str]:
    """Words of Latin scripts and single Chinese characters, folded; camelCase and snake_case are taken apart."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", unicodedata.normalize("NFKC", text))
    return re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", spaced.casefold())


def weight(text: str) -> int:
    """How telling a text is: its letters and digits, a Chinese character counting as two."""
    return sum(2 if "\u3400" <= char <= "\u9fff" else 1 for char in normal(text))
