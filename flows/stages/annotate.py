"""Stage: drafts → Label Studio → labels → labelled sessions, all steps in order."""

from __future__ import annotations

from dataclasses import replace

from wildtool.flows.run import Run
from wildtool.flows.stages.label_studio import push, simulate_labels, studio
from wildtool.flows.stages.rounds import adjudicate, pull
from wildtool.schemas.base import JsonObject


def run(run: Run, *, project: str | None = None, simulate: bool = False) -> JsonObject:
    """Push every draft; with ``simulate`` also label, pull and adjudicate, so that sessions are ready to freeze."""
    if project is not None:
        run = replace(run, settings=run.settings.model_copy(update={"project": project}))
    run.progress.stage("bringing drafts to Label Studio")
    with studio(run) as server:
        pushed = push(run, server, everyone_twice=simulate)
        if not simulate:
            return pushed
        simulated = simulate_labels(run, server)
        pulled = pull(run, server)
        adjudicated = adjudicate(run, server, simulate=True)
        return {**adjudicated, "push": pushed, "simulate": simulated, "pull": pulled, "unchanged": pushed["unchanged"]}
