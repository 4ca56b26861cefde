"""Flow: labelled sessions → a frozen release."""

from __future__ import annotations

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import release as stage
from wildtool.schemas.base import JsonObject


@flow(name="release")
def release(
    version: str,
    allow: list[str] | None = None,
    parent: str | None = None,
    name: str = "wildtool",
    reasons: JsonObject | None = None,
    against: list[str] | None = None,
    dev_share: float = 0.2,
    private_share: float = 0.0,
    licence: str = "CC-BY-4.0",
    agreement_threshold: float | None = None,
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
        reasons: why sessions were corrected, by id; `*` for all others.
        against: releases and files that no session may repeat.
        dev_share: share of the sessions in the split `dev`.
        private_share: share of the sessions that go to a private release beside this one.
        licence: licence of the release.
        agreement_threshold: least agreement over the double-labelled slice.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(
        stage.run,
        home=home,
        seed=seed,
        model=model,
        version=version,
        allow=allow,
        parent=parent,
        name=name,
        reasons=reasons,
        against=against,
        dev_share=dev_share,
        private_share=private_share,
        licence=licence,
        agreement_threshold=agreement_threshold,
    )
