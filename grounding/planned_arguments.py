"""The arguments that a plan means for a call, once the results that it takes values from are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import resolve
from wildtool.schemas.plan import PlannedArgument, PlannedCall

Place = tuple[int, int]
"""Task and call."""


def place_of(argument: PlannedArgument, task: int) -> Place:
    """Return the call whose result holds an argument. The argument must have a path."""
    assert argument.action is not None
    return (task if argument.task is None else argument.task, argument.action)


def resolved(call: PlannedCall, task: int, results: Mapping[Place, Any]) -> JsonObject | None:
    """Return a planned call's arguments in full; None where a result does not hold what the plan takes from it."""
    given: JsonObject = {}
    for argument in call.arguments:
        value = argument.value
        if argument.path is not None and argument.action is not None:
            try:
                value = resolve(results[place_of(argument, task)], argument.path)
            except LookupError:
                return None
        if value is None:
            return None
        given[argument.parameter] = value
    return given
