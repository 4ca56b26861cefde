"""From task scores to a report: rates with bootstrap intervals over sessions, breakdowns, errors, trials.

Definitions: ``docs/reference/scoring.md``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import comb
from typing import Any

import numpy as np

from wildtool.evaluation.rules import rules_version
from wildtool.schemas.score import Rate, ScoreReport, TaskScore
from wildtool.schemas.trajectory import Trajectory
from wildtool.schemas.vocabulary import ErrorKind, RuleSet, TaskType, Topology

OPTIMAL_OVER = (Topology.PARALLEL, Topology.MIXED)
"""Topologies that the OP rate counts: a sequential task has one path only."""

PROGRESS_OVER = (Topology.SEQUENTIAL, Topology.MIXED)
"""Topologies that the AP rate counts: in a parallel task no action leads to another."""

DIMENSIONS: dict[str, Callable[[TaskScore], str | None]] = {
    "type": lambda score: score.type.value,
    "topology": lambda score: score.topology.value if score.topology else None,
    "hidden_intent": lambda score: score.hidden_intent.value if score.hidden_intent else "none",
    "order": lambda score: str(score.task + 1),
    "transitions": lambda score: str(score.transitions),
    "category": lambda score: score.category,
    "language": lambda score: score.language.value,
}
"""Dimensions of the breakdown; None leaves a task out. Order and transitions count from the session's first task."""


class _Resampler:
    """Rates over clusters (sessions), with intervals from one set of resamples shared by all rates."""

    def __init__(self, sessions: Sequence[str], bootstrap: int, seed: int) -> None:
        self._place = {session: place for place, session in enumerate(sessions)}
        size = len(sessions)
        rng = np.random.default_rng(seed)
        # How often each session is drawn when as many are drawn, with replacement, as there are.
        self._weights = rng.multinomial(size, [1 / size] * size, size=bootstrap) if size and bootstrap else None

    def rate(self, parts: Iterable[tuple[str, float, float]]) -> Rate:
        """The rate sum(numerators) / sum(denominators) of (session, numerator, denominator) parts."""
        numerator, denominator = np.zeros(len(self._place)), np.zeros(len(self._place))
        for session, above, below in parts:
            numerator[self._place[session]] += above
            denominator[self._place[session]] += below
        total = denominator.sum()
        if not total:
            return Rate(value=None, n=0)
        value = float(numerator.sum() / total)
        if self._weights is None:
            return Rate(value=value, n=int(total))
        drawn = self._weights @ denominator
        rates = (self._weights @ numerator)[drawn > 0] / drawn[drawn > 0]
        low, high = np.quantile(rates, (0.025, 0.975)) if len(rates) else (value, value)
        return Rate(value=value, low=float(low), high=float(high), n=int(total))


def summarise(
    scores: Sequence[TaskScore],
    *,
    release: str,
    release_digest: str,
    candidate: str,
    rules: RuleSet,
    sessions_expected: int,
    code_version: str,
    trials: int = 1,
    bootstrap: int = 1000,
    seed: int = 0,
    more: Mapping[str, Any] | None = None,
) -> ScoreReport:
    """Sum one candidate's scores up: rates with 95 % bootstrap intervals over sessions, breakdowns, errors.

    Args:
        scores: of all sessions and trials, as ``score_session`` gives them; in any order.
        release, release_digest: version of the release and SHA-256 of its manifest.
        candidate: name of the model.
        rules: rule set by which the scores were made.
        sessions_expected: sessions of the release.
        code_version: version of wildtool.
        trials: how often each session was played.
        bootstrap: resamples of the intervals; 0 for none.
        seed: seed of the resampling.
        more: further figures, put under ``extra``.

    Returns:
        The report. All rates are from 0 to 1. A run that lacks sessions, trials or answers of the endpoint gets no headline:
        its rates stand under ``extra["partial"]``, over what was scored.

    Source: ``evaluation/report/metrics.py``.
    """
    sessions = sorted({score.session for score in scores})
    sample = _Resampler(sessions, bootstrap, seed)
    failed = sum(ErrorKind.FAILED_REQUEST in score.errors for score in scores)
    attempts = {(score.session, score.trial) for score in scores}
    complete_run = bool(scores) and len(attempts) == sessions_expected * trials and not failed
    headline = {
        "task_accuracy": _accuracy(sample, scores),
        "session_accuracy": sample.rate((s, float(ok), 1) for s, ok in _session_verdicts(scores)),
        "optimal_path_rate": sample.rate((s.session, s.optimal, 1) for s in scores if s.topology in OPTIMAL_OVER),
        "accomplish_progress_rate": sample.rate(
            (s.session, s.actions_done, s.actions_total) for s in scores if s.topology in PROGRESS_OVER
        ),
    }
    extra: dict[str, Any] = {
        "trials": trials,
        "pass^k": _pass_hat(scores, trials),
        "weighted_optimal_path_rate": _weighted_optimal(sample, scores).model_dump(),
        "answers_with_supported_facts": sample.rate(
            (s.session, not s.unsupported, 1) for s in scores if s.answered
        ).model_dump(),
        "ask_uncertain": sample.rate((s.session, s.ask_uncertain, 1) for s in scores).model_dump(),
        "task_accuracy_without_uncertain_asks": _accuracy(
            sample, [s for s in scores if not s.ask_uncertain]
        ).model_dump(),
        "null_candidate": _null_candidate(scores),
        "optimal_path_rate_by_topology": {
            t.value: sample.rate((s.session, s.optimal, 1) for s in scores if s.topology is t).model_dump()
            for t in OPTIMAL_OVER
        },
        "accomplish_progress_rate_by_topology": {
            t.value: sample.rate(
                (s.session, s.actions_done, s.actions_total) for s in scores if s.topology is t
            ).model_dump()
            for t in PROGRESS_OVER
        },
        "errors_by_type": _errors_by_type(scores),
        **(more or {}),
    }
    if not complete_run:
        extra["partial"] = {name: rate.model_dump() for name, rate in headline.items()}
        headline = {name: Rate(value=None, n=rate.n) for name, rate in headline.items()}
    return ScoreReport(
        release=release,
        release_digest=release_digest,
        candidate=candidate,
        rules=rules,
        rules_version=rules_version(),
        code_version=code_version,
        complete_run=complete_run,
        sessions=len(sessions),
        failed_requests=failed,
        **headline,
        breakdown={name: _breakdown(sample, scores, of) for name, of in DIMENSIONS.items()},
        errors=dict(Counter(score.errors[0] for score in scores if score.errors).most_common()),
        extra=extra,
    )


def _accuracy(sample: _Resampler, scores: Iterable[TaskScore]) -> Rate:
    return sample.rate((score.session, score.correct, 1) for score in scores)


def _session_verdicts(scores: Sequence[TaskScore]) -> list[tuple[str, bool]]:
    """One (session, all tasks correct) for each session and trial."""

    def attempt(score: TaskScore) -> tuple[str, int]:
        return score.session, score.trial

    return [
        (key[0], all(score.correct for score in group))
        for key, group in groupby(sorted(scores, key=attempt), key=attempt)
    ]


def _breakdown(
    sample: _Resampler, scores: Sequence[TaskScore], dimension: Callable[[TaskScore], str | None]
) -> dict[str, Rate]:
    groups: dict[str, list[TaskScore]] = defaultdict(list)
    for score in scores:
        value = dimension(score)
        if value is not None:
            groups[value].append(score)
    return {value: _accuracy(sample, groups[value]) for value in sorted(groups)}


def _pass_hat(scores: Sequence[TaskScore], trials: int) -> dict[str, dict[str, float]]:
    """The chance that ``k`` trials drawn from those made all succeed, averaged over tasks and over sessions."""
    tasks: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for score in scores:
        tasks[score.session, score.task].append(score.correct)
    sessions: dict[str, list[bool]] = defaultdict(list)
    for session, ok in _session_verdicts(scores):
        sessions[session].append(ok)
    result: dict[str, dict[str, float]] = {}
    for name, groups in (("task", list(tasks.values())), ("session", list(sessions.values()))):
        result[name] = {}
        for k in range(1, trials + 1):
            enough = [made for made in groups if len(made) >= k]
            if enough:
                result[name][str(k)] = sum(comb(sum(made), k) / comb(len(made), k) for made in enough) / len(enough)
    return result


def _weighted_optimal(sample: _Resampler, scores: Sequence[TaskScore]) -> Rate:
    """OP weighted by cost: a correct task counts as the dearest chain's cost over the cost of the path taken."""
    return sample.rate(
        (s.session, _cost_share(s) if s.correct else 0.0, 1) for s in scores if s.topology in OPTIMAL_OVER
    )


def _cost_share(score: TaskScore) -> float:
    if not score.path_cost or score.least_cost is None:
        return 1.0
    return min(1.0, score.least_cost / score.path_cost)


def _null_candidate(scores: Sequence[TaskScore]) -> dict[str, float | None]:
    """What a candidate scores that always answers with text: the chat tasks, by either rule set."""
    if not scores:
        return {"task_accuracy": None, "session_accuracy": None}
    chats = [score.model_copy(update={"correct": score.type is TaskType.CHAT}) for score in scores]
    verdicts = _session_verdicts(chats)
    return {
        "task_accuracy": sum(score.correct for score in chats) / len(chats),
        "session_accuracy": sum(ok for _, ok in verdicts) / len(verdicts),
    }


def effort(trajectories: Iterable[Trajectory]) -> dict[str, float | int | None]:
    """What a run took: messages, calls, tokens, dollars (None where a step has no price), seconds of its requests."""
    steps = [step for trajectory in trajectories for task in trajectory.tasks for step in task.steps]
    costs = [step.cost_usd for step in steps]
    spans = sorted(step.latency_seconds for step in steps if step.latency_seconds > 0)
    return {
        "messages": len(steps),
        "calls": sum(len(step.calls) for step in steps),
        "prompt_tokens": sum(step.prompt_tokens for step in steps),
        "completion_tokens": sum(step.completion_tokens for step in steps),
        "cost_usd": None if not costs or None in costs else sum(cost or 0.0 for cost in costs),
        "latency_median_seconds": spans[len(spans) // 2] if spans else None,
        "latency_p95_seconds": spans[int(0.95 * (len(spans) - 1))] if spans else None,
    }


def _errors_by_type(scores: Sequence[TaskScore]) -> dict[str, dict[str, int]]:
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for score in scores:
        if score.errors:
            table[score.type.value][score.errors[0].value] += 1
    return {kind: dict(counts.most_common()) for kind, counts in sorted(table.items())}


def compare_runs(
    first: Sequence[TaskScore], second: Sequence[TaskScore], *, bootstrap: int = 1000, seed: int = 0
) -> dict[str, Any]:
    """Compare two runs by a paired test over the tasks that both attempted.

    Args:
        first, second: scores of the two runs on one release, in any order.
        bootstrap: resamples of the interval.
        seed: seed of the resampling.

    Returns:
        ``tasks`` compared; ``difference`` of task accuracy (second minus first, from -1 to 1) with its 95 % interval from
        resampling sessions; ``won`` and ``lost``, the tasks that only the second or only the first got right; ``p``, the
        two-sided exact McNemar probability over these.

    Source: ``evaluation/report/metrics.py``.
    """
    left = {(score.session, score.trial, score.task): score.correct for score in first}
    right = {(score.session, score.trial, score.task): score.correct for score in second}
    shared = sorted(left.keys() & right.keys())
    sample = _Resampler(sorted({key[0] for key in shared}), bootstrap, seed)
    difference = sample.rate((key[0], float(right[key]) - float(left[key]), 1) for key in shared)
    lost = sum(left[key] and not right[key] for key in shared)
    won = sum(right[key] and not left[key] for key in shared)
    decided = lost + won
    tail = sum(comb(decided, k) for k in range(min(lost, won) + 1)) / 2**decided
    return {
        "tasks": len(shared),
        "difference": difference.model_dump(),
        "won": won,
        "lost": lost,
        "p": min(1.0, 2 * tail),
    }
