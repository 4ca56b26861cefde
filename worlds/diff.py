"""Tell how two states of a world differ, or what a stretch of calls changed in sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from wildtool.worlds.rows import Change, Key


def net(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Sum up changes row by row: created and removed again is nothing, changed back is nothing. In order of first change."""
    first: dict[tuple[str, Key], Change] = {}
    last: dict[tuple[str, Key], Change] = {}
    for change in changes:
        place = (change.table, change.key)
        first.setdefault(place, change)
        last[place] = change
    found = []
    for place, begun in first.items():
        before, after = begun.before, last[place].after
        if before == after:
            continue
        kind: Literal["create", "update", "delete"] = (
            "create" if before is None else "delete" if after is None else "update"
        )
        found.append(Change(kind, *place, before, after))
    return tuple(found)


def fields_changed(change: Change) -> tuple[str, ...]:
    """Return the names of the fields that differ before and after, in the order of the row."""
    before, after = change.before or {}, change.after or {}
    return tuple(name for name in {**before, **after} if before.get(name) != after.get(name))
