"""An HTTP endpoint that answers by a script, and a gateway to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest, Reply

COMPLETION = {
    "id": "c",
    "object": "chat.completion",
    "created": 0,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hello"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
}


def ok(_: Request) -> Response:
    return Response(json.dumps(COMPLETION), content_type="application/json")


def script(server: HTTPServer, *answers: Callable[[Request], Response]) -> list[Request]:
    """Serve these answers in turn, the last one for ever; gives the requests that came."""
    seen: list[Request] = []

    def handle(request: Request) -> Response:
        seen.append(request)
        return answers[min(len(seen), len(answers)) - 1](request)

    server.expect_request("/v1/chat/completions").respond_with_handler(handle)
    return seen


def status(code: int, **headers: str) -> Callable[[Request], Response]:
    def answer(_: Request) -> Response:
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response('{"error": {"message": "no"}}', status=code, headers=extra, content_type="application/json")

    return answer


def settings_for(server: HTTPServer, **changes: Any) -> GatewaySettings:
    endpoint = Endpoint(model="m", base_url=server.url_for("/v1"))
    return GatewaySettings(endpoint=endpoint, backoff_seconds=0.001, **changes)


def request(text: str = "hi", **changes: Any) -> ModelRequest:
    return ModelRequest(role="user", messages=({"role": "user", "content": text},), **changes)


async def one(settings: GatewaySettings, *requests: ModelRequest, **how: Any) -> tuple[list[Reply], Gateway]:
    async with Gateway(settings, **how) as gateway:
        return [await gateway.complete(request) for request in requests or (request(),)], gateway


class Naps:
    """A clock that only sleeping moves, and a sleep that takes no time but notes how long it should have."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        await asyncio.sleep(0)

    def clock(self) -> float:
        return sum(self.taken)
