"""``wildtool draft``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import (
    AsFlow,
    BaseUrl,
    Batch,
    Budget,
    Committee,
    DaskAddress,
    DryRun,
    InFlight,
    Model,
    Replans,
    ShardRunner,
    Workers,
)
from wildtool.flows.cli.views import forecast_view, stage_view
from wildtool.flows.engine import call_stage
from wildtool.flows.run import Run

group = typer.Typer()

SHOWN = 40
"""Lines of a long listing that a terminal gets; --json has all."""


@command(group, None)
def draft(
    run: Run,
    profile: Annotated[str, typer.Option(help="Name or path of a profile: what the benchmark is made of.")] = "default",
    sessions: Annotated[int | None, typer.Option(min=1, help="At most so many sessions a language.")] = None,
    model: Model = None,
    openai_base_url: BaseUrl = None,
    in_flight: InFlight = None,
    budget_usd: Budget = None,
    batch: Batch = None,
    committee: Committee = None,
    replans: Replans = None,
    runner: ShardRunner = None,
    dask_address: DaskAddress = None,
    workers: Workers = None,
    dry_run: DryRun = False,
    flow: AsFlow = False,
) -> Outcome:
    """Plan sessions and let user, assistant, environment and checker agents draft them. Goes on where it stopped."""
    if dry_run:
        from wildtool.flows.stages.draft import forecast

        found = forecast(run, profile=profile, sessions=sessions)
        return Outcome(data=found, view=forecast_view(found))
    summary = call_stage(run, "draft", as_flow=flow, profile=profile, sessions=sessions)
    failure = None
    if not summary["drafts"]:
        failure = (
            "no session became a draft",
            "see why: wildtool quarantine --stage draft; then run the same command again",
        )
    return Outcome(data=summary, view=stage_view(summary), failure=failure)


@command(group, "list")
def list_(run: Run) -> Outcome:
    """List the drafts, those with the most doubts first."""
    from wildtool.schemas.draft import Draft

    rows = sorted(
        (
            {
                "id": draft.id,
                "session": draft.session.id,
                "profile": draft.plan.profile,
                "language": draft.session.language.value,
                "tool_list": draft.plan.tool_list.title,
                "doubts": sum(verdict.doubtful for verdict in draft.verdicts),
                "offline": draft.offline,
            }
            for draft in run.store().iterate(Draft)
        ),
        key=lambda row: (-int(str(row["doubts"])), str(row["id"])),
    )
    table = Table(title=f"{len(rows):,} drafts", title_justify="left")
    for column in ("id", "profile", "language", "tool list", "doubts"):
        table.add_column(column, justify="right" if column == "doubts" else "left")
    for row in rows[:SHOWN]:
        table.add_row(*(str(row[name]) for name in ("id", "profile", "language", "tool_list", "doubts")))
    more = [f"… and {len(rows) - SHOWN:,} more (--json shows all)"] if len(rows) > SHOWN else []
    return Outcome({"drafts": rows}, Group(table, *more))


@command(group, "show")
def show(
    run: Run, id: Annotated[str, typer.Argument(metavar="DRAFT", help="Id of a draft, or of its session.")]
) -> Outcome:
    """Print a draft as a person reads it: the dialogue, its calls and dependencies, what the checks doubt."""
    from wildtool.agents import render_draft
    from wildtool.schemas.draft import Draft
    from wildtool.schemas.errors import InputError

    store = run.store()
    draft = store.get(Draft, id) or next(iter(store.read(Draft, session=id)), None)
    if draft is None:
        some = ", ".join(store.ids(Draft)[:3]) or "none yet: wildtool draft"
        raise InputError(f"there is no draft {id}", f"name one, such as: {some}")
    return Outcome(data=draft.model_dump(mode="json"), view=render_draft(draft))
