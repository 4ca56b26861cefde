"""The graph of a task: paths counted and listed against plain enumeration, on graphs of up to 6 actions."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.evaluation.matching.attempts import dags
from wildtool.evaluation.matching.graph import count_by_depth, count_paths, critical_path, depth, graph_of, list_paths


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
@settings(max_examples=150, deadline=None)
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
@settings(max_examples=100, deadline=None)
def test_depth_with_actions_that_stand_alone(depends, alone):
    graph = graph_of(depends)
    apart = [p for p in paths_of(depends) if all(len(s) == 1 or not any(alone >> i & 1 for i in s) for s in p)]
    assert depth(graph, alone & graph.everything) == min(map(len, apart))
