"""What the properties of a world are judged on: its calls, what its results show, and what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import fits, properties
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import Operation, OperationKind, WorldSpec
from wildtool.schemas.world_results import Count, FromField, ObjectNode, PagePart, ResultNode, RowsNode
from wildtool.worlds.interpreter import Outcome, documented
from wildtool.worlds.rows import Key, Rows
from wildtool.worlds.values import dig, equal, number, put, span

MOST = 10_000
"""Rows asked for where a call shall show all of them."""

MOST_PAGES = 60
"""Pages that are walked at most; a walk that is longer judges nothing."""


NOTHING: Any = object()
"""What no value could be found for."""


class Subject(Protocol):
    """A world under test. ``spec`` says what it promises; how it keeps that is its own affair."""

    spec: WorldSpec
    now: str
    rows: Rows

    def call(self, tool: str, arguments: JsonObject) -> Outcome:
        """Execute a call."""
        ...

    def fork(self) -> Subject:
        """Return a copy whose changes do not show here."""
        ...


Tools = Mapping[str, Tool]


@dataclass(frozen=True)
class Violation:
    """A property that does not hold."""

    property: str
    """Name of the property."""
    tool: str
    """Tool, or the place in the spec."""
    detail: str
    """What was seen and what was due."""
    arguments: JsonObject | None = None
    """Arguments of the call that showed it."""

    def __str__(self) -> str:
        asked = "" if self.arguments is None else f" {canonical_json(self.arguments)}"
        return f"{self.property}: {self.tool}{asked}: {self.detail}"


Property = Callable[[Subject, Tools, Random], list[Violation]]
"""Judges one round of random calls."""


def operations(world: Subject, tools: Tools, *kinds: OperationKind) -> Iterator[tuple[str, Operation]]:
    """Yield the executable tools of some kinds, in the spec's order; without kinds, all of them."""
    for name, operation in world.spec.tools.items():
        if name in tools and operation.executable and (not kinds or operation.op in kinds):
            yield name, operation


def same_bytes(one: Outcome, other: Outcome) -> bool:
    """Return whether two calls showed the same, byte for byte."""
    return one.error == other.error and canonical_json(one.result) == canonical_json(other.result)


def state(world: Subject, *, without: tuple[str, ...] = ()) -> dict[tuple[str, Key], Any]:
    """Return the rows that are there without being asked for, by table and key."""
    found = {}
    for table in world.spec.tables:
        if table not in without:
            held = {key for key, _ in world.rows.visible(table)}
            found.update({(table, key): row for key, row in world.rows.table(table).items() if key in held})
    return found


def names_one(world: Subject, operation: Operation, row: JsonObject) -> bool:
    """Return whether the operation's key, with the row's values, names this row and no other."""
    assert operation.table is not None
    values = {field: dig(row, field) for field in operation.key}
    if not values or None in values.values():
        return False
    if set(world.spec.tables[operation.table].key) <= set(values):
        return True
    held = world.rows.table(operation.table).values()
    return sum(all(equal(dig(each, f), v) for f, v in values.items()) for each in held) <= 1


def main_rows(node: ResultNode | None, path: str = "") -> tuple[str, RowsNode] | None:
    """Return path and node of the list that holds the operation's own rows; None where the result has none."""
    if isinstance(node, RowsNode):
        return (path, node) if node.table is None else None
    if isinstance(node, ObjectNode):
        for name, inner in node.fields.items():
            found = main_rows(inner, f"{path}.{name}" if path else name)
            if found is not None:
                return found
    return None


def leaves(node: ResultNode | None, path: str = "") -> dict[str, str]:
    """Return field by path, for the places that show a field of the row at hand."""
    if isinstance(node, FromField):
        return {path: node.field}
    if isinstance(node, ObjectNode):
        return {
            place: field
            for name, inner in node.fields.items()
            for place, field in leaves(inner, f"{path}.{name}" if path else name).items()
        }
    return {}


def nodes(node: ResultNode | None, path: str = "") -> Iterator[tuple[str, ResultNode]]:
    """Yield all nodes of a result outside of lists, with their paths."""
    if node is None:
        return
    yield path, node
    if isinstance(node, ObjectNode):
        for name, inner in node.fields.items():
            yield from nodes(inner, f"{path}.{name}" if path else name)


def count_path(operation: Operation) -> str | None:
    """Return where a result says how many rows fit; None where it does not."""
    return next((p for p, node in nodes(operation.result) if isinstance(node, Count) and node.of == "all"), None)


def next_path(operation: Operation) -> str | None:
    """Return where a result holds the cursor of the next page; None where it does not."""
    return next((p for p, node in nodes(operation.result) if isinstance(node, PagePart) and node.part == "next"), None)


def at(result: Any, path: str) -> Any:
    """Return the value at a path with list places, ``films[0].title``; None where nothing is."""
    for step in re.findall(r"[^.\[\]]+|\[\d+\]", path):
        if step.startswith("["):
            index = int(step[1:-1])
            result = result[index] if isinstance(result, list) and index < len(result) else None
        else:
            result = dig(result, step)
    return result


def items(operation: Operation, outcome: Outcome) -> list[Any]:
    """Return the items of the list that holds the operation's own rows."""
    found = main_rows(operation.result)
    held = None if found is None else at(outcome.result, found[0])
    return held if isinstance(held, list) else []


def shown(operation: Operation, outcome: Outcome) -> list[Key] | None:
    """Return the keys of the rows in a list, in its order; None where its items show no field of their own row."""
    found = main_rows(operation.result)
    if found is None or not (places := leaves(found[1].item)):
        return None
    keys: list[Key] = []
    for index in range(len(items(operation, outcome))):
        origins = (outcome.lineage.get(f"{found[0]}[{index}]{'.' if p else ''}{p}") for p in places)
        origin = next((o for o in origins if o is not None and o.keys), None)
        if origin is None:
            return None
        keys.append(origin.keys[0])
    return keys


def documented_defaults(tool: Tool) -> JsonObject:
    """Return the documented default by parameter, as the interpreter applies it."""
    found = {name: documented(schema) for name, schema in properties(tool).items()}
    return {name: value for name, value in found.items() if value is not None}


def schema_at(tool: Tool, path: str) -> JsonObject:
    """Return the schema of the argument at a path; empty where there is none."""
    schema: Any = tool.parameters
    for step in path.split("."):
        schema = (schema.get("properties") or {}).get(step) or {} if isinstance(schema, dict) else {}
    return schema if isinstance(schema, dict) else {}


def fitted(value: Any, schema: JsonObject) -> Any:
    """Return a value in the form that a schema asks for; NOTHING where it has none."""
    forms: list[Callable[[], Any]] = [lambda: value]
    moment = None if isinstance(value, int | float | list | dict) else span(value)
    if isinstance(value, list):
        forms += [lambda: ",".join(str(each) for each in value), lambda: value[0]]
    else:
        forms += [lambda: [value], lambda: str(value)]
    figure = number(value)
    if figure is not None:
        forms += [lambda: int(figure), lambda: figure]
    if moment is not None:
        forms += [
            lambda: moment[0].date().isoformat(),
            lambda: moment[0].strftime("%Y-%m-%dT%H:%M:%SZ"),
            lambda: moment[0].year,
        ]
    for form in forms:
        tried = form()
        if fits(tried, schema):
            return tried
    return NOTHING


def limit_for(operation: Operation, tool: Tool, wanted: int) -> int | None:
    """Return the largest limit up to ``wanted`` that the tool's schema and the spec allow; None where none can be said."""
    page = operation.page
    if page is None or page.limit is None:
        return None
    schema = schema_at(tool, page.limit)
    most = min(wanted, page.maximum or wanted)
    offered = [
        most,
        *(schema.get("enum") or ()),
        int(schema.get("maximum", most)),
        200,
        100,
        50,
        25,
        20,
        10,
        5,
        3,
        2,
        1,
    ]
    allowed = [n for n in offered if isinstance(n, int) and not isinstance(n, bool) and 0 < n <= most]
    return max((n for n in allowed if fitted(n, schema) is not NOTHING), default=None)


def without(arguments: JsonObject, path: str | None) -> JsonObject:
    """Return the arguments without the one at a path."""
    if path is None or dig(arguments, path) is None:
        return arguments
    first, _, rest = path.partition(".")
    held = {name: value for name, value in arguments.items() if name != first}
    return {**held, first: without(arguments[first], rest)} if rest else held


def given_with(arguments: JsonObject, path: str, value: Any) -> JsonObject:
    """Return the arguments with another value at a path."""
    held = dict(arguments)
    put(held, path, value)
    return held


@dataclass(frozen=True)
class Walk:
    """The pages of a query, one after another."""

    pages: tuple[tuple[Outcome, list[Key]], ...]
    whole: bool
    """Whether the last one was reached."""

    @property
    def keys(self) -> list[Key]:
        """Keys of all rows, in order."""
        return [key for _, keys in self.pages for key in keys]


def walk(world: Subject, operation: Operation, tool: Tool, arguments: JsonObject, size: int) -> Walk:
    """Walk the pages of a query from the first, ``size`` rows a page or as near to it as the tool allows."""
    page = operation.page
    asked = arguments
    for path in (page.offset, page.page, page.cursor) if page is not None else ():
        asked = without(asked, path)
    limit = limit_for(operation, tool, size)
    if page is not None and page.limit is not None and limit is not None:
        asked = given_with(asked, page.limit, fitted(limit, schema_at(tool, page.limit)))
    told = dig(with_defaults(tool, asked), page.limit or "") if page is not None else None
    held = number(told) if told is not None else float(page.default if page is not None else 0)
    found: list[tuple[Outcome, list[Key]]] = []
    seen = 0
    while len(found) < MOST_PAGES:
        outcome = world.call(tool.name, asked)
        keys = shown(operation, outcome) if outcome.error is None else None
        if keys is None:
            return Walk(tuple(found), False)
        found.append((outcome, keys))
        seen += len(keys)
        most = min(held or 0.0, page.maximum or held or 0.0) if page is not None else 0.0
        if page is None or not keys or len(keys) < most:
            return Walk(tuple(found), True)
        follow = _following(operation, tool, outcome, seen, len(found))
        if follow is None:
            return Walk(tuple(found), page.cursor is not None and next_path(operation) is not None)
        asked = given_with(asked, *follow)
    return Walk(tuple(found), False)


def _following(operation: Operation, tool: Tool, outcome: Outcome, seen: int, walked: int) -> tuple[str, Any] | None:
    """Return the argument that leads to the next page; None where nothing does."""
    page, where = operation.page, next_path(operation)
    assert page is not None
    if page.cursor is not None and where is not None:
        value = at(outcome.result, where)
        return None if value is None else (page.cursor, value)
    for path, value in ((page.offset, seen), (page.page, page.first_page + walked)):
        if path is not None and (made := fitted(value, schema_at(tool, path))) is not NOTHING:
            return path, made
    return None


def with_defaults(tool: Tool, arguments: JsonObject) -> JsonObject:
    given = dict(arguments)
    for name, value in documented_defaults(tool).items():
        given.setdefault(name, value)
    return given


def everything(world: Subject, operation: Operation, tool: Tool, arguments: JsonObject) -> list[Key] | None:
    """Return the keys of all rows of a query, in order; None where its results do not show all of them."""
    walked = walk(world, operation, tool, arguments, MOST)
    rows = main_rows(operation.result)
    return None if not walked.whole or rows is None or rows[1].limit is not None else walked.keys
