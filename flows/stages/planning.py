"""Part of the draft stage: the plans of a profile, made where they are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from flows.run import Run
from schemas.errors import InputError
from schemas.plan import Profile, SessionPlan
from schemas.seed import SeedScenario
from schemas.tool import ToolList
from schemas.vocabulary import Language

if TYPE_CHECKING:
    from warehouse import Store


def planned(run: Run, store: Store, profile: Profile, *, keep: bool = True) -> list[SessionPlan]:
    """All plans of the profile, those that were missing made, and kept unless it is only to see what they would be."""
    from agents import plan_sessions, standing

    there = standing(store.read(SessionPlan, profile=profile.name))
    lacking = {
        language: count - sum(plan.language is language for plan in there)
        for language, count in profile.sessions.items()
    }
    if all(count <= 0 for count in lacking.values()):
        return there
    seeds = _seeds(store)
    run.progress.note(f"planning {sum(max(0, count) for count in lacking.values()):,} sessions on {len(seeds):,} seeds")
    new = plan_sessions(profile, seeds, _chooser(run, profile), seed=run.settings.seed, existing=there)
    if keep:
        store.put(new)
    return there + new


def planned_again(
    run: Run, store: Store, profile: Profile, plans: list[SessionPlan], failed: Sequence[SessionPlan]
) -> list[SessionPlan]:
    """The plans, with others in the place of those that failed."""
    from agents import plan_again, standing

    if not failed:
        return plans
    run.progress.note(f"planning {len(failed):,} sessions anew that could not be drafted")
    new = plan_again(profile, failed, _seeds(store), _chooser(run, profile), seed=run.settings.seed)
    store.put(new)
    return standing([*plans, *new])


def _seeds(store: Store) -> list[SeedScenario]:
    seeds = sorted(store.read(SeedScenario), key=lambda seed: seed.id)
    if not seeds:
        raise InputError("there is no seed scenario to plan on", "mine a log first: wildtool mine LOG...")
    return seeds


def _chooser(run: Run, profile: Profile) -> Callable[[SeedScenario, Language, Random], ToolList]:
    """What gives the tool list of a session."""
    from api_catalog import load_catalogue, sample

    catalogue = load_catalogue(run.home.catalog)
    used: Counter[str] = Counter()

    def choose(seed: SeedScenario, language: Language, rng: Random) -> ToolList:
        return sample(
            seed, catalogue, rng, language=language, tools=profile.tools, mean_tools=profile.mean_tools, used=used
        )

    return choose
