"""Judge a spec by itself: every path leads somewhere, and types fit what is done with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits, plain_type
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import (
    FieldRole,
    Operation,
    OperationKind,
    ParameterRole,
    PredicateKind,
    WorldSpec,
    WorldTable,
)
from wildtool.schemas.world_results import (
    Aggregate,
    FromField,
    FromParameter,
    JoinNode,
    ObjectNode,
    ResultNode,
    RowsNode,
)
from wildtool.worlds.properties.subject import Violation, documented_defaults

_BOUNDS = frozenset({PredicateKind.LT, PredicateKind.LE, PredicateKind.GT, PredicateKind.GE, PredicateKind.BETWEEN})


def sound(spec: WorldSpec, tools: Sequence[Tool]) -> list[Violation]:
    """Return what is wrong with a spec as it stands, for the tools that it is of."""
    by_name = {tool.name: tool for tool in tools}
    found = [Violation("sound", name, "the spec has no operation for it") for name in by_name if name not in spec.tools]
    found += [Violation("sound", name, "is not one of the list's tools") for name in spec.tools if name not in by_name]
    found += [Violation("sound", f"tables.{name}", told) for name in spec.tables for told in _table(spec, name)]
    for name, operation in spec.tools.items():
        if name in by_name and operation.executable:
            found += [Violation("sound", name, told) for told in _operation(spec, by_name[name], operation)]
    return found


def inner(schema: JsonObject, path: str) -> JsonObject | None:
    """Return the schema at a path of names; None where a schema that lists its properties has none of that name."""
    for step in path.split("."):
        known = schema.get("properties")
        if known is None:
            return {}
        if step not in known:
            return {} if schema.get("additionalProperties") else None
        schema = known[step] if isinstance(known[step], dict) else {}
    return schema


def _field(table: WorldTable, path: str) -> JsonObject | None:
    """Return the schema of a field or of a place inside it; None where the table has none."""
    name, _, rest = path.partition(".")
    held = table.fields.get(name)
    if held is None:
        return None
    return inner(held.value, rest) if rest else held.value


def _table(spec: WorldSpec, name: str) -> Iterator[str]:
    table = spec.tables[name]
    for field, held in table.fields.items():
        states = {*held.transitions, *(each for follow in held.transitions.values() for each in follow)}
        enum = {str(each) for each in held.value.get("enum") or ()}
        if enum and (unknown := sorted(states - enum)):
            yield f"{field}: a transition names {unknown[0]}, which the enum does not have"
        if held.pattern is not None and held.pattern.count("{") != 1:
            yield f"{field}: the pattern {held.pattern} needs one place for a number"
    low, high = table.rows
    if not 0 <= low <= high:
        yield f"rows: from {low} to {high}"


def _operation(spec: WorldSpec, tool: Tool, operation: Operation) -> Iterator[str]:
    yield from _parameters(tool, operation)
    page = operation.page
    documented = documented_defaults(tool).get(page.limit or "") if page is not None else None
    if page is not None and documented is not None and documented != page.default:
        yield f"page: the default is {page.default}, the schema says {documented}"
    if operation.table is not None:
        table = spec.tables[operation.table]
        yield from _conditions(tool, table, operation)
        yield from _order(tool, operation)
        yield from _writing(spec, table, operation)
        for told in _node(spec, operation.table, operation.result, operation):
            yield f"result: {told}"
    if tool.returns is not None and operation.result is not None:
        for told in _against(operation.result, tool.returns, ""):
            yield f"result: {told}"


def _paths(operation: Operation) -> Iterator[str]:
    yield from operation.key.values()
    yield from operation.inputs.values()
    for predicate in operation.where:
        yield from (predicate.parameter, *predicate.also.values())
    for part in (operation.sort, operation.page, operation.window):
        for name in ("parameter", "direction", "limit", "offset", "page", "cursor", "start", "end", "at", "count"):
            path = getattr(part, name, None)
            if isinstance(path, str):
                yield path
    for node in (*operation.set.values(), *(e.value for e in operation.effects), *(g.value for g in operation.require)):
        if isinstance(node, FromParameter):
            yield node.parameter


def _parameters(tool: Tool, operation: Operation) -> Iterator[str]:
    yield from (
        f"no parameter {path}" for path in dict.fromkeys(_paths(operation)) if inner(tool.parameters, path) is None
    )
    yield from (f"no parameter {path}" for path in operation.parameters if inner(tool.parameters, path) is None)
    for name in tool.parameters.get("required", ()):
        use = operation.parameters.get(name)
        if use is not None and use.role is ParameterRole.UNSUPPORTED:
            yield f"{name} is required and unsupported: no call is ever valid"
    used = set(_paths(operation))
    for path, use in operation.parameters.items():
        filters = (
            ParameterRole.EQUAL,
            ParameterRole.TEXT,
            ParameterRole.RANGE,
            ParameterRole.PARENT,
            ParameterRole.NEAR,
        )
        idle = not any(each == path or each.startswith(f"{path}.") or path.startswith(f"{each}.") for each in used)
        if use.role in filters and idle and operation.op is not OperationKind.SERIES:
            yield f"{path} is a filter ({use.role}) that no condition reads"


def _conditions(tool: Tool, table: WorldTable, operation: Operation) -> Iterator[str]:
    for predicate in operation.where:
        for path in predicate.fields:
            schema = _field(table, path)
            if schema is None:
                yield f"where {predicate.parameter}: no field {path}"
            elif predicate.op in _BOUNDS and plain_type(schema) in ("boolean", "object"):
                yield f"where {predicate.parameter}: {path} is {plain_type(schema)} and cannot be bounded"
        if predicate.op is PredicateKind.NEAR and (len(predicate.fields) != 2 or "longitude" not in predicate.also):
            yield f"where {predicate.parameter}: near needs latitude and longitude"
        if predicate.op is PredicateKind.RANK and len(predicate.ranks) < 2:
            yield f"where {predicate.parameter}: rank needs two ranks"
    whole = [p for p in operation.where if p.op is PredicateKind.EQ and p.fields == table.key]
    if operation.op is OperationKind.LIST and whole and whole[0].parameter in tool.parameters.get("required", ()):
        yield f"where {whole[0].parameter}: equals the key of the table, so that the list shows one row at most"
    for field in operation.key:
        if _field(table, field) is None:
            yield f"key: no field {field}"
    if operation.op in (OperationKind.UPDATE, OperationKind.DELETE) and operation.key:
        unique = {name for name, held in table.fields.items() if held.role in (FieldRole.ID, FieldRole.LABEL)}
        if not unique & set(operation.key) and not set(table.key) <= set(operation.key):
            yield f"key: {', '.join(operation.key)} may name several rows of the table"
    if operation.op in (OperationKind.UPDATE, OperationKind.DELETE) and not operation.key and table.key:
        yield "names no row: no argument says which row to write"
    page = operation.page
    if page is not None and (page.default < 1 or (page.maximum is not None and page.maximum < page.default)):
        yield f"page: the default {page.default} is below 1 or above the maximum {page.maximum}"


def _order(tool: Tool, operation: Operation) -> Iterator[str]:
    sort = operation.sort
    if sort is None or sort.parameter is None:
        return
    schema = inner(tool.parameters, sort.parameter) or {}
    if plain_type(schema) != "array":
        yield from (
            f"sort: {each} is not a value of {sort.parameter}" for each in sort.orders if not fits(each, schema)
        )
    told = documented_defaults(tool).get(sort.parameter)
    if sort.default is not None and told is not None and told != sort.default:
        yield f"sort: the default is {sort.default}, the schema says {told}"
    if sort.default is not None and sort.default.lstrip("-+") not in sort.orders and sort.default not in sort.orders:
        yield f"sort: no order {sort.default}"


def _writing(spec: WorldSpec, table: WorldTable, operation: Operation) -> Iterator[str]:
    for name, node in operation.set.items():
        schema = _field(table, name)
        if schema is None:
            yield f"set: no field {name}"
        elif node.node == "constant" and schema and not fits(node.value, schema):
            yield f"set: {name} cannot hold {node.value!r}"
    for effect in operation.effects:
        ref = table.fields.get(effect.ref)
        if ref is None or ref.ref is None:
            yield f"effect: {effect.ref} is no ref of the table"
            continue
        other = spec.tables[ref.ref.partition(".")[0]]
        schema = _field(other, effect.field)
        if schema is None:
            yield f"effect: no field {effect.field} in {ref.ref.partition('.')[0]}"
        elif effect.op != "set" and plain_type(schema) not in ("integer", "number", "any"):
            yield f"effect: {effect.field} is {plain_type(schema)} and nothing can be added to it"
        yield from (f"effect: no tool {each} undoes it" for each in effect.undone_by if each not in spec.tools)
    for guard in operation.require:
        judged = table
        if guard.ref is not None:
            ref = table.fields.get(guard.ref)
            if ref is None or ref.ref is None:
                yield f"guard: {guard.ref} is no ref of the table"
                continue
            judged = spec.tables[ref.ref.partition(".")[0]]
        if guard.field is not None and _field(judged, guard.field) is None:
            yield f"guard: no field {guard.field}"


def _node(spec: WorldSpec, table: str, node: ResultNode | None, operation: Operation) -> Iterator[str]:
    """Yield what a result shows that is not there."""
    fields = spec.tables[table].fields
    shown = node.field if isinstance(node, FromField | JoinNode | Aggregate) else None
    if shown is not None and shown.split(".")[0] not in fields:
        yield f"no field {shown} in {table}"
    elif isinstance(node, ObjectNode):
        for each in node.fields.values():
            yield from _node(spec, table, each, operation)
    elif isinstance(node, RowsNode):
        yield from _rows(spec, table, node, operation)
    elif isinstance(node, JoinNode):
        ref = fields[node.field.split(".")[0]]
        if ref.role is not FieldRole.REF or ref.ref is None:
            yield f"{node.field} joins, and is no ref"
        else:
            yield from _node(spec, ref.ref.partition(".")[0], node.item, operation)


def _rows(spec: WorldSpec, table: str, node: RowsNode, operation: Operation) -> Iterator[str]:
    if node.table is None:
        yield from _node(spec, table, node.item, operation)
        return
    child = spec.tables.get(node.table)
    link = None if child is None or node.by is None else child.fields.get(node.by)
    if child is None:
        yield f"no table {node.table}"
    elif node.by is None:
        yield from _node(spec, node.table, node.item, operation)
    elif link is None or link.ref is None or link.ref.partition(".")[0] != table:
        yield f"{node.table}.{node.by} does not refer to {table}"
    else:
        yield from _node(spec, node.table, node.item, operation)


def _against(node: ResultNode, schema: JsonObject, path: str) -> Iterator[str]:
    """Yield where a result's shape differs from the schema that the tool declares."""
    kind = plain_type(schema)
    here = path or "the result"
    if isinstance(node, ObjectNode):
        if kind not in ("object", "any"):
            yield f"{here} is an object, the tool returns {kind}"
            return
        known: dict[str, Any] | None = schema.get("properties")
        for name, each in node.fields.items():
            if known is not None and name not in known:
                if schema.get("additionalProperties") is False:
                    yield f"{here} has no {name}"
                continue
            yield from _against(each, (known or {}).get(name) or {}, f"{path}.{name}" if path else name)
        for name in schema.get("required", ()):
            if name not in node.fields:
                yield f"{here} lacks {name}, which is required"
    elif isinstance(node, RowsNode):
        if kind not in ("array", "any"):
            yield f"{here} is a list, the tool returns {kind}"
        else:
            yield from _against(node.item, schema.get("items") or {}, f"{path}[*]")
