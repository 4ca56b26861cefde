"""The gate that needs a candidate and a referee: gold, replayed against itself, must score 100 %."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wildtool.schemas.release import GateFailure
from wildtool.schemas.session import Session
from wildtool.validation.releases import Gate, GateContext


def referee_for(session: Session, task: int):  # type: ignore[no-untyped-def]  # evaluation.Referee, loaded late
    """The referee of one attempt at one task."""
    from wildtool.evaluation import Referee

    return Referee(session.tasks[task], session.tools, now=session.now, language=session.language)


def check_gold(sessions: Sequence[Session], context: GateContext) -> Iterable[GateFailure]:
    """Each task whose gold does not pass its own scoring."""
    del context
    from wildtool.agents import Attempt, builtin, play
    from wildtool.evaluation import score_session

    attempt = Attempt(release="", release_digest="", candidate="builtin:gold")
    trajectories = play(sessions, builtin("builtin:gold"), referee_for, attempt)
    for session, trajectory in zip(sessions, trajectories, strict=True):
        for score in score_session(session, trajectory):
            if not score.correct:
                yield GateFailure(session=session.id, task=score.task, reason=f"gold scores as wrong: {score.reason}")


GOLD_GATE = Gate("gold", "gold scored against itself is 100 %", check_gold, "release")
"""In the release scope: it plays sessions, which is more than a warning to annotators should cost."""
