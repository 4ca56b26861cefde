"""Find the words that installed packages add to an enum of the field, by the names of their entry points."""

from __future__ import annotations

import re
from collections.abc import Container
from importlib.metadata import entry_points

WORD = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""Form of a word: it stands in files, databases and column names."""


def added(group: str, built_in: Container[str]) -> dict[str, str]:
    """Members to add to an enum: the entry points of ``group`` that are words, without the names of ``built_in`` members.

    Only names are read, no package is imported. What the entry points load is checked by the registry that serves them.
    """
    names = {point.name for point in entry_points(group=group)}
    return {name.upper(): name for name in sorted(names) if WORD.fullmatch(name) and name.upper() not in built_in}
