"""Give writes their guards, effects and states."""

from __future__ import annotations

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import Effect, Guard, OperationKind
from wildtool.schemas.world_results import Constant, FromField, FromParameter, NewId, Now, ValueNode
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import joined, table, word_set
from wildtool.worlds.derivation.tables import TableDraft


def written(context: Context, roles: Roles) -> tuple[dict[str, ValueNode], list[Guard], list[Effect]]:
    """Return what a create or update writes, what must hold before, and what it changes elsewhere."""
    draft, view = context.table, context.view
    values: dict[str, ValueNode] = {name: FromParameter(parameter=parameter) for name, parameter in roles.set.items()}
    if view.kind is OperationKind.CREATE:
        if draft.key and draft.key not in values:
            values[draft.key] = NewId()
        for name, schema in draft.fields.items():
            words = joined(name)
            if name not in values and words in (
                "createdat",
                "created",
                "createdon",
                "sentat",
                "startedat",
                "postedat",
                "requestedat",
                "submittedat",
                "orderedat",
            ):
                values[name] = _now(schema)
    state = _state(context)
    if state is not None and state[0] not in values:
        values[state[0]] = Constant(value=state[1])
    for name, schema in draft.fields.items():
        if (
            view.kind is OperationKind.UPDATE
            and name not in values
            and joined(name) in ("updatedat", "updated", "modifiedat", "modified", "updatedon", "lastmodified")
        ):
            values[name] = _now(schema)
    guards: list[Guard] = []
    effects: list[Effect] = []
    if view.kind is OperationKind.CREATE:
        for name in list(values):
            stock = _stock(name, draft, context)
            if stock is None:
                continue
            amount = _amount(context, roles)
            value: ValueNode = FromParameter(parameter=amount[1]) if amount is not None else Constant(value=1)
            guards.append(Guard(ref=name, field=stock, op="ge", value=value))
            taken: ValueNode = FromField(field=amount[0]) if amount is not None else Constant(value=1)
            undone = tuple(each.tool.name for each in draft.views if each.kind is OperationKind.DELETE)
            effects.append(Effect(ref=name, field=stock, op="subtract", value=taken, undone_by=undone))
    return values, guards, effects


def _now(schema: JsonObject) -> Now:
    """Return the clock, in the form that a field writes times."""
    if plain_type(schema) == "integer":
        return Now(form="seconds")
    return Now(form="date" if schema.get("format") == "date" else "date-time")


def _state(context: Context) -> tuple[str, object] | None:
    """Return the state that the verb sets, where the table has a field for it that allows one of its words."""
    draft, view = context.table, context.view
    verb = view.words[0] if view.words else ""
    words = str(table("states").get("create" if view.kind is OperationKind.CREATE else verb, "")).split()
    for name, schema in draft.fields.items():
        if joined(name) not in ("status", "state", f"{draft.noun.replace(' ', '')}status"):
            continue
        allowed = list(schema.get("enum") or schema.get("examples") or ())
        for word in words:
            for each in allowed:
                if joined(str(each)) == word.replace("_", ""):
                    return name, each
        if view.kind is OperationKind.CREATE and allowed:
            return name, allowed[0]
    return None


def _stock(name: str, draft: TableDraft, context: Context) -> str | None:
    """Return the field of the row that ``name`` refers to, from which the write takes."""
    ref = draft.refs.get(name)
    if ref is None:
        return None
    other = next(each for each in context.tables if each.name == ref.partition(".")[0])
    return next(
        (
            each
            for each, schema in other.fields.items()
            if joined(each) in word_set("stock", "fields")
            and plain_type(schema) in ("integer", "number")
            and each not in other.parts
        ),
        None,
    )


def _amount(context: Context, roles: Roles) -> tuple[str, str] | None:
    """Return field and parameter that say how much is taken."""
    for field_name, parameter in roles.set.items():
        if (
            joined(parameter) in word_set("stock", "amounts")
            and plain_type(context.view.parameters[parameter]) == "integer"
        ):
            return field_name, parameter
    return None
