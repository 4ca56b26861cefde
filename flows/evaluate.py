"""Flow: release × candidate → scores."""

from __future__ import annotations

from typing import Literal

from prefect import flow

from wildtool.flows.engine import in_flow
from wildtool.flows.stages import evaluate as stage
from wildtool.schemas.base import JsonObject


@flow(name="evaluate")
def evaluate(
    release: str,
    candidate: str,
    rules: str = "exact",
    history: Literal["gold", "own"] = "gold",
    trials: int = 1,
    split: str | None = None,
    home: str = ".wildtool",
    seed: int = 0,
    model: str | None = None,
    costs: str | None = None,
    judge: str | None = None,
) -> JsonObject:
    """Release × candidate → scores.

    Args:
        release: version in the home folder, or path of a release.
        candidate: model name, or `builtin:gold`, `builtin:null`, …
        rules: `exact` or `original`.
        history: what a candidate sees of earlier tasks, `gold` or its `own`.
        trials: times that each session is played.
        split: `dev` or `test`; both if not given.
        home: folder that holds everything that is kept.
        seed: seed of all randomness.
        costs: file of costs by tool, for the weighted OP rate.
        judge: model whose opinion on asks and answers stands beside the scores.
        model: model that drafts; `offline` for the simulator.
    """
    return in_flow(
        stage.run,
        home=home,
        seed=seed,
        model=model,
        release=release,
        candidate=candidate,
        rules=rules,
        history=history,
        trials=trials,
        split=split,
        costs=costs,
        judge=judge,
    )
