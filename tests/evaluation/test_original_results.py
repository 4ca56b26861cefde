"""Result files of the original become trajectories that both rule sets can score."""

from __future__ import annotations

import json

import pytest

from wildtool.evaluation import read_original_results, score_session
from wildtool.schemas.errors import InputError
from wildtool.schemas.vocabulary import ErrorKind, RuleSet

from .conftest import RIGHT


def logged(steps) -> dict:
    log: dict = {"task_idx": 0, "begin_of_current_task": {"role": "user", "content": "…"}}
    for number, step in enumerate(steps):
        calls = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw_arguments}}
            for call in step.calls
        ]
        log[f"step_{number}"] = {"inference_output": {"content": step.text or None, "tool_calls": calls or None}}
    return {"action_name_label": "correct", "inference_log": log, "latency": [0.5], "input_token_count": [7]}


def read(path, session):
    return read_original_results(path, [session], release="1", release_digest="0", candidate="model")


def test_a_right_run_scores_right(session, tmp_path):
    path = tmp_path / "x_result.jsonl"
    row = {"id": "wild_tool_bench_0", "result": [logged(steps) for steps in RIGHT]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    (trajectory,) = read(path, session)
    first = trajectory.tasks[0].steps[0]
    assert (first.latency_seconds, first.prompt_tokens, first.calls[0].id) == (0.5, 7, "a")
    for rules in RuleSet:
        assert all(score.correct for score in score_session(session, trajectory, rules))


def test_failed_requests_are_failures_and_broken_calls_call_errors(session, tmp_path):
    broken = logged(RIGHT[3])
    broken["inference_log"]["step_0"]["inference_output"]["tool_calls"] = [
        {"function": {"name": "getAir", "arguments": "{"}}
    ]
    path = tmp_path / "x_result.jsonl"
    rows = [{"id": "wild_tool_bench_0", "result": "Error: 503"}, {"id": "wild_tool_bench_0", "results": [broken]}]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lost, odd = read(path, session)
    assert {score.errors for score in score_session(session, lost)} == {(ErrorKind.FAILED_REQUEST,)}
    assert odd.tasks[0].steps[0].calls[0].arguments is None


@pytest.mark.parametrize(
    "row",
    [
        [],
        {"id": "x"},
        {"id": "wild_tool_bench_9", "result": []},
        {"id": "wild_tool_bench_0", "result": 1},
        {"id": "wild_tool_bench_0", "result": [1]},
        {"id": "wild_tool_bench_0", "result": [{"inference_log": {"step_0": 1}}]},
    ],
)
def test_other_files_are_refused(session, tmp_path, row):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    with pytest.raises(InputError):
        read(path, session)
