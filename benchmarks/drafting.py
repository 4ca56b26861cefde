"""The gateway beside the bare SDK client, a plain loop and a peer, on a mock endpoint with a fixed latency.

    python -m benchmarks.drafting [--calls 640] [--in-flight 64] [--latency 0.2] [--peer-python PYTHON] [--json]

The endpoint runs in a process of its own on loopback. Each client gets fresh requests and starts with a warm-up that is
not counted; clients take turns, and the best round of each counts. CPU is of the client's process. The gateway runs with
all that it does for a real run: response cache on disk, ledger, budget, rate limits, breaker.

The peer is Bespoke Curator. It needs an environment of its own: ``python -m venv peer; peer/bin/pip install
bespokelabs-curator``, then ``--peer-python peer/bin/python``.

Exit code 1 where the gateway misses what it is meant to reach: 90 % of the bare client, 1 ms of CPU a call on top.
"""

from __future__ import annotations

if not __package__:  # run as a script: python benchmarks/NAME.py
    import sys
    from pathlib import Path

    sys.path[0] = str(Path(__file__).resolve().parent.parent)

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from benchmarks.figures import Better, Figure, at_least, at_most, packed, peer
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest
from wildtool.agents.gateway.usage import Price

MODEL = "mock"
WARM_UP = 64
"""Requests before the clock starts: connections are opened and code is warm."""

LEAST_SHARE = 0.9
"""Calls a second, as a share of the bare client's."""
MOST_CPU_MS = 1.0
"""CPU that the gateway may add to a call."""

Took = tuple[float, float]
"""Seconds of wall and of CPU."""


def serve(port: int, latency: float) -> None:
    """Chat completions after ``latency`` seconds, for ever. A bare asyncio server, so that it costs the least CPU."""
    message = {"role": "assistant", "content": "A sentence of about the length that a drafting call gives."}
    completion = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 400, "completion_tokens": 15, "total_tokens": 415},
    }
    body = json.dumps(completion).encode()
    answer = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                size = next(
                    int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if b"content-length" in line
                )
                await reader.readexactly(size)
                await asyncio.sleep(latency)
                writer.write(answer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(handle, "127.0.0.1", port, backlog=512)
        async with server:
            await server.serve_forever()

    asyncio.run(run())


def messages(number: int) -> tuple[dict[str, str], ...]:
    """A request of about 400 tokens, different for each number."""
    return (
        {"role": "system", "content": "You play a person who talks to an assistant. " * 34},
        {"role": "user", "content": f"Brief number {number}."},
    )


async def timed(ask: Callable[[int], Awaitable[Any]], calls: int, in_flight: int) -> Took:
    """What ``calls`` requests took."""
    slots = asyncio.Semaphore(in_flight)

    async def one(number: int) -> None:
        async with slots:
            await ask(number)

    await asyncio.gather(*(one(-number - 1) for number in range(min(WARM_UP, in_flight))))
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(number) for number in range(calls)))
    return time.perf_counter() - wall, time.process_time() - cpu


async def bare(base_url: str, calls: int, in_flight: int, *, aio: bool = True) -> Took:
    """The SDK's client alone, with the connections that it needs, on either of its transports."""
    import httpx2
    import openai

    limits = httpx2.Limits(max_connections=in_flight + 8, max_keepalive_connections=in_flight)
    transport: Any = openai.DefaultAioHttpClient if aio else openai.DefaultAsyncHttpxClient
    http_client = transport(limits=limits)
    async with openai.AsyncOpenAI(base_url=base_url, api_key="x", max_retries=0, http_client=http_client) as client:

        async def ask(number: int) -> None:
            await client.chat.completions.create(model=MODEL, messages=messages(number))  # type: ignore[arg-type]

        return await timed(ask, calls, in_flight)


async def through_gateway(base_url: str, calls: int, in_flight: int) -> Took:
    """Ours, with everything on."""
    settings = GatewaySettings(
        endpoint=Endpoint(model=MODEL, base_url=base_url),
        max_in_flight=in_flight,
        requests_per_minute=1e6,
        tokens_per_minute=1e9,
        budget_usd=1e6,
        prices={MODEL: Price(prompt=1.0, completion=1.0)},
    )
    with tempfile.TemporaryDirectory() as folder:
        async with Gateway(settings, cache=Path(folder) / "responses.sqlite") as gateway:

            async def ask(number: int) -> None:
                await gateway.complete(ModelRequest(role="user", messages=messages(number)))

            return await timed(ask, calls, in_flight)


def curator(python: str, base_url: str, calls: int, in_flight: int) -> Took:
    """Bespoke Curator on the same requests, in the environment of ``python``; ``RuntimeError`` says why not."""
    script = Path(__file__).with_name("drafting_curator.py")
    if not Path(python).exists():
        raise RuntimeError(f"there is no {python}")
    # Its progress is its own; a log level that hides it would hide its failures too.
    command = [python, str(script), base_url, str(calls), str(in_flight)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or ["it failed"])[-1][:200])
    found = json.loads(done.stdout.strip().splitlines()[-1])
    return found["wall"], found["cpu"]


def row(name: str, calls: int, took: list[Took]) -> dict[str, Any]:
    """One line of the table: the best rounds."""
    return {
        "client": name,
        "calls": calls,
        "calls_per_second": round(calls / min(wall for wall, _ in took), 1),
        "cpu_ms_per_call": round(1000 * min(cpu for _, cpu in took) / calls, 2),
    }


def measure(base_url: str, options: argparse.Namespace) -> dict[str, Any]:
    """All clients, and how ours stands beside them."""
    calls, in_flight = options.calls, options.in_flight
    arms: dict[str, Callable[[], Took]] = {
        "bare SDK client (aiohttp)": lambda: asyncio.run(bare(base_url, calls, in_flight)),
        "bare SDK client (httpx)": lambda: asyncio.run(bare(base_url, calls, in_flight, aio=False)),
        "gateway": lambda: asyncio.run(through_gateway(base_url, calls, in_flight)),
    }
    skipped = None
    if options.peer_python:
        arms["bespokelabs-curator"] = lambda: curator(options.peer_python, base_url, calls, in_flight)
    else:
        skipped = "bespokelabs-curator: no --peer-python was given"
    took: dict[str, list[Took]] = {name: [] for name in arms}
    for _ in range(options.rounds):
        for name, arm in arms.items():
            try:
                took[name].append(arm())
            except RuntimeError as error:
                skipped = f"{name}: {error}"
    rows = [row(name, calls, found) for name, found in took.items() if found]
    few = max(10, calls // 32)
    rows.append(row("plain loop, one at a time", few, [asyncio.run(bare(base_url, few, 1))]))
    by_name = {each["client"]: each for each in rows}
    ours, theirs = by_name["gateway"], by_name["bare SDK client (aiohttp)"]
    share = ours["calls_per_second"] / theirs["calls_per_second"]
    added = ours["cpu_ms_per_call"] - theirs["cpu_ms_per_call"]
    return {
        "latency_seconds": options.latency,
        "in_flight": in_flight,
        "ceiling_calls_per_second": round(in_flight / options.latency, 1),
        "clients": rows,
        "skipped": skipped,
        "gateway_share_of_bare": round(share, 3),
        "gateway_added_cpu_ms": round(added, 2),
        "ok": share >= LEAST_SHARE and added <= MOST_CPU_MS,
    }


def figures_of(found: dict[str, Any]) -> list[Figure]:
    """The gateway beside the other clients, and what it is meant to reach."""
    by_name = {each["client"]: each for each in found["clients"]}
    ours = by_name.pop("gateway")
    names = dict.fromkeys([*by_name, "bespokelabs-curator"])
    why = str(found["skipped"] or "it did not run").removeprefix("bespokelabs-curator: ")

    def beside(key: str, what: str, unit: str, better: Better) -> list[Figure]:
        return [
            peer(what, ours[key], unit, name, by_name.get(name, {}).get(key), better=better, absent=why)
            for name in names
        ]

    return [
        *beside("calls_per_second", f"calls a second, {found['in_flight']} in flight", "1/s", "more"),
        *beside("cpu_ms_per_call", "CPU of the client a call", "CPU ms", "less"),
        at_least("throughput as a share of the bare client's", found["gateway_share_of_bare"], "share", LEAST_SHARE),
        at_most("CPU a call on top of the bare client's", found["gateway_added_cpu_ms"], "CPU ms", MOST_CPU_MS),
    ]


def show(found: dict[str, Any]) -> None:
    """The figures as a table."""
    print(f"{'client':28} {'calls':>6} {'calls/s':>9} {'CPU ms/call':>12}")
    for each in found["clients"]:
        figures = f"{each['calls_per_second']:>9.1f} {each['cpu_ms_per_call']:>12.2f}"
        print(f"{each['client']:28} {each['calls']:>6} {figures}")
    if found["skipped"]:
        print(f"not measured: {found['skipped']}")
    print(
        f"ceiling of {found['in_flight']} in flight at {found['latency_seconds']} s: {found['ceiling_calls_per_second']} calls/s"
    )
    print(
        f"gateway: {found['gateway_share_of_bare']:.0%} of the bare client (at least {LEAST_SHARE:.0%}), "
        f"{found['gateway_added_cpu_ms']:+.2f} ms of CPU a call (at most {MOST_CPU_MS:+.2f})"
    )


def main() -> None:
    """Start the endpoint, run all clients, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=640)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--peer-python",
        default=os.environ.get("WILDTOOL_CURATOR_PYTHON"),
        help="python of an environment with bespokelabs-curator",
    )
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "x")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(port, options.latency), daemon=True)
    server.start()
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    try:
        found = measure(f"http://127.0.0.1:{port}/v1", options)
    finally:
        server.terminate()
        server.join()
    if options.json:
        print(json.dumps(found | {"figures": packed(figures_of(found))}))
    else:
        show(found)
    sys.exit(0 if found["ok"] else 1)


if __name__ == "__main__":
    main()
