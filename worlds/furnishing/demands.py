"""Let the rows of a table meet the demands of a plan: change some, add some, leave one that nearly fits, or leave none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.session_world import Demand
from wildtool.schemas.world import FieldRole
from wildtool.worlds.furnishing.adjusting import change
from wildtool.worlds.furnishing.conditions import has, meets
from wildtool.worlds.furnishing.facts import Scene
from wildtool.worlds.furnishing.moments import written_like
from wildtool.worlds.furnishing.plan import TablePlan
from wildtool.worlds.rows import Row
from wildtool.worlds.values import dig, number, put, span

NewRow = Callable[[JsonObject, int], Row]
"""Makes a further row with given values, by its number among them."""


def satisfied(
    rows: list[Row],
    demand: Demand,
    plan: TablePlan,
    scene: Scene,
    claimed: set[int],
    rng: Random,
    more: NewRow,
    *,
    kept: Mapping[str, Any],
) -> list[Row]:
    """Return rows of which at least as many as demanded meet it, and one that nearly does.

    ``claimed`` holds ids of rows that earlier demands rest on; ``kept`` values are what brought the rows into being.
    """
    if demand.empty:
        return [row for row in rows if not meets(row, demand)]
    table = plan.spec
    named = [
        name
        for name in demand.given
        if (name,) == table.key or table.fields[name.split(".")[0]].role is FieldRole.LABEL
    ]
    there = [row for row in rows if meets(row, demand)]
    for row in there[: max(demand.least, 1)]:
        claimed.add(id(row))
    lacking = demand.least - len(there)
    made = list(rows)
    if lacking > 0 and named:  # one certain thing: it is changed if it is there, else it comes into being
        one = next((row for row in made if all(has(dig(row, n), demand.given[n]) for n in named)), {})
        if not one:
            one = more({name: demand.given[name] for name in named}, 0)
            made.append(one)
        change(one, demand, plan, scene, rng)
        claimed.add(id(one))
        return made
    free = [row for row in made if id(row) not in claimed and not meets(row, demand)]
    rng.shuffle(free)
    for place in range(max(lacking, 0)):
        if len(free) > len(made) // 3:
            row = free.pop()
        else:
            row = more(_whole_values(demand, plan), place)
            made.append(row)
        change(row, demand, plan, scene, rng)
        claimed.add(id(row))
    if not named and demand.least:
        _beside(made, demand, plan, scene, claimed, rng, more, kept)
    return made


def _whole_values(demand: Demand, plan: TablePlan) -> JsonObject:
    """Return what a new row can be given from the start, so that the rest of it agrees."""
    return {name: value for name, value in demand.given.items() if name in plan.spec.fields}


def _beside(
    rows: list[Row],
    demand: Demand,
    plan: TablePlan,
    scene: Scene,
    claimed: set[int],
    rng: Random,
    more: NewRow,
    kept: Mapping[str, Any],
) -> None:
    """Leave a row that meets the demand but for one condition: who ignores that condition must see a difference."""
    conditions = [
        (part, name)
        for part, names in (("given", demand.given), ("among", demand.among), ("within", demand.within))
        for name in names
        if name not in kept and not _opens(plan, name)
    ]
    if not conditions:
        return
    for part, name in conditions:
        rest = demand.model_copy(
            update={part: {other: value for other, value in getattr(demand, part).items() if other != name}}
        )
        if any(meets(row, rest) and not meets(row, demand) for row in rows):
            return
    part, name = rng.choice(conditions)
    free = [row for row in rows if id(row) not in claimed and not meets(row, demand)]
    row = rng.choice(free) if free else more({}, 500)
    other = _violating(row, part, name, demand, plan, rng)
    if other is None:
        return
    rest = demand.model_copy(update={part: {n: v for n, v in getattr(demand, part).items() if n != name}})
    before = dict(row)
    change(row, rest, plan, scene, rng)
    put(row, name, other)
    if meets(row, demand):
        row.clear()
        row.update(before)
    elif not free:
        rows.append(row)


def _opens(plan: TablePlan, name: str) -> bool:
    return name in plan.spec.open or name in plan.spec.key


def _violating(row: Row, part: str, name: str, demand: Demand, plan: TablePlan, rng: Random) -> Any:
    """Return a value that only this condition does not allow; None where none is found."""
    each = plan.field(name.split(".")[0])
    if each is None or "." in name or each.ref is not None:
        return None
    held = row.get(name)
    alone = Demand(table=demand.table, **{part: {name: getattr(demand, part)[name]}})
    if held is not None and not meets({name: held}, alone):
        return held
    options: list[Any] = [option for option in each.schema.get("enum") or () if option is not None]
    if isinstance(held, bool):
        options = [not held]
    if part == "within":
        options += _outside(held, *demand.within[name])
    rng.shuffle(options)
    for option in options:
        value = [option] if each.listed and not isinstance(option, list) else option
        if each.check(value) and not meets({name: value}, alone):
            return value
    return None


def _outside(held: Any, low: Any, high: Any) -> list[Any]:
    """Return values of the held one's kind beside two ends."""
    one, other = number(low), number(high)
    if isinstance(held, int | float) and not isinstance(held, bool):
        beside = [each for each in (one * 0.8 if one else None, other * 1.25 if other else None) if each is not None]
        return [int(each) if isinstance(held, int) else round(each, 2) for each in beside]
    first, last = span(low), span(high)
    found = []
    if first is not None:
        found.append(written_like(first[0] - timedelta(days=2), held))
    if last is not None:
        found.append(written_like(last[1] + timedelta(days=2), held))
    return found
