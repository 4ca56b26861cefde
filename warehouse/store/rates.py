"""Pass rates of checks, added up over drafted sessions."""

from __future__ import annotations

from collections.abc import Iterable

from wildtool.schemas.base import Record
from wildtool.schemas.draft import DraftTally, PassCount


class PassRate(Record):
    """How often a check was passed with one version of the prompts."""

    check: str
    """Id of the check."""
    language: str
    """Language of the sessions."""
    prompts: str
    """Version of that language's prompts."""
    model: str
    """Model of the assistant."""
    count: PassCount
    """Tries and passes."""
    rate: float | None
    """Share of all tries that passed; None of none."""
    first_rate: float | None
    """Share of first tries that passed."""


def pass_rates(tallies: Iterable[DraftTally]) -> tuple[PassRate, ...]:
    """Rates by prompt version and check: versions in the order in which they were first used, worst check first."""
    sums: dict[tuple[str, str, str], dict[str, PassCount]] = {}
    for tally in tallies:
        by_check = sums.setdefault((tally.language.value, tally.prompts, tally.model), {})
        for check, count in tally.checks.items():
            by_check[check] = _add(by_check[check], count) if check in by_check else count
    return tuple(
        PassRate(
            check=check,
            language=language,
            prompts=prompts,
            model=model,
            count=count,
            rate=_share(count.passed, count.tries),
            first_rate=_share(count.first_passed, count.first_tries),
        )
        for (language, prompts, model), by_check in sums.items()
        for check, count in sorted(by_check.items(), key=lambda item: (item[1].passed / item[1].tries, item[0]))
    )


def _add(one: PassCount, other: PassCount) -> PassCount:
    return PassCount(**{name: getattr(one, name) + getattr(other, name) for name in PassCount.model_fields})


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
