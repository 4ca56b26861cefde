"""Plan how users answer questions back: fully, partly or in doubt, in the profile's shares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from random import Random

from wildtool.agents.planning.quotas import apportion
from wildtool.language.day_phrases import day_of_month, today
from wildtool.schemas.plan import Blueprint, PlannedArgument, Profile, SessionPlan
from wildtool.schemas.vocabulary import ReplyManner, TaskType

_FARTHEST = 27
"""Days ahead up to which "the 14th" can only be one day: the shortest month has 28."""


def missing_arguments(blueprint: Blueprint) -> list[PlannedArgument]:
    """Return the arguments that a clarify task asks for, in the order of its slots."""
    arguments = {a.parameter: a for call in blueprint.calls[:1] for a in call.arguments if a.source == "missing"}
    return [arguments[name] for name in blueprint.missing if name in arguments]


def same_as_before(argument: PlannedArgument) -> bool:
    """Return whether the reply leaves a missing argument to the dialogue ("as before")."""
    return argument.source == "missing" and argument.value is not None and argument.task is not None


def with_manners(plans: Sequence[SessionPlan], profile: Profile, rng: Random) -> list[SessionPlan]:
    """Give each reply a manner, in the profile's shares as far as tasks can be answered partly."""
    places = [
        (number, task)
        for number, plan in enumerate(plans)
        for task, blueprint in enumerate(plan.tasks)
        if blueprint.type is TaskType.CLARIFY
    ]
    wanted = apportion(profile.replies, len(places))
    rng.shuffle(places)
    left = [each for each in places if not _is_partial(plans[each[0]].tasks[each[1]])]
    manners = dict.fromkeys((each for each in places if each not in left), ReplyManner.PARTLY)
    for place in left:
        # A day without its month is the other way to say less than was asked.
        if len(manners) < wanted.get(ReplyManner.PARTLY, 0) and _bare_day(plans[place[0]], place[1]) is not None:
            manners[place] = ReplyManner.PARTLY
    vague = [place for place in left if place not in manners][: wanted.get(ReplyManner.VAGUE, 0)]
    manners.update(dict.fromkeys(vague, ReplyManner.VAGUE))
    tasks: dict[int, dict[int, ReplyManner]] = {}
    for number, task in places:
        tasks.setdefault(number, {})[task] = manners.get((number, task), ReplyManner.FULL)
    return [_answered(plan, tasks.get(number, {})) for number, plan in enumerate(plans)]


def like(plan: SessionPlan, old: SessionPlan) -> SessionPlan:
    """Give a replacement plan the reply manners of the plan it replaces, as far as its tasks allow them."""
    manners: dict[int, ReplyManner] = {}
    for task, (blueprint, before) in enumerate(zip(plan.tasks, old.tasks, strict=True)):
        if blueprint.type is not TaskType.CLARIFY:
            continue
        if _is_partial(blueprint):
            manners[task] = ReplyManner.PARTLY
        elif before.reply is ReplyManner.PARTLY and _bare_day(plan, task) is None:
            manners[task] = ReplyManner.FULL
        else:
            manners[task] = before.reply or ReplyManner.FULL
    return _answered(plan, manners)


def _is_partial(blueprint: Blueprint) -> bool:
    return any(same_as_before(argument) for argument in missing_arguments(blueprint))


def _answered(plan: SessionPlan, manners: dict[int, ReplyManner]) -> SessionPlan:
    if not manners:
        return plan
    tasks = list(plan.tasks)
    for number, manner in manners.items():
        task = tasks[number].model_copy(update={"reply": manner})
        if manner is ReplyManner.PARTLY and not _is_partial(task):
            words = _bare_day(plan, number)
            call = task.calls[0]
            arguments = tuple(
                a.model_copy(update={"words": words}) if a.parameter == task.missing[0] else a for a in call.arguments
            )
            task = task.model_copy(
                update={"calls": (call.model_copy(update={"arguments": arguments}), *task.calls[1:])}
            )
        tasks[number] = task
    fields = {name: getattr(plan, name) for name in SessionPlan.model_fields if name != "id"}
    return SessionPlan.of(**{**fields, "tasks": tuple(tasks)})


def _bare_day(plan: SessionPlan, task: int) -> str | None:
    """Word the one missing value as a day without its month, where the clock tells which is meant: the 14th, 14号."""
    missing = missing_arguments(plan.tasks[task])
    value = missing[0].value if len(missing) == 1 else None
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", value):
        return None
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return None
    if not 2 <= (day - today(plan.now)).days <= _FARTHEST:
        return None
    return day_of_month(day.day, plan.language)
