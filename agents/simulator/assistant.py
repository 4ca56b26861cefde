"""Assistant of the simulator: calls in parallel where possible, asks for what is missing, answers from the results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import Any

from wildtool.agents.drafting.utterances import Script
from wildtool.agents.simulator.answers import answer
from wildtool.agents.simulator.chat import chat_answer
from wildtool.agents.simulator.wording import say
from wildtool.grounding.chat import call_message
from wildtool.grounding.distance import planned_turns
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_paths import resolve
from wildtool.schemas.json_schema import fits, plain_type, properties
from wildtool.schemas.plan import PlannedArgument, SessionPlan
from wildtool.schemas.vocabulary import TaskType


def call_id(plan: SessionPlan, task: int, call: int) -> str:
    """Id of a planned call: its place among the actions of its task, as the history counts them too."""
    return f"call_{task}_{call + (plan.tasks[task].type is TaskType.CLARIFY)}"


def assistant_message(
    script: Script, task: int, messages: Sequence[JsonObject], attempt: int, rng: Random
) -> JsonObject:
    """Write the next assistant message of a task; ``messages`` as the endpoint got them."""
    plan, blueprint = script.plan, script.plan.tasks[task]
    results = {m["tool_call_id"]: _parsed(m["content"]) for m in messages if m["role"] == "tool"}
    opened = _openings(messages)[sum(planned_turns([each.type for each in plan.tasks])[:task])]
    if blueprint.type is TaskType.CHAT:
        return {"role": "assistant", "content": chat_answer(script, task, attempt)}
    spoken = [m for m in messages[opened + 1 :] if m["role"] == "assistant" and m.get("content")]
    if blueprint.missing and not spoken:
        names = script.utterances[task].slots
        word = say(plan.language, "both_nouns", rng, a=names[0], b=names[1]) if len(names) == 2 else names[0]
        return {"role": "assistant", "content": say(plan.language, "questions", rng, n=word)}
    ids = [call_id(plan, task, index) for index in range(len(blueprint.calls))]
    ready = [
        index
        for index, call in enumerate(blueprint.calls)
        if ids[index] not in results and all(ids[on] in results for on in call.depends_on)
    ]
    if ready:
        return call_message(
            [
                (ids[index], blueprint.calls[index].tool, planned_arguments(plan, task, index, results))
                for index in ready
            ]
        )
    return {"role": "assistant", "content": answer(plan, blueprint, [results[each] for each in ids], rng)}


def planned_arguments(plan: SessionPlan, task: int, call: int, results: dict[str, Any]) -> JsonObject:
    """Fill in the arguments of a planned call, observed values from the results by call id."""
    planned = plan.tasks[task].calls[call]
    tool = next(each for each in plan.tool_list.tools if each.name == planned.tool)
    found: JsonObject = {}
    for argument in planned.arguments:
        if argument.source == "default":
            continue
        value = argument.value
        if value is None:
            value = _observed(plan, task, argument, results)
            schema = properties(tool).get(argument.parameter, {})
            if not fits(value, schema) and plain_type(schema) == "string":
                value = str(value)
        found[argument.parameter] = value
    return found


def _observed(plan: SessionPlan, task: int, argument: PlannedArgument, results: dict[str, Any]) -> Any:
    where = task if argument.task is None else argument.task
    assert argument.action is not None and argument.path is not None
    try:
        return resolve(results[call_id(plan, where, argument.action)], argument.path)
    except LookupError:
        # The result lacks what the plan counts on; the checks will say so.
        return None


def _openings(messages: Sequence[JsonObject]) -> list[int]:
    return [index for index, message in enumerate(messages) if message["role"] == "user"]


def _parsed(content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError:
        return content
