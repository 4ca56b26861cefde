"""Properties of writes: they show in later reads, change what they declare and nothing else, or are refused whole."""

from __future__ import annotations

from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import fits
from wildtool.schemas.world import ErrorKind, Guard, Operation, OperationKind, PredicateKind
from wildtool.schemas.world_results import Constant, FromParameter
from wildtool.worlds.interpreter import Outcome
from wildtool.worlds.properties.drawing import draw
from wildtool.worlds.properties.subject import (
    Subject,
    Tools,
    Violation,
    at,
    everything,
    fitted,
    given_with,
    leaves,
    names_one,
    operations,
    state,
    with_defaults,
)
from wildtool.worlds.rows import Key, Row
from wildtool.worlds.selection import holds
from wildtool.worlds.values import dig, equal, listed, number

WRITES = (OperationKind.CREATE, OperationKind.UPDATE, OperationKind.DELETE)

ROUNDS = 3
"""Calls of one writing tool in a round: refusals are as likely as successes."""


def _written(
    world: Subject, tools: Tools, rng: Random, name: str
) -> tuple[Subject, Subject, JsonObject, Outcome] | None:
    """Return the world before a write that went through, the world after, arguments and outcome."""
    for _ in range(ROUNDS):
        after = world.fork()
        _populate(after, tools, rng, name)
        before = after.fork()
        arguments = draw(after, tools[name], rng)
        if arguments is not None:
            outcome = after.call(name, arguments)
            if outcome.error is None:
                return before, after, arguments, outcome
    return None


def _populate(world: Subject, tools: Tools, rng: Random, name: str) -> None:
    """Create a row for a change or removal to work on, where the table has none."""
    table = world.spec.tools[name].table or ""
    if world.spec.tools[name].op is OperationKind.CREATE or world.rows.table(table):
        return
    for maker, operation in operations(world, tools, OperationKind.CREATE):
        if operation.table == table:
            for _ in range(ROUNDS):
                arguments = draw(world, tools[maker], rng)
                if arguments is not None and world.call(maker, arguments).error is None:
                    return


def writes_show(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """What was created or changed shows in later reads of its table, with the values that were given; what was removed is
    gone from all of them."""
    found = []
    for name, operation in operations(world, tools, *WRITES):
        done = _written(world, tools, rng, name)
        if done is None:
            continue
        _, after, arguments, outcome = done
        table = operation.table or ""
        own = [c for c in outcome.changes if c.table == table]
        gone = operation.op is OperationKind.DELETE
        if operation.op is not OperationKind.UPDATE and not own:
            found.append(Violation("writes_show", name, "goes through and changes no row", arguments))
            continue
        key = own[0].key if own else _key_named(after, operation, arguments)
        row = (own[0].before if gone else own[-1].after) if own else after.rows.get(table, key or ())
        if key is None or row is None:
            continue
        if not gone:
            found += [
                Violation("writes_show", name, f"{field} is {dig(row, field)!r}, given was {value!r}", arguments)
                for field, value in _given(operation, arguments).items()
                if not _same(world, table, field, dig(row, field), value)
            ]
        found += _seen_later(after, tools, rng, name, key, row, gone)
    return found


def _key_named(world: Subject, operation: Operation, arguments: JsonObject) -> Key | None:
    values = {field: dig(arguments, path) for field, path in operation.key.items()}
    found = world.rows.find(operation.table or "", values) if values and None not in values.values() else None
    return None if found is None else found[0]


def _given(operation: Operation, arguments: JsonObject) -> JsonObject:
    """Return the values by field that the arguments say."""
    found: dict[str, Any] = {}
    for field, node in operation.set.items():
        if isinstance(node, FromParameter) and (value := dig(arguments, node.parameter)) is not None:
            found[field] = value
        elif isinstance(node, Constant) and node.value is not None:
            found[field] = node.value
    return found


def _same(world: Subject, table: str, field: str, held: Any, value: Any) -> bool:
    """Return whether a field holds the value; a ref may have been written as its row has it."""
    if equal(held, value):
        return True
    there = world.spec.tables[table].fields.get(field)
    if there is None or there.ref is None:
        return False
    found = world.rows.refers(table, field, value)
    return found is not None and equal(held, dig(found[2], there.ref.partition(".")[2]))


def _seen_later(
    world: Subject, tools: Tools, rng: Random, writer: str, key: Key, row: Row, gone: bool
) -> list[Violation]:
    found = []
    table = world.spec.tools[writer].table
    for name, operation in operations(world, tools, OperationKind.GET, OperationKind.LIST):
        tool = tools[name]
        asked = draw(world, tool, rng, optional=0.0) if operation.table == table else None
        if asked is None:
            continue
        if operation.op is OperationKind.GET:
            if operation.where or not names_one(world, operation, row):
                continue
            for field, path in operation.key.items():
                asked = given_with(asked, path, dig(row, field))
            got = world.call(name, asked)
            if got.error is ErrorKind.INVALID_ARGUMENT:
                continue
            if gone != (got.error is ErrorKind.NOT_FOUND):
                told = f"after {writer} the row is {'still' if gone else 'not'} there: {got.error}"
                found.append(Violation("writes_show", name, told, asked))
            elif not gone:
                found += [
                    Violation("writes_show", name, f"shows {field} {at(got.result, path)!r} after {writer}", asked)
                    for path, field in leaves(operation.result).items()
                    if at(got.result, path) != dig(row, field)
                ]
            continue
        query = _query_for(world, operation, tools, name, asked, row)
        keys = None if query is None else everything(world, operation, tool, query)
        if keys is not None and gone == (key in keys):
            told = f"{'still shows' if gone else 'does not show'} {key} after {writer}"
            found.append(Violation("writes_show", name, told, query))
    return found


def _query_for(
    world: Subject, operation: Operation, tools: Tools, name: str, asked: JsonObject, row: Row
) -> JsonObject | None:
    """Return a query that the row satisfies; None where none can be made of its fields."""
    schemas = tools[name].parameters.get("properties", {})
    for predicate in operation.where:
        if dig(asked, predicate.parameter) is None:
            continue
        value = dig(row, predicate.fields[0])
        value = value[0] if isinstance(value, list) and value else value
        whole = (PredicateKind.EQ, PredicateKind.GE, PredicateKind.LE, PredicateKind.ON_DAY, PredicateKind.CONTAINS_ANY)
        if value is None or predicate.op not in whole or predicate.parameter not in schemas:
            return None
        asked = given_with(asked, predicate.parameter, fitted(value, schemas[predicate.parameter]))
    if not fits(asked, tools[name].parameters):
        return None
    # Documented defaults hold as well: a list of open things does not show a closed one.
    given = with_defaults(tools[name], asked)
    held = [(p, value) for p in operation.where if (value := dig(given, p.parameter)) is not None]
    return asked if all(holds(predicate, row, value, given) for predicate, value in held) else None


def others_untouched(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A write changes one row of its table and, in other tables, the fields that its effects name; a journal says all."""
    found = []
    for name, operation in operations(world, tools, *WRITES):
        done = _written(world, tools, rng, name)
        if done is None:
            continue
        before, after, arguments, outcome = done
        allowed = _declared(world, name)
        own = 0
        old, new = state(before), state(after)
        told = {(change.table, change.key) for change in outcome.changes}
        for place in {*old, *new}:
            one, other = old.get(place), new.get(place)
            if one == other:
                continue
            fields = {f for f in {**(one or {}), **(other or {})} if (one or {}).get(f) != (other or {}).get(f)}
            own += place[0] == operation.table
            if place not in told:
                found.append(
                    Violation("others_untouched", name, f"{place} changed and is not in the journal", arguments)
                )
            if place[0] == operation.table:
                written = {field.split(".")[0] for field in operation.set} | allowed.get(place[0], set())
                if operation.op is OperationKind.UPDATE and fields - written:
                    told_of = f"{place} changed {sorted(fields - written)[0]}, which is not written"
                    found.append(Violation("others_untouched", name, told_of, arguments))
            elif fields - allowed.get(place[0], set()):
                changed = sorted(fields - allowed.get(place[0], set()))[0]
                found.append(Violation("others_untouched", name, f"{place} changed {changed}", arguments))
        if own > 1 and not allowed.get(operation.table or ""):
            found.append(Violation("others_untouched", name, f"{own} rows of {operation.table} changed", arguments))
    return found


def _declared(world: Subject, name: str) -> dict[str, set[str]]:
    """Return the fields by table that a tool's effects, or those that it takes back, may change."""
    found: dict[str, set[str]] = {}
    for other, operation in world.spec.tools.items():
        for effect in operation.effects:
            if other == name or name in effect.undone_by:
                ref = world.spec.tables[operation.table or ""].fields[effect.ref].ref or ""
                found.setdefault(ref.partition(".")[0], set()).add(effect.field.split(".")[0])
    return found


def effects_show(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """The effects that a write declares are those that it has, and its removal takes them back."""
    found = []
    for name, operation in operations(world, tools, *WRITES):
        done = _written(world, tools, rng, name) if operation.effects else None
        if done is None:
            continue
        before, after, arguments, outcome = done
        table = operation.table or ""
        own = next((c for c in outcome.changes if c.table == table), None)
        row = None if own is None else (own.after or own.before)
        if own is None or row is None:
            continue
        for effect in operation.effects:
            ref = dig(row, effect.ref)
            target = None if ref is None else before.rows.refers(table, effect.ref, ref)
            amount = _value(effect.value, arguments, row)
            if target is None or amount is None:
                continue
            now = after.rows.get(target[0], target[1]) or {}
            held, had, by = number(dig(now, effect.field)), number(dig(target[2], effect.field)), number(amount)
            if effect.op == "set":
                if not equal(dig(now, effect.field), amount):
                    told = f"{effect.field} is {dig(now, effect.field)!r}, set was {amount!r}"
                    found.append(Violation("effects_show", name, told, arguments))
            elif held is None or had is None or by is None:
                continue
            elif abs(held - had - (by if effect.op == "add" else -by)) > 0.0051:
                told = f"{effect.field} went from {had:g} to {held:g}, {effect.op} {by:g} was declared"
                found.append(Violation("effects_show", name, told, arguments))
        found += _taken_back(before, after, tools, rng, name, own.key, row)
    return found


def _taken_back(
    before: Subject, after: Subject, tools: Tools, rng: Random, name: str, key: Key, row: Row
) -> list[Violation]:
    operation = after.spec.tools[name]
    undoers = {each for effect in operation.effects if effect.op != "set" for each in effect.undone_by}
    found = []
    for undoer in sorted(undoers & set(tools)):
        fork = after.fork()
        other = fork.spec.tools[undoer]
        asked = draw(fork, tools[undoer], rng, optional=0.0) if other.op is OperationKind.DELETE else None
        if asked is None or any(dig(row, field) is None for field in other.key):
            continue
        for field, path in other.key.items():
            asked = given_with(asked, path, dig(row, field))
        if fork.call(undoer, asked).error is None:
            old, new = state(before), state(fork)
            if operation.op is OperationKind.CREATE and old != new:
                found.append(Violation("effects_show", undoer, f"does not take back what {name} did", asked))
    return found


def _value(node: Any, arguments: JsonObject, row: Row) -> Any:
    match node.node:
        case "parameter":
            return dig(arguments, node.parameter)
        case "field":
            return dig(row, node.field)
        case "constant":
            return node.value
        case _:
            return None


def guards_hold(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A write goes through only where its guards held before, and is not refused by a guard that held."""
    found = []
    for name, operation in operations(world, tools, *WRITES):
        done = _written(world, tools, rng, name) if operation.require else None
        if done is None:
            continue
        before, _, arguments, outcome = done
        table = operation.table or ""
        own = next((c for c in outcome.changes if c.table == table), None)
        if own is None:
            continue
        row = own.after if own.after is not None and operation.op is OperationKind.CREATE else own.before
        for guard in operation.require:
            judged = row
            if guard.ref is not None:
                named = dig(own.after or own.before or {}, guard.ref)
                target = None if named is None else before.rows.refers(table, guard.ref, named)
                judged = None if target is None else target[2]
                if named is None:
                    continue
            bound = None if guard.value is None else _value(guard.value, arguments, own.after or own.before or {})
            if judged is None or (guard.field is not None and bound is not None and not _kept(guard, judged, bound)):
                told = f"went through although {guard.ref or table}.{guard.field} {guard.op} {bound!r} did not hold"
                found.append(Violation("guards_hold", name, told, arguments))
    return found


def _kept(guard: Guard, judged: Row, bound: Any) -> bool:
    held = dig(judged, guard.field or "")
    one, other = number(held), number(bound)
    match guard.op:
        case "eq":
            return equal(held, bound)
        case "ne":
            return not equal(held, bound)
        case "in":
            return any(equal(held, each) for each in listed(bound))
        case "ge":
            return one is None or other is None or one >= other
        case "le":
            return one is None or other is None or one <= other


def transitions_hold(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A state only ever follows one that allows it."""
    found = []
    for name, _ in operations(world, tools, OperationKind.UPDATE):
        done = _written(world, tools, rng, name)
        if done is None:
            continue
        _, _, arguments, outcome = done
        for change in outcome.changes:
            for field, held in world.spec.tables[change.table].fields.items():
                was, now = dig(change.before, field), dig(change.after, field)
                if (
                    held.transitions
                    and was is not None
                    and was != now
                    and now not in held.transitions.get(str(was), ())
                ):
                    found.append(Violation("transitions_hold", name, f"{field} went from {was} to {now}", arguments))
    return found


def refusals_change_nothing(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A refused call leaves all rows and the journal as they were."""
    found = []
    for name, _ in operations(world, tools):
        fork = world.fork()
        for spoilt in _spoilt(fork, tools, name, rng):
            before, length = state(fork), len(fork.rows.journal)
            outcome = fork.call(name, spoilt)
            if outcome.error is None:
                fork = world.fork()
                continue
            if outcome.changes or len(fork.rows.journal) != length or state(fork) != before:
                found.append(Violation("refusals_change_nothing", name, f"{outcome.error}, and rows differ", spoilt))
                fork = world.fork()
    return found


def _spoilt(world: Subject, tools: Tools, name: str, rng: Random) -> list[JsonObject]:
    """Return calls of which most are refused: unknown things, more than there is, a missing or needless argument."""
    right = draw(world, tools[name], rng)
    if right is None:
        return []
    found = [{**right, "no_such_parameter": 1}, {k: v for k, v in right.items() if k != next(iter(right), None)}]
    for parameter, value in right.items():
        if isinstance(value, str):
            found.append({**right, parameter: "zzz-nobody-9731"})
        elif isinstance(value, int) and not isinstance(value, bool):
            found.append({**right, parameter: 987654})
    return [*found, right, right]
