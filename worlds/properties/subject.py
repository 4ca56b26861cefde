"""What the properties of a world are judged on: its calls, what its results show, and what went wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from wildtool.language.prose_defaults import defaults
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_schema import fits, properties
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import (
    Count,
    FromField,
    ObjectNode,
    Operation,
    OperationKind,
    PagePart,
    ResultNode,
    RowsNode,
    WorldSpec,
)
from wildtool.worlds.interpreter import Outcome
from wildtool.worlds.rows import Key, Rows
from wildtool.worlds.values import dig, put

MOST = 10_000
"""Rows asked for where a call shall show all of them."""

MOST_PAGES = 60
"""Pages that are walked at most; a walk that is longer judges nothing."""


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
    found = {}
    for name, schema in properties(tool).items():
        said = [schema["default"]] if "default" in schema else defaults(schema)
        if len(said) == 1 and said[0] is not None and fits(said[0], schema):
            found[name] = said[0]
    return found


def limit_for(operation: Operation, tool: Tool, wanted: int) -> int | None:
    """Return the largest limit up to ``wanted`` that the tool's schema and the spec allow; None where none can be said."""
    page = operation.page
    if page is None or page.limit is None:
        return None
    schema = dig(tool.parameters, "properties") or {}
    for step in page.limit.split("."):
        schema = schema.get(step, {}) if "properties" not in schema else schema["properties"].get(step, {})
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
    return max((n for n in allowed if fits(n, schema)), default=None)


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


def pages(
    world: Subject, operation: Operation, tool: Tool, arguments: JsonObject, size: int
) -> Iterator[tuple[Outcome, list[Key]]]:
    """Walk the pages of a query until one is the last; a walk that cannot go on ends with the page it stands at."""
    page = operation.page
    asked = dict(arguments)
    limit = limit_for(operation, tool, size)
    if page is not None and page.limit is not None and limit is not None:
        put(asked, page.limit, limit)
    seen = 0
    for number in range(MOST_PAGES):
        outcome = world.call(tool.name, asked)
        keys = shown(operation, outcome) if outcome.error is None else None
        if keys is None:
            return
        yield outcome, keys
        seen += len(keys)
        if page is None or not keys:
            return
        if page.cursor is not None and (where := next_path(operation)) is not None:
            follow = at(outcome.result, where)
            if follow is None:
                return
            put(asked, page.cursor, follow)
        elif page.offset is not None:
            put(asked, page.offset, seen)
        elif page.page is not None:
            put(asked, page.page, page.first_page + number + 1)
        else:
            return


def everything(world: Subject, operation: Operation, tool: Tool, arguments: JsonObject) -> list[Key] | None:
    """Return the keys of all rows of a query, in order; None where its results do not show all of them."""
    page = operation.page
    clean = arguments
    for path in (page.offset, page.page, page.cursor) if page is not None else ():
        clean = without(clean, path)
    keys: list[Key] = []
    walked = 0
    last = 0
    for _, part in pages(world, operation, tool, clean, MOST):
        keys += part
        walked, last = walked + 1, len(part)
    if not walked or walked == MOST_PAGES:
        return None
    if page is not None and page.offset is page.page is None and (page.cursor is None or next_path(operation) is None):
        held = limit_for(operation, tool, MOST) or dig(clean, page.limit or "") or page.default
        if last >= min(held, page.maximum or held):
            return None  # more may follow, and no argument leads there
    rows = main_rows(operation.result)
    return None if rows is not None and rows[1].limit is not None else keys
