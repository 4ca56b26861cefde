"""Loads the words of a language: one folder of TOML files a language, ``words/<code>/<topic>.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def languages() -> tuple[str, ...]:
    """Codes of all languages that have a folder of words, sorted."""
    folder = files("wildtool.language") / "words"
    return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir()))


@cache
def words(language: str, topic: str) -> Mapping[str, Any]:
    """The tables of ``words/<language>/<topic>.toml``. Raises ``LookupError`` for an unknown language or topic."""
    path = files("wildtool.language") / "words" / language / f"{topic}.toml"
    if not path.is_file():
        raise LookupError(f"language {language!r} has no words for {topic!r}")
    return tomllib.loads(path.read_text(encoding="utf-8"))
