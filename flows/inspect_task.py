"""A release as a task of ``inspect_ai`` (the extra ``inspect``): the same loop, the same referee, the same scorer.

    inspect eval flows/inspect_task.py --model openai/gpt-4o -T release=releases/1.0.0     (in a clone)
    inspect eval flows/sessions --model openai/gpt-4o -T release=releases/1.0.0            (installed)

Any OpenAI-compatible endpoint: ``--model openai-api/local/NAME --model-base-url URL`` with LOCAL_API_KEY set.

A sample is a session, since its tasks stand and fall together. Inspect owns the model: retries, caches, logs, limits.
A request that fails for good fails the sample, and with it the evaluation: no denominator shrinks.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wildtool.agents import Attempt, Turn, play_session
from wildtool.evaluation import score_session
from wildtool.flows.gold_gate import referee_for
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import CandidateCall, CandidateStep, Trajectory
from wildtool.schemas.vocabulary import RuleSet, Topology
from wildtool.warehouse import load_release

try:
    from inspect_ai import Task, task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import (
        ChatMessage,
        ChatMessageAssistant,
        ModelOutput,
        get_model,
        messages_from_openai,
    )
    from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
    from inspect_ai.solver import Generate, Solver, TaskState, solver
    from inspect_ai.tool import ToolInfo, ToolParams
except ImportError as error:
    raise SettingsError(
        "inspect_ai is not installed, or too old", "install the extra: pip install 'wildtool[inspect]'"
    ) from error

SESSION = "session"
"""Key of the session in a sample's metadata; the trajectory lies in the store under the next."""
TRAJECTORY = "trajectory"

_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object", "null"})


@task
def sessions(release: str, split: str | None = None, history: str = "gold", rules: str = "exact") -> Task:
    """Sessions of a release.

    Args:
        release: the release's folder.
        split: ``dev`` or ``test``; both if not given.
        history: what the model sees of earlier tasks: ``gold``, or its ``own``.
        rules: ``exact``, or ``original`` for figures comparable to those published.
    """
    from wildtool.flows.stages.score import marks_of, sessions_of

    frozen = load_release(Path(release))
    samples = [
        Sample(
            id=session.id,
            input=session.tasks[0].user,
            target="every task right",
            metadata={SESSION: session.model_dump(mode="json")},
        )
        for session in sessions_of(frozen, split)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"wildtool {frozen.manifest.version}"),
        solver=play(frozen.manifest.version, frozen.digest, history),
        scorer=by_rules(rules),
        metadata={
            "release": frozen.manifest.version,
            "release_digest": frozen.digest,
            "rules": rules,
            "history": history,
            "marks": marks_of(frozen),
        },
    )


@solver
def play(release: str, release_digest: str, history: str) -> Solver:
    """Plays all tasks of the session with the evaluation's model."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate  # tool results come from the referee, not from tools
        session = Session.model_validate(state.metadata[SESSION])
        model = get_model()
        said: list[ChatMessage] = []

        async def policy(turn: Turn) -> CandidateStep:
            messages = await messages_from_openai(list(turn.messages))  # type: ignore[arg-type]  # plain dicts do
            output = await model.generate(messages, tools=[_tool(tool) for tool in turn.tools])
            said[:] = [*messages, output.message]
            state.output = output
            return step_of(output, f"made_{turn.task}_{turn.done}")

        attempt = Attempt(
            release=release,
            release_digest=release_digest,
            candidate=str(model),
            settings={"harness": "inspect"},
            trial=state.epoch - 1,
            history="own" if history == "own" else "gold",
        )
        trajectory = await play_session(session, policy, referee_for, attempt)
        state.messages = said
        state.store.set(TRAJECTORY, trajectory.model_dump(mode="json"))
        return state

    return solve


def step_of(output: ModelOutput, prefix: str) -> CandidateStep:
    """A model's output as a step. Calls that Inspect could not parse have no arguments."""
    message: ChatMessageAssistant = output.message
    calls: list[CandidateCall] = []
    for place, made in enumerate(message.tool_calls or ()):
        fresh = bool(made.id) and made.id not in {call.id for call in calls}
        calls.append(
            CandidateCall(
                id=made.id if fresh else f"{prefix}_{place}",
                name=made.function,
                arguments=None if made.parse_error else made.arguments,
                raw_arguments=made.parse_error or json.dumps(made.arguments, ensure_ascii=False),
            )
        )
    usage = output.usage
    refused = output.stop_reason == "content_filter" and not calls
    return CandidateStep(
        calls=tuple(calls),
        text="" if refused else message.text,
        refusal=message.text or "the endpoint's content filter stopped the answer" if refused else "",
        latency_seconds=output.time or 0.0,
        prompt_tokens=usage.input_tokens if usage else 0,
        completion_tokens=usage.output_tokens if usage else 0,
    )


def _tool(tool: JsonObject) -> ToolInfo:
    function = tool["function"]
    parameters = _plain(function.get("parameters") or {"type": "object"})
    return ToolInfo(
        name=function["name"],
        description=function.get("description") or function["name"],
        parameters=ToolParams.model_validate({**parameters, "type": "object"}),
    )


def _plain(schema: Any) -> Any:
    """The schema with types that Inspect knows: ``float`` is a number, and what else it does not know is left open."""
    match schema:
        case dict():
            return {
                name: _type(value) if name == "type" and isinstance(value, str) else _plain(value)
                for name, value in schema.items()
            }
        case list():
            return [_plain(part) for part in schema]
        case _:
            return schema


def _type(name: str) -> str | None:
    return name if name in _TYPES else "number" if name in ("float", "double") else None


@metric
def figures() -> Metric:
    """The headline over all sessions: task and session accuracy, OP and AP rate; NaN where nothing counts."""

    def compute(scores: list[SampleScore]) -> dict[str, str | int | float | bool | None]:
        def ratio(above: str, below: str) -> float:
            rows = [each.score.as_dict() for each in scores]
            total = sum(float(row[below] or 0) for row in rows)
            return sum(float(row[above] or 0) for row in rows) / total if total else float("nan")

        return {
            "task_accuracy": ratio("correct", "tasks"),
            "session_accuracy": ratio("session", "sessions"),
            "optimal_path_rate": ratio("optimal", "optimal_of"),
            "accomplish_progress_rate": ratio("progress", "progress_of"),
        }

    return compute


@scorer(metrics=[figures()])
def by_rules(rules: str = "exact") -> Scorer:
    """Scores a session as ``wildtool evaluate`` does: numerators and denominators of the headline."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        session = Session.model_validate(state.metadata[SESSION])
        found = score_session(session, Trajectory.model_validate(state.store.get(TRAJECTORY)), RuleSet(rules))
        ordered = [each for each in found if each.topology in (Topology.SEQUENTIAL, Topology.MIXED)]
        wide = [each for each in found if each.topology in (Topology.PARALLEL, Topology.MIXED)]
        return Score(
            value={
                "correct": sum(each.correct for each in found),
                "tasks": len(found),
                "session": int(all(each.correct for each in found)),
                "sessions": 1,
                "optimal": sum(each.optimal for each in wide),
                "optimal_of": len(wide),
                "progress": sum(each.actions_done for each in ordered),
                "progress_of": sum(each.actions_total for each in ordered),
            },
            answer=_answer(state),
            explanation=_explained([f"task {each.task + 1}: {each.reason}" for each in found if not each.correct]),
            metadata={"tasks": [each.model_dump(mode="json") for each in found]},
        )

    return score


def _answer(state: TaskState) -> str:
    return state.output.completion if state.output else ""


def _explained(reasons: Sequence[str]) -> str:
    return "; ".join(reasons) or "every task right"
