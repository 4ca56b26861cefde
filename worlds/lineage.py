"""Say where each leaf of a result came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wildtool.worlds.rows import Key


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a leaf of a result came from."""

    kind: Literal["field", "rows", "argument", "clock", "constant", "function"]
    """A field of a row, a figure over several rows, an argument, the clock, the spec, or a computation."""
    table: str = ""
    """Table of the row or rows."""
    keys: tuple[Key, ...] = ()
    """Key of the row, or keys of all rows of the figure."""
    field: str = ""
    """Field of the row, or path of the argument."""


Lineage = dict[str, Origin]
"""Origin by path in the result. A path stands for all leaves below it: values that are objects or lists have one origin."""


def origin_of(lineage: Lineage, path: str) -> Origin | None:
    """Return the origin of a leaf, by its own path or the longest one above it."""
    while path:
        if path in lineage:
            return lineage[path]
        cut = max(path.rfind("."), path.rfind("["))
        path = path[:cut] if cut > 0 else ""
    return lineage.get("")
