"""Render the mining report: one self-contained HTML page without scripts. Text from a log is never markup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wildtool.mining.pipeline import MiningResult
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import HiddenIntentKind, TurnKind

PICTURED = 2
"""Languages whose transitions are drawn: those with the most turns."""


def render_report(result: MiningResult, logs: Sequence[str], *, k: int) -> str:
    """The page.

    Args:
        result: what mining gave.
        logs: what the user named as input, to head the page.
        k: fewest users of a situation, as mining was told.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.mining", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = lambda share: (
        f"{100 * share:.0f}" if share >= 0.095 or not share else f"{100 * share:.1f}"
    )
    environment.filters["words"] = lambda name: str(name).replace("_", " ")
    mined = [seed for seed in result.seeds if seed.parent is None]
    largest = sorted(result.stats, key=lambda language: -result.stats[language].turns)[:PICTURED]
    return environment.get_template("report.html.jinja").render(
        logs=list(logs),
        k=k,
        rows_in=result.report.steps[0].rows_in,
        kept=len(result.behaviours),
        steps=result.report.steps,
        reasons=dict(sorted(result.reasons.items(), key=lambda item: -item[1])),
        flags=result.flags,
        personal=result.personal,
        notes=result.report.notes,
        stats=dict(sorted(result.stats.items(), key=lambda item: -item[1].turns)),
        kinds=list(TurnKind),
        hidden=list(HiddenIntentKind),
        pictures=[
            _picture(language, result.stats[language]) for language in largest if result.stats[language].transitions
        ],
        seeds=mined,
        by_category=_by_category(mined),
    )


def _picture(language: str, stats: BehaviourStats) -> dict[str, Any]:
    """Shares of what follows each kind, and of each kind among all first members of a pair."""
    kinds = list(TurnKind)
    pairs = [[stats.transitions.get(f"{first}>{second}", 0.0) for second in kinds] for first in kinds]
    rows = [sum(row) for row in pairs]
    cells = [
        {"row": place, "column": column, "share": value / rows[place] if rows[place] else 0.0}
        for place, row in enumerate(pairs)
        for column, value in enumerate(row)
    ]
    return {"language": language, "rows": rows, "cells": cells}


def _by_category(seeds: Sequence[SeedScenario]) -> dict[str, list[SeedScenario]]:
    found: dict[str, list[SeedScenario]] = {}
    for seed in sorted(seeds, key=lambda seed: (seed.category, -seed.supporting_users, seed.id)):
        found.setdefault(seed.category, []).append(seed)
    return found
