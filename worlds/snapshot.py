"""Record the rows that a world was furnished with, and furnish from a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session_world import FrozenRows
from wildtool.worlds.rows import Row, RowSource, Taken
from wildtool.worlds.values import form

Made = TypeVar("Made")


class Recording:
    """A row source that remembers what it gave."""

    def __init__(self, source: RowSource) -> None:
        """Record what ``source`` gives."""
        self._source = source
        self._kept: dict[str, FrozenRows] = {}

    @property
    def rows(self) -> tuple[FrozenRows, ...]:
        """All that was given, ordered by table and occasion."""
        return tuple(self._kept[key] for key in sorted(self._kept))

    def initial(self, table: str) -> list[Row]:
        """Return the rows that are there at the start."""
        return self._keep(table, "start", self._source.initial(table))

    def partition(self, table: str, given: Mapping[str, Any], taken: Taken) -> list[Row]:
        """Return the rows of unseen values."""
        return self._keep(table, _part(given), self._source.partition(table, given, taken))

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        """Complete a created row."""
        made = self._source.fresh(table, given, number, taken)
        self._keep(table, f"created {number}", [made])
        return made

    def point(self, table: str, entity: Row, moment: datetime, position: int) -> Row:
        """Return the fields of an entity at a point in time."""
        made = self._source.point(table, entity, moment, position)
        self._keep(table, _point(entity, moment), [made])
        return made

    def _keep(self, table: str, occasion: str, rows: list[Row]) -> list[Row]:
        self._kept[f"{table}\x1f{occasion}"] = FrozenRows(table=table, occasion=occasion, rows=tuple(rows))
        return rows


class Recorded:
    """A row source that gives what was recorded, and asks another for the rest."""

    def __init__(self, rows: Sequence[FrozenRows], fallback: RowSource) -> None:
        """Give ``rows``; ``fallback`` makes what they do not hold."""
        self._kept = {(each.table, each.occasion): each.rows for each in rows}
        self._fallback = fallback

    def initial(self, table: str) -> list[Row]:
        """Return the rows that are there at the start."""
        return self._get(table, "start", lambda: self._fallback.initial(table))

    def partition(self, table: str, given: Mapping[str, Any], taken: Taken) -> list[Row]:
        """Return the rows of unseen values."""
        return self._get(table, _part(given), lambda: self._fallback.partition(table, given, taken))

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        """Complete a created row; a record of another call's row gives its own fields only."""
        return self._get(table, f"created {number}", lambda: [self._fallback.fresh(table, given, number, taken)])[0]

    def point(self, table: str, entity: Row, moment: datetime, position: int) -> Row:
        """Return the fields of an entity at a point in time."""
        occasion = _point(entity, moment)
        return self._get(table, occasion, lambda: [self._fallback.point(table, entity, moment, position)])[0]

    def _get(self, table: str, occasion: str, make: Callable[[], list[Row]]) -> list[Row]:
        kept = self._kept.get((table, occasion))
        return make() if kept is None else [dict(row) for row in kept]


def _part(given: Mapping[str, Any]) -> str:
    return "part " + ";".join(f"{name}={form(value)}" for name, value in given.items())


def _point(entity: Row, moment: datetime) -> str:
    # The entity by all it is: two of one label may be two.
    return f"point {moment.isoformat()} {canonical_json(entity)}"
