"""One self-contained HTML page: leaderboard, tables and plots, comparison, and each failed task as a story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wildtool.evaluation.report import plots
from wildtool.evaluation.report.failure_pages import BOX_HEIGHT, BOX_WIDTH, Story, tell
from wildtool.evaluation.report.metrics import DIMENSIONS, compare_runs
from wildtool.evaluation.report.plots import Plot
from wildtool.schemas.errors import InputError
from wildtool.schemas.score import Rate, ScoreReport, TaskScore
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import Trajectory

if TYPE_CHECKING:
    from jinja2 import Template

HEADLINE = (
    ("task_accuracy", "Task accuracy", "tasks with every step, argument and ask right"),
    ("session_accuracy", "Session accuracy", "sessions with all tasks right"),
    ("optimal_path_rate", "OP rate", "parallel and mixed tasks done right in the fewest steps"),
    ("accomplish_progress_rate", "AP rate", "gold actions completed, over sequential and mixed tasks"),
)
TITLES = {
    "type": "Task type",
    "topology": "Topology of multi tasks",
    "hidden_intent": "Hidden intent",
    "order": "Order in the session",
    "transitions": "Transitions so far",
    "category": "Category of the tools",
    "language": "Language",
}
PUBLISHED = (
    ("Gemini-2.0-Thinking", 61.04, 14.45),
    ("Gemini-2.5-Pro", 56.25, 14.06),
    ("Claude-4-Sonnet", 56.54, 12.50),
    ("o1", 58.79, 12.11),
    ("GLM-4.5", 56.05, 12.11),
    ("GPT-4o", 54.88, 11.72),
    ("Kimi-K2", 53.71, 10.55),
    ("GPT-5", 49.12, 5.86),
    ("xLAM-2-70B", 48.73, 7.81),
    ("Hammer2.1-7B", 46.88, 4.69),
)
"""Task and session accuracy in per cent, as the WildToolBench paper prints them. Not measured here."""


@dataclass(frozen=True)
class _Run:
    number: int
    report: ScoreReport
    scores: Sequence[TaskScore]
    stories: tuple[Story, ...]
    left_out: int


def write_report(
    path: Path | str,
    reports: Sequence[ScoreReport],
    scores: Sequence[Sequence[TaskScore]],
    sessions: Sequence[Session],
    trajectories: Sequence[Sequence[Trajectory]],
    *,
    stories: int | None = None,
) -> None:
    """Write one HTML page on one or more runs: figures, plots, breakdowns, failed tasks step by step.

    Args:
        path: file to write.
        reports: one for each run, as ``summarise`` gives it.
        scores: of each run, in the order of the reports.
        sessions: the release's sessions, in any order.
        trajectories: of each run, in the order of the reports.
        stories: failed tasks told of each run, at most; None tells all. The page says how many it leaves out.

    Returns:
        Nothing.

    Raises:
        InputError: the lists differ in length or are empty, or the page cannot be written.

    Source: ``evaluation/report/page.py``.
    """
    if not reports or not len(reports) == len(scores) == len(trajectories):
        raise InputError(
            f"{len(reports)} reports, {len(scores)} lists of scores, {len(trajectories)} of trajectories",
            "give one of each a run",
        )
    page = render_report(reports, scores, sessions, trajectories, stories=stories)
    try:
        # A candidate's text may hold half a surrogate pair, which UTF-8 refuses.
        Path(path).write_bytes(page.encode("utf-8", "replace"))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error}", "name a file in a folder that can be written") from error


def render_report(
    reports: Sequence[ScoreReport],
    scores: Sequence[Sequence[TaskScore]],
    sessions: Sequence[Session],
    trajectories: Sequence[Sequence[Trajectory]],
    *,
    stories: int | None = None,
) -> str:
    """The page as text; see ``write_report``."""
    by_id = {session.id: session for session in sessions}
    runs = [
        _run(number, report, list(scored), by_id, made, stories)
        for number, (report, scored, made) in enumerate(zip(reports, scores, trajectories, strict=True), start=1)
    ]
    return _template().render(
        runs=runs,
        headline=HEADLINE,
        dimensions=[(name, TITLES[name], _values(name, reports)) for name in DIMENSIONS],
        errors=_errors(reports),
        plots=_plots(reports),
        marks=list(dict.fromkeys(mark for report in reports for mark in report.extra.get("marks", ()))),
        efforts=[report.extra.get("effort") or {} for report in reports],
        judged=[(run.report.candidate, run.report.extra["judge"]) for run in runs if run.report.extra.get("judge")],
        further=_further(reports),
        pairs=[(a, b, compare_runs(a.scores, b.scores)) for a, b in combinations(runs, 2)],
        disagreements=[
            (a.report.candidate, a.report.rules, b.report.rules, rows)
            for a, b in combinations(runs, 2)
            if a.report.candidate == b.report.candidate and a.report.rules is not b.report.rules
            for rows in [disagreements(a.scores, b.scores)]
        ],
        published=PUBLISHED,
        box_width=BOX_WIDTH,
        box_height=BOX_HEIGHT,
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.evaluation.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    return environment.get_template("report.html.jinja")


def disagreements(first: Sequence[TaskScore], second: Sequence[TaskScore]) -> list[tuple[TaskScore, TaskScore]]:
    """Tasks that one scoring calls right and the other wrong: two rule sets over the same trajectories."""
    others = {(score.session, score.trial, score.task): score for score in second}
    pairs = ((score, others.get((score.session, score.trial, score.task))) for score in first)
    return [(score, other) for score, other in pairs if other is not None and score.correct is not other.correct]


def _run(
    number: int,
    report: ScoreReport,
    scores: Sequence[TaskScore],
    sessions: dict[str, Session],
    trajectories: Sequence[Trajectory],
    most: int | None,
) -> _Run:
    done = {(t.session, t.trial, task.task): task for t in trajectories for task in t.tasks}
    failed = [score for score in scores if not score.correct and score.session in sessions]
    told = failed if most is None else failed[:most]
    return _Run(
        number,
        report,
        scores,
        tuple(
            tell(
                sessions[s.session],
                s,
                done.get((s.session, s.trial, s.task)),
                report.rules,
                f"r{number}-{s.session}-{s.trial}-{s.task}",
            )
            for s in told
        ),
        len(failed) - len(told),
    )


def _values(name: str, reports: Sequence[ScoreReport]) -> list[str]:
    """Values of a dimension over all runs, in natural order."""
    found = {value for report in reports for value in report.breakdown.get(name, {})}
    return sorted(found, key=lambda value: (not value.isdigit(), int(value) if value.isdigit() else 0, value))


def _plots(reports: Sequence[ScoreReport]) -> list[Plot]:
    """The paper's plots: by type, topology with OP and AP, hidden intent, transitions; and the errors."""

    def names() -> list[str]:
        apart = len({report.rules for report in reports}) > 1
        return [f"{report.candidate} ({report.rules.value})" if apart else report.candidate for report in reports]

    def by(dimension: str) -> tuple[list[str], list[tuple[str, list[Rate | None]]]]:
        values = [value for value in _values(dimension, reports) if value != "none"]
        rows = [[report.breakdown.get(dimension, {}).get(value) for value in values] for report in reports]
        return [value.replace("_", " ") for value in values], list(zip(names(), rows, strict=True))

    found = [plots.bars("Task accuracy by type", *by("type"))]
    topologies, series = by("topology")
    if topologies:
        figures = [
            ("OP parallel", "optimal_path_rate_by_topology", "parallel"),
            ("OP mixed", "optimal_path_rate_by_topology", "mixed"),
            ("AP sequential", "accomplish_progress_rate_by_topology", "sequential"),
            ("AP mixed", "accomplish_progress_rate_by_topology", "mixed"),
        ]
        figures = [each for each in figures if any(_rate(report, *each[1:]).n for report in reports)]
        more = [[_rate(report, key, value) for _, key, value in figures] for report in reports]
        found.append(
            plots.bars(
                "Multi tasks: accuracy by topology, OP and AP rates",
                [*topologies, *(title for title, _, _ in figures)],
                [(name, [*rates, *others]) for (name, rates), others in zip(series, more, strict=True)],
            )
        )
    for title, dimension, draw in (
        ("Task accuracy by hidden intent", "hidden_intent", plots.bars),
        ("Task accuracy by transitions so far", "transitions", plots.lines),
        ("Task accuracy by order in the session", "order", plots.lines),
    ):
        labels, series = by(dimension)
        if len(labels) > 1:
            found.append(draw(title, labels, series))
    kinds = [kind for kind, _ in _errors(reports)]
    if kinds:
        counts = [{kind.value.replace("_", " "): n for kind, n in report.errors.items()} for report in reports]
        found.append(plots.parts("First causes of failed tasks", list(zip(names(), counts, strict=True)), kinds))
    return found


def _errors(reports: Sequence[ScoreReport]) -> list[tuple[str, list[int]]]:
    kinds = {
        kind: sum(report.errors.get(kind, 0) for report in reports) for report in reports for kind in report.errors
    }
    ordered = sorted(kinds, key=lambda kind: -kinds[kind])
    return [(kind.value.replace("_", " "), [report.errors.get(kind, 0) for report in reports]) for kind in ordered]


def _further(reports: Sequence[ScoreReport]) -> list[tuple[str, list[Rate]]]:
    """Rates beside the headline, by title."""

    rows = [
        ("OP, parallel tasks", ("optimal_path_rate_by_topology", "parallel")),
        ("OP, mixed tasks", ("optimal_path_rate_by_topology", "mixed")),
        ("OP, weighted by cost", ("weighted_optimal_path_rate",)),
        ("AP, sequential tasks", ("accomplish_progress_rate_by_topology", "sequential")),
        ("AP, mixed tasks", ("accomplish_progress_rate_by_topology", "mixed")),
        ("Answers whose numbers are all supported", ("answers_with_supported_facts",)),
        ("Tasks with an uncertain verdict on an ask", ("ask_uncertain",)),
        ("Task accuracy without these", ("task_accuracy_without_uncertain_asks",)),
        ("Null candidate: task accuracy", ("null_candidate", "task_accuracy")),
        ("Null candidate: session accuracy", ("null_candidate", "session_accuracy")),
    ]
    trials = max((int(report.extra.get("trials", 1)) for report in reports), default=1)
    for k in range(1, trials + 1) if trials > 1 else ():
        rows.append((f"pass^{k}, tasks", ("pass^k", "task", str(k))))
        rows.append((f"pass^{k}, sessions", ("pass^k", "session", str(k))))
    return [(title, [_rate(report, *keys) for report in reports]) for title, keys in rows]


def _rate(report: ScoreReport, *keys: str) -> Rate:
    """A rate, or a bare share, among the figures beside the headline."""
    value: Any = report.extra
    for key in keys:
        value = value.get(key, {}) if isinstance(value, dict) else {}
    if isinstance(value, int | float):
        return Rate(value=value, n=0)
    return Rate.model_validate(value) if value else Rate(value=None, n=0)


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"
