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

FILES = ("arguments.toml",)
"""What the scorer needs of every registered language."""


REQUEST_FILES = ("requests.toml", "request_stop.toml", "slot_words.toml")
"""What reading an ask needs of every registered language, in the room ``language``."""


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
def argument_words() -> ArgumentWords:
    """The words of all languages. Raises ``LanguageError`` where a registered language has none."""
    found = _read("arguments")
    return ArgumentWords(any_order=re.compile(_any([one["any_order"] for one in found])))


@cache
def check_languages() -> None:
    """Raise ``LanguageError`` unless every registered language has all files that the scorer needs."""
    lexicon.require(ROOM, FILES)
    lexicon.require(lexicon.OWN_ROOM, REQUEST_FILES)
