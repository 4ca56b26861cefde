"""Flow: seed scenarios × tool lists → drafts."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import draft as stage
from wildtool.schemas.base import JsonObject


@flow(name="draft")
def draft(
    profile: str = "default",
    sessions: int | None = None,
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
) -> JsonObject:
    """Seed scenarios × tool lists → drafts.

    Args:
        profile: name or path of a profile.
        sessions: at most so many sessions a language.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(stage.run, home=home, seed=seed, model=model, profile=profile, sessions=sessions)
