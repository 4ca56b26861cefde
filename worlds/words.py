"""Load the words of made-up worlds: ``words/<code>/values.toml``."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from wildtool.schemas.errors import SettingsError


@cache
def world_words(language: str) -> dict[str, Any]:
    """The tables of a language. Raises ``SettingsError`` for a language without any."""
    path = files("wildtool.worlds").joinpath("words", str(language), "values.toml")
    if not path.is_file():
        raise SettingsError(
            f"worlds has no words for language {str(language)!r}", f"add worlds/words/{language}/values.toml"
        )
    return tomllib.loads(path.read_text(encoding="utf-8"))


def pool(name: str, language: str) -> tuple[str, ...]:
    """What people say for a parameter or field of this name; the language's pool for any name where none fits."""
    return next(each for pattern, each in _pools(language) if pattern.search(name))


def named_pool(name: str, language: str) -> tuple[str, ...]:
    """``pool`` for names that tell what they hold; empty for the others."""
    return next((each for pattern, each in _pools(language) if pattern.pattern and pattern.search(name)), ())


@cache
def _pools(language: str) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    rows = world_words(language)["pools"]
    return tuple((re.compile(row["name"], re.IGNORECASE), tuple(row["say"])) for row in rows)
