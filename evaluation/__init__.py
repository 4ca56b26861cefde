"""What a trajectory is worth: graph, matching, arguments, errors, metrics, report.

``Referee`` judges one attempt at a task while it runs; ``score_session`` judges a stored trajectory again;
``summarise`` adds scores up. All are pure: records in, records out. Rules: ``docs/scoring.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from evaluation.cases import read_cases, run_cases
from evaluation.costs import read_costs
from evaluation.judging import SpeechItem, SpeechVerdict, judge_speech, speech_items
from evaluation.original_results import read_original_results
from evaluation.referee import Referee, StepOutcome
from evaluation.score import RULES_VERSION, score_session

if TYPE_CHECKING:
    from evaluation.metrics import compare_runs, effort, summarise
    from evaluation.report import write_report

__all__ = [
    "RULES_VERSION",
    "Referee",
    "SpeechItem",
    "SpeechVerdict",
    "StepOutcome",
    "compare_runs",
    "effort",
    "judge_speech",
    "read_cases",
    "read_costs",
    "read_original_results",
    "run_cases",
    "score_session",
    "speech_items",
    "summarise",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """numpy and jinja2 are imported only by whom they serve: they would slow every start of the command line."""
    if name in ("compare_runs", "effort", "summarise"):
        from evaluation import metrics

        return getattr(metrics, name)
    if name == "write_report":
        from evaluation import report

        return report.write_report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
