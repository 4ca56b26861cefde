"""The graph of a task's actions: readiness, depth, the exact number of paths, and lazy listing.

A set of actions is an integer whose bit ``i`` stands for action ``i``. A *path* is an ordered partition of the
actions into steps in which each action comes in a later step than all it depends on; its depth is its number of steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb

from wildtool.schemas.errors import InputError


def bits(mask: int) -> Iterator[int]:
    """The members of a set, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True, slots=True)
class Graph:
    """A directed acyclic graph of actions, closed under transitivity."""

    before: tuple[int, ...]
    """Of each action, all that must be done before it (closed under transitivity)."""
    after: tuple[int, ...]
    """Of each action, all that wait for it."""

    @property
    def size(self) -> int:
        """Number of actions."""
        return len(self.before)

    @property
    def everything(self) -> int:
        """The set of all actions."""
        return (1 << len(self.before)) - 1

    def ready(self, done: int) -> int:
        """Actions that are not done and wait for nothing that is not done."""
        found, bit = 0, 1
        for before in self.before:
            if not bit & done and before & done == before:
                found |= bit
            bit <<= 1
        return found


def graph_of(depends_on: Sequence[Sequence[int]]) -> Graph:
    """The graph in which action ``i`` depends on ``depends_on[i]``. Raises ``InputError`` on cycles and bad indexes."""
    size = len(depends_on)
    before = [0] * size
    for index, on in enumerate(depends_on):
        for other in on:
            if not 0 <= other < size or other == index:
                raise InputError(f"action {index} depends on {other}, which is no other action", "mend depends_on")
            before[index] |= 1 << other
    done, left = 0, set(range(size))
    while left:
        ready = [index for index in left if not before[index] & ~done]
        if not ready:
            raise InputError("the dependencies form a cycle", "mend depends_on")
        for index in ready:
            for other in bits(before[index]):
                before[index] |= before[other]
        for index in ready:
            done |= 1 << index
        left.difference_update(ready)
    after = [0] * size
    for index in range(size):
        for other in bits(before[index]):
            after[other] |= 1 << index
    return Graph(tuple(before), tuple(after))


def depth(graph: Graph, alone: int = 0) -> int:
    """Fewest steps that do all actions: the longest chain, where no action must stand ``alone``.

    Actions of ``alone`` (asks: one message cannot both ask and call) share no step with others.
    """

    @cache
    def fewest(done: int) -> int:
        ready = graph.ready(done)
        if not ready:
            return 0
        # Doing every ready call at once is never worse than doing some of them: it only makes more ready.
        together = ready & ~alone
        options = [done | together] if together else []
        options += [done | 1 << index for index in bits(ready & alone)]
        return 1 + min(map(fewest, options))

    return fewest(0)


def count_paths(graph: Graph) -> int:
    """The exact number of paths, without listing them."""
    return sum(count_by_depth(graph))


def count_by_depth(graph: Graph) -> list[int]:
    """Number of paths by depth: entry ``k`` counts the paths of ``k`` steps; length ``size + 1``.

    Series and parallel parts are counted apart and composed, which takes polynomial time; what is neither
    (an N among the dependencies) is split by its first step, remembered by what is left.
    """
    remembered: dict[int, list[int]] = {}

    def count(part: int) -> list[int]:
        if not part & (part - 1):
            return [0, 1] if part else [1]
        known = remembered.get(part)
        if known is None:
            pieces = _pieces(graph, part, joined=True)
            if len(pieces) > 1:
                known = _beside([count(piece) for piece in pieces])
            else:
                pieces = _pieces(graph, part, joined=False)
                known = _behind([count(piece) for piece in pieces]) if len(pieces) > 1 else first_steps(part)
            remembered[part] = known
        return known

    def first_steps(part: int) -> list[int]:
        total = [0] * (part.bit_count() + 1)
        minimal = sum(1 << index for index in bits(part) if not graph.before[index] & part)
        step = minimal
        while step:
            for steps, paths in enumerate(count(part & ~step)):
                total[steps + 1] += paths
            step = (step - 1) & minimal
        return total

    return count(graph.everything)


def _pieces(graph: Graph, part: int, *, joined: bool) -> list[int]:
    """Connected pieces of ``part`` when two actions touch if they are ordered (``joined``) or if they are not."""
    pieces = []
    while part:
        piece = frontier = part & -part
        while frontier:
            touched = 0
            for index in bits(frontier):
                ordered = graph.before[index] | graph.after[index]
                touched |= ordered if joined else ~ordered
            frontier = touched & part & ~piece
            piece |= frontier
        pieces.append(piece)
        part &= ~piece
    return pieces


def _behind(parts: list[list[int]]) -> list[int]:
    """Counts by depth of parts that follow one another: depths add."""
    total = [1]
    for counts in parts:
        longer = [0] * (len(total) + len(counts) - 1)
        for i, left in enumerate(total):
            for j, right in enumerate(counts):
                longer[i + j] += left * right
        total = longer
    return total


def _beside(parts: list[list[int]]) -> list[int]:
    """Counts by depth of parts that do not touch.

    The number of ways to place a part into ``k`` numbered steps, some perhaps empty, multiplies over parts;
    inclusion and exclusion takes the empty steps out again.
    """
    most = sum(len(counts) - 1 for counts in parts)
    placed = [1] * (most + 1)
    for counts in parts:
        for k in range(most + 1):
            placed[k] *= sum(comb(k, steps) * paths for steps, paths in enumerate(counts))
    return [sum((-1) ** (k - j) * comb(k, j) * placed[j] for j in range(k + 1)) for k in range(most + 1)]


def list_paths(graph: Graph) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All paths, one at a time: tuples of steps, each a tuple of ascending action indexes. The widest steps come first.

    The number grows faster than exponentially (``count_paths``): take what you need.
    """

    def extend(done: int) -> Iterator[tuple[tuple[int, ...], ...]]:
        ready = graph.ready(done)
        if not ready:
            yield ()
        step = ready
        while step:
            for rest in extend(done | step):
                yield (tuple(bits(step)), *rest)
            step = (step - 1) & ready

    return extend(0)


def critical_path(graph: Graph, costs: Sequence[float]) -> float:
    """Cost of the dearest chain, where action ``i`` costs ``costs[i]``: no path can cost less.

    A path costs the sum over its steps of the dearest action in each.
    """
    dearest: dict[int, float] = {}
    for index in sorted(range(graph.size), key=lambda i: graph.before[i].bit_count()):
        dearest[index] = costs[index] + max((dearest[other] for other in bits(graph.before[index])), default=0.0)
    return max(dearest.values(), default=0.0)
