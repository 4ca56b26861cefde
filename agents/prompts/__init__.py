"""Load prompt files by language, and hash them for the provenance of drafts."""

from __future__ import annotations

from functools import cache

from wildtool.grounding.chat import system_text
from wildtool.language.lexicon import data_file, require
from wildtool.schemas.base import sha256_hex
from wildtool.schemas.vocabulary import Language

ROOM, FOLDER = "agents/prompts", "{code}"

PROMPTS = ("checker", "environment", "reply", "user")
"""Prompts of the roles that draft. Those of judges are in ``judge/`` and are no part of a draft's provenance."""


def check_language(language: Language) -> None:
    """Check that a language has all that planning and drafting read. Raises ``LanguageError`` where something is missing."""
    require(ROOM, (f"{name}.md" for name in PROMPTS), (language,), FOLDER)
    for room in ("language", "grounding", "worlds"):
        require(room, codes=(language,))


@cache
def prompt(language: Language, name: str) -> str:
    """Text of the prompt file ``agents/prompts/<language>/<name>.md``. Raises ``LanguageError`` where there is none."""
    return data_file(language, f"{name}.md", ROOM, FOLDER).read_text(encoding="utf-8").strip()


@cache
def prompt_hashes(language: Language) -> dict[str, str]:
    """SHA-256 of each drafting prompt of a language and of the assistant's system message, by ``<language>/<name>``.

    Raises ``LanguageError`` where one is missing: planning asks for them, so it is found before anything is drafted.
    """
    hashes = {f"{language}/{name}": sha256_hex(prompt(language, name)) for name in PROMPTS}
    return hashes | {f"{language}/assistant": sha256_hex(system_text(str(language)))}
