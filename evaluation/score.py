"""From a session and a stored trajectory to one score a task. Needs no model: the trajectory alone is judged again."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from wildtool.evaluation.asks.ask_and_answer import unsupported_facts
from wildtool.evaluation.costs import cost_of
from wildtool.evaluation.referee import Referee
from wildtool.schemas.errors import InputError
from wildtool.schemas.score import TaskScore
from wildtool.schemas.session import Ask, Call, Session, Task
from wildtool.schemas.trajectory import TaskTrajectory, Trajectory
from wildtool.schemas.vocabulary import ErrorKind, RuleSet


def score_session(
    session: Session,
    trajectory: Trajectory,
    rules: RuleSet = RuleSet.EXACT,
    *,
    costs: Mapping[str, float] | None = None,
) -> list[TaskScore]:
    """Score one attempt at one session. Needs no model: the stored trajectory is judged again.

    Args:
        session: what was to be done, with its gold.
        trajectory: what the candidate did, as ``agents.play_session`` or ``read_original_results`` gives it.
        rules: ``exact`` (ours), or ``original`` (WildToolBench's, for published figures).
        costs: cost of one call by tool, in money or seconds (``read_costs``); 1 for tools that it does not name.

    Returns:
        One score for each task, in the order of ``session.tasks``. A task without a trajectory counts as a failed request.

    Raises:
        InputError: the trajectory is of another session.
        LanguageError: a registered language lacks words that the scorer needs.

    Source: ``evaluation/score.py``.
    """
    if trajectory.session != session.id:
        raise InputError(
            f"the trajectory is of session {trajectory.session}, not {session.id}", "score it on the release it ran on"
        )
    by_task = {done.task: done for done in trajectory.tasks}
    types = [task.type for task in session.tasks]
    scores = []
    for number, task in enumerate(session.tasks):
        done = by_task.get(number) or TaskTrajectory(task=number, steps=(), error="no trajectory for this task")
        facts: dict[str, Any] = {
            "session": session.id,
            "trial": trajectory.trial,
            "task": number,
            "language": session.language,
            "category": session.category,
            "type": task.type,
            "topology": task.topology,
            "hidden_intent": task.hidden_intent.kind if task.hidden_intent else None,
            "transitions": sum(a is not b for a, b in pairwise(types[: number + 1])),
        }
        referee = Referee(task, session.tools, now=session.now, language=session.language, rules=rules)
        for step in done.steps:
            if referee.over:
                break
            referee.step(step)
        scores.append(_score(session, task, done, referee, facts, costs or {}))
    return scores


def _score(
    session: Session,
    task: Task,
    done: TaskTrajectory,
    referee: Referee,
    facts: dict[str, Any],
    costs: Mapping[str, float],
) -> TaskScore:
    errors, reason, failed_step = list(referee.errors), referee.reason, referee.failed_step
    if done.error is not None:
        errors.insert(0, ErrorKind.FAILED_REQUEST)
        reason, failed_step = f"the request failed: {done.error}", len(done.steps)
    elif not referee.over:
        errors.append(ErrorKind.EARLY_TERMINATION)
        reason = reason or "the trajectory ends before the answer"
        failed_step = len(done.steps) if failed_step is None else failed_step
    # The answer itself is no step; asks are.
    steps = len(referee.steps) - 1 if referee.answered else len(referee.steps)
    best = referee.best
    depth = min(track.depth for track in referee.tracks)
    complete = referee.answered and done.error is None
    correct = complete and not errors
    finished, total = best.matcher.calls_right, len(best.actions)
    optimal = correct and steps == depth
    if referee.walk is not None:
        finished, total = referee.walk.progress
        optimal = correct and referee.walk.optimal_by_name
        depth = referee.walk.least_steps - 1
    return TaskScore(
        **facts,
        complete=complete,
        correct=correct,
        optimal=optimal,
        depth=depth,
        steps=steps,
        actions_done=finished,
        actions_total=total,
        errors=tuple(dict.fromkeys(errors)),
        failed_step=failed_step,
        reason=reason,
        arguments=tuple(referee.arguments),
        path_cost=sum(max((cost_of(costs, call.name) for call in step.calls), default=0.0) for step in referee.steps),
        least_cost=min(track.least_cost(costs) for track in referee.tracks),
        unsupported=tuple(unsupported_by(session, task, referee.answer)) if referee.answered else (),
        answered=referee.answered,
        ask_uncertain=referee.ask_uncertain,
    )


def unsupported_by(session: Session, task: Task, answer: str) -> list[str]:
    """Facts of a task's final answer without support in what the candidate could see up to it."""
    sources: list[Any] = [session.now, list(session.tools)]
    for earlier in session.tasks:
        sources.append(earlier.user)
        if earlier is task:
            break
    for one in session.tasks[: session.tasks.index(task) + 1]:
        for action in one.actions:
            match action:
                case Call():
                    sources += [action.observation, action.arguments]
                case Ask():
                    sources += [action.reply, action.question]
                case _ if one is not task:
                    sources.append(action.text)
    return unsupported_facts(answer, sources)
