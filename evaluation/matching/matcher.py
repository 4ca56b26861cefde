"""Matching a candidate's steps against a task's graph, step by step and without listing paths.

Two questions are kept apart, since names alone decide the first:

- *Can these steps be the start of a valid path?* The state is the set of action sets that the steps so far can have
  completed (``wildtool.evaluation.matching.reachability``). It is asked only where no assignment is found at once.
- *What is the most that can be right?* The best assignment of the steps so far is kept and carried on. Where it cannot
  take a further step without giving away something right, a best-first search looks for a better one
  (``wildtool.evaluation.matching.assignment``): optimal, not greedy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from wildtool.evaluation.matching.assignment import Call, Search
from wildtool.evaluation.matching.graph import Graph, bits
from wildtool.evaluation.matching.reachability import Reach, branches_of, dominated_by

PATIENCE = 400
"""Turns of the search after which it is asked whether the step can match at all. A candidate that is right needs none;
asking costs more than a short search, and less than a long one that must fail."""

Judge = Callable[[object, int], bool]
"""Is this call (as the caller passed it) right for this action?"""


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph with named actions, prepared for matching."""

    graph: Graph
    names: tuple[str, ...]
    """Name of each action."""
    named: dict[str, int]
    """Actions by name, as sets."""
    same: tuple[int, ...]
    """Of each action, those of its name with equal gold arguments, itself included."""
    below: tuple[int, ...]
    """Of each action, the others of its name that free nothing it does not free (``reach.dominated_by``)."""
    branches: tuple[tuple[tuple[int, ...], ...], ...]
    """Groups of branches of one shape; a branch is its actions in corresponding order."""


def plan_of(graph: Graph, names: Sequence[str], contents: Sequence[Hashable] | None = None) -> Plan:
    """Prepare a graph. ``contents`` are hashable gold arguments; actions of equal contents are the same to a judge."""
    named: dict[str, int] = {}
    alike: dict[Hashable, int] = {}
    contents = range(len(names)) if contents is None else contents
    for index, (name, content) in enumerate(zip(names, contents, strict=True)):
        named[name] = named.get(name, 0) | 1 << index
        alike[name, content] = alike.get((name, content), 0) | 1 << index
    return Plan(
        graph,
        tuple(names),
        named,
        tuple(alike[name, content] for name, content in zip(names, contents, strict=True)),
        dominated_by(graph, [named[name] for name in names]),
        branches_of(graph, names),
    )


class Matcher:
    """Fed one step at a time; after a step that does not match, what matched before stays to be read.

    ``judge`` says whether a call is right for an action of the same name; it is asked at most once a pair.
    """

    def __init__(self, plan: Plan, judge: Judge) -> None:
        self._plan = plan
        self._judge = judge
        self._reach = Reach(plan.graph, plan.named, plan.below, plan.branches)
        self._used: Counter[str] = Counter()
        self._calls: list[Call] = []  # in search order: within a step, the choosiest first
        self._order: list[list[int]] = []  # by step: number in search order of each call
        self._taken: list[int] = []  # action of each call in the best assignment
        self._done = 0
        self._right = 0
        self._stuck = False

    @property
    def steps_matched(self) -> int:
        """Steps taken so far."""
        return len(self._order)

    @property
    def calls_matched(self) -> int:
        """Calls in those steps: actions done."""
        return len(self._calls)

    @property
    def complete(self) -> bool:
        """All actions are done."""
        return len(self._calls) == self._plan.graph.size

    @property
    def calls_right(self) -> int:
        """Most calls that are right over all ways to match the steps."""
        return self._right

    def next_names(self) -> set[str]:
        """Names of which the next step may take at least one."""
        return self._reach.next_names()

    def step(self, calls: Sequence[tuple[str, object]]) -> bool:
        """Take a step of ``(name, call)`` pairs; False if no valid path goes on so, and then no step can follow."""
        names = Counter(name for name, _ in calls)
        self._stuck = (
            self._stuck
            or not calls
            or any(
                self._used[name] + number > self._plan.named.get(name, 0).bit_count() for name, number in names.items()
            )
        )
        if self._stuck:
            return False
        start, step = len(self._calls), len(self._order)
        judged = [(position, Call(step, name, self._fits(name, call))) for position, (name, call) in enumerate(calls)]
        # Choosy calls first: a call that is right nowhere can take what the others leave.
        judged.sort(key=lambda item: (not item[1].right, item[1].right.bit_count()))
        places = [0] * len(calls)
        for number, (position, made) in enumerate(judged):
            places[position] = start + number
            self._calls.append(made)
        if not self._go_on(start) and not self._search(names):
            self._stuck = True
            del self._calls[start:]
            return False
        self._used.update(names)
        self._reach.add(names)
        self._order.append(places)
        return True

    def _fits(self, name: str, call: object) -> int:
        """Actions that the call is right for, among those that could be open now."""
        plan, graph, done = self._plan, self._plan.graph, len(self._calls)
        right = asked = 0
        for action in bits(plan.named[name]):
            before, after = graph.before[action].bit_count(), graph.after[action].bit_count()
            # Too few calls for what it waits for, or so many that it must be done: it cannot be open.
            if asked >> action & 1 or before > done or done > graph.size - 1 - after:
                continue
            asked |= plan.same[action]
            if self._judge(call, action):
                right |= plan.same[action]
        return right

    def _go_on(self, start: int) -> bool:
        """Carry the best assignment on. False where that gives something right away, so that another may be better."""
        plan = self._plan
        ready, done, taken = plan.graph.ready(self._done), self._done, []
        for call in self._calls[start:]:
            open_now = ready & plan.named[call.name] & ~done
            choices = open_now & call.right
            if (call.right and not choices) or not open_now:
                return False
            action = self._leader(choices or open_now)
            taken.append(action)
            done |= 1 << action
        # No prefix can have more right than the one before it and every new call that is right for anything.
        self._taken += taken
        self._done = done
        self._right += sum(1 for call in self._calls[start:] if call.right)
        return True

    def _leader(self, choices: int) -> int:
        """The first of these actions that frees the most."""
        after = self._plan.graph.after
        return max(bits(choices), key=lambda action: (after[action].bit_count(), -action))

    def _search(self, names: Counter[str]) -> bool:
        plan = self._plan
        # A call that was lost stays lost, whatever follows: no more can be right than before, and the new calls.
        least = sum(1 for call in self._calls[: len(self._taken)] if call.right) - self._right
        search = Search(plan.graph, plan.named, plan.below, plan.branches, self._calls, least)
        found = search.run(PATIENCE)
        if found is None and self._reach.follows(names):
            found = search.run(None)
        if found is None:
            return False
        self._taken, self._right = found
        self._done = sum(1 << action for action in self._taken)
        return True

    def assignment(self) -> list[list[tuple[int, bool]]]:
        """By step and call: the action that it took in the best assignment, and whether it is right for it."""
        return [
            [(self._taken[number], bool(self._calls[number].right >> self._taken[number] & 1)) for number in places]
            for places in self._order
        ]
