"""What checks share: how sure they are, and how a verdict is worded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.schemas.base import canonical_json
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.session import Action, Call
from wildtool.schemas.tool import Tool

SURE = 0.8
"""Confidence from which a failed check sends a draft back to its writer. Below, it is a remark for the annotator."""

CERTAIN = 1.0
"""Of checks that compute, not guess."""


def doubt(
    check: str,
    reason: str,
    *,
    task: int | None = None,
    action: int | None = None,
    confidence: float = CERTAIN,
    evidence: Any = "",
) -> Verdict:
    """A failed verdict of a rule."""
    text = evidence if isinstance(evidence, str) else canonical_json(evidence)
    return Verdict(
        check=check,
        ok=False,
        reason=reason,
        evidence=text[:300],
        task=task,
        action=action,
        confidence=round(confidence, 2),
        by="rule",
    )


def tools_of(draft: Draft) -> dict[str, Tool]:
    """The plan's tools by name; they carry result schemas, which the candidate never sees."""
    return {tool.name: tool for tool in draft.plan.tool_list.tools}


def calls(draft: Draft) -> Iterator[tuple[int, int, Call]]:
    """All calls with their task and action."""
    for number, task in enumerate(draft.session.tasks):
        for index, action in enumerate(task.actions):
            if isinstance(action, Call):
                yield number, index, action


def calls_in(actions: tuple[Action, ...]) -> list[tuple[int, Call]]:
    """The calls among a task's actions, with their places."""
    return [(index, action) for index, action in enumerate(actions) if isinstance(action, Call)]


def is_error(observation: Any) -> bool:
    """Whether an observation reports an error instead of a result."""
    return isinstance(observation, dict) and "error" in observation


def shorten(value: Any, size: int = 60) -> str:
    """A value for a reason's one line."""
    text = value if isinstance(value, str) else canonical_json(value)
    return text if len(text) <= size else text[: size - 1] + "…"
