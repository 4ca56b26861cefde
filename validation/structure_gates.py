"""Gates on form: schemas, graphs, types, asks, labels, ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, assert_never

from wildtool.grounding.evidence import ancestors
from wildtool.language.folding import tokens
from wildtool.language.prose_defaults import default_in_prose
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.release import GateFailure
from wildtool.schemas.session import Answer, Ask, Call, Session, Task, check_graph
from wildtool.schemas.vocabulary import TaskType, Topology
from wildtool.validation.gate import Gate, GateContext, each_task, fail


def functions(session: Session) -> dict[str, JsonObject]:
    """The session's functions by name."""
    return {tool["function"]["name"]: tool["function"] for tool in session.tools}


def calls_of(task: Task) -> list[tuple[int, Call]]:
    """The calls of a task with their indexes among its actions."""
    return [(index, action) for index, action in enumerate(task.actions) if isinstance(action, Call)]


@lru_cache(maxsize=4096)
def _validator(schema: str) -> Any:
    import json

    import jsonschema

    # Formats are checked: a date that is none cannot be what a tool documents.
    return jsonschema.Draft202012Validator(
        json.loads(schema), format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
    )


def schema_errors(parameters: JsonObject, arguments: Any) -> list[str]:
    """What is wrong with a value under a JSON Schema, one line each; also where the schema itself is broken."""
    import jsonschema

    validator = _validator(canonical_json(parameters))
    try:
        errors = sorted(validator.iter_errors(arguments), key=lambda error: [str(part) for part in error.absolute_path])
    except (jsonschema.exceptions.UnknownType, jsonschema.exceptions.SchemaError) as error:
        return [f"the tool's own schema is broken: {str(error).splitlines()[0]}"]
    return [
        f"{'.'.join(str(part) for part in error.absolute_path) or 'arguments'}: {error.message[:200]}"
        for error in errors
    ]


def _arguments_valid(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    known = functions(session)
    for actions in (task.actions, *task.alternatives):
        for index, action in enumerate(actions):
            if not isinstance(action, Call):
                continue
            if action.name not in known:
                yield index, f"calls {action.name}, which is not among the session's tools"
                continue
            parameters = known[action.name].get("parameters", {"type": "object"})
            declared = parameters.get("properties", {})
            for name in action.arguments:
                if name not in declared and parameters.get("additionalProperties") in (None, False):
                    yield index, f"{action.name} has no parameter {name}"
            for reason in schema_errors(parameters, action.arguments):
                yield index, f"{action.name}: {reason}"
            for name, values in action.argument_alternatives.items():
                for value in values:
                    for reason in schema_errors(parameters, {**action.arguments, name: value}):
                        yield index, f"{action.name}, alternative of {name}: {reason}"


@lru_cache(maxsize=4096)
def _schema_flaws(parameters: str) -> tuple[str, ...]:
    import json

    import jsonschema

    schema = json.loads(parameters)
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.exceptions.SchemaError as error:
        return (f"are no JSON Schema: {error.message[:200]}",)
    return tuple(_property_flaws(schema, ""))


ABSURD = frozenset(
    "url uri link website homepage email mail title query name address description message text comment subject".split()
)
"""Last words of names that take text: a URL typed integer can be given by nobody."""


def _property_flaws(schema: JsonObject, path: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    if undefined := sorted(set(schema.get("required", ())) - set(properties)):
        yield f"require undefined ones{path and ' in ' + path}: {', '.join(map(str, undefined))}"
    for name, inner in properties.items():
        if not isinstance(inner, dict):
            continue
        where = f"{path}.{name}" if path else name
        kind, text = inner.get("type"), str(inner.get("description", ""))
        if kind in ("integer", "number") and ((tokens(name)[-1:] and tokens(name)[-1] in ABSURD) or _URL.match(text)):
            yield f"give {where} the absurd type {kind}"
        stated = default_in_prose(text, kind, inner.get("enum"))
        if stated is not None and "default" not in inner and not schema_errors(inner, stated):
            yield f"state the default {stated!r} of {where} in prose only"
        if "default" in inner and inner["default"] is not None:
            for reason in schema_errors(
                {key: value for key, value in inner.items() if key != "default"}, inner["default"]
            )[:1]:
                yield f"give {where} a default that it does not allow: {reason}"
        yield from _property_flaws(inner, where)
        if isinstance(inner.get("items"), dict):
            yield from _property_flaws(inner["items"], f"{where}[]")


_URL = re.compile(
    r"(?:the |full |an? ){0,3}(?:url|uri|web ?address|link)\b(?! id)|(?:完整)?(?:网址|链接)", re.IGNORECASE
)


def _tools_sound(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    for session in sessions:
        names = Counter(tool["function"]["name"] for tool in session.tools)
        for name, times in names.items():
            if times > 1:
                yield fail(session, f"{times} tools are named {name}")
            if not re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name):
                yield fail(session, f"{name} is no legal function name")
        for name, function in functions(session).items():
            for flaw in _schema_flaws(canonical_json(function.get("parameters", {}))):
                yield fail(session, f"the parameters of {name} {flaw}")


def _graph_sound(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    for actions in (task.actions, *task.alternatives):
        try:
            check_graph(actions)
        except ValueError as error:
            yield None, str(error)
        if not actions or not isinstance(actions[-1], Answer):
            yield None, "the last action is no answer"
        for index, action in enumerate(actions[:-1]):
            if isinstance(action, Answer):
                yield index, "an answer is not the last action"
        for index, action in enumerate(actions):
            if len(set(action.depends_on)) < len(action.depends_on):
                yield index, "names a dependency twice"
            texts = {Ask: ("question", "reply"), Answer: ("text",)}.get(type(action), ())
            for name in texts:
                if not getattr(action, name).strip():
                    yield index, f"its {name} is empty"
        if not task.user.strip():
            yield None, "the user says nothing"
    yield from _repeated(task)


def _repeated(task: Task) -> Iterator[tuple[int | None, str]]:
    """Calls made twice side by side: asking again only makes sense after something has changed."""
    before = call_graph(task)
    seen: dict[tuple[str, str], int] = {}
    for index, call in calls_of(task):
        key = (call.name, canonical_json(call.arguments))
        first = seen.setdefault(key, index)
        if first != index and first not in before[index]:
            yield index, f"repeats the call of action {first}"


def call_graph(task: Task) -> dict[int, set[int]]:
    """By call, the calls that must be done before it, also by way of asks."""
    indexes = {index for index, _ in calls_of(task)}
    return {index: ancestors(task, index) & indexes for index in indexes}


def topology_of(task: Task) -> Topology:
    """The topology that the dependencies among a task's calls give."""
    before = call_graph(task)
    if not any(before.values()):
        return Topology.PARALLEL
    # A chain: of any two calls one must wait for the other.
    chain = all(a == b or a in before[b] or b in before[a] for a in before for b in before)
    return Topology.SEQUENTIAL if chain else Topology.MIXED


def _type_agrees(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    calls = len(calls_of(task))
    asks = sum(isinstance(action, Ask) for action in task.actions)
    match task.type:
        case TaskType.SINGLE:
            if calls != 1 or asks:
                yield None, f"a single task has {calls} calls and {asks} asks"
        case TaskType.MULTI:
            if calls < 2 or asks:
                yield None, f"a multi task has {calls} calls and {asks} asks"
            elif task.topology is not (found := topology_of(task)):
                yield None, f"the label says {task.topology}, the dependencies are {found.value}"
        case TaskType.CLARIFY:
            if not asks:
                yield None, "a clarify task asks nothing"
        case TaskType.CHAT:
            if calls or asks:
                yield None, f"a chat task has {calls} calls and {asks} asks"
        case _:
            assert_never(task.type)


def _hidden_intent_fits(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    hidden = task.hidden_intent
    if hidden is None:
        return
    if number == 0:
        yield None, "the first task leans on an earlier one"
    elif not 0 <= hidden.said_in < number:
        yield None, f"it leans on task {hidden.said_in}, which is not before it"


def _asks_fit(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    known = functions(session)
    asked: Counter[tuple[str | None, str]] = Counter()
    for index, action in enumerate(task.actions):
        if not isinstance(action, Ask):
            continue
        if not action.slots:
            yield index, "asks for nothing"
        if action.tool is None or action.tool not in known:
            yield index, f"asks on behalf of {action.tool}, which is not among the session's tools"
            continue
        parameters = known[action.tool].get("parameters", {})
        for slot in action.slots:
            asked[action.tool, slot] += 1
            if slot not in parameters.get("properties", {}):
                yield index, f"asks for {slot}, which {action.tool} does not have"
            elif slot not in parameters.get("required", []):
                yield index, f"asks for {slot}, which {action.tool} does not require"
        waiting = [call for _, call in calls_of(task) if call.name == action.tool]
        for slot in action.slots:
            if not any(slot in call.arguments for call in waiting):
                yield index, f"asks for {slot}, but no call of {action.tool} uses it"
        waits = [
            other for other, call in calls_of(task) if call.name == action.tool and index in ancestors(task, other)
        ]
        if waiting and not waits:
            yield index, "no action waits for the reply"
    for (tool, slot), times in asked.items():
        if times > 1:
            yield None, f"asks {times} times for {slot} of {tool}"


def _unique_ids(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    seen: set[str] = set()
    for session in sessions:
        if session.id in seen:
            yield fail(session, "another session has the same id")
        seen.add(session.id)


def _task_count(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    for session in sessions:
        if not 1 <= len(session.tasks) <= context.tasks_per_session:
            yield fail(session, f"has {len(session.tasks)} tasks, not 1 to {context.tasks_per_session}")


STRUCTURE_GATES: tuple[Gate, ...] = (
    Gate("ids", "every id is there once", _unique_ids, "release"),
    Gate("tasks", "no session has more tasks than the profile says", _task_count, "release"),
    Gate("tools", "tool names are legal and their schemas sound", _tools_sound),
    Gate("arguments", "arguments are valid under the tool's schema", each_task(_arguments_valid)),
    Gate("graph", "dependencies are acyclic and end in an answer", each_task(_graph_sound)),
    Gate("type", "type and topology agree with the graph", each_task(_type_agrees)),
    Gate("hidden_intent", "hidden intents lean on an earlier task", each_task(_hidden_intent_fits)),
    Gate("asks", "asked slots exist, are required, used, and asked once", each_task(_asks_fit)),
)
