"""Shards on the cores of this machine: a runner of worker processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import chain, islice
from multiprocessing import connection
from typing import Protocol, TypeVar

from wildtool.schemas.errors import StageError

Shard = TypeVar("Shard")
Result = TypeVar("Result")


class Runner(Protocol):
    """Runs one function over shards, which are taken as there is room; yields each with its result as they finish."""

    def __call__(
        self, function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str
    ) -> Iterator[tuple[Shard, Result]]: ...


FEW = 1
"""Shards that are done in this process before workers start: starting two costs about two seconds of imports."""

AHEAD = 2
"""Shards in flight per worker: enough to keep it busy, few enough that memory stays bounded."""


def in_processes(
    function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str
) -> Iterator[tuple[Shard, Result]]:
    """One worker process a core; a single shard is done here.

    ``function`` stands at module level and is a pure function of its shard, so results do not depend on the workers.
    Raises ``StageError`` where a worker was killed, as by a system that is out of memory.
    """
    source = iter(shards)
    cores = _cores()
    # A daemonic process (a worker of another pool) may not have children: it does its own work.
    if cores < 2 or multiprocessing.current_process().daemon:
        yield from ((shard, function(shard)) for shard in source)
        return
    head = list(islice(source, FEW + 1))
    if len(head) <= FEW:
        yield from ((shard, function(shard)) for shard in head)
        return
    # Spawned, not forked: flows run in threads, and a fork copies locks that other threads hold.
    with ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn"), initializer=_begin) as pool:
        flying: dict[Future[Result], Shard] = {}
        try:
            for shard in chain(head, source):
                flying[pool.submit(function, shard)] = shard
                while len(flying) >= cores * AHEAD:
                    yield from _finished(flying)
            while flying:
                yield from _finished(flying)
        except BrokenProcessPool as error:
            raise StageError(
                f"a worker process of {name} was killed",
                "free memory or give smaller shards, and run the command again",
            ) from error
        finally:
            for future in flying:
                future.cancel()


def _begin() -> None:
    """How a worker starts: with few collections of garbage, and an eye on its parent."""
    collect_seldom()
    _end_with_parent()


def collect_seldom() -> None:
    """What workers do about garbage; benchmarks of their work do the same."""
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, 50, 50)


NEW_OBJECTS = 50_000
"""New objects after which garbage is collected: a shard makes millions and hardly a cycle; the usual 700 cost an eighth."""


def _end_with_parent() -> None:
    """A worker whose parent was killed ends too; else it would wait for its next shard for ever."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _finished(flying: dict[Future[Result], Shard]) -> Iterator[tuple[Shard, Result]]:
    done, _ = wait(flying, return_when=FIRST_COMPLETED)
    for future in done:
        yield flying.pop(future), future.result()


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
