"""Rule that replays gold as a candidate: it must score 100 %."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, in_session, release_rule

if TYPE_CHECKING:
    from wildtool.evaluation import Referee


def referee_for(session: Session, task: int) -> Referee:
    """Return the referee of one attempt at one task, who judges each step and gives observations and replies.

    Args:
        session: what is played.
        task: number of the task, from 0.

    Returns:
        A new referee by the rule set ``exact``.

    Source: ``evaluation/referee.py``.
    """
    from wildtool.evaluation import Referee

    return Referee(session.tasks[task], session.tools, now=session.now, language=session.language)


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
