"""Counts of the catalogue's steps: rows in, rows out, rows left behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from wildtool.api_catalog.functions.verify import problem_of
from wildtool.schemas.base import JsonObject
from wildtool.schemas.quarantine import Quarantined, StageReport, StepCount
from wildtool.schemas.tool import Tool, ToolLink, ToolList
from wildtool.schemas.vocabulary import Stage

STEP_READ = "read specs (specs)"


STEP_CHECK = "check operations (operations)"


STEP_GATHER = "gather lists (functions)"


STEP_SELECT = "select lists (lists)"


STEP_VERIFY = "verify (functions)"


class Tally:
    """Rows in and out of each step, and the rows left behind."""

    def __init__(self) -> None:
        self.entered: Counter[str] = Counter()
        self.left: list[Quarantined] = []

    def drop(self, step: str, reason: str, detail: str, source: str, raw: str = "") -> None:
        """Leaves one row behind."""
        self.left.append(
            Quarantined.of(stage=Stage.CATALOG, step=step, reason=reason, detail=detail[:300], source=source, raw=raw)
        )

    def report(self, run: str, notes: dict[str, Any]) -> StageReport:
        """The report of all steps that any row entered."""
        lost = Counter(row.step for row in self.left)
        return StageReport(
            stage=Stage.CATALOG,
            run=run,
            steps=tuple(
                StepCount(step=step, rows_in=rows, rows_out=rows - lost[step], quarantined=lost[step])
                for step, rows in self.entered.items()
            ),
            notes=notes,
        )


def to_list(fields: JsonObject) -> ToolList:
    """The record of a gathered list."""
    plain = {key: value for key, value in fields.items() if key not in ("score", "tools", "links")}
    return ToolList.of(
        **plain,
        tools=tuple(Tool(**tool) for tool in fields["tools"]),
        links=tuple(ToolLink(**link) for link in fields["links"]),
    )


def verified(lists: Iterable[ToolList], tally: Tally) -> list[ToolList]:
    """Lists with only valid functions; a list that falls under two, or loses a producer it needs, is cut down."""
    kept = []
    for each in lists:
        tally.entered[STEP_VERIFY] += len(each.tools)
        bad = {tool.name: problem for tool in each.tools if (problem := problem_of(tool)) is not None}
        for name, (reason, detail) in bad.items():
            tally.drop(STEP_VERIFY, reason, f"{name}: {detail}", each.source, name)
        if not bad:
            kept.append(each)
            continue
        tools = tuple(tool for tool in each.tools if tool.name not in bad)
        links = tuple(link for link in each.links if link.producer not in bad and link.consumer not in bad)
        if tools:
            fields = {**each.model_dump(exclude={"id"}), "tools": tools, "links": links}
            kept.append(ToolList.of(**fields))
    return kept
