"""Play sessions with a candidate model: it sees messages and tools, a referee plays the user and the tools.

``play_session`` is the loop; who moves is a ``Policy`` (``wildtool.agents.candidates.policies`` holds the endpoint and the built-in ones).
The referee comes from outside, so that this room need not know how a step is judged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from wildtool.agents.candidates.policies import (
    EndpointPolicy,
    Policy,
    Turn,
    always_ask_policy,
    builtin,
    gold_policy,
    greedy_policy,
    null_policy,
    sequential_gold_policy,
)
from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.grounding.chat import call_message, system_message, task_messages, tool_message
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import InputError, ModelError, StoppedError
from wildtool.schemas.session import Session
from wildtool.schemas.trajectory import CandidateStep, TaskTrajectory, Trajectory

__all__ = [
    "Attempt",
    "EndpointPolicy",
    "Outcome",
    "Policy",
    "Referee",
    "Turn",
    "always_ask_policy",
    "builtin",
    "gold_policy",
    "greedy_policy",
    "null_policy",
    "offered_tools",
    "play",
    "play_session",
    "play_sessions",
    "sequential_gold_policy",
]

History = Literal["gold", "own"]
"""Earlier tasks as a candidate sees them: the gold actions along an optimal path, or its own."""

Observations = Literal["withheld", "world"]
"""Results of calls that are not gold's: none, as in releases of 0.1.0, or those of the session's world."""

STEP_MARGIN = 2
"""Steps beyond one an action. A referee ends a task at the first step that takes no action, so no task should come
this far; the margin keeps a lenient referee from paying for a candidate that goes round in circles."""

NOT_RUN: JsonObject = {"error": "the call was not run"}
"""Result of a call that got none, in a candidate's own history: every call there must be answered."""


class Outcome(Protocol):
    """A referee's ruling on a step."""

    @property
    def over(self) -> bool:
        """No step may follow."""
        ...

    @property
    def observations(self) -> Mapping[str, Any]:
        """Observations by tool call id."""
        ...

    @property
    def reply(self) -> str | None:
        """The user's reply to a question."""
        ...


class Referee(Protocol):
    """Judges one attempt at one task, step by step."""

    def step(self, step: CandidateStep, /) -> Outcome:
        """Take the candidate's next message."""
        ...


RefereeFor = Callable[[Session, int], Referee]
"""A new referee for a session's task, from 0."""


def offered_tools(session: Session) -> tuple[JsonObject, ...]:
    """Return the session's tools as a candidate sees them: without ``x-returns``."""
    return tuple(
        {**tool, "function": {name: value for name, value in tool["function"].items() if name != "x-returns"}}
        if isinstance(tool.get("function"), dict)
        else tool
        for tool in session.tools
    )


@dataclass(frozen=True)
class Attempt:
    """Settings of a run, the same for all its sessions. Raises ``InputError`` for impossible ones."""

    release: str
    """Version of the release."""
    release_digest: str
    """SHA-256 of its manifest."""
    candidate: str
    """The model's name, or ``builtin:gold``."""
    settings: JsonObject | None = None
    """Settings that the caller wants kept with each trajectory."""
    trial: int = 0
    """Number of the trial, from 0; each is asked anew."""
    history: History = "gold"
    """With ``gold`` every task starts from the gold of the ones before it; with ``own`` from what the candidate did."""
    max_steps: int | None = None
    """Messages of a task at most (default: one an action, and a margin)."""
    observations: Observations = "withheld"
    """What a call with other arguments than gold's is answered: nothing, or what the session's world says."""

    def __post_init__(self) -> None:
        """Refuse what no run can mean."""
        if self.history not in ("gold", "own"):
            raise InputError(f"no history is called {self.history!r}", "take gold or own")
        if self.max_steps is not None and self.max_steps < 1:
            raise InputError(f"max_steps is {self.max_steps}", "allow at least one step a task")

    def trajectory(self, session: str, tasks: Sequence[TaskTrajectory]) -> Trajectory:
        """Make the trajectory of a session; the loop's parameters are kept among its settings."""
        loop: JsonObject = {"history": self.history}
        if self.observations != "withheld":
            loop["observations"] = self.observations
        if self.max_steps is not None:
            loop["max_steps"] = self.max_steps
        return Trajectory.of(
            release=self.release,
            release_digest=self.release_digest,
            candidate=self.candidate,
            settings={**(self.settings or {}), **loop},
            session=session,
            trial=self.trial,
            tasks=tuple(tasks),
        )

    def trajectory_id(self, session: str) -> str:
        """Id that the session's trajectory will have, so that a resumed run knows what is done before it plays."""
        return self.trajectory(session, ()).id


async def play_session(session: Session, policy: Policy, referee_for: RefereeFor, attempt: Attempt) -> Trajectory:
    """One session played by a candidate, all its tasks in order.

    A request that fails for good ends its task with ``TaskTrajectory.error``; on its own history the tasks after it
    have no ground to stand on and get an error, too. Raises ``StoppedError`` where the budget is used up.
    """
    system = system_message(session.language, session.now)
    tools = offered_tools(session)
    past: list[JsonObject] = [system]
    played: list[TaskTrajectory] = []
    broken: int | None = None
    for number, task in enumerate(session.tasks):
        if broken is not None:
            error = f"not played: task {broken}, on which its history rests, got no answer"
            played.append(TaskTrajectory(task=number, steps=(), error=error))
            continue
        messages = [*past, {"role": "user", "content": task.user}]
        actions = max(len(each) for each in (task.actions, *task.alternatives))
        limit = actions + STEP_MARGIN if attempt.max_steps is None else attempt.max_steps
        referee = referee_for(session, number)
        done = await _play_task(session, number, policy, referee, messages, tools, limit, attempt.trial)
        played.append(done)
        if attempt.history == "gold":
            past.extend(task_messages(task, number))
        else:
            past = messages
            broken = number if done.error is not None else None
    return attempt.trajectory(session.id, played)


async def _play_task(
    session: Session,
    number: int,
    policy: Policy,
    referee: Referee,
    messages: list[JsonObject],
    tools: tuple[JsonObject, ...],
    limit: int,
    trial: int,
) -> TaskTrajectory:
    """Play one task; what is said and seen is appended to ``messages``."""
    steps: list[CandidateStep] = []
    sent = 0
    while len(steps) < limit:
        turn = Turn(tuple(messages), tools, session, number, len(steps), trial, sent)
        sent = len(messages) + 1  # its own message comes next
        try:
            step = await policy(turn)
        except StoppedError:
            # Not the candidate's failure: the run stops here and goes on with a larger budget.
            raise
        except ModelError as error:
            return TaskTrajectory(task=number, steps=tuple(steps), error=error.cause)
        outcome = referee.step(step)
        seen = outcome.observations
        step = step.model_copy(
            update={"calls": tuple(c.model_copy(update={"observation": seen.get(c.id)}) for c in step.calls)}
        )
        steps.append(step)
        messages.append(_spoken(step))
        messages.extend(tool_message(call.id, seen.get(call.id, NOT_RUN)) for call in step.calls)
        if outcome.over:
            break
        if outcome.reply is not None:
            messages.append({"role": "user", "content": outcome.reply})
    return TaskTrajectory(task=number, steps=tuple(steps))


def _spoken(step: CandidateStep) -> JsonObject:
    """Turn a step into an assistant message. Argument text goes back as it came, where it came as JSON."""
    if not step.calls:
        return {"role": "assistant", "content": step.text}
    message = call_message([(call.id, call.name, call.arguments or {}) for call in step.calls])
    for made, call in zip(message["tool_calls"], step.calls, strict=True):
        if call.arguments is not None and call.raw_arguments.strip():
            made["function"]["arguments"] = call.raw_arguments
    return {**message, "content": step.text or None}


async def play_sessions(
    sessions: Iterable[Session],
    policy: Policy,
    referee_for: RefereeFor,
    attempt: Attempt,
    *,
    concurrency: int = 64,
    on_trajectory: Callable[[Trajectory], None] | None = None,
) -> list[Trajectory]:
    """Trajectories of all sessions, in their order; ``on_trajectory`` hears of each as soon as it is finished.

    At most ``concurrency`` sessions are played at a time (64: the gateway's own bound on requests). The first error
    (budget, settings, the callback's) starts no further session, lets those under way end, since their answers are
    paid for, and is then raised.
    """
    slots = asyncio.Semaphore(concurrency)
    failed: list[Exception] = []

    async def play(session: Session) -> Trajectory | None:
        async with slots:
            if failed:
                return None
            try:
                trajectory = await play_session(session, policy, referee_for, attempt)
                if on_trajectory is not None:
                    on_trajectory(trajectory)
            except Exception as error:  # raised below, once the others have ended
                failed.append(error)
                return None
            return trajectory

    found = await asyncio.gather(*(play(session) for session in sessions))
    if failed:
        raise failed[0]
    return [trajectory for trajectory in found if trajectory is not None]


def play(
    sessions: Sequence[Session], policy: Policy, referee_for: RefereeFor, attempt: Attempt, **how: Any
) -> list[Trajectory]:
    """Let a candidate play sessions, many at a time, and wait for all of them. ``await play_sessions`` is the same.

    Args:
        sessions: what to play.
        policy: the candidate: ``builtin("builtin:gold")``, an ``EndpointPolicy``, or any function of its type.
        referee_for: makes the referee of a task, who gives observations and replies.
        attempt: which release and trial this is, and what the candidate sees of earlier tasks.
        how: ``concurrency``, sessions at a time (64: the gateway's own bound on requests); ``on_trajectory``, which hears of
            each trajectory as soon as it is finished.

    Returns:
        Trajectories in the order of the sessions.

    Raises:
        WildtoolError: the first error (budget, settings, the callback's). No further session is started then; those under
            way end first, since their answers are paid for.

    Source: ``agents/candidates/candidate.py``.
    """
    return run_to_end(play_sessions(sessions, policy, referee_for, attempt, **how))
