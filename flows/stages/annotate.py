"""Stage: drafts → annotators → labels → labelled sessions, all steps in order."""

from __future__ import annotations

from dataclasses import replace

from wildtool.flows.run import Run
from wildtool.flows.stages.labelling import annotation_backend, push, simulate_labels
from wildtool.flows.stages.rounds import adjudicate, pull
from wildtool.schemas.base import JsonObject


def run(run: Run, *, project: str | None = None, simulate: bool = False) -> JsonObject:
    """Push every draft; with ``simulate`` also label, pull and adjudicate, so that sessions are ready to freeze."""
    if project is not None:
        run = replace(run, settings=run.settings.model_copy(update={"project": project}))
    run.progress.stage("pushing drafts to annotators")
    with annotation_backend(run) as backend:
        pushed = push(run, backend, everyone_twice=simulate)
        if not simulate:
            return pushed
        simulated = simulate_labels(run, backend)
        pulled = pull(run, backend)
        adjudicated = adjudicate(run, backend, simulate=True)
        return {**adjudicated, "push": pushed, "simulate": simulated, "pull": pulled, "unchanged": pushed["unchanged"]}
