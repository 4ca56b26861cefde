"""Batches over processes, results in order. For small inputs everything stays in this process."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from typing import TypeVar

A = TypeVar("A")
B = TypeVar("B")

SMALL = 16
"""Batches (4,000 rows) that are done here before workers start: starting two costs a second, which these take."""

AHEAD = 3
"""Batches in flight per worker: enough to keep it busy, few enough that memory stays bounded."""


def in_order(work: Callable[[A], B], batches: Iterable[A], *, workers: int | None = None) -> Iterator[B]:
    """``work`` of each batch, in the order of the batches.

    Args:
        work: a function at module level, a pure function of its batch: so results do not depend on ``workers``.
        batches: consumed lazily.
        workers: processes; None takes the cores this process may use.
    """
    source = iter(batches)
    cores = workers if workers is not None else _cores()
    # A daemonic process (a Dask or multiprocessing worker) may not have children: it does its own work.
    if cores < 2 or multiprocessing.current_process().daemon:
        yield from map(work, source)
        return
    head = list(islice(source, SMALL))
    if len(head) < SMALL:
        yield from map(work, head)
        return
    yield from _spread(work, chain(head, source), cores)


def _spread(work: Callable[[A], B], batches: Iterator[A], workers: int) -> Iterator[B]:
    # Spawned, not forked: flows run in threads, and a fork copies locks that other threads hold.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        flying: deque[Future[B]] = deque()
        try:
            for batch in batches:
                flying.append(pool.submit(work, batch))
                if len(flying) >= workers * AHEAD:
                    yield flying.popleft().result()
            while flying:
                yield flying.popleft().result()
        finally:
            for future in flying:
                future.cancel()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
