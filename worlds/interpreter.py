"""Execute calls on the world of a session: the result follows from spec, seed and the calls before, byte for byte.

Nothing from a spec is run as code, and no model takes part. An operation takes well under a millisecond.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, assert_never

from wildtool.language.prose_defaults import defaults
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import first_misfit
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import (
    ErrorKind,
    Operation,
    OperationKind,
    ParameterRole,
    Predicate,
    PredicateKind,
    WorldSpec,
)
from wildtool.worlds import compute
from wildtool.worlds.lineage import Lineage
from wildtool.worlds.projection import ABSENT, Scene
from wildtool.worlds.rows import Change, Key, Rows, RowSource
from wildtool.worlds.selection import Found, Refused, Slice, ordered, paged, select
from wildtool.worlds.series import points, written
from wildtool.worlds.values import dig, listed, number, put
from wildtool.worlds.words import error_message
from wildtool.worlds.writes import create, delete, update


@dataclass(frozen=True)
class Outcome:
    """What a call did."""

    result: Any
    """What the caller sees; of a refusal ``{"error": {"code", "message"}}``."""
    error: ErrorKind | None
    """Why the call was refused; None for a success."""
    lineage: Lineage
    """Origin of every leaf of the result; empty for a refusal."""
    changes: tuple[Change, ...] = ()
    """Changes of rows, in order."""
    read: tuple[tuple[str, Key], ...] = ()
    """Rows that the result shows or sums up, as table and key."""
    rows: int = 0
    """How many rows are returned."""


def documented(schema: JsonObject) -> Any:
    """Return the default that a parameter's schema or description states; None where there is none, or several."""
    return _documented(canonical_json(schema))


@lru_cache(maxsize=1 << 13)
def _documented(text: str) -> Any:
    schema = json.loads(text)
    found = [schema["default"]] if "default" in schema else defaults(schema)
    if len(found) != 1 or found[0] is None or first_misfit(found[0], schema) is not None:
        return None
    return found[0]


class World:
    """The world of one session: the rows of a spec, the clock, and the calls so far."""

    def __init__(self, spec: WorldSpec, tools: Sequence[Tool], source: RowSource, now: str) -> None:
        """Make a world that nobody has called yet.

        Args:
            spec: tables and operations.
            tools: the tools of the list; their schemas say what arguments are valid and which defaults hold.
            source: makes the rows.
            now: the session's clock, ISO 8601 with an offset.
        """
        self.spec = spec
        self.now = now
        self.rows = Rows(spec, source)
        self._tools = {tool.name: tool for tool in tools}
        self._standing: dict[str, frozenset[str]] = {}

    def fork(self) -> World:
        """Return a copy whose changes do not show here."""
        other = World.__new__(World)
        other.spec, other.now, other._tools, other._standing = self.spec, self.now, self._tools, self._standing
        other.rows = self.rows.fork()
        return other

    def valid(self, tool: str, arguments: JsonObject) -> JsonObject:
        """Return the arguments as they are executed, with documented defaults. Raises ``Refused`` for invalid ones."""
        return self._checked(self._tools[tool], self.spec.tools[tool], arguments)

    def executes(self, tool: str) -> bool:
        """Return whether calls of a tool are answered."""
        return tool in self.spec.tools and self.spec.tools[tool].executable

    def call(self, tool: str, arguments: JsonObject) -> Outcome:
        """Execute a call. A refused one (bad arguments, no such thing, a guard) changes nothing."""
        operation = self.spec.tools.get(tool)
        if operation is None or not operation.executable:
            return self._refusal(ErrorKind.NOT_SIMULATED, tool)
        before = len(self.rows.journal)
        try:
            given = self._checked(self._tools[tool], operation, arguments)
            scene, found, table = self._done(tool, operation, given)
        except Refused as refused:
            return self._refusal(refused.kind, refused.subject)
        result: Any = {}
        if operation.result is not None:
            result = scene.build(operation.result, found, table, "")
        shown = [*([(table, found[0])] if found is not None else []), *((table, key) for key, _ in scene.page.rows)]
        for origin in scene.lineage.values():
            shown += [(origin.table, key) for key in origin.keys]
        return Outcome(
            result={} if result is ABSENT else result,
            error=None,
            lineage=scene.lineage,
            changes=tuple(self.rows.journal[before:]),
            read=tuple(dict.fromkeys(shown)),
            rows=len(scene.page.rows),
        )

    def _refusal(self, kind: ErrorKind, subject: str) -> Outcome:
        message = error_message(kind, subject, self.spec.language)
        return Outcome({"error": {"code": str(kind), "message": message}}, kind, {})

    def _checked(self, tool: Tool, operation: Operation, arguments: JsonObject) -> JsonObject:
        """Return the arguments with documented defaults; refuse what the schema or the world does not allow."""
        schema = tool.parameters
        known = schema.get("properties", {})
        for name in arguments:
            if known and name not in known:
                raise Refused(ErrorKind.INVALID_ARGUMENT, name)
        if (misfit := first_misfit(arguments, schema)) is not None:
            raise Refused(ErrorKind.INVALID_ARGUMENT, misfit.split(":")[0].removeprefix("$.") or tool.name)
        for name, use in operation.parameters.items():
            if use.role is ParameterRole.UNSUPPORTED and dig(arguments, name) is not None:
                raise Refused(ErrorKind.INVALID_ARGUMENT, name)
        given = dict(arguments)
        for name, inner in known.items():
            if given.get(name) is None and isinstance(inner, dict):
                default = documented(inner)
                if default is not None:
                    put(given, name, default)
        return given

    def _done(self, tool: str, operation: Operation, arguments: JsonObject) -> tuple[Scene, Found | None, str]:
        """Carry out an operation: the scene of its result, the row at hand and its table."""
        table = operation.table or ""
        found: Found | None = None
        matching: list[Found] = []
        page = Slice((), 0, 0, 0, 1, None)
        computed: Any = None
        match operation.op:
            case OperationKind.GET:
                found = self._row(tool, operation, arguments)
                matching = [found]
                page = Slice.single(found)
            case OperationKind.LIST | OperationKind.AGGREGATE:
                matching = self._matching(tool, operation, arguments)
                query = {k: v for k, v in arguments.items() if not self._pages(operation, k)}
                page = paged(matching, operation.page, arguments, {"tool": tool, "arguments": query})
                if operation.key:
                    found = self._row(tool, operation, arguments)
            case OperationKind.CREATE:
                found = create(self.rows, operation, arguments, self.now)
                matching = [found]
                page = Slice.single(found)
            case OperationKind.UPDATE:
                found = update(self.rows, operation, self._row(tool, operation, arguments), arguments, self.now)
                matching = [found]
                page = Slice.single(found)
            case OperationKind.DELETE:
                row = self._row(tool, operation, arguments)
                found = delete(self.rows, tool, operation, row, arguments, self.now)
                matching = [found]
            case OperationKind.SERIES:
                found = self._row(tool, operation, arguments)
                matching = self._series(operation, found, arguments)
                page = paged(matching, operation.page, arguments, {"tool": tool})
            case OperationKind.COMPUTE:
                inputs = {name: dig(arguments, path) for name, path in operation.inputs.items()}
                try:
                    computed = compute.run(str(operation.function), inputs)
                except ValueError as wrong:
                    raise Refused(ErrorKind.INVALID_ARGUMENT, str(wrong)) from None
            case OperationKind.OPAQUE:
                raise AssertionError(tool)
            case unknown:
                assert_never(unknown)
        scene = Scene(self.spec, self.rows, table, arguments, self.now, page, matching, computed)
        return scene, found, table

    @staticmethod
    def _pages(operation: Operation, parameter: str) -> bool:
        page = operation.page
        return page is not None and parameter in (page.limit, page.offset, page.page, page.cursor)

    def _always(self, tool: Tool) -> frozenset[str]:
        """Return the parameters that hold in every call: required ones, and those with a documented default."""
        known = self._standing.get(tool.name)
        if known is None:
            schemas = tool.parameters.get("properties", {})
            told = {
                name for name, schema in schemas.items() if isinstance(schema, dict) and documented(schema) is not None
            }
            known = self._standing[tool.name] = frozenset(told | set(tool.parameters.get("required", ())))
        return known

    def _row(self, tool: str, operation: Operation, arguments: JsonObject) -> Found:
        """Return the row that a call names; a call that names none gets the first row that fits."""
        assert operation.table is not None
        values = {name: dig(arguments, path) for name, path in operation.key.items()}
        values = {name: value for name, value in values.items() if value is not None}
        if values:
            found = self.rows.find(operation.table, values)
            if found is not None:
                kept = select([found], operation.where, arguments)
                found = kept[0] if kept else None
        else:
            found = next(iter(self._matching(tool, operation, arguments)), None)
        if found is None:
            raise Refused(ErrorKind.NOT_FOUND, ", ".join(str(value) for value in values.values()) or operation.table)
        return found

    def _matching(self, tool: str, operation: Operation, arguments: JsonObject) -> list[Found]:
        assert operation.table is not None
        table = operation.table
        always = self._always(self._tools[tool])
        values: dict[str, Any] = {}
        near: Predicate | None = None
        companions: dict[str, JsonObject] = {}
        several: dict[str, list[Any]] = {}
        required: set[str] = set()
        for each in operation.where:
            value = dig(arguments, each.parameter)
            if value is None:
                continue
            if each.parent is not None:
                self._parent(table, each, value)
            if each.parameter in always:
                required.update(each.fields)
            match each.op:
                case PredicateKind.EQ | PredicateKind.CONTAINS_ANY | PredicateKind.ON_DAY | PredicateKind.HAS:
                    for field in each.fields:
                        values.setdefault(field, value)
                case PredicateKind.IN:
                    several[each.fields[0]] = listed(value)
                case PredicateKind.NEAR:
                    near = each
                    latitude, longitude = number(value), number(dig(arguments, each.also.get("longitude", "")))
                    if latitude is None or longitude is None:
                        raise Refused(ErrorKind.INVALID_ARGUMENT, each.parameter)
                    values.setdefault(each.fields[0], round(latitude, 1))
                    companions[each.fields[0]] = {each.fields[1]: round(longitude, 1)}
                case _:
                    pass
        # Conditions that always hold open together; optional ones narrow what these opened, and open where there are none.
        opened = self.spec.tables[table].open
        needed = {name: value for name, value in values.items() if name in required}
        opening = needed if any(name in opened for name in (*needed, *several)) else values
        name = next((each for each in several if each in opened), None)
        # Of a list of values each brings its own rows.
        choices = [opening] if name is None else [{name: each, **opening} for each in several[name]]
        parts = {self.rows.open(table, each, companions) for each in choices}
        rows = select(self.rows.visible(table, parts), operation.where, arguments)
        order = self.spec.tables[table].order
        return ordered(rows, order, operation.sort, near, arguments)

    def _parent(self, table: str, predicate: Predicate, value: Any) -> None:
        field = self.spec.tables[table].fields[predicate.fields[0]]
        theirs = (field.ref or "").partition(".")[2]
        assert predicate.parent is not None
        for each in value if isinstance(value, list) else [value]:
            if self.rows.find(predicate.parent, {theirs: each}) is None:
                raise Refused(ErrorKind.MISSING_REFERENCE, str(each))

    def _series(self, operation: Operation, entity: Found, arguments: JsonObject) -> list[Found]:
        window = operation.window
        assert window is not None and operation.table is not None
        rows = []
        for position, moment in enumerate(points(window, arguments, self.now)):
            at = written(moment, window)
            values = self.rows.source.point(operation.table, entity[1], moment, position)
            row = {**entity[1], **values, window.point: at}
            rows.append(((*entity[0], str(at)), row))
        return select(rows, operation.where, arguments)
