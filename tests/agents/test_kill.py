"""A run that is killed ten times pays again only for what was in flight."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

REQUESTS = 400
IN_FLIGHT = 4
KILLS = 10

RUN = f"""
import asyncio, pathlib, sys
from agents.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest

async def main():
    settings = GatewaySettings(endpoint=Endpoint(model="m", base_url=sys.argv[1]), max_in_flight={IN_FLIGHT})
    async with Gateway(settings, cache=pathlib.Path(sys.argv[2])) as gateway:
        requests = [
            ModelRequest(role="user", messages=({{"role": "user", "content": str(n)}},)) for n in range({REQUESTS})
        ]
        await asyncio.gather(*(gateway.complete(request) for request in requests))

asyncio.run(main())
"""


@pytest.mark.e2e
def test_killed_ten_times(httpserver: HTTPServer, tmp_path: Path, repository: Path) -> None:
    paid: Counter[str] = Counter()

    def answer(request: Request) -> Response:
        body = json.loads(request.get_data())
        paid[body["messages"][0]["content"]] += 1
        time.sleep(0.01)
        message = {"role": "assistant", "content": "ok"}
        return Response(json.dumps({"choices": [{"message": message}], "usage": {}}), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    command = [sys.executable, "-c", RUN, httpserver.url_for("/v1"), str(tmp_path / "cache.sqlite")]
    environment = {**os.environ, "OPENAI_API_KEY": "test", "PYTHONPATH": str(repository)}
    rng = Random(3)
    killed = 0
    for _ in range(KILLS):
        before = sum(paid.values())
        process = subprocess.Popen(command, env=environment)
        goal = before + rng.randrange(5, REQUESTS // KILLS)
        while sum(paid.values()) < goal and process.poll() is None:
            time.sleep(0.002)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.wait(timeout=60)
    assert killed == KILLS
    subprocess.run(command, env=environment, check=True, timeout=120)
    assert len(paid) == REQUESTS
    # What was in flight at a kill had no chance to be kept; everything else was asked for once.
    again = sum(count - 1 for count in paid.values())
    assert again <= KILLS * IN_FLIGHT
    total = sum(paid.values())
    subprocess.run(command, env=environment, check=True, timeout=120)
    assert sum(paid.values()) == total
