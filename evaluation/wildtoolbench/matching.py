"""The original's matching by name, without its explosion.

The original lists all paths of the graph, by rules of its own, and crosses out those that a step does not follow:

- paths are walked depth first; at each point, ready actions are combined by ascending size, then by index;
- of combinations that read alike as lists of names, only the first is kept;
- neighbours of one name among the ready actions (a *run*) go all at once, or, from their first one, all one after
  another; a combination that begins inside a run and does not begin with all of it is dropped;
- a step of calls takes the first path that has the same names at this place, and only paths with just these actions
  go on; a text is an ask or the answer if any path still open has one at this place, and crosses nothing out.

Here only the open points of that walk are kept, and the first fitting combination is found without listing.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from wildtool.evaluation.matching.graph import Graph, depth, graph_of
from wildtool.evaluation.wildtoolbench.arguments import CORRECT, check_arguments
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Action, Answer, Ask, Call
from wildtool.schemas.trajectory import CandidateCall, CandidateStep

ASK = "ask_user_for_required_parameters"
ANSWER = "prepare_to_answer"


@dataclass(frozen=True, slots=True)
class _Point:
    """A point of the walk."""

    done: int
    """Actions done or promised."""
    pending: tuple[int, ...] = ()
    """Actions of a run that are to follow one after another."""


@dataclass(frozen=True)
class WalkResult:
    """What the original says of a step."""

    matched: bool
    """By name alone."""
    answered: bool = False
    """The text was taken as the answer: the task is over."""
    wrong: tuple[str, ...] = ()
    """Its argument errors."""
    observations: dict[str, Any] = field(default_factory=dict)
    """Observation by call id."""
    reply: str | None = None
    """The user's reply to an ask."""
    reason: str = ""
    """Why it does not match."""


class OriginalWalk:
    """Fed one step at a time, as the original would see them."""

    def __init__(self, actions: Sequence[Action], tools: Sequence[JsonObject]) -> None:
        self._actions = actions
        self._tools = {tool["function"]["name"]: tool for tool in tools if "function" in tool}
        self._names = [_name(action) for action in actions]
        self._graph: Graph = graph_of([action.depends_on for action in actions])
        self._points = [_Point(0)]
        self.log: list[WalkResult] = []
        self.answered = False
        self.raised = ""
        """Why the original would have crashed; empty if it would not."""

    @property
    def least_steps(self) -> int:
        """Steps of its shortest path, the answer included."""
        return depth(self._graph)

    @property
    def optimal_by_name(self) -> bool:
        """Answered in the fewest steps, by name alone."""
        return self.answered and len(self.log) == self.least_steps

    @property
    def arguments_wrong(self) -> bool:
        """Was any argument wrong?"""
        return any(entry.wrong for entry in self.log)

    @property
    def progress(self) -> tuple[int, int]:
        """Steps that the original counts as completed, and actions (the answer included) that it divides them by.

        It counts every step in its log, the one that broke included, and drops the one after a wrong argument.
        """
        steps = len(self.log)
        first = next((number for number, entry in enumerate(self.log) if entry.wrong), None)
        return (steps - 1 if first is not None and first + 1 < steps else steps), len(self._actions)

    def next_names(self) -> tuple[str, ...]:
        """Functions that some open path begins its next step with."""
        heads = {i for point in self._points for i in point.pending[:1] or self._singles(point)}
        return tuple(sorted({self._names[i] for i in heads} - {ASK, ANSWER}))

    def step(self, step: CandidateStep) -> WalkResult:
        """Take one message."""
        result = self._calls(step.calls) if step.calls else self._text(step.text)
        self.log.append(result)
        self.answered = result.answered
        return result

    def _text(self, text: str) -> WalkResult:
        place = len(self.log)
        if not text:
            return WalkResult(False, reason="neither calls nor text")
        if place >= len(self._actions):
            self.raised = "a text after more steps than there are actions"
            return WalkResult(False, reason=self.raised)
        for point in self._points:
            for index in point.pending[:1] or self._singles(point):
                action = self._actions[index]
                if isinstance(action, Ask):
                    # Nothing is crossed out: whatever any open path does in this step may go on.
                    self._points = _unique(child for p in self._points for child in self._children(p))
                    return WalkResult(True, reply=action.reply)
                if isinstance(action, Answer):
                    return WalkResult(True, answered=True)
        return WalkResult(False, reason="text where the original's paths have none")

    def _calls(self, calls: Sequence[CandidateCall]) -> WalkResult:
        wanted = Counter(call.name for call in calls)
        chosen = next((taken for point in self._points if (taken := self._first(point, wanted))), None)
        if chosen is None:
            return WalkResult(False, reason="no path of the original's has these names here")
        if any(point.done == self._graph.everything and not point.pending for point in self._points):
            self.raised = "a path that is over is asked for its next step"
            return WalkResult(False, reason=self.raised)
        self._points = _unique(child for p in self._points if (child := self._follow(p, chosen)) is not None)
        # Calls and actions are paired by name, then by the raw text of their arguments.
        ordered = sorted(calls, key=lambda call: (call.name, call.raw_arguments))
        gold = sorted((self._names[i], _raw(self._actions[i]), i) for i in chosen)
        wrong: list[str] = []
        observations: dict[str, Any] = {}
        for call, (name, text, index) in zip(ordered, gold, strict=True):
            action = self._actions[index]
            observations[call.id] = action.observation if isinstance(action, Call) else None
            if name not in self._tools:
                continue  # an ask or answer called as if it were a tool: never checked
            verdict = _checked(self._tools[name], call.raw_arguments, text)
            if verdict != CORRECT:
                wrong.append(f"{name}: {verdict}")
        return WalkResult(True, wrong=tuple(wrong), observations=observations)

    def _ready(self, point: _Point) -> list[int]:
        mask = self._graph.ready(point.done)
        return [index for index in range(self._graph.size) if mask >> index & 1]

    def _run(self, ready: list[int], place: int) -> list[int]:
        """The run that begins at a place of the ready list."""
        name = self._names[ready[place]]
        end = place
        while end < len(ready) and self._names[ready[end]] == name:
            end += 1
        return ready[place:end]

    def _singles(self, point: _Point) -> list[int]:
        """Ready actions that can stand alone: the first of each name."""
        return list({self._names[i]: i for i in reversed(self._ready(point))}.values())[::-1]

    def _first(self, point: _Point, wanted: Counter[str]) -> tuple[int, ...] | None:
        """The first combination of these names that the original would list here."""
        if point.pending:
            head = point.pending[0]
            return (head,) if wanted == Counter([self._names[head]]) else None
        ready = self._ready(point)
        size = wanted.total()
        available = Counter(self._names[i] for i in ready)
        if any(number > available[name] for name, number in wanted.items()):
            return None
        seen: set[str] = set()
        for place, index in enumerate(ready):
            name = self._names[index]
            if name in wanted and name not in seen:
                run = self._run(ready, place)
                lead = run if len(run) > 1 and size > 1 else [index]
                if wanted[name] >= len(lead) and (taken := self._complete(ready, lead, wanted)):
                    return taken
            seen.add(name)
        return None

    def _complete(self, ready: list[int], lead: list[int], wanted: Counter[str]) -> tuple[int, ...] | None:
        """The first combination that begins with ``lead``, takes the names wanted, and is the first to read so.

        Taking the earliest action of any name still wanted, if what is left still suffices, gives both.
        """
        left = wanted - Counter(self._names[i] for i in lead)
        taken = list(lead)
        later = [i for i in ready if i > lead[-1]]
        while left.total():
            for place, index in enumerate(later):
                if left[self._names[index]] and not left - Counter(self._names[i] for i in later[place:]):
                    taken.append(index)
                    left -= Counter([self._names[index]])
                    later = later[place + 1 :]
                    break
            else:
                return None
        return tuple(taken)

    def _follow(self, point: _Point, chosen: tuple[int, ...]) -> _Point | None:
        """The point after a step of just these actions; None if no path here has it."""
        if point.pending:
            return _Point(point.done, point.pending[1:]) if chosen == point.pending[:1] else None
        ready = self._ready(point)
        later = iter(ready)
        for index in chosen:  # the first combination to read so takes the earliest of each name
            if next((i for i in later if self._names[i] == self._names[index]), None) != index:
                return None
        return self._after(point, ready, chosen)

    def _after(self, point: _Point, ready: list[int], taken: tuple[int, ...]) -> _Point | None:
        """The point after a combination that is the first to read so; None if its run forbids it."""
        start = ready.index(taken[0])
        run = self._run(ready, start)
        inside = start > 0 and self._names[ready[start - 1]] == self._names[taken[0]]
        if len(taken) > 1 and (inside or (len(run) > 1 and list(taken[: len(run)]) != run)):
            return None
        if len(taken) == 1 and len(run) > 1 and not inside:
            return _Point(point.done | sum(1 << i for i in run), tuple(run[1:]))
        return _Point(point.done | sum(1 << i for i in taken))

    def _children(self, point: _Point) -> Iterator[_Point]:
        """All points after one step, in the original's order. Needed after an ask only; 2 to the number ready."""
        if point.pending:
            yield _Point(point.done, point.pending[1:])
            return
        ready = self._ready(point)
        for size in range(1, len(ready) + 1):
            read: set[tuple[str, ...]] = set()
            for taken in combinations(ready, size):
                names = tuple(self._names[i] for i in taken)
                if names in read:
                    continue
                read.add(names)
                child = self._after(point, ready, taken)
                if child is not None:
                    yield child


def _checked(tool: JsonObject, got: str, gold: str) -> str:
    try:
        return check_arguments(_numbers_for_floats(tool), got, gold)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        return f"error: the original crashes on this schema ({type(error).__name__})"


def _numbers_for_floats(tool: JsonObject) -> JsonObject:
    """The tool as candidates see it: the original turns ``float`` into ``number`` before it asks them."""

    def mend(value: Any) -> Any:
        match value:
            case dict():
                return {k: "number" if k == "type" and v == "float" else mend(v) for k, v in value.items()}
            case list():
                return [mend(part) for part in value]
            case _:
                return value

    mended: JsonObject = mend(tool)
    return mended


def _name(action: Action) -> str:
    match action:
        case Call():
            return action.name
        case Ask():
            return ASK
        case Answer():
            return ANSWER


def _raw(action: Action) -> str:
    return json.dumps(action.arguments, ensure_ascii=False) if isinstance(action, Call) else "{}"


def _unique(points: Iterator[_Point]) -> list[_Point]:
    return list(dict.fromkeys(points))
