"""Load the words of made-up worlds: ``words/<code>/values.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from wildtool.language.lexicon import words


def world_words(language: str) -> Mapping[str, Any]:
    """The tables of a language. Raises ``LanguageError`` for a language without any."""
    return words(str(language), "values", "worlds")


def pool(name: str, language: str) -> tuple[str, ...]:
    """Return what people say for a parameter or field of this name; the language's general pool where none fits."""
    return next(each for pattern, each in _pools(language) if pattern.search(name))


def named_pool(name: str, language: str) -> tuple[str, ...]:
    """``pool`` for names that tell what they hold; empty for the others."""
    return next((each for pattern, each in _pools(language) if pattern.pattern and pattern.search(name)), ())


@cache
def _pools(language: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    rows = world_words(language)["pools"]
    return tuple((re.compile(row["name"], re.IGNORECASE), tuple(row["say"])) for row in rows)


def error_message(kind: str, subject: str, language: str) -> str:
    """Return what an API says where it refuses a call."""
    return str(world_words(language)["errors"][str(kind)]).format(subject=subject)


def failure(language: str) -> dict[str, Any]:
    """Return the result of a tool that is planned to fail."""
    return {"error": {"code": 503, "message": world_words(language)["error_message"]}}
