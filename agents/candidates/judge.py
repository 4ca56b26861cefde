"""Let a model judge asks and answers. Optional, and beside every score: see ``wildtool.evaluation.asks.judging``."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wildtool.agents.drafting.roles import JSON_TRIES, read_object
from wildtool.agents.gateway.endpoints import GatewaySettings
from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.agents.gateway.gateway import Gateway, ModelRequest
from wildtool.agents.prompts import prompt
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ModelError, StoppedError
from wildtool.schemas.vocabulary import Language

JUDGE = "judge"
"""Role of the judge, for ledger and settings."""


@dataclass(frozen=True, slots=True)
class Question:
    """One text to be judged."""

    kind: str
    """Name of the prompt: ``ask`` or ``answer``."""
    language: Language
    asked: JsonObject
    """Request to the judge, as JSON."""


def judge_all(
    questions: Sequence[Question], settings: GatewaySettings, *, cache: Path | None = None
) -> list[tuple[bool, str] | None]:
    """(right, reason) for each question, in order; None where the model gave no verdict after some tries.

    Raises ``BudgetError`` where the budget ends: verdicts so far are in the cache.
    """

    async def ask_all() -> list[tuple[bool, str] | None]:
        async with Gateway(settings, cache=cache) as gateway:
            return await asyncio.gather(*(_verdict(question, gateway) for question in questions))

    return run_to_end(ask_all())


async def _verdict(question: Question, gateway: Gateway) -> tuple[bool, str] | None:
    asked = question.asked
    for attempt in range(JSON_TRIES):
        request = ModelRequest(
            role=JUDGE,
            messages=(
                {"role": "system", "content": prompt(question.language, f"judge/{question.kind}")},
                {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
            ),
            json_object=True,
            prompt=f"judge/{question.kind}",
            attempt=attempt,
        )
        try:
            reply = await gateway.complete(request)
        except StoppedError:
            raise
        except ModelError:
            return None
        found = read_object(reply.message.get("content"))
        if found is not None and isinstance(found.get("ok"), bool):
            return found["ok"], str(found.get("reason") or "")
        asked = {**question.asked, "again": 'answer with {"ok": true or false, "reason": "…"}'}
    return None
