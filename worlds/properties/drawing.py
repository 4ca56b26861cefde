"""Draw valid calls at random: values of rows, enums and examples, so that most calls find something, and made-up ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits, plain_type
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import FieldRole, Operation, OperationKind, ParameterRole, Predicate, PredicateKind
from wildtool.schemas.world_results import FromParameter
from wildtool.worlds.fields import listed as examples_of
from wildtool.worlds.fields import number as number_in
from wildtool.worlds.interpreter import Outcome
from wildtool.worlds.properties.subject import NOTHING, Subject, fitted, operations
from wildtool.worlds.rows import Row
from wildtool.worlds.values import dig, number, put, span

OPTIONAL = 0.4
"""Share of optional parameters that a drawn call gives: calls of three optional filters still find rows."""

FROM_ONE_ROW = 0.7
"""Share of calls whose filters all come from one row, so that something is found."""

MADE_UP = 0.1
"""Share of values that are made up where rows have some: searches that find nothing are calls as well."""


class Draw:
    """Draws the arguments of one call."""

    def __init__(self, world: Subject, tool: Tool, rng: Random) -> None:
        """Choose the row that the call is about."""
        self.world, self.tool, self.rng = world, tool, rng
        self.operation: Operation = world.spec.tools[tool.name]
        table = self.operation.table
        self.rows: list[Row] = []
        if table is not None:
            held = world.rows.table(table)
            self.rows = list(held.values())
        self.one: Row | None = rng.choice(self.rows) if self.rows else None
        self.together = rng.random() < FROM_ONE_ROW

    def arguments(self, *, optional: float = OPTIONAL, leave: frozenset[str] = frozenset()) -> JsonObject | None:
        """Return valid arguments; None where a required parameter has no value that fits its schema."""
        made = self._object("", self.tool.parameters, optional, leave)
        return made if made is not NOTHING and fits(made, self.tool.parameters) else None

    def _object(self, path: str, schema: JsonObject, optional: float, leave: frozenset[str]) -> Any:
        made: JsonObject = {}
        needed = schema.get("required", ())
        for name, inner in (schema.get("properties") or {}).items():
            place = f"{path}.{name}" if path else name
            if not isinstance(inner, dict) or place in leave or self._unknown(place):
                if name in needed:
                    return NOTHING
                continue
            if name not in needed and self.rng.random() >= optional:
                continue
            value = self._value(place, inner, optional, leave)
            if value is not NOTHING:
                made[name] = value
            elif name in needed:
                return NOTHING
        return made

    def _unknown(self, path: str) -> bool:
        use = self.operation.parameters.get(path)
        page = self.operation.page
        # A cursor comes from the page before.
        return (use is not None and use.role is ParameterRole.UNSUPPORTED) or (page is not None and path == page.cursor)

    def _value(self, path: str, schema: JsonObject, optional: float, leave: frozenset[str]) -> Any:
        if self.rng.random() >= MADE_UP:
            known = self._known(path)
            if known is not NOTHING and (value := fitted(known, schema)) is not NOTHING:
                return value
        if plain_type(schema) == "object" and schema.get("properties"):
            return self._object(path, schema, optional, leave)
        top = path.split(".")[0] == path
        return made_up(schema, self.tool.examples.get(path, ()) if top else (), self.world.now, self.rng)

    def _row(self) -> Row | None:
        return self.one if self.together or not self.rows else self.rng.choice(self.rows)

    def _known(self, path: str) -> Any:
        """Return a value that means something to this parameter; NOTHING where only the schema can tell."""
        operation = self.operation
        for field, parameter in operation.key.items():
            if parameter == path:
                return self._of(dig(self._row(), field))
        for predicate in operation.where:
            if predicate.parameter == path:
                return self._filter(predicate)
            if path in predicate.also.values():
                return self._companion(predicate, path)
        for field, node in operation.set.items():
            if isinstance(node, FromParameter) and node.parameter == path:
                return self._written(field)
        if operation.sort is not None and path == operation.sort.parameter and operation.sort.orders:
            return self.rng.choice(list(operation.sort.orders))
        if operation.sort is not None and path == operation.sort.direction:
            return self.rng.choice(["asc", "desc"])
        page = operation.page
        if page is not None and path == page.limit:
            return self.rng.randint(1, 8)
        if page is not None and path == page.offset:
            return self.rng.randint(0, 4)
        if page is not None and path == page.page:
            return page.first_page + self.rng.randint(0, 1)
        window = operation.window
        if window is not None and path in (window.start, window.end, window.at):
            days = self.rng.randint(0, 5) + (6 if path == window.end else 0)
            return (datetime.fromisoformat(self.world.now) + timedelta(days=days - 3)).date().isoformat()
        if window is not None and path == window.count:
            return self.rng.randint(1, 6)
        return NOTHING

    def _of(self, value: Any) -> Any:
        if value is None:
            return NOTHING
        return self.rng.choice(value) if isinstance(value, list) and value else value

    def _filter(self, predicate: Predicate) -> Any:
        row = self._row()
        fields = list(predicate.fields)
        value = dig(row, fields[0] if predicate.op is PredicateKind.NEAR else self.rng.choice(fields))
        if value is None and predicate.parent is not None:
            return self._parent(predicate)
        held = self._of(value)
        if held is NOTHING:
            return NOTHING
        match predicate.op:
            case PredicateKind.IN | PredicateKind.HAS:
                others = [self._of(dig(each, fields[0])) for each in self.rows]
                more = [each for each in others if each is not NOTHING]
                many = predicate.op is PredicateKind.IN and self.rng.random() < 0.5 and more
                return [held, self.rng.choice(more)] if many else [held]
            case PredicateKind.CONTAINS_ANY:
                words = [w for w in re.findall(r"[^\W_]+", str(held)) if len(w) > 2] or [str(held)]
                return self.rng.choice(words)
            case PredicateKind.PREFIX:
                return str(held)[: max(1, len(str(held)) // 2)]
            case PredicateKind.BETWEEN:
                other = self._of(dig(self.rng.choice(self.rows), fields[0]))
                ends = [held, held if other is NOTHING else other]
                return sorted(ends, key=lambda each: (number(each) or 0.0, str(each)))
            case PredicateKind.CLOCK:
                moment = span(held)
                return moment[0].strftime("%H:%M") if moment is not None else str(held)[:5]
            case PredicateKind.RANK:
                return self.rng.choice(predicate.ranks) if predicate.ranks else held
            case PredicateKind.TRUE:
                return self.rng.random() < 0.7
            case _:
                return held

    def _companion(self, predicate: Predicate, path: str) -> Any:
        if path == predicate.also.get("longitude"):
            return self._of(dig(self._row(), predicate.fields[1]))
        return self.rng.choice([1, 10, 50, 500])

    def _parent(self, predicate: Predicate) -> Any:
        assert self.operation.table is not None and predicate.parent is not None
        ref = self.world.spec.tables[self.operation.table].fields[predicate.fields[0]].ref or ""
        return self._any_of(predicate.parent, ref.partition(".")[2])

    def _any_of(self, table: str, field: str) -> Any:
        there = [value for row in self.world.rows.table(table).values() if (value := dig(row, field)) is not None]
        return self.rng.choice(there) if there else NOTHING

    def _written(self, field: str) -> Any:
        assert self.operation.table is not None
        there = self.world.spec.tables[self.operation.table].fields.get(field.split(".")[0])
        if there is None:
            return NOTHING
        if there.role is FieldRole.REF and there.ref is not None:
            table, _, theirs = there.ref.partition(".")
            return self._any_of(table, theirs)
        if there.role is FieldRole.STATE and there.transitions:
            now = str(dig(self.one, field)) if self.operation.op is OperationKind.UPDATE else ""
            follow = there.transitions.get(now) or tuple(there.transitions)
            return self.rng.choice(follow)
        return NOTHING


def draw(world: Subject, tool: Tool, rng: Random, **how: Any) -> JsonObject | None:
    """Return valid arguments of a call, tried a few times; None where none can be made."""
    for _ in range(4):
        arguments = Draw(world, tool, rng).arguments(**how)
        if arguments is not None:
            return arguments
    return None


def made_up(schema: JsonObject, examples: tuple[Any, ...], now: str, rng: Random) -> Any:
    """Return a value that fits a schema; NOTHING where none is found."""
    tried = [rng.choice(schema["enum"])] if schema.get("enum") else []
    known = [*examples, *examples_of(schema)]
    tried += [rng.choice(known)] if known else []
    tried += [schema[name] for name in ("const", "default") if name in schema]
    for name in ("anyOf", "oneOf"):
        branches = [each for each in schema.get(name, ()) if isinstance(each, dict) and each.get("type") != "null"]
        tried += [made_up(branch, examples, now, rng) for branch in branches[:2]]
    tried += [*known, *_plain(schema, now, rng)]
    return next((each for each in tried if each is not NOTHING and fits(each, schema)), NOTHING)


def _plain(schema: JsonObject, now: str, rng: Random) -> list[Any]:
    kind = plain_type(schema)
    if kind == "boolean":
        return [rng.random() < 0.5]
    if kind in ("integer", "number"):
        return [number_in(schema, kind, rng)]
    if kind == "array":
        inner = made_up(schema.get("items") or {}, (), now, rng)
        size = max(1, int(schema.get("minItems", 1)))
        return [] if inner is NOTHING else [[inner] * size, [inner]]
    if kind == "object":
        made: JsonObject = {}
        for name in schema.get("required", ()):
            inner = made_up((schema.get("properties") or {}).get(name, {}), (), now, rng)
            if inner is NOTHING:
                return []
            put(made, name, inner)
        return [made]
    day = date.fromisoformat(now[:10]) + timedelta(days=rng.randint(0, 20))
    word = rng.choice(("harbour", "maple", "orion", "quartz", "willow"))
    texts = {
        "date": day.isoformat(),
        "date-time": f"{day.isoformat()}T10:00:00Z",
        "time": "10:00:00Z",
        "email": f"{word}@example.com",
        "uri": f"https://example.com/{word}",
        "url": f"https://example.com/{word}",
        "uuid": f"{rng.getrandbits(32):08x}-0000-4000-8000-{rng.getrandbits(48):012x}",
    }
    found = [texts[schema["format"]]] if schema.get("format") in texts else []
    digits = f"{rng.randrange(10**11):011}"
    sizes = [
        word,
        word[:3].upper(),
        word[:2],
        word[:2].upper(),
        digits,
        digits[:4],
        digits[:8],
        "10:00",
        day.isoformat(),
    ]
    return [*found, *sizes, *found, (word * 40)[: int(schema.get("minLength", 1))]]


def explore(world: Subject, tools: Mapping[str, Tool], rng: Random) -> Iterator[tuple[str, JsonObject, Outcome]]:
    """Call the reads of tables whose rows come into being when they are asked for, so that later calls have rows to name.

    What a read shows must not depend on the reads before it, so nothing is spoilt by them.
    """
    kinds = (OperationKind.LIST, OperationKind.GET, OperationKind.SERIES)
    opening = [
        name
        for name, operation in operations(world, tools, *kinds)
        if operation.table is not None and world.spec.tables[operation.table].open
    ]
    for name in opening * 2:
        arguments = draw(world, tools[name], rng, optional=0.0)
        if arguments is not None:
            yield name, arguments, world.call(name, arguments)
