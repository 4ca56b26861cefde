"""The gateway against a real HTTP endpoint: what it makes of answers and of faults, and what it keeps of them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.scripted import COMPLETION, Naps, ok, one, request, script, settings_for, status
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest, Reply
from wildtool.agents.gateway.responses import LONGEST_WAIT, retry_after
from wildtool.schemas.errors import ContextError, ModelError, SettingsError, StoppedError


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


def test_an_answer_is_paid_for_once(httpserver: HTTPServer, tmp_path: Path) -> None:
    seen = script(httpserver, ok)
    cache = tmp_path / "cache.sqlite"
    first, _ = asyncio.run(one(settings_for(httpserver), cache=cache))
    second, gateway = asyncio.run(one(settings_for(httpserver), cache=cache))
    assert first[0].message["content"] == "hello" and not first[0].cached
    assert second[0].message == first[0].message and second[0].cached
    assert len(seen) == 1
    entry = gateway.ledger.entry("user", "m")
    assert (entry.calls, entry.cached, entry.prompt_tokens) == (1, 1, 0)


def test_another_sample_or_another_body_is_another_answer(httpserver: HTTPServer) -> None:
    seen = script(httpserver, ok)
    requests = (request(), request(sample=1), request("ho"), request(json_object=True), request())
    asyncio.run(one(settings_for(httpserver), *requests))
    assert len(seen) == 4


def test_equal_requests_in_flight_are_asked_once(httpserver: HTTPServer) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.1)
        return ok(request)

    seen = script(httpserver, slow)

    async def both() -> list[Reply]:
        async with Gateway(settings_for(httpserver)) as gateway:
            return list(await asyncio.gather(*(gateway.complete(request()) for _ in range(5))))

    replies = asyncio.run(both())
    assert len(seen) == 1
    assert sorted(reply.cached for reply in replies) == [False, True, True, True, True]


def test_plans_stay_out_of_requests_to_real_endpoints(httpserver: HTTPServer) -> None:
    seen = script(httpserver, ok)
    asyncio.run(one(settings_for(httpserver), request(plan="pln_1", task=2)))
    assert not [name for name, _ in seen[0].headers if name.lower().startswith("x-wildtool")]
    assert "pln_1" not in seen[0].get_data(as_text=True)


@pytest.mark.parametrize("code", [408, 409, 429, 500, 503])
def test_passing_faults_are_tried_again_and_counted(httpserver: HTTPServer, code: int) -> None:
    seen = script(httpserver, status(code), status(code), ok)
    replies, gateway = asyncio.run(one(settings_for(httpserver)))
    assert replies[0].message["content"] == "hello"
    assert len(seen) == 3
    assert gateway.ledger.entry("user", "m").retries == 2


def test_retry_after_is_honoured(httpserver: HTTPServer) -> None:
    script(httpserver, status(429, Retry_After="7"), status(429), ok)
    naps = Naps()
    asyncio.run(one(settings_for(httpserver), sleep=naps, clock=naps.clock))
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
    seen = script(httpserver, status(429, Retry_After="30"), ok)
    naps = Naps()

    async def two() -> float:
        settings = settings_for(httpserver, attempts=1)
        async with Gateway(settings, sleep=naps, clock=naps.clock) as gateway:
            with pytest.raises(ModelError, match="429"):
                await gateway.complete(request("a"))
            await gateway.complete(request("b"))
            return naps.clock()

    assert asyncio.run(two()) >= 30.0
    assert len(seen) == 2


def test_a_wrong_request_is_not_repeated(httpserver: HTTPServer) -> None:
    seen = script(httpserver, status(400))
    with pytest.raises(ModelError, match="HTTP 400"):
        asyncio.run(one(settings_for(httpserver)))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (json.dumps(COMPLETION)[:60], "not JSON"),
        ("", "not JSON"),
        ("<!doctype html><title>Log in</title>", "HTML page"),
        (json.dumps({**COMPLETION, "choices": []}), "no choice"),
        (json.dumps({**COMPLETION, "choices": [{}]}), "no choice"),
        (json.dumps({"error": {"message": "overloaded"}}), "no choice: overloaded"),
        ("[1]", "not a JSON object"),
    ],
)
def test_broken_answers_are_tried_again_then_named(httpserver: HTTPServer, body: str, reason: str) -> None:
    seen = script(httpserver, lambda _: Response(body, content_type="application/json"))
    gateway = Gateway(settings_for(httpserver, attempts=3))

    async def run() -> None:
        async with gateway:
            await gateway.complete(request())

    with pytest.raises(ModelError, match=reason):
        asyncio.run(run())
    assert len(seen) == 3
    entry = gateway.ledger.entry("user", "m")
    assert (entry.calls, entry.retries, entry.failures, sum(entry.faults.values())) == (1, 2, 1, 3)


def test_an_answer_without_a_choice_is_billed_all_the_same(httpserver: HTTPServer) -> None:
    script(httpserver, lambda _: Response(json.dumps({**COMPLETION, "choices": []})), ok)
    _, gateway = asyncio.run(one(settings_for(httpserver)))
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
    seen = script(httpserver, answer)
    for cached in (False, True):
        replies, gateway = asyncio.run(one(settings_for(httpserver), cache=tmp_path / "cache.sqlite"))
        assert refusal in replies[0].refusal and replies[0].cached is cached
        assert not replies[0].message["content"]
        assert gateway.ledger.entry("user", "m").failures == 0
    assert len(seen) == 1


def test_an_answer_that_was_cut_off_says_so(httpserver: HTTPServer) -> None:
    script(httpserver, _choice(message={"role": "assistant", "content": "Half of"}, finish_reason="length"))
    replies, _ = asyncio.run(one(settings_for(httpserver)))
    assert (replies[0].finish_reason, replies[0].message["content"]) == ("length", "Half of")
    assert not replies[0].refusal


def test_a_call_of_an_unknown_tool_is_an_answer(httpserver: HTTPServer) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "no_such_tool", "arguments": "{}"}}
    script(httpserver, _choice(message={"role": "assistant", "content": None, "tool_calls": [call]}))
    replies, _ = asyncio.run(one(settings_for(httpserver)))
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
    seen = script(httpserver, answer)
    with pytest.raises(kind, match=message):
        asyncio.run(one(settings_for(httpserver)))
    assert len(seen) == 1


def test_a_404_in_the_midst_of_answers_is_tried_again(httpserver: HTTPServer) -> None:
    seen = script(httpserver, ok, _error(404, message="no route"), ok)
    asyncio.run(one(settings_for(httpserver), request("a"), request("b")))
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
                await gateway.complete(request())
            faults = dict(gateway.ledger.entry("user", "m").faults)
        await asyncio.sleep(0.1)  # the server sees that its client has gone
        return faults

    assert asyncio.run(run()) == {kind: 2}


def test_a_slow_answer_times_out(httpserver: HTTPServer) -> None:
    def slow(request: Request) -> Response:
        time.sleep(0.4)
        return ok(request)

    script(httpserver, slow)
    with pytest.raises(ModelError, match="timed out"):
        asyncio.run(one(settings_for(httpserver, attempts=1, timeout_seconds=0.05)))


def test_nobody_listening_is_a_model_error() -> None:
    endpoint = Endpoint(model="m", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(ModelError, match="no connection"):
        asyncio.run(one(GatewaySettings(endpoint=endpoint, attempts=2, backoff_seconds=0.001)))


def test_a_missing_key_is_named(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(SettingsError, match="OPENAI_API_KEY"):
        asyncio.run(one(settings_for(httpserver)))


def test_roles_have_endpoints_and_parameters_of_their_own(httpserver: HTTPServer) -> None:
    seen = script(httpserver, ok)
    judge = Endpoint(model="judge", base_url=httpserver.url_for("/v1"), parameters={"temperature": 0})
    settings = settings_for(httpserver, roles={"checker": judge})
    asyncio.run(one(settings, request(), ModelRequest(role="checker", messages=request().messages)))
    bodies = [json.loads(request.get_data()) for request in seen]
    assert [body["model"] for body in bodies] == ["m", "judge"]
    assert [body.get("temperature") for body in bodies] == [None, 0]


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

    script(httpserver, echo, lambda r: Response(f"broken {r.headers['authorization']}", 400), scold)
    said: list[str] = []

    async def run() -> None:
        async with Gateway(settings_for(httpserver, attempts=1), cache=tmp_path / "cache.sqlite") as gateway:
            said.append(repr(await gateway.complete(request("a"))))
            for text in "bc":
                with pytest.raises(ModelError) as failed:
                    await gateway.complete(request(text))
                said.append(f"{failed.value!r} {failed.value}")
            said.append(json.dumps(gateway.ledger.to_json()))

    asyncio.run(run())
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "[key]" in said[0] and b"[key]" in kept
    assert key.encode() not in kept
    assert not [text for text in said if key in text]
    assert key not in caplog.text
