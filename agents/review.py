"""Model checks: a committee reads a finished task, and says which dependencies it believes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agents.brief import dialogue
from agents.roles import Cast, Unusable
from schemas.base import JsonObject
from schemas.draft import Verdict
from schemas.session import Answer, Ask, Call, Task


async def review_task(cast: Cast, number: int, done: Sequence[Task], committee: int) -> list[Verdict]:
    """Verdicts of the committee's majority on the last task of ``done``; none for a committee of none.

    Checkers doubt, people decide: what they say is shown to annotators and drops nothing.
    """
    if committee < 1:
        return []
    task = done[-1]
    edges = [[on, index] for index, action in enumerate(task.actions[:-1]) for on in action.depends_on]
    asked: JsonObject = {
        "so_far": dialogue(done[:-1]),
        "now": cast.plan.now,
        "user": task.user,
        "type": task.type.value,
        "actions": [_shown(index, action) for index, action in enumerate(task.actions)],
        "edges": edges,
    }
    votes: list[JsonObject] = []
    for sample in range(committee):
        try:
            votes.append(await cast.review(number, asked, sample=sample))
        except Unusable as fault:
            votes.append({"ok": False, "reasons": [fault.detail], "edges": edges})
    oks = [bool(vote["ok"]) for vote in votes]
    ok = sum(oks) * 2 > len(oks)
    reasons = [str(r) for vote in votes if not vote["ok"] for r in vote.get("reasons", ())][:3]
    verdicts = [
        Verdict(
            check="review",
            ok=ok,
            reason="; ".join(reasons) if not ok else "",
            evidence=f"{sum(oks)} of {len(oks)} checkers agree",
            task=number,
            confidence=max(sum(oks), len(oks) - sum(oks)) / len(oks),
            by="model",
        )
    ]
    return [*verdicts, *_edges(number, edges, votes)]


def _edges(number: int, edges: list[list[int]], votes: Sequence[JsonObject]) -> list[Verdict]:
    """A verdict for each edge that the committee's majority would drop or add."""
    believed = [{tuple(edge) for edge in vote.get("edges", ()) if _is_edge(edge)} for vote in votes]
    found: list[Verdict] = []
    proposed = {(edge[0], edge[1]) for edge in edges}
    for edge in sorted(proposed.union(*believed)):
        share = sum(edge in each for each in believed) / len(believed)
        if (share > 0.5) != (edge in proposed):
            verb = "does not wait" if edge in proposed else "waits"
            found.append(
                Verdict(
                    check="dependencies",
                    ok=False,
                    reason=f"the checkers think that action {edge[1]} {verb} for action {edge[0]}",
                    task=number,
                    action=edge[1],
                    confidence=max(share, 1 - share),
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
