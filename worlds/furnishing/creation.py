"""Say what a thing is like that has just been made: its times are now, its state the first one, its counts 0."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole
from wildtool.worlds.furnishing.data import joined, table
from wildtool.worlds.furnishing.facts import Scene
from wildtool.worlds.furnishing.moments import form_of, write
from wildtool.worlds.furnishing.numerals import number_rule
from wildtool.worlds.furnishing.plan import FieldPlan, TablePlan
from wildtool.worlds.furnishing.shapes import examples_of
from wildtool.worlds.rows import Row


@cache
def _made_now() -> re.Pattern[str]:
    return re.compile(table("relations")["made_now"])


def fresh_values(plan: TablePlan, scene: Scene, given: Row) -> Mapping[str, Any]:
    """Return what is certain of a row that a call creates beside the values that the call gives."""
    found: dict[str, Any] = {}
    for each in plan.fields:
        if each.name in given or each.unique or each.ref is not None:
            continue
        value = _fresh(each, scene)
        if value is not None and each.check(value):
            found[each.name] = value
    return found


def _fresh(each: FieldPlan, scene: Scene) -> Any:
    kind = plain_type(each.schema)
    held = joined(each.name)
    options = [option for option in each.schema.get("enum") or () if option is not None]
    if options and (each.role is FieldRole.STATE or held.rpartition("_")[2] in ("status", "state", "stage")):
        return _first_state(options, each)
    if options or kind in ("array", "object"):
        return None
    form = form_of(
        each.name,
        kind if kind in ("integer", "number") else "string",
        str(each.schema.get("format") or "") if kind == "string" else "",
        examples_of(each.schema),
        timed=each.role is FieldRole.TIME,
    )
    if form is not None:
        return write(scene.now.replace(microsecond=0), form) if _made_now().search(held) and form != "year" else None
    if kind in ("integer", "number") and each.role is FieldRole.FACT and "zero" in number_rule(each.name)[3]:
        return 0
    return None


def _first_state(options: list[Any], each: FieldPlan) -> Any:
    by_word = {str(option).lower().replace("-", "_").replace(" ", "_"): option for option in options}
    for word in table("relations")["first_states"]:
        if word in by_word:
            return by_word[word]
    # A state that nothing leads to is where things begin.
    later = {after for following in each.transitions.values() for after in following}
    return next((option for option in options if str(option) not in later), options[0])
