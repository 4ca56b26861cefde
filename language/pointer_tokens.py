"""Cuts a text into words for comparing with what items hold: words of spaced scripts, known words among Han characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from wildtool.language.pointer_grammar import concepts, fold, grammar, word_set

_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[.'&-][^\W_\u3400-\u9fff]+)*|[\u3400-\u9fff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
LONGEST = 6
"""Characters of the longest word looked for in a script without blanks."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text."""

    start: int
    end: int
    text: str
    """Folded."""
    filler: bool
    """Says nothing about an item: "please", "take", 吧."""


@cache
def stem(word: str) -> str:
    """A word without the endings of any language: engineering, engineers and engineer are one."""
    if _HAN.search(word):
        return word
    once = _shorter(word)
    return _shorter(once) if once != word else once


def _shorter(word: str) -> str:
    for ending in ("'s", "ing", "ies", "ed", "es", "er", "s", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            bare = word[: -len(ending)]
            if len(bare) > 3 and bare[-1] == bare[-2] and ending != "s":  # planned, but tolls
                bare = bare[:-1]
            return bare.removesuffix("e") if len(bare) > 3 else bare
    return word.removesuffix("e") if len(word) > 3 else word


@cache
def alike(word: str) -> frozenset[str]:
    """Words that may stand for this one in a description, itself among them."""
    found = {word}
    for words in concepts("alike").values():
        if word in words or any(stem(word) == stem(each) for each in words if len(each) > 3):
            found |= words
    return frozenset(found)


@cache
def kinds_of(noun: str) -> frozenset[str]:
    """Kinds of items that a noun may stand for: restaurant of "eatery"."""
    found = set()
    for kind, words in concepts("nouns").items():
        if noun in words or (len(noun) > 3 and noun.removesuffix("s") in words):
            found.add(kind)
    return frozenset(found)


@cache
def _known(language: str) -> tuple[frozenset[str], frozenset[str]]:
    filler = word_set(language, "filler") | word_set(language, "stop")
    named = {
        word for table in ("nouns", "alike", "days", "fields") for words in concepts(table).values() for word in words
    }
    return filler, frozenset(word for word in named | filler if _HAN.match(word))


def is_word(text: str, language: str) -> bool:
    """Whether a folded text is a word that the language's tables know."""
    filler, known = _known(language)
    return text in filler or text in known


def tokens(text: str, language: str) -> tuple[Token, ...]:
    """The words of a text in order. Raises ``RegistryError`` for an unknown language."""
    folded = fold(text)
    filler, known = _known(language)
    spaced = bool(grammar(language).get("spaced"))
    found: list[Token] = []
    at = 0
    for match in _WORD.finditer(folded):
        start, end = match.span()
        if start < at:
            continue
        if not spaced and _HAN.match(match[0]):
            end = next(
                (start + size for size in range(LONGEST, 1, -1) if folded[start : start + size] in known), start + 1
            )
        word = folded[start:end]
        bare = word.removesuffix("'s").replace("'", "")
        found.append(Token(start, end, word, word in filler or bare in filler))
        at = end
    return tuple(found)
