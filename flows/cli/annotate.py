"""``wildtool annotate``: Label Studio server, push, pull, agreement, adjudication."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Group
from rich.table import Table

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import Project, ServerUrl
from wildtool.flows.cli.views import facts, stage_view
from wildtool.flows.run import Run

group = typer.Typer(help="Drafts to people and their judgement back, in Label Studio.", no_args_is_help=True)


@command(group, "serve")
def serve(
    run: Run,
    stop: Annotated[bool, typer.Option("--stop", help="Stop the running server.")] = False,
    hooks: Annotated[
        bool, typer.Option("--hooks", help="Let its webhooks reach this machine, for `annotate listen`.")
    ] = False,
) -> Outcome:
    """Start the home's own Label Studio (installed on first use) and leave it running; loopback only."""
    from wildtool.annotation import LabelStudioServer

    server = LabelStudioServer(run.home.path, loopback_hooks=hooks)
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
    from wildtool.flows.stages import label_studio as stage

    with stage.studio(run) as server:
        summary = stage.push(run, server)
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
def simulate(run: Run, project: Project = None, label_studio_url: ServerUrl = None) -> Outcome:
    """Let simulated annotators label all pushed drafts over the HTTP API; every label says that it is simulated."""
    from wildtool.flows.stages import label_studio as stage

    with stage.studio(run) as server:
        summary = stage.simulate_labels(run, server)
    return Outcome(summary, facts(summary))


@command(group, "pull")
def pull(run: Run, project: Project = None, label_studio_url: ServerUrl = None) -> Outcome:
    """Bring back all labels that changed since the last pull; what does not hold goes to quarantine."""
    from wildtool.flows.stages.label_studio import studio
    from wildtool.flows.stages.rounds import pull as bring

    with studio(run) as server:
        summary = bring(run, server)
    return Outcome(summary, stage_view(summary))


@command(group, "adjudicate")
def adjudicate(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated adjudicator decide; its labels say so.")
    ] = False,
    single: Annotated[
        bool, typer.Option("--single", help="Settle on one label also where two people were to label.")
    ] = False,
) -> Outcome:
    """Settle what people agree on; push what they disagree on, side by side, and what does not hold, with the reason."""
    from wildtool.flows.stages import rounds
    from wildtool.flows.stages.label_studio import studio

    with studio(run) as server:
        summary = rounds.adjudicate(run, server, simulate=simulate, on_one=single)
    told = {
        "accepted": summary["accepted"],
        "open": summary["open"],
        "wait for another label": summary["waiting"],
        "to be labelled again": summary["labelled_again"],
    }
    return Outcome(summary, stage_view(summary, **told))


@command(group, "spotcheck")
def spotcheck(
    run: Run,
    project: Project = None,
    label_studio_url: ServerUrl = None,
    accepted_error: Annotated[
        float, typer.Option("--accepted-error", help="Share of wrong sessions that is accepted.")
    ] = 0.05,
    confidence: Annotated[float, typer.Option("--confidence", help="How sure the check shall be.")] = 0.95,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Let a simulated person look, who takes the drafts for the truth.")
    ] = False,
) -> Outcome:
    """Have a random sample of the settled sessions looked at, until at most the accepted share is wrong.

    Run it, let people look at what it pushed, pull, run it again: it says what the sample shows and, after an error,
    enlarges it.
    """
    from wildtool.flows.stages import rounds
    from wildtool.flows.stages.label_studio import studio

    with studio(run) as server:
        result, told = rounds.spot_check(
            run, server, accepted_error=accepted_error, confidence=confidence, simulate=simulate
        )
    sure = f"{100 * result.confidence:g} % confidence"
    verdict = (
        f"shown: at most {100 * result.accepted_error:g} % are wrong, at {sure}"
        if result.passed
        else f"not shown yet: look at {result.still_needed:,} more"
        if result.still_needed
        else f"refuted: more than {100 * result.accepted_error:g} % are wrong"
    )
    rows = {
        "sessions settled": result.population,
        "sample": told["sample"],
        "looked at": result.checked,
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
    host: Annotated[str, typer.Option("--host", help="Where to listen; loopback unless told.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port to listen at (default: a free one).")] = 0,
    address: Annotated[
        str | None, typer.Option("--address", help="Where Label Studio reaches us, if not where we listen.")
    ] = None,
    pulls: Annotated[int | None, typer.Option("--pulls", help="End after so many hints (default: at Ctrl-C).")] = None,
) -> Outcome:
    """Pull whenever Label Studio's webhook hints at a label. The secret is WILDTOOL_HOOK_SECRET, or made."""
    from wildtool.flows.stages.label_studio import studio
    from wildtool.flows.stages.webhook_listener import listen as wait

    secret = run.settings.hook_secret
    with studio(run, loopback_hooks=True) as server:
        told = wait(
            run,
            server,
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
    """Say how far people agree, field by field, and write the page with the sessions that they disagree on."""
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
    """Say how far each project is: rounds, people, pace, what is left."""
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
