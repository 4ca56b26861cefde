"""Grounding: where argument values come from, and whether anybody asked for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.evidence import Known, ancestors, grounded, leaves, parameter_schema, supports
from wildtool.grounding.requested_options import asked_for
from wildtool.grounding.travel_direction import swapped
from wildtool.grounding.value_sources import parsed, same_value, trace_value
from wildtool.language.api_codes import names_of
from wildtool.language.prose_defaults import is_default
from wildtool.schemas.json_paths import resolve
from wildtool.schemas.session import Call, Session, Task, ValueSource
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions, setting_of


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
            if isinstance(value, bool) or (
                grounded(known, path, value, schema, call.trace)
                and not _foreign_code(session, number, index, path, value)
            ):
                continue
            yield found(index, f"{call.name}.{path} is {str(value)[:60]!r}, found nowhere before")


def _foreign_code(session: Session, number: int, index: int, path: str, value: Any) -> bool:
    """The code of a country or currency that nobody speaks of, where another one of its kind is spoken of.

    Common knowledge leads from Lyon to FR, and from "pounds" to GBP, but from neither to another code.
    """
    if not isinstance(value, str) or not _CODE.fullmatch(value) or not names_of(value):
        return False
    named = _codes_named("\n".join(Known(session, number, index).own_words))
    if not any(_is_country(code) is _is_country(value) for code in named - {value}):
        return False
    before = ancestors(session.tasks[number], index)
    source = trace_value(value, path, session.tasks, number, index, setting_of(session), producers=before)
    return source.kind == "unknown"


_CODE = re.compile(r"[A-Z]{2,3}")


def _codes_named(text: str) -> set[str]:
    """Codes of the countries and currencies that a text names."""
    words = {form for word in re.findall(r"[A-Za-z]{3,}", text) for form in (word, word.removesuffix("s"))}
    runs = re.findall(r"[\u3400-\u9fff]{2,}", text)
    words |= {run[at : at + size] for run in runs for size in (2, 3, 4) for at in range(len(run) - size + 1)}
    return {code for word in words for code in names_of(word) if _CODE.fullmatch(code)}


def _is_country(code: str) -> bool:
    """Countries have a code of two letters, too; currencies have only one of three."""
    return len(code) == 2 or any(len(each) == 2 and each.isupper() for each in names_of(code))


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


@task_rule("traces", "what a trace names is there", reads_text=False, only_doubts=True, aliases=("grounding",))
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
    if (at, source.action) == (number, index):
        return False  # nothing comes from a call's own result
    actions = session.tasks[at].actions
    producer = actions[source.action] if 0 <= source.action < len(actions) else None
    if not isinstance(producer, Call):
        return False
    try:
        seen = resolve(parsed(producer.observation), source.path)
    except LookupError:
        return False
    return same_value(seen, resolve(call.arguments, source.argument))
