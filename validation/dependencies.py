"""Dependencies: a value that flows from one action to another is an edge, and an edge carries a value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from wildtool.grounding.evidence import (
    Known,
    ancestors,
    grounded,
    is_number,
    leaves,
    parameter_schema,
    task_words,
)
from wildtool.grounding.requested_options import known_code
from wildtool.language.dates.spoken import when_said
from wildtool.language.dates.spoken_times import times_said
from wildtool.language.dates.values import clock_value, days_of_value
from wildtool.language.folding import normal, tokens, weight
from wildtool.language.prose_defaults import is_default
from wildtool.language.spoken_numbers import numbers_said
from wildtool.schemas.session import Ask, Call, Session, Task
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions

ID_NAME = frozenset(
    "id ids code key ref reference no uuid slug token handle sku isbn ticker symbol iata href uri url cursor".split()
)
"""Words of a parameter's name that say that it takes what a result gave, however short."""
CONDITION = re.compile(
    r"\bif\b|\bunless\b|\botherwise\b|\bin (?:that )?case\b|\bshould (?:the|it|they|that|there)\b|\bdepending\b|\bprovided\b|\bonly when\b|如果|要是|假如|否则|万一|的话|视情况|除非"
)
"""A call may wait for another without taking a value from it: "if it rains, book the museum"."""
WRITES = re.compile(
    r"^(?:create|add|book|cancel|delete|update|send|set|remove|reserve|order|pay|post|put|place|submit|start|stop|open|close|"
    r"register|log_?in|login|authenticate|enable|disable|turn|move|transfer|clear|reset)",
    re.IGNORECASE,
)
"""Tools that change something: what comes after them may depend on the change."""


@task_rule(
    "edges",
    "every value that flows is an edge, and every edge carries a value",
    reads_text=True,
    aliases=("dependencies", "parallel"),
)
def edges(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """A call waits for the results and replies it takes values from, and for no others.

    Whether a value had been said decides where it came from, so the rule reads text.
    """
    calls = dict(calls_of(task))
    known_functions = functions(session)
    for index, call in calls.items():
        known = Known(session, number, index)
        before = ancestors(task, index)
        for path, value in leaves(call.arguments):
            schema, _ = parameter_schema(known_functions.get(call.name, {}), path)
            producers = [
                other
                for other, producer in calls.items()
                if other != index
                and index not in ancestors(task, other)
                and not _holds(producer.arguments, value)
                and _holds(producer.observation, value)
            ]
            if producers and not before.intersection(producers) and _only_observed(known, path, value, schema):
                yield found(index, f"{call.name}.{path} comes from action {producers[0]}, but no edge says so")
            for ask in _replies_with(task, known, index, value):
                if ask not in before:
                    yield found(index, f"{call.name}.{path} comes from the reply to action {ask}, but no edge says so")
        for on in call.depends_on:
            if (
                on in calls
                and call.arguments
                and not _justified(known, call, on, calls[on], known_functions.get(call.name, {}))
            ):
                yield found(index, f"waits for action {on}, but takes nothing from it", certainty=0.6)


def _only_observed(known: Known, path: str, value: Any, schema: Any) -> bool:
    """The value is telling enough to be traced, and neither words nor earlier tasks hold it."""
    text = str(value)
    if isinstance(value, bool) or value is None or "enum" in schema or is_default(value, schema):
        return False
    if (clock := clock_value(value)) is not None and not clock.dated:
        spoken = times_said(known.texts, known.session.language, known.session.now)
        if spoken.unclear or spoken.allows(clock.minute):
            return False
    days = days_of_value(value)
    if days is not None:
        said = when_said(known.texts, known.session.language, known.session.now)
        return not said.unclear and not any(
            said.allows(day) or day.isoformat() == known.session.now[:10] for day in days
        )
    telling = (
        weight(text) >= 4
        or (len(text) >= 3 and any(char.isdigit() for char in text))
        or bool(ID_NAME & set(tokens(path)))
    )
    if not telling or normal(text) in {normal(str(seen)) for seen in known.earlier_values}:
        return False
    if is_number(value):
        return float(value) not in known.spoken_numbers
    return not known.said(value) if weight(text) >= 4 else not set(tokens(text)) <= set(tokens(known.texts))


def _holds(content: Any, value: Any) -> bool:
    """A result holds the value, or is a text that names it."""
    wanted = normal(str(value))
    if not wanted or isinstance(value, bool):
        return False
    found = [normal(str(one)) for _, one in leaves(content)]
    return wanted in found or (weight(wanted) >= 5 and not is_number(value) and any(wanted in one for one in found))


def _replies_with(task: Task, known: Known, index: int, value: Any) -> Iterator[int]:
    """Asks of the task whose reply says the value while nothing else does."""
    if isinstance(value, bool) or value is None or (not is_number(value) and weight(str(value)) < 3):
        return
    asks = {at: action.reply for at, action in enumerate(task.actions) if isinstance(action, Ask)}
    for at, reply in asks.items():
        earlier = [text for one in known.session.tasks[: known.number] for text in task_words(one)]
        others = "\n".join([*earlier, task.user, *(text for other, text in asks.items() if other != at)])
        if is_number(value):
            only = float(value) in numbers_said(reply) and float(value) not in numbers_said(others)
        else:
            only = normal(str(value)) in normal(reply) and normal(str(value)) not in normal(others)
        if only and not known.observed(value):
            yield at


def _justified(known: Known, call: Call, on: int, producer: Call, function: Any) -> bool:
    """The call takes a value from the producer, or one whose source nobody can name, or waits for what it changes."""
    if any(one.kind == "observation" and one.action == on and one.task in (None, known.number) for one in call.trace):
        return True
    words = "\n".join(known.own_words)
    if CONDITION.search(words.casefold()) or WRITES.search(producer.name):
        return True
    earlier = {normal(str(seen)) for seen in known.earlier_values}
    results = [normal(str(found)) for _, found in leaves(producer.observation)]
    said = when_said(known.texts, known.session.language, known.session.now)
    for path, value in leaves(call.arguments):
        plain = normal(str(value))
        schema, _ = parameter_schema(function, path)
        if (
            plain
            and not _holds(producer.arguments, value)
            and not known.user_said(value)
            and _holds(producer.observation, value)
        ):
            return True
        if isinstance(value, bool) or value is None or "enum" in schema or is_default(value, schema):
            continue
        days = days_of_value(value)
        if days is not None:
            if (
                not any(said.allows(day) or day.isoformat() == known.session.now[:10] for day in days)
                and not said.unclear
            ):
                return True
            continue
        if (
            (clock := clock_value(value)) is not None
            and not clock.dated
            and times_said(known.texts, known.session.language, known.session.now).allows(clock.minute)
        ):
            continue
        if is_number(value) and grounded(
            _Without(known.session, known.number, known.action, on), path, value, schema, ()
        ):
            continue
        if known_code(known, str(value)):
            continue
        # A value that nobody said and nothing shows may be made out of the result: a code, a sum, a short form.
        if not (
            known.said(value)
            or plain in earlier
            or (weight(str(value)) >= 4 and any(plain in one for one in results if plain != one))
        ):
            if (
                not is_number(value)
                and grounded(_Without(known.session, known.number, known.action, on), path, value, schema, ())
                and weight(str(value)) >= 4
            ):
                continue
            return True
    return False


class _Without(Known):
    """What is known without the result of one call of the task."""

    def __init__(self, session: Session, number: int, action: int, without: int) -> None:
        super().__init__(session, number, action)
        object.__setattr__(self, "without", without)

    @property
    def own_values(self) -> list[Any]:
        return [
            value
            for index, action in enumerate(self.session.tasks[self.number].actions)
            if isinstance(action, Call) and index not in (self.action, self.__dict__["without"])
            for _, value in leaves(action.observation)
        ]
