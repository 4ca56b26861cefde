"""Topologies of dependency graphs."""

from __future__ import annotations

import pytest

from wildtool.grounding.topology import topology_of
from wildtool.schemas.vocabulary import Topology


@pytest.mark.parametrize(
    ("edges", "topology"),
    [
        (((), ()), Topology.PARALLEL),
        (((), (0,)), Topology.SEQUENTIAL),
        (((), (0,), (1,)), Topology.SEQUENTIAL),
        (((), (0,), (0, 1)), Topology.SEQUENTIAL),
        (((), (0,), (0,)), Topology.MIXED),
        (((), (), (0, 1)), Topology.MIXED),
        (((), (0,), ()), Topology.MIXED),
    ],
)
def test_topologies(edges: tuple[tuple[int, ...], ...], topology: Topology) -> None:
    assert topology_of(edges) is topology
