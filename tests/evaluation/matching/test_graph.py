"""The graph of a task: paths counted and listed against plain enumeration, on graphs of up to 6 actions."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, islice, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import dags
from tests.examples import examples
from wildtool.evaluation.matching.graph import (
    bits,
    count_by_depth,
    count_paths,
    critical_path,
    depth,
    graph_of,
    list_paths,
)
from wildtool.schemas.errors import InputError


def paths_of(depends):
    """All paths, by definition: choose any ready actions, again and again."""

    def extend(done: frozenset[int]):
        ready = [i for i in range(len(depends)) if i not in done and done.issuperset(depends[i])]
        if not ready:
            yield ()
        for size in range(1, len(ready) + 1):
            for step in combinations(ready, size):
                for rest in extend(done | set(step)):
                    yield (step, *rest)

    return list(extend(frozenset()))


@given(dags())
@settings(max_examples=examples(150), deadline=None)
def test_paths_are_counted_and_listed_as_defined(depends):
    graph = graph_of(depends)
    paths = paths_of(depends)
    assert count_paths(graph) == len(paths)
    assert sorted(list_paths(graph)) == sorted(paths)
    by_depth = Counter(map(len, paths))
    assert count_by_depth(graph) == [by_depth[k] for k in range(len(depends) + 1)]
    assert depth(graph) == min(map(len, paths))
    costs = [1.0 + i % 3 for i in range(len(depends))]
    assert critical_path(graph, costs) <= min(sum(max(costs[i] for i in step) for step in path) for path in paths)


@given(dags(), st.integers(0, 63))
@settings(max_examples=examples(100), deadline=None)
def test_depth_with_actions_that_stand_alone(depends, alone):
    graph = graph_of(depends)
    apart = [p for p in paths_of(depends) if all(len(s) == 1 or not any(alone >> i & 1 for i in s) for s in p)]
    assert depth(graph, alone & graph.everything) == min(map(len, apart))


def test_members_of_a_set_come_in_order():
    assert list(bits(0b101101)) == [0, 2, 3, 5]
    assert list(bits(0)) == []


def test_what_comes_before_and_after_is_closed_under_transitivity():
    graph = graph_of([[], [0], [1], []])
    assert graph.before == (0, 0b1, 0b11, 0)
    assert graph.after == (0b110, 0b100, 0, 0)
    assert (graph.size, graph.everything) == (4, 0b1111)


@given(dags())
@settings(max_examples=examples(100), deadline=None)
def test_the_graph_holds_all_that_an_action_waits_for(depends):
    graph = graph_of(depends)

    def waits_for(index: int) -> set[int]:
        return set(depends[index]).union(*map(waits_for, depends[index]))

    everything = range(len(depends))
    assert [set(bits(before)) for before in graph.before] == [waits_for(i) for i in everything]
    assert [set(bits(after)) for after in graph.after] == [
        {j for j in everything if i in waits_for(j)} for i in everything
    ]
    for done in range(1 << len(depends)):
        taken = set(bits(done))
        assert set(bits(graph.ready(done))) == {i for i in everything if i not in taken and taken >= waits_for(i)}


@pytest.mark.parametrize(
    ("depends", "words"),
    [
        ([[0]], "action 0 depends on 0"),
        ([[-1], []], "action 0 depends on -1"),
        ([[], [2]], "action 1 depends on 2"),
        ([[], [], [1, 7]], "action 2 depends on 7"),
        ([[1], [0]], "cycle"),
        ([[2], [0], [1]], "cycle"),
        ([[], [0, 2], [1]], "cycle"),
        ([[], [2], [3], [1]], "cycle"),
    ],
)
def test_indexes_out_of_range_and_cycles_are_refused(depends, words):
    with pytest.raises(InputError, match=words):
        graph_of(depends)


def test_a_task_without_actions_has_the_empty_path():
    empty = graph_of([])
    assert count_by_depth(empty) == [1] and count_paths(empty) == 1
    assert list(list_paths(empty)) == [()]
    assert depth(empty) == 0 and critical_path(empty, []) == 0


def ordered_partitions(size: int) -> list[int]:
    """By number of steps: ways to do so many independent actions (Fubini numbers, summed)."""
    ways = [[0] * (size + 1) for _ in range(size + 1)]
    ways[0][0] = 1
    for left in range(1, size + 1):
        for first in range(1, left + 1):
            for steps in range(size):
                ways[left][steps + 1] += comb(left, first) * ways[left - first][steps]
    return ways[size]


def test_wide_graphs_are_counted_without_going_through_sets():
    """Two groups of 22 actions, the second after the first: 2^44 sets of actions."""
    wide = ordered_partitions(22)
    assert count_by_depth(graph_of([[] for _ in range(22)])) == wide
    behind = graph_of([*([] for _ in range(22)), *(list(range(22)) for _ in range(22))])
    assert count_paths(behind) == sum(wide) ** 2
    assert count_by_depth(behind)[2] == 1 and count_by_depth(behind)[44] == wide[22] ** 2


def test_two_fans_beside_one_another_are_counted_without_going_through_sets():
    """A root and its leaves, twice. Leaves of one fan are the same to a count by numbers alone."""
    leaves = 15

    @cache
    def ways(first: int, second: int) -> tuple[int, ...]:
        """By steps, from ``leaves + 1`` (root not done) or fewer left in each fan."""
        if not first and not second:
            return (1,)
        found = [0] * (first + second + 1)
        choices = [
            [(0, 1), (1, 1)] if left == leaves + 1 else [(taken, comb(left, taken)) for taken in range(left + 1)]
            for left in (first, second)
        ]
        for (a, ways_a), (b, ways_b) in product(*choices):
            if a or b:
                for steps, paths in enumerate(ways(first - a, second - b)):
                    found[steps + 1] += ways_a * ways_b * paths
        return tuple(found)

    depends = [[], *([0] for _ in range(leaves)), [], *([leaves + 1] for _ in range(leaves))]
    assert count_by_depth(graph_of(depends)) == list(ways(leaves + 1, leaves + 1))


def test_a_fence_is_counted_by_its_first_steps():
    """Neither series nor parallel: each action of the second row waits for two of the first."""
    width = 8
    depends = [*([] for _ in range(width)), *([i, (i + 1) % width] for i in range(width))]
    graph = graph_of(depends)

    @cache
    def ways(done: int) -> int:
        ready = graph.ready(done)
        total, step = int(not ready), ready
        while step:
            total += ways(done | step)
            step = (step - 1) & ready
        return total

    assert count_paths(graph) == ways(0)


def test_the_widest_steps_come_first_and_nothing_is_listed_in_advance():
    many = list_paths(graph_of([[] for _ in range(40)]))
    assert next(many) == (tuple(range(40)),)
    assert [len(path[0]) for path in islice(many, 3)] == [39, 39, 38]


@given(dags(), st.lists(st.integers(0, 5), min_size=6, max_size=6))
@settings(max_examples=examples(100), deadline=None)
def test_the_critical_path_is_the_dearest_chain(depends, costs):
    def dearest(index: int) -> float:
        return costs[index] + max(map(dearest, depends[index]), default=0)

    assert critical_path(graph_of(depends), costs) == max(map(dearest, range(len(depends))))
