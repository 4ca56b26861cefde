"""Stage: seed scenarios × tool lists → drafts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.flows.budget_split import Allowance
from wildtool.flows.run import Run, in_turn
from wildtool.flows.settings import OFFLINE, SETTINGS_FILE, RunnerName, Settings
from wildtool.flows.stages.planning import planned, planned_again
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject, content_id
from wildtool.schemas.draft import Draft, DraftTally
from wildtool.schemas.errors import InputError, SettingsError, StoppedError
from wildtool.schemas.plan import Profile, SessionPlan
from wildtool.schemas.quarantine import Quarantined, StageReport, StepCount
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    from wildtool.agents import DraftResult, GatewaySettings
    from wildtool.warehouse import Store


NO_ANSWER = "model_error"
"""Quarantine reason of a session whose endpoint failed for good: it is tried again, the answer may come now. A draft
that a check refused would be refused again, from the cache."""

COUNTED = ("calls", "cached", "retries", "failures", "repairs", "tokens")
"""Figures of drafting that add up over shards."""


@dataclass(frozen=True)
class DraftShard:
    """A shard of sessions to draft: all that a worker needs, wherever it runs."""

    plans: tuple[SessionPlan, ...]
    """The plans."""
    cache: Path
    """File of the response cache."""
    settings: Settings
    """Model, address and limits."""

    @property
    def id(self) -> str:
        """Equal for equal plans."""
        return content_id("shd", [plan.id for plan in self.plans])


def run(run: Run, *, profile: str = "default", sessions: int | None = None) -> JsonObject:
    """Plan what the profile lacks, then draft every plan that has no draft yet.

    A draft that a check or a release gate refused goes to quarantine, and its session is planned anew on another list
    with the same place in the quotas. One that failed for want of an answer is tried again by the next run.
    Raises ``InputError`` where seeds or the catalogue are missing, ``ModelError`` where the endpoint or the budget
    ended the run (what was drafted is kept).
    """
    from wildtool.agents import load_profile, replan_number

    wanted = _limited(load_profile(profile), sessions)
    run.progress.stage(f"planning and drafting sessions of profile {wanted.name} with {run.settings.model}")
    require_key(run.settings)
    gateway_settings(run.settings)  # a wrong table is reported before any work
    if run.settings.batch and run.settings.model == OFFLINE:
        raise InputError("the offline simulator has no batch endpoint", "leave --batch away, or name a model")
    store = run.store()
    _refuse_mixture(run.settings, store, wanted)
    plans = planned(run, store, wanted)
    spent = _Spent(Allowance(run.settings))
    fresh = False
    for _ in range(run.settings.most_replans + 1):
        drafted = set(store.read_column(Draft, "plan"))
        refused = {row.source for row in store.read(Quarantined, stage=Stage.DRAFT) if row.reason != NO_ANSWER}
        failed = [plan for plan in plans if plan.id in refused and plan.id not in drafted]
        # Counted by session, not by run: a command that is given again must not pay again for what cannot be drafted.
        failed = [plan for plan in failed if replan_number(plan) < run.settings.most_replans]
        if fresh and not failed:
            break
        plans = planned_again(run, store, wanted, plans, failed)
        todo = [plan for plan in plans if plan.id not in drafted and plan.id not in refused]
        if not todo:
            break
        fresh = True
        _draft(run, store, todo, spent)
        if spent.stopped is not None:
            break
    if not fresh:
        run.progress.note(f"all {len(plans):,} sessions of this profile were drafted before: nothing to do")

    report = _report(store, wanted, dict(spent.figures), spent.cost)
    if fresh:
        store.put_report(report)
    step = report.steps[0]
    run.progress.note(f"{step.rows_out:,} drafts, {step.quarantined:,} in quarantine")
    if spent.stopped is not None:
        raise StoppedError(*spent.stopped)
    return summary(report, unchanged=not fresh, drafts=step.rows_out, profile=wanted.name)


@dataclass
class _Spent:
    """What a run took so far."""

    allowance: Allowance
    figures: Counter[str] = field(default_factory=Counter)
    cost: float = 0.0
    stopped: tuple[str, str] | None = None


def _draft(run: Run, store: Store, todo: Sequence[SessionPlan], spent: _Spent) -> None:
    """Draft these plans; drafts and quarantined rows are kept as they come."""

    def shards() -> Iterator[DraftShard]:
        cache = response_cache(run, "responses.sqlite")
        # Waves are the better the more sessions are in them.
        size = max(1, len(todo)) if run.settings.batch else run.settings.shard_size
        for start in range(0, len(todo), size):
            if spent.stopped is None:  # else the budget is used up: what is under way ends, nothing new starts
                yield DraftShard(tuple(todo[start : start + size]), cache, spent.allowance.settings())

    done = 0

    def in_shard(finished: int, _: int) -> None:
        run.progress.update("sessions finished", done + finished, len(todo))

    # Another process cannot report from within a shard.
    work = partial(draft_shard, progress=in_shard, note=run.progress.note) if run.runner is in_turn else draft_shard
    for shard, result in run.runner(work, shards(), name="draft-shards"):
        store.put(result.drafts)
        store.put(result.tallies)
        store.quarantine(result.quarantined)
        for draft in result.drafts:
            run.log.event("drafted", stage=Stage.DRAFT, shard=shard.id, session=draft.session.id, plan=draft.plan.id)
        for row in result.quarantined:
            run.log.event("quarantined", stage=Stage.DRAFT, shard=shard.id, plan=row.source, reason=row.reason)
        done += len(result.drafts) + len(result.quarantined)
        run.progress.update("sessions finished", done, len(todo))
        spent.figures.update({name: value for name, value in result.figures.items() if name in COUNTED})
        cost = float(result.figures.get("cost_usd", 0.0))
        spent.allowance.spent(shard.settings, cost, int(result.figures.get("tokens", 0)))
        spent.cost += cost
        spent.stopped = spent.stopped or result.stopped


def forecast(run: Run, *, profile: str = "default", sessions: int | None = None) -> JsonObject:
    """What drafting this profile would take from here. Asks no model, needs no key, keeps nothing."""
    from wildtool.agents import OFFLINE_MODEL, forecast_drafts, load_profile

    wanted = _limited(load_profile(profile), sessions)
    settings = gateway_settings(run.settings)
    run.progress.stage(f"forecast of drafting profile {wanted.name} with {run.settings.model}")
    store = run.store()
    drafted = set(store.read_column(Draft, "plan"))
    todo = [plan for plan in planned(run, store, wanted, keep=False) if plan.id not in drafted]
    if run.settings.model == OFFLINE:  # free of charge, and known by another name where it is counted
        free = {OFFLINE_MODEL: {"prompt": 0.0, "completion": 0.0}}
        named = run.settings.model_copy(update={"model": OFFLINE_MODEL, "gateway": {"prices": free}})
        settings = gateway_settings(named)
    found = forecast_drafts(
        todo,
        settings,
        store.read(DraftTally),
        committee=run.settings.committee,
        replans=run.settings.most_replans,
    )
    return {"stage": Stage.DRAFT.value, "profile": wanted.name, "dry_run": True, **found.model_dump(mode="json")}


def draft_shard(
    shard: DraftShard,
    *,
    progress: Callable[[int, int], None] | None = None,
    note: Callable[[str], None] | None = None,
) -> DraftResult:
    """Draft one shard; runs in any process, and twice without harm: answers come from the cache."""
    from wildtool.flows.library import draft_all

    return draft_all(
        shard.plans,
        gateway_settings(shard.settings),
        cache=shard.cache,
        offline=shard.settings.model == OFFLINE,
        sessions_at_once=len(shard.plans) if shard.settings.batch else shard.settings.in_flight,
        progress=progress,
        note=note,
        committee=shard.settings.committee,
    )


def gateway_settings(settings: Settings) -> GatewaySettings:
    """What the gateway takes from our settings. Raises ``SettingsError`` for what ``[gateway]`` cannot hold."""
    from pydantic import ValidationError

    from wildtool.agents import PRICES, BatchSettings, Endpoint, GatewaySettings

    given = dict(settings.gateway)
    try:
        endpoint = Endpoint(
            model=settings.model, base_url=settings.openai_base_url, parameters=given.pop("parameters", {})
        )
        roles = {
            role: Endpoint.model_validate({"base_url": settings.openai_base_url, **each})
            for role, each in given.pop("roles", {}).items()
        }
        batch = BatchSettings.model_validate(given.pop("batch", {})) if settings.batch else None
        return GatewaySettings.model_validate(
            {
                **{name: value for name, value in given.items() if name != "batch"},
                "prices": {**PRICES, **given.get("prices", {})},
                "endpoint": endpoint,
                "roles": roles,
                "batch": batch,
                "max_in_flight": settings.in_flight,
                "budget_usd": settings.budget_usd,
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        said = first["msg"].removeprefix("Value error, ")
        raise SettingsError(f"setting gateway.{name}: {said}", f"correct [gateway] in {SETTINGS_FILE}") from error
    except (TypeError, AttributeError) as error:
        raise SettingsError(
            f"[gateway] is not a valid table: {error}", f"correct [gateway] in {SETTINGS_FILE}"
        ) from error


def _limited(profile: Profile, sessions: int | None) -> Profile:
    if sessions is None:
        return profile
    return profile.model_copy(
        update={"sessions": {language: min(count, sessions) for language, count in profile.sessions.items()}}
    )


def require_key(settings: Settings) -> None:
    """Fail before any work: a run that plans for minutes and then asks for a key is a nuisance."""
    if settings.model != OFFLINE and settings.openai_api_key is None:
        raise SettingsError(
            f"no key for the model {settings.model}: OPENAI_API_KEY is not set",
            "set OPENAI_API_KEY (any text for a server of your own), or use the built-in simulator: --model offline",
        )


def _refuse_mixture(settings: Settings, store: Store, profile: Profile) -> None:
    """The simulator's drafts must not pass as a model's, nor the other way round."""
    offline = settings.model == OFFLINE
    if (not offline) in store.read_column(Draft, "offline", profile=profile.name):
        other = "a model" if offline else "the offline simulator"
        raise InputError(
            f"sessions of profile {profile.name} were drafted by {other} here, and would be mixed with those of {settings.model}",
            "give another --home, or a profile of another name",
        )


def response_cache(run: Run, name: str) -> Path:
    """File of a response cache: in the home folder, or in the workers' own folder where they do not see that."""
    if run.settings.worker_cache is not None and run.settings.runner is RunnerName.DASK:
        return run.settings.worker_cache / name
    run.home.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
    return (run.home.cache / name).absolute()


def _report(store: Store, profile: Profile, figures: dict[str, int], cost: float) -> StageReport:
    """Of all sessions of the profile that were tried, each once, however often it was planned: those with a draft, and
    those whose last plan is in quarantine."""
    from wildtool.agents import predecessor

    planned: set[str] = set()
    replaced: set[str | None] = set()
    for plan in store.iterate(SessionPlan, profile=profile.name):  # one at a time: all of them may be gigabytes
        planned.add(plan.id)
        replaced.add(predecessor(plan))
    last = {plan for plan in planned if plan not in replaced}
    drafted = last & set(store.read_column(Draft, "plan"))
    refused = last & {row.source for row in store.read(Quarantined, stage=Stage.DRAFT)} - drafted
    return StageReport(
        stage=Stage.DRAFT,
        run=run_id(Stage.DRAFT, sorted(last)),
        steps=(
            StepCount(
                step="draft", rows_in=len(drafted) + len(refused), rows_out=len(drafted), quarantined=len(refused)
            ),
        ),
        notes={
            "profile": profile.name,
            "cost_usd": round(cost, 6),
            "planned_anew": len(planned) - len(last),
            **dict(sorted(figures.items())),
        },
    )
