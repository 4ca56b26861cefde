"""Where each argument value came from: words, an observation, the clock, a default, or nowhere.

``trace_call`` answers for a whole call, ``propose_edges`` draws a task's dependencies out of the data flow alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wildtool.grounding.topology import ancestors
from wildtool.grounding.value_mentions import Cues, Hit, find, is_today, said
from wildtool.language.folding import as_said
from wildtool.language.parameter_names import humanise
from wildtool.language.prose_defaults import is_default
from wildtool.language.tool_phrasings import fragments
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_paths import leaf, leaves, loosen, resolve
from wildtool.schemas.json_paths import tokens as path_tokens
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.session import Answer, Ask, Call, Session, Task, ValueSource
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Language

TRACED = 0.5
"""Confidence from which a source counts; below, a likeness is a coincidence more often than not."""

STRONG = 0.8
"""Confidence from which words settle where a value came from, whatever was observed."""


@dataclass(frozen=True)
class Setting:
    """What a session's calls are traced in."""

    now: str
    language: Language
    tools: dict[str, Tool]
    links: tuple[ToolLink, ...]

    @classmethod
    def of(cls, tools: ToolList, now: str) -> Setting:
        """The setting of a plan's tool list at a session's clock."""
        return cls(now, tools.language, {tool.name: tool for tool in tools.tools}, tools.links)

    def cues(self, call: Call, path: str) -> Cues:
        """What helps to recognise the value at a path of a call's arguments."""
        steps = path_tokens(path)
        name = str(steps[0]) if steps else path
        tool = self.tools.get(call.name)
        if tool is None:
            return Cues(name, self.now, self.language)
        schema: JsonObject = tool.parameters
        for step in steps:
            inner = schema.get("items") if isinstance(step, int) else schema.get("properties", {}).get(step)
            schema = inner if isinstance(inner, dict) else {}
        asks = fragments(tool, name, self.language) if plain_type(schema) == "boolean" else ()
        return Cues(name, self.now, self.language, schema, tool.enum_words.get(name, {}), asks)

    def linked(self, producer: str, path: str, consumer: str, parameter: str) -> bool:
        """Whether the catalogue links a place in one tool's result to a parameter of another."""
        loose = loosen(path)
        return any(
            (link.producer, link.consumer, link.parameter) == (producer, consumer, parameter)
            and loosen(link.path) == loose
            for link in self.links
        )


@dataclass(frozen=True)
class Edge:
    """One action of a task waits for another, as the data flow shows."""

    action: int
    on: int
    confidence: float
    argument: str
    """The argument that shows it."""
    path: str = ""
    """Where the other's observation holds the value."""


def parsed(observation: Any) -> Any:
    """An observation as JSON, where it is JSON written as text."""
    if isinstance(observation, str) and observation.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(observation)
        except (ValueError, RecursionError):
            return observation
    return observation


@lru_cache(maxsize=4096)
def _leaves_of(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple(leaves(parsed(json.loads(text))))


def shown(call: Call) -> tuple[tuple[str, Any], ...]:
    """Scalars of a call's observation with their paths."""
    return _leaves_of(canonical_json(call.observation))


def same_value(one: Any, other: Any) -> bool:
    """Equal, but for the type that JSON gave it: ``"5"`` is 5, and case does not tell ids apart."""
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, str) and isinstance(other, str):
        return one == other or as_said(one) == as_said(other)
    if isinstance(one, int | float) and isinstance(other, int | float):
        return one == other  # as numbers: exact, and an integer may lie beyond any float
    return str(one) == str(other)


def arguments_of(call: Call) -> Iterator[tuple[str, Any]]:
    """Scalar argument values with their paths; null says nothing and is left out."""
    return ((path, value) for path, value in leaves(call.arguments) if value is not None)


def user_words(task: Task, before: int | None = None) -> list[str]:
    """What the user says in a task: the opening, and replies to asks (those before an action, if given)."""
    replies = [a.reply for i, a in enumerate(task.actions) if isinstance(a, Ask) and (before is None or i < before)]
    return [task.user, *replies]


def trace_call(tasks: Sequence[Task], task: int, action: int, setting: Setting) -> tuple[ValueSource, ...]:
    """The source of every scalar argument of one call. ``tasks`` holds the session's tasks up to this one at least."""
    call = tasks[task].actions[action]
    if not isinstance(call, Call):
        return ()
    before = ancestors([each.depends_on for each in tasks[task].actions])[action]
    return tuple(
        trace_value(value, path, tasks, task, action, setting, producers=before) for path, value in arguments_of(call)
    )


def with_traces(session: Session, tools: ToolList) -> Session:
    """The session with the trace of every call that has none."""
    setting = Setting.of(tools, session.now)
    tasks = []
    for number, task in enumerate(session.tasks):
        actions = tuple(
            action.model_copy(update={"trace": trace_call(session.tasks, number, index, setting)})
            if isinstance(action, Call) and not action.trace
            else action
            for index, action in enumerate(task.actions)
        )
        tasks.append(task.model_copy(update={"actions": actions}))
    return session.model_copy(update={"tasks": tuple(tasks)})


def trace_value(
    value: Any,
    path: str,
    tasks: Sequence[Task],
    task: int,
    action: int,
    setting: Setting,
    *,
    producers: set[int],
) -> ValueSource:
    """The likeliest source of one value; kind ``unknown`` with confidence 0 where there is none.

    Words come before observations, near ones before far ones. ``producers`` are actions of the task whose results the
    call may have used; others of the task come last.
    """
    call = tasks[task].actions[action]
    assert isinstance(call, Call)
    cues = setting.cues(call, path)
    found: list[tuple[float, ValueSource]] = []
    for number in range(task, -1, -1):
        hit = _best_hit(value, user_words(tasks[number], action if number == task else None), cues)
        if hit is not None:
            rank = hit.confidence - (0.02 + 0.001 * (task - number) if number < task else 0)
            found.append((rank, _from_words(hit, path, number, here=number == task)))
    for number, index, place, sure in _observed(value, path, tasks, task, action, setting):
        far = 0.05 + 0.001 * (task - number) if number < task else 0.03 if index in producers else 0.06
        source = ValueSource(
            argument=path, kind="observation", task=number, action=index, path=place, confidence=round(sure, 2)
        )
        found.append((sure - far, source))
    if is_default(value, cues.schema):
        found.append((0.9, ValueSource(argument=path, kind="default", confidence=0.9)))
    if is_today(value, setting.now):
        found.append((0.75, ValueSource(argument=path, kind="clock", confidence=0.75)))
    if told := _told(value, tasks, task, cues):
        found.append((told.confidence, told.model_copy(update={"argument": path})))
    best = max(found, key=lambda each: each[0], default=None)
    if best is None or best[1].confidence < TRACED:
        return ValueSource(argument=path, kind="unknown", confidence=0.0)
    return best[1]


def _best_hit(value: Any, texts: Sequence[str], cues: Cues) -> Hit | None:
    hits = [hit for text in texts if (hit := said(value, text, cues)) is not None]
    return max(hits, key=lambda hit: hit.confidence, default=None)


def _from_words(hit: Hit, path: str, task: int, *, here: bool) -> ValueSource:
    kind = (
        "clock"
        if hit.kind == "clock"
        else "knowledge"
        if hit.kind == "knowledge"
        else "user"
        if here
        else "earlier_user"
    )
    return ValueSource(argument=path, kind=kind, task=task, quote=hit.quote, confidence=hit.confidence)


def _observed(
    value: Any, path: str, tasks: Sequence[Task], task: int, action: int, setting: Setting
) -> Iterator[tuple[int, int, str, float]]:
    """Places of earlier observations that hold a value: task, action, path, confidence."""
    consumer = tasks[task].actions[action]
    assert isinstance(consumer, Call)
    if isinstance(value, bool):
        return
    parameter = str(path_tokens(path)[0])
    for number in range(task, -1, -1):
        for index, call in enumerate(tasks[number].actions):
            if not isinstance(call, Call) or (number == task and index >= action):
                continue
            # What a call was given and gives back is no result of it.
            echoed = any(same_value(value, given) for _, given in arguments_of(call))
            for place, held in shown(call):
                sure = _likeness(value, held, parameter, place)
                if not sure:
                    continue
                if setting.linked(call.name, place, consumer.name, parameter):
                    sure = max(sure, 0.97)
                yield number, index, place, 0.55 if echoed else sure


def _likeness(value: Any, held: Any, parameter: str, place: str) -> float:
    """How likely equal values are one and the same: short ones are equal by chance."""
    if not same_value(value, held):
        if isinstance(value, str) and isinstance(held, str) and len(value) >= 4 and len(held) > len(value):
            return 0.7 if find(value, held) else 0.0
        return 0.0
    kin = 0.3 if _kin(parameter, place) else 0.0
    if isinstance(value, int | float):
        size = abs(value)
        base = 0.45 if size < 10 else 0.65 if size < 1000 else 0.92
    elif len(value) <= 2:
        base = 0.4
    elif re.match(r"\d{4}-\d{2}-\d{2}", value):
        # Days are few: two things happen on one without having to do with each other.
        base = 0.6
    else:
        base = 0.8 if value.islower() and value.isalpha() and len(value) < 8 else 0.93
    return min(base + kin, 0.95)


def _kin(parameter: str, place: str) -> bool:
    """Whether a parameter and a field have a word in common: ``cityId`` and ``city.id``."""
    words = set(humanise(parameter).lower().split())
    return bool(words & set(humanise(leaf(place)).lower().split()))


def _told(value: Any, tasks: Sequence[Task], task: int, cues: Cues) -> ValueSource | None:
    """A value that the assistant itself named before, in an answer or a question."""
    if isinstance(value, bool):
        return None
    for number in range(task, -1, -1):
        for index, action in enumerate(tasks[number].actions):
            text = action.question if isinstance(action, Ask) else action.text if isinstance(action, Answer) else ""
            if (isinstance(action, Ask) or number < task) and text:
                hit = said(value, text, cues)
                if hit is not None and hit.confidence >= STRONG:
                    return ValueSource(
                        argument="", kind="knowledge", task=number, action=index, quote=hit.quote, confidence=0.6
                    )
    return None


def verified(source: ValueSource, value: Any, tasks: Sequence[Task], task: int, cues: Cues) -> bool:
    """Whether a kept trace holds: the quote was said, the path leads to the value."""
    number = task if source.task is None else source.task
    if not 0 <= number <= task:
        return False
    match source.kind:
        case "user" | "earlier_user":
            texts = user_words(tasks[number])
            if source.quote is not None:
                return any(as_said(source.quote) in as_said(text) for text in texts)
            return _best_hit(value, texts, cues) is not None
        case "observation":
            actions = tasks[number].actions
            if source.action is None or not 0 <= source.action < len(actions) or source.path is None:
                return False
            call = actions[source.action]
            if not isinstance(call, Call):
                return False
            try:
                return same_value(resolve(parsed(call.observation), source.path), value)
            except LookupError:
                return False
        case "default":
            return is_default(value, cues.schema)
        case "clock" | "knowledge":
            return source.quote is None or any(
                as_said(source.quote) in as_said(text) for each in tasks[: task + 1] for text in user_words(each)
            )
        case "unknown":
            return False


def propose_edges(tasks: Sequence[Task], task: int, setting: Setting) -> tuple[Edge, ...]:
    """The dependencies of a task that its data flow shows, between its calls and asks; at most one a pair.

    A value that an earlier call of the task showed and that nobody had said binds the call that takes it. A call also
    waits for the ask about its slots.
    """
    best: dict[tuple[int, int], Edge] = {}

    def propose(edge: Edge) -> None:
        known = best.get((edge.action, edge.on))
        if known is None or edge.confidence > known.confidence:
            best[edge.action, edge.on] = edge

    for index, call in enumerate(tasks[task].actions):
        if not isinstance(call, Call):
            continue
        for path, value in arguments_of(call):
            source = trace_value(value, path, tasks, task, index, setting, producers=set(range(index)))
            on = source.action if source.kind == "observation" and source.task == task else None
            if on is not None and not _echo(value, tasks[task].actions[on]):
                propose(Edge(index, on, source.confidence, path, source.path or ""))
        for place, ask in enumerate(tasks[task].actions):
            if isinstance(ask, Ask) and ask.tool in (None, call.name) and set(ask.slots) & set(call.arguments):
                propose(Edge(index, place, 0.95, ask.slots[0]))
    return tuple(best[pair] for pair in sorted(best))


def _echo(value: Any, action: Any) -> bool:
    return isinstance(action, Call) and any(same_value(value, given) for _, given in arguments_of(action))
