"""World specs with what a model picks where the rules left something open."""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.flows.run import Run
from wildtool.flows.settings import OFFLINE
from wildtool.flows.stages.draft import gateway_settings, require_key, response_cache
from wildtool.schemas.errors import SettingsError
from wildtool.worlds.coverage import Derived


def picked(run: Run, derived: Sequence[Derived]) -> list[Derived]:
    """Return the specs with the model's picks. Raises ``SettingsError`` without a key, and for the simulator."""
    from wildtool.agents import pick_all

    if run.settings.model == OFFLINE:
        raise SettingsError(
            "the simulator picks nothing for worlds", "name a model of an endpoint, or leave --model out"
        )
    require_key(run.settings)
    run.progress.stage(f"{run.settings.model} picks what the rules left open in {len(derived):,} worlds")
    specs = pick_all(
        [(each.listed, each.spec) for each in derived],
        gateway_settings(run.settings),
        cache=response_cache(run, "worlds.sqlite"),
    )
    return [Derived(each.listed, spec) for each, spec in zip(derived, specs, strict=True)]
