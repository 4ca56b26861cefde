"""Names and texts of made-up things, by language: ``words/<code>.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def made_up(language: str) -> dict[str, Any]:
    """``names`` and ``texts`` (lists) and ``error_message`` (text) in a language."""
    return tomllib.loads(files("wildtool.worlds").joinpath("words", f"{language}.toml").read_text(encoding="utf-8"))
