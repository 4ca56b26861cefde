"""Which minor category of the taxonomy an opening belongs to, by its words."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files

from wildtool.language.phrase_tree import beginnings, tree
from wildtool.mining.scenarios.word_senses import in_sense
from wildtool.schemas.taxonomy import CATEGORY_OF

LANGUAGES = ("en", "zh")


@lru_cache(maxsize=1)
def _lists() -> dict[str, dict[str, list[str]]]:
    """Words by minor category and language."""
    table = tomllib.loads(files("wildtool.mining.scenarios").joinpath("domains.toml").read_text(encoding="utf-8"))
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
    return f"({choices})" if language == "zh" else rf"\b({choices})\w{{0,4}}\b"


@lru_cache(maxsize=len(LANGUAGES))
def _announced(language: str) -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    """An expression of all words of a language, and the minor categories that may have a word where one is found."""
    minors: dict[str, set[str]] = {}
    for minor, words in _lists().items():
        for word in words[language]:
            minors.setdefault(word.casefold(), set()).add(minor)
    # The longest word at a place is what the expression finds: whatever else stands there is a beginning of it.
    whole = {word: frozenset[str]().union(*(minors.get(part, ()) for part in beginnings(word))) for word in minors}
    edge = "" if language == "zh" else r"\b"
    return re.compile(rf"{edge}(?=({tree(minors)}))"), whole


def domain_scores(text: str, language: str) -> dict[str, float]:
    """Score by minor category: its words found, each different one counted once, earlier ones a little more.

    A word of several meanings counts in its category's sense alone (``senses.toml``)."""
    # One look for all words says which few of the categories' expressions have anything to find.
    expression, minors = _announced(language)
    likely = frozenset[str]().union(*(minors[word] for word in set(expression.findall(text.casefold()))))
    scores: dict[str, float] = {}
    for minor, expression in _terms()[language] if likely else ():
        if minor not in likely:
            continue
        places = {
            match.group().casefold(): match.start()
            for match in reversed(list(expression.finditer(text)))
            if in_sense(language, match[1], text, *match.span())
        }
        if places:
            scores[minor] = sum(1.0 + 0.5 / (1 + place / 20) for place in places.values())
    return scores


def domain_of(text: str, language: str) -> str | None:
    """The best minor category, or None where no word says anything. Ties go to the one named first in the taxonomy."""
    scores = domain_scores(text, language)
    return max(scores, key=lambda minor: scores[minor]) if scores else None


def domain_words(text: str, language: str, minor: str) -> set[str]:
    """Words of our own list for a minor category that a text holds in its sense: safe to show, whoever wrote them."""
    expression = dict(_terms()[language])[minor]
    lists = {word.casefold(): word for word in _lists()[minor][language]}
    return {
        lists[match[1].casefold()]
        for match in expression.finditer(text)
        if in_sense(language, match[1], text, *match.span())
    }
