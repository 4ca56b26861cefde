"""Budgets, rates and the circuit breaker of the gateway, against a real HTTP endpoint."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.scripted import Naps, ok, one, request, script, settings_for, status
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest
from wildtool.agents.gateway.rate_limit import Breaker, Bucket
from wildtool.agents.gateway.usage import Ledger, Price
from wildtool.schemas.errors import BudgetError, StoppedError


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


DEAR = {"m": Price(prompt=1000.0, completion=1000.0)}
"""120 tokens, which every answer here takes, cost 12 cents."""


def test_the_budget_stops_before_it_is_passed(httpserver: HTTPServer) -> None:
    seen = script(httpserver, ok)

    async def run() -> Gateway:
        async with Gateway(settings_for(httpserver, budget_usd=1.0, prices=DEAR)) as gateway:
            with pytest.raises(BudgetError, match="budget"):
                for number in range(100):
                    await gateway.complete(request(str(number)))
            return gateway

    gateway = asyncio.run(run())
    assert 0.0 < gateway.ledger.spent() <= 1.0
    # 40 cents of completion and 2 of prompt are set aside for the call to come.
    assert len(seen) == 5


@pytest.mark.parametrize("limit", [{"budget_usd": 1.0}, {"budget_tokens": 1000}])
def test_calls_in_flight_count_in_the_budget(httpserver: HTTPServer, limit: dict[str, Any]) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.05)
        return ok(request)

    seen = script(httpserver, slow)

    async def run() -> tuple[list[Any], Gateway]:
        async with Gateway(settings_for(httpserver, prices=DEAR, **limit)) as gateway:
            asked = (gateway.complete(request(str(number))) for number in range(20))
            return await asyncio.gather(*asked, return_exceptions=True), gateway

    found, gateway = asyncio.run(run())
    assert len(seen) == 2  # 840 tokens are set aside for two; a third could pass the limit
    assert sum(isinstance(each, BudgetError) for each in found) == 18
    assert gateway.ledger.tokens() == 240


def test_the_own_limit_is_what_is_set_aside(httpserver: HTTPServer) -> None:
    script(httpserver, ok)
    endpoint = Endpoint(model="m", base_url=httpserver.url_for("/v1"), parameters={"max_tokens": 2000})
    with pytest.raises(BudgetError):
        asyncio.run(one(GatewaySettings(endpoint=endpoint, prices=DEAR, budget_usd=1.0)))


def test_failed_tries_give_back_what_was_set_aside(httpserver: HTTPServer) -> None:
    script(httpserver, status(500), status(500), status(500), ok)
    _, gateway = asyncio.run(one(settings_for(httpserver, prices=DEAR, budget_usd=0.5)))
    assert gateway.ledger.spent() == pytest.approx(0.12)


def test_unknown_models_count_without_a_price() -> None:
    ledger = Ledger(prices={})
    ledger.charge("user", "mystery", 10, 5, 0.1)
    assert ledger.entry("user", "mystery").cost is None
    assert ledger.tokens() == 15 and ledger.spent() == 0.0
    assert ledger.unpriced() == ["mystery"]


def test_no_more_requests_at_a_time_than_allowed(httpserver: HTTPServer) -> None:
    at_once: list[int] = []
    running = 0

    def slow(request: Request) -> Response:
        nonlocal running
        running += 1
        at_once.append(running)
        time.sleep(0.03)
        running -= 1
        return ok(request)

    script(httpserver, slow)

    async def many() -> None:
        async with Gateway(settings_for(httpserver, max_in_flight=2)) as gateway:
            await asyncio.gather(*(gateway.complete(request(str(n))) for n in range(8)))

    asyncio.run(many())
    assert len(at_once) == 8 and max(at_once) <= 2


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        # 60 at once, then one a second.
        ({"requests_per_minute": 60}, 20.0),
        # 10 bodies of 56 bytes and 70 of 57 are 1,517 tokens, of which 1,200 go at once and 20 a second.
        ({"tokens_per_minute": 1200}, 15.8),
        ({}, 0.0),
    ],
)
def test_limits_a_minute_hold_back_what_is_too_much(
    httpserver: HTTPServer, limit: dict[str, float], seconds: float
) -> None:
    script(httpserver, ok)
    naps = Naps()

    async def run() -> None:
        async with Gateway(settings_for(httpserver, **limit), sleep=naps, clock=naps.clock) as gateway:
            await asyncio.gather(*(gateway.complete(request(str(n))) for n in range(80)))

    asyncio.run(run())
    assert naps.clock() == pytest.approx(seconds, abs=2.0)


def test_endpoints_have_limits_of_their_own(httpserver: HTTPServer) -> None:
    script(httpserver, ok)
    slow = Endpoint(model="slow", base_url=httpserver.url_for("/v1"), requests_per_minute=1)
    naps = Naps()
    settings = settings_for(httpserver, roles={"checker": slow})

    async def run() -> None:
        async with Gateway(settings, sleep=naps, clock=naps.clock) as gateway:
            for number in range(5):
                await gateway.complete(request(str(number)))
            assert naps.clock() == 0.0
            for number in range(3):
                await gateway.complete(ModelRequest(role="checker", messages=request(str(number)).messages))
            assert naps.clock() == pytest.approx(120.0)

    asyncio.run(run())


def test_a_bucket_lets_through_its_rate() -> None:
    now = 0.0

    async def nap(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def run() -> None:
        bucket = Bucket(60, lambda: now, nap)
        for _ in range(60):
            await bucket.take(1)
        assert now == 0.0
        await bucket.take(1)
        assert now == pytest.approx(1.0)
        await bucket.take(600)
        assert now == pytest.approx(61.0)

    asyncio.run(run())


def _breaker(naps: Naps, **changes: Any) -> Breaker:
    return Breaker(**{"failures": 2, "pause": 10.0, "trips": 2, "clock": naps.clock, "sleep": naps, **changes})


def test_the_breaker_pauses_then_gives_up() -> None:
    async def run() -> None:
        naps = Naps()
        breaker = _breaker(naps)
        breaker.failure(await breaker.gate())
        breaker.failure(await breaker.gate())
        assert naps.clock() == 0.0
        breaker.failure(await breaker.gate())  # the probe
        assert naps.clock() == 10.0
        with pytest.raises(StoppedError, match="in a row"):
            await breaker.gate()
        breaker.success()  # of a request that was still under way
        await breaker.gate()

    asyncio.run(run())


@pytest.mark.parametrize("probe_works", [True, False])
def test_a_half_open_breaker_lets_one_probe_through(probe_works: bool) -> None:
    async def run() -> None:
        naps = Naps()
        breaker = _breaker(naps, trips=5)
        era = await breaker.gate()
        breaker.failure(era)
        breaker.failure(era)
        probe = await breaker.gate()
        others = [asyncio.create_task(breaker.gate()) for _ in range(5)]
        await asyncio.sleep(0.01)
        breaker.failure(era)  # sent before the breaker opened: says nothing new
        await asyncio.sleep(0.01)
        assert not any(other.done() for other in others)
        if probe_works:
            breaker.success()
            await asyncio.gather(*others)
            assert naps.clock() == 10.0
        else:
            breaker.failure(probe)
            await asyncio.sleep(0.05)
            # The next pause is over, and one of them is the next probe.
            assert naps.clock() >= 20.0 and sum(other.done() for other in others) == 1
            breaker.success()
            await asyncio.gather(*others)

    asyncio.run(run())


def test_an_endpoint_that_is_down_ends_the_run(httpserver: HTTPServer) -> None:
    seen = script(httpserver, status(500))
    settings = settings_for(httpserver, attempts=50, breaker_failures=3, breaker_trips=2, breaker_pause_seconds=0.01)
    with pytest.raises(StoppedError, match="in a row"):
        asyncio.run(one(settings))
    assert len(seen) == 4


def test_rate_limits_do_not_open_the_breaker(httpserver: HTTPServer) -> None:
    seen = script(httpserver, *([status(429)] * 9), ok)
    settings = settings_for(httpserver, attempts=20, breaker_failures=2, breaker_trips=1)
    asyncio.run(one(settings, sleep=Naps()))
    assert len(seen) == 10
