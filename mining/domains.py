"""Which minor category of the taxonomy an opening belongs to, by its words."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from schemas.taxonomy import CATEGORY_OF

LANGUAGES = ("en", "zh")


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, list[str]]]:
    """Words by minor category and language."""
    table = tomllib.loads(files("mining").joinpath("domains.toml").read_text(encoding="utf-8"))
    unknown = sorted(table.keys() ^ CATEGORY_OF.keys())
    if unknown:
        raise ValueError(f"domains.toml and the taxonomy differ in {', '.join(unknown)}")
    return table


@lru_cache(maxsize=1)
def _terms() -> dict[str, tuple[tuple[str, re.Pattern[str]], ...]]:
    """By language: minor category and the expression of its words."""
    return {
        language: tuple(
            (minor, re.compile(_expression(words[language], language), re.IGNORECASE))
            for minor, words in _lists().items()
        )
        for language in LANGUAGES
    }


def _expression(words: list[str], language: str) -> str:
    # Longest first, so that "share price" is one word and not "share".
    choices = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return choices if language == "zh" else rf"\b(?:{choices})\w{{0,4}}\b"


def domain_scores(text: str, language: str) -> dict[str, float]:
    """Score by minor category: its words found, each different one counted once, earlier ones a little more."""
    scores: dict[str, float] = {}
    for minor, expression in _terms()[language]:
        places = {match.group().casefold(): match.start() for match in reversed(list(expression.finditer(text)))}
        if places:
            scores[minor] = sum(1.0 + 0.5 / (1 + place / 20) for place in places.values())
    return scores


def domain_of(text: str, language: str) -> str | None:
    """The best minor category, or None where no word says anything. Ties go to the one named first in the taxonomy."""
    scores = domain_scores(text, language)
    return max(scores, key=lambda minor: scores[minor]) if scores else None


def domain_words(text: str, language: str, minor: str) -> set[str]:
    """Words of our own list for a minor category that stand in a text: safe to show, whoever wrote them."""
    lowered = text.casefold()
    return {word for word in _lists()[minor][language] if word.casefold() in lowered}
