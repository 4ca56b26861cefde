"""Forecasts of drafting and of a candidate's run."""

from __future__ import annotations

import pytest

from tests.agents.drafting.test_drafts import plans, result
from wildtool.agents.drafting.forecast import forecast_drafts, forecast_play
from wildtool.agents.gateway.endpoints import BatchSettings, Endpoint, GatewaySettings
from wildtool.agents.gateway.gateway import OFFLINE_MODEL
from wildtool.agents.gateway.usage import Price
from wildtool.grounding.chat import steps

SETTINGS = GatewaySettings(
    endpoint=Endpoint(model="m"), prices={"m": Price(prompt=2.0, completion=10.0)}, max_in_flight=4
)


def test_a_rehearsal_of_all_plans_says_what_they_take() -> None:
    found = forecast_drafts(plans(), SETTINGS)
    assert (found.sessions, found.basis) == (len(plans()), "rehearsal")
    assert found.calls == result().figures["calls"]
    assert found.prompt_tokens + found.completion_tokens == result().figures["tokens"]
    assert found.cost_usd == pytest.approx((found.prompt_tokens * 2 + found.completion_tokens * 10) / 1e6, abs=1e-4)
    # Two seconds a call, four at a time; no run is shorter than its longest session.
    assert found.minutes is not None and found.minutes >= found.calls * 2 / 4 / 60 - 0.1


def test_finished_sessions_of_the_model_are_believed_before_a_rehearsal() -> None:
    settings = SETTINGS.model_copy(
        update={"endpoint": Endpoint(model=OFFLINE_MODEL), "prices": {OFFLINE_MODEL: Price(prompt=0, completion=0)}}
    )
    found = forecast_drafts(plans() * 10, settings, result().tallies)
    assert found.basis == "history" and found.sessions == 80
    assert found.calls == pytest.approx(10 * int(result().figures["calls"]), rel=0.01)
    assert found.cost_usd == 0.0
    other = forecast_drafts(plans()[:2], SETTINGS, result().tallies)
    assert other.basis == "rehearsal"


def test_sessions_that_fail_are_paid_for_anew_and_committees_are_counted() -> None:
    once = forecast_drafts(plans(), SETTINGS)
    failing = [t.model_copy(update={"drafted": i % 2 == 0, "model": "m"}) for i, t in enumerate(result().tallies)]
    found = {n: forecast_drafts(plans() * 10, SETTINGS, failing, replans=n) for n in (0, 1, 2)}
    # Half fail: 80 sessions, 40 anew, 20 of those anew.
    assert [each.planned_anew for each in found.values()] == [0, 40, 60]
    assert found[2].calls == pytest.approx(found[0].calls * 140 / 80, rel=0.01)
    assert found[1].sessions == 80 and found[1].cost_usd is not None and found[0].cost_usd is not None
    assert found[1].cost_usd == pytest.approx(found[0].cost_usd * 1.5, rel=0.01)
    tasks = sum(len(plan.tasks) for plan in plans())
    assert forecast_drafts(plans(), SETTINGS, committee=3).calls == once.calls + 2 * tasks
    # Sessions that one checker read tell nothing of what three will take.
    assert forecast_drafts(plans(), SETTINGS, failing, committee=3).basis == "rehearsal"


def test_limits_prices_and_batches_are_taken_into_account() -> None:
    plain = forecast_drafts(plans()[:2], SETTINGS)
    slow = forecast_drafts(plans()[:2], SETTINGS.model_copy(update={"requests_per_minute": 1.0}))
    assert slow.minutes == pytest.approx(plain.calls)
    batch = forecast_drafts(plans()[:2], SETTINGS.model_copy(update={"batch": BatchSettings()}))
    assert plain.cost_usd is not None and batch.cost_usd == pytest.approx(plain.cost_usd / 2, abs=1e-4)
    assert batch.minutes is None
    assert forecast_drafts(plans()[:2], SETTINGS.model_copy(update={"prices": {}})).cost_usd is None
    nothing = forecast_drafts([], SETTINGS)
    assert (nothing.calls, nothing.cost_usd, nothing.minutes) == (0, 0.0, 0.0)


def test_the_run_of_a_candidate_follows_the_gold() -> None:
    sessions = [draft.session for draft in result().drafts]
    found = forecast_play(sessions, SETTINGS)
    gold = sum(len(steps(task.actions)) for session in sessions for task in session.tasks)
    assert (found.calls, found.basis) == (gold, "gold")
    twice = forecast_play(sessions, SETTINGS, trials=2)
    assert (twice.calls, twice.prompt_tokens) == (2 * gold, 2 * found.prompt_tokens)
