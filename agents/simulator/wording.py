"""Tables of wordings by language: ``words/<code>/wording.toml`` and ``chat.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from wildtool.language.lexicon import words
from wildtool.schemas.errors import LanguageError
from wildtool.schemas.vocabulary import Language

ROOM = "agents/simulator"

GRAMMARS = ("en", "zh")
"""Languages whose grammar the code of this room holds: how clauses are joined, where a word that refers stands."""


def wording(language: Language) -> Mapping[str, Any]:
    """The whole table of a language.

    Raises ``LanguageError`` for a language without one, and for one whose grammar the simulator does not know.
    """
    if language not in GRAMMARS:
        raise LanguageError(
            f"the offline simulator has no grammar for the language {str(language)!r}",
            "draft with a model: --model NAME",
        )
    return words(language, "wording", ROOM)


def _small_talk(language: Language) -> Mapping[str, dict[str, list[Any]]]:
    return words(language, "chat", ROOM)


def small_talk(language: Language, way: str, kind: str) -> list[Any]:
    """What is said on a kind of topic, by ``chat.toml``: ``open``, ``point`` and ``omit`` hold pairs of what
    the user says and the assistant answers, ``also`` holds sentences on a second topic."""
    return _small_talk(language)[way][kind]


def say(language: Language, key: str, rng: Random, **values: str) -> str:
    """Choose one of the wordings under a key and fill its places."""
    options = wording(language)[key]
    text = str(options if isinstance(options, str) else rng.choice(options))
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def capital(text: str) -> str:
    """Capitalise the first letter."""
    return text[:1].upper() + text[1:]
