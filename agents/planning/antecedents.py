"""Refuse plans in which a reference skips something nearer that it could mean as well.

A message that points back ("the last one", "that city", 那个出发地) means the nearest thing of its kind. What was shown of
one kind is told by the world: rows of one table. What was said of one kind is told by parameter and noun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wildtool.agents.planning.rehearsal import Rehearsal
from wildtool.grounding.planned_arguments import Place
from wildtool.language.parameter_nouns import noun
from wildtool.language.result_filters import split
from wildtool.language.tool_phrasings import PLACE
from wildtool.schemas.plan import Blueprint, PlannedArgument
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Language
from wildtool.worlds.lineage import origin_of
from wildtool.worlds.values import equal


def nearer_rivals(
    tasks: Sequence[Blueprint], tools: Sequence[Tool], language: Language, rehearsal: Rehearsal
) -> list[tuple[int, str]]:
    """Return task and parameter of every reference that has a rival between what it means and where it stands."""
    named = {tool.name: tool for tool in tools}
    found = []
    for number, task in enumerate(tasks):
        for call in task.calls:
            for argument in call.arguments:
                if argument.task is None or argument.task >= number or argument.source not in ("earlier", "missing"):
                    continue
                if argument.path is not None and argument.action is not None:
                    rival = _shown_between(argument, number, tasks, rehearsal)
                else:
                    rival = _said_between(argument, call.tool, number, tasks, named, language)
                if rival:
                    found.append((number, argument.parameter))
        for argument in task.mentions:
            if argument.task is not None and argument.task < number and argument.path is None:
                first = next(
                    (c.tool for c in tasks[argument.task].calls if any(_same(a, argument) for a in c.arguments)), None
                )
                if _said_between(argument, first, number, tasks, named, language):
                    found.append((number, argument.parameter))
    return found


def _same(one: PlannedArgument, other: PlannedArgument) -> bool:
    return one.parameter == other.parameter and equal(one.value, other.value)


def _shown_between(argument: PlannedArgument, number: int, tasks: Sequence[Blueprint], rehearsal: Rehearsal) -> bool:
    """Return whether a later result, before the message, shows rows of the table that the reference points into."""
    assert argument.task is not None and argument.action is not None and argument.path is not None
    place = (argument.task, argument.action)
    shown = rehearsal.outcomes.get(place)
    origin = None if shown is None else origin_of(shown.lineage, argument.path)
    if origin is None:
        return False
    return any(
        where > place and where[0] < number and _shows(rehearsal, where, origin.table) for where in _places(tasks)
    )


def _shows(rehearsal: Rehearsal, place: Place, table: str) -> bool:
    outcome = rehearsal.outcomes.get(place)
    return outcome is not None and any(name == table for name, _ in outcome.read)


def _places(tasks: Sequence[Blueprint]) -> list[Place]:
    return [(number, index) for number, task in enumerate(tasks) for index in range(len(task.calls))]


def _said_between(
    argument: PlannedArgument,
    tool: str | None,
    number: int,
    tasks: Sequence[Blueprint],
    tools: Mapping[str, Tool],
    language: Language,
) -> bool:
    """Return whether another value of the same kind was said since."""
    assert argument.task is not None
    name = argument.parameter
    called = noun(tools[tool], name, language) if tool is not None else None
    place = PLACE.search(name) is not None
    for task in range(argument.task, number):
        for call in tasks[task].calls:
            for other in call.arguments:
                if other.value is None or equal(other.value, argument.value) or other.source == "default":
                    continue
                alike = other.parameter == name or (place and PLACE.search(other.parameter) is not None)
                alike = alike or split(other.parameter)[-1:] == split(name)[-1:]
                if alike or noun(tools[call.tool], other.parameter, language) == called:
                    return True
        for other in tasks[task].mentions:
            if other.parameter == name and other.value is not None and not equal(other.value, argument.value):
                return True
    return False
