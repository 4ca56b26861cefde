"""Furnish worlds: rows at the start, rows of unseen values, rest of created rows, points of series."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject, sha256_hex
from wildtool.schemas.session_world import Demand
from wildtool.schemas.world import FieldRole, WorldSpec, WorldTable
from wildtool.worlds.furnishing.creation import fresh_values
from wildtool.worlds.furnishing.demands import satisfied
from wildtool.worlds.furnishing.facts import Exhausted, Facts, Scene
from wildtool.worlds.furnishing.groups import grow, settle
from wildtool.worlds.furnishing.moments import utc
from wildtool.worlds.furnishing.ordering import circles
from wildtool.worlds.furnishing.plan import FieldPlan, TablePlan, plans_of
from wildtool.worlds.furnishing.points import Points
from wildtool.worlds.furnishing.rowmaker import Refers, Used, make_row, prepare
from wildtool.worlds.rows import Row, Taken
from wildtool.worlds.values import dig, equal, form

CHILDREN = (2, 5)
"""Fewest and most rows that belong to one row of another table."""

MOST_CHILDREN = 60
"""Rows of a table that belong to others, about: where there are many parents, each has fewer."""


class Furnisher:
    """Makes the rows of one session's world; the same arguments give the same rows, whenever they are asked for."""

    def __init__(self, spec: WorldSpec, *, seed: int | str, now: str, demands: Sequence[Demand] = ()) -> None:
        """Furnish ``spec`` from a seed, around the clock ``now``, so that all demands are met."""
        self.spec = spec
        self.seed = seed
        self.demands = demands
        self.scene = Scene(str(spec.language), utc(now), str(seed))
        self.plans = plans_of(spec)
        self._circles = circles(spec)
        self._started: dict[str, list[Row]] = {}
        self._busy: dict[str, list[Row]] = {}
        self._points = Points(spec, self.plans, self.scene)

    # RowSource

    def initial(self, table: str) -> list[Row]:
        """Return the rows that are there at the start."""
        return [dict(row) for row in self._start(table)]

    def partition(self, table: str, given: Mapping[str, Any], taken: Taken) -> list[Row]:
        """Return the rows of unseen values, all with the ``given`` values."""
        plan = self.plans[table]
        count = self._part_size(plan, given, self._random("part", table, _key(given)))
        year = _year(plan, given) if count == 1 else None
        # Years of one thing are drawn alike, and its figures move from year to year.
        key = _key({name: value for name, value in given.items() if name != year})
        used = self._used(plan)
        refers = self._refers(plan, given)

        def more(values: Mapping[str, Any], number: int, *, closed: bool = False) -> Row:
            rng = self._random("part", table, key, str(number))
            wanted = {**given, **values}
            row = make_row(plan, self.scene, wanted, rng, used, taken, refers, wide=True, closed=closed)
            if year is not None:
                facts = Facts(self.scene, rng, plan.spec.noun)
                prepare(plan, facts, wanted)
                grow(plan, row, wanted, wanted[year] - self.scene.now.year, facts)
            return row

        rows: list[Row] = []
        with suppress(Exhausted):
            for number in range(count):
                rows.append(more({}, number, closed=True))
        claimed: set[int] = set()
        for at, demand in enumerate(self.demands):
            if demand.table != table or not all(
                (name in demand.given and equal(demand.given[name], value)) or _covers(demand, name, value)
                for name, value in given.items()
            ):
                continue
            rest = demand.model_copy(
                update={"words": tuple(w for w in demand.words if not any(equal(w, v) for v in given.values()))}
            )
            rng = self._random("demand", table, key, str(at))
            further = partial(_numbered, more, 1000 * (at + 1))
            rows = satisfied(rows, rest, plan, self.scene, claimed, rng, further, kept=given)
        settle(plan, rows, given)
        return rows

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        """Complete a row that a call creates."""
        plan = self.plans[table]
        rng = self._random("fresh", table, str(number))
        values = {**fresh_values(plan, self.scene, given), **given}
        return make_row(plan, self.scene, values, rng, self._used(plan), taken, self._refers(plan, values))

    def point(self, table: str, entity: Row, moment: datetime, position: int) -> Row:
        """Return the fields of an entity at a point in time; figures move smoothly around the entity's own."""
        return self._points.at(table, entity, moment)

    # Rows of the start

    def _start(self, table: str) -> list[Row]:
        if table not in self._started:
            group = self._circles[table]
            self._busy.update((name, []) for name in group)
            for name in group:
                self._busy[name] = self._first_rows(self.plans[name])
            if len(group) > 1:
                for name in group:
                    self._close(self.plans[name], group)
            for name in group:
                self._started[name] = self._demanded(self.plans[name], self._busy[name])
            for name in group:
                del self._busy[name]
        return self._started[table]

    def _there(self, table: str) -> list[Row]:
        return self._busy[table] if table in self._busy else self._start(table)

    def _first_rows(self, plan: TablePlan) -> list[Row]:
        used: Used = {}
        rows: list[Row] = []

        def add(given: Mapping[str, Any], *, refers: Refers) -> None:
            rng = self._random("start", plan.name, str(len(rows)))
            with suppress(Exhausted):
                rows.append(make_row(plan, self.scene, given, rng, used, _never, refers, closed=True))

        sizes = self._random("start", plan.name)
        parent = plan.field(plan.parent) if plan.parent is not None else None
        if parent is not None and parent.ref is not None:
            parents = self._there(parent.ref[0])
            low, high = (
                CHILDREN
                if len(parents) * CHILDREN[1] <= MOST_CHILDREN * 2
                else (1, max(1, MOST_CHILDREN // len(parents)))
            )
            for each in parents:
                value = dig(each, parent.ref[1])
                given = {parent.name: value} if value is not None else {}
                for _ in range(sizes.randint(low, high)):
                    add(given, refers=self._refers(plan, given, rows, each))
        if not rows:
            low, high = plan.spec.rows if plan.spec.key else (1, 1)
            for _ in range(sizes.randint(low, high)):
                add({}, refers=self._refers(plan, {}, rows))
        return rows

    def _close(self, plan: TablePlan, group: Sequence[str]) -> None:
        """Fill refs to tables that were made later in a circle."""
        rng = self._random("close", plan.name)
        for row in self._busy[plan.name]:
            for each in plan.fields:
                if each.ref is None or each.name in row or each.ref[0] not in group or each.ref[0] == plan.name:
                    continue
                others = self._busy[each.ref[0]]
                value = dig(rng.choice(others), each.ref[1]) if others else None
                if value is not None:
                    row[each.name] = [value] if each.listed and not isinstance(value, list) else value

    def _demanded(self, plan: TablePlan, rows: list[Row]) -> list[Row]:
        used = self._used_by(plan, rows)
        claimed: set[int] = set()
        for at, demand in enumerate(self.demands):
            if demand.table != plan.name or any(
                name in demand.given or _topic_asked(plan.spec, demand, name) for name in plan.spec.open
            ):
                continue

            def more(values: Mapping[str, Any], number: int, at: int = at) -> Row:
                rng = self._random("more", plan.name, str(at), str(number))
                return make_row(plan, self.scene, values, rng, used, _never, self._refers(plan, values))

            rows = satisfied(
                rows, demand, plan, self.scene, claimed, self._random("demand", plan.name, str(at)), more, kept={}
            )
        settle(plan, rows)
        return rows

    def _used(self, plan: TablePlan) -> Used:
        return self._used_by(plan, self._there(plan.name))

    @staticmethod
    def _used_by(plan: TablePlan, rows: Sequence[Row]) -> Used:
        names = [each.name for each in plan.fields if each.unique or each.make is not None]
        return {name: {form(row[name]) for row in rows if name in row} for name in names}

    # Parts

    def _part_size(self, plan: TablePlan, given: Mapping[str, Any], rng: Random) -> int:
        named = any(
            (name,) == plan.spec.key or plan.spec.fields[name].role is FieldRole.LABEL
            for name in given
            if name in plan.spec.fields
        )
        if named or self._reads_one(plan.name, given) or set(plan.spec.key) <= set(given):
            return 1
        child = any(plan.spec.fields[name].ref is not None for name in given if name in plan.spec.fields)
        if child and not plan.spec.open:
            return rng.randint(*CHILDREN)
        low, high = plan.spec.rows
        return rng.randint(max(low // 2, 1), max(high // 2, 1))

    def _reads_one(self, table: str, given: Mapping[str, Any]) -> bool:
        """Return whether all tools that open these fields read one row by them."""
        users = [
            operation
            for operation in self.spec.tools.values()
            if operation.table == table
            and (set(given) & set(operation.key) or any(set(given) & set(each.fields) for each in operation.where))
        ]
        return bool(users) and all(set(given) & set(operation.key) for operation in users)

    # Refs

    def _refers(
        self, plan: TablePlan, given: Mapping[str, Any], rows: Sequence[Row] = (), parent: Row | None = None
    ) -> Refers:
        """Return what chooses the rows that a row refers to. ``rows`` are those of its own table made so far."""

        def choose(each: FieldPlan, facts: Facts, known: Mapping[str, Any]) -> Row | None:
            assert each.ref is not None
            table, theirs = each.ref
            if parent is not None and each.name == plan.parent:
                return parent
            if table == plan.name:
                others: Sequence[Row] = rows or (() if table in self._busy else self._there(table))
            else:
                others = self._busy[table] if table in self._busy else self._there(table)
            if each.name in given:
                wanted = given[each.name]
                first = wanted[0] if isinstance(wanted, list) and wanted else wanted
                return next((row for row in others if equal(dig(row, theirs), first)), None)
            # A row that the parent refers to as well is the same one.
            if each.name in known:
                same = next((row for row in others if equal(dig(row, theirs), known[each.name])), None)
                if same is not None:
                    return same
            return facts.pick(others) if others else None

        return choose

    def _random(self, *parts: str) -> Random:
        return Random(int(sha256_hex("\x1f".join((str(self.seed), *parts)))[:16], 16))


def _never(name: str, value: Any) -> bool:
    return False


def _numbered(more: Callable[..., Row], first: int, values: JsonObject, number: int) -> Row:
    """Make a further row, counted from ``first``."""
    return more(values, first + number)


def _key(given: Mapping[str, Any]) -> str:
    return ";".join(f"{name}={form(given[name])}" for name in sorted(given))


def _year(plan: TablePlan, given: Mapping[str, Any]) -> str | None:
    """Return the field of a given year, where other values say which thing is meant."""
    years = [name for name, value in given.items() if isinstance(value, int) and 1000 <= value <= 9999]
    timed = [name for name in years if (held := plan.field(name)) is not None and held.role is FieldRole.TIME]
    return timed[0] if len(timed) == 1 and len(given) > 1 else None


def _covers(demand: Demand, name: str, value: Any) -> bool:
    """Return whether a demand means the values that a part was opened by: its words, or a day inside it."""
    if isinstance(value, str) and any(equal(word, value) for word in demand.words):
        return True
    ends = demand.within.get(name)
    return ends is not None and (equal(ends[0], value) or equal(ends[1], value))


def _topic_asked(spec: WorldTable, demand: Demand, name: str) -> bool:
    return (
        spec.fields[name].role in (FieldRole.TOPIC, FieldRole.LABEL) and bool(demand.words)
    ) or name in demand.within
