"""Stage: release × candidate → trajectories → scores → report page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.flows.budget_split import Allowance
from wildtool.flows.gold_gate import WorldReferees
from wildtool.flows.run import Run, in_turn
from wildtool.flows.settings import Settings
from wildtool.flows.stages.draft import gateway_settings, response_cache
from wildtool.flows.stages.release import open_release
from wildtool.flows.stages.score import score, sessions_of
from wildtool.schemas.base import JsonObject, content_id
from wildtool.schemas.errors import SettingsError, StoppedError
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import FrozenWorld
from wildtool.schemas.trajectory import Trajectory
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    from wildtool.agents import Attempt
    from wildtool.agents.candidates.candidate import Observations
    from wildtool.warehouse import Release

BUILTIN_PREFIX = "builtin:"

History = Literal["gold", "own"]


@dataclass(frozen=True)
class PlayShard:
    """A shard of sessions to play: all that a worker needs, wherever it runs."""

    sessions: tuple[Session, ...]
    attempt: Attempt
    cache: Path
    settings: Settings
    worlds: Mapping[str, FrozenWorld] = field(default_factory=dict)
    """Worlds of the sessions, by id."""

    @property
    def id(self) -> str:
        """Equal for equal sessions, candidate and trial."""
        return content_id(
            "shd", [self.attempt.candidate, self.attempt.trial, *(session.id for session in self.sessions)]
        )


@dataclass(frozen=True)
class PlayResult:
    """What came of a shard."""

    trajectories: tuple[Trajectory, ...]
    """Of the sessions that were finished."""
    cost_usd: float = 0.0
    """What the model took; 0 where it has no price."""
    tokens: int = 0
    """Tokens of both directions that the model took."""
    stopped: tuple[str, str] | None = None
    """Why not all sessions were played (budget, credit, an endpoint that is down), and the remedy."""


def run(
    run: Run,
    *,
    release: str,
    candidate: str,
    rules: str = "exact",
    history: History = "gold",
    trials: int = 1,
    split: str | None = None,
    costs: str | None = None,
    judge: str | None = None,
) -> JsonObject:
    """Let a candidate play a release, and score what it did. Sessions played before are not played again, unless a
    request had failed in them: errors never count as done.

    ``candidate``: a model name, or ``builtin:gold`` and the like. ``split``: ``dev`` or ``test``; both if None.
    ``costs`` and ``judge``: see ``flows.stages.score``.
    """
    from wildtool.agents import Attempt
    from wildtool.evaluation import read_costs

    run.progress.stage(f"evaluating {candidate} on release {release}")
    if costs:
        read_costs(costs)  # read again where it is used; a wrong file is reported before any work
    frozen = open_release(run, release)
    sessions = sessions_of(frozen, split)
    if not candidate.startswith(BUILTIN_PREFIX) and run.settings.openai_api_key is None:
        raise SettingsError(
            f"no key for the model {candidate}: OPENAI_API_KEY is not set",
            "set OPENAI_API_KEY (any text for a server of your own), or try a built-in candidate: builtin:null",
        )
    gateway_settings(run.settings)  # a wrong table is reported before any work
    base = _run_settings(run, candidate)
    store = run.store()
    kept: list[Trajectory] = []
    allowance = Allowance(run.settings)
    stopped: tuple[str, str] | None = None
    fresh = 0

    def shards(attempt: Attempt, todo: Sequence[Session]) -> Iterator[PlayShard]:
        cache = response_cache(run, "candidates.sqlite")
        size = max(1, len(todo)) if run.settings.batch else run.settings.shard_size
        for start in range(0, len(todo), size):
            if stopped is None:
                yield PlayShard(
                    sessions=(part := tuple(todo[start : start + size])),
                    worlds={session.id: worlds[session.id] for session in part if session.id in worlds},
                    attempt=attempt,
                    cache=cache,
                    settings=allowance.settings(),
                )

    worlds = frozen.worlds()
    observations: Observations = "world" if worlds else "withheld"
    for trial in range(trials):
        attempt = Attempt(
            frozen.manifest.version, frozen.digest, candidate, base, trial, history, observations=observations
        )
        ids = {attempt.trajectory_id(session.id): session for session in sessions}
        there = {each.id: each for each in store.read(Trajectory, id=list(ids)) if _finished(each, frozen)}
        todo = [session for identity, session in ids.items() if identity not in there]
        kept += there.values()
        # Another process cannot report from within a shard.
        work = partial(play_shard, note=run.progress.note) if run.runner is in_turn else play_shard
        for shard, played in run.runner(work, shards(attempt, todo), name="play-shards"):
            allowance.spent(shard.settings, played.cost_usd, played.tokens)
            stopped = stopped or played.stopped
            store.put(played.trajectories)
            for one in played.trajectories:
                run.log.event("played", stage=Stage.EVALUATE, shard=shard.id, session=one.session, trajectory=one.id)
            kept += played.trajectories
            fresh += len(played.trajectories)
            run.progress.update("sessions played", len(kept), len(sessions) * trials)
        if stopped is not None:
            raise StoppedError(*stopped)
    if not fresh:
        run.progress.note(f"all {len(sessions) * trials:,} sessions were played before: scored again")
    return score(
        run,
        release=release,
        candidate=candidate,
        rules=rules,
        history=history,
        trials=trials,
        split=split,
        trajectories=kept,
        fresh=fresh,
        costs=costs,
        judge=judge,
    )


def forecast(run: Run, *, release: str, candidate: str, trials: int = 1, split: str | None = None) -> JsonObject:
    """What playing a release would take, as if no session of it was played yet. Asks no model, needs no key."""
    from wildtool.agents import forecast_play

    frozen = open_release(run, release)
    settings = gateway_settings(run.settings.model_copy(update={"model": candidate}))
    found = forecast_play(sessions_of(frozen, split), settings, trials)
    return {
        "stage": Stage.EVALUATE.value,
        "release": frozen.manifest.version,
        "candidate": candidate,
        "dry_run": True,
        **found.model_dump(mode="json"),
    }


def play_shard(shard: PlayShard, *, note: Callable[[str], None] | None = None) -> PlayResult:
    """Play one shard; runs in any process, and twice without harm: answers come from the cache.

    ``note`` hears of an endpoint that keeps requests waiting.
    """

    from wildtool.agents import EndpointPolicy, Gateway, builtin, play_sessions

    referees = WorldReferees(shard.worlds)
    played: list[Trajectory] = []
    how: dict[str, Any] = {
        "concurrency": len(shard.sessions) if shard.settings.batch else shard.settings.in_flight,
        "on_trajectory": played.append,
    }

    async def play() -> PlayResult:
        if shard.attempt.candidate.startswith(BUILTIN_PREFIX):
            await play_sessions(shard.sessions, builtin(shard.attempt.candidate), referees, shard.attempt, **how)
            return PlayResult(tuple(played))
        settings = gateway_settings(shard.settings.model_copy(update={"model": shard.attempt.candidate}))
        stopped = None
        async with Gateway(settings, cache=shard.cache, note=note) as gateway:
            try:
                await play_sessions(shard.sessions, EndpointPolicy(gateway), referees, shard.attempt, **how)
            except StoppedError as error:
                stopped = (error.cause, error.remedy)
            return PlayResult(tuple(played), gateway.ledger.spent(), gateway.ledger.tokens(), stopped)

    return run_to_end(play())


def _run_settings(run: Run, candidate: str) -> JsonObject:
    if candidate.startswith(BUILTIN_PREFIX):
        return {}
    url = run.settings.openai_base_url
    parameters = run.settings.gateway.get("parameters")
    return {
        **({} if url is None else {"base_url": re.sub(r"//[^/@]*@", "//", url)}),
        **({"parameters": parameters} if parameters else {}),
    }


def _finished(trajectory: Trajectory, release: Release) -> bool:
    return trajectory.release_digest == release.digest and all(task.error is None for task in trajectory.tasks)
