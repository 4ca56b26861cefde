"""Actions that are text, for a judge: a model's opinion on asks and answers, beside the rules and never in a score.

A judge is a function from items to verdicts, passed in: this room calls no model. What is judged is what the rules
judged: asks in their place, and final answers. How often both agree is told, so that neither need be believed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.evaluation.referee import Referee
from wildtool.evaluation.score import unsupported_by
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Ask, Call, Session, Task
from wildtool.schemas.trajectory import Trajectory
from wildtool.schemas.vocabulary import Language


@dataclass(frozen=True, slots=True)
class SpeechItem:
    """A text to be judged."""

    kind: str
    """``ask`` or ``answer``."""
    session: str
    trial: int
    task: int
    language: Language
    asked: JsonObject
    """All that the judge gets: for an ask ``user``, ``slots``, ``example``, ``message``; for an answer ``user``,
    ``known``, ``message``."""
    by_rules: bool
    """The rules' verdict."""


@dataclass(frozen=True, slots=True)
class SpeechVerdict:
    """What a judge says."""

    ok: bool
    reason: str = ""


Judge = Callable[[Sequence[SpeechItem]], Sequence[SpeechVerdict | None]]
"""One verdict an item, in order; None where the judge gave none."""


def speech_items(session: Session, trajectory: Trajectory) -> list[SpeechItem]:
    """The asks that were performed in their place, and the final answers, of one attempt."""
    items: list[SpeechItem] = []
    for done in trajectory.tasks:
        if done.task >= len(session.tasks) or done.error is not None:
            continue
        task = session.tasks[done.task]
        referee = Referee(task, session.tools, now=session.now, language=session.language)
        where = (session.id, trajectory.trial, done.task, session.language)
        for step in done.steps:
            if referee.over:
                break
            outcome = referee.step(step)
            if outcome.reply is not None:
                ask = _ask(task, outcome.reply)
                asked: JsonObject = {
                    "user": task.user, "slots": ask.slots, "example": ask.question, "message": step.text,
                }  # fmt: skip
                items.append(SpeechItem("ask", *where, asked, outcome.error is None))
            if referee.answered:
                asked = {
                    "user": [one.user for one in session.tasks[: done.task + 1]],
                    "known": _known(session, done.task),
                    "message": referee.answer,
                }
                items.append(SpeechItem("answer", *where, asked, not unsupported_by(session, task, referee.answer)))
    return items


def _ask(task: Task, reply: str) -> Ask:
    """The ask that was replied to."""
    asks = [each for actions in (task.actions, *task.alternatives) for each in actions if isinstance(each, Ask)]
    return next(each for each in asks if each.reply == reply)


def _known(session: Session, number: int) -> list[Any]:
    """What a candidate could see up to the answer of a task."""
    known: list[Any] = [{"now": session.now}]
    for place, task in enumerate(session.tasks[: number + 1]):
        for action in task.actions:
            match action:
                case Call():
                    known.append({"call": action.name, "arguments": action.arguments, "result": action.observation})
                case Ask():
                    known.append({"asked": action.question, "reply": action.reply})
                case _ if place < number:
                    known.append({"answer": action.text})
    return known


def judge_speech(items: Sequence[SpeechItem], judge: Judge, name: str) -> JsonObject:
    """A judge's figures, to stand beside the headline: share right by the judge, share where the rules agree, by kind.

    ``name`` says who judged. Items without a verdict are counted and left out of the shares.
    """
    found = list(zip(items, judge(items), strict=True))
    figures: JsonObject = {"judge": name, "items": len(items), "unjudged": sum(v is None for _, v in found)}
    for kind in ("ask", "answer"):
        pairs = [(item, verdict) for item, verdict in found if item.kind == kind and verdict is not None]
        figures[kind] = {
            "n": len(pairs),
            "right": _share([verdict.ok for _, verdict in pairs]),
            "right_by_rules": _share([item.by_rules for item, _ in pairs]),
            "agree": _share([verdict.ok is item.by_rules for item, verdict in pairs]),
        }
    figures["apart"] = [
        {"session": i.session, "trial": i.trial, "task": i.task, "kind": i.kind, "judge": v.ok, "reason": v.reason}
        for i, v in found
        if v is not None and v.ok is not i.by_rules
    ][:APART]
    return figures


APART = 50
"""Texts on which judge and rules differ that a report lists: a person reads these, and no more."""


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None
