"""``wildtool evaluate``: run, score, report, cases."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from wildtool.flows.cli.command import Outcome, command
from wildtool.flows.cli.options import (
    AsFlow,
    BaseUrl,
    Batch,
    Budget,
    DaskAddress,
    DryRun,
    InFlight,
    ShardRunner,
    Workers,
)
from wildtool.flows.cli.summary import scores_table
from wildtool.flows.cli.views import facts, forecast_view
from wildtool.flows.engine import call_stage
from wildtool.flows.run import Run

group = typer.Typer(help="Run models on a release and score them.", no_args_is_help=True)

Release = Annotated[str, typer.Option("--release", help="A release's folder, or a version.")]
Candidate = Annotated[
    str,
    typer.Option(
        "--model",
        help="Model name, or builtin:gold, builtin:null, builtin:greedy, builtin:always-ask (or builtin:ask), "
        "builtin:sequential.",
    ),
]
Rules = Annotated[str, typer.Option(help="exact (ours) or original (comparable to published figures).")]
History = Annotated[str, typer.Option(help="What a candidate sees of earlier tasks: gold, or its own.")]
Costs = Annotated[
    str | None,
    typer.Option("--costs", help="JSON or TOML of costs by tool (seconds or money), for the weighted OP rate."),
]
Judge = Annotated[
    str | None, typer.Option("--judge", help="A model whose opinion on asks and answers stands beside the scores.")
]
Split = Annotated[str | None, typer.Option(help="dev or test (default: both).")]


@command(group, "run")
def run_(
    run: Run,
    release: Release,
    candidate: Candidate,
    rules: Rules = "exact",
    history: History = "gold",
    trials: Annotated[int, typer.Option(min=1, help="Times that each session is played.")] = 1,
    split: Split = None,
    costs: Costs = None,
    judge: Judge = None,
    openai_base_url: BaseUrl = None,
    in_flight: InFlight = None,
    budget_usd: Budget = None,
    batch: Batch = None,
    runner: ShardRunner = None,
    dask_address: DaskAddress = None,
    workers: Workers = None,
    dry_run: DryRun = False,
    flow: AsFlow = False,
) -> Outcome:
    """Let a candidate play a release and score it. Goes on where it stopped; failed requests never count as done."""
    _known_rules(rules)
    _known_history(history)
    if dry_run:
        from wildtool.flows.stages.evaluate import forecast

        found = forecast(run, release=release, candidate=candidate, trials=trials, split=split)
        return Outcome(data=found, view=forecast_view(found))
    summary = call_stage(
        run,
        "evaluate",
        as_flow=flow,
        release=release,
        candidate=candidate,
        rules=rules,
        history=history,
        trials=trials,
        split=split,
        costs=costs,
        judge=judge,
    )
    return _scored(summary)


@command(group, "score")
def score(
    run: Run,
    release: Release,
    candidate: Candidate,
    rules: Rules = "exact",
    history: History = "gold",
    split: Split = None,
    results: Annotated[
        str | None, typer.Option("--results", help="A file of trajectories, or a result file of the original's.")
    ] = None,
    costs: Costs = None,
    judge: Judge = None,
    openai_base_url: BaseUrl = None,
) -> Outcome:
    """Score stored trajectories again, without a model."""
    from wildtool.flows.stages.score import score as stage

    _known_rules(rules)
    _known_history(history)
    return _scored(
        stage(
            run, release=release, candidate=candidate, rules=rules, history=history, split=split, results=results,
            costs=costs, judge=judge,
        )
    )  # fmt: skip


@command(group, "report")
def report(
    run: Run,
    release: Release,
    compare: Annotated[
        list[str] | None, typer.Option("--compare", help="Candidates (default: all that were scored).")
    ] = None,
    rules: Annotated[str, typer.Option(help="exact, original, or both side by side.")] = "exact",
    out: Annotated[str | None, typer.Option("--out", help="File to write.")] = None,
) -> Outcome:
    """Write one page with candidates side by side: tables, plots, each failed task as a story, paired tests."""
    from wildtool.flows.stages.score import compare as stage

    if rules != "both":
        _known_rules(rules)
    found = stage(run, release=release, candidates=compare or [], rules=rules, out=out)
    return Outcome(found, Group(scores_table(found["scores"]), f"page: {found['page']}"))


@command(group, "cases", needs_home=False)
def cases(
    run: Run,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL of scoring cases with right answers.")],
    rules: Rules = "exact",
) -> Outcome:
    """Compare our scorer with cases whose right answers are known; exit code 1 if any disagrees."""
    from wildtool.evaluation import read_cases, run_cases
    from wildtool.schemas.vocabulary import RuleSet

    _known_rules(rules)
    found = run_cases(read_cases(file), RuleSet(rules))
    shown = {**found, "disagree": f"{len(found['disagree'])} {found['disagree'][:10]}"}
    failure = None
    if found["disagree"]:
        failure = (f"{len(found['disagree']):,} of {found['cases']:,} cases disagree", "see their ids with --json")
    return Outcome(found, facts(shown), failure=failure)


def _scored(summary) -> Outcome:  # type: ignore[no-untyped-def]  # JsonObject
    score = summary["score"]
    failure = None
    if not score["complete_run"]:
        failure = (
            f"the run is incomplete ({score['failed_requests']:,} tasks without an answer), so it has no score",
            "check the endpoint and run the same command again: what was answered is kept",
        )
    return Outcome(summary, Group(scores_table([score]), f"page: {summary['page']}"), failure=failure)


def _known_rules(rules: str) -> None:
    from wildtool.schemas.errors import InputError
    from wildtool.schemas.vocabulary import RuleSet

    if rules not in list(RuleSet):
        raise InputError(f"there is no rule set {rules}", f"name one of: {', '.join(RuleSet)}")


def _known_history(history: str) -> None:
    from wildtool.schemas.errors import InputError

    if history not in ("gold", "own"):
        raise InputError(f"there is no history {history}", "name one of: gold, own")
