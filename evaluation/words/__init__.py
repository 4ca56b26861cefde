"""The scorer's words: a folder of data files for each language.

A text is judged by the words of all registered languages together: candidates mix them. They are part of the rules: a
change of theirs is a change of the rules (``evaluation.rules``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wildtool.language import lexicon

ROOM = "evaluation"

FILES = ("asks.toml", "arguments.toml")
"""What the scorer needs of every registered language."""


@dataclass(frozen=True, slots=True)
class AskWords:
    """Words by which a question, and what it asks for, is told."""

    question: re.Pattern[str]
    """Matches in a text that asks for something."""
    pointing: re.Pattern[str]
    """Matches in a question that asks for the only slot: "which one?"."""
    courtesy: re.Pattern[str]
    """Matches in a sentence that ends an answer and asks for nothing."""
    asked_by: tuple[tuple[re.Pattern[str], frozenset[str]], ...]
    """What a question word asks for, as parameters and their descriptions say it."""
    stop: frozenset[str]
    """Words without content."""


@dataclass(frozen=True, slots=True)
class ArgumentWords:
    """Words by which a parameter's description tells how its values compare."""

    any_order: re.Pattern[str]
    """Matches in a description, in lower case, of an array whose order nobody reads."""


def _read(topic: str) -> list[Mapping[str, Any]]:
    return [lexicon.words(code, topic, ROOM) for code in lexicon.languages()]


def _any(patterns: list[str]) -> str:
    return "|".join(pattern for pattern in patterns if pattern) or r"(?!)"  # matches nothing


@cache
def ask_words() -> AskWords:
    """The words of all languages. Raises ``LanguageError`` where a registered language has none."""
    found = _read("asks")
    kinds = dict.fromkeys(kind for one in found for kind in one["asked_by"])
    asked_by = {kind: [one["asked_by"][kind] for one in found if kind in one["asked_by"]] for kind in kinds}
    return AskWords(
        question=re.compile(_any(["[?？]", *(one["question"] for one in found)])),
        pointing=re.compile(_any([one["pointing"] for one in found])),
        courtesy=re.compile(_any([one["courtesy"] for one in found])),
        asked_by=tuple(
            (
                re.compile(_any([one["pattern"] for one in said])),
                frozenset(word for one in said for word in one["means"]),
            )
            for said in asked_by.values()
        ),
        stop=frozenset(word for one in found for word in one["stop"]),
    )


@cache
def argument_words() -> ArgumentWords:
    """The words of all languages. Raises ``LanguageError`` where a registered language has none."""
    found = _read("arguments")
    return ArgumentWords(any_order=re.compile(_any([one["any_order"] for one in found])))


@cache
def check_languages() -> None:
    """Raise ``LanguageError`` unless every registered language has all files that the scorer needs."""
    lexicon.require(ROOM, FILES)
