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


NAMED = ("currency", "language", "country")
"""What parameters take by code or by name: tables of ``language.api_codes``."""


@dataclass(frozen=True, slots=True)
class ArgumentWords:
    """Words by which a parameter's description tells how its values compare."""

    any_order: re.Pattern[str]
    """Matches in a description, in lower case, of an array whose order nobody reads."""
    named: Mapping[str, re.Pattern[str]]
    """Matches in the name and description of a parameter that takes a currency, a language or a country."""
    phone: re.Pattern[str]
    """Matches in those of a parameter that takes phone numbers."""
    homes: tuple[tuple[re.Pattern[str], str], ...]
    """Matches in those of a parameter whose phone numbers are of one country, and that country's prefix."""


def _read(topic: str) -> list[Mapping[str, Any]]:
    return [lexicon.words(code, topic, ROOM) for code in lexicon.languages()]


def _any(patterns: list[str]) -> str:
    return "|".join(pattern for pattern in patterns if pattern) or r"(?!)"  # matches nothing


@cache
def argument_words() -> ArgumentWords:
    """The words of all languages. Raises ``LanguageError`` where a registered language has none."""
    found = _read("arguments")
    return ArgumentWords(
        any_order=re.compile(_any([one["any_order"] for one in found])),
        named={kind: re.compile(_any([one[kind] for one in found])) for kind in NAMED},
        phone=re.compile(_any([one["phone"] for one in found])),
        homes=tuple((re.compile(one["home"]), one["home_prefix"]) for one in found if one["home"]),
    )


@cache
def check_languages() -> None:
    """Raise ``LanguageError`` unless every registered language has all files that the scorer needs."""
    lexicon.require(ROOM, FILES)
    lexicon.require(lexicon.OWN_ROOM, REQUEST_FILES)
