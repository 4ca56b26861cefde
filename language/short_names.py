"""Shorten names as people do: GG for Glass Garden, 国安 for 北京国安. The rules are in ``words/<code>/short_names.toml``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from wildtool.language.api_codes import names_of
from wildtool.language.lexicon import words

Bearer = Literal["person", "team", "city", "other"]
"""Who or what has the name."""

_HAN = re.compile(r"[\u3400-\u9fff]+")


def short_name(name: str, bearer: Bearer, language: str) -> str | None:
    """The short form of a full name; None where it has none, or where the form is another thing's name (US)."""
    table = words(language, "short_names")
    rule = table.get(bearer)
    pieces = _pieces(name, table["pieces"])
    if rule is None or not rule["of"][0] <= len(pieces) <= rule["of"][1]:
        return None
    if table.get("capitals") and not all(piece[:1].isupper() and piece.isalpha() for piece in pieces):
        return None
    short = "".join(piece[0] for piece in pieces) if rule.get("initials") else "".join(pieces[slice(*rule["keep"])])
    return None if short.casefold() in {each.casefold() for each in names_of(name)} else short


def short_label(label: str, others: Sequence[str], language: str) -> str | None:
    """How a shown thing's name is cut short, where that tells it from the others: Aurora for Aurora Air 214."""
    table = words(language, "short_names")
    short = _cut(label, table["pieces"], table["label"])
    long_enough = len(label) > len(short) + 1 and len(short) > 1 and short.casefold() not in table["not_alone"]
    return (
        short
        if long_enough and short not in [_cut(other, table["pieces"], table["label"]) for other in others]
        else None
    )


def _pieces(name: str, kind: str) -> list[str]:
    """Words, or the characters of a name that is written in Chinese characters alone."""
    if kind == "words":
        return name.split()
    return list(name) if _HAN.fullmatch(name) else []


def _cut(label: str, kind: str, count: int) -> str:
    return " ".join(label.split()[:count]) if kind == "words" else label[:count]
