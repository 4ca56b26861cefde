"""Summarise a stage in one form for programs and people."""

from __future__ import annotations

from typing import Any

from wildtool.flows.run import Run
from wildtool.schemas.base import JsonObject, content_id
from wildtool.schemas.quarantine import StageReport
from wildtool.schemas.vocabulary import Stage


def summary(report: StageReport, /, *, unchanged: bool = False, **more: Any) -> JsonObject:
    """The report as JSON, with ``unchanged`` where an equal run had been finished before, and more figures."""
    return {
        "stage": report.stage.value,
        "run": report.run,
        "unchanged": unchanged,
        "steps": [step.model_dump(mode="json") for step in report.steps],
        "notes": report.notes,
        **more,
    }


def run_id(stage: Stage, inputs: Any) -> str:
    """Id of a run: equal for equal inputs."""
    return content_id("run", [stage.value, inputs])


def finished(run: Run, stage: Stage, identity: str) -> StageReport | None:
    """The newest report of the stage, if it is of this very run; else None."""
    reports = run.store().reports(stage)
    return reports[-1] if reports and reports[-1].run == identity else None
