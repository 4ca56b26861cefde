"""The shape of a dependency graph over a task's calls."""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.schemas.vocabulary import Topology


def ancestors(depends_on: Sequence[Sequence[int]]) -> list[set[int]]:
    """By node, all nodes that must come before it. The graph must be free of cycles."""
    known: dict[int, set[int]] = {}

    def before(node: int) -> set[int]:
        if node not in known:
            known[node] = set(depends_on[node]).union(*(before(on) for on in depends_on[node]))
        return known[node]

    return [before(node) for node in range(len(depends_on))]


def topology_of(depends_on: Sequence[Sequence[int]]) -> Topology:
    """Topology of calls by their dependencies among each other: no edge is parallel, a total order sequential."""
    if not any(depends_on):
        return Topology.PARALLEL
    before = ancestors(depends_on)
    # A total order has one node with 0 ancestors, one with 1, and so on.
    if sorted(len(each) for each in before) == list(range(len(before))):
        return Topology.SEQUENTIAL
    return Topology.MIXED
