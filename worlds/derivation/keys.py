"""Tell which parameters name one row: of the tool's own table, or of another to which its rows belong."""

from __future__ import annotations

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole, OperationKind, ParameterRole, Predicate, PredicateKind
from wildtool.worlds.derivation.context import Context, Roles
from wildtool.worlds.derivation.lexicon import changes_looks, identifies, joined, name_words, singular, word_set
from wildtool.worlds.derivation.tables import TableDraft, match
from wildtool.worlds.derivation.views import View

_ONE = (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE)


_NAMING = frozenset("name code key slug number username email handle symbol title ref reference token".split())
"""Words of parameters that can name a row."""


def identified(name: str, schema: JsonObject, context: Context, roles: Roles) -> bool:
    """Decide on parameters that name one row: of the tool's own table, or of another to which its rows belong."""
    view, table = context.view, context.table
    placed = name in view.places
    last = placed and view.places[-1] == name and view.ends_in_place
    linked = context.linked(name)
    kind = plain_type(schema)
    if kind in ("array", "object", "boolean"):
        return False
    if not (placed or identifies(name) or linked is not None):
        return False
    if (
        placed
        and linked is None
        and not identifies(name)
        and not (last and view.kind in _ONE)
        and _means_rows(name, schema, context)
    ):
        return False
    if changes_looks(name) and not placed and linked is None:
        return False
    found = match(name, table)
    if view.facet == name:
        _side_of(name, schema, context, roles)
        return True
    own = found is not None and (found == table.key or (linked is not None and linked[0] is table))
    keyed = view.kind in (OperationKind.GET, OperationKind.UPDATE, OperationKind.DELETE, OperationKind.SERIES)
    if keyed and not roles.key and (last or own or _first_key(name, view)):
        target = (
            found
            if own
            else (table.key if (last or identifies(name)) and table.key and _fits_key(name, table) else found)
        )
        if target is None or (target == table.key and target in table.parts and not own):
            target = found or table.hide(name, schema, FieldRole.ID if not table.key else None)
        roles.key[target] = name
        if not context.bound(name) and not last:
            table.opens(target)
        elif not context.bound(name) and not any(v.kind is OperationKind.LIST for v in table.views):
            table.opens(target)  # nothing shows its values, so people bring their own
        roles.use(name, ParameterRole.KEY, 0.95 if last or own else 0.8, "names the row")
        return True
    if view.kind is OperationKind.CREATE and not placed and linked is None and (own or _fits_key(name, table)):
        return False
    if view.kind is OperationKind.LIST and found is not None and found == table.key and name in view.needed:
        # Of the same kind, but not the one that is named: what goes with an article are other articles.
        roles.where.append(Predicate(parameter=name, op=PredicateKind.NE, fields=(found,), parent=table.name))
        roles.use(name, ParameterRole.PARENT, 0.6, "rows that go with this one")
        return True
    if view.kind is OperationKind.LIST and found is not None and found == table.key and not placed:
        roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(found,)))
        roles.use(name, ParameterRole.EQUAL, 0.8, "the rows' own identifier")
        return True
    _parent(name, schema, context, roles, linked, found)
    return True


def _means_rows(name: str, schema: JsonObject, context: Context) -> bool:
    """Return whether a part of the URL narrows the rows like any other argument: a period, a year, a query."""
    words = set(name_words(name))
    return bool("enum" in schema or words & word_set("text", "names") or words & word_set("range", "times"))


def _side_of(name: str, schema: JsonObject, context: Context, roles: Roles) -> None:
    """Let the thing's identifier be part of the key of its sides."""
    table = context.table
    field_name = match(name, table) or table.hide(name, schema)
    other = context.linked(name) or _table_of(name, context)
    if other is not None and other[0] is not table and other[1] == other[0].key:
        table.refer(field_name, other[0])
    roles.key[field_name] = name
    table.opens(field_name)
    roles.use(name, ParameterRole.KEY, 0.9, "names the thing whose side is read")


def _first_key(name: str, view: View) -> bool:
    ids = [each for each in view.needed if identifies(each) or each in view.places]
    return ids[-1:] == [name] if view.places else ids[:1] == [name]


def _fits_key(name: str, table: TableDraft) -> bool:
    stem = {singular(word) for word in name_words(name)} - word_set("names", "generic")
    return not stem or bool(stem & {singular(word) for word in table.noun.split()})


def _parent(
    name: str,
    schema: JsonObject,
    context: Context,
    roles: Roles,
    linked: tuple[TableDraft, str] | None,
    found: str | None,
) -> None:
    """Let the rows belong to a row of another table, where there is one; else to a thing that only has this name."""
    view, table = context.view, context.table
    other = linked if linked is not None and linked[0] is not table else _table_of(name, context)
    field_name = found if found is not None and found != table.key else name
    if found is None or found == table.key:
        table.hide(field_name, schema)
    refers = other is not None and other[1] == other[0].key and other[0] is not table
    if other is not None and refers and field_name not in table.refs and field_name != table.key:
        table.refer(field_name, other[0])
    role = ParameterRole.PARENT
    if view.kind.writes:
        if view.kind is OperationKind.CREATE:
            roles.set[field_name] = name
        else:
            roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(field_name,)))
        roles.use(name, role, 0.8, "names what the row belongs to")
        return
    if view.kind in (OperationKind.GET, OperationKind.SERIES) and not roles.key and not table.singleton:
        roles.key[field_name] = name
        if not context.bound(name) and field_name not in table.refs:
            table.opens(field_name)
    else:
        parent = table.refs[field_name].partition(".")[0] if field_name in table.refs else None
        roles.where.append(Predicate(parameter=name, op=PredicateKind.EQ, fields=(field_name,), parent=parent))
        if parent is None and name in view.needed:
            table.opens(field_name)
    roles.use(name, role, 0.9 if refers else 0.7, "names what the rows belong to")


def _table_of(name: str, context: Context) -> tuple[TableDraft, str] | None:
    """Return the other table that a parameter's name names: ``owner_id`` the owners."""
    stem = [singular(word) for word in name_words(name) if word not in word_set("names", "generic")]
    for table in context.tables:
        if table is context.table or not table.key or table.key in table.parts:
            continue
        if stem and stem == [singular(word) for word in table.noun.split()]:
            return table, table.key
        if joined(table.key) == joined(name) and joined(name) != "id":
            return table, table.key
    return None


def name_by_what_is_there(context: Context, roles: Roles) -> None:
    """Let the first required parameter name the row that a write changes."""
    for name in context.view.needed:
        use = roles.uses.get(name)
        if use is None or use.role not in (ParameterRole.SET, ParameterRole.EQUAL, ParameterRole.UNSUPPORTED):
            continue
        if not (identifies(name) or set(name_words(name)) & _NAMING):
            continue
        target = match(name, context.table) or context.table.hide(name, context.view.parameters[name])
        roles.set = {key: value for key, value in roles.set.items() if value != name}
        roles.key[target] = name
        context.table.opens(target)
        roles.use(name, ParameterRole.KEY, 0.6, "names the row")
        return
