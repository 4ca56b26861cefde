"""Rebuild a tool's result schema from rows, arguments, counts, paging and the clock."""

from __future__ import annotations

from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, OperationKind
from wildtool.schemas.world_results import (
    Aggregate,
    Constant,
    Count,
    FromField,
    FromParameter,
    JoinNode,
    Now,
    ObjectNode,
    PagePart,
    ResultNode,
    RowsNode,
)
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import joined, name_words, singular, word_set
from wildtool.worlds.derivation.shapes import plain, properties_of
from wildtool.worlds.derivation.tables import inner_table, match

INNER_ITEMS = 5
"""Things of an inner list that one row shows."""

MOST_FIELDS = 30
"""Optional fields of one object that results show: a person must be able to read them."""

ONE_ROW = (OperationKind.GET, OperationKind.CREATE, OperationKind.UPDATE, OperationKind.DELETE)

_FIGURES = {
    "average": "mean", "avg": "mean", "mean": "mean", "median": "mean",
    "min": "min", "minimum": "min", "lowest": "min", "cheapest": "min",
    "max": "max", "maximum": "max", "highest": "max", "total": "sum", "sum": "sum",
}  # fmt: skip
"""Figure over rows by a word of a field's name."""


def result_of(context: Context, roles: Roles) -> ResultNode:
    """Return what a tool returns, as nodes; of a tool without a result schema, what its table knows."""
    view = context.view
    if view.tool.returns is None or not view.shape.schema:
        return _plausible(context)
    built = _build(view.shape.schema, (), context, roles)
    return built if built is not None else ObjectNode(fields={})


def _plausible(context: Context) -> ResultNode:
    table, view = context.table, context.view
    shown = [name for name in table.fields if name not in table.parts][:MOST_FIELDS]
    if not shown and not table.singleton:
        shown = [name for name in table.fields if table.roles[name] is not FieldRole.TOPIC][:MOST_FIELDS]
    row = ObjectNode(fields={name: FromField(field=name) for name in shown})
    match view.kind:
        case OperationKind.LIST | OperationKind.SERIES:
            return ObjectNode(fields={"results": RowsNode(item=row), "total": Count()})
        case OperationKind.DELETE:
            return ObjectNode(fields={})
        case OperationKind.AGGREGATE:
            return ObjectNode(fields={"count": Count()})
        case _:
            return row


def _build(schema: JsonObject, path: tuple[str, ...], context: Context, roles: Roles) -> ResultNode | None:
    view = context.view
    over_rows = view.shape.rows is not None and view.kind not in ONE_ROW
    if over_rows and path == view.shape.rows:
        return RowsNode(item=_item(view.shape.item, context))
    if view.kind in ONE_ROW and path == view.shape.row and properties_of(schema):
        return _row(schema, context, roles)
    if view.kind in ONE_ROW and view.shape.rows == () and not path:
        return RowsNode(item=_item(view.shape.item, context))
    fields = properties_of(schema)
    if not fields:
        return None
    needed = set(schema.get("required") or ())
    built: dict[str, ResultNode] = {}
    for name, inner in fields.items():
        here = (*path, name)
        leads = over_rows and view.shape.rows is not None and view.shape.rows[: len(here)] == here
        leads = leads or (view.kind in ONE_ROW and view.shape.row[: len(here)] == here)
        node = _build(inner, here, context, roles) if leads or properties_of(inner) else None
        if node is None and not leads:
            node = _around(name, inner, name in needed, context, roles)
        if node is not None and not (isinstance(node, ObjectNode) and not node.fields and name not in needed):
            built[name] = node
    return ObjectNode(fields=built)


def _item(item: JsonObject, context: Context) -> ResultNode:
    table = context.table
    fields = properties_of(item)
    if not fields:  # a list of plain values: the label, or a field of its own
        plain_text = plain_type(item) == "string" and "enum" not in item
        name = table.label or table.hide("value", item, FieldRole.LABEL if plain_text else None)
        table.fields[name] = {**item, **table.fields[name]} if item else table.fields[name]
        return FromField(field=name)
    return ObjectNode(
        fields={
            name: _inner_rows(name, inner, context) or FromField(field=table.add(name, inner))
            for name, inner in _shown(item).items()
        }
    )


def _shown(schema: JsonObject) -> dict[str, JsonObject]:
    """Return the fields of an object that results show, in their order: all that are required, and some others."""
    fields = properties_of(schema)
    needed = set(schema.get("required") or ())
    others = [name for name in fields if name not in needed]
    kept = needed | set(others[: max(0, MOST_FIELDS - (len(fields) - len(others)))])
    return {name: inner for name, inner in fields.items() if name in kept}


def _inner_rows(name: str, schema: JsonObject, context: Context) -> ResultNode | None:
    """Return the rows of an inner list whose things have identifiers: they are rows of a table, the same wherever they show."""
    other = inner_table(name, schema, context.tables)
    if other is None or other is context.table:
        return None
    fields = properties_of(plain(schema.get("items"), 1))
    item = ObjectNode(
        fields={each: FromField(field=other.add(each, inner)) for each, inner in list(fields.items())[:MOST_FIELDS]}
    )
    return RowsNode(item=item, table=other.name, limit=min(int(schema.get("maxItems", INNER_ITEMS)), INNER_ITEMS))


def _row(schema: JsonObject, context: Context, roles: Roles) -> ResultNode:
    """Return the object of one row. What an argument says and no row keeps is repeated."""
    table, view = context.table, context.view
    by_name = {joined(each): each for each in view.parameters}
    built: dict[str, ResultNode] = {}
    for name, inner in _shown(schema).items():
        echo = by_name.get(joined(name))
        if echo is not None and plain_type(view.parameters[echo]) not in (plain_type(inner), "any"):
            echo = None
        written = name in roles.set or name in roles.key
        if view.kind is OperationKind.DELETE and joined(name) in word_set("envelope", "fine"):
            built[name] = _fine(inner)
        elif (
            echo is not None
            and not written
            and echo not in roles.key.values()
            and plain_type(inner) not in ("object", "array")
        ):
            built[name] = FromParameter(parameter=echo, otherwise=_drawn(inner, view.tool.name + name))
        elif not written and (rows := _inner_rows(name, inner, context)) is not None:
            built[name] = rows
        elif not written and (shared := _shared(name, context)) is not None:
            built[name] = shared
        else:
            built[name] = FromField(field=table.add(name, inner))
    return ObjectNode(fields=built)


def _shared(name: str, context: Context) -> ResultNode | None:
    """Return a fact of the thing that the row refers to: the restaurant's name of a booking is the restaurant's."""
    table, view = context.table, context.view
    if not (view.facet or view.kind is OperationKind.CREATE) or joined(name) in _OWN:
        return None
    for field, ref in table.refs.items():
        node = _of_other(name, ref, context, 0)
        if node is not None:
            return JoinNode(field=field, item=node)
    return None


def _of_other(name: str, ref: str, context: Context, depth: int) -> ResultNode | None:
    other = next(each for each in context.tables if each.name == ref.partition(".")[0])
    shown = {joined(each): each for each in other.fields if each not in other.parts}
    if joined(name) in shown and shown[joined(name)] != other.key:
        return FromField(field=shown[joined(name)])
    nouns = {singular(word) for word in other.noun.split()}
    words = [singular(word) for word in name_words(name)]
    if other.label is not None and words[-1:] in (["name"], ["title"]) and words[:-1] and set(words[:-1]) <= nouns:
        return FromField(field=other.label)
    if depth:
        return None
    for field, further in other.refs.items():
        if (node := _of_other(name, further, context, 1)) is not None:
            return JoinNode(field=field, item=node)
    return None


_OWN = frozenset(
    "status state id createdat created updatedat sentat message note total totalprice price amount code quantity active".split()
)
"""Fields that a row has of its own, whatever it refers to."""


def _around(name: str, schema: JsonObject, needed: bool, context: Context, roles: Roles) -> ResultNode | None:
    """Return a place around the rows: an echo, a count, a part of the paging, the clock, a figure; else a constant where the
    schema requires one, and nothing where it does not."""
    view, held = context.view, joined(name)
    kind = plain_type(schema)
    by_name = {joined(each): each for each in view.parameters}
    if kind in ("integer", "number", "any"):
        if held in word_set("envelope", "count") and view.shape.rows is not None:
            return Count()
        if held in word_set("envelope", "shown"):
            return Count(of="page")
        if held in word_set("envelope", "pages"):
            return Count(of="pages")
        if held in ("page", "pagenumber", "currentpage"):
            return PagePart(part="page")
        if held in ("limit", "perpage", "pagesize"):
            return PagePart(part="limit")
        if held in ("offset", "currentoffset", "skip"):
            return PagePart(part="offset")
        if held.endswith("count") and view.shape.rows and singular(name_words(name)[0]) in name_words(view.noun)[-1:]:
            return Count()
    echoes = held in by_name and plain_type(view.parameters[by_name[held]]) in (kind, "any")
    if echoes and kind not in ("object", "array"):
        return FromParameter(
            parameter=by_name[held], otherwise=_drawn(schema, view.tool.name + name) if needed else None
        )
    if echoes and kind == "array":
        return FromParameter(parameter=by_name[held], otherwise=[] if needed else None)
    if kind == "boolean" and held in word_set("envelope", "more"):
        return Count(of="more")
    if kind in ("string", "any") and held in word_set("envelope", "next") and "format" not in schema:
        return PagePart(part="next") if not needed else Constant(value="")
    if kind == "string" and (held in word_set("envelope", "now") or schema.get("format") in ("date", "date-time")):
        return Now(form="date" if schema.get("format") == "date" else "date-time")
    if (figure := _figure(name, kind, context)) is not None:
        return figure
    if view.kind is OperationKind.AGGREGATE and kind in ("integer", "number"):
        return (
            Aggregate(function="sum", field=context.table.hide(name, schema))
            if held not in word_set("envelope", "count")
            else Count()
        )
    if held in word_set("envelope", "fine"):
        return _fine(schema) if needed or kind == "boolean" else None
    if not needed:
        return None
    return Constant(value=_drawn(schema, view.tool.name + name, name))


def _figure(name: str, kind: str, context: Context) -> ResultNode | None:
    words = name_words(name)
    function = next((_FIGURES[word] for word in words if word in _FIGURES), None)
    if function is None or kind not in ("integer", "number") or context.view.shape.rows is None:
        return None
    stem = "_".join(word for word in words if word not in _FIGURES)
    found = match(stem, context.table) if stem else None
    if found is None or plain_type(context.table.fields[found]) not in ("integer", "number"):
        return None
    return Aggregate.model_validate({"function": function, "field": found})


def _fine(schema: JsonObject) -> ResultNode:
    match plain_type(schema):
        case "boolean":
            return Constant(value=True)
        case "integer" | "number":
            return Constant(value=_drawn(schema, "fine"))
        case _:
            options = schema.get("enum") or schema.get("examples") or ["ok"]
            return Constant(value=options[0])


_ADDRESSES = (("href",), ("url",), ("uri",), ("link",), ("next",), ("previous",), ("self",), ("first",), ("last",))


def _drawn(schema: JsonObject, seed: str, name: str = "") -> Any:
    """Return a value that a schema allows, the same each time."""
    options = schema.get("enum") or schema.get("examples")
    if options:
        return Random(seed).choice(list(options))
    if "const" in schema:
        return schema["const"]
    if "default" in schema:
        return schema["default"]
    match plain_type(schema):
        case "integer":
            return int(schema.get("minimum", 0))
        case "number":
            return schema.get("minimum", 0)
        case "boolean":
            return True
        case "array":
            return []
        case "object":
            inner = properties_of(schema)
            return {each: _drawn(inner.get(each, {}), seed + each, each) for each in schema.get("required") or ()}
        case "null":
            return None
        case _:
            if schema.get("format") in ("uri", "url", "uri-reference") or name_words(name)[-1:] in _ADDRESSES:
                return "https://www.example.org/"
            text = "ok"
            return text + "k" * max(0, int(schema.get("minLength", 0)) - len(text))
