"""Rehearse a plan on its world: furnish it so that every planned call finds what the plan needs, and execute the gold.

A plan whose gold does not execute is never drafted. What a call lacks (no row, too few, a guard that does not hold) becomes
a demand on the furnishing, and the rehearsal begins again on the world so furnished.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.grounding.planned_arguments import Place, place_of, resolved
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import pinned_index
from wildtool.schemas.json_schema import first_misfit
from wildtool.schemas.plan import Blueprint, PlannedCall
from wildtool.schemas.session_world import Demand, SessionWorld
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import ErrorKind, FieldRole, Operation, OperationKind, Predicate, PredicateKind, WorldSpec
from wildtool.worlds.building import build_world
from wildtool.worlds.interpreter import Outcome, World
from wildtool.worlds.selection import Refused, ends_of
from wildtool.worlds.values import dig, equal, form, listed, number

MOST_DEMANDS = 16
"""Demands of one session. A plan of four tasks has up to nine calls; one that needs more is easier planned anew."""

FEWEST_SHOWN = 3
"""Items of a list that a later message points into: it points at one of several."""


@dataclass(frozen=True)
class Rehearsal:
    """A plan's gold as the world executes it."""

    world: SessionWorld
    outcomes: Mapping[Place, Outcome]
    """By task and call; none for calls that are planned to fail."""
    arguments: Mapping[Place, JsonObject]
    """The gold arguments, in full."""


@dataclass(frozen=True)
class _Lacking:
    """What keeps a call from executing as planned."""

    demand: Demand | None
    """What would help; None where nothing would."""


def rehearse(
    spec: WorldSpec, tools: Sequence[Tool], tasks: Sequence[Blueprint], now: str, seed: int
) -> Rehearsal | None:
    """Furnish a world for planned tasks and execute their calls in order; None where no furnishing makes them work."""
    least = _least_items(tasks)
    demands: list[Demand] = []
    while len(demands) <= MOST_DEMANDS:
        session = SessionWorld(spec=spec, seed=seed, demands=tuple(demands))
        found = _run(session, tools, tasks, now, least)
        if isinstance(found, Rehearsal):
            return found
        if found.demand is None or found.demand in demands:
            return None
        demands.append(found.demand)
    return None


def _run(
    session: SessionWorld, tools: Sequence[Tool], tasks: Sequence[Blueprint], now: str, least: Mapping[Place, int]
) -> Rehearsal | _Lacking:
    world = build_world(session, tools, now)
    named = {tool.name: tool for tool in tools}
    outcomes: dict[Place, Outcome] = {}
    arguments: dict[Place, JsonObject] = {}
    for at, task in enumerate(tasks):
        for index, call in enumerate(task.calls):
            here = (at, index)
            given = resolved(call, at, {place: each.result for place, each in outcomes.items()})
            if given is None:
                return _Lacking(None)
            arguments[here] = given
            if call.fault == "error":
                continue
            outcome = outcomes[here] = world.call(call.tool, given)
            lacking = _lacking(world, call, given, outcome, named[call.tool], least.get(here, 0))
            if lacking is not None:
                return lacking
    return Rehearsal(session, outcomes, arguments)


def _least_items(tasks: Sequence[Blueprint]) -> dict[Place, int]:
    """Return how many items each call must show, by the items that later arguments point at."""
    least: dict[Place, int] = {}
    for task, blueprint in enumerate(tasks):
        for call in blueprint.calls:
            for argument in call.arguments:
                index = pinned_index(argument.path or "")
                if index is not None and argument.action is not None:
                    place = place_of(argument, task)
                    least[place] = max(least.get(place, 0), index + 2, FEWEST_SHOWN)
    return least


def _lacking(
    world: World, call: PlannedCall, given: JsonObject, outcome: Outcome, tool: Tool, least: int
) -> _Lacking | None:
    """Return what a call lacks; None where it did what the plan needs."""
    operation = world.spec.tools[call.tool]
    if call.fault == "empty":
        if outcome.error is ErrorKind.NOT_FOUND or (outcome.error is None and not outcome.rows):
            return None
        demand = demand_of(world, operation, call.tool, given, least=0)
        return _Lacking(None if demand is None else demand.model_copy(update={"empty": True}))
    match outcome.error:
        case None:
            if tool.returns is not None and first_misfit(outcome.result, tool.returns) is not None:
                return _Lacking(None)
            shows = operation.op in (OperationKind.LIST, OperationKind.SERIES)
            if shows and outcome.rows < max(least, 1):
                return _Lacking(demand_of(world, operation, call.tool, given, least=max(least, 2)))
            if operation.op is OperationKind.CREATE and _named_like_another(world, operation, outcome):
                return _Lacking(None)  # nobody could tell the two apart
            if operation.op is OperationKind.AGGREGATE and not outcome.read:
                return _Lacking(demand_of(world, operation, call.tool, given, least=2))
            return None
        case ErrorKind.NOT_FOUND:
            return _Lacking(demand_of(world, operation, call.tool, given, least=1))
        case ErrorKind.MISSING_REFERENCE:
            return _Lacking(_reference(world.spec, operation, given))
        case ErrorKind.CONFLICT:
            return _Lacking(_guarded(world.spec, operation, given))
        case ErrorKind.INVALID_ARGUMENT | ErrorKind.DUPLICATE | ErrorKind.NOT_SIMULATED:
            return _Lacking(None)


def _named_like_another(world: World, operation: Operation, outcome: Outcome) -> bool:
    """Return whether a created row has the label of a row that was there."""
    assert operation.table is not None
    fields = world.spec.tables[operation.table].fields
    labels = [name for name, field in fields.items() if field.role is FieldRole.LABEL]
    made = next((change for change in outcome.changes if change.kind == "create"), None)
    if made is None or made.after is None or not labels:
        return False
    rows = world.rows.table(operation.table)
    return any(
        key != made.key and any(equal(row.get(name), made.after.get(name)) for name in labels)
        for key, row in rows.items()
    )


def demand_of(world: World, operation: Operation, tool: str, given: JsonObject, *, least: int) -> Demand | None:
    """Return the demand that ``least`` rows fit a call; None for a call that rows cannot help."""
    if operation.table is None:
        return None
    try:
        arguments = world.valid(tool, given)
    except Refused:
        return None
    equals: JsonObject = {
        field: value for field, path in operation.key.items() if (value := dig(arguments, path)) is not None
    }
    within: dict[str, tuple[Any, Any]] = {}
    among: dict[str, tuple[Any, ...]] = {}
    words: list[str] = []
    for predicate in operation.where:
        value = dig(arguments, predicate.parameter)
        if value is not None:
            _condition(predicate, value, arguments, equals, within, among, words)
    # Sorted, as a kept demand comes back.
    return Demand(
        table=operation.table,
        given=dict(sorted(equals.items())),
        within=dict(sorted(within.items())),
        among=dict(sorted(among.items())),
        words=tuple(words),
        least=least,
    )


def _condition(
    predicate: Predicate,
    value: Any,
    arguments: JsonObject,
    equals: JsonObject,
    within: dict[str, tuple[Any, Any]],
    among: dict[str, tuple[Any, ...]],
    words: list[str],
) -> None:
    field = predicate.fields[0]
    low, high = within.get(field, (None, None))
    match predicate.op:
        case PredicateKind.EQ | PredicateKind.HAS:
            equals[field] = value
        case PredicateKind.IN:
            among[field] = tuple(listed(value))
        case PredicateKind.CONTAINS_ANY | PredicateKind.PREFIX:
            words.extend(str(each) for each in (value if isinstance(value, list) else [value]))
        case PredicateKind.GE | PredicateKind.GT:
            within[field] = (value, high)
        case PredicateKind.LE | PredicateKind.LT:
            within[field] = (low, value)
        case PredicateKind.BETWEEN:
            within[field] = ends_of(value)
        case PredicateKind.ON_DAY:
            within[field] = (value, value)
        case PredicateKind.CLOCK:
            within[field] = (value, high) if predicate.least else (low, value)
        case PredicateKind.RANK:
            ranks = [form(each) for each in predicate.ranks]
            if form(value) in ranks:
                at = ranks.index(form(value))
                among[field] = predicate.ranks[at:] if predicate.least else predicate.ranks[: at + 1]
        case PredicateKind.TRUE:
            if value is True:
                equals[field] = True
        case PredicateKind.NEAR:
            latitude, longitude = number(value), number(dig(arguments, predicate.also.get("longitude", "")))
            if latitude is not None and longitude is not None:
                equals[predicate.fields[0]], equals[predicate.fields[1]] = latitude, longitude
        case PredicateKind.NE:
            pass


def _reference(spec: WorldSpec, operation: Operation, given: JsonObject) -> Demand | None:
    """Return the demand that the row is there which a write or a condition names."""
    assert operation.table is not None
    named = [(field, node.parameter) for field, node in operation.set.items() if node.node == "parameter"]
    named += [(each.fields[0], each.parameter) for each in operation.where if each.parent is not None]
    for field, path in named:
        there = spec.tables[operation.table].fields.get(field)
        value = dig(given, path)
        if there is not None and there.ref is not None and value is not None:
            table, _, theirs = there.ref.partition(".")
            return Demand(table=table, given={theirs: value})
    return None


def _guarded(spec: WorldSpec, operation: Operation, given: JsonObject) -> Demand | None:
    """Return the demand that the row which a guard judges lets the write pass."""
    assert operation.table is not None
    for guard in operation.require:
        if guard.field is None or guard.value is None:
            continue
        value = dig(given, guard.value.parameter) if guard.value.node == "parameter" else None
        value = guard.value.value if guard.value.node == "constant" else value
        if guard.ref is None:
            key = {field: dig(given, path) for field, path in operation.key.items()}
            table, equals = operation.table, {k: v for k, v in sorted(key.items()) if v is not None}
        else:
            there = spec.tables[operation.table].fields[guard.ref]
            node = operation.set.get(guard.ref)
            if there.ref is None or node is None or node.node != "parameter":
                continue
            table, _, theirs = there.ref.partition(".")
            equals = {theirs: dig(given, node.parameter)}
        if value is None or not equals:
            continue
        match guard.op:
            case "ge":
                return Demand(table=table, given=equals, within={guard.field: (value, None)})
            case "le":
                return Demand(table=table, given=equals, within={guard.field: (None, value)})
            case "in":
                return Demand(table=table, given=equals, among={guard.field: tuple(listed(value))})
            case "eq":
                return Demand(table=table, given=dict(sorted({**equals, guard.field: value}.items())))
            case "ne":
                continue
    return None
