"""Flow: API descriptions → verified tool lists."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import catalog as stage
from wildtool.schemas.base import JsonObject


@flow(name="catalog")
def catalog(
    sources: list[str] | None = None,
    rebuild: bool = False,
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
) -> JsonObject:
    """API descriptions → verified tool lists.

    Args:
        sources: `npm`, `core`, or paths of API descriptions; all that can be had if not given.
        rebuild: build again, even if nothing changed.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(stage.run, home=home, seed=seed, model=model, sources=sources, rebuild=rebuild)
