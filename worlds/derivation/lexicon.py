"""The words of derivation, and names split into words."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from wildtool.language.parameter_names import looks_like_id
from wildtool.language.result_filters import split


@cache
def table(name: str) -> dict[str, Any]:
    """Return a table of ``words.toml``."""
    text = (files("wildtool.worlds.derivation") / "words.toml").read_text(encoding="utf-8")
    found = tomllib.loads(text)[name]
    assert isinstance(found, dict)
    return found


@cache
def word_set(section: str, name: str) -> frozenset[str]:
    """Return a list of single words as a set."""
    return frozenset(str(table(section)[name]).split())


@cache
def phrases(section: str, name: str) -> frozenset[str]:
    """Return a list of phrases, which ``|`` parts, as a set."""
    return frozenset(str(table(section)[name]).split("|"))


@lru_cache(maxsize=1 << 16)
def name_words(name: str) -> tuple[str, ...]:
    """Return the words of a name: ``maxPricePerTon`` gives max, price, per, ton, and ``patientid`` patient, id."""
    words = tuple(split(name))
    if len(words) == 1 and identifies(name) and len(words[0]) > 4:
        return words[0][:-2], words[0][-2:]
    return words


def joined(name: str) -> str:
    """Return a name without case and marks: ``per_page`` and ``perPage`` are ``perpage``."""
    return "".join(name_words(name))


def spaced(name: str) -> str:
    """Return the words of a name with blanks between them."""
    return " ".join(name_words(name))


@lru_cache(maxsize=1 << 14)
def singular(word: str) -> str:
    """Return the singular of an English noun, by its ending: ``companies`` gives ``company``."""
    if len(word) < 4 or word.endswith(("ss", "us", "is", "news", "series", "species")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") else word


_ID_WORDS = frozenset("paid valid grid bid aid said invalid void avoid solid rapid fluid hybrid android".split())


def identifies(name: str) -> bool:
    """Return whether a name is that of an identifier, also in lower case alone: ``patientid``."""
    held = name.rpartition(".")[2]
    return looks_like_id(held) or (
        held.islower() and held.isalpha() and len(held) > 4 and held.endswith("id") and held not in _ID_WORDS
    )


def changes_looks(name: str) -> bool:
    """Return whether a parameter of this name changes how an answer looks, not which rows it is about."""
    if spaced(name) in phrases("format", "whole"):
        return True
    words = name_words(name)
    marked = set(words) & word_set("format", "words")
    return bool(marked) and (len(words) <= 2 or words[0] in marked or words[-1] in marked)


@cache
def verb_kinds() -> dict[str, str]:
    """Return the operation by verb; a verb that stands under two stays with the first."""
    found: dict[str, str] = {}
    for kind, words in table("verbs").items():
        for word in str(words).split():
            found.setdefault(word, kind)
    return found
