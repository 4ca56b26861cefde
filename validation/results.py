"""Results: each fits its schema and the call it answers, and one world is behind all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_sources import parsed
from wildtool.language.folding import as_said, normal
from wildtool.language.parameter_names import looks_like_id
from wildtool.language.result_filters import misfits
from wildtool.schemas.json_paths import objects
from wildtool.schemas.session import Session, Task
from wildtool.validation.rule import Finding, found, session_rule, task_rule
from wildtool.validation.schema import schema_errors
from wildtool.validation.session_parts import all_calls, call_key, calls_of, functions, is_error, is_fault, shorten

ECHO = 0.8
"""Certainty that a field of the result repeats the argument of its name: ``message`` may be another message."""

NAME = 4
"""Most words of a name or a code. What is longer is prose: the message that was sent, the message that it was."""


@task_rule(
    "observations", "results fit their schema and echo the arguments", reads_text=False, aliases=("observation",)
)
def observations(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """A result is valid under the tool's result schema; fields named like an argument repeat it. Faults are let be."""
    known = functions(session)
    for index, call in calls_of(task):
        returns = known.get(call.name, {}).get("x-returns")
        if call.observation is None and returns is not None:
            yield found(index, f"{call.name} has no observation", certainty=0.9)
        result = parsed(call.observation)
        if is_fault(result):
            continue
        if returns is not None and not isinstance(result, str):
            for reason in schema_errors(returns, result)[:3]:
                yield found(index, f"the result of {call.name} is not as its schema says: {reason}")
        for name, value in call.arguments.items() if isinstance(result, dict) else ():
            if name in result and not _agree(value, result[name]):
                reason = f"{call.name} was asked with {name} {value!r} and answers for {result[name]!r}"
                yield found(index, reason, certainty=ECHO)


@task_rule(
    "filters",
    "results respect the limits and filters they were asked with",
    reads_text=True,
    aliases=("observations", "observation"),
)
def filters(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """No result breaks a limit, bound or order of its call, as the parameters' names and descriptions tell them."""
    known = functions(session)
    for index, call in calls_of(task):
        result = parsed(call.observation)
        if is_fault(result):
            continue
        parameters = known.get(call.name, {}).get("parameters", {}).get("properties", {})
        for reason in misfits(call.arguments, result, parameters):
            yield found(index, f"{call.name} was {reason}")


def _agree(asked: Any, answered: Any) -> bool:
    if isinstance(asked, bool) or isinstance(answered, bool) or type(asked) is not type(answered):
        return True  # other types mean other things: a name asked, an object answered
    if isinstance(asked, str):
        if max(len(asked.split()), len(answered.split())) > NAME:
            return True
        left, right = normal(asked), normal(answered)
        return left in right or right in left
    return bool(asked == answered) if isinstance(asked, int | float) else True


_NAMES = ("name", "title", "label")
"""Fields that do not change while one talks about a thing; prices and states may."""


@session_rule(
    "consistency", "results agree with one another", reads_text=False, only_doubts=True, aliases=("observation",)
)
def consistency(session: Session) -> Iterator[Finding]:
    """One identifier has one name, and one question one answer. Doubts only: the world may have changed in between."""
    names: dict[tuple[str, str, str], tuple[str, int]] = {}
    answers: dict[str, list[tuple[int, Any]]] = defaultdict(list)
    for number, index, call in all_calls(session):
        result = parsed(call.observation)
        if is_error(result):
            continue
        key = call_key(call)
        if any(old != result for _, old in answers[key]):
            reason = f"{call.name} answered the same question otherwise in task {answers[key][0][0]}"
            yield found(index, reason, task=number, certainty=0.6)
        answers[key].append((number, result))
        for thing in objects(result):
            ids = [(name, held) for name, held in thing.items() if looks_like_id(name) and isinstance(held, str)]
            # With several identifiers nobody knows which one the name belongs to.
            if len(ids) != 1 or len(ids[0][1]) < 3:
                continue
            for field in _NAMES:
                if not isinstance(thing.get(field), str):
                    continue
                old, at = names.setdefault((*ids[0], field), (thing[field], number))
                if as_said(old) != as_said(thing[field]):
                    reason = f"{ids[0][1]} is called {shorten(thing[field])}, but {shorten(old)} in task {at}"
                    yield found(index, reason, task=number, certainty=0.7)
