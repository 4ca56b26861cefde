"""The mutants of a spec: each drops or turns round one decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from wildtool.schemas.tool import Tool
from wildtool.schemas.world import Operation, WorldSpec
from wildtool.worlds.properties.subject import documented_defaults

_FLIPPED = {
    "eq": "ne",
    "ne": "eq",
    "in": "ne",
    "has": "ne",
    "prefix": "ne",
    "on_day": "ne",
    "lt": "ge",
    "le": "gt",
    "gt": "le",
    "ge": "lt",
}
"""Predicates and guards by their opposite; the others have none."""

_EDGE = {"lt": "le", "le": "lt", "gt": "ge", "ge": "gt"}
"""Predicates that differ only where the argument equals the field."""

_GUARD = {"eq": "ne", "ne": "eq", "ge": "le", "le": "ge", "in": "ne"}
_EFFECT = {"add": "subtract", "subtract": "add"}


@dataclass(frozen=True)
class Mutant:
    """A spec that differs in one decision."""

    kind: str
    """What was changed: ``predicate``, ``sort``, ``page``, ``effect``, ``guard``, ``set``, ``key``, ``child``, ``order``,
    ``transition``, ``window``."""
    place: str
    """Where, and how: ``findFilms.where[1]: eq turned into ne``."""
    tool: str | None
    """Tool that was changed; None for a table."""
    table: str | None
    """Table that the tool works on, or that was changed."""
    spec: WorldSpec


def mutants(spec: WorldSpec, tools: Sequence[Tool] = ()) -> Iterator[Mutant]:
    """Yield all mutants of a spec that are specs themselves.

    ``page.default`` and ``sort.default`` are left alone where the tool's schema documents the default: the schema decides
    there, and ``properties.sound`` asks that both agree.
    """
    whole = spec.model_dump(mode="json", exclude={"id"})
    documented = {tool.name: set(documented_defaults(tool)) for tool in tools}
    for kind, tool, table, told, change in _edits(whole):
        if tool is not None and _schema_decides(spec.tools[tool], told, documented.get(tool, set())):
            continue
        changed = deepcopy(whole)
        change(changed)
        try:
            made = WorldSpec.of(**changed)
        except ValidationError:
            continue  # refused by the schema itself: no world would ever run it
        yield Mutant(kind, told, tool, table, made)


def _schema_decides(operation: Operation, told: str, documented: set[str]) -> bool:
    page, sort = operation.page, operation.sort
    if told.endswith("page.default: changed"):
        return page is not None and page.limit in documented
    return told.endswith("sort.default: dropped") and sort is not None and sort.parameter in documented


def _edits(whole: dict[str, Any]) -> Iterator[tuple[str, str | None, str | None, str, Any]]:
    listed = {operation["table"] for operation in whole["tools"].values() if operation["op"] == "list"}
    for name, table in whole["tables"].items():
        for edit in _of_table(name, table):
            # Only lists come in a table's order.
            if edit[0] != "order" or name in listed:
                yield edit
    for name, operation in whole["tools"].items():
        if operation["op"] == "opaque":
            continue
        for kind, told, change in _of_operation(whole, name, operation):
            yield kind, name, operation["table"], f"{name}.{told}", change


def _setter(*path: Any, value: Any) -> Any:
    """Return a change that sets the value at a path; ``value`` is copied."""

    def change(whole: Any) -> None:
        for step in path[:-1]:
            whole = whole[step]
        whole[path[-1]] = deepcopy(value)

    return change


def _remover(*path: Any) -> Any:
    """Return a change that removes what is at a path."""

    def change(whole: Any) -> None:
        for step in path[:-1]:
            whole = whole[step]
        del whole[path[-1]]

    return change


def _turned(order: str) -> str:
    return order[1:] if order.startswith("-") else f"-{order}"


def _of_table(name: str, table: dict[str, Any]) -> Iterator[tuple[str, str | None, str | None, str, Any]]:
    order = table["order"]
    if order and order[0].removeprefix("-") not in table["key"][:1]:
        yield "order", None, name, f"{name}.order: dropped", _setter("tables", name, "order", value=[])
    if order:
        turned = [_turned(order[0]), *order[1:]]
        yield "order", None, name, f"{name}.order: turned round", _setter("tables", name, "order", value=turned)
    for field, held in table["fields"].items():
        if held["transitions"]:
            path = ("tables", name, "fields", field, "transitions")
            yield "transition", None, name, f"{name}.{field}.transitions: dropped", _setter(*path, value={})


def _of_operation(whole: Any, name: str, operation: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    at = ("tools", name)
    for index, predicate in enumerate(operation["where"]):
        here = (*at, "where", index)
        told = f"where[{index}] {predicate['parameter']}"
        yield "predicate", f"{told}: dropped", _remover(*here)
        for turned in filter(None, (_FLIPPED.get(predicate["op"]), _EDGE.get(predicate["op"]))):
            yield "predicate", f"{told}: {predicate['op']} turned into {turned}", _setter(*here, "op", value=turned)
        if predicate["op"] in ("clock", "rank"):
            yield "predicate", f"{told}: ends swapped", _setter(*here, "least", value=not predicate["least"])
        if predicate["op"] == "near" and "radius" in predicate["also"]:
            yield "predicate", f"{told}: radius dropped", _remover(*here, "also", "radius")
        if predicate["parent"] is not None:
            yield "child", f"{told}: parent not asked for", _setter(*here, "parent", value=None)
    yield from _of_order(operation, at)
    for field in operation["key"]:
        yield "key", f"key {field}: dropped", _remover(*at, "key", field)
    for field, node in operation["set"].items():
        if node["node"] != "new_id":  # an id is drawn whether the spec says so or not
            yield "set", f"set {field}: dropped", _remover(*at, "set", field)
    for index, guard in enumerate(operation["require"]):
        if guard["field"] is None and guard["ref"] in operation["set"]:
            continue  # a written ref to a row that is not there is refused whether the spec says so or not
        yield "guard", f"require[{index}]: dropped", _remover(*at, "require", index)
        if guard["value"] is not None:
            turned = _GUARD[guard["op"]]
            yield "guard", f"require[{index}]: turned into {turned}", _setter(*at, "require", index, "op", value=turned)
    for index, effect in enumerate(operation["effects"]):
        here = (*at, "effects", index)
        yield "effect", f"effects[{index}]: dropped", _remover(*here)
        if effect["op"] in _EFFECT:
            yield "effect", f"effects[{index}]: turned round", _setter(*here, "op", value=_EFFECT[effect["op"]])
        if effect["undone_by"] and effect["op"] != "set":
            yield "effect", f"effects[{index}]: never undone", _setter(*here, "undone_by", value=[])
    for path in _links(operation["result"]):
        yield (
            "child",
            f"result{''.join(f'.{each}' for each in path)}: link cut",
            _setter(*at, "result", *path, "by", value=None),
        )


def _of_order(operation: dict[str, Any], at: tuple[Any, ...]) -> Iterator[tuple[str, str, Any]]:
    sort, page, window = operation["sort"], operation["page"], operation["window"]
    if sort is not None:
        yield "sort", "sort: dropped", _setter(*at, "sort", value=None)
        if sort["default"] is not None:
            yield "sort", "sort.default: dropped", _setter(*at, "sort", "default", value=None)
        if sort["direction"] is not None:
            yield "sort", "sort.direction: ignored", _setter(*at, "sort", "direction", value=None)
        for value, order in sort["orders"].items():
            if sort["direction"] is None or sort["parameter"] is not None:
                turned = _turned(order)
                yield "sort", f"sort.orders {value}: turned round", _setter(*at, "sort", "orders", value, value=turned)
    if page is not None:
        yield "page", "page: dropped", _setter(*at, "page", value=None)
        yield "page", "page.default: changed", _setter(*at, "page", "default", value=2 if page["default"] == 1 else 1)
        for part in ("limit", "offset", "page", "cursor"):
            if page[part] is not None:
                yield "page", f"page.{part}: ignored", _setter(*at, "page", part, value=None)
        if page["page"] is not None:
            other = 1 - page["first_page"]
            yield "page", "page.first_page: changed", _setter(*at, "page", "first_page", value=other)
    if window is not None:
        yield "window", "window.default: changed", _setter(*at, "window", "default", value=window["default"] + 1)
        yield "window", "window.ahead: turned round", _setter(*at, "window", "ahead", value=not window["ahead"])
        for part in ("start", "end", "at", "count"):
            if window[part] is not None:
                yield "window", f"window.{part}: ignored", _setter(*at, "window", part, value=None)


def _links(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of the nodes that list rows of a child table."""
    if not isinstance(node, dict):
        return
    if node["node"] == "rows" and node["table"] is not None and node["by"] is not None:
        yield path
    if node["node"] == "object":
        for name, inner in node["fields"].items():
            yield from _links(inner, (*path, "fields", name))
    elif "item" in node:
        yield from _links(node["item"], (*path, "item"))
