"""The gateway against a real HTTP endpoint: cache, retries, limits, breaker, budget, ledger."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from agents.answers import LONGEST_WAIT, retry_after
from agents.cache import ResponseCache
from agents.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest, Reply
from agents.ledger import Ledger, Price
from agents.limits import Breaker, Bucket
from schemas.base import sha256_hex
from schemas.errors import BudgetError, ContextError, ModelError, SettingsError, StoppedError

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
    """A clock that only sleeping moves, and a sleep that takes no time but notes how long it should have."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        await asyncio.sleep(0)

    def clock(self) -> float:
        return sum(self.taken)


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
    asyncio.run(_one(_settings(httpserver), sleep=naps, clock=naps.clock))
    assert sum(naps.taken) == pytest.approx(7.0, abs=0.1)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "86400"}, LONGEST_WAIT),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, 0.0),
        ({"retry-after": "soon"}, 0.0),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
        ({}, 0.0),
    ],
)
def test_every_form_of_retry_after(headers: dict[str, str], seconds: float) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_as_a_date() -> None:
    assert retry_after({"retry-after": formatdate(time.time() + 60, usegmt=True)}) == pytest.approx(60, abs=5)


def test_one_that_is_told_to_wait_makes_all_wait(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _status(429, Retry_After="30"), _ok)
    naps = Naps()

    async def two() -> float:
        settings = _settings(httpserver, attempts=1)
        async with Gateway(settings, sleep=naps, clock=naps.clock) as gateway:
            with pytest.raises(ModelError, match="429"):
                await gateway.complete(_request("a"))
            await gateway.complete(_request("b"))
            return naps.clock()

    assert asyncio.run(two()) >= 30.0
    assert len(seen) == 2


def test_a_wrong_request_is_not_repeated(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _status(400))
    with pytest.raises(ModelError, match="HTTP 400"):
        asyncio.run(_one(_settings(httpserver)))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (json.dumps(COMPLETION)[:60], "no JSON"),
        ("", "no JSON"),
        ("<!doctype html><title>Log in</title>", "HTML page"),
        (json.dumps({**COMPLETION, "choices": []}), "no choice"),
        (json.dumps({**COMPLETION, "choices": [{}]}), "no choice"),
        (json.dumps({"error": {"message": "overloaded"}}), "no choice: overloaded"),
        ("[1]", "no JSON object"),
    ],
)
def test_broken_answers_are_tried_again_then_named(httpserver: HTTPServer, body: str, reason: str) -> None:
    seen = _script(httpserver, lambda _: Response(body, content_type="application/json"))
    gateway = Gateway(_settings(httpserver, attempts=3))

    async def run() -> None:
        async with gateway:
            await gateway.complete(_request())

    with pytest.raises(ModelError, match=reason):
        asyncio.run(run())
    assert len(seen) == 3
    entry = gateway.ledger.entry("user", "m")
    assert (entry.calls, entry.retries, entry.failures, sum(entry.faults.values())) == (1, 2, 1, 3)


def test_an_answer_without_a_choice_is_billed_all_the_same(httpserver: HTTPServer) -> None:
    _script(httpserver, lambda _: Response(json.dumps({**COMPLETION, "choices": []})), _ok)
    _, gateway = asyncio.run(_one(_settings(httpserver)))
    assert gateway.ledger.tokens() == 240


def _choice(**fields: Any) -> Callable[[Request], Response]:
    choice = {"index": 0, "message": {"role": "assistant", "content": None}, "finish_reason": "stop", **fields}
    return lambda _: Response(json.dumps({**COMPLETION, "choices": [choice]}), content_type="application/json")


@pytest.mark.parametrize(
    ("answer", "refusal"),
    [
        (_choice(message={"role": "assistant", "content": None, "refusal": "I will not"}), "I will not"),
        (_choice(message={"role": "assistant", "content": "Half of"}, finish_reason="content_filter"), "filter"),
        (
            lambda _: Response(
                '{"error": {"message": "violates the policy", "code": "content_filter"}}',
                status=400,
                content_type="application/json",
            ),
            "violates the policy",
        ),
    ],
)
def test_a_refusal_is_an_answer(
    httpserver: HTTPServer, tmp_path: Path, answer: Callable[[Request], Response], refusal: str
) -> None:
    seen = _script(httpserver, answer)
    for cached in (False, True):
        replies, gateway = asyncio.run(_one(_settings(httpserver), cache=tmp_path / "cache.sqlite"))
        assert refusal in replies[0].refusal and replies[0].cached is cached
        assert not replies[0].message["content"]
        assert gateway.ledger.entry("user", "m").failures == 0
    assert len(seen) == 1


def test_an_answer_that_was_cut_off_says_so(httpserver: HTTPServer) -> None:
    _script(httpserver, _choice(message={"role": "assistant", "content": "Half of"}, finish_reason="length"))
    replies, _ = asyncio.run(_one(_settings(httpserver)))
    assert (replies[0].finish_reason, replies[0].message["content"]) == ("length", "Half of")
    assert not replies[0].refusal


def test_a_call_of_an_unknown_tool_is_an_answer(httpserver: HTTPServer) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "no_such_tool", "arguments": "{}"}}
    _script(httpserver, _choice(message={"role": "assistant", "content": None, "tool_calls": [call]}))
    replies, _ = asyncio.run(_one(_settings(httpserver)))
    assert replies[0].message["tool_calls"] == [call] and not replies[0].refusal


def _error(status: int, **error: str) -> Callable[[Request], Response]:
    return lambda _: Response(json.dumps({"error": error}), status=status, content_type="application/json")


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (_error(400, message="too long", code="context_length_exceeded"), ContextError, "longer than its context"),
        (_error(400, message="This model's maximum context length is 4096 tokens"), ContextError, "4096"),
        (_error(401, message="Incorrect API key"), SettingsError, "Incorrect API key"),
        (_error(404, message="The model m does not exist"), SettingsError, "does not exist"),
        (_error(402, message="Insufficient balance"), StoppedError, "no credit"),
        (_error(429, message="You exceeded your quota", code="insufficient_quota"), StoppedError, "no credit"),
        (_error(403, message="moderated"), ModelError, "403"),
        (_error(422, message="bad tool"), ModelError, "bad tool"),
        (lambda _: Response("<html>no</html>", status=400), ModelError, "HTTP 400"),
    ],
)
def test_what_no_retry_mends_is_asked_once(
    httpserver: HTTPServer, answer: Callable[[Request], Response], kind: type[Exception], message: str
) -> None:
    seen = _script(httpserver, answer)
    with pytest.raises(kind, match=message):
        asyncio.run(_one(_settings(httpserver)))
    assert len(seen) == 1


def test_a_404_in_the_midst_of_answers_is_tried_again(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok, _error(404, message="no route"), _ok)
    asyncio.run(_one(_settings(httpserver), _request("a"), _request("b")))
    assert len(seen) == 3


async def _raw_server(*parts: bytes, pause: float) -> tuple[asyncio.Server, str]:
    """A server that sends these bytes with a pause before each, then drops the connection."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for part in parts:
            await asyncio.sleep(pause)
            if reader.at_eof():
                break
            writer.write(part)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(handle, "127.0.0.1", 0)
    return server, f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"


@pytest.mark.parametrize(
    ("parts", "kind"),
    [
        ((), "connection"),
        ((b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n", b'{"choices": ['), "connection"),
        # Each byte comes well within the time-out, the whole never does.
        ((b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n", *(b"[" for _ in range(200))), "timeout"),
    ],
)
def test_connections_that_break_and_bodies_that_drip(parts: tuple[bytes, ...], kind: str) -> None:
    async def run() -> dict[str, int]:
        server, base_url = await _raw_server(*parts, pause=0.02)
        settings = GatewaySettings(
            endpoint=Endpoint(model="m", base_url=base_url), attempts=2, backoff_seconds=0.001, timeout_seconds=0.3
        )
        async with server, Gateway(settings) as gateway:
            with pytest.raises(ModelError):
                await gateway.complete(_request())
            faults = dict(gateway.ledger.entry("user", "m").faults)
        await asyncio.sleep(0.1)  # the server sees that its client has gone
        return faults

    assert asyncio.run(run()) == {kind: 2}


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


DEAR = {"m": Price(prompt=1000.0, completion=1000.0)}
"""120 tokens, which every answer here takes, cost 12 cents."""


def test_the_budget_stops_before_it_is_passed(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, _ok)

    async def run() -> Gateway:
        async with Gateway(_settings(httpserver, budget_usd=1.0, prices=DEAR)) as gateway:
            with pytest.raises(BudgetError, match="budget"):
                for number in range(100):
                    await gateway.complete(_request(str(number)))
            return gateway

    gateway = asyncio.run(run())
    assert 0.0 < gateway.ledger.spent() <= 1.0
    # 40 cents of completion and 2 of prompt are set aside for the call to come.
    assert len(seen) == 5


@pytest.mark.parametrize("limit", [{"budget_usd": 1.0}, {"budget_tokens": 1000}])
def test_calls_in_flight_count_in_the_budget(httpserver: HTTPServer, limit: dict[str, Any]) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.05)
        return _ok(request)

    seen = _script(httpserver, slow)

    async def run() -> tuple[list[Any], Gateway]:
        async with Gateway(_settings(httpserver, prices=DEAR, **limit)) as gateway:
            asked = (gateway.complete(_request(str(number))) for number in range(20))
            return await asyncio.gather(*asked, return_exceptions=True), gateway

    found, gateway = asyncio.run(run())
    assert len(seen) == 2  # 840 tokens are set aside for two; a third could pass the limit
    assert sum(isinstance(each, BudgetError) for each in found) == 18
    assert gateway.ledger.tokens() == 240


def test_the_own_limit_is_what_is_set_aside(httpserver: HTTPServer) -> None:
    _script(httpserver, _ok)
    endpoint = Endpoint(model="m", base_url=httpserver.url_for("/v1"), parameters={"max_tokens": 2000})
    with pytest.raises(BudgetError):
        asyncio.run(_one(GatewaySettings(endpoint=endpoint, prices=DEAR, budget_usd=1.0)))


def test_failed_tries_give_back_what_was_set_aside(httpserver: HTTPServer) -> None:
    _script(httpserver, _status(500), _status(500), _status(500), _ok)
    _, gateway = asyncio.run(_one(_settings(httpserver, prices=DEAR, budget_usd=0.5)))
    assert gateway.ledger.spent() == pytest.approx(0.12)


def test_unknown_models_count_without_a_price() -> None:
    ledger = Ledger(prices={})
    ledger.charge("user", "mystery", 10, 5, 0.1)
    assert ledger.entry("user", "mystery").cost is None
    assert ledger.tokens() == 15 and ledger.spent() == 0.0
    assert ledger.unpriced() == ["mystery"]


def test_the_key_is_kept_nowhere(
    httpserver: HTTPServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    key = "sk-planted-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    caplog.set_level("DEBUG")

    def echo(request: Request) -> Response:
        sent = request.headers["authorization"]
        message = {"role": "assistant", "content": f"You sent {sent}"}
        return Response(json.dumps({**COMPLETION, "choices": [{"message": message}]}), content_type="application/json")

    def scold(request: Request) -> Response:
        sent = request.headers["authorization"]
        return Response(json.dumps({"error": {"message": f"bad key {sent}"}}), 401, content_type="application/json")

    _script(httpserver, echo, lambda r: Response(f"broken {r.headers['authorization']}", 400), scold)
    said: list[str] = []

    async def run() -> None:
        async with Gateway(_settings(httpserver, attempts=1), cache=tmp_path / "cache.sqlite") as gateway:
            said.append(repr(await gateway.complete(_request("a"))))
            for text in "bc":
                with pytest.raises(ModelError) as failed:
                    await gateway.complete(_request(text))
                said.append(f"{failed.value!r} {failed.value}")
            said.append(json.dumps(gateway.ledger.to_json()))

    asyncio.run(run())
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "[key]" in said[0] and b"[key]" in kept
    assert key.encode() not in kept
    assert not [text for text in said if key in text]
    assert key not in caplog.text


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
    _script(httpserver, _ok)
    naps = Naps()

    async def run() -> None:
        async with Gateway(_settings(httpserver, **limit), sleep=naps, clock=naps.clock) as gateway:
            await asyncio.gather(*(gateway.complete(_request(str(n))) for n in range(80)))

    asyncio.run(run())
    assert naps.clock() == pytest.approx(seconds, abs=2.0)


def test_endpoints_have_limits_of_their_own(httpserver: HTTPServer) -> None:
    _script(httpserver, _ok)
    slow = Endpoint(model="slow", base_url=httpserver.url_for("/v1"), requests_per_minute=1)
    naps = Naps()
    settings = _settings(httpserver, roles={"checker": slow})

    async def run() -> None:
        async with Gateway(settings, sleep=naps, clock=naps.clock) as gateway:
            for number in range(5):
                await gateway.complete(_request(str(number)))
            assert naps.clock() == 0.0
            for number in range(3):
                await gateway.complete(ModelRequest(role="checker", messages=_request(str(number)).messages))
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
    seen = _script(httpserver, _status(500))
    settings = _settings(httpserver, attempts=50, breaker_failures=3, breaker_trips=2, breaker_pause_seconds=0.01)
    with pytest.raises(StoppedError, match="in a row"):
        asyncio.run(_one(settings))
    assert len(seen) == 4


def test_rate_limits_do_not_open_the_breaker(httpserver: HTTPServer) -> None:
    seen = _script(httpserver, *([_status(429)] * 9), _ok)
    settings = _settings(httpserver, attempts=20, breaker_failures=2, breaker_trips=1)
    asyncio.run(_one(settings, sleep=Naps()))
    assert len(seen) == 10


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


@pytest.mark.parametrize(
    "body", ["[]", "{}", "no json", '{"message": null}', '{"message": "text"}', '{"message": {}, "prompt_tokens": "7"}']
)
def test_an_entry_that_is_no_response_is_asked_for_again(httpserver: HTTPServer, tmp_path: Path, body: str) -> None:
    """Its checksum is right: somebody else wrote it."""
    seen = _script(httpserver, _ok)
    path = tmp_path / "cache.sqlite"
    asyncio.run(_one(_settings(httpserver), cache=path))
    with sqlite3.connect(path) as db:
        db.execute("update responses set body = ?, checksum = ?", (body, sha256_hex(body)))
    for cached in (False, True):
        replies, _ = asyncio.run(_one(_settings(httpserver), cache=path))
        assert (replies[0].message["content"], replies[0].cached) == ("hello", cached)
    assert len(seen) == 2


def test_a_file_that_is_no_database_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "cache.sqlite"
    path.write_bytes(b"not a database, but long enough to be read as one" * 100)
    cache = ResponseCache(path)
    cache.put("a", {"message": {}})
    assert cache.get("a") == {"message": {}}
    cache.close()
    assert path.with_suffix(".broken").read_bytes().startswith(b"not a database")
