"""Context of a stage: home folder, settings, progress, and a runner of shards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeVar

from wildtool.flows.home import Home
from wildtool.flows.log import Log
from wildtool.flows.progress import Logged, Progress, Silent
from wildtool.flows.settings import Settings

if TYPE_CHECKING:
    from wildtool.warehouse import Store

Shard = TypeVar("Shard")
Result = TypeVar("Result")


class Runner(Protocol):
    """Runs one function over shards; yields each shard with its result, as they finish.

    Shards are few, large and idempotent: a runner may run one twice, never lose one. They are taken one by one as
    there is room, so that an iterator can make each from what earlier ones gave (a budget), and a million of them
    never lie in memory.
    """

    def __call__(
        self, function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str
    ) -> Iterator[tuple[Shard, Result]]: ...


def in_turn(
    function: Callable[[Shard], Result], shards: Iterable[Shard], *, name: str
) -> Iterator[tuple[Shard, Result]]:
    """The runner without an engine: one shard after another, in this process."""
    del name
    for shard in shards:
        yield shard, function(shard)


@dataclass(frozen=True)
class Run:
    """One run of one or more stages."""

    home: Home
    settings: Settings
    progress: Progress = field(default_factory=Silent)
    runner: Runner = in_turn
    log: Log = field(default_factory=Log)

    def store(self) -> Store:
        """The warehouse. Opens nothing: each of its methods opens late and closes early."""
        from wildtool.warehouse import Store

        return Store(self.home.warehouse, wait=self.settings.store_wait_seconds)


def open_run(settings: Settings, progress: Progress | None = None, runner: Runner = in_turn) -> Run:
    """A run in a prepared home folder; raises ``HomeError`` where it cannot be written."""
    home = Home(settings.home)
    home.prepare()
    log = Log(home.path)
    return Run(home, settings, Logged(progress or Silent(), log), runner, log)
