"""Tokens and money of a run, and the budget that is never passed."""

from __future__ import annotations

import pytest

from wildtool.agents.gateway.usage import GUESSED_COMPLETION, Ledger, Price
from wildtool.schemas.errors import BudgetError

PRICES = {"m": Price(prompt=2.0, completion=8.0)}


def test_prices_are_a_million_tokens() -> None:
    assert PRICES["m"].of(1_000_000, 0) == 2.0
    assert PRICES["m"].of(500_000, 250_000) == 3.0


def test_calls_add_up_by_role_and_model() -> None:
    ledger = Ledger(prices=PRICES)
    ledger.charge("user", "m", 1000, 500, 0.5)
    ledger.charge("user", "m", 1000, 100, 0.5)
    ledger.charge("checker", "m", 10, 10, 0.1)
    entry = ledger.entry("user", "m")
    assert (entry.prompt_tokens, entry.completion_tokens, entry.longest, entry.seconds) == (2000, 600, 500, 1.0)
    assert ledger.tokens() == 2620
    assert ledger.spent() == pytest.approx(PRICES["m"].of(2010, 610))
    assert [row["role"] for row in ledger.to_json()] == ["checker", "user"]


def test_batches_cost_their_share() -> None:
    ledger = Ledger(prices=PRICES, discount=0.5)
    ledger.charge("user", "m", 1_000_000, 0, 0.0)
    assert ledger.spent() == 1.0


def test_calls_in_flight_never_add_up_to_more_than_the_budget() -> None:
    ledger = Ledger(prices=PRICES, budget_tokens=2 * (100 + GUESSED_COMPLETION))
    first = ledger.reserve("user", "m", 300)
    ledger.reserve("user", "m", 300)
    with pytest.raises(BudgetError, match="budget"):
        ledger.reserve("user", "m", 300)
    ledger.release(first)
    assert ledger.reserve("user", "m", 300)[1] == 100 + GUESSED_COMPLETION


def test_a_request_with_a_limit_of_its_own_reserves_that() -> None:
    ledger = Ledger(prices=PRICES, budget_usd=1.0)
    assert ledger.reserve("user", "m", 300, most=7)[1] == 107
    assert Ledger(prices=PRICES).reserve("user", "m", 300) == (0.0, 0)


def test_the_longest_answer_replaces_the_guess() -> None:
    ledger = Ledger(prices=PRICES, budget_tokens=10_000_000)
    ledger.charge("user", "m", 0, 900, 0.0)
    assert ledger.reserve("user", "m", 300)[1] == 1000
