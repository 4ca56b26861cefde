"""Replay the gold of a session on its world."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.schemas.base import canonical_json
from wildtool.schemas.session import Action, Call, Session
from wildtool.schemas.session_world import FrozenWorld, SessionWorld
from wildtool.worlds.building import recording_world
from wildtool.worlds.interpreter import Outcome, World
from wildtool.worlds.words import failure


@dataclass(frozen=True)
class Replayed:
    """One gold call as the world answers it now."""

    task: int
    action: int
    call: Call
    outcome: Outcome | None
    """None for a call that was planned to fail, and for one of a tool that the world does not execute."""
    expected: Any
    """What the gold holds as observation."""

    @property
    def same(self) -> bool:
        """Whether the answer is the gold's, byte for byte."""
        return self.outcome is None or canonical_json(self.outcome.result) == canonical_json(self.expected)


def replay(world: World, session: Session, tasks: int | None = None) -> Iterator[Replayed]:
    """Make the gold calls of the first ``tasks`` tasks (all where None) in their order; the world changes."""
    failed = canonical_json(failure(session.language))
    for number, task in enumerate(session.tasks[:tasks]):
        yield from replay_task(world, number, task.actions, failed)


def replay_task(world: World, number: int, actions: Sequence[Action], failed: str) -> Iterator[Replayed]:
    """Make the calls of one task. ``failed`` is the canonical JSON of a planned failure: such calls did not reach the world."""
    for place, action in enumerate(actions):
        if not isinstance(action, Call):
            continue
        if canonical_json(action.observation) == failed or not world.executes(action.name):
            yield Replayed(number, place, action, None, action.observation)
        else:
            outcome = world.call(action.name, action.arguments)
            yield Replayed(number, place, action, outcome, action.observation)


def freeze_world(world: SessionWorld, session: Session) -> FrozenWorld:
    """Return a session's world with the rows that its gold sees."""
    executed, recording = recording_world(world, session)
    for _ in replay(executed, session):
        pass
    return FrozenWorld(session=session.id, world=world, rows=recording.rows)
