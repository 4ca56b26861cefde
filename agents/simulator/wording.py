"""Load the simulator's wordings of a language from ``<language>.toml`` and ``chat_<language>.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from random import Random
from typing import Any

from wildtool.schemas.vocabulary import Language


@cache
def wording(language: Language) -> dict[str, Any]:
    """Return the whole table of a language."""
    return tomllib.loads(files("wildtool.agents.simulator").joinpath(f"{language}.toml").read_text(encoding="utf-8"))


@cache
def _small_talk(language: Language) -> dict[str, dict[str, list[Any]]]:
    return tomllib.loads(
        files("wildtool.agents.simulator").joinpath(f"chat_{language}.toml").read_text(encoding="utf-8")
    )


def small_talk(language: Language, way: str, kind: str) -> list[Any]:
    """Return the sentences on a kind of topic from ``chat_<language>.toml``: ``open``, ``point`` and ``omit`` hold pairs of what
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
