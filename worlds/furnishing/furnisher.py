"""Furnish worlds: rows at the start, rows of unseen values, rest of created rows, points of series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import pi, sin
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject, sha256_hex
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import Demand, FieldRole, WorldField, WorldSpec, WorldTable
from wildtool.worlds.furnishing.agreement import agree
from wildtool.worlds.furnishing.data import label_words
from wildtool.worlds.furnishing.demands import satisfied
from wildtool.worlds.furnishing.identifiers import identifier
from wildtool.worlds.furnishing.values import Maker, write
from wildtool.worlds.rows import Row, Taken
from wildtool.worlds.values import dig, equal, form, span

PART_ROWS = (5, 9)
"""Fewest and most rows of unseen values in a table that lists show."""

CHILDREN = (2, 4)
"""Fewest and most rows that belong to one row of another table."""

TOPICS = 2
"""Words by which a search finds a row beside those that it asked for."""


class Furnisher:
    """Makes the rows of one session's world; the same arguments give the same rows, whenever they are asked for."""

    def __init__(self, spec: WorldSpec, *, seed: int | str, now: str, demands: Sequence[Demand] = ()) -> None:
        """Furnish ``spec`` from a seed, around the clock ``now``, so that all demands are met."""
        self.spec = spec
        self.seed = seed
        self.maker = Maker(str(spec.language), datetime.fromisoformat(now).astimezone(UTC).replace(tzinfo=None))
        self.demands = demands
        self._started: dict[str, list[Row]] = {}
        self._busy: set[str] = set()

    # RowSource

    def initial(self, table: str) -> list[Row]:
        """Return the rows that are there at the start."""
        if table not in self._started:
            self._busy.add(table)
            self._started[table] = self._initial(table)
            self._busy.discard(table)
        return [dict(row) for row in self._started[table]]

    def partition(self, table: str, given: Mapping[str, Any], taken: Taken) -> list[Row]:
        """Return the rows of unseen values, all with the ``given`` values."""
        spec = self.spec.tables[table]
        key = ";".join(f"{name}={form(value)}" for name, value in given.items())
        rng = self._random("part", table, key)
        single = any(
            (name,) == spec.key or spec.fields[name].role is FieldRole.LABEL for name in given
        ) or self._reads_one(table, given)
        child = any(spec.fields[name].ref is not None for name in given) and not spec.open
        count = 1 if single else rng.randint(*(CHILDREN if child else PART_ROWS))
        used: dict[str, set[str]] = {}
        rows = [self._row(table, given, rng, used, taken) for _ in range(count)]
        claimed: set[int] = set()
        for demand in self.demands:
            if demand.table == table and all(
                (n in demand.given and equal(demand.given[n], v)) or self._covers(demand, n, v)
                for n, v in given.items()
            ):
                rest = demand.model_copy(
                    update={"words": tuple(w for w in demand.words if not self._covered(w, given))}
                )
                rows = satisfied(
                    rows,
                    rest,
                    spec,
                    claimed,
                    self._random("demand", table, key),
                    lambda more: self._row(table, {**given, **more}, rng, used, taken),
                )
        return rows

    def fresh(self, table: str, given: Row, number: int, taken: Taken) -> Row:
        """Complete a row that a call creates."""
        rng = self._random("fresh", table, str(number))
        return self._row(table, given, rng, {}, taken)

    def point(self, table: str, entity: Row, moment: datetime, position: int) -> Row:
        """Return the fields of an entity at a point in time; figures move smoothly around the entity's own."""
        spec = self.spec.tables[table]
        fixed = set(spec.key) | set(spec.open)
        made: Row = {}
        key = ";".join(f"{name}={form(dig(entity, name))}" for name in sorted(fixed))
        for name, field in spec.fields.items():
            if name in fixed or field.role in (FieldRole.ID, FieldRole.LABEL, FieldRole.REF, FieldRole.TOPIC):
                continue
            base = entity.get(name)
            if field.role is FieldRole.TIME:
                at = span(base)
                if at is not None and isinstance(base, str):
                    made[name] = write(
                        moment.replace(hour=at[0].hour if len(base) > 10 else moment.hour),
                        "date" if len(base) == 10 else "date-time",
                    )
            elif isinstance(base, bool) or not isinstance(base, int | float):
                rng = self._random("point", table, key, name, moment.isoformat())
                made[name] = self.maker.draw(name, field.value, rng, noun=spec.noun)
            else:
                made[name] = self._figure(table, key, name, field, float(base), moment)
        agree(
            made,
            {name: spec.fields[name].value for name in made},
            frozenset(),
            self.maker.language,
            self._random("agree", key, moment.isoformat()),
        )
        return made

    # Making rows

    def _initial(self, table: str) -> list[Row]:
        spec = self.spec.tables[table]
        rng = self._random("start", table)
        used: dict[str, set[str]] = {}
        rows: list[Row] = []
        parent = next(
            (
                name
                for name, field in spec.fields.items()
                if field.ref is not None and not field.ref.startswith(f"{table}.")
            ),
            None,
        )
        if parent is not None and spec.key:
            other, _, theirs = str(spec.fields[parent].ref).partition(".")
            if other not in self._busy:
                for each in self.initial(other):
                    rows += [
                        self._row(table, {parent: each.get(theirs)}, rng, used, None)
                        for _ in range(rng.randint(*CHILDREN))
                    ]
        if not rows:
            low, high = spec.rows
            rows = [self._row(table, {}, rng, used, None) for _ in range(rng.randint(low, high))]
        claimed: set[int] = set()
        for number, demand in enumerate(self.demands):
            if demand.table == table and not any(
                name in demand.given or self._topic_asked(spec, demand, name) for name in spec.open
            ):
                rows = satisfied(
                    rows,
                    demand,
                    spec,
                    claimed,
                    self._random("demand", table, str(number)),
                    lambda more: self._row(table, more, rng, used, None),
                )
        return rows

    def _row(
        self, table: str, given: Mapping[str, Any], rng: Random, used: dict[str, set[str]], taken: Taken | None
    ) -> Row:
        spec = self.spec.tables[table]
        row: Row = {}
        label = ""
        # The label first: texts speak of it.
        names = sorted(
            spec.fields, key=lambda each: (spec.fields[each].role is not FieldRole.LABEL, list(spec.fields).index(each))
        )
        for name in names:
            field = spec.fields[name]
            if name in given and not self._as_time(field, given[name]):
                row[name] = self._given(field, given[name], rng)
            else:
                row[name] = self._value(table, spec, name, field, rng, used, taken, label, given.get(name))
            if row[name] is None:
                del row[name]
            if field.role is FieldRole.LABEL and name in row:
                label = str(row[name])
        for name in given:
            if name not in spec.fields:
                row[name] = given[name]
        agree(row, {name: field.value for name, field in spec.fields.items()}, given.keys(), self.maker.language, rng)
        return {name: row[name] for name in (*spec.fields, *row) if name in row}

    def _value(
        self,
        table: str,
        spec: WorldTable,
        name: str,
        field: WorldField,
        rng: Random,
        used: dict[str, set[str]],
        taken: Taken | None,
        label: str,
        day: Any,
    ) -> Any:
        def free(value: Any) -> bool:
            return form(value) not in used.setdefault(name, set()) and not (taken is not None and taken(name, value))

        match field.role:
            case FieldRole.ID:
                value = identifier(name, field.value, field.pattern, spec.noun, rng, free)
                used.setdefault(name, set()).add(form(value))
                return value
            case FieldRole.LABEL:
                value = self._label(spec.noun, field.value, rng, free)
                used.setdefault(name, set()).add(form(value))
                return value
            case FieldRole.REF:
                return self._reference(table, field, rng)
            case FieldRole.TOPIC:
                pool = label_words(spec.noun, self.maker.language)
                return [rng.choice(pool.second).lower() for _ in range(TOPICS)]
            case _:
                if day is not None:
                    return self._on(field, day, rng)
                return self.maker.draw(name, field.value, rng, label, spec.noun)

    def _label(self, noun: str, schema: JsonObject, rng: Random, free: Any) -> Any:
        examples = [each for each in schema.get("examples") or () if isinstance(each, str)]
        rng.shuffle(examples)
        for each in examples:
            if free(each):
                return each
        words = label_words(noun, self.maker.language)
        start = rng.randrange(words.count)
        for step in range(words.count):
            made = words.label((start + 37 * step) % words.count)
            if free(made):
                return made
        return f"{words.label(start)} {start}"

    def _reference(self, table: str, field: WorldField, rng: Random) -> Any:
        other, _, theirs = str(field.ref).partition(".")
        if other == table or other in self._busy:
            return None
        rows = self.initial(other)
        value = dig(rng.choice(rows), theirs) if rows else None
        return [value] if plain_type(field.value) == "array" and not isinstance(value, list) else value

    def _given(self, field: WorldField, value: Any, rng: Random) -> Any:
        if field.role is FieldRole.TOPIC:
            return list(value) if isinstance(value, list) else [value]
        if plain_type(field.value) == "array" and not isinstance(value, list):
            return [value]
        if plain_type(field.value) == "string" and isinstance(value, int | float) and not isinstance(value, bool):
            return form(value)
        return value

    @staticmethod
    def _as_time(field: WorldField, value: Any) -> bool:
        """Return whether a given day is less than what the field holds: a moment on that day."""
        at = span(value)
        return field.role is FieldRole.TIME and at is not None and at[0] != at[1]

    def _on(self, field: WorldField, day: Any, rng: Random) -> Any:
        """Draw a moment within a given day, month or year, as the field writes moments."""
        at = span(day)
        assert at is not None
        if plain_type(field.value) in ("integer", "number"):
            return (
                at[0].year
                if at[1].year == at[0].year and (at[1] - at[0]).days > 300
                else write(at[0].replace(hour=rng.randrange(9, 21)), "seconds")
            )
        moment = at[0] + (at[1] - at[0]) * rng.random()
        moment = moment.replace(hour=rng.randrange(9, 21), minute=rng.choice((0, 15, 30, 45)), second=0, microsecond=0)
        moment = min(max(moment, at[0]), at[1])
        examples = [str(each) for each in field.value.get("examples") or ()]
        short = field.value.get("format") == "date" or (
            field.value.get("format") is None and not any("T" in each for each in examples)
        )
        return write(moment, "date" if short else "date-time")

    def _figure(self, table: str, key: str, name: str, field: WorldField, base: float, moment: datetime) -> int | float:
        phase = self._random("phase", table, key, name).random()
        noise = self._random("noise", table, key, name, moment.isoformat()).uniform(-1, 1)
        days = moment.timestamp() / 86_400
        value = base * (
            1 + 0.06 * sin(2 * pi * (days / 365.25 + phase)) + 0.04 * sin(2 * pi * (days / 17 + phase)) + 0.03 * noise
        )
        for bound, choose in (("minimum", max), ("maximum", min)):
            if isinstance(field.value.get(bound), int | float):
                value = choose(value, float(field.value[bound]))
        if plain_type(field.value) == "integer" or (base == int(base) and base > 20):
            return round(value)
        return round(value, 2)

    # Demands

    @staticmethod
    def _covers(demand: Demand, name: str, value: Any) -> bool:
        """Return whether a demand means the values that a part was opened by: its words, or a day inside it."""
        if isinstance(value, str) and any(equal(word, value) for word in demand.words):
            return True
        ends = demand.within.get(name)
        return ends is not None and (equal(ends[0], value) or equal(ends[1], value))

    @staticmethod
    def _covered(word: str, given: Mapping[str, Any]) -> bool:
        return any(equal(word, value) for value in given.values())

    @staticmethod
    def _topic_asked(spec: WorldTable, demand: Demand, name: str) -> bool:
        return (
            spec.fields[name].role in (FieldRole.TOPIC, FieldRole.LABEL) and bool(demand.words)
        ) or name in demand.within

    def _reads_one(self, table: str, given: Mapping[str, Any]) -> bool:
        """Return whether all tools that open these fields read one row by them."""
        users = [
            operation
            for operation in self.spec.tools.values()
            if operation.table == table
            and (set(given) & set(operation.key) or any(set(given) & set(each.fields) for each in operation.where))
        ]
        return bool(users) and all(set(given) & set(operation.key) for operation in users)

    def _random(self, *parts: str) -> Random:
        return Random(int(sha256_hex("\x1f".join((str(self.seed), *parts)))[:16], 16))
