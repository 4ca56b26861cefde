"""An endpoint that hangs or fails is told of, once in a while."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.agents.scripted import ok, request, script, settings_for, status
from wildtool.agents.gateway import heartbeat as patience
from wildtool.agents.gateway.gateway import Gateway
from wildtool.agents.gateway.heartbeat import QUIET_SECONDS, Heartbeat


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


def test_silence_is_told_and_answers_end_it() -> None:
    now, said = [0.0], list[str]()

    async def run() -> None:
        one = Heartbeat(said.append, "6 tries", clock=lambda: now[0])
        with one.waiting(), one.waiting():
            now[0] = QUIET_SECONDS - 1
            one.look()
            assert said == []
            now[0] = QUIET_SECONDS
            one.look()
            assert said == ["2 requests wait, no answer for 30 s (6 tries)"]
            one.answered()
            one.look()
            assert len(said) == 1
        now[0] = 1000.0
        one.look()
        assert len(said) == 1, "nothing waits"

    asyncio.run(run())


def test_retries_are_told_once_in_a_while() -> None:
    now, said = [0.0], list[str]()
    one = Heartbeat(said.append, "", clock=lambda: now[0])
    for number in range(10):
        one.retried("status 500", number + 1)
    now[0] = QUIET_SECONDS
    one.retried("x" * 1_000, 2)
    assert said[0] == "try 1 failed (status 500), trying again" and len(said) == 2
    assert "11 retries so far" in said[1] and len(said[1]) < 300
    Heartbeat(None, "").retried("nobody listens", 1)


def test_the_gateway_tells_of_both(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "QUIET_SECONDS", 0.0)
    told, said = threading.Event(), list[str]()

    def note(text: str) -> None:
        said.append(text)
        if "wait" in text:
            told.set()

    def hangs(_: Request) -> Response:
        assert told.wait(20)
        return ok(_)

    script(httpserver, status(500), hangs)

    async def run() -> None:
        async with Gateway(settings_for(httpserver), note=note) as gateway:
            await gateway.complete(request("a"))

    asyncio.run(run())
    assert any(each.startswith("try 1 failed") for each in said)
    assert any(each.startswith("1 request waits, no answer for 0 s (a try is given up after") for each in said)
