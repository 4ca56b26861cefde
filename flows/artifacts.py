"""Publish a flow's progress, step counts and report links as Prefect artifacts."""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any
from uuid import UUID

from wildtool.flows.progress import Progress
from wildtool.schemas.base import JsonObject

PUBLISH_EVERY_SECONDS = 5.0
"""An artifact costs 40 ms (measured): at most so often, progress costs less than a hundredth of the time."""


class Watched:
    """A progress display that also writes to the flow run's log and to a progress artifact."""

    def __init__(self, shown: Progress) -> None:
        from prefect.logging import get_run_logger

        self._shown = shown
        self._log: logging.Logger | logging.LoggerAdapter[Any] = get_run_logger()
        self._artifact: UUID | None = None
        self._last = time.monotonic()

    def stage(self, title: str) -> None:
        """A heading; a line in the log."""
        self._shown.stage(title)
        self._log.info(title)

    def note(self, text: str) -> None:
        """A line; one in the log, too."""
        self._shown.note(text)
        self._log.info(text)

    def update(self, text: str, done: int, total: int | None = None) -> None:
        """How far it is; as an artifact every few seconds, and at the end of one that was begun."""
        self._shown.update(text, done, total)
        if not total:
            return
        now = time.monotonic()
        ended = self._artifact is not None and done >= total
        if not ended and now - self._last < PUBLISH_EVERY_SECONDS:
            return
        from prefect.artifacts import create_progress_artifact, update_progress_artifact

        self._last = now
        percent = 100.0 * done / total
        if self._artifact is None:
            made = create_progress_artifact(progress=percent, description=f"{text}, of {total:,}")
            self._artifact = made if isinstance(made, UUID) else None
        else:
            update_progress_artifact(artifact_id=self._artifact, progress=percent)
        if ended:
            self._artifact = None


def publish(result: JsonObject) -> None:
    """A table of the steps' counts, and a link to each page or folder that the stage names."""
    from prefect.artifacts import create_link_artifact, create_table_artifact

    stage = str(result.get("stage", "stage"))
    steps = result.get("steps")
    if isinstance(steps, list) and steps:
        create_table_artifact(
            table=steps, key=f"{stage}-steps", description="Rows of each step: in = out + quarantined."
        )
    score = result.get("score")
    if isinstance(score, dict):
        rates = [
            {"metric": metric, "value": rate.get("value"), "low": rate.get("low"), "high": rate.get("high")}
            for metric, rate in score.items()
            if isinstance(rate, dict) and "value" in rate
        ]
        create_table_artifact(table=rates, key=f"{stage}-score", description=str(score.get("candidate", "")))
    for name in ("page", "folder"):
        place = result.get(name)
        if isinstance(place, str):
            create_link_artifact(link=Path(place).absolute().as_uri(), link_text=place, key=f"{stage}-{name}")
