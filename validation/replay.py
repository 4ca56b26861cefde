"""Rule: the gold of a session with a world is what the world answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wildtool.schemas.base import canonical_json
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.session import Session
from wildtool.validation.rule import Finding, in_session, release_rule
from wildtool.worlds.building import frozen_world
from wildtool.worlds.replay import replay

SHOWN = 160
"""Characters of a result that a finding quotes."""


@release_rule("replay", "gold calls replay on the session's world, byte for byte", reads_text=False)
def gold_replays(sessions: Sequence[Session], context: ReleaseContext) -> Iterator[Finding]:
    """Every gold call of a session with a world gets the observation that the gold holds."""
    for session in sessions:
        frozen = context.worlds.get(session.id)
        if frozen is None:
            continue
        for each in replay(frozen_world(frozen, session), session):
            if not each.same and each.outcome is not None:
                yield in_session(
                    session,
                    f"{each.call.name} answers {canonical_json(each.outcome.result)[:SHOWN]},"
                    f" the gold holds {canonical_json(each.expected)[:SHOWN]}",
                    each.task,
                    each.action,
                )
