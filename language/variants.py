"""Folds the other forms of a character into the one that the word lists use: traditional Chinese into simplified."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from wildtool.language.lexicon import languages, words


@cache
def _plain_forms() -> Mapping[int, str]:
    found: dict[int, str] = {}
    for language in languages():
        try:
            table = words(language, "variants")
        except LookupError:  # most scripts have one form of each character
            continue
        for pair in " ".join(table["pairs"]).split():
            found |= {ord(other): pair[0] for other in pair[1:]}
    return found


def plain_forms(text: str) -> str:
    """The text in plain forms, each character where it was."""
    return text if text.isascii() else text.translate(_plain_forms())
