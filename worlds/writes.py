"""Create, change and remove rows, once all guards hold; a refused write changes nothing."""

from __future__ import annotations

from typing import Any, assert_never

from wildtool.schemas.base import JsonObject
from wildtool.schemas.world import Effect, ErrorKind, Guard, Operation
from wildtool.schemas.world_results import Constant, FromField, FromParameter, NewId, Now, ValueNode
from wildtool.worlds.projection import clock
from wildtool.worlds.rows import Row, Rows
from wildtool.worlds.selection import Found, Refused
from wildtool.worlds.values import dig, equal, form, listed, number, put

NOTHING: Any = object()
"""Value of a node whose argument is absent."""


def create(rows: Rows, operation: Operation, arguments: JsonObject, now: str) -> Found:
    """Add the row that a call describes; raise ``Refused`` where a guard does not hold."""
    table = operation.table
    assert table is not None
    spec = rows.spec.tables[table]
    given: Row = {}
    for name, node in operation.set.items():
        value = _value(node, arguments, None, now)
        if value is not NOTHING:
            put(given, name, value)
    _references(rows, table, given)
    taken = rows.table(table)
    if spec.key and all(dig(given, name) is not None for name in spec.key) and rows.key_of(table, given) in taken:
        raise Refused(ErrorKind.DUPLICATE, ", ".join(str(dig(given, name)) for name in spec.key))
    _require(rows, table, operation.require, given, arguments, now)
    row = rows.complete(table, given)
    key = rows.create(table, row)
    for effect in operation.effects:
        _apply(rows, table, effect, row, arguments, now)
    return key, row


def update(rows: Rows, operation: Operation, found: Found, arguments: JsonObject, now: str) -> Found:
    """Change the row that a call names; raise ``Refused`` where a guard does not hold."""
    table = operation.table
    assert table is not None
    key, before = found
    values = {}
    for name, node in operation.set.items():
        value = _value(node, arguments, before, now)
        if value is not NOTHING:
            values[name] = value
    _references(rows, table, values)
    for name, value in values.items():
        field = rows.spec.tables[table].fields[name.split(".")[0]]
        held = dig(before, name)
        if field.transitions and held is not None and not equal(held, value):
            allowed = field.transitions.get(str(held), ())
            if not any(equal(each, value) for each in allowed):
                raise Refused(ErrorKind.CONFLICT, f"{held} → {value}")
    _require(rows, table, operation.require, {**before, **values}, arguments, now, before=before)
    after = rows.update(table, key, values)
    for effect in operation.effects:
        _apply(rows, table, effect, after, arguments, now)
    return key, after


def delete(rows: Rows, tool: str, operation: Operation, found: Found, arguments: JsonObject, now: str) -> Found:
    """Remove the row that a call names, and take back what its creation did to other rows."""
    table = operation.table
    assert table is not None
    key, row = found
    _require(rows, table, operation.require, row, arguments, now, before=row)
    rows.delete(table, key)
    for effect in operation.effects:
        _apply(rows, table, effect, row, arguments, now)
    for other in rows.spec.tools.values():
        for effect in other.effects if other.table == table else ():
            if tool in effect.undone_by:
                _apply(rows, table, effect, row, arguments, now, back=True)
    return found


def _value(node: ValueNode, arguments: JsonObject, row: Row | None, now: str) -> Any:
    match node:
        case FromParameter():
            value = dig(arguments, node.parameter)
            return NOTHING if value is None else value
        case FromField():
            value = dig(row, node.field)
            return NOTHING if value is None else value
        case Constant():
            return node.value
        case Now():
            return clock(now, node.form)
        case NewId():
            return NOTHING
        case unknown:
            assert_never(unknown)


def _references(rows: Rows, table: str, given: Row) -> None:
    """Refuse a ref to a row that is not there, and write the other refs as the row has them."""
    for name, value in list(given.items()):
        field = rows.spec.tables[table].fields.get(name)
        if field is None or field.ref is None or value is None:
            continue
        for each in value if isinstance(value, list) else [value]:
            found = rows.refers(table, name, each)
            if found is None:
                raise Refused(ErrorKind.MISSING_REFERENCE, str(each))
        if not isinstance(value, list) and found is not None:
            given[name] = dig(found[2], field.ref.partition(".")[2])


def _require(
    rows: Rows,
    table: str,
    guards: tuple[Guard, ...],
    row: Row,
    arguments: JsonObject,
    now: str,
    *,
    before: Row | None = None,
) -> None:
    for guard in guards:
        judged: Row | None = row if before is None or guard.ref is not None else before
        if guard.ref is not None:
            value = dig(row, guard.ref)
            found = None if value is None else rows.refers(table, guard.ref, value)
            if found is None and value is None:
                continue  # an optional ref that was not given
            judged = None if found is None else found[2]
        if judged is None:
            raise Refused(ErrorKind.MISSING_REFERENCE, guard.ref or table)
        if guard.field is None or guard.value is None:
            continue
        bound = _value(guard.value, arguments, row, now)
        if bound is not NOTHING and not _guarded(guard, dig(judged, guard.field), bound):
            raise Refused(guard.otherwise, guard.field)


def _guarded(guard: Guard, held: Any, bound: Any) -> bool:
    match guard.op:
        case "eq":
            return equal(held, bound)
        case "ne":
            return not equal(held, bound)
        case "in":
            return form(held) in {form(each) for each in listed(bound)}
        case "ge" | "le":
            one, other = number(held), number(bound)
            return one is None or other is None or (one >= other if guard.op == "ge" else one <= other)
        case unknown:
            assert_never(unknown)


def _apply(
    rows: Rows, table: str, effect: Effect, row: Row, arguments: JsonObject, now: str, *, back: bool = False
) -> None:
    value = dig(row, effect.ref)
    found = None if value is None else rows.refers(table, effect.ref, value)
    by = _value(effect.value, arguments, row, now)
    if found is None or by is NOTHING:
        return
    other, key, held = found
    if effect.op == "set":
        if not back:
            rows.update(other, key, {effect.field: by})
        return
    one, amount = number(dig(held, effect.field)), number(by)
    if one is None or amount is None:
        return
    sign = (1 if effect.op == "add" else -1) * (-1 if back else 1)
    total = one + sign * amount
    rows.update(other, key, {effect.field: int(total) if float(total).is_integer() else round(total, 2)})
