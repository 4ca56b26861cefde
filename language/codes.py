"""Identifiers: texts that are said or shown as they are, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterable

from wildtool.language.folding import normal

IDENTIFIER = frozenset("id ids uuid code ref reference isbn sku isin ean".split())
"""Words of names whose values are identifiers."""
_CODE = re.compile(r"\A(?:(?=\S*\d{3})(?=\S*[A-Za-z])[A-Za-z\d]+(?:[-_/.#][A-Za-z\d]+)*|\d{5,})")

_MEASURE = re.compile(r"\d{1,5}[A-Za-z]{1,3}")
"""A number with its unit ("1080p", "500g"): people say the unit in words, or not at all."""


def is_code(value: str) -> bool:
    """The text is one code of letters and digits, such as ``LN-3021``, or a long number: nothing that has an own wording."""
    return _CODE.fullmatch(value.strip()) is not None and not _MEASURE.fullmatch(value.strip())


def stands_whole(value: str, texts: Iterable[str]) -> bool:
    """A code stands in one of the texts as a whole, whatever its case, blanks and hyphens."""
    signs = [re.escape(char) for char in normal(value)]
    pattern = re.compile(rf"(?<![a-z\d])(?:#|no\.? ?)?{r'[^a-z0-9]{0,2}'.join(signs)}(?![a-z\d])")
    return any(pattern.search(text.casefold()) for text in texts)
