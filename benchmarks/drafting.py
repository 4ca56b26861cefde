"""The gateway beside the bare SDK client and a plain sequential loop, on a mock endpoint with a fixed latency.

    python benchmarks/drafting.py [--calls 640] [--in-flight 64] [--latency 0.2]

The endpoint runs in a process of its own on loopback. Each arm gets fresh requests and starts with a warm-up that is
not counted. CPU is of the client's process. A peer is measured too where it is installed (bespokelabs-curator).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import time
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import Any

from agents.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest

MODEL = "mock"
WARM_UP = 16
"""Requests before the clock starts: connections are opened and code is warm."""


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


async def timed(ask: Callable[[int], Awaitable[Any]], calls: int, in_flight: int) -> tuple[float, float]:
    """Seconds of wall and of CPU for ``calls`` requests."""
    slots = asyncio.Semaphore(in_flight)

    async def one(number: int) -> None:
        async with slots:
            await ask(number)

    await asyncio.gather(*(one(-number - 1) for number in range(min(WARM_UP, in_flight))))
    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(number) for number in range(calls)))
    return time.perf_counter() - wall, time.process_time() - cpu


async def bare(base_url: str, calls: int, in_flight: int) -> tuple[float, float]:
    """The SDK's client alone, with the connections that it needs."""
    import httpx2
    import openai

    try:
        http_client: Any = openai.DefaultAioHttpClient()
    except RuntimeError:
        limits = httpx2.Limits(max_connections=in_flight + 8, max_keepalive_connections=in_flight)
        http_client = openai.DefaultAsyncHttpxClient(limits=limits)
    async with openai.AsyncOpenAI(base_url=base_url, api_key="x", max_retries=0, http_client=http_client) as client:

        async def ask(number: int) -> None:
            await client.chat.completions.create(model=MODEL, messages=messages(number))  # type: ignore[arg-type]

        return await timed(ask, calls, in_flight)


async def through_gateway(base_url: str, calls: int, in_flight: int) -> tuple[float, float]:
    """Ours: with cache, ledger, pacing and retries."""
    settings = GatewaySettings(endpoint=Endpoint(model=MODEL, base_url=base_url), max_in_flight=in_flight)
    async with Gateway(settings) as gateway:

        async def ask(number: int) -> None:
            await gateway.complete(ModelRequest(role="user", messages=messages(number)))

        return await timed(ask, calls, in_flight)


def curator(base_url: str, calls: int) -> tuple[float, float]:
    """Bespoke Curator on the same requests, where it is installed."""
    from bespokelabs import curator as peer

    parameters = {"base_url": base_url, "max_requests_per_minute": 10**6, "max_tokens_per_minute": 10**9}
    llm = peer.LLM(model_name=f"openai/{MODEL}", backend="litellm", backend_params=parameters)
    wall, cpu = time.perf_counter(), time.process_time()
    llm([list(messages(number)) for number in range(calls)])
    return time.perf_counter() - wall, time.process_time() - cpu


def report(name: str, calls: int, took: tuple[float, float]) -> dict[str, Any]:
    """One row, printed and returned."""
    row = {
        "client": name,
        "calls": calls,
        "calls_per_second": round(calls / took[0], 1),
        "cpu_ms_per_call": round(1000 * took[1] / calls, 2),
    }
    print(json.dumps(row))
    return row


def main() -> None:
    """Run all arms and print one JSON object each, then the comparison."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=640)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2, help="seconds")
    parser.add_argument("--rounds", type=int, default=3, help="the arms take turns; the best round of each counts")
    options = parser.parse_args()
    os.environ.setdefault("OPENAI_API_KEY", "x")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(port, options.latency), daemon=True)
    server.start()
    base_url = f"http://127.0.0.1:{port}/v1"
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    try:
        rows: dict[str, list[dict[str, Any]]] = {"bare SDK client": [], "gateway": []}
        for _ in range(options.rounds):
            for name, arm in (("bare SDK client", bare), ("gateway", through_gateway)):
                took = asyncio.run(arm(base_url, options.calls, options.in_flight))
                rows[name].append(report(name, options.calls, took))
        few = max(10, options.calls // 32)
        report("sequential loop", few, asyncio.run(bare(base_url, few, 1)))
        if find_spec("bespokelabs") is not None:
            report("curator", options.calls, curator(base_url, options.calls))
        else:
            print(json.dumps({"client": "curator", "skipped": "bespokelabs-curator is not installed"}))
        best = {name: max(each["calls_per_second"] for each in found) for name, found in rows.items()}
        cpu = {name: min(each["cpu_ms_per_call"] for each in found) for name, found in rows.items()}
        summary = {
            "gateway_share_of_bare": round(best["gateway"] / best["bare SDK client"], 3),
            "gateway_extra_cpu_ms": round(cpu["gateway"] - cpu["bare SDK client"], 2),
        }
        print(json.dumps(summary))
    finally:
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
