"""Stage: release × candidate → trajectories → scores → report page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from flows.allowance import Allowance
from flows.gold import referee_for
from flows.run import Run
from flows.settings import Settings
from flows.stages.draft import gateway_settings, response_cache
from flows.stages.release import open_release
from flows.stages.summary import run_id, summary
from schemas.base import JsonObject, content_id
from schemas.errors import InputError, SettingsError, StoppedError
from schemas.quarantine import StageReport, StepCount
from schemas.score import ScoreReport, TaskScore
from schemas.session import Session
from schemas.trajectory import Trajectory
from schemas.vocabulary import RuleSet, Stage

if TYPE_CHECKING:
    from warehouse import Release

BUILTIN_PREFIX = "builtin:"

History = Literal["gold", "own"]


@dataclass(frozen=True)
class PlayShard:
    """A shard of sessions to play: all that a worker needs, wherever it runs."""

    sessions: tuple[Session, ...]
    release: str
    release_digest: str
    candidate: str
    trial: int
    history: History
    run_settings: JsonObject
    cache: Path
    settings: Settings

    @property
    def id(self) -> str:
        """Equal for equal sessions, candidate and trial."""
        return content_id("shd", [self.candidate, self.trial, *(session.id for session in self.sessions)])


@dataclass(frozen=True)
class PlayResult:
    """What came of a shard."""

    trajectories: tuple[Trajectory, ...]
    """Of the sessions that were finished."""
    cost_usd: float = 0.0
    """What the model took; 0 where it has no price."""
    stopped: tuple[str, str] | None = None
    """Why not all sessions were played (budget, credit, an endpoint that is down), and what mends it."""


def run(
    run: Run,
    *,
    release: str,
    candidate: str,
    rules: str = "exact",
    history: History = "gold",
    trials: int = 1,
    split: str | None = None,
) -> JsonObject:
    """Let a candidate play a release, and score what it did. Sessions played before are not played again, unless a
    request had failed in them: errors never count as done.

    ``candidate``: a model name, or ``builtin:gold`` and the like. ``split``: ``dev`` or ``test``; both if None.
    """
    from agents import trajectory_id

    run.progress.stage(f"evaluating {candidate} on release {release}")
    frozen = open_release(run, release)
    sessions = _sessions(frozen, split)
    if not candidate.startswith(BUILTIN_PREFIX) and run.settings.openai_api_key is None:
        raise SettingsError(
            f"no key for the model {candidate}: OPENAI_API_KEY is not set",
            "set OPENAI_API_KEY (any text for a server of your own), or try a built-in candidate: builtin:null",
        )
    gateway_settings(run.settings)  # a wrong table is the user's to mend before any work
    base = _run_settings(run, candidate)
    store = run.store()
    kept: list[Trajectory] = []
    allowance = Allowance(run.settings)
    stopped: tuple[str, str] | None = None
    fresh = 0

    def shards(trial: int, todo: Sequence[Session]) -> Iterator[PlayShard]:
        cache = response_cache(run, "candidates.sqlite")
        size = max(1, len(todo)) if run.settings.batch else run.settings.shard_size
        for start in range(0, len(todo), size):
            if stopped is None:
                yield PlayShard(
                    sessions=tuple(todo[start : start + size]),
                    release=frozen.manifest.version,
                    release_digest=frozen.digest,
                    candidate=candidate,
                    trial=trial,
                    history=history,
                    run_settings=base,
                    cache=cache,
                    settings=allowance.settings(),
                )

    for trial in range(trials):
        ids = {
            trajectory_id(
                session.id,
                release=frozen.manifest.version,
                candidate=candidate,
                settings=base,
                trial=trial,
                history=history,
            ): session
            for session in sessions
        }
        there = {each.id: each for each in store.read(Trajectory, id=list(ids)) if _finished(each, frozen)}
        todo = [session for identity, session in ids.items() if identity not in there]
        kept += there.values()
        for shard, played in run.runner(play_shard, shards(trial, todo), name="play-shards"):
            allowance.spent(shard.settings, played.cost_usd)
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
        trials=trials,
        split=split,
        trajectories=kept,
        fresh=fresh,
    )


def score(
    run: Run,
    *,
    release: str,
    candidate: str,
    rules: str = "exact",
    trials: int = 1,
    split: str | None = None,
    trajectories: Sequence[Trajectory] | None = None,
    fresh: int = 0,
) -> JsonObject:
    """Score stored trajectories of a candidate, without a model; writes the report page too."""
    from evaluation import score_session, summarise, write_report
    from flows.versions import code_version

    frozen = open_release(run, release)
    sessions = {session.id: session for session in _sessions(frozen, split)}
    store = run.store()
    if trajectories is None:
        trajectories = store.read(Trajectory, candidate=candidate, release=frozen.manifest.version)
    mine = [each for each in trajectories if each.session in sessions and each.release_digest == frozen.digest]
    if not mine:
        raise InputError(
            f"there is no trajectory of {candidate} on release {frozen.manifest.version}",
            f"play it first: wildtool evaluate run --release {release} --model {candidate}",
        )
    mine.sort(key=lambda each: (each.session, each.trial))
    rule_set = RuleSet(rules)
    scores: list[TaskScore] = []
    for number, trajectory in enumerate(mine, 1):
        scores += score_session(sessions[trajectory.session], trajectory, rule_set)
        run.progress.update("sessions scored", number, len(mine))
    report = summarise(
        scores,
        release=frozen.manifest.version,
        release_digest=frozen.digest,
        candidate=candidate,
        rules=rule_set,
        sessions_expected=len(sessions),
        code_version=code_version(),
        trials=max(trials, 1 + max(each.trial for each in mine)),
        seed=run.settings.seed,
    )
    store.put_scores(report, scores)
    page = run.home.reports / f"{frozen.manifest.version}-{_file_name(candidate)}-{rules}.html"
    page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_report(page, [report], [scores], list(sessions.values()), [mine])
    stage = StageReport(
        stage=Stage.EVALUATE,
        run=run_id(Stage.EVALUATE, [frozen.digest, candidate, rules, sorted(each.id for each in mine)]),
        steps=(StepCount(step="score", rows_in=len(mine), rows_out=len(mine), quarantined=0),),
        notes={"release": frozen.manifest.version, "candidate": candidate, "failed_requests": report.failed_requests},
    )
    store.put_report(stage)
    return summary(stage, unchanged=not fresh, score=report.model_dump(mode="json"), page=str(page))


def compare(
    run: Run, *, release: str, candidates: list[str], rules: str = "exact", out: str | None = None
) -> JsonObject:
    """One page with several candidates side by side, and a paired test of each against the first."""
    from evaluation import compare_runs, write_report

    frozen = open_release(run, release)
    store = run.store()
    reports = [
        each
        for each in store.read(ScoreReport)
        if each.release_digest == frozen.digest
        and each.rules is RuleSet(rules)
        and (not candidates or each.candidate in candidates)
    ]
    if not reports:
        raise InputError(
            f"nothing was scored on release {frozen.manifest.version} with {rules} rules",
            f"score a candidate first: wildtool evaluate run --release {release} --model MODEL",
        )
    reports.sort(key=lambda each: (-(each.task_accuracy.value or 0.0), each.candidate))
    scores = [store.task_scores(each) for each in reports]
    page = Path(out) if out else run.home.reports / f"{frozen.manifest.version}-{rules}.html"
    page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    trajectories = [
        [
            each
            for each in store.read(Trajectory, candidate=one.candidate, release=one.release)
            if each.release_digest == frozen.digest
        ]
        for one in reports
    ]
    write_report(page, reports, scores, frozen.sessions, trajectories)
    pairs = [
        {
            "first": reports[0].candidate,
            "second": other.candidate,
            **compare_runs(scores[0], theirs, seed=run.settings.seed),
        }
        for other, theirs in zip(reports[1:], scores[1:], strict=True)
    ]
    return {"page": str(page), "scores": [each.model_dump(mode="json") for each in reports], "pairs": pairs}


def play_shard(shard: PlayShard) -> PlayResult:
    """Play one shard; runs in any process, and twice without harm: answers come from the cache."""
    import asyncio

    from agents import EndpointPolicy, Gateway, builtin, play_sessions

    played: list[Trajectory] = []
    how: dict[str, Any] = {
        "release": shard.release,
        "release_digest": shard.release_digest,
        "candidate": shard.candidate,
        "settings": shard.run_settings,
        "trial": shard.trial,
        "history": shard.history,
        "concurrency": len(shard.sessions) if shard.settings.batch else shard.settings.in_flight,
        "on_trajectory": played.append,
    }

    async def play() -> PlayResult:
        if shard.candidate.startswith(BUILTIN_PREFIX):
            await play_sessions(shard.sessions, builtin(shard.candidate), referee_for, **how)
            return PlayResult(tuple(played))
        settings = gateway_settings(shard.settings.model_copy(update={"model": shard.candidate}))
        stopped = None
        async with Gateway(settings, cache=shard.cache) as gateway:
            try:
                await play_sessions(shard.sessions, EndpointPolicy(gateway), referee_for, **how)
            except StoppedError as error:
                stopped = (error.cause, error.remedy)
            return PlayResult(tuple(played), gateway.ledger.spent(), stopped)

    return asyncio.run(play())


def _sessions(release: Release, split: str | None) -> list[Session]:
    if split is None:
        return list(release.sessions)
    chosen = [session for session in release.sessions if release.splits[session.id] == split]
    if not chosen:
        there = ", ".join(sorted(set(release.splits.values())))
        raise InputError(f"release {release.manifest.version} has no split {split}", f"name one of: {there}")
    return chosen


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


def _file_name(candidate: str) -> str:
    """A file name that every system can hold."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", candidate).strip("-.") or "candidate"
