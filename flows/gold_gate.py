"""Rule that replays gold as a candidate: it must score 100 %."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, in_session, release_rule

if TYPE_CHECKING:
    from wildtool.evaluation import Referee
    from wildtool.schemas.session_world import FrozenWorld


class WorldReferees:
    """Makes referees whose wrong calls get true answers, where a session has a world."""

    def __init__(self, worlds: Mapping[str, FrozenWorld]) -> None:
        """Hold the worlds of a release, by session id."""
        self._worlds = worlds

    def __call__(self, session: Session, task: int) -> Referee:
        """Return a referee; its world is as the gold of the earlier tasks left it."""
        frozen = self._worlds.get(session.id)
        if frozen is None:
            return referee_for(session, task)
        from wildtool.worlds.building import frozen_world
        from wildtool.worlds.replay import replay

        world = frozen_world(frozen, session)
        for _ in replay(world, session, task):
            pass
        return referee_for(session, task, observe=lambda tool, arguments: world.call(tool, arguments).result)


def referee_for(session: Session, task: int, *, observe: Callable[[str, JsonObject], Any] | None = None) -> Referee:
    """Return the referee of one attempt at one task, who judges each step and gives observations and replies.

    Args:
        session: what is played.
        task: number of the task, from 0.
        observe: executes a call on the session's world; None withholds the results of wrong calls.

    Returns:
        A new referee by the rule set ``exact``.

    Source: ``evaluation/referee.py``.
    """
    from wildtool.evaluation import Referee

    return Referee(session.tasks[task], session.tools, now=session.now, language=session.language, observe=observe)


@release_rule("gold", "gold scored against itself is 100 %", reads_text=False)
def gold(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Each task's gold passes its own scoring.

    Looks at a release, not at sessions one by one: it plays them, which is more than a draft should cost.
    """
    del context
    from wildtool.agents import Attempt, builtin, play
    from wildtool.evaluation import score_session

    attempt = Attempt(release="", release_digest="", candidate="builtin:gold")
    trajectories = play(sessions, builtin("builtin:gold"), referee_for, attempt)
    for session, trajectory in zip(sessions, trajectories, strict=True):
        for score in score_session(session, trajectory):
            if not score.correct:
                yield in_session(session, f"gold scores as wrong: {score.reason}", score.task)
