"""Hold the rows of a world, bring rows into being when they are asked for, and keep a journal of changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Protocol

from wildtool.schemas.world import FieldRole, WorldSpec
from wildtool.worlds.values import dig, equal, form, put

Row = dict[str, Any]
"""One row: values by field."""

Key = tuple[str, ...]
"""Forms of a row's key values (``values.form``)."""

START = ""
"""Part of the rows that are there at the start or were created."""

Taken = Callable[[str, Any], bool]
"""``taken(field, value)``: whether a row of the table has this id or label."""


class RowSource(Protocol):
    """Makes rows; the same arguments give the same rows."""

    def initial(self, table: str) -> list[Row]:
        """Return the rows that are there at the start."""
        ...

    def partition(self, table: str, given: Mapping[str, Any], taken: Taken) -> list[Row]:
        """Return the rows of an unseen value of an open field, all with the ``given`` values."""
        ...

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        """Complete a row that a call creates; ``number`` counts the creations of the session from 0."""
        ...

    def point(self, table: str, entity: Row, moment: datetime, position: int) -> Row:
        """Return the fields of an entity at a point in time."""
        ...


@dataclass(frozen=True)
class Change:
    """One change of one row."""

    kind: Literal["create", "update", "delete"]
    table: str
    key: Key
    before: Row | None
    after: Row | None


@dataclass
class _Table:
    rows: dict[Key, Row] = field(default_factory=dict)
    parts: dict[Key, str] = field(default_factory=dict)
    used: dict[str, set[str]] = field(default_factory=dict)
    """Forms of ids and labels by field; a deleted row's stay used."""
    opened: set[str] = field(default_factory=set)
    gone: set[Key] = field(default_factory=set)
    """Keys of deleted rows: asking for one must not bring it into being again."""


class Rows:
    """The rows of one world. Rows are never changed in place, so that forks share them."""

    def __init__(self, spec: WorldSpec, source: RowSource) -> None:
        """Make all tables empty; each is furnished when it is first read."""
        self.spec = spec
        self.source = source
        self.journal: list[Change] = []
        self.created = 0
        self._tables: dict[str, _Table] = {}

    def fork(self) -> Rows:
        """Return a copy whose changes do not show here."""
        other = Rows(self.spec, self.source)
        other.journal, other.created = list(self.journal), self.created
        other._tables = {
            name: _Table(
                dict(t.rows), dict(t.parts), {f: set(u) for f, u in t.used.items()}, set(t.opened), set(t.gone)
            )
            for name, t in self._tables.items()
        }
        return other

    def table(self, name: str) -> dict[Key, Row]:
        """Return the rows of a table that are there now, by key, in the order in which they came."""
        return self._table(name).rows

    def key_of(self, table: str, row: Row) -> Key:
        """Return the key of a row."""
        return tuple(form(dig(row, name)) for name in self.spec.tables[table].key)

    def get(self, table: str, key: Key) -> Row | None:
        """Return the row of a key; None where it is not there."""
        return self._table(table).rows.get(key)

    def find(self, table: str, values: Mapping[str, Any]) -> tuple[Key, Row] | None:
        """Return the first row whose fields equal ``values``; an open field's unseen value brings it into being."""
        fields = self.spec.tables[table].key
        if fields and set(fields) == set(values):
            key = tuple(form(values[name]) for name in fields)
            row = self.get(table, key)
            if row is None and self.open(table, values) is not None:
                row = self.get(table, key)
            return None if row is None else (key, row)
        for attempt in (False, True):
            if attempt and self.open(table, values) is None:
                return None
            for key, row in self._table(table).rows.items():
                if all(equal(dig(row, name), value) for name, value in values.items()):
                    return key, row
        return None

    def visible(self, table: str, parts: Collection[str | None] = ()) -> Iterator[tuple[Key, Row]]:
        """Return rows that a search sees: those of its parts and those of the start. Other parts came by other searches, and
        what a search shows must not depend on what was searched before."""
        held = self._table(table)
        seen = {START, *parts}
        return ((key, row) for key, row in held.rows.items() if held.parts[key] in seen)

    def open(
        self, table: str, values: Mapping[str, Any], companions: Mapping[str, Mapping[str, Any]] | None = None
    ) -> str | None:
        """Bring the rows of unseen values into being; return the part they belong to, None where nothing opens.

        The open fields of the table that ``values`` names open together: flights from one town to another on one day. A ref
        to a row that was itself brought into being opens as well: its children come with it. ``companions`` are values that
        a field opens with (the longitude of a latitude).
        """
        spec = self.spec.tables[table]
        given = {name: values[name] for name in spec.open if values.get(name) is not None}
        if not given:
            name = next((each for each in values if self._parent_came_late(table, each, values[each])), None)
            if name is None:
                return None
            given = {name: values[name]}
        for name, value in values.items():
            # What opens belongs to the row that it is asked for with.
            field = spec.fields.get(name)
            if name not in given and field is not None and field.ref is not None and value is not None:
                given[name] = value
        for name in list(given):
            given.update((companions or {}).get(name, {}))
        part = ";".join(f"{field}={form(value)}" for field, value in given.items())
        held = self._table(table)
        if part in held.opened:
            return part
        held.opened.add(part)
        # What is named by an id or a label alone is one thing: it comes into being once.
        alone = all(self._unique(table, each) for each in given)
        if alone and any(all(equal(dig(row, n), v) for n, v in given.items()) for row in held.rows.values()):
            return part
        # What belongs to a row that is not there does not come into being.
        if any(
            spec.fields[n].ref is not None and self.refers(table, n, v) is None
            for n, v in given.items()
            if n in spec.fields
        ):
            return part
        for row in self.source.partition(table, given, self._taken(held)):
            self._add(table, held, row, part)
        return part

    def _unique(self, table: str, name: str) -> bool:
        spec = self.spec.tables[table]
        field = spec.fields.get(name)
        return spec.key == (name,) or (field is not None and field.role in (FieldRole.ID, FieldRole.LABEL))

    def _parent_came_late(self, table: str, name: str, value: Any) -> bool:
        field = self.spec.tables[table].fields.get(name)
        if field is None or field.ref is None or value is None:
            return False
        other, _, theirs = field.ref.partition(".")
        found = self.find(other, {theirs: value})
        return found is not None and self._table(other).parts[found[0]] != START

    def refers(self, table: str, name: str, value: Any) -> tuple[str, Key, Row] | None:
        """Return the row that a ref field's value names."""
        ref = self.spec.tables[table].fields[name].ref
        if ref is None:
            return None
        other, _, theirs = ref.partition(".")
        found = self.find(other, {theirs: value})
        return None if found is None else (other, *found)

    def complete(self, table: str, given: Row) -> Row:
        """Complete a row that is to be created; nothing is added yet."""
        row = self.source.fresh(table, given, self.created, self._taken(self._table(table)))
        return {**row, **given}

    def create(self, table: str, row: Row) -> Key:
        """Add a row."""
        key = self._add(table, self._table(table), row, START)
        self.created += 1
        self.journal.append(Change("create", table, key, None, row))
        return key

    def update(self, table: str, key: Key, values: Mapping[str, Any]) -> Row:
        """Change fields of a row, by path; return the new row."""
        held = self._table(table)
        before = held.rows[key]
        after = dict(before)
        for path, value in values.items():
            put(after, path, value)
        held.rows[key] = after
        if after != before:
            self.journal.append(Change("update", table, key, before, after))
        return after

    def delete(self, table: str, key: Key) -> Row:
        """Remove a row; its ids stay used."""
        held = self._table(table)
        row = held.rows.pop(key)
        held.gone.add(key)
        del held.parts[key]
        self.journal.append(Change("delete", table, key, row, None))
        return row

    def _table(self, name: str) -> _Table:
        held = self._tables.get(name)
        if held is None:
            held = self._tables[name] = _Table()
            for row in self.source.initial(name):
                self._add(name, held, row, START)
        return held

    def _add(self, table: str, held: _Table, row: Row, part: str) -> Key:
        key = self.key_of(table, row)
        if key in held.rows:  # two searches came upon the same key: the thing that was seen first stays
            return key
        if part != START and key in held.gone:
            return key
        held.rows[key] = row
        held.parts[key] = part
        for name, spec in self.spec.tables[table].fields.items():
            if spec.role in (FieldRole.ID, FieldRole.LABEL) and name in row:
                held.used.setdefault(name, set()).add(form(row[name]))
        return key

    @staticmethod
    def _taken(held: _Table) -> Taken:
        return lambda name, value: form(value) in held.used.get(name, ())
