"""Mining's words: a folder of data files for each language. The code knows no language by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wildtool.language import lexicon

ROOM = "mining"

FILES = (
    "behaviour.toml", "behaviour_weights.json", "domains.toml", "reading.toml", "rewrite_prompt.md", "scenarios.toml", "terms.toml",
    "topics.toml", "word_senses.toml",
)  # fmt: skip
"""What mining needs of every registered language."""


def words(language: str, topic: str) -> Mapping[str, Any]:
    """The tables of a language's ``TOPIC.toml``. Raises ``LanguageError`` where there is none."""
    return lexicon.words(language, topic, ROOM)


def text(language: str, name: str) -> str:
    """Text of a language's file. Raises ``LanguageError`` where there is none."""
    return lexicon.data_file(language, name, ROOM).read_text(encoding="utf-8")


def check_languages() -> None:
    """Raise ``LanguageError`` unless every registered language has all files that mining needs."""
    lexicon.require(ROOM, FILES)
