"""Measure agreement: Krippendorff's alpha by field, calls, arguments, dependencies, with bootstrap intervals.

Every figure is a ratio of sums over sessions, so that the bootstrap over sessions is one matrix product.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from wildtool.annotation.agreement.compare import Overlap, differing_fields, overlap
from wildtool.schemas.label import AgreementReport, Figure, Label
from wildtool.schemas.vocabulary import Decision

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 1000
"""Bootstrap resamples: the ends of a 95 % interval then rest on 25 resamples each."""

ALPHA_FIELDS = ("type", "topology", "hidden_intent", "decision")
"""Fields with an alpha: nominal categories."""

RATIOS = ("call_f1", "argument_exact", "argument_normalised", "edge_f1")
"""Figures that compare two people's calls."""

NOTHING = {
    "call_f1": "no two people labelled the tasks of one session",
    "argument_exact": "no call of one person matches one of another",
    "argument_normalised": "no call of one person matches one of another",
    "edge_f1": "no matched call waits for another one",
}
"""Why a ratio has an empty denominator."""


def measure_agreement(
    labels: Iterable[Label], *, categories: Mapping[str, str] | None = None, seed: int = 0, resamples: int = RESAMPLES
) -> AgreementReport:
    """Measure agreement over sessions that at least two people labelled; skipped labels do not count.

    ``categories`` gives a category by session id, for figures by category; ``seed`` seeds the bootstrap. A field whose
    values never vary, or that no two people judged, has no alpha: the figure is None and says why. (If all accept,
    chance gives full agreement too, and alpha is 0/0. Resamples in which nothing varies are left out as well.)
    """
    by_session = _double_labelled(labels)
    sessions = sorted(by_session)
    people = sorted({label.annotator for each in by_session.values() for label in each})
    alpha = {
        field: _alpha([_units(field, by_session[session]) for session in sessions], seed, resamples)
        for field in ALPHA_FIELDS
    }
    pairs = {session: list(combinations(by_session[session], 2)) for session in sessions}
    sums = {session: [_sums(first, second) for first, second in pairs[session]] for session in sessions}
    ratio = {
        name: _ratio([_added(name, sums[session]) for session in sessions], NOTHING[name], seed, resamples)
        for name in RATIOS
    }
    return AgreementReport(
        sessions=len(sessions),
        annotators=tuple(people),
        simulated=any(label.simulated for each in by_session.values() for label in each),
        alpha=alpha,
        call_f1=ratio["call_f1"],
        argument_exact=ratio["argument_exact"],
        argument_normalised=ratio["argument_normalised"],
        edge_f1=ratio["edge_f1"],
        by_annotator=_by_annotator(people, pairs, sums),
        by_category=_by_category(by_session, sums, categories or {}),
        disagreements={session: fields for session in sessions if (fields := differing_fields(by_session[session]))},
    )


def _double_labelled(labels: Iterable[Label]) -> dict[str, list[Label]]:
    """Collect the newest label of each person, by session with at least two people."""
    newest: dict[str, dict[str, Label]] = defaultdict(dict)
    for label in sorted(labels, key=lambda each: (each.updated_at, each.annotation_id, each.id)):
        if label.decision is not Decision.SKIP:
            newest[label.session][label.annotator] = label
    return {
        session: [by_person[name] for name in sorted(by_person)]
        for session, by_person in newest.items()
        if len(by_person) > 1
    }


# Alpha


def _units(field: str, labels: Sequence[Label]) -> list[list[str]]:
    """List the units of one session, each with the values that people gave it."""
    if field == "decision":
        return [[str(label.decision) for label in labels]]
    judged = [label.tasks for label in labels if label.tasks]
    units: list[list[str]] = []
    for tasks in zip(*judged, strict=False):
        match field:
            case "type":
                units.append([str(task.type) for task in tasks])
            case "topology":
                units.append([str(task.topology) for task in tasks if task.topology is not None])
            case "hidden_intent":
                units.append([str(task.hidden_intent.kind) if task.hidden_intent else "none" for task in tasks])
            case _:
                raise ValueError(f"no alpha of {field}")
    if field == "hidden_intent":
        units = units[1:]  # nothing comes before the first task
    return [unit for unit in units if len(unit) > 1]


def _alpha(sessions: Sequence[list[list[str]]], seed: int, resamples: int) -> Figure:
    import numpy as np

    units = [unit for session in sessions for unit in session]
    values = sorted({value for unit in units for value in unit})
    if not units:
        return Figure(value=None, n=0, undefined="no two people judged it in one session")
    if len(values) == 1:
        reason = f"everybody said “{values[0]}” everywhere: chance agrees as well, and alpha is 0/0"
        return Figure(value=None, n=len(units), undefined=reason)
    # By session: how often each value was given, and the disagreement within units. Alpha follows from their sums, over
    # all sessions and over each resample.
    given = np.array([[sum(unit.count(value) for unit in session) for value in values] for session in sessions], float)
    observed = np.array([sum(_disagreeing_pairs(unit) for unit in session) for session in sessions], float)
    alpha = float(_alpha_of_sums(given.sum(axis=0), observed.sum()))
    weights = _weights(len(sessions), seed, resamples)
    resampled = _alpha_of_sums(weights @ given, weights @ observed)
    low, high = _interval(resampled)
    return Figure(value=alpha, low=low, high=high, n=len(units))


def _alpha_of_sums(given: NDArray[np.float64], observed: NDArray[np.float64]) -> NDArray[np.float64]:
    """Compute nominal alpha by row: 1 - observed / expected disagreement (Krippendorff, Content Analysis, on reliability).

    Args:
        given: shape (…, values), how often each value was given in units that at least two people judged.
        observed: shape (…), disagreeing pairs over all units.

    Returns:
        shape (…); not a number where only one value was given.
    """
    import numpy as np

    n = given.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        alpha: NDArray[np.float64] = 1 - observed * (n - 1) / (n**2 - (given**2).sum(axis=-1))
    return alpha


def _disagreeing_pairs(unit: Sequence[str]) -> float:
    """Count ordered pairs of different values in a unit, over the number of others: Krippendorff's coincidences."""
    m = len(unit)
    return (m * m - sum(unit.count(value) ** 2 for value in set(unit))) / (m - 1)


# Ratios


def _sums(first: Label, second: Label) -> list[Overlap]:
    return [overlap(a, b) for a, b in zip(first.tasks, second.tasks, strict=False)]


def _added(name: str, pairs: Iterable[Iterable[Overlap]]) -> tuple[float, float]:
    """Return numerator and denominator of a figure over pairs of labels."""
    top = bottom = 0.0
    for tasks in pairs:
        for task in tasks:
            match name:
                case "call_f1":  # a mean over tasks
                    top, bottom = top + task.call_f1, bottom + 1
                case "argument_exact":
                    top, bottom = top + task.exact, bottom + task.matched
                case "argument_normalised":
                    top, bottom = top + task.normalised, bottom + task.matched
                case "edge_f1":
                    top, bottom = top + 2 * task.edges_shared, bottom + task.edges_a + task.edges_b
                case _:
                    raise ValueError(f"no figure {name}")
    return top, bottom


def _ratio(sessions: Sequence[tuple[float, float]], nothing: str, seed: int, resamples: int) -> Figure:
    import numpy as np

    sums = np.array(sessions, float).reshape(-1, 2)
    top, bottom = sums.sum(axis=0)
    if not bottom:
        return Figure(value=None, n=0, undefined=nothing)
    resampled = _weights(len(sessions), seed, resamples) @ sums
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = _interval(resampled[:, 0] / resampled[:, 1])
    return Figure(value=float(top / bottom), low=low, high=high, n=int(bottom))


def _weights(n: int, seed: int, resamples: int) -> Any:
    """Draw a matrix of shape (resamples, n): how often each resample takes each session."""
    import numpy as np

    return np.random.default_rng(seed).multinomial(n, [1 / n] * n, size=resamples).astype(float)


def _interval(values: Any) -> tuple[float | None, float | None]:
    import numpy as np

    sound = values[np.isfinite(values)]
    if not len(sound):
        return None, None
    low, high = np.quantile(sound, [0.025, 0.975])
    return float(low), float(high)


# Breakdowns


def _by_annotator(
    people: Sequence[str],
    pairs: Mapping[str, Sequence[tuple[Label, Label]]],
    sums: Mapping[str, Sequence[list[Overlap]]],
) -> dict[str, dict[str, float]]:
    """Compute the figures over each person's pairs, and over each pair of people."""
    chosen: dict[str, list[list[Overlap]]] = defaultdict(list)
    same: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for session, both in pairs.items():
        for (first, second), tasks in zip(both, sums[session], strict=True):
            values = [(field, unit[0], unit[1]) for field in ALPHA_FIELDS for unit in _units(field, [first, second])]
            for who in (first.annotator, second.annotator, f"{first.annotator} & {second.annotator}"):
                chosen[who].append(tasks)
                same[who] += values
    table: dict[str, dict[str, float]] = {}
    for who in [*people, *sorted(set(chosen) - set(people))]:
        row = {"pairs": float(len(chosen[who]))}
        for field in ALPHA_FIELDS:
            equal = [a == b for name, a, b in same[who] if name == field]
            if equal:
                row[f"{field}_equal"] = sum(equal) / len(equal)
        row |= _row(chosen[who])
        table[who] = row
    return table


def _by_category(
    by_session: Mapping[str, Sequence[Label]],
    sums: Mapping[str, Sequence[list[Overlap]]],
    categories: Mapping[str, str],
) -> dict[str, dict[str, float]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for session in by_session:
        if session in categories:
            grouped[categories[session]].append(session)
    table = {}
    for category in sorted(grouped):
        sessions = grouped[category]
        row = {"sessions": float(len(sessions))}
        for field in ALPHA_FIELDS:
            units = [unit for session in sessions for unit in _units(field, by_session[session])]
            if units:
                row[f"{field}_equal"] = sum(len(set(unit)) == 1 for unit in units) / len(units)
        row |= _row([tasks for session in sessions for tasks in sums[session]])
        table[category] = row
    return table


def _row(pairs: Sequence[list[Overlap]]) -> dict[str, float]:
    row = {}
    for name in RATIOS:
        top, bottom = _added(name, pairs)
        if bottom:
            row[name] = top / bottom
    return row
