"""Bespoke Curator on the mock endpoint of ``drafting.py``: run by that benchmark, in the peer's own environment.

    python drafting_curator.py BASE_URL CALLS IN_FLIGHT

It prints a JSON object with seconds of wall and of CPU. Nothing of ours is imported. Its own figure of a first, small run
is left out, so that imports, token tables and connections are ready as they are for the other clients.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
import time
from pathlib import Path

os.environ.update(
    OPENAI_API_KEY="x",
    TELEMETRY_ENABLED="0",
    CURATOR_DISABLE_RICH_DISPLAY="1",
    CURATOR_VIEWER="0",
    LITELLM_LOCAL_MODEL_COST_MAP="True",
    HF_HUB_OFFLINE="1",
)

MODEL = "gpt-4"
"""A name that the peer knows; the mock serves any."""


def main() -> None:
    """Ask for all answers at once, as a user of the peer would."""
    base_url, calls, in_flight = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CURATOR_CACHE_DIR"] = folder
        # The peer fetches a token table over the network; a dependency of its brings the same file along.
        litellm = importlib.util.find_spec("litellm")
        if litellm is not None and litellm.origin is not None:
            tables = Path(litellm.origin).parent / "litellm_core_utils" / "tokenizers"
            os.environ.setdefault("TIKTOKEN_CACHE_DIR", str(tables))
        from bespokelabs import curator

        limits = {
            "base_url": base_url,
            "max_requests_per_minute": 10**6,
            "max_tokens_per_minute": 10**9,
            "max_concurrent_requests": in_flight,
        }

        def ask(first: int, count: int) -> tuple[float, float]:
            llm = curator.LLM(model_name=MODEL, backend="openai", backend_params=dict(limits))
            system = {"role": "system", "content": "You play a person who talks to an assistant. " * 34}
            prompts = [
                [system, {"role": "user", "content": f"Brief number {number}."}]
                for number in range(first, first + count)
            ]
            wall, cpu = time.perf_counter(), time.process_time()
            llm(prompts)
            return time.perf_counter() - wall, time.process_time() - cpu

        ask(-16, 16)
        seconds = ask(0, calls)
    print(json.dumps({"wall": seconds[0], "cpu": seconds[1]}))


if __name__ == "__main__":
    main()
