"""``wildtool mine``."""

from __future__ import annotations

from typing import Annotated

import typer

from flows.cli.command import Outcome, command
from flows.cli.options import AsFlow
from flows.cli.views import stage_view
from flows.engine import call_stage
from flows.run import Run


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "mine")
    def mine(
        run: Run,
        logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Files, folders, globs, or - for stdin.")],
        scenarios: Annotated[int | None, typer.Option(help="Expand to so many seed scenarios a language.")] = None,
        flow: AsFlow = False,
    ) -> Outcome:
        """Turn conversation logs into seed scenarios: personal data scrubbed, duplicates folded, behaviour counted."""
        summary = call_stage(run, "mine", as_flow=flow, logs=logs, scenarios=scenarios)
        return Outcome(data=summary, view=stage_view(summary))
