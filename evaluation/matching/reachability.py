"""Which sets of actions a sequence of named steps can have completed: names alone, arguments do not count.

Sets that can serve for others are not kept. Of two ready actions of one name, the one that frees at least what the
other frees *dominates* it: any way to go on that takes the other now can take both the other way round, so that only
dominating actions need be tried. Branches of one shape are interchangeable, so that sets which differ by swapping them
are kept once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product

from wildtool.evaluation.matching.graph import Graph, bits

Branches = tuple[tuple[tuple[int, ...], ...], ...]
"""Groups of branches of one shape; a branch is its actions in corresponding order."""


def dominated_by(graph: Graph, alike: Sequence[int]) -> tuple[int, ...]:
    """Of each action, the others of its name that it dominates wherever both are ready: what waits for them waits for
    it too. Of two that free the same, the first dominates."""
    found = []
    for index, others in enumerate(alike):
        after = graph.after[index]
        below = 0
        for other in bits(others & ~(1 << index)):
            theirs = graph.after[other]
            if not theirs & ~after and (theirs != after or index < other):
                below |= 1 << other
        found.append(below)
    return tuple(found)


def branches_of(graph: Graph, names: Sequence[str]) -> Branches:
    """Groups of two or more branches of one shape, beside one another between actions that all are ordered with.

    Branches of a single action are left out: they dominate one another.
    """
    everything = graph.everything
    joints = sum(
        1 << i for i in range(graph.size) if (graph.before[i] | graph.after[i] | 1 << i) & everything == everything
    )
    rest = everything & ~joints
    shapes: dict[Hashable, list[tuple[int, ...]]] = {}
    while rest:
        branch = frontier = rest & -rest
        while frontier:
            touched = 0
            for index in bits(frontier):
                touched |= graph.before[index] | graph.after[index]
            frontier = touched & rest & ~branch
            branch |= frontier
        rest &= ~branch
        members = list(bits(branch))
        place = {index: position for position, index in enumerate(members)}
        shape = tuple(
            (names[i], tuple(place[other] for other in bits(graph.before[i] & branch)), graph.before[i] & joints)
            for i in members
        )
        shapes.setdefault(shape, []).append(tuple(members))
    return tuple(tuple(group) for group in shapes.values() if len(group) > 1 and len(group[0]) > 1)


class Reach:
    """The sets that the steps so far can have completed. Brought up to date only when asked: mostly nobody asks."""

    def __init__(self, graph: Graph, named: Mapping[str, int], below: Sequence[int], branches: Branches) -> None:
        self._graph = graph
        self._named = named
        self._below = below
        self._branches = [(group, sum(1 << i for branch in group for i in branch)) for group in branches]
        self._chosen: dict[tuple[int, int], list[int]] = {}
        self._swapped: dict[tuple[int, int], int] = {}
        self._sets = {0}
        self._waiting: list[Counter[str]] = []

    def add(self, names: Counter[str]) -> None:
        """Take a step that is known to follow."""
        self._waiting.append(names)

    def follows(self, names: Counter[str]) -> bool:
        """Can a step of these names follow?"""
        return any(True for done in self._reached() for _ in self._after(done, names))

    def next_names(self) -> set[str]:
        """Names of which the next step may take at least one."""
        ready = 0
        for done in self._reached():
            ready |= self._graph.ready(done)
        return {name for name, members in self._named.items() if members & ready}

    def _reached(self) -> set[int]:
        for names in self._waiting:
            self._sets = {self._sorted(after) for done in self._sets for after in self._after(done, names)}
        self._waiting.clear()
        return self._sets

    def _after(self, done: int, names: Counter[str]) -> Iterator[int]:
        """The sets after a step of these names, as far as none can serve for another."""
        ready = self._graph.ready(done)
        options = []
        for name, wanted in names.items():
            choices = list(self._choices(ready & self._named.get(name, 0), wanted))
            if not choices:
                return
            options.append(choices)
        for chosen in product(*options):
            after = done
            for taken in chosen:
                after |= taken
            yield after

    def _choices(self, ready: int, wanted: int) -> list[int]:
        """Sets of so many ready actions that hold, with each action, all that dominate it."""
        known = self._chosen.get((ready, wanted))
        if known is None:
            found = {0} if ready.bit_count() >= wanted else set()
            for _ in range(wanted):
                found = {taken | 1 << action for taken in found for action in self._leaders(ready & ~taken)}
            known = self._chosen[ready, wanted] = list(found)
        return known

    def _leaders(self, ready: int) -> Iterator[int]:
        """Ready actions that no other dominates."""
        dominated = 0
        for action in bits(ready):
            dominated |= self._below[action]
        return bits(ready & ~dominated)

    def _sorted(self, done: int) -> int:
        """The representative of all sets that differ by swapping branches of one shape."""
        for number, (group, members) in enumerate(self._branches):
            inside = done & members
            known = self._swapped.get((number, inside))
            if known is None:
                patterns = sorted(sum(1 << place for place, i in enumerate(b) if inside >> i & 1) for b in group)
                known = self._swapped[number, inside] = sum(
                    1 << i
                    for branch, pattern in zip(group, patterns, strict=True)
                    for place, i in enumerate(branch)
                    if pattern >> place & 1
                )
            done = done & ~members | known
        return done
