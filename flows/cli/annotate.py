"""``wildtool annotate``: Label Studio server, push, pull, agreement, adjudication."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from flows.cli.command import Outcome, command
from flows.cli.options import Project, ServerUrl
from flows.cli.views import facts, stage_view
from flows.run import Run

group = typer.Typer(help="Drafts to people and their judgement back, in Label Studio.", no_args_is_help=True)


@command(group, "serve")
def serve(run: Run, stop: Annotated[bool, typer.Option("--stop", help="Stop the running server.")] = False) -> Outcome:
    """Start the home's own Label Studio (installed on first use) and leave it running; loopback only."""
    from annotation import LabelStudioServer

    server = LabelStudioServer(run.home.path)
    if stop:
        stopped = server.stop()
        return Outcome({"stopped": stopped}, "Label Studio is stopped." if stopped else "No Label Studio was running.")
    running = server.start(run.progress.note)
    rows = {"Label Studio": running.url, "log in as": running.email, "password": running.password}
    return Outcome(
        {"url": running.url, "login": running.email, "password": running.password, "pid": running.pid},
        facts(rows | {"stop it by": "wildtool annotate serve --stop"}),
    )


@command(group, "push")
def push(run: Run, project: Project = None, label_studio_url: ServerUrl = None) -> Outcome:
    """Push every draft that the project has not yet; each is one task, prefilled."""
    from flows.stages import annotate as stage

    with stage.studio(run) as server:
        summary = stage.push(run, server)
    rows = {"project": summary["url"], "pushed": summary["pushed"], "new": summary["new"]}
    if summary["login"]:
        rows |= {"log in as": summary["login"], "password": summary["password"]}
    return Outcome(summary, facts(rows))


@command(group, "simulate")
def simulate(run: Run, project: Project = None, label_studio_url: ServerUrl = None) -> Outcome:
    """Let two simulated annotators label all pushed drafts over the HTTP API; every label says that it is simulated."""
    from flows.stages import annotate as stage

    with stage.studio(run) as server:
        summary = stage.simulate_labels(run, server)
    return Outcome(summary, facts(summary))


@command(group, "pull")
def pull(run: Run, project: Project = None, label_studio_url: ServerUrl = None) -> Outcome:
    """Bring back all labels that changed since the last pull; what does not hold goes to quarantine."""
    from flows.stages import annotate as stage

    with stage.studio(run) as server:
        summary = stage.pull(run, server)
    return Outcome(summary, stage_view(summary))


@command(group, "adjudicate")
def adjudicate(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated adjudicator decide; its labels say so.")
    ] = False,
) -> Outcome:
    """Settle what people agree on; push what they disagree on to a project that shows both labels side by side."""
    from flows.stages import annotate as stage

    with stage.studio(run) as server:
        summary = stage.adjudicate(run, server, simulate=simulate)
    return Outcome(summary, stage_view(summary, accepted=summary["accepted"], open=summary["open"]))


@command(group, "agreement")
def agreement(run: Run) -> Outcome:
    """Say how far people agree, field by field, and write the page with the sessions that they disagree on."""
    from annotation import agreement_page
    from flows.stages.annotate import measure

    report = measure(run)
    page = run.home.reports / "agreement.html"
    page.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    page.write_text(agreement_page(report), encoding="utf-8")
    table = Table(title=f"agreement over {report.sessions:,} double-labelled sessions", title_justify="left")
    for column in ("figure", "value", "95 % interval", "units"):
        table.add_column(column, justify="left" if column == "figure" else "right")
    figures = {f"alpha {name}": figure for name, figure in report.alpha.items()} | {
        "call F1": report.call_f1,
        "arguments equal": report.argument_exact,
        "edge F1": report.edge_f1,
    }
    for name, figure in figures.items():
        value = "–" if figure.value is None else f"{figure.value:.3f}"
        interval = "–" if figure.low is None else f"[{figure.low:.3f}, {figure.high:.3f}]"
        table.add_row(name, value, interval, f"{figure.n:,}")
    data = report.model_dump(mode="json") | {"page": str(page)}
    simulated = "Labels are simulated." if report.simulated else ""
    return Outcome(data, Group(table, *([simulated] if simulated else []), f"page: {page}"))


@command(group, "status")
def status(run: Run) -> Outcome:
    """Say how far each project is: rounds, people, pace, what is left."""
    from flows.stages.annotate import status as statuses

    found = statuses(run)
    table = Table(title="projects", title_justify="left")
    for column in ("project", "round", "pushed", "labelled once", "twice", "rejected", "left", "people"):
        table.add_column(column, justify="left" if column == "project" else "right")
    for each in found:
        table.add_row(
            each.project,
            *(
                f"{n:,}"
                for n in (each.round, each.pushed, each.labelled_once, each.labelled_twice, each.rejected, each.left)
            ),
            f"{len(each.people)}{' (simulated)' if any(person.simulated for person in each.people) else ''}",
        )
    return Outcome({"projects": [each.model_dump(mode="json") for each in found]}, table)
