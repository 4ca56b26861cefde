"""Assign an opening to a minor category of the taxonomy by its words."""

from __future__ import annotations

import re
from functools import cache

from wildtool.language.lexicon import spaced
from wildtool.language.phrase_tree import beginnings, tree
from wildtool.mining.scenarios.word_senses import in_sense
from wildtool.mining.words import words as words_of
from wildtool.schemas.errors import LanguageError
from wildtool.schemas.taxonomy import CATEGORY_OF


@cache
def _lists(language: str) -> dict[str, list[str]]:
    """Words by minor category in a language."""
    table = words_of(language, "domains")
    if unknown := sorted(table.keys() ^ CATEGORY_OF.keys()):
        raise LanguageError(
            f"domains.toml of {language!r} and the taxonomy differ in {', '.join(unknown)}",
            "give every minor category once",
        )
    return {minor: table[minor]["words"] for minor in CATEGORY_OF}


def domain_name(minor: str, language: str) -> str:
    """What a minor category is called in a language."""
    return str(words_of(language, "domains")[minor]["name"])


@cache
def _terms(language: str) -> dict[str, re.Pattern[str]]:
    """The expression of a language's words for each minor category."""
    return {minor: re.compile(_expression(words, language), re.IGNORECASE) for minor, words in _lists(language).items()}


def _expression(words: list[str], language: str) -> str:
    # Longest first, so that "share price" is one word and not "share".
    choices = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return rf"\b({choices})\w{{0,4}}\b" if spaced(language) else f"({choices})"


@cache
def _announced(language: str) -> tuple[re.Pattern[str], dict[str, frozenset[str]]]:
    """An expression of all words of a language, and the minor categories that may have a word where one is found."""
    minors: dict[str, set[str]] = {}
    for minor, words in _lists(language).items():
        for word in words:
            minors.setdefault(word.casefold(), set()).add(minor)
    # The longest word at a place is what the expression finds: whatever else stands there is a beginning of it.
    whole = {word: frozenset[str]().union(*(minors.get(part, ()) for part in beginnings(word))) for word in minors}
    edge = r"\b" if spaced(language) else ""
    return re.compile(rf"{edge}(?=({tree(minors)}))"), whole


def domain_scores(text: str, language: str) -> dict[str, float]:
    """Score by minor category: its words found, each different one counted once, earlier ones a little more.

    A word of several meanings counts in its category's sense alone (``word_senses.toml``)."""
    # One look for all words says which few of the categories' expressions have anything to find.
    expression, minors = _announced(language)
    likely = frozenset[str]().union(*(minors[word] for word in set(expression.findall(text.casefold()))))
    scores: dict[str, float] = {}
    for minor, expression in _terms(language).items() if likely else ():
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
    expression = _terms(language)[minor]
    lists = {word.casefold(): word for word in _lists(language)[minor]}
    return {
        lists[match[1].casefold()]
        for match in expression.finditer(text)
        if in_sense(language, match[1], text, *match.span())
    }
