"""Properties of reads: filters, pages, orders, counts, defaults, and that reading changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from wildtool.language.result_filters import misfits
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import first_misfit, fits, properties
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import ErrorKind, Operation, OperationKind, Predicate
from wildtool.worlds.interpreter import Outcome
from wildtool.worlds.properties.drawing import draw
from wildtool.worlds.properties.subject import (
    Subject,
    Tools,
    Violation,
    at,
    count_path,
    documented_defaults,
    everything,
    given_with,
    items,
    leaves,
    limit_for,
    main_rows,
    names_one,
    nodes,
    operations,
    shown,
    walk,
    with_defaults,
    without,
)
from wildtool.worlds.rows import Key
from wildtool.worlds.selection import holds
from wildtool.worlds.values import dig, equal, number, sort_key

LISTS = (OperationKind.LIST,)


def results_fit(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Every result satisfies the schema that the tool declares for it."""
    found = []
    for name, operation in operations(world, tools):
        tool, fork = tools[name], world.fork()
        returns = _may_be_empty(tool.returns, operation) if tool.returns is not None else {}
        for optional in (0.0, 0.5) if tool.returns is not None else ():
            arguments = draw(fork, tool, rng, optional=optional)
            outcome = None if arguments is None else fork.call(name, arguments)
            if outcome is None or outcome.error is not None:
                continue
            if (misfit := first_misfit(outcome.result, returns)) is not None:
                found.append(Violation("results_fit", name, misfit, arguments))
    return found


def _may_be_empty(schema: JsonObject, operation: Operation) -> JsonObject:
    """Return the schema of a result without a least number of found rows: a search that finds nothing is no error."""
    rows = main_rows(operation.result)
    if rows is None:
        return schema
    changed = inner = dict(schema)
    for step in rows[0].split(".") if rows[0] else ():
        known = dict(inner.get("properties") or {})
        inner["properties"] = known
        inner = known[step] = dict(known.get(step) or {})
    inner.pop("minItems", None)
    return changed


def valid_calls_are_taken(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A call whose arguments satisfy the schema is never refused as ``not_simulated``, and never raises."""
    found = []
    for name, _ in operations(world, tools):
        fork = world.fork()
        arguments = draw(fork, tools[name], rng)
        if arguments is None:
            continue
        try:
            outcome = fork.call(name, arguments)
        except Exception as error:  # whatever it is, a call must not end the session
            found.append(Violation("valid_calls_are_taken", name, f"{type(error).__name__}: {error}", arguments))
            continue
        if outcome.error is ErrorKind.NOT_SIMULATED:
            found.append(Violation("valid_calls_are_taken", name, "not simulated", arguments))
    return found


def _filters(world: Subject, operation: Operation, tool: Tool) -> Iterator[Predicate]:
    """Yield the optional conditions on fields that bring no rows into being."""
    assert operation.table is not None
    table = world.spec.tables[operation.table]
    # Without its argument a condition with a documented default is not absent.
    needed = {*tool.parameters.get("required", ()), *documented_defaults(tool)}
    for predicate in operation.where:
        opening = {*table.open, *((f for f, held in table.fields.items() if held.ref is not None))}
        if predicate.parameter.split(".")[0] not in needed and not opening & set(predicate.fields):
            yield predicate


def filters_narrow(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """A filter never adds rows, and takes away exactly those that do not satisfy it."""
    found = []
    for name, operation in operations(world, tools, *LISTS):
        tool, fork = tools[name], world.fork()
        for predicate in _filters(world, operation, tool):
            narrow = draw(fork, tool, rng, optional=0.5)
            wide = None if narrow is None else without(narrow, predicate.parameter)
            for path in predicate.also.values():
                wide = None if wide is None else without(wide, path)
            if narrow is None or wide is None or wide == narrow or not fits(wide, tool.parameters):
                continue
            few, many = everything(fork, operation, tool, narrow), everything(fork, operation, tool, wide)
            if few is None or many is None:
                continue
            if added := [key for key in few if key not in set(many)]:
                told = f"{predicate.parameter} adds {added[0]}"
                found.append(Violation("filters_narrow", name, told, narrow))
            value = dig(narrow, predicate.parameter)
            due = [key for key in many if holds(predicate, _row(fork, operation, key), value, narrow)]
            if missing := [key for key in due if key not in set(few)]:
                told = f"{missing[0]} satisfies {predicate.parameter} and is left out"
                found.append(Violation("filters_narrow", name, told, narrow))
    return found


def _row(world: Subject, operation: Operation, key: Key) -> JsonObject:
    return world.rows.get(operation.table or "", key) or {}


def filters_hold(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Every row that a call shows or sums up satisfies each of its filters, as read from the row's own fields."""
    found = []
    for name, operation in operations(world, tools, *LISTS, OperationKind.AGGREGATE):
        tool, fork = tools[name], world.fork()
        arguments = draw(fork, tool, rng, optional=0.6)
        if arguments is None:
            continue
        outcome = fork.call(name, arguments)
        if outcome.error is not None:
            continue
        given = with_defaults(tool, arguments)
        for table, key in outcome.read:
            if table != operation.table or not _own(operation, outcome, key):
                continue
            for predicate in operation.where:
                value = dig(given, predicate.parameter)
                if value is not None and not holds(predicate, _row(fork, operation, key), value, given):
                    told = f"{key} does not satisfy {predicate.parameter} {predicate.op}"
                    found.append(Violation("filters_hold", name, told, arguments))
                    break
    return found[:3]


def _own(operation: Operation, outcome: Outcome, key: Key) -> bool:
    """Return whether a row was found by the query itself; a join may show others of the same table."""
    keys = shown(operation, outcome)
    return keys is None or key in keys


def names_are_kept(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Results keep what the names of the arguments promise (``maxPrice``, ``inStockOnly``), whatever the spec says."""
    found = []
    for name, operation in operations(world, tools, *LISTS):
        tool, fork = tools[name], world.fork()
        arguments = draw(fork, tool, rng, optional=0.6)
        outcome = None if arguments is None else fork.call(name, arguments)
        if arguments is None or outcome is None or outcome.error is not None or not items(operation, outcome):
            continue
        found += [
            Violation("names_are_kept", name, told, arguments)
            for told in misfits(arguments, outcome.result, properties(tool))
        ]
    return found


def pages_concatenate(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Pages one after another are the whole; no page is longer than the limit; all say the same total, the whole's size."""
    found = []
    for name, operation in operations(world, tools, *LISTS):
        tool, fork = tools[name], world.fork()
        arguments = draw(fork, tool, rng, optional=0.2)
        page = operation.page
        if page is None or arguments is None:
            continue
        for path in (page.offset, page.page, page.cursor, page.limit):
            arguments = without(arguments, path)
        if not fits(arguments, tool.parameters):
            continue
        bare = fork.call(name, arguments)
        keys = shown(operation, bare) if bare.error is None else None
        documented = dig(with_defaults(tool, arguments), page.limit or "")
        most = documented if isinstance(documented, int) and not isinstance(documented, bool) else page.default
        if keys is not None and len(keys) > most:
            found.append(Violation("pages_concatenate", name, f"{len(keys)} rows without a limit of {most}", arguments))
        whole = everything(fork, operation, tool, arguments)
        size = limit_for(operation, tool, 2)
        if whole is None or size is None:
            continue
        walked = walk(fork, operation, tool, arguments, size)
        for outcome, part in walked.pages:
            if len(part) > size:
                found.append(Violation("pages_concatenate", name, f"{len(part)} rows at a limit of {size}", arguments))
            total = at(outcome.result, path) if (path := count_path(operation)) is not None else None
            if isinstance(total, int) and total != len(whole):
                found.append(Violation("pages_concatenate", name, f"total {total} of {len(whole)} rows", arguments))
        if walked.keys != (whole if walked.whole else whole[: len(walked.keys)]):
            told = f"pages show {len(walked.keys)} rows, in other order or number than the whole of {len(whole)}"
            found.append(Violation("pages_concatenate", name, told, arguments))
    return found


def sorts_permute(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """An order shows the same rows, ordered by its field, and the other direction turns them round."""
    found = []
    for name, operation in operations(world, tools, *LISTS):
        tool, fork, sort = tools[name], world.fork(), operation.sort
        plain = None if sort is None else draw(fork, tool, rng, optional=0.1)
        if sort is None or plain is None:
            continue
        for path in (sort.parameter, sort.direction):
            plain = without(plain, path)
        base = everything(fork, operation, tool, plain) if fits(plain, tool.parameters) else None
        for value, order in sort.orders.items():
            asked = plain if sort.parameter is None else given_with(plain, sort.parameter, value)
            ways: list[tuple[JsonObject, bool]] = [(asked, order.startswith("-"))]
            if sort.direction is not None:
                both = [(given_with(asked, sort.direction, way), way == "desc") for way in ("asc", "desc")]
                ways = [each for each in both if fits(each[0], tool.parameters)]
            for arguments, down in ways:
                keys = everything(fork, operation, tool, arguments) if fits(arguments, tool.parameters) else None
                if keys is None:
                    continue
                if base is not None and sorted(base) != sorted(keys):
                    found.append(Violation("sorts_permute", name, "shows other rows than without an order", arguments))
                held = [dig(_row(fork, operation, key), order.removeprefix("-")) for key in keys]
                there = [sort_key(each) for each in held if each is not None]
                if there != sorted(there, reverse=down):
                    told = f"{order.removeprefix('-')} does not {'fall' if down else 'rise'}"
                    found.append(Violation("sorts_permute", name, told, arguments))
    return found


def reads_agree(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """What one read shows of a row, every other read shows, and the row itself has: the same field, the same value."""
    found = []
    gets = list(operations(world, tools, OperationKind.GET))
    for name, operation in operations(world, tools, *LISTS):
        fork = world.fork()
        arguments = draw(fork, tools[name], rng, optional=0.1)
        outcome = None if arguments is None else fork.call(name, arguments)
        rows = main_rows(operation.result)
        keys = None if outcome is None or outcome.error is not None else shown(operation, outcome)
        if outcome is None or rows is None or not keys:
            continue
        index = rng.randrange(len(keys))
        row = _row(fork, operation, keys[index])
        item = {
            field: at(outcome.result, f"{rows[0]}[{index}]{'.' if path else ''}{path}")
            for path, field in leaves(rows[1].item).items()
        }
        found += [
            Violation("reads_agree", name, f"{field} is shown as {value!r}, the row has {dig(row, field)!r}", arguments)
            for field, value in item.items()
            if value != dig(row, field)
        ]
        for getter, other in gets:
            if other.table != operation.table or not other.key:
                continue
            asked = draw(fork, tools[getter], rng, optional=0.0)
            if asked is None or not names_one(fork, other, row):
                continue
            for field, path in other.key.items():
                asked = given_with(asked, path, dig(row, field))
            got = fork.call(getter, asked)
            if got.error is ErrorKind.INVALID_ARGUMENT or (got.error is not None and other.where):
                continue
            if got.error is not None:
                found.append(Violation("reads_agree", getter, f"{name} shows the row, and here: {got.error}", asked))
                continue
            for path, field in leaves(other.result).items():
                if field in item and at(got.result, path) != item[field]:
                    told = f"{field} is {at(got.result, path)!r}, and {item[field]!r} in {name}"
                    found.append(Violation("reads_agree", getter, told, asked))
    return found


def counts_agree(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Figures are those of the rows that they name: their number, and sum, mean, least and most of the field."""
    found = []
    for name, operation in operations(world, tools, *LISTS, OperationKind.AGGREGATE):
        fork = world.fork()
        arguments = draw(fork, tools[name], rng)
        outcome = None if arguments is None else fork.call(name, arguments)
        if arguments is None or outcome is None or outcome.error is not None:
            continue
        given = with_defaults(tools[name], arguments)
        for path, node in nodes(operation.result):
            if (
                node.node != "aggregate"
                or (origin := outcome.lineage.get(path)) is None
                or origin.table != operation.table
            ):
                continue
            if any(_fails(fork, operation, key, given) for key in origin.keys):
                found.append(Violation("counts_agree", name, f"{path} sums up a row that does not fit", arguments))
            rows = [_row(fork, operation, key) for key in origin.keys]
            if node.equals is not None and node.field is not None:
                rows = [row for row in rows if equal(dig(row, node.field), node.equals)]
            figures = [f for row in rows if node.field and (f := number(dig(row, node.field))) is not None]
            due: Any = {
                "count": len(rows),
                "sum": sum(figures),
                "mean": sum(figures) / len(figures) if figures else None,
                "min": min(figures, default=None),
                "max": max(figures, default=None),
            }[node.function]
            held = at(outcome.result, path)
            if (held is None) != (due is None) or (due is not None and abs(float(held) - due) > 0.0051):
                found.append(Violation("counts_agree", name, f"{path} is {held}, due is {due}", arguments))
    return found


def _fails(world: Subject, operation: Operation, key: Key, given: JsonObject) -> bool:
    row = _row(world, operation, key)
    asked = [(p, v) for p in operation.where if (v := dig(given, p.parameter)) is not None]
    return any(not holds(predicate, row, value, given) for predicate, value in asked)
