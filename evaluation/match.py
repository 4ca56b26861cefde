"""Matching a candidate's steps against a task's graph, step by step and without listing paths.

Two questions are kept apart, since names alone decide the first:

- *Can these steps be the start of a valid path?* The state is the set of action sets that the steps so far can have
  completed. Actions of one name with the same neighbours (twins) are interchangeable, so a set is kept as one count
  per class of twins; likewise whole branches of one shape are interchangeable, so their counts are sorted.
- *What is the most that can be right?* A best-first search over assignments of calls to actions, ordered by the right
  arguments given away. It goes straight through where the candidate is right, is optimal in any case, and goes on from
  where it stopped when the next step arrives. Which of its twins a wrong call took is left open until it matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import product

from evaluation.graph import Graph, bits

Counts = tuple[int, ...]
"""Actions done, by class of twins."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A graph with named actions, prepared for matching."""

    graph: Graph
    names: tuple[str, ...]
    """Name of each action."""
    twins: tuple[int, ...]
    """Classes of interchangeable actions, as sets."""
    waits: tuple[int, ...]
    """Of each class, the classes (as a set) that must be done before."""
    by_name: dict[str, tuple[int, ...]]
    """Classes by name."""
    branches: tuple[tuple[tuple[int, ...], ...], ...]
    """Groups of branches of one shape; a branch is its classes in corresponding order."""
    same: tuple[int, ...]
    """Of each action, its twins with the same gold arguments, itself included."""


def plan_of(graph: Graph, names: Sequence[str], contents: Sequence[Hashable] | None = None) -> Plan:
    """Prepare a graph. ``contents`` are hashable gold arguments; actions of equal contents are the same to a judge."""
    groups: dict[tuple[str, int, int], int] = {}
    for index, name in enumerate(names):
        key = (name, graph.before[index], graph.after[index])
        groups[key] = groups.get(key, 0) | 1 << index
    twins = tuple(groups.values())
    waits = tuple(
        sum(1 << other for other, members in enumerate(twins) if members & before) for (_, before, _) in groups
    )
    by_name: dict[str, list[int]] = {}
    for number, (name, _, _) in enumerate(groups):
        by_name.setdefault(name, []).append(number)
    class_of = {index: number for number, members in enumerate(twins) for index in bits(members)}
    contents = list(range(len(names))) if contents is None else contents
    same = tuple(
        sum(1 << other for other in bits(twins[class_of[i]]) if contents[other] == contents[i])
        for i in range(len(names))
    )
    return Plan(
        graph,
        tuple(names),
        twins,
        waits,
        {name: tuple(numbers) for name, numbers in by_name.items()},
        _branches(graph, names, twins),
        same,
    )


def _branches(graph: Graph, names: Sequence[str], twins: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Groups of two or more branches of one shape, beside one another between actions that all are ordered with."""
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
        classes = dict.fromkeys(number for i in members for number, twin in enumerate(twins) if twin >> i & 1)
        shapes.setdefault(shape, []).append(tuple(classes))
    # A class that spans branches (twins of one name on their own) is counted already.
    return tuple(
        tuple(group)
        for group in shapes.values()
        if len(group) > 1 and len({number for branch in group for number in branch}) == sum(map(len, group))
    )


PATIENCE = 400
"""Turns of the search after which it is asked whether the step can match at all. A candidate that is right needs one
turn a call; asking costs as much as the graph has sets of completed actions, some thousands on wide graphs."""

Judge = Callable[[object, int], bool]
"""Is this call (as the caller passed it) right for this action?"""


@dataclass(frozen=True, slots=True)
class _Node:
    """A partial assignment in the search."""

    lost: int
    """Right arguments given away so far."""
    assigned: int
    """Calls assigned so far."""
    right: int
    """Actions whose arguments are right."""
    wrong: Counts
    """By class, calls with wrong arguments: which twin each took is open."""
    ready: int
    """Classes that were ready when the current step began."""
    choice: int
    """Class that the last call took."""
    action: int
    """Action that the last call took rightly, or -1."""
    parent: _Node | None


class Matcher:
    """Fed one step at a time; after a step that does not match, what matched before stays to be read.

    ``judge`` says whether a call is right for an action of the same name; it is asked at most once a pair.
    """

    def __init__(self, plan: Plan, judge: Judge) -> None:
        self._plan = plan
        self._judge = judge
        self._sizes = tuple(members.bit_count() for members in plan.twins)
        self._counts: set[Counts] = {(0,) * len(plan.twins)}
        self._counted = 0  # steps that the counts take in: they are brought up to date only where they are needed
        self._names: list[Counter[str]] = []
        self._used: Counter[str] = Counter()
        self._calls: list[tuple[str, int]] = []  # name and actions it is right for, in search order
        self._starts: set[int] = set()  # numbers of calls that open a step
        self._order: list[list[int]] = []  # by step: number in search order of each call
        self._best = _Node(0, 0, 0, (0,) * len(plan.twins), 0, -1, -1, None)
        self._heap: list[tuple[int, int, int, _Node]] = [(0, 0, 0, self._best)]
        self._pushed = 0
        self._closed: set[Hashable] = set()
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
        return self._best.right.bit_count()

    def next_names(self) -> set[str]:
        """Names of which the next step may take at least one."""
        return {
            name
            for counts in self._reached()
            for name, numbers in self._plan.by_name.items()
            if any(counts[n] < self._sizes[n] and self._ready(n, counts) for n in numbers)
        }

    def step(self, calls: Sequence[tuple[str, object]]) -> bool:
        """Take a step of ``(name, call)`` pairs; False if no valid path goes on so, and then no step can follow."""
        names = Counter(name for name, _ in calls)
        plan = self._plan
        self._stuck = (
            self._stuck
            or not calls
            or any(
                self._used[name] + number > sum(self._sizes[n] for n in plan.by_name.get(name, ()))
                for name, number in names.items()
            )
        )
        if self._stuck:
            return False
        start = len(self._calls)
        judged = [(position, name, self._right(name, call)) for position, (name, call) in enumerate(calls)]
        # Choosy calls first: a call that is right nowhere can take what the others leave.
        judged.sort(key=lambda item: (not item[2], item[2].bit_count()))
        places = [0] * len(calls)
        for number, (position, name, right) in enumerate(judged):
            places[position] = start + number
            self._calls.append((name, right))
        self._starts.add(start)
        if not self._search(PATIENCE) and not (self._matches(names) and self._search(None)):
            self._stuck = True
            del self._calls[start:]
            return False
        self._used.update(names)
        self._names.append(names)
        self._order.append(places)
        return True

    def _right(self, name: str, call: object) -> int:
        """Actions that the call is right for, among those that could be open now."""
        plan, graph, done = self._plan, self._plan.graph, len(self._calls)
        right = asked = 0
        for number in plan.by_name[name]:
            for action in bits(plan.twins[number]):
                before, after = graph.before[action].bit_count(), graph.after[action].bit_count()
                # Too few calls for what it waits for, or so many that it must be done: it cannot be open.
                if asked >> action & 1 or before > done or done > graph.size - 1 - after:
                    continue
                asked |= plan.same[action]
                if self._judge(call, action):
                    right |= plan.same[action]
        return right

    def _reached(self) -> set[Counts]:
        """The counts that the steps so far can have reached."""
        for names in self._names[self._counted :]:
            self._counts = self._following(names)
            self._counted += 1
        return self._counts

    def _following(self, names: Counter[str]) -> set[Counts]:
        return {self._sorted(after) for counts in self._counts for after in self._after(counts, names)}

    def _matches(self, names: Counter[str]) -> bool:
        """Can a step of these names follow? Decided by names alone, over all that can have been reached."""
        self._reached()
        return any(True for counts in self._counts for _ in self._after(counts, names))

    def assignment(self) -> list[list[tuple[int, bool]]]:
        """By step and call: the action that it took in the best assignment, and whether it is right for it."""
        taken: list[tuple[int, int]] = []
        node: _Node | None = self._best
        while node is not None and node.parent is not None:
            taken.append((node.choice, node.action))
            node = node.parent
        taken.reverse()
        free = [members & ~self._best.right for members in self._plan.twins]
        actions: list[tuple[int, bool]] = []
        for choice, action in taken:
            if action < 0:
                low = free[choice] & -free[choice]
                free[choice] ^= low
                actions.append((low.bit_length() - 1, False))
            else:
                actions.append((action, True))
        return [[actions[number] for number in places] for places in self._order]

    def _ready(self, number: int, counts: Counts) -> bool:
        return all(counts[other] == self._sizes[other] for other in bits(self._plan.waits[number]))

    def _after(self, counts: Counts, names: Counter[str]) -> Iterator[Counts]:
        """Counts after a step of these names, all ways."""
        options = []
        for name, wanted in names.items():
            open_classes = [
                (n, self._sizes[n] - counts[n])
                for n in self._plan.by_name[name]
                if counts[n] < self._sizes[n] and self._ready(n, counts)
            ]
            shares = list(_shares(wanted, open_classes))
            if not shares:
                return
            options.append(shares)
        for chosen in product(*options):
            after = list(counts)
            for share in chosen:
                for number, taken in share:
                    after[number] += taken
            yield tuple(after)

    def _sorted(self, counts: Counts) -> Counts:
        """The representative of all counts that differ by swapping branches of one shape."""
        if not self._plan.branches:
            return counts
        result = list(counts)
        for group in self._plan.branches:
            for branch, values in zip(group, sorted(tuple(counts[n] for n in branch) for branch in group), strict=True):
                for number, value in zip(branch, values, strict=True):
                    result[number] = value
        return tuple(result)

    def _search(self, patience: int | None) -> bool:
        """Go on until one assignment of all calls is found that no other can beat. False if there is none, or if it was
        not found within ``patience`` turns."""
        turns = 0
        while self._heap and (patience is None or turns < patience):
            # Cheapest first, then the one that is furthest, then the one that came first.
            node = self._heap[0][-1]
            if node.assigned == len(self._calls):
                self._best = node
                return True  # it stays in the heap: the next step goes on from it
            heappop(self._heap)
            key = self._future(node)
            if key in self._closed:
                continue
            self._closed.add(key)
            turns += 1
            for child in self._children(node):
                self._pushed += 1
                heappush(self._heap, (child.lost, -child.assigned, self._pushed, child))
        return False

    def _future(self, node: _Node) -> Hashable:
        """What of a state matters for what may follow: how many of each class are done, and, of classes begun but not
        full, which were taken rightly. Of states with one future the cheapest comes first, and is enough."""
        open_right = 0
        counts = []
        for members, wrong, size in zip(self._plan.twins, node.wrong, self._sizes, strict=True):
            right = node.right & members
            taken = right.bit_count() + wrong
            counts.append(taken)
            if taken < size:
                open_right |= right
        inside = node.assigned not in self._starts
        return node.assigned, tuple(counts), open_right, node.ready if inside else 0

    def _children(self, node: _Node) -> Iterator[_Node]:
        plan, number = self._plan, node.assigned
        name, right = self._calls[number]
        ready = node.ready
        if number in self._starts:
            full = [
                (node.right & members).bit_count() + wrong == size
                for members, wrong, size in zip(plan.twins, node.wrong, self._sizes, strict=True)
            ]
            ready = sum(1 << n for n, waits in enumerate(plan.waits) if all(full[other] for other in bits(waits)))
        for n in plan.by_name[name]:
            members = plan.twins[n]
            taken = (node.right & members).bit_count() + node.wrong[n]
            if not ready >> n & 1 or taken == self._sizes[n]:
                continue
            fitting = right & members & ~node.right
            if fitting:
                # Giving a right twin away to take a wrong one never helps: whoever takes it later could swap.
                while fitting:
                    low = fitting & -fitting
                    action = low.bit_length() - 1
                    fitting &= ~plan.same[action]
                    yield _Node(node.lost, node.assigned + 1, node.right | low, node.wrong, ready, n, action, node)
            else:
                wrong = (*node.wrong[:n], node.wrong[n] + 1, *node.wrong[n + 1 :])
                yield _Node(node.lost + bool(right), node.assigned + 1, node.right, wrong, ready, n, -1, node)


def _shares(wanted: int, room: list[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], ...]]:
    """All ways to take ``wanted`` from places with room: tuples of (place, number), zeros left out."""
    if sum(space for _, space in room) < wanted:
        return
    if not room:
        yield ()
        return
    (place, space), *others = room
    for taken in range(min(wanted, space) + 1):
        for rest in _shares(wanted - taken, others):
            yield ((place, taken), *rest) if taken else rest
