"""Result files of the original benchmark, as trajectories, so that stored runs can be scored again by either rule set.

One JSON object a line: ``id`` (``wild_tool_bench_N``, N the session's place in the data file) and ``result`` (in score
files ``results``): by task an ``inference_log`` with ``step_0``, ``step_1``, …, each with an ``inference_output`` of
``content`` and ``tool_calls``. Where a request failed for good the original stores a text in place of the result.

The original stops a task at the first step that it does not match. Where ``exact`` would have gone on, the trajectory
ends before the answer, and the task is failed as ended early.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from schemas.base import JsonObject
from schemas.errors import InputError
from schemas.session import Session
from schemas.trajectory import CandidateCall, CandidateStep, TaskTrajectory, Trajectory

_REMEDY = "name a *_result.jsonl or *_score.jsonl file of the original, of the same data"


def read_original_results(
    path: Path | str, sessions: Sequence[Session], *, release: str, release_digest: str, candidate: str
) -> list[Trajectory]:
    """Trajectories in the file's order. ``sessions`` are in the order of the original's data file.

    Raises ``InputError`` with the line at fault.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path}: {error}", _REMEDY) from error
    trajectories = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path.name} line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where} is no JSON: {error}", _REMEDY) from error
        session = _session(row, sessions, where)
        trajectories.append(
            Trajectory.of(
                release=release,
                release_digest=release_digest,
                candidate=candidate,
                settings={"harness": "original"},
                session=session.id,
                tasks=_tasks(row, session, where),
            )
        )
    return trajectories


def _session(row: Any, sessions: Sequence[Session], where: str) -> Session:
    found = re.fullmatch(r".*_(\d+)", str(row.get("id"))) if isinstance(row, dict) else None
    if found is None:
        raise InputError(f"{where} has no id that ends in a number", _REMEDY)
    place = int(found[1])
    if place >= len(sessions):
        raise InputError(f"{where} is of session {place}, and there are {len(sessions)}", _REMEDY)
    return sessions[place]


def _tasks(row: JsonObject, session: Session, where: str) -> tuple[TaskTrajectory, ...]:
    results = row.get("result", row.get("results"))
    if isinstance(results, str):
        return tuple(TaskTrajectory(task=i, steps=(), error=results[:200]) for i in range(len(session.tasks)))
    if not isinstance(results, list) or len(results) > len(session.tasks):
        raise InputError(f"{where} holds no list of at most {len(session.tasks)} results", _REMEDY)
    return tuple(_task(number, result, where) for number, result in enumerate(results))


def _task(number: int, result: Any, where: str) -> TaskTrajectory:
    if isinstance(result, str):
        return TaskTrajectory(task=number, steps=(), error=result[:200])
    log = result.get("inference_log") if isinstance(result, dict) else None
    if not isinstance(log, dict):
        raise InputError(f"{where}, task {number}: no inference_log", _REMEDY)
    steps: list[CandidateStep] = []
    while (entry := log.get(f"step_{len(steps)}")) is not None:
        output = entry.get("inference_output") if isinstance(entry, dict) else None
        if not isinstance(output, dict):
            raise InputError(f"{where}, task {number}, step {len(steps)}: no inference_output", _REMEDY)
        place = len(steps)
        steps.append(
            CandidateStep(
                calls=tuple(
                    _call(call, f"{number}.{place}.{i}") for i, call in enumerate(output.get("tool_calls") or ())
                ),
                text=output.get("content") if isinstance(output.get("content"), str) else "",
                latency_seconds=_entry(result.get("latency"), place, 0.0),
                prompt_tokens=int(_entry(result.get("input_token_count"), place, 0)),
                completion_tokens=int(_entry(result.get("output_token_count"), place, 0)),
            )
        )
    return TaskTrajectory(task=number, steps=tuple(steps))


def _call(call: Any, fallback: str) -> CandidateCall:
    function = call.get("function") if isinstance(call, dict) else None
    function = function if isinstance(function, dict) else {}
    raw = function.get("arguments", "")
    try:
        parsed = json.loads(raw) if isinstance(raw, str) else raw
    except ValueError:
        parsed = None
    return CandidateCall(
        id=str((call.get("id") if isinstance(call, dict) else None) or fallback),
        name=str(function.get("name", "")),
        arguments=parsed if isinstance(parsed, dict) else None,
        raw_arguments=raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False),
    )


def _entry(values: Any, place: int, default: float) -> float:
    """An entry of a list that may be missing or too short."""
    if isinstance(values, list) and place < len(values) and isinstance(values[place], int | float):
        return float(values[place])
    return default
