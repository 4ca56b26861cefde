"""``inspect eval`` runs a release with the same scorer. Skipped where the extra is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.flows.test_evaluate import SESSIONS, release, reply, right_reply  # noqa: F401  # a fixture

pytest.importorskip("inspect_ai", reason="the extra `inspect` is not installed")


def evaluated(log_dir: Path) -> dict:
    from inspect_ai.log import read_eval_log

    (file,) = log_dir.glob("*.eval")
    log = read_eval_log(str(file))
    assert log.status == "success", log.error
    assert log.results is not None
    (score,) = log.results.scores
    return {name: each.value for name, each in score.metrics.items()} | {"samples": log.samples}


@pytest.mark.e2e
def test_inspect_eval_scores_an_endpoint_as_we_do(
    release: Path,  # noqa: F811
    httpserver: HTTPServer,
    tmp_path: Path,
) -> None:
    """The real command line of Inspect, against a real endpoint that is wrong about shows in one task of four."""

    def answer(request: Request) -> Response:
        messages = json.loads(request.get_data())["messages"]
        users = [message["content"] for message in messages if message["role"] == "user"]
        made = reply("I cannot.") if users[-1] == "And the air in Nice?" else right_reply(messages)
        made |= {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
        made["choices"][0]["index"] = 0
        made["usage"]["total_tokens"] = 110
        return Response(json.dumps(made), content_type="application/json")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    repository = Path(__file__).parents[2]
    ran = subprocess.run(
        [
            str(Path(sys.executable).parent / "inspect"), "eval", "flows/inspect_task.py",
            "--model", "openai-api/local/m", "--model-base-url", httpserver.url_for("/v1"), "-T", f"release={release}",
            "--log-dir", str(tmp_path / "logs"), "--display", "plain", "--epochs", "2",
        ],
        env={**os.environ, "LOCAL_API_KEY": "test", "PYTHONPATH": str(repository), "NO_COLOR": "1"},
        capture_output=True, text=True, cwd=repository, timeout=300, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    found = evaluated(tmp_path / "logs")
    assert (found["task_accuracy"], found["session_accuracy"]) == (0.75, 0)
    assert (found["optimal_path_rate"], found["accomplish_progress_rate"]) == (1, 1)
    assert len(found["samples"]) == 2 * SESSIONS
    score = next(iter(found["samples"][0].scores.values()))
    assert "refus" in score.metadata["tasks"][3]["errors"][0] and "task 4" in score.explanation


def test_outputs_become_steps() -> None:
    from inspect_ai.model import ModelOutput
    from inspect_ai.tool import ToolCall

    from wildtool.flows.inspect_task import step_of

    output = ModelOutput.for_tool_call("m", "getAir", {"city": "Nice"})
    output.message.tool_calls = [
        ToolCall(id="a", function="getAir", arguments={"city": "Nice"}),
        ToolCall(id="a", function="getAir", arguments={}, parse_error="no JSON"),
    ]
    step = step_of(output, "p")
    assert [(call.id, call.arguments) for call in step.calls] == [("a", {"city": "Nice"}), ("p_1", None)]
    refused = ModelOutput.from_content("m", "No.", stop_reason="content_filter")
    assert (step_of(refused, "p").text, step_of(refused, "p").refusal) == ("", "No.")
