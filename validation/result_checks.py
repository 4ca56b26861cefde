"""Checks on results: none fetched twice or for nothing, each fit for its schema, and one world behind all of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_mentions import fold
from wildtool.grounding.value_sources import parsed, same_value
from wildtool.language.parameter_names import looks_like_id
from wildtool.language.result_filters import misfits
from wildtool.schemas.base import canonical_json
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.json_paths import leaves, objects
from wildtool.schemas.json_schema import first_misfit, properties
from wildtool.schemas.session import Answer, Call
from wildtool.validation.verdicts import calls, calls_in, doubt, is_error, shorten, tools_of


def redundant(draft: Draft) -> Iterator[Verdict]:
    """No call is made twice, and none that neither the plan nor any later step asks for."""
    seen: dict[str, int] = {}
    for number, index, call in calls(draft):
        key = canonical_json([call.name, call.arguments])
        first = seen.get(key)
        seen.setdefault(key, number)
        if first is not None:
            where = "in this task" if first == number else f"in task {first}"
            # What can change between tasks (a price, an order's state) may be asked again.
            confidence = 0.95 if first == number else 0.7
            reason = f"{call.name} was called with the same arguments {where} already"
            yield doubt("redundant", reason, task=number, action=index, confidence=confidence, evidence=call.arguments)
    for number, (task, blueprint) in enumerate(zip(draft.session.tasks, draft.plan.tasks, strict=False)):
        planned = {call.tool for call in blueprint.calls}
        used = {on for _, call in calls_in(task.actions) for on in call.depends_on}
        answer = "".join(action.text for action in task.actions if isinstance(action, Answer))
        for index, call in calls_in(task.actions):
            if call.name not in planned and index not in used and not told(call.observation, answer):
                reason = f"nobody asked for the result of {call.name}, and nothing uses it"
                yield doubt("redundant", reason, task=number, action=index, confidence=0.6)


def told(observation: Any, answer: str) -> bool:
    """Whether an answer tells anything of an observation."""
    # The numbers by which an answer counts its lines are no results.
    text = fold(re.sub(r"(?m)^[^\S\n]*+\d++[.)、]\s", "", answer))
    return any(_stands(value, text) for _, value in leaves(parsed(observation)) if not isinstance(value, bool))


def _stands(value: Any, text: str) -> bool:
    words = fold(str(value))
    if isinstance(value, int | float):
        # A digit within another number or a code is another thing.
        return re.search(rf"(?<![a-z0-9.]){re.escape(words)}(?![a-z0-9]|\.\d)", text) is not None
    return value is not None and len(words) > 1 and words in text


def observation(draft: Draft) -> Iterator[Verdict]:
    """Observations fit the result's schema, echo the arguments, and agree with one another."""
    tools = tools_of(draft)
    for number, index, call in calls(draft):
        result = parsed(call.observation)
        if result is None:
            yield doubt("observation", f"{call.name} has no observation", task=number, action=index, confidence=0.9)
            continue
        if is_error(result):
            continue
        tool = tools.get(call.name)
        misfit = first_misfit(result, tool.returns) if tool is not None and tool.returns is not None else None
        if misfit and not misfit.startswith("the schema cannot be applied"):
            # An empty result may break a schema that thinks of full ones alone.
            confidence = 0.5 if _fault(draft, number, call) == "empty" else 0.9
            reason = f"{call.name} answers what its schema does not allow: {misfit}"
            yield doubt("observation", reason, task=number, action=index, confidence=confidence)
        for name, given in call.arguments.items() if isinstance(result, dict) else ():
            if name in result and not _echoes(given, result[name]):
                reason = f"{call.name} was asked for {name} {shorten(given)}, and answers with {shorten(result[name])}"
                yield doubt("observation", reason, task=number, action=index, confidence=0.8)
        for misfit_line in misfits(call.arguments, result, properties(tool) if tool is not None else None):
            reason = f"{call.name} was {misfit_line}"
            yield doubt("observation", reason, task=number, action=index, confidence=0.85)
    yield from _contradictions(draft)


def _fault(draft: Draft, task: int, call: Call) -> str:
    if task >= len(draft.plan.tasks):
        return "none"
    return next((p.fault for p in draft.plan.tasks[task].calls if p.tool == call.name and p.fault != "none"), "none")


def _echoes(given: Any, held: Any) -> bool:
    """Whether a field of the result repeats an argument; only scalars of one kind are compared."""
    if any(isinstance(each, dict | list) or each is None for each in (given, held)):
        return True
    if isinstance(given, str) != isinstance(held, str):
        return True
    if isinstance(given, str):
        one, other = fold(given), fold(held)
        # "maya" may find Maya Lindqvist, and a day a moment of it.
        return one in other or other in one or (one[:10] == other[:10] and len(one) >= 10)
    return same_value(given, held)


_NAMES = ("name", "title", "label")
"""Fields that do not change while one talks about a thing; prices and states may."""


def _contradictions(draft: Draft) -> Iterator[Verdict]:
    """One identifier, one name; one question, one answer."""
    known: dict[tuple[str, str, str], tuple[str, int]] = {}
    answers: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    for number, index, call in calls(draft):
        result = parsed(call.observation)
        if is_error(result):
            continue
        key = canonical_json([call.name, call.arguments])
        if any(old != result for _, old in answers[key]):
            reason = f"{call.name} answered the same question otherwise in task {answers[key][0][0]}"
            yield doubt("observation", reason, task=number, action=index, confidence=0.6)
        answers[key].append((number, result))
        for thing in objects(result):
            ids = [(name, held) for name, held in thing.items() if looks_like_id(name) and isinstance(held, str)]
            # With several identifiers nobody knows which one the name belongs to.
            if len(ids) != 1 or len(ids[0][1]) < 3:
                continue
            for field in _NAMES:
                if not isinstance(thing.get(field), str):
                    continue
                old, at = known.setdefault((*ids[0], field), (thing[field], number))
                if fold(old) != fold(thing[field]):
                    reason = f"{ids[0][1]} is called {shorten(thing[field])}, but {shorten(old)} in task {at}"
                    yield doubt("observation", reason, task=number, action=index, confidence=0.7)
