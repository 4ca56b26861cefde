"""Flow: drafts → Label Studio → labelled sessions."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import annotate as stage
from wildtool.schemas.base import JsonObject


@flow(name="annotate")
def annotate(
    project: str | None = None, simulate: bool = False, home: str = ".wildtool", seed: int = 0, model: str | None = None
) -> JsonObject:
    """Drafts → Label Studio → labelled sessions.

    Args:
        project: title of the Label Studio project.
        simulate: label by two simulated annotators, marked so in every record.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(stage.run, home=home, seed=seed, model=model, project=project, simulate=simulate)
