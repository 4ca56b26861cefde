"""The gateway against a real HTTP endpoint: cache, retries, limits, breaker, budget, ledger."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from agents.cache import ResponseCache
from agents.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest, Reply
from agents.ledger import Ledger, Price
from agents.limits import Breaker, Bucket
from schemas.errors import BudgetError, ModelError, SettingsError

COMPLETION = {
    "id": "c",
    "object": "chat.completion",
    "created": 0,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


def _ok(_: Request) -> Response:
    return Response(json.dumps(COMPLETION), content_type="application/json")


def _script(server: HTTPServer, *answers: Callable[[Request], Response]) -> list[Request]:
    """Serve these answers in turn, the last one for ever; gives the requests that came."""
    seen: list[Request] = []

    def handle(request: Request) -> Response:
        seen.append(request)
        return answers[min(len(seen), len(answers)) - 1](request)

    server.expect_request("/v1/chat/completions").respond_with_handler(handle)
    return seen


def _status(code: int, **headers: str) -> Callable[[Request], Response]:
    def answer(_: Request) -> Response:
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response('{"error": {"message": "no"}}', status=code, headers=extra, content_type="application/json")

    return answer


def _settings(server: HTTPServer, **changes: Any) -> GatewaySettings:
    endpoint = Endpoint(model="m", base_url=server.url_for("/v1"))
    return GatewaySettings(endpoint=endpoint, backoff_seconds=0.001, **changes)


def _request(text: str = "hi", **changes: Any) -> ModelRequest:
    return ModelRequest(role="user", messages=({"role": "user", "content": text},), **changes)


async def _one(settings: GatewaySettings, *requests: ModelRequest, **how: Any) -> tuple[list[Reply], Gateway]:
    async with Gateway(settings, **how) as gateway:
        return [await gateway.complete(request) for request in requests or (_request(),)], gateway


class Naps:
    """Sleeps no second, and notes how long it should have."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)


def test_an_answer_is_paid_for_once(httpserver: HTTPServer, tmp_path: Path) -> None:
    seen = _script(httpserver, _ok)
    cache = tmp_path / "cache.sqlite"
    first, _ = asyncio.run(_one(_settings(httpserver), cache=cache))
    second, gateway = asyncio.run(_one(_settings(httpserver), cache=cache))
    assert first[0].message["content"] == "hello" and not first[0].cached
    assert second[0].message == first[0].message and second[0].cached
    assert len(seen) == 1
    entry = gateway.ledger.entry("user", "m")
    assert (entry.calls, entry.cached, entry.prompt_tokens) == (1, 1, 0)


def test_another_sample_or_another_body_is_another_answer(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok)
    requests = (_request(), _request(sample=1), _request("ho"), _request(json_object=True), _request())
    asyncio.run(_one(_settings(httpserver), *requests))
    assert len(seen) == 4


def test_equal_requests_in_flight_are_asked_once(httpserver: HTTPServer) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.1)
        return _ok(request)

    seen = _script(httpserver, slow)

    async def both() -> list[Reply]:
        async with Gateway(_settings(httpserver)) as gateway:
            return list(await asyncio.gather(*(gateway.complete(_request()) for _ in range(5))))

    replies = asyncio.run(both())
    assert len(seen) == 1
    assert sorted(reply.cached for reply in replies) == [False, True, True, True, True]


def test_plans_stay_out_of_requests_to_real_endpoints(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok)
    asyncio.run(_one(_settings(httpserver), _request(plan="pln_1", task=2)))
    assert not [name for name, _ in seen[0].headers if name.lower().startswith("x-wildtool")]
    assert "pln_1" not in seen[0].get_data(as_text=True)


@pytest.mark.parametrize("code", [408, 409, 429, 500, 503])
def test_passing_faults_are_tried_again_and_counted(httpserver: HTTPServer, code: int) -> None:
    seen = _script(httpserver, _status(code), _status(code), _ok)
    replies, gateway = asyncio.run(_one(_settings(httpserver)))
    assert replies[0].message["content"] == "hello"
    assert len(seen) == 3
    assert gateway.ledger.entry("user", "m").retries == 2


def test_retry_after_is_honoured(httpserver: HTTPServer) -> None:
    _script(httpserver, _status(429, Retry_After="7"), _status(429), _ok)
    naps = Naps()
    asyncio.run(_one(_settings(httpserver), sleep=naps))
    assert naps.taken[0] == 7.0
    assert naps.taken[1] < 1.0


def test_a_wrong_request_is_not_repeated(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _status(400))
    with pytest.raises(ModelError, match="HTTP 400"):
        asyncio.run(_one(_settings(httpserver)))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (json.dumps(COMPLETION)[:60], "no JSON"),
        (json.dumps({**COMPLETION, "choices": []}), "no choice"),
        (
            json.dumps({**COMPLETION, "choices": [{"message": {"role": "assistant", "refusal": "I will not"}}]}),
            "refused",
        ),
    ],
)
def test_broken_answers_are_tried_again_then_named(httpserver: HTTPServer, body: str, reason: str) -> None:
    seen = _script(httpserver, lambda _: Response(body, content_type="application/json"))
    with pytest.raises(ModelError, match=reason):
        asyncio.run(_one(_settings(httpserver, attempts=3)))
    assert len(seen) == 3


def test_a_slow_answer_times_out(httpserver: HTTPServer) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.4)
        return _ok(request)

    _script(httpserver, slow)
    with pytest.raises(ModelError, match="timed out"):
        asyncio.run(_one(_settings(httpserver, attempts=1, timeout_seconds=0.05)))


def test_nobody_listening_is_a_model_error() -> None:
    endpoint = Endpoint(model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="no connection"):
        asyncio.run(_one(GatewaySettings(endpoint=endpoint, attempts=2, backoff_seconds=0.001)))


def test_a_missing_key_is_named(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        asyncio.run(_one(_settings(httpserver)))


def test_roles_have_endpoints_and_parameters_of_their_own(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok)
    judge = Endpoint(model="judge", base_url=httpserver.url_for("/v1"), parameters={"temperature": 0})
    settings = _settings(httpserver, roles={"checker": judge})
    asyncio.run(_one(settings, _request(), ModelRequest(role="checker", messages=_request().messages)))
    bodies = [json.loads(request.get_data()) for request in seen]
    assert [body["model"] for body in bodies] == ["m", "judge"]
    assert [body.get("temperature") for body in bodies] == [None, 0]


def test_the_budget_stops_before_it_is_passed(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok)
    price = Price(prompt=1000.0, completion=1000.0)
    settings = _settings(httpserver, budget_usd=1.0, prices={"m": price})

    async def run() -> Gateway:
        async with Gateway(settings) as gateway:
            with pytest.raises(BudgetError, match="budget"):
                for number in range(100):
                    await gateway.complete(_request(str(number)))
            return gateway

    gateway = asyncio.run(run())
    assert 0.0 < gateway.ledger.spent() <= 1.0
    # 120 tokens at $1,000 a million are 12 cents; 40 cents are set aside for the call to come.
    assert len(seen) == 5


def test_unknown_models_count_without_a_price() -> None:
    ledger = Ledger(prices={})
    ledger.charge("user", "mystery", 10, 5, 0.1)
    assert ledger.entry("user", "mystery").cost is None
    assert ledger.tokens() == 15 and ledger.spent() == 0.0


def test_no_more_requests_at_a_time_than_allowed(httpserver: HTTPServer) -> None:
    at_once: list[int] = []
    running = 0

    def slow(request: Request) -> Response:
        nonlocal running
        running += 1
        at_once.append(running)
        time.sleep(0.03)
        running -= 1
        return _ok(request)

    _script(httpserver, slow)

    async def many() -> None:
        async with Gateway(_settings(httpserver, max_in_flight=2)) as gateway:
            await asyncio.gather(*(gateway.complete(_request(str(n))) for n in range(8)))

    asyncio.run(many())
    assert len(at_once) == 8 and max(at_once) <= 2


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


def test_the_breaker_pauses_then_gives_up() -> None:
    now = 0.0

    async def nap(seconds: float) -> None:
        nonlocal now
        now += seconds

    async def run() -> None:
        breaker = Breaker(failures=2, pause=10.0, trips=2, clock=lambda: now, sleep=nap)
        breaker.failure()
        await breaker.gate()
        assert now == 0.0
        breaker.failure()
        await breaker.gate()
        assert now == 10.0
        breaker.failure()
        breaker.failure()
        with pytest.raises(ModelError, match="in a row"):
            await breaker.gate()
        breaker.success()
        await breaker.gate()

    asyncio.run(run())


def test_an_endpoint_that_is_down_ends_the_run(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _status(500))
    settings = _settings(httpserver, attempts=50, breaker_failures=3, breaker_trips=2, breaker_pause_seconds=0.01)
    with pytest.raises(ModelError, match="in a row"):
        asyncio.run(_one(settings))
    assert len(seen) == 6


def test_a_damaged_entry_is_ignored_and_written_anew(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    cache = ResponseCache(path)
    cache.put("a", {"message": {"content": "one"}})
    cache.put("b", {"message": {"content": "two"}})
    cache.close()
    with sqlite3.connect(path) as db:
        db.execute('update responses set body = \'{"message": {"content": "forged"}}\' where key = \'a\'')
    cache = ResponseCache(path)
    assert cache.get("a") is None and cache.get("b") == {"message": {"content": "two"}}
    cache.put("a", {"message": {"content": "again"}})
    assert cache.get("a") == {"message": {"content": "again"}}
    cache.close()


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    cache = ResponseCache(path)
    cache.put("a", {"x": 1})
    assert cache.get("a") == {"x": 1}
    cache.close()
    assert path.with_suffix(".broken").read_bytes().startswith(b"not a database")
