"""Flow: drafts → annotators → labelled sessions."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import annotate as stage
from wildtool.schemas.base import JsonObject


@flow(name="annotate")
def annotate(
    project: str | None = None, simulate: bool = False, home: str = ".wildtool", seed: int = 0, model: str | None = None
) -> JsonObject:
    """Push drafts to annotators; with ``simulate`` go on to labelled sessions.

    Args:
        project: title of the annotation project.
        simulate: let two simulated annotators label; every record says so.
        home: folder that everything is kept in.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(stage.run, home=home, seed=seed, model=model, project=project, simulate=simulate)
