"""Pass rates by check and prompt version."""

from __future__ import annotations

from pathlib import Path

from wildtool.schemas.draft import DraftTally, PassCount
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse import Store
from wildtool.warehouse.store.rates import pass_rates


def _tally(plan: str, prompts: str, **checks: tuple[int, int, int, int]) -> DraftTally:
    names = ("tries", "passed", "first_tries", "first_passed")
    counts = {name: PassCount(**dict(zip(names, count, strict=True))) for name, count in checks.items()}
    return DraftTally(
        plan=plan, language=Language.EN, model="m", prompts=prompts, drafted=True, repairs=0, checks=counts
    )


def test_counts_add_up_within_a_version_and_stay_apart_between_them() -> None:
    rates = pass_rates(
        [
            _tally("a", "old", schema=(4, 4, 4, 4), clarify=(3, 1, 2, 0)),
            _tally("b", "new", schema=(2, 1, 1, 1)),
            _tally("c", "old", schema=(4, 2, 3, 2), review=(1, 1, 0, 0)),
        ]
    )
    found = [(each.prompts, each.check, each.count.tries, each.rate, each.first_rate) for each in rates]
    assert found == [
        ("old", "clarify", 3, 0.3333, 0.0),
        ("old", "schema", 8, 0.75, 0.8571),
        ("old", "review", 1, 1.0, None),
        ("new", "schema", 2, 0.5, 1.0),
    ]


def test_a_plan_that_is_drafted_again_counts_once(tmp_path: Path) -> None:
    store = Store(tmp_path / "warehouse.duckdb")
    assert store.status().pass_rates == ()
    store.put([_tally("a", "old", schema=(4, 1, 4, 1)), _tally("b", "old", schema=(1, 1, 1, 1))])
    store.put([_tally("a", "new", schema=(4, 4, 4, 4))])
    rates = {each.prompts: each.rate for each in store.status().pass_rates}
    assert rates == {"old": 1.0, "new": 1.0}
    assert store.status().counts["DraftTally"] == 2
