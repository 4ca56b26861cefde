"""Trace argument values to their sources, and derive dependencies from that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wildtool.grounding.value_mentions import find
from wildtool.language.dates.spoken import when_said
from wildtool.language.dates.values import days_of_value
from wildtool.language.tool_phrasings import fragments
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.json_paths import leaves, resolve
from wildtool.schemas.json_schema import properties
from wildtool.schemas.plan import PlannedArgument, PlannedCall, SessionPlan
from wildtool.schemas.session import Answer, Ask, Call, Task, ValueSource


@dataclass(frozen=True)
class Made:
    """A call as the assistant made it."""

    name: str
    arguments: JsonObject
    observation: Any


def align(
    planned: Sequence[PlannedCall], made: Sequence[Made], observed: Mapping[tuple[int, int], Any], task: int
) -> dict[int, int]:
    """Planned call → made call, by name and known values first, then by name alone. Calls that fit none are left out."""
    found: dict[int, int] = {}
    for strict in (True, False):
        for index, call in enumerate(planned):
            if index in found:
                continue
            for place, each in enumerate(made):
                if place in found.values() or each.name != call.tool:
                    continue
                known = {a.parameter: a.value for a in call.arguments if a.value is not None}
                if not strict or all(same(each.arguments.get(name), value) for name, value in known.items()):
                    found[index] = place
                    break
    return found


def same(left: Any, right: Any) -> bool:
    """Equal as JSON, so that ``True`` is not 1; texts regardless of case."""
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    return canonical_json(left) == canonical_json(right)


@dataclass(frozen=True)
class Scene:
    """Everything a value can come from: earlier tasks, and the actions of this task before the call."""

    plan: SessionPlan
    number: int
    done: Sequence[Task]
    user: str
    actions: Sequence[Call | Ask | Answer]
    """Actions of this task so far, in gold order."""

    def source(self, name: str, value: Any, tool_name: str, planned: PlannedArgument | None, shift: int) -> ValueSource:
        """Trace one argument. The plan is believed where the words or results bear it out."""
        tool = next(each for each in self.plan.tool_list.tools if each.name == tool_name)
        here = "\n".join([self.user, *(a.reply for a in self.actions if isinstance(a, Ask))])
        if planned is not None and (found := self._as_planned(planned, value, here, shift)) is not None:
            return found
        words = planned.words if planned is not None and planned.words else None
        for text in (words, _plain(value), *_spoken(tool.enum_words.get(name, {}), value)):
            if text and find(text, here):
                return ValueSource(argument=name, kind="user", task=self.number, quote=_quote(here, text))
        for fragment in fragments(tool, name, self.plan.language):
            piece = fragment.replace("{" + name + "}", words or _plain(value))
            if find(piece, here):
                return ValueSource(argument=name, kind="user", task=self.number, quote=_quote(here, piece))
        said = when_said(here, self.plan.language, self.plan.now)
        for day in days_of_value(_plain(value)) or ():
            if (words := said.words(day)) is not None:
                return ValueSource(argument=name, kind="clock", task=self.number, quote=words)
        return self._elsewhere(name, value, properties(tool).get(name, {}))

    def _as_planned(self, planned: PlannedArgument, value: Any, here: str, shift: int) -> ValueSource | None:
        name = planned.parameter
        if planned.path is not None and planned.action is not None:
            own = planned.source == "observation"
            task = self.number if own else planned.task
            assert task is not None
            offset = shift if own else _asks(self.done[task])
            actions = self.actions if own else self.done[task].actions
            place = planned.action + offset
            if place < len(actions) and isinstance(call := actions[place], Call):
                try:
                    if same(_plain(resolve(call.observation, planned.path)), _plain(value)):
                        return ValueSource(
                            argument=name, kind="observation", task=task, action=place, path=planned.path
                        )
                except LookupError:
                    return None
            return None
        if planned.value is None or not same(planned.value, value):
            return None
        if planned.source in ("earlier", "missing") and planned.task is not None and planned.task < len(self.done):
            said = _words_of(self.done[planned.task])
            for text in (planned.words, _plain(value)):
                if text and find(text, said):
                    return ValueSource(argument=name, kind="earlier_user", task=planned.task, quote=_quote(said, text))
            return None
        if planned.source in ("clock", "user", "missing") and planned.words and find(planned.words, here):
            kind: Literal["clock", "user"] = "clock" if planned.source == "clock" else "user"
            return ValueSource(argument=name, kind=kind, task=self.number, quote=_quote(here, planned.words))
        return None

    def _elsewhere(self, name: str, value: Any, schema: JsonObject) -> ValueSource:
        for place in range(len(self.actions) - 1, -1, -1):
            if (
                isinstance(call := self.actions[place], Call)
                and (path := _path_of(call.observation, value)) is not None
            ):
                return ValueSource(argument=name, kind="observation", task=self.number, action=place, path=path)
        for task in range(len(self.done) - 1, -1, -1):
            said = _words_of(self.done[task])
            if find(_plain(value), said):
                return ValueSource(argument=name, kind="earlier_user", task=task, quote=_quote(said, _plain(value)))
            for place, action in enumerate(self.done[task].actions):
                if isinstance(action, Call) and (path := _path_of(action.observation, value)) is not None:
                    return ValueSource(argument=name, kind="observation", task=task, action=place, path=path)
                if isinstance(action, Call):
                    for earlier in action.trace:
                        if same(action.arguments.get(earlier.argument), value) and earlier.quote is not None:
                            return earlier.model_copy(update={"argument": name, "kind": "earlier_user"})
        if "default" in schema and same(schema["default"], value):
            return ValueSource(argument=name, kind="default")
        return ValueSource(argument=name, kind="unknown", confidence=0.0)


def dependencies(trace: Sequence[ValueSource], number: int, asks: Mapping[int, Ask], name: str) -> tuple[int, ...]:
    """Actions of this task that a call with this trace must wait for: producers of its values, and asks for its slots."""
    found = {s.action for s in trace if s.kind == "observation" and s.task == number and s.action is not None}
    for place, ask in asks.items():
        if ask.tool == name and {s.argument for s in trace} & set(ask.slots):
            found.add(place)
    return tuple(sorted(found))


def sinks(actions: Sequence[Call | Ask | Answer]) -> tuple[int, ...]:
    """Actions that no other one waits for: the answer waits for them, and so for all."""
    waited = {on for action in actions for on in action.depends_on}
    return tuple(index for index in range(len(actions)) if index not in waited)


def _asks(task: Task) -> int:
    return sum(isinstance(action, Ask) for action in task.actions)


def _words_of(task: Task) -> str:
    return "\n".join([task.user, *(a.reply for a in task.actions if isinstance(a, Ask))])


def _quote(text: str, words: str) -> str:
    """The words as the text has them, where case is all that differs."""
    plain = re.escape(words)
    whole = re.search(rf"(?<![A-Za-z0-9]){plain}(?![A-Za-z0-9])", text, re.IGNORECASE)
    hit = whole or re.search(plain, text, re.IGNORECASE)
    return hit.group() if hit else words


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _spoken(words: Mapping[str, str], value: Any) -> tuple[str, ...]:
    return (words[str(value)],) if str(value) in words else ()


def _path_of(observation: Any, value: Any) -> str | None:
    """Where an observation holds a value that is telling enough to come from there."""
    if isinstance(value, bool) or len(_plain(value)) < 2:
        return None
    return next((path for path, found in leaves(observation) if same(found, value)), None)
