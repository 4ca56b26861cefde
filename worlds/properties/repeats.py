"""Properties of calls made twice: defaults said or left out, the same call again, another order, another window."""

from __future__ import annotations

from random import Random

from wildtool.schemas.world import OperationKind, ParameterRole
from wildtool.worlds.properties.drawing import draw
from wildtool.worlds.properties.subject import (
    Subject,
    Tools,
    Violation,
    at,
    documented_defaults,
    given_with,
    items,
    leaves,
    main_rows,
    operations,
    same_bytes,
    state,
    without,
)
from wildtool.worlds.values import dig


def defaults_hold(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Leaving out an optional parameter gives what its documented default gives, byte for byte."""
    found = []
    for name, operation in operations(world, tools):
        tool, fork = tools[name], world.fork()
        needed = tool.parameters.get("required", ())
        for parameter, value in documented_defaults(tool).items():
            use = operation.parameters.get(parameter)
            arguments = draw(fork, tool, rng, optional=0.2, leave=frozenset({parameter}))
            if parameter in needed or arguments is None or (use is not None and use.role is ParameterRole.UNSUPPORTED):
                continue
            told = fork.fork().call(name, given_with(arguments, parameter, value))
            if not same_bytes(fork.fork().call(name, arguments), told):
                found.append(Violation("defaults_hold", name, f"{parameter} {value!r} is documented", arguments))
    return found


def reads_change_nothing(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Reads leave all rows as they are; the same call shows the same bytes again, in any order among other reads."""
    found = []
    calls = []
    fork = world.fork()
    for name, operation in operations(world, tools):
        if not operation.op.writes:
            calls += [(name, each) for _ in range(2) if (each := draw(fork, tools[name], rng)) is not None]
    one, other = world.fork(), world.fork()
    before, length = state(one), len(one.rows.journal)
    first = [one.call(*call) for call in calls]
    if state(one) != before or len(one.rows.journal) != length or any(each.changes for each in first):
        changed = next((c[0] for c, o in zip(calls, first, strict=True) if o.changes), "all reads")
        found.append(Violation("reads_change_nothing", changed, "rows differ after reads"))
    order = list(range(len(calls)))
    rng.shuffle(order)
    shuffled = {index: other.call(*calls[index]) for index in order}
    for index, (name, arguments) in enumerate(calls):
        if not same_bytes(one.call(name, arguments), first[index]):
            found.append(Violation("reads_change_nothing", name, "shows other bytes the second time", arguments))
        if not same_bytes(shuffled[index], first[index]):
            found.append(Violation("reads_change_nothing", name, "depends on the reads before it", arguments))
    return found


def series_windows_agree(world: Subject, tools: Tools, rng: Random) -> list[Violation]:
    """Two windows of one series hold the same values at the points that they share."""
    found = []
    for name, operation in operations(world, tools, OperationKind.SERIES):
        tool, fork, window = tools[name], world.fork(), operation.window
        rows = main_rows(operation.result)
        arguments = draw(fork, tool, rng, optional=0.2)
        if arguments is None or window is None or rows is None:
            continue
        place = next((path for path, field in leaves(rows[1].item).items() if field == window.point), None)
        again = draw(fork, tool, rng, optional=0.6)
        if place is None or again is None:
            continue
        same = dict(arguments)
        for path in (window.start, window.end, window.at, window.count):
            same = without(same, path)
            if path is not None and (value := dig(again, path)) is not None:
                same = given_with(same, path, value)
        one, other = fork.call(name, arguments), fork.call(name, same)
        if one.error is not None or other.error is not None:
            continue
        held = {str(at(each, place)): each for each in items(operation, one)}
        for each in items(operation, other):
            point = str(at(each, place))
            if point in held and held[point] != each:
                found.append(Violation("series_windows_agree", name, f"other values at {point}", same))
                break
    return found
