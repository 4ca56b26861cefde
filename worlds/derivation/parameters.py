"""Tell what each parameter of a tool is for, and write it into the operation."""

from __future__ import annotations

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import OperationKind, ParameterRole, Predicate, PredicateKind
from wildtool.worlds.derivation.bounds import near, ranged, windowed
from wildtool.worlds.derivation.conditions import equal, searched
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.keys import identified, name_by_what_is_there
from wildtool.worlds.derivation.lexicon import changes_looks, name_words, word_set
from wildtool.worlds.derivation.paging import paging, sorting
from wildtool.worlds.derivation.tables import match


def roles_of(context: Context) -> Roles:
    """Decide on all parameters of a tool."""
    roles = Roles()
    view = context.view
    for name, schema in view.parameters.items():
        _decide(name, schema, context, roles)
    _open_together(context, roles)
    if view.kind in (OperationKind.UPDATE, OperationKind.DELETE) and not roles.key and not context.table.singleton:
        name_by_what_is_there(context, roles)
    return roles


_OPENING = (PredicateKind.EQ, PredicateKind.ON_DAY, PredicateKind.CONTAINS_ANY, PredicateKind.IN)
"""Conditions whose values may bring rows into being."""


def _open_together(context: Context, roles: Roles) -> None:
    """Let all conditions that always hold open as soon as one does, so that what is asked for is there."""
    table, view = context.table, context.view
    always = {
        name for name, schema in view.parameters.items() if name in view.needed or schema.get("default") is not None
    }
    asked = [each for each in roles.where if each.parameter in always and each.op in _OPENING]
    if not any(field in table.open for each in asked for field in each.fields):
        return
    for each in asked:
        if each.op is not PredicateKind.CONTAINS_ANY and each.parent is None and each.fields[0] != table.key:
            table.opens(each.fields[0])


def _decide(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    view, words = context.view, set(name_words(name))
    writes = view.kind.writes
    needed = name in view.needed
    if not writes and (paging(name, schema, context, roles) or sorting(name, schema, context, roles)):
        return
    if near(name, schema, context, roles):
        return
    if identified(name, schema, context, roles):
        return
    found = match(name, context.table)
    if not writes and words & word_set("near", "radius") and plain_type(schema) in ("integer", "number"):
        far = next((each for each in context.table.fields if "distance" in name_words(each)), None)
        if far is not None and far not in context.table.parts:
            roles.where.append(Predicate(parameter=name, op=PredicateKind.LE, fields=(far,)))
            roles.use(name, ParameterRole.NEAR, 0.85, f"bounds {far}")
            return
    if not writes and found is None and changes_looks(name):
        roles.use(name, ParameterRole.FORMAT, 0.8, "changes the looks of the answer")
        return
    if writes:
        _written(name, schema, context, roles)
        return
    if view.kind is OperationKind.SERIES and windowed(name, schema, context, roles):
        return
    if (
        words & word_set("text", "names")
        and plain_type(schema) in ("string", "any", "array")
        and "enum" not in schema
        and found is None
    ):
        searched(name, needed, context, roles, "named like a search")
        return
    if ranged(name, schema, found, context, roles):
        return
    equal(name, schema, found, context, roles)


def _written(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    table, view = context.table, context.view
    if view.kind is OperationKind.DELETE:
        roles.use(name, ParameterRole.UNSUPPORTED, 0.6, "a removal writes nothing")
        return
    words = name_words(name)
    if set(words) & {"callback", "idempotency", "fields", "pretty", "expand", "include", "dry"}:
        roles.use(name, ParameterRole.FORMAT, 0.7, "changes the looks of the answer")
        return
    target = match(name, table)
    if target is None or (target == table.key and view.kind is OperationKind.UPDATE):
        target = table.hide(name if name != table.key else f"new_{name}", schema)
    if target in roles.set:
        target = table.hide(name, schema)
    roles.set[target] = name
    roles.use(name, ParameterRole.SET, 0.85, f"writes {target}")
