"""The assignment of calls to actions with the most right arguments, over all valid paths: a best-first search.

A call is *lost* if it is right for some action and takes another. The search prefers what has lost least, and counts
as lost already what must be lost later:

- calls that are right for the same actions only, where more of them are left than of these actions;
- of calls that exclude one another, all but one. A call right for ``a`` alone excludes one right for ``b`` alone if
  ``b`` waits for ``a`` and yet was called no later, or if ``a`` is ``b``. Being excluded goes on from call to call like
  an order, so that all calls fall into chains, each of which can have one right; the fewest chains are found by
  augmenting paths (Dilworth).

Two rules keep the search narrow, and neither loses an optimum. Of two ready actions, the one that frees at least what
the other frees, is right for this call if the other is, and is right for no later call that the other is not right
for, serves for both. And states that differ by swapping branches of one shape that are as right for all later calls
are one state.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from wildtool.evaluation.matching.graph import Graph, bits
from wildtool.evaluation.matching.reachability import Branches


@dataclass(frozen=True, slots=True)
class Call:
    """A call, as the search sees it."""

    step: int
    """Number of its step; calls of one step are made at once."""
    name: str
    """Name of the function."""
    right: int
    """Actions that it is right for."""


@dataclass(frozen=True, slots=True)
class _Node:
    """A partial assignment."""

    number: int
    """Calls assigned."""
    done: int
    """Actions taken."""
    ready: int
    """Actions that were ready when the step of the next call began."""
    action: int
    """Action that the last call took."""
    parent: _Node | None


class _Group:
    """Calls of which at most so many can be right as there are actions left for them, or as the group has room."""

    __slots__ = ("_calls", "_chain", "_right")

    def __init__(self, calls: list[int], right: list[int], *, chain: bool) -> None:
        self._calls = calls  # ascending
        self._right = right
        self._chain = chain

    def lost(self, number: int, done: int) -> int:
        """Calls from ``number`` on that cannot be right any more once the actions ``done`` are taken."""
        left = 0
        useful = 0
        for call, right in zip(self._calls, self._right, strict=True):
            if call >= number:
                left += 1
                useful |= right & ~done
        most = min(1, useful) if self._chain else useful.bit_count()
        return left - most if left > most else 0


def _path(node: _Node) -> list[int]:
    taken = []
    while node.parent is not None:
        taken.append(node.action)
        node = node.parent
    return taken[::-1]


class Search:
    """A search for the best assignment of these calls, which come in the order of their steps.

    ``named``, ``below`` and ``branches`` are those of ``match.Plan``. ``least`` is a number of calls that are lost in any
    case: what cannot be had need not be looked for.
    """

    def __init__(
        self,
        graph: Graph,
        named: Mapping[str, int],
        below: Sequence[int],
        branches: Branches,
        calls: Sequence[Call],
        least: int,
    ) -> None:
        self._least = least
        self._graph = graph
        self._named = named
        self._below = below
        self._branches = branches
        self._calls = calls
        self._right_calls = [0] * graph.size  # of each action, the calls that are right for it
        for number, call in enumerate(calls):
            for action in bits(call.right):
                self._right_calls[action] |= 1 << number
        twins: dict[int, int] = {}
        for action, right in enumerate(self._right_calls):
            twins[right] = twins.get(right, 0) | 1 << action
        self._twins = [twins[right] for right in self._right_calls]  # right for the same calls
        last: dict[int, int] = {}
        for action, right in enumerate(self._right_calls):
            last[right.bit_length()] = last.get(right.bit_length(), 0) | 1 << action
        self._useless = []  # by number of the next call: actions that no call from there on is right for
        useless = 0
        for number in range(len(calls) + 1):
            useless |= last.get(number, 0)
            self._useless.append(useless)
        self._groups = self._grouped()
        self._groups_of: list[list[int]] = [[] for _ in range(graph.size)]
        self._group_of_call = [-1] * len(calls)
        for place, (members, _) in enumerate(self._groups):
            rights = 0
            for number in members:
                self._group_of_call[number] = place
                rights |= calls[number].right
            for action in bits(rights):
                self._groups_of[action].append(place)
        root = _Node(0, 0, graph.ready(0), -1, None)
        lost = sum(group.lost(0, 0) for _, group in self._groups)
        self._heap: list[tuple[int, int, int, int, _Node]] = [(max(lost, least), 0, lost, 0, root)]
        # Least lost on the way to each state. A state can be reached again with less lost, since ``least`` makes the
        # search take whatever is furthest as long as no more than that is lost.
        self._closed: dict[Hashable, int] = {}
        self._pushed = 0

    def _grouped(self) -> list[tuple[list[int], _Group]]:
        """All calls that are right for anything, in groups of which each gives a bound."""
        single: list[int] = []
        shared: dict[int, list[int]] = {}
        for number, call in enumerate(self._calls):
            if call.right and not call.right & (call.right - 1):
                single.append(number)
            elif call.right:
                shared.setdefault(call.right, []).append(number)
        parts = [(chain, True) for chain in self._chains(single)] + [(part, False) for part in shared.values()]
        return [
            (members, _Group(members, [self._calls[n].right for n in members], chain=chain)) for members, chain in parts
        ]

    def _chains(self, single: list[int]) -> list[list[int]]:
        """The fewest chains of calls that exclude one another, each right for one action alone."""
        excluded = []
        for number in single:
            call = self._calls[number]
            action = call.right.bit_length() - 1
            others = 0
            for place, other in enumerate(single):
                made = self._calls[other]
                if made.right == call.right:
                    others |= (number > other) << place
                elif self._graph.after[action] & made.right and call.step >= made.step:
                    others |= 1 << place
            excluded.append(others)
        behind: dict[int, int] = {}  # by place: the place before it in its chain

        def settle(row: int, tried: list[int]) -> bool:
            while options := excluded[row] & ~tried[0]:
                column = (options & -options).bit_length() - 1
                tried[0] |= 1 << column
                if column not in behind or settle(behind[column], tried):
                    behind[column] = row
                    return True
            return False

        for row in range(len(single)):
            settle(row, [0])
        following = {row: column for column, row in behind.items()}
        chains = []
        for start in range(len(single)):
            if start not in behind:
                chain, here = [], start
                while True:
                    chain.append(single[here])
                    if here not in following:
                        break
                    here = following[here]
                chains.append(sorted(chain))
        return chains

    def run(self, patience: int | None) -> tuple[list[int], int] | None:
        """The action of each call, and how many calls are right. None if no path takes these calls, or if none was
        found within ``patience`` turns; the search can then be run on."""
        heap, closed = self._heap, self._closed
        turns = 0
        while heap and (patience is None or turns < patience):
            # Cheapest first, then the one that is furthest, then the one that came first.
            _, _, lost, _, node = heappop(heap)
            if node.number == len(self._calls):
                return _path(node), sum(1 for call in self._calls if call.right) - lost
            key = self._future(node)
            if closed.get(key, lost + 1) <= lost:
                continue
            closed[key] = lost
            turns += 1
            for action in self._choices(node):
                child = self._child(node, action)
                self._pushed += 1
                further = lost + self._further(node, child)
                heappush(heap, (max(further, self._least), -child.number, further, self._pushed, child))
        return None

    def _choices(self, node: _Node) -> list[int]:
        """Ready actions for the next call that no other serves for."""
        call = self._calls[node.number]
        open_now = node.ready & self._named[call.name] & ~node.done
        right, useless = open_now & call.right, self._useless[node.number + 1]
        dominated = 0
        for action in bits(open_now):
            lesser = self._below[action] & open_now
            if not right >> action & 1:
                lesser &= ~right
            if not useless >> action & 1:
                lesser &= self._twins[action]
            dominated |= lesser
        wrong = open_now & ~right & ~dominated
        return [*bits(right & ~dominated), *bits(wrong)]

    def _child(self, node: _Node, action: int) -> _Node:
        number, done = node.number + 1, node.done | 1 << action
        ready = node.ready
        if number < len(self._calls) and self._calls[number].step != self._calls[number - 1].step:
            ready = self._graph.ready(done)
        return _Node(number, done, ready, action, node)

    def _further(self, node: _Node, child: _Node) -> int:
        """Calls that are lost by this step of the search, now or later."""
        call = self._calls[node.number]
        lost = int(bool(call.right) and not call.right >> child.action & 1)
        touched = set(self._groups_of[child.action])
        if self._group_of_call[node.number] >= 0:
            touched.add(self._group_of_call[node.number])
        for place in touched:
            group = self._groups[place][1]
            lost += group.lost(child.number, child.done) - group.lost(node.number, node.done)
        return lost

    def _future(self, node: _Node) -> Hashable:
        """What of a state matters for what may follow."""
        inside = node.number and self._calls[node.number - 1].step == self._calls[node.number].step
        ready = node.ready if inside else 0
        if not self._branches:
            return node.number, node.done, ready
        done = node.done
        swapped = []
        for group in self._branches:
            patterns = []
            for branch in group:
                patterns.append(
                    tuple(
                        (done >> i & 1, ready >> i & 1, 0 if done >> i & 1 else self._right_calls[i] >> node.number)
                        for i in branch
                    )
                )
                for i in branch:
                    done &= ~(1 << i)
            swapped.append(tuple(sorted(patterns)))
        return node.number, done, ready & done, tuple(swapped)
