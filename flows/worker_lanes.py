"""Run shards in lanes: each worker takes the next shard when it has finished one.

An engine's task costs 12-40 ms and a thousand of them stall Prefect's server for a minute (measured), so a stage is a
few tasks, the lanes, however many shards there are; and shards are made only when a lane has room for them.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic

from wildtool.flows.run import Result, Shard


@dataclass(frozen=True)
class _Finished(Generic[Shard, Result]):
    shard: Shard
    result: Result
    kept: threading.Event = field(default_factory=threading.Event)
    """Set when the consumer has come back for more: it is done with this one."""


class Lanes(Generic[Shard, Result]):
    """The shards of one stage, shared by its lanes.

    Each lane calls ``work``; one consumer iterates over ``results(lanes)`` meanwhile, and may stop early.
    """

    def __init__(self, function: Callable[[Shard], Result], shards: Iterable[Shard]) -> None:
        self._function = function
        self._shards = iter(shards)
        self._taking = threading.Lock()
        self._failed = threading.Event()
        self._left = threading.Event()
        self._results: queue.Queue[_Finished[Shard, Result] | None] = queue.Queue()

    def work(self) -> int:
        """Run shards until none is left; returns how many.

        After an error no lane starts another shard; those under way are finished and handed over.
        """
        done = 0
        try:
            while (taken := self._next()) is not None:
                finished = _Finished(taken[0], self._function(taken[0]))
                self._results.put(finished)
                # The writer is ahead before the lane goes on: results never pile up, and the next shard is made from
                # what this one gave.
                while not (finished.kept.wait(0.2) or self._left.is_set()):
                    pass
                done += 1
        except BaseException:
            self._failed.set()
            raise
        finally:
            self._results.put(None)
        return done

    def results(self, lanes: int) -> Iterator[tuple[Shard, Result]]:
        """Every shard with its result, until all lanes have ended."""
        try:
            while lanes:
                finished = self._results.get()
                if finished is None:
                    lanes -= 1
                else:
                    yield finished.shard, finished.result
                    finished.kept.set()
        finally:
            self._left.set()

    def _next(self) -> tuple[Shard] | None:
        """The next shard, alone in a tuple; None when there is none, a lane failed, or nobody listens any more."""
        with self._taking:
            if self._failed.is_set() or self._left.is_set():
                return None
            for shard in self._shards:
                return (shard,)
            return None


def in_tasks(
    function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str, lanes: int = 1
) -> Iterator[tuple[Shard, Result]]:
    """The runner inside a flow: one Prefect task a lane.

    One lane by default: within a shard sessions run concurrently, and limits (requests in flight, budget) then hold as
    they were given.
    """
    from prefect import task

    shared = Lanes(function, shards)
    lane = task(name=name, persist_result=False)(shared.work)
    futures = [lane.submit() for _ in range(lanes)]
    yield from shared.results(lanes)
    for future in futures:
        future.result()
