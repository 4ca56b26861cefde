"""Derive the world of a tool list: tables, operations, and a role for every parameter, each with its certainty."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import FieldRole, Operation, OperationKind, ParameterRole, ParameterUse, Window, WorldSpec
from wildtool.worlds import compute
from wildtool.worlds.derivation.context import Context
from wildtool.worlds.derivation.lexicon import identifies, joined, name_words, word_set
from wildtool.worlds.derivation.paging import page_of, sort_of
from wildtool.worlds.derivation.parameters import roles_of
from wildtool.worlds.derivation.results import result_of
from wildtool.worlds.derivation.tables import TableDraft, tables_of
from wildtool.worlds.derivation.views import View, point_of, view_of
from wildtool.worlds.derivation.writes import written

LEAST_CERTAIN = 0.5
"""A tool with a required parameter of less certainty is opaque."""


def derive(tools: ToolList) -> WorldSpec:
    """Derive the world of a tool list. The same list gives the same spec."""
    return _derived(tools.id, tools.model_dump_json())


@lru_cache(maxsize=512)
def _derived(_: str, text: str) -> WorldSpec:
    return _derive(ToolList.model_validate_json(text))


def _derive(tools: ToolList) -> WorldSpec:
    views = [view_of(tool, tools.links) for tool in tools.tools]
    views = [_computed(view) for view in views]
    tables = tables_of(views, tools)
    by_tool = {view.tool.name: table for table in tables for view in table.views}
    operations: dict[str, Operation] = {}
    # Writes first: what they write, lists may filter by.
    for view in sorted(views, key=lambda each: not each.kind.writes):
        name = view.tool.name
        if view.kind is OperationKind.OPAQUE:
            operations[name] = _opaque(view, view.reason, view.certainty)
        elif view.kind is OperationKind.COMPUTE:
            operations[name] = _compute(view)
        else:
            operations[name] = _operation(Context(view, by_tool[name], tables, tools))
    _references(tables)
    _orders(tables)
    ordered = {view.tool.name: operations[view.tool.name] for view in views}
    spec = WorldSpec.of(
        tool_list=tools.id,
        language=tools.language,
        tables={table.name: table.record() for table in tables if table.fields or table.singleton},
        tools=ordered,
    )
    # In the order of its JSON text, in which a kept spec comes back: rows are drawn field by field.
    return WorldSpec.model_validate_json(spec.to_json())


def _opaque(view: View, reason: str, certainty: float = 1.0) -> Operation:
    uses = {
        name: ParameterUse(role=ParameterRole.INPUT, certainty=0.8, reason="input of what cannot be executed")
        for name in view.parameters
    }
    return Operation(op=OperationKind.OPAQUE, parameters=uses, certainty=certainty, reason=reason)


def _computed(view: View) -> View:
    """Leave compute to tools whose function the library has; others that name a thing by an id read or make it."""
    if view.kind is not OperationKind.COMPUTE or compute.matching(view.tool) is not None:
        return view
    return replace(view, kind=OperationKind.OPAQUE, reason="no function of the library does this", certainty=0.7)


def _compute(view: View) -> Operation:
    found = compute.matching(view.tool)
    assert found is not None
    uses = {
        name: ParameterUse(
            role=ParameterRole.INPUT if name in found.inputs.values() else ParameterRole.UNSUPPORTED,
            certainty=0.9,
            reason=f"input of {found.function}" if name in found.inputs.values() else "the function does not take it",
        )
        for name in view.parameters
    }
    return Operation(
        op=OperationKind.COMPUTE,
        function=found.function,
        inputs=found.inputs,
        result=found.result,
        parameters=uses,
        certainty=view.certainty,
        reason=view.reason,
    )


def _operation(context: Context) -> Operation:
    view, table = context.view, context.table
    roles = roles_of(context)
    weak = next(
        (
            name
            for name in view.needed
            if roles.uses[name].role is ParameterRole.UNSUPPORTED or roles.uses[name].certainty < LEAST_CERTAIN
        ),
        None,
    )
    if weak is not None:
        opaque = _opaque(view, f"required parameter {weak}: {roles.uses[weak].reason}", view.certainty)
        return opaque.model_copy(update={"parameters": dict(roles.uses)})
    if view.kind in (OperationKind.UPDATE, OperationKind.DELETE) and not roles.key and not table.singleton:
        return _opaque(view, "nothing says which row it changes", view.certainty).model_copy(
            update={"parameters": dict(roles.uses)}
        )
    result = result_of(context, roles)
    values, guards, effects = written(context, roles) if view.kind.writes else ({}, [], [])
    window = None
    if view.kind is OperationKind.SERIES:
        window = _window(context, roles.window)
    return Operation(
        op=view.kind,
        table=table.name,
        key={} if view.kind is OperationKind.LIST else roles.key,
        where=tuple(roles.where),
        sort=sort_of(roles, context) if view.kind is OperationKind.LIST else None,
        page=page_of(roles, view),
        window=window,
        set=values if view.kind is not OperationKind.DELETE else {},
        require=tuple(guards),
        effects=tuple(effects),
        result=result,
        parameters=roles.uses,
        certainty=view.certainty,
        reason=view.reason,
    )


def _window(context: Context, parts: dict[str, str]) -> Window:
    view, table = context.view, context.table
    point = point_of(view.shape.item)
    assert point is not None
    schema = table.fields.get(point, {})
    table.add(point, schema)
    if table.roles[point] is not FieldRole.ID:
        table.roles[point] = FieldRole.TIME
    words = set(view.words) | set(name_words(point))
    step = next(
        (
            step
            for word, step in (
                ("hour", "hour"),
                ("hourly", "hour"),
                ("minute", "minute"),
                ("intraday", "hour"),
                ("weekly", "week"),
                ("week", "week"),
                ("monthly", "month"),
                ("month", "month"),
                ("yearly", "year"),
                ("year", "year"),
                ("annual", "year"),
            )
            if word in words
        ),
        "day",
    )
    whole = schema.get("type") == "integer"
    form = (
        "year"
        if whole and "year" in name_words(point)
        else "seconds"
        if whole
        else "date-time"
        if schema.get("format") == "date-time" or step in ("hour", "minute")
        else "date"
    )
    examples = [str(each) for each in schema.get("examples") or ()]
    if form == "date" and any("T" in each for each in examples):
        form = "date-time"
    ahead = bool(words & word_set("series", "named") & {"forecast", "forecasts"})
    return Window.model_validate({"point": point, "step": step, "ahead": ahead, "form": form, **parts})


def _references(tables: list[TableDraft]) -> None:
    """Let fields that repeat another table's identifier name its rows: the artist of a track is one of the artists."""
    keys = {joined(table.key): table for table in tables if table.key and identifies(table.key) and not table.singleton}
    for table in tables:
        for name, role in table.roles.items():
            other = keys.get(joined(name))
            if other is None or other is table or name in table.refs or name == table.key or len(name_words(name)) < 2:
                continue
            if role is FieldRole.FACT and plain_type(table.fields[name]) == plain_type(other.fields[other.key]):
                table.refer(name, other)


def _orders(tables: list[TableDraft]) -> None:
    """Set the order in which rows come when nobody asks for one: by their rank, their first time or their label."""
    for table in tables:
        if table.order or table.singleton:
            continue
        shown = [name for name in table.roles if name not in table.parts]
        ranks = [name for name in shown if name_words(name)[-1:] in (("rank",), ("position",), ("ranking",))]
        times = [name for name in shown if table.roles[name] is FieldRole.TIME]
        first = next(
            iter([*(each for each in ranks if plain_type(table.fields[each]) == "integer"), *times]), table.label
        )
        if first is not None:
            table.order = (first,)
