"""Options that several commands share. One named like a setting overrides that setting."""

from __future__ import annotations

from typing import Annotated

import typer

from wildtool.flows.settings import RunnerName

AsFlow = Annotated[
    bool, typer.Option("--flow", help="Run as a Prefect flow (also without, where PREFECT_API_URL is set).")
]
Model = Annotated[
    str | None, typer.Option("--model", help="Model that drafts; `offline` for the built-in simulator (no key needed).")
]
BaseUrl = Annotated[
    str | None, typer.Option("--base-url", help="OpenAI-compatible endpoint (default OPENAI_BASE_URL, else OpenAI's).")
]
InFlight = Annotated[int | None, typer.Option("--in-flight", help="Model requests at once.")]
Budget = Annotated[float | None, typer.Option("--budget-usd", help="Stop cleanly before spending more.")]
Batch = Annotated[
    bool | None,
    typer.Option("--batch", help="In waves through OpenAI's batch endpoint: half the price, answers within a day."),
]
Committee = Annotated[
    int | None,
    typer.Option("--committee", min=0, help="Model checkers that review each task; the majority decides (default 1)."),
]
Replans = Annotated[
    int | None,
    typer.Option(
        "--replans",
        min=0,
        help="Times a session that could not be drafted is planned anew (default: offline 5, else 1).",
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Only say what the run would take: requests, tokens, money, time.")
]
Project = Annotated[str | None, typer.Option("--project", help="Title of the annotation project.")]
Backend = Annotated[
    str | None,
    typer.Option("--backend", help="Annotation tool: label_studio, or one that an installed package offers."),
]
ServerUrl = Annotated[
    str | None,
    typer.Option("--url", help="A running Label Studio (token in LABEL_STUDIO_API_KEY); else one is started."),
]
ShardRunner = Annotated[
    RunnerName | None,
    typer.Option("--runner", help="What runs shards: this process, or a Dask cluster (the extra `dask`)."),
]
DaskAddress = Annotated[
    str | None,
    typer.Option("--dask-address", help="A running Dask scheduler; else worker processes are started for the run."),
]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Shards at once on a cluster (default: cores).")]
