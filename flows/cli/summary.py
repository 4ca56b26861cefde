"""Print the summary of ``wildtool build``: results, their paths, and how to open them."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table

from wildtool.flows.cli.views import facts, percent
from wildtool.schemas.base import JsonObject


def build_view(done: JsonObject) -> RenderableType:
    """Stage by stage, then scores, then addresses."""
    parts: list[RenderableType] = [_stages(done)]
    if "evaluate" in done:
        parts += ["", scores_table([each["score"] for each in done["evaluate"]])]
    parts += ["", facts(_places(done))]
    return Group(*parts)


def _stages(done: JsonObject) -> Table:
    table = Table(title="what was made", title_justify="left")
    table.add_column("stage")
    table.add_column("result")
    table.add_column("in", justify="right")
    table.add_column("out", justify="right")
    table.add_column("quarantined", justify="right")
    annotate = done["annotate"]
    rows = [
        (done["catalog"], f"{done['catalog']['lists']:,} tool lists, {done['catalog']['tools']:,} functions"),
        (done["mine"], f"{done['mine']['notes'].get('seeds', 0):,} seed scenarios"),
        (done["draft"], f"{done['draft']['drafts']:,} drafts of profile {done['draft']['profile']}"),
        (annotate.get("push", annotate), f"project “{annotate.get('push', annotate)['project']}”"),
    ]
    if "push" in annotate:
        rows.append((annotate, f"{annotate['accepted']:,} sessions accepted; {_agreement(annotate['agreement'])}"))
    if "release" in done:
        rows.append((done["release"], f"release {done['release']['manifest']['version']}, {_marks(done['release'])}"))
    for summary, text in rows:
        first, last = summary["steps"][0], summary["steps"][-1]
        quarantined = f"{sum(step['quarantined'] for step in summary['steps']):,}"
        if (
            summary["stage"] == "catalog"
        ):  # its steps count specs, then operations, then functions: no sum means anything
            table.add_row(summary["stage"], text, f"{first['rows_in']:,} specs", f"{last['rows_out']:,}", "see status")
        else:
            table.add_row(summary["stage"], text, f"{first['rows_in']:,}", f"{last['rows_out']:,}", quarantined)
    return table


def _agreement(report: JsonObject) -> str:
    alpha = report["alpha"].get("type", {}).get("value")
    edges = report["edge_f1"]["value"]
    said = [
        f"alpha(type) {alpha:.2f}" if alpha is not None else "",
        f"edge F1 {edges:.2f}" if edges is not None else "",
    ]
    return ", ".join(part for part in said if part) or "no session was labelled twice"


def _marks(release: JsonObject) -> str:
    manifest = release["manifest"]
    marks = ["offline model"] * manifest["offline"] + ["simulated labels"] * manifest["simulated_labels"]
    return " and ".join(marks) if marks else "people's labels"


def scores_table(scores: list[JsonObject]) -> Table:
    """Candidates by line, figures by column."""
    table = Table(title=f"scores on release {scores[0]['release']} ({scores[0]['rules']} rules)", title_justify="left")
    table.add_column("candidate")
    for column in ("task accuracy", "session accuracy", "OP rate", "AP rate", "chat", "single", "multi", "clarify"):
        table.add_column(column, justify="right")
    for score in scores:
        if not score["complete_run"]:
            table.add_row(score["candidate"], f"incomplete run: {score['failed_requests']} failed requests")
            continue
        by_type = score["breakdown"].get("type", {})
        table.add_row(
            score["candidate"],
            percent(score["task_accuracy"]),
            percent(score["session_accuracy"]),
            percent(score["optimal_path_rate"]),
            percent(score["accomplish_progress_rate"]),
            *(
                f"{100 * by_type[name]['value']:.0f} %"
                if name in by_type and by_type[name]["value"] is not None
                else "–"
                for name in ("chat", "single", "multi", "clarify")
            ),
        )
    return table


def _places(done: JsonObject) -> dict[str, object]:
    push = done["annotate"].get("push", done["annotate"])
    rows: dict[str, object] = {"Label Studio": push["url"]}
    if push["login"] is not None:
        rows["log in as"] = f"{push['login']}   password: {push['password']}"
        rows["stop it by"] = "wildtool annotate serve --stop   (after make demo: make stop)"
    if "release" in done:
        folder = done["release"]["folder"]
        rows["release"] = folder
        rows["load it by"] = f'datasets.load_dataset("{folder}", "en")'
        rows["reports"] = "  ".join(each["page"] for each in done["evaluate"])
    return rows
