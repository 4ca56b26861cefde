"""``wildtool build``."""

from __future__ import annotations

from typing import Annotated

import typer

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import (
    BaseUrl,
    Budget,
    Committee,
    DaskAddress,
    InFlight,
    Model,
    Project,
    Replans,
    ShardRunner,
    Workers,
)
from wildtool.flows.cli.summary import build_view
from wildtool.flows.engine import call_flow
from wildtool.flows.run import Run


def register(app: typer.Typer) -> None:
    """Add the command to the app."""

    @command(app, "build")
    def build(
        run: Run,
        logs: Annotated[
            list[str], typer.Argument(metavar="LOG...", help="Files, folders or globs of conversation logs.")
        ],
        profile: Annotated[
            str, typer.Option(help="Name or path of a profile: what the benchmark is made of.")
        ] = "default",
        sessions: Annotated[int | None, typer.Option(min=1, help="At most so many sessions a language.")] = None,
        catalog: Annotated[
            list[str] | None, typer.Option(help="`npm`, `core` or paths of API descriptions (default: npm and core).")
        ] = None,
        auto_label: Annotated[
            bool, typer.Option("--auto-label", help="Label by two simulated annotators; every record says so.")
        ] = False,
        release: Annotated[
            str | None,
            typer.Option(help="With --auto-label: freeze this version, and score built-in candidates on it."),
        ] = None,
        model: Model = None,
        openai_base_url: BaseUrl = None,
        project: Project = None,
        in_flight: InFlight = None,
        budget_usd: Budget = None,
        committee: Committee = None,
        replans: Replans = None,
        runner: ShardRunner = None,
        dask_address: DaskAddress = None,
        workers: Workers = None,
    ) -> Outcome:
        """Run the whole pipeline up to labelling as a Prefect flow; with --auto-label and --release, on to scores.

        Catalogue, mining, drafting, Label Studio, push. What was finished before is not done again.
        """
        done = call_flow(
            run,
            "build",
            {
                "logs": logs,
                "profile": profile,
                "sessions": sessions,
                "sources": catalog or None,
                "auto_label": auto_label,
                "release": release,
            },
        )
        return Outcome(data=done, view=build_view(done))
