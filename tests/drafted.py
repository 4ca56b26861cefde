"""Sessions written by hand, as drafts."""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.plan import Blueprint, SessionPlan
from wildtool.schemas.session import Session, Task
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Persona


def draft_of(
    listed: ToolList,
    tasks: Sequence[Task],
    planned: Sequence[Blueprint],
    *,
    now: str,
    index: int = 0,
    verdicts: Sequence[Verdict] = (),
) -> Draft:
    """The draft of these tasks over a tool list; ``index`` makes ids differ."""
    plan = SessionPlan.of(
        profile="test-1.0",
        index=index,
        language=listed.language,
        now=now,
        seed=None,
        scenario="An evening out.",
        persona=Persona.NOVICE,
        tool_list=listed,
        tasks=tuple(planned),
        random_seed=index,
    )
    session = Session.for_plan(
        plan.id,
        language=listed.language,
        now=now,
        tool_list=listed.id,
        category=listed.category,
        subcategory=listed.subcategory,
        tools=[tool.openai(returns=True) for tool in listed.tools],
        tasks=tuple(tasks),
    )
    return Draft.of(plan=plan, session=session, verdicts=tuple(verdicts), offline=True)
