"""Small graphs, and steps of a candidate that mostly follow one of their paths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from hypothesis import strategies as st

from wildtool.evaluation.matching.assignment import Call
from wildtool.evaluation.matching.graph import Graph


@st.composite
def dags(draw, most: int = 6) -> list[list[int]]:
    size = draw(st.integers(1, most))
    order = draw(st.permutations(range(size)))  # dependencies need not point backwards in the list
    depends: list[list[int]] = [[] for _ in range(size)]
    for position, index in enumerate(order):
        depends[index] = [other for other in order[:position] if draw(st.booleans())]
    return depends


@st.composite
def attempts(draw):
    """A graph with names and contents from small alphabets, and steps that mostly follow one of its paths."""
    depends = draw(dags())
    size = len(depends)
    names = [draw(st.sampled_from("abc")) for _ in range(size)]
    contents = [draw(st.integers(0, 2)) for _ in range(size)]
    done: set[int] = set()
    steps = []
    while len(done) < size and draw(st.integers(0, 9)) > 0:
        ready = [i for i in range(size) if i not in done and done.issuperset(depends[i])]
        taken = draw(st.lists(st.sampled_from(ready), min_size=1, unique=True))
        done.update(taken)
        step = []
        for i in taken:
            name = names[i] if draw(st.integers(0, 19)) else draw(st.sampled_from("abcd"))
            step.append((name, contents[i] if draw(st.integers(0, 3)) else draw(st.integers(0, 3))))
        if not draw(st.integers(0, 19)):
            step.append((draw(st.sampled_from("abc")), 0))
        steps.append(step)
    return depends, names, contents, steps


@st.composite
def branches(draw) -> tuple[list[list[int]], list[str], list[Call]]:
    """8 to 12 actions in equal branches, sometimes between a first and a last one, and calls in a valid order of names.

    Contents come from a small alphabet, so that a call is right for actions of several branches or of none.
    """
    width, length = draw(st.sampled_from([(2, 4), (4, 2), (3, 3), (5, 2), (2, 5), (4, 3), (3, 4), (6, 2)]))
    forked = draw(st.booleans())
    depends: list[list[int]] = []
    for _ in range(width):
        start = len(depends)
        for place in range(length):
            depends.append([start + (0 if forked else place - 1)] if place else [])
    shape = [draw(st.sampled_from("aab")) for _ in range(length)]
    names = shape * width
    if width * length < 12 and draw(st.booleans()):
        depends.append(list(range(width * length)))
        names.append("a")
    size = len(depends)
    contents = [draw(st.integers(0, 3)) for _ in range(size)]
    calls: list[Call] = []
    left, step = set(range(size)), 0
    while left and draw(st.integers(0, 11)):
        ready = sorted(i for i in left if left.isdisjoint(depends[i]))
        taken = draw(st.lists(st.sampled_from(ready), min_size=1, max_size=2, unique=True))
        left.difference_update(taken)
        for i in taken:
            content = contents[i] if draw(st.integers(0, 2)) else draw(st.integers(0, 4))
            right = sum(1 << j for j in range(size) if names[j] == names[i] and contents[j] == content)
            calls.append(Call(step, names[i], right))
        step += 1
    return depends, names, calls


def best_of_all(graph: Graph, names: Sequence[str], calls: Sequence[Call]) -> int:
    """Most right calls over all valid assignments, by going through all sets of done actions; -1 where there is none."""

    @cache
    def best(number: int, done: int, ready: int) -> int:
        if number == len(calls):
            return 0
        call = calls[number]
        if number and calls[number - 1].step != call.step:
            ready = graph.ready(done)
        found = -1
        for action, name in enumerate(names):
            if name == call.name and ready >> action & 1 and not done >> action & 1:
                rest = best(number + 1, done | 1 << action, ready)
                if rest >= 0:
                    found = max(found, rest + (call.right >> action & 1))
        return found

    return best(0, 0, graph.ready(0))


def placed(graph: Graph, names: Sequence[str], calls: Sequence[Call], taken: Sequence[int]) -> int:
    """How many calls are right if each takes this action; fails where the actions are no valid path."""
    assert len(taken) == len(set(taken)) == len(calls)
    done = ready = 0
    for number, (call, action) in enumerate(zip(calls, taken, strict=True)):
        if not number or calls[number - 1].step != call.step:
            ready = graph.ready(done)
        assert names[action] == call.name and ready >> action & 1
        done |= 1 << action
    return sum(call.right >> action & 1 for call, action in zip(calls, taken, strict=True))
