"""What is dropped, and the count that shows that nothing vanished."""

from __future__ import annotations

from typing import ClassVar

from pydantic import model_validator

from wildtool.schemas.base import Identified, Record
from wildtool.schemas.vocabulary import Stage


class Quarantined(Identified):
    """One row that failed: it stays here, whole, with the reason."""

    PREFIX: ClassVar[str] = "qua"

    stage: Stage
    """Where it failed."""
    step: str
    """The step within the stage, such as ``read`` or ``check``."""
    reason: str
    """A short code of the reason, countable: ``broken_json``, ``no_user_turn``."""
    detail: str = ""
    """One line for a person: what exactly, and where."""
    source: str = ""
    """File, address or id that the row came from."""
    line: int | None = None
    """Line or row number in the source, from 1."""
    raw: str = ""
    """The row as it came. Text that is no UTF-8 is kept with backslash escapes."""


class StepCount(Record):
    """One step of a stage: rows in = rows out + rows quarantined."""

    step: str
    """Name of the step."""
    rows_in: int
    """Rows that entered."""
    rows_out: int
    """Rows that left for the next step."""
    quarantined: int
    """Rows that went to quarantine."""

    @model_validator(mode="after")
    def _nothing_vanishes(self) -> StepCount:
        if self.rows_in != self.rows_out + self.quarantined:
            raise ValueError(
                f"{self.step}: {self.rows_in} in, but {self.rows_out} out + {self.quarantined} quarantined"
            )
        return self


class StageReport(Record):
    """What a run of a stage did. Written once per run; ``wildtool status`` shows the newest."""

    stage: Stage
    """The stage."""
    run: str
    """Content hash of the run's inputs: the same inputs are the same run."""
    steps: tuple[StepCount, ...]
    """The steps in order; each one's rows_in is the rows_out of the one before, unless ``unit`` changes."""
    notes: dict[str, str | int | float | bool] = {}
    """Figures worth keeping: seconds, offline, sources."""
