"""Grounding: where argument values come from, and whether anybody asked for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.grounding.evidence import Known, grounded, is_default, leaves, parameter_schema, supports
from wildtool.grounding.requested_options import asked_for
from wildtool.grounding.travel_direction import swapped
from wildtool.grounding.value_sources import parsed, same_value
from wildtool.schemas.json_paths import resolve
from wildtool.schemas.session import Call, Session, Task, ValueSource
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions


@task_rule("grounding", "every argument value follows from the dialogue, a result or the clock", reads_text=True)
def grounding(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Each argument value was said, observed, computed, a default, or is common knowledge."""
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        if turned := swapped("\n".join(known.own_words), call.arguments):
            yield found(index, f"{call.name} goes from {turned[0]} to {turned[1]}, but the user says the other way")
        for path, value in leaves(call.arguments):
            schema, _ = parameter_schema(known_functions.get(call.name, {}), path)
            # A switch has to be set one way or the other; whether anybody asked for it is the question of ``optional``.
            if not isinstance(value, bool) and not grounded(known, path, value, schema, call.trace):
                yield found(index, f"{call.name}.{path} is {str(value)[:60]!r}, found nowhere before")


@task_rule("optional", "no optional argument that nobody asked for", reads_text=True, aliases=("grounding",))
def optional(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """An optional argument is there only if somebody asked for it, and not to repeat its default."""
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            schema, required = parameter_schema(known_functions.get(call.name, {}), path)
            if required:
                continue
            traced = any(supports(known, source) for source in call.trace if source.argument == path)
            if is_default(value, schema):
                chosen = isinstance(value, bool) or "enum" in schema
                if not (traced or known.said(value) or (chosen and asked_for(known, call, path, value, schema))):
                    yield found(index, f"{call.name}.{path} only repeats its default")
            elif not asked_for(known, call, path, value, schema):
                yield found(index, f"{call.name}.{path} is optional, and nobody asked for {str(value)[:60]!r}")


@task_rule("traces", "what a trace names is there", reads_text=False, aliases=("grounding",))
def traces(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """Each source that a call's trace names exists: the argument, the quoted words, the place in the result.

    A doubt only: a corrected argument may have outrun its trace.
    """
    for index, call in calls_of(task):
        for source in call.trace:
            if not _leads(call.arguments, source.argument):
                reason = f"{call.name}: the trace speaks of {source.argument}, which is not an argument"
                yield found(index, reason, certainty=0.6)
            elif not _holds(session, number, index, call, source):
                reason = f"{call.name}.{source.argument}: its trace ({source.kind}) does not hold"
                yield found(index, reason, certainty=0.6, evidence=source.quote or source.path or "")


def _leads(arguments: Any, path: str) -> bool:
    try:
        resolve(arguments, path)
    except LookupError:
        return False
    return True


def _holds(session: Session, number: int, index: int, call: Call, source: ValueSource) -> bool:
    if source.kind != "observation":
        return source.quote is None or supports(Known(session, number, index), source)
    at = number if source.task is None else source.task
    if not 0 <= at <= number or source.action is None or source.path is None:
        return False
    actions = session.tasks[at].actions
    producer = actions[source.action] if 0 <= source.action < len(actions) else None
    if not isinstance(producer, Call):
        return False
    try:
        seen = resolve(parsed(producer.observation), source.path)
    except LookupError:
        return False
    return same_value(seen, resolve(call.arguments, source.argument))
