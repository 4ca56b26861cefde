"""Check: nothing that is said or returned in a session gives orders to the model that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.grounding.value_sources import parsed
from wildtool.language.injection import looks_injected
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.json_paths import leaves
from wildtool.schemas.session import Answer, Ask, Call
from wildtool.validation.verdicts import doubt, shorten


def injected(draft: Draft) -> Iterator[Verdict]:
    """Neither messages nor observations hold instructions to the model; a session that does is no fair task."""
    for number, task in enumerate(draft.session.tasks):
        if looks_injected(task.user):
            yield _found("the user's message", task.user, number, None)
        for index, action in enumerate(task.actions):
            match action:
                case Call():
                    said = [*leaves(parsed(action.observation)), *leaves(action.arguments)]
                    texts = [value for _, value in said if isinstance(value, str)]
                    where = f"what {action.name} was given or returned"
                case Ask():
                    texts, where = [action.question, action.reply or ""], "a question or its reply"
                case Answer():
                    texts, where = [action.text], "the answer"
            for text in filter(looks_injected, texts):
                yield _found(where, text, number, index)


def _found(where: str, text: Any, task: int, action: int | None) -> Verdict:
    reason = f"{where} holds instructions to the model"
    return doubt("injected", reason, task=task, action=action, confidence=0.9, evidence=shorten(text))
