"""``wildtool serve``."""

from __future__ import annotations

from typing import Annotated

import typer

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.run import Run


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "serve")
    def serve(
        run: Run,
        names: Annotated[
            list[str] | None, typer.Argument(metavar="[FLOW]...", help="Flows to serve; all if none.")
        ] = None,
        cron: Annotated[str | None, typer.Option(help="Schedule of the served flows, such as '0 3 * * *'.")] = None,
    ) -> Outcome:
        """Serve the flows to a Prefect server (PREFECT_API_URL) until Ctrl-C: start, schedule and watch runs there."""
        from wildtool.flows.serve import FLOWS, serve_flows

        run.progress.stage("serving flows to Prefect; Ctrl-C ends")
        serve_flows(run.home, names=tuple(names or FLOWS), cron=cron)
        return Outcome({"served": list(names or FLOWS)})
