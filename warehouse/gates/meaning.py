"""Gates on meaning: values come from the dialogue, edges from values, and words agree with arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

from schemas.base import JsonObject
from schemas.session import Answer, Ask, Call, Session, Task
from schemas.vocabulary import HiddenIntentKind
from warehouse.gates.gate import Gate, each_task
from warehouse.gates.known import DATE, Known, ancestors, grounded, is_default, leaves, supports, task_words
from warehouse.gates.structure import calls_of, functions
from warehouse.gates.words import SPAN, days_said, limits_said, normal, ordinals_said, tokens, weight

Found = Iterator[tuple[int | None, str]]

LIMIT_NAME = re.compile(
    r"^(?:limit|max_?results?|max_?items|per_?page|page_?size|top_?[kn]?|num_?results|results|size|count|rows|take)$",
    re.IGNORECASE,
)
"""Names of parameters that say how many results to return."""


def parameter_schema(function: JsonObject, path: str) -> tuple[JsonObject, bool]:
    """The schema of the value at a path, and whether its top-level parameter is required."""
    parameters = function.get("parameters", {})
    top = re.split(r"[.\[]", path)[0]
    schema = parameters.get("properties", {}).get(top, {})
    for part in re.findall(r"\[\d+\]|[^.\[\]]+", path)[1:]:
        schema = schema.get("items", {}) if part.startswith("[") else schema.get("properties", {}).get(part, {})
        if not isinstance(schema, dict):
            schema = {}
    return schema, top in parameters.get("required", [])


def _grounding(session: Session, number: int, task: Task) -> Found:
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            schema, required = parameter_schema(known_functions.get(call.name, {}), path)
            if (required or not isinstance(value, bool)) and not grounded(known, path, value, schema, call.trace):
                if isinstance(value, bool):
                    continue  # a required switch has to be set one way or the other
                yield index, f"{call.name}.{path} is {str(value)[:60]!r}, found nowhere before"


def _unasked(session: Session, number: int, task: Task) -> Found:
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            schema, required = parameter_schema(known_functions.get(call.name, {}), path)
            if required:
                continue
            traced = any(supports(known, source) for source in call.trace if source.argument == path)
            if is_default(value, schema):
                if not traced and not known.said(value):
                    yield index, f"{call.name}.{path} only repeats its default"
            elif "enum" in schema and isinstance(value, str):
                if not _enum_said(known, path, value, schema, call):
                    yield index, f"{call.name}.{path} is optional, and nobody asked for {value!r}"
            elif not grounded(known, path, value, schema, call.trace):
                yield index, f"{call.name}.{path} is optional, and nobody asked for {str(value)[:60]!r}"


def _enum_said(known: Known, path: str, value: str, schema: JsonObject, call: Call) -> bool:
    if any(supports(known, source) for source in call.trace if source.argument == path) or known.said(value):
        return True
    # "in Fahrenheit", "cheapest first", 按价格: a stem of the value or of what the parameter is about is enough.
    about = f"{value} {path} {schema.get('description', '')}"
    signs = {token for token in tokens(about) if not token.isascii()}
    stems = {token[:4] for token in tokens(f"{value} {path}") if token.isascii() and len(token) >= 4}
    return bool(signs & set(tokens(known.texts))) or any(stem in known.plain_texts for stem in stems)


def _edges(session: Session, number: int, task: Task) -> Found:
    calls = dict(calls_of(task))
    for index, call in calls.items():
        known = Known(session, number, index)
        before = ancestors(task, index)
        needed = [(path, value) for path, value in leaves(call.arguments) if _only_observed(known, value)]
        for path, value in needed:
            producers = [
                other
                for other, producer in calls.items()
                if other != index
                and index not in ancestors(task, other)
                and _holds(producer.observation, value)
                and not _holds(producer.arguments, value)
            ]
            if producers and not before.intersection(producers):
                yield index, f"{call.name}.{path} comes from action {producers[0]}, but no edge says so"
        for on in call.depends_on:
            if on in calls and call.arguments and not _justified(known, call, on, calls[on]):
                yield index, f"waits for action {on}, but takes nothing from it"

    last = len(task.actions) - 1
    if last > 0 and isinstance(task.actions[last], Answer):
        for index in sorted(set(range(last)) - ancestors(task, last)):
            yield last, f"the answer does not wait for action {index}"


def _only_observed(known: Known, value: Any) -> bool:
    """The value is telling enough to be traced, and neither words nor earlier tasks hold it."""
    text = str(value)
    telling = weight(text) >= 4 or (len(text) >= 3 and any(char.isdigit() for char in text))
    if isinstance(value, bool) or value is None or not telling or DATE.match(text):
        return False
    return not known.said(value) and normal(text) not in {normal(str(seen)) for seen in known.earlier_values}


def _holds(content: Any, value: Any) -> bool:
    wanted = normal(str(value))
    return any(normal(str(found)) == wanted for _, found in leaves(content))


def _justified(known: Known, call: Call, on: int, producer: Call) -> bool:
    """The call takes a value from the producer, or takes one whose source nobody can name."""
    if any(one.kind == "observation" and one.action == on and one.task in (None, known.number) for one in call.trace):
        return True
    earlier = {normal(str(seen)) for seen in known.earlier_values}
    results = {normal(str(found)) for _, found in leaves(producer.observation)}
    for _, value in leaves(call.arguments):
        plain = normal(str(value))
        elsewhere = known.said(value) or plain in earlier
        if not elsewhere and not DATE.match(str(value)):
            return True
        if plain in results and plain and not _holds(producer.arguments, value) and not known.said(value):
            return True
    return False


def _hidden(session: Session, number: int, task: Task) -> Found:
    hidden = task.hidden_intent
    if hidden is None or not 0 <= hidden.said_in < number:
        return
    if hidden.kind is HiddenIntentKind.LONG_RANGE and hidden.distance is not None and hidden.distance <= 2:
        yield None, f"long range, but only {hidden.distance} user turns back"
    if hidden.distance is not None:
        turns = [len(task_words(one)) for one in session.tasks[:number]]
        furthest = sum(turns[hidden.said_in :])
        nearest = sum(turns[hidden.said_in + 1 :]) + 1
        if not nearest <= hidden.distance <= furthest:
            yield None, f"task {hidden.said_in} is {nearest} user turns back, not {hidden.distance}"
    for index, call in calls_of(task):
        value = call.arguments.get(hidden.piece)
        if not isinstance(value, str) or weight(value) < 4 or DATE.match(value):
            continue
        if normal(value) in normal(task.user):
            yield index, f"{hidden.piece} is no hidden intent: the message itself says {value!r}"


def _slots_missing(session: Session, number: int, task: Task) -> Found:
    for index, action in enumerate(task.actions):
        if not isinstance(action, Ask):
            continue
        known = Known(session, number, index)
        for call_index, call in calls_of(task):
            if call.name != action.tool or index not in ancestors(task, call_index):
                continue
            for slot in action.slots:
                value = call.arguments.get(slot)
                if (
                    isinstance(value, str)
                    and weight(value) >= 3
                    and normal(value) in normal("\n".join(known.own_words))
                ):
                    yield index, f"asks for {slot}, but the user had already said {value!r}"
            function = functions(session).get(call.name, {})
            for name in function.get("parameters", {}).get("required", []):
                value = call.arguments.get(name)
                if name in action.slots or not isinstance(value, str) or weight(value) < 3:
                    continue
                other_asks = {s for a in task.actions if isinstance(a, Ask) for s in a.slots}
                if name not in other_asks and normal(value) in normal(action.reply) and not known.said(value):
                    yield index, f"the reply gives {name} too, but the question does not ask for it"


def _limits(session: Session, number: int, task: Task) -> Found:
    said = limits_said("\n".join(task_words(task)))
    if len(said) != 1:
        return  # nothing said, or not clear of what
    limit = next(iter(said))
    given = [
        (index, call.name, name, value)
        for index, call in calls_of(task)
        for name, value in call.arguments.items()
        if LIMIT_NAME.match(name) and isinstance(value, int) and not isinstance(value, bool)
    ]
    if given and not any(value == limit for *_, value in given):
        for index, tool, name, value in given:
            yield index, f"{tool}.{name} is {value}, but the user said {limit}"


def _dates(session: Session, number: int, task: Task) -> Found:
    words = "\n".join(task_words(task))
    days = days_said(words, session.now)
    if not days or SPAN.search(words):
        return
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            if not isinstance(value, str) or not DATE.match(value):
                continue
            try:
                day = date.fromisoformat(value[:10])
            except ValueError:
                yield index, f"{call.name}.{path} is {value}, which is no day"
                continue
            earlier = days_said("\n".join(known.words), session.now)
            observed = any(value[:10] in str(seen) for seen in (*known.earlier_values, *known.own_values))
            if day not in days | earlier and not observed:
                meant = ", ".join(sorted(one.isoformat() for one in days)[:3])
                yield index, f"{call.name}.{path} is {value[:10]}, but the user's words mean {meant}"


def _ordinals(session: Session, number: int, task: Task) -> Found:
    said = ordinals_said("\n".join(task_words(task)))
    if len(said) != 1:
        return  # nothing pointed at, or not clear at what
    position = next(iter(said))
    earlier = [action for one in session.tasks[:number] for _, action in calls_of(one)]
    for index, call in calls_of(task):
        known = Known(session, number, index)
        own = [task.actions[on] for on in sorted(ancestors(task, index))]
        lists = [
            found
            for producer in (*earlier, *own)
            if isinstance(producer, Call)
            for found in _lists(producer.observation)
        ]
        for path, value in leaves(call.arguments):
            if isinstance(value, bool) or value is None or known.said(value):
                continue
            hits = [(items, _positions(items, value)) for items in lists]
            hits = [(items, at) for items, at in hits if at and len(items) > max(position, -position - 1, 1)]
            if hits and not any(position % len(items) in at for items, at in hits):
                items, at = hits[0]
                wanted = position if position >= 0 else len(items) + position
                yield (
                    index,
                    f"{call.name}.{path} is item {at[0] + 1} of a list, but the user pointed at item {wanted + 1}",
                )


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        if len(value) > 1:
            yield value
        for inner in value:
            yield from _lists(inner)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _lists(inner)


def _positions(items: list[Any], value: Any) -> list[int]:
    """Where a value stands in a list; nowhere if several items hold it, for then it points at none."""
    at = [index for index, item in enumerate(items) if any(found == value for _, found in leaves(item))]
    return at if len(at) == 1 else []


MEANING_GATES: tuple[Gate, ...] = (
    Gate("grounding", "every argument value follows from the dialogue, a result or the clock", each_task(_grounding)),
    Gate("optional", "no optional argument that nobody asked for", each_task(_unasked)),
    Gate("edges", "every value that flows is an edge, and every edge carries a value", each_task(_edges)),
    Gate("hidden_text", "hidden intents agree with the words and the distance", each_task(_hidden)),
    Gate("slots", "what is asked for was missing, and all that was missing is asked for", each_task(_slots_missing)),
    Gate("limits", "limits agree with the user's words", each_task(_limits)),
    Gate("dates", "days agree with the user's words", each_task(_dates)),
    Gate("ordinals", "ordinals point at the right item", each_task(_ordinals)),
)
