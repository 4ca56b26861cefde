"""Files of stored runs, as trajectories, so that they can be scored again by either rule set: our own records, one a
line, or result files of the original benchmark.

The original's hold one JSON object a line: ``id`` (``wild_tool_bench_N``, N the session's place in the data file) and ``result`` (in score
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

from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError
from wildtool.schemas.message import content_text, read_calls
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import CandidateStep, TaskTrajectory, Trajectory

_REMEDY = "name trajectories of ours, or a *_result.jsonl or *_score.jsonl file of the original, of the same data"

ORIGINAL_HARNESS: JsonObject = {"harness": "original"}
"""Settings of trajectories that the original's harness made."""


def read_original_results(
    path: Path | str, sessions: Sequence[Session], *, release: str, release_digest: str, candidate: str
) -> list[Trajectory]:
    """Trajectories in the file's order. ``sessions`` are in the order of the original's data file.

    A line that holds a trajectory of ours is taken as it is, whatever candidate it names, if it is of this release.
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
        if isinstance(row, dict) and "tasks" in row and "session" in row:
            trajectories.append(_ours(row, release_digest, where))
            continue
        session = _session(row, sessions, where)
        trajectories.append(
            Trajectory.of(
                release=release,
                release_digest=release_digest,
                candidate=candidate,
                settings=ORIGINAL_HARNESS,
                session=session.id,
                tasks=_tasks(row, session, where),
            )
        )
    return trajectories


def _ours(row: JsonObject, release_digest: str, where: str) -> Trajectory:
    try:
        trajectory = Trajectory.model_validate(row)
    except ValueError as error:
        raise InputError(f"{where} is no trajectory: {str(error).splitlines()[-1].strip()}", _REMEDY) from error
    if trajectory.release_digest != release_digest:
        raise InputError(f"{where} is of another release ({trajectory.release})", "score it on the release it ran on")
    return trajectory


def _session(row: Any, sessions: Sequence[Session], where: str) -> Session:
    found = re.fullmatch(r".*_(\d+)", str(row.get("id"))) if isinstance(row, dict) else None
    if found is None:
        raise InputError(f"{where} has no id that ends in a number", _REMEDY)
    number = int(found[1])
    # Its own number, where the release was imported from the original's file; else its place in that file.
    numbered = [each for each in sessions if (each.provenance.imported or {}).get("number") == number]
    candidates = [*numbered, *sessions[number : number + 1]]
    if not candidates:
        raise InputError(f"{where} is of session {number}, and there are {len(sessions)}", _REMEDY)
    said = {text for text in _users(row) if text}
    return next((each for each in candidates if said & {task.user for task in each.tasks}), candidates[0])


def _users(row: JsonObject) -> list[str]:
    """The user's messages that a result quotes, if it quotes any."""
    results = row.get("result", row.get("results"))
    logs = [r.get("inference_log") for r in results if isinstance(r, dict)] if isinstance(results, list) else []
    opened = [log.get("begin_of_current_task") for log in logs if isinstance(log, dict)]
    return [str(each.get("content") or "") for each in opened if isinstance(each, dict)]


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
                calls=read_calls(output, f"{number}.{place}"),
                text=content_text(output.get("content")),
                refusal=content_text(output.get("refusal")),
                latency_seconds=_entry(result.get("latency"), place, 0.0),
                prompt_tokens=int(_entry(result.get("input_token_count"), place, 0)),
                completion_tokens=int(_entry(result.get("output_token_count"), place, 0)),
            )
        )
    return TaskTrajectory(task=number, steps=tuple(steps))


def _entry(values: Any, place: int, default: float) -> float:
    """An entry of a list that may be missing or too short."""
    if isinstance(values, list) and place < len(values) and isinstance(values[place], int | float):
        return float(values[place])
    return default
