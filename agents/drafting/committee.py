"""Review finished tasks by a committee of models, which also votes on dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wildtool.agents.drafting.roles import RoleCaller, Unusable
from wildtool.agents.drafting.user_brief import dialogue
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Verdict
from wildtool.schemas.session import Answer, Ask, Call, Task

_MOST_REASONS = 3
"""Reasons of checkers that an annotator is shown at once."""


async def review_task(caller: RoleCaller, number: int, done: Sequence[Task], committee: int) -> list[Verdict]:
    """Return the verdicts of the committee's majority on the last task of ``done``; none for an empty committee.

    Checkers doubt, people decide: what they say is shown to annotators and drops nothing.
    """
    if committee < 1:
        return []
    task = done[-1]
    edges = [[on, index] for index, action in enumerate(task.actions[:-1]) for on in action.depends_on]
    asked: JsonObject = {
        "so_far": dialogue(done[:-1]),
        "now": caller.plan.now,
        "user": task.user,
        "type": task.type.value,
        "actions": [_shown(index, action) for index, action in enumerate(task.actions)],
        "edges": edges,
    }
    votes: list[JsonObject] = []
    for sample in range(committee):
        try:
            votes.append(await caller.review(number, asked, sample=sample))
        except Unusable as fault:
            votes.append({"ok": False, "reasons": [fault.detail], "edges": edges})
    oks = [bool(vote["ok"]) for vote in votes]
    agree, dissent = sum(oks), len(oks) - sum(oks)
    ok = agree * 2 > len(oks)
    reasons = "; ".join([str(r) for vote in votes if not vote["ok"] for r in vote.get("reasons", ())][:_MOST_REASONS])
    if ok and dissent:
        reasons = f"{dissent} of {len(oks)} checkers disagree{': ' + reasons if reasons else ''}"
    verdicts = [
        Verdict(
            check="review",
            ok=ok,
            reason=reasons,
            evidence=f"{agree} of {len(oks)} checkers agree",
            task=number,
            confidence=round(max(agree, dissent) / len(oks), 2),
            by="model",
        )
    ]
    return [*verdicts, *_edges(number, edges, votes)]


def _edges(number: int, edges: list[list[int]], votes: Sequence[JsonObject]) -> list[Verdict]:
    """Return a verdict for each edge on which the committee and the proposal disagree.

    Failed where the majority (for an edge that is there: half of them) would drop or add it; else it tells of the few.
    """
    believed = [{tuple(edge) for edge in vote.get("edges", ()) if _is_edge(edge)} for vote in votes]
    found: list[Verdict] = []
    proposed = {(edge[0], edge[1]) for edge in edges}
    for edge in sorted(proposed.union(*believed)):
        there = edge in proposed
        against = sum((edge in each) != there for each in believed)
        if not against:
            continue
        ok = (len(believed) - against) * 2 > len(believed) if there else against * 2 <= len(believed)
        verb = "does not wait" if there else "waits"
        found.append(
            Verdict(
                check="dependencies",
                ok=ok,
                reason=f"{against} of {len(believed)} checkers think that action {edge[1]} {verb} for action {edge[0]}",
                task=number,
                action=edge[1],
                confidence=round(max(against, len(believed) - against) / len(believed), 2),
                by="model",
            )
        )
    return found


def _is_edge(edge: Any) -> bool:
    return isinstance(edge, list) and len(edge) == 2 and all(type(end) is int for end in edge)


def _shown(index: int, action: Call | Ask | Answer) -> JsonObject:
    match action:
        case Call():
            return {"index": index, "call": action.name, "arguments": action.arguments, "result": action.observation}
        case Ask():
            return {"index": index, "question": action.question, "reply": action.reply}
        case Answer():
            return {"index": index, "answer": action.text}
