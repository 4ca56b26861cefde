"""Flow: labelled sessions → a frozen release."""

from __future__ import annotations

from prefect import flow

from flows.engine import in_flow
from flows.stages import release as stage
from schemas.base import JsonObject


@flow(name="release")
def release(
    version: str,
    allow: list[str] | None = None,
    parent: str | None = None,
    name: str = "wildtool",
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
) -> JsonObject:
    """Labelled sessions → a frozen release.

    Args:
        version: semantic version of the release.
        allow: ids of gates whose failures are let pass; the dataset card says so.
        parent: earlier release that this one continues.
        name: name of the benchmark.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(stage.run, home=home, seed=seed, model=model, version=version, allow=allow, parent=parent, name=name)
