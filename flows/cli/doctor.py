"""``wildtool doctor``."""

from __future__ import annotations

import typer
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.run import Run

MARKS = {"ok": "ok", "warn": "note", "fail": "FAIL"}


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "doctor", needs_home=False)
    def doctor(run: Run) -> Outcome:
        """Check the installation: what works, what is missing and how to fix it. Changes nothing; exit code 1 if something fails."""
        from wildtool.flows.doctor import State, examine

        findings = examine(run)
        table = Table(show_header=False, box=None, pad_edge=False)
        for finding in findings:
            table.add_row(MARKS[finding.state], finding.check, finding.detail)
            if finding.remedy:
                table.add_row("", "", f"-> {finding.remedy}")
        failed = any(finding.state is State.FAIL for finding in findings)
        data = {"ok": not failed, "findings": [finding.model_dump(mode="json") for finding in findings]}
        failure = (
            ("something here will not work", "fix what is marked FAIL; the lines with -> say how") if failed else None
        )
        return Outcome(data=data, view=table, failure=failure)
