"""Track what the tasks of a session have said and shown so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from wildtool.grounding.distance import distance, planned_turns
from wildtool.grounding.hidden_intents import hidden_intent
from wildtool.language.tool_phrasings import PLACE
from wildtool.schemas.base import canonical_json
from wildtool.schemas.json_paths import pin
from wildtool.schemas.plan import PlannedArgument, PlannedCall
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import HiddenIntentKind, TaskType

Key = tuple[str, ...]
"""Identity of a value: its canonical JSON where it is known, else the place where it will be observed."""

ORDINALS = (0, 1, 1, 2, -1)
"""Items of a result that people refer to; "the first" less often than all others together."""


def value_key(value: Any) -> Key:
    """Key of a known value."""
    return ("value", canonical_json(value).casefold())


def argument_key(argument: PlannedArgument, task: int) -> Key:
    """Key of a planned argument of a task; observed values are known by their place."""
    if argument.value is not None:
        return value_key(argument.value)
    return ("place", str(task if argument.task is None else argument.task), str(argument.action), str(argument.path))


@dataclass(frozen=True)
class Seen:
    """One value that an earlier task used."""

    key: Key
    argument: PlannedArgument
    """The argument as that task planned it."""
    task: int
    tool: str | None
    call: int | None


@dataclass
class Memory:
    """Values and calls of earlier tasks; grows task by task while a session is planned."""

    types: Sequence[TaskType]
    seen: list[Seen] = field(default_factory=list)
    calls: list[tuple[int, int, PlannedCall]] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    """Values of ``seen``, as canonical JSON."""
    latest: dict[Key, int] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    """Known calls, as canonical JSON: the same question is not asked twice."""

    def note(self, task: int, calls: Sequence[PlannedCall], mentions: Sequence[PlannedArgument] = ()) -> None:
        """Remember what a task used."""
        for index, call in enumerate(calls):
            self.calls.append((task, index, call))
            self.done.add(call_key(call, task))
            for argument in call.arguments:
                self._note(task, argument, call.tool, index)
        for argument in mentions:
            self._note(task, argument, None, None)

    def _note(self, task: int, argument: PlannedArgument, tool: str | None, call: int | None) -> None:
        key = argument_key(argument, task)
        self.latest[key] = task
        if argument.source != "default":
            self.texts.add(canonical_json(argument.value))
            self.seen.append(Seen(key, argument, task, tool, call))

    def reach(self, kind: HiddenIntentKind, task: int, key: Key, base: int) -> int | None:
        """Distance in user turns to where a value was last used, if it fits the kind; ``base`` where it first was."""
        turns = distance(planned_turns(self.types), task, max(self.latest.get(key, base), base))
        return turns if hidden_intent(kind).reaches(turns) else None

    def said(self, kind: HiddenIntentKind, task: int) -> Iterator[Seen]:
        """Known values within reach of a kind, each at its latest use."""
        for seen in self.seen:
            known = seen.argument.value
            if known is None or isinstance(known, bool) or self.latest[seen.key] != seen.task:
                continue
            # Nobody could tell which single digit is meant.
            if isinstance(known, int | float) and len(str(known)) < 2:
                continue
            if self.reach(kind, task, seen.key, seen.task) is not None and not self._has_rival(seen):
                yield seen

    def _has_rival(self, seen: Seen) -> bool:
        """Return whether its task used another value for the same parameter, or named another place: "there" could mean either."""
        place = PLACE.search(seen.argument.parameter)
        return any(
            other.task == seen.task
            and other.key != seen.key
            and (
                other.argument.parameter == seen.argument.parameter
                or (place is not None and PLACE.search(other.argument.parameter) is not None)
            )
            for other in self.seen
        )

    def observed(
        self, kind: HiddenIntentKind, task: int, tools: ToolList, consumer: Tool, rng: Random
    ) -> Iterator[tuple[ToolLink, PlannedArgument, int]]:
        """Results of earlier calls that can be an argument of ``consumer``: link, argument, task where it was last used."""
        far = hidden_intent(kind).far
        for link in tools.links:
            # Far back only what nothing else can be: a title or a day may come up in any result between.
            if link.consumer != consumer.name or (far and not link.required):
                continue
            for source_task, index, call in self.calls:
                if call.tool != link.producer or call.fault != "none":
                    continue
                path = pin(link.path, rng.choice(ORDINALS))
                argument = PlannedArgument(
                    parameter=link.parameter, source="earlier", task=source_task, action=index, path=path
                )
                key = argument_key(argument, task)
                if self.reach(kind, task, key, source_task) is not None:
                    yield link, argument, max(self.latest.get(key, source_task), source_task)


def call_key(call: PlannedCall, task: int) -> str:
    """Canonical text of a call, equal for calls that would ask the same."""
    return canonical_json([call.tool, sorted((a.parameter, *argument_key(a, task)) for a in call.arguments)])
