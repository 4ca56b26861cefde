"""Ordinals in words, for texts that are written."""

from __future__ import annotations

from wildtool.language.lexicon import words


def ordinal_word(index: int, language: str) -> str:
    """How a person counts to item ``index`` (from 0; negative: from the end): ``first``, ``last``, 二.

    Positions without a word of their own are given as a number.
    """
    return str(words(language, "ordinal_words")["ordinals"].get(str(index), str(index + 1)))
