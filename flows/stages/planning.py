"""Part of the draft stage: the plans of a profile, made where they are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.settings import OFFLINE
from wildtool.schemas.errors import InputError
from wildtool.schemas.plan import Profile, SessionPlan
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language

if TYPE_CHECKING:
    from wildtool.agents import Drafter
    from wildtool.api_catalog import Catalogue, Usable
    from wildtool.warehouse import Store


PLANNED_AT_ONCE = 1_024
"""Sessions a language that are planned before they are kept: some minutes of work at most are lost to a kill."""


CORE_SHARE = 0.4
"""Share of the draws that give a list that comes with the project; planning takes them where no list of a real API will do."""


def planned(run: Run, store: Store, profile: Profile, *, keep: bool = True) -> list[SessionPlan]:
    """All plans of the profile, those that were missing made, and kept unless it is only to see what they would be.

    Many are planned in rounds. Each round sees the plans before it and nothing else, so that a run that was killed goes
    on to the same plans.
    """
    from wildtool.agents import plan_sessions, standing

    plans = standing(_kept(store, profile))
    missing = _missing(profile, plans)
    if not missing:
        return plans
    seeds, catalogue = _seeds(store), _catalogue(run)
    run.progress.note(f"planning {missing:,} sessions on {len(seeds):,} seeds")
    while _missing(profile, plans):
        there = Counter(plan.language for plan in plans)
        ends = {
            language: min(count, (there[language] // PLANNED_AT_ONCE + 1) * PLANNED_AT_ONCE)
            for language, count in profile.sessions.items()
        }
        round_profile = profile.model_copy(update={"sessions": ends})
        choose = _chooser(catalogue, profile, _drafter(run))
        new = plan_sessions(round_profile, seeds, choose, seed=run.settings.seed, existing=plans, drafter=_drafter(run))
        if keep:
            store.put(new)
        plans += new
        run.progress.update("sessions planned", missing - _missing(profile, plans), missing)
    return plans


def _kept(store: Store, profile: Profile) -> list[SessionPlan]:
    """The plans that are there, equal tool lists in memory once: of a plan's 77 kB they are two thirds."""
    lists: dict[str, ToolList] = {}
    return [
        plan.model_copy(update={"tool_list": lists.setdefault(plan.tool_list.id, plan.tool_list)})
        for plan in store.iterate(SessionPlan, profile=profile.name)
    ]


def _missing(profile: Profile, plans: Sequence[SessionPlan]) -> int:
    there = Counter(plan.language for plan in plans)
    return sum(max(0, count - there[language]) for language, count in profile.sessions.items())


def planned_again(
    run: Run, store: Store, profile: Profile, plans: list[SessionPlan], failed: Sequence[SessionPlan]
) -> list[SessionPlan]:
    """The plans, with others in the place of those that failed."""
    from wildtool.agents import plan_again, standing

    if not failed:
        return plans
    run.progress.note(f"planning {len(failed):,} sessions anew that could not be drafted")
    choose = _chooser(_catalogue(run), profile, _drafter(run))
    new = plan_again(profile, failed, _seeds(store), choose, seed=run.settings.seed, drafter=_drafter(run))
    store.put(new)
    return standing([*plans, *new])


def _drafter(run: Run) -> Drafter:
    """Who words the sessions: a model finds words for any tool, the simulator does not."""
    from wildtool.agents import ANY_DRAFTER, SIMULATOR

    return SIMULATOR if run.settings.model == OFFLINE else ANY_DRAFTER


def _seeds(store: Store) -> list[SeedScenario]:
    seeds = sorted(store.read(SeedScenario), key=lambda seed: seed.id)
    if not seeds:
        raise InputError("there is no seed scenario to plan on", "mine a log first: wildtool mine LOG...")
    return seeds


def _catalogue(run: Run) -> Catalogue:
    from wildtool.api_catalog import load_catalogue

    return load_catalogue(run.home.catalog)


def _chooser(
    catalogue: Catalogue, profile: Profile, drafter: Drafter
) -> Callable[[SeedScenario, Language, Random], ToolList]:
    """What gives the tool list of a session."""
    from functools import cache

    from wildtool.agents import usable_tools
    from wildtool.api_catalog import Usable, sample

    used: Counter[str] = Counter()
    lists = {each.id: each for each in catalogue.lists}

    @cache
    def usable(list_id: str) -> Usable:
        return Usable(*usable_tools(lists[list_id], drafter))

    def choose(seed: SeedScenario, language: Language, rng: Random) -> ToolList:
        return sample(
            seed,
            catalogue,
            rng,
            language=language,
            tools=profile.tools,
            mean_tools=profile.mean_tools,
            used=used,
            usable=lambda tools: usable(tools.id),
            core=rng.random() < CORE_SHARE,
        )

    return choose
