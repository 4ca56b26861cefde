"""``wildtool annotate``: server, push, pull, agreement, adjudication."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import Backend, Project, ServerUrl
from wildtool.flows.cli.views import facts, stage_view
from wildtool.flows.run import Run

group = typer.Typer(help="Send drafts to annotators and collect their labels.", no_args_is_help=True)


@command(group, "serve")
def serve(
    run: Run,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the running server.")] = False,
    hooks: Annotated[
        bool, typer.Option("--hooks", help="Let its webhooks reach this machine, for `annotate listen`.")
    ] = False,
) -> Outcome:
    """Start the home's own Label Studio (installed on first use) on loopback and leave it running."""
    from wildtool.annotation import LabelStudioServer

    server = LabelStudioServer(run.home.path, loopback_hooks=hooks)
    if stop:
        stopped = server.stop()
        return Outcome({"stopped": stopped}, "Stopped Label Studio." if stopped else "Label Studio was not running.")
    running = server.start(run.progress.note)
    rows = {"Label Studio": running.url, "log in as": running.email, "password": running.password}
    return Outcome(
        {"url": running.url, "login": running.email, "password": running.password, "pid": running.pid},
        facts(rows | {"stop it with": "wildtool annotate serve --stop"}),
    )


@command(group, "push")
def push(
    run: Run, project: Project = None, label_studio_url: ServerUrl = None, annotation_backend: Backend = None
) -> Outcome:
    """Push every draft that the project lacks; each becomes one prefilled task."""
    from wildtool.flows.stages import labelling

    with labelling.annotation_backend(run) as backend:
        summary = labelling.push(run, backend)
    rows = {
        "project": summary["url"],
        "pushed": summary["pushed"],
        "new": summary["new"],
        "for two people": summary["twice"],
    }
    if summary["login"]:
        rows |= {"log in as": summary["login"], "password": summary["password"]}
    return Outcome(summary, facts(rows))


@command(group, "simulate")
def simulate(
    run: Run, project: Project = None, label_studio_url: ServerUrl = None, annotation_backend: Backend = None
) -> Outcome:
    """Let simulated annotators label all pushed drafts; every label says that it is simulated."""
    from wildtool.flows.stages import labelling

    with labelling.annotation_backend(run) as backend:
        summary = labelling.simulate_labels(run, backend)
    return Outcome(summary, facts(summary))


@command(group, "pull")
def pull(
    run: Run, project: Project = None, label_studio_url: ServerUrl = None, annotation_backend: Backend = None
) -> Outcome:
    """Pull all labels that changed since the last pull; labels that do not hold go to quarantine."""
    from wildtool.flows.stages import rounds
    from wildtool.flows.stages.labelling import annotation_backend as opened

    with opened(run) as backend:
        summary = rounds.pull(run, backend)
    return Outcome(summary, stage_view(summary))


@command(group, "adjudicate")
def adjudicate(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    annotation_backend: Backend = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated adjudicator decide; its labels say so.")
    ] = False,
    single: Annotated[bool, typer.Option("--single", help="Settle on one label even where two are wanted.")] = False,
) -> Outcome:
    """Settle what people agree on; push disagreements side by side, and labels that do not hold with the reason."""
    from wildtool.flows.stages import rounds
    from wildtool.flows.stages.labelling import annotation_backend as opened

    with opened(run) as backend:
        summary = rounds.adjudicate(run, backend, simulate=simulate, on_one=single)
    told = {
        "accepted": summary["accepted"],
        "open": summary["open"],
        "waiting for another label": summary["waiting"],
        "to be labelled again": summary["labelled_again"],
    }
    return Outcome(summary, stage_view(summary, **told))


@command(group, "spotcheck")
def spotcheck(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    annotation_backend: Backend = None,
    accepted_error: Annotated[float, typer.Option("--accepted-error", help="Accepted share of wrong sessions.")] = 0.05,
    confidence: Annotated[float, typer.Option("--confidence", help="Confidence of the check.")] = 0.95,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated person check, who takes the drafts for the truth.")
    ] = False,
) -> Outcome:
    """Have a random sample of the settled sessions checked, until at most the accepted share is wrong.

    Run it, let people check what it pushed, pull, run it again: it evaluates the sample and, after an error, enlarges
    it.
    """
    from wildtool.flows.stages import rounds
    from wildtool.flows.stages.labelling import annotation_backend as opened

    with opened(run) as backend:
        result, told = rounds.spot_check(
            run, backend, accepted_error=accepted_error, confidence=confidence, simulate=simulate
        )
    sure = f"{100 * result.confidence:g} % confidence"
    verdict = (
        f"shown: at most {100 * result.accepted_error:g} % are wrong, at {sure}"
        if result.passed
        else f"not shown yet: check {result.still_needed:,} more"
        if result.still_needed
        else f"refuted: more than {100 * result.accepted_error:g} % are wrong"
    )
    rows = {
        "sessions settled": result.population,
        "sample": told["sample"],
        "checked": result.checked,
        "wrong": result.wrong,
        "at most wrong": f"{100 * result.upper:.1f} % at {sure}",
        "verdict": verdict,
        "project": told["project"],
    }
    return Outcome(told, facts(rows))


@command(group, "listen")
def listen(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    annotation_backend: Backend = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen at (default: loopback).")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port to listen at (default: a free one).")] = 0,
    address: Annotated[
        str | None,
        typer.Option("--address", help="Address where the annotation server reaches this machine, if it differs."),
    ] = None,
    pulls: Annotated[int | None, typer.Option("--pulls", help="Stop after so many hints (default: at Ctrl-C).")] = None,
) -> Outcome:
    """Pull whenever a webhook hints at a new label. The secret is WILDTOOL_HOOK_SECRET, or derived."""
    from wildtool.flows.stages.labelling import annotation_backend as opened
    from wildtool.flows.stages.webhook_listener import listen as wait

    secret = run.settings.hook_secret
    with opened(run, loopback_hooks=True) as backend:
        told = wait(
            run,
            backend,
            secret=None if secret is None else secret.get_secret_value(),
            host=host,
            port=port,
            address=address,
            pulls=pulls,
            on_ready=lambda url: run.progress.note(f"listening at {url}; Ctrl-C ends"),
        )
    return Outcome(told, facts(told))


@command(group, "agreement")
def agreement(run: Run) -> Outcome:
    """Measure agreement field by field, and write a page with the sessions that people disagree on."""
    from wildtool.annotation import agreement_page
    from wildtool.flows.stages.settlement import measure

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
        "arguments equal, normalised": report.argument_normalised,
        "edge F1": report.edge_f1,
    }
    notes = []
    for name, figure in figures.items():
        if figure is None:
            continue
        value = "undefined" if figure.value is None else f"{figure.value:.3f}"
        interval = "–" if figure.low is None else f"[{figure.low:.3f}, {figure.high:.3f}]"
        table.add_row(name, value, interval, f"{figure.n:,}")
        if figure.undefined:
            notes.append(f"{name} is undefined: {figure.undefined}")
    data = report.model_dump(mode="json") | {"page": str(page)}
    if report.simulated:
        notes.append("Labels are simulated.")
    return Outcome(data, Group(table, *notes, f"page: {page}"))


@command(group, "status")
def status(run: Run) -> Outcome:
    """Show the progress of each project: rounds, people, pace, labels left."""
    from wildtool.flows.stages.settlement import status as statuses

    found = statuses(run)
    table = Table(title="projects", title_justify="left")
    columns = (
        "project",
        "round",
        "pushed",
        "labelled once",
        "twice",
        "rejected",
        "to do again",
        "left",
        "a day",
        "days",
    )
    for column in columns:
        table.add_column(column, justify="left" if column == "project" else "right")
    people = Table(title="people", title_justify="left")
    for column in ("project", "person", "accepted", "rejected", "skipped", "median time", "newest label"):
        people.add_column(column, justify="left" if column in ("project", "person") else "right")
    for each in found:
        counts = (
            each.round,
            each.pushed,
            each.labelled_once,
            each.labelled_twice,
            each.rejected,
            each.failed,
            each.left,
        )
        pace = "–" if each.labels_a_day is None else f"{each.labels_a_day:,.0f}"
        days = "–" if each.days_left is None else f"{each.days_left:,.1f}"
        table.add_row(each.project, *(f"{n:,}" for n in counts), pace, days)
        for person in each.people:
            people.add_row(
                each.project,
                f"{person.annotator}{' (simulated)' if person.simulated else ''}",
                *(f"{n:,}" for n in (person.accepted, person.rejected, person.skipped)),
                "–" if person.median_seconds is None else f"{person.median_seconds:,.0f} s",
                person.newest[:16].replace("T", " "),
            )
    shown = Group(table, people) if people.row_count else table
    return Outcome({"projects": [each.model_dump(mode="json") for each in found]}, shown)
