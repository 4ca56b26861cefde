"""Let a model pick what the rules left open in world specs: one request a list, answers from closed sets, cached."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from wildtool.agents.drafting.roles import JSON_TRIES, read_object
from wildtool.agents.gateway.endpoints import GatewaySettings
from wildtool.agents.gateway.event_loop import run_to_end
from wildtool.agents.gateway.gateway import Gateway, ModelRequest
from wildtool.agents.prompts import prompt
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ModelError, StoppedError
from wildtool.schemas.tool import ToolList
from wildtool.schemas.world import WorldSpec
from wildtool.worlds.picks import OpenQuestion, open_questions, with_picks

ROLE = "worlds"
"""Role of the model, for ledger and settings."""

PROMPT = "worlds/pick"

Pair = tuple[ToolList, WorldSpec]


def pick_all(pairs: Sequence[Pair], settings: GatewaySettings, *, cache: Path | None = None) -> list[WorldSpec]:
    """Return the specs with what the model picked, in order; a list without open questions is not asked about.

    What is not among a question's choices is dropped. Raises ``BudgetError`` where the budget ends: answers so far are in
    the cache.
    """

    async def ask_all() -> list[WorldSpec]:
        async with Gateway(settings, cache=cache) as gateway:
            return list(await asyncio.gather(*(_picked(pair, gateway) for pair in pairs)))

    return run_to_end(ask_all())


async def _picked(pair: Pair, gateway: Gateway) -> WorldSpec:
    listed, spec = pair
    questions = list(open_questions(spec, listed.tools))
    if not questions:
        return spec
    asked = _asked(listed, spec, questions)
    for attempt in range(JSON_TRIES):
        request = ModelRequest(
            role=ROLE,
            messages=(
                {"role": "system", "content": prompt(listed.language, PROMPT)},
                {"role": "user", "content": json.dumps(asked, ensure_ascii=False)},
            ),
            json_object=True,
            prompt=PROMPT,
            attempt=attempt,
        )
        try:
            reply = await gateway.complete(request)
        except StoppedError:
            raise
        except ModelError:
            return spec
        found = read_object(reply.message.get("content"))
        picks = None if found is None else found.get("picks")
        if isinstance(picks, dict):
            made = {str(name): choice for name, choice in picks.items() if isinstance(choice, str)}
            return with_picks(spec, listed.tools, made, reply.model)
    return spec


def _asked(listed: ToolList, spec: WorldSpec, questions: Sequence[OpenQuestion]) -> JsonObject:
    """Return the request: the tools in question, the fields of their tables, and the choices."""
    tools = {tool.name: tool for tool in listed.tools}
    asked_of = dict.fromkeys(question.tool for question in questions)
    tables = dict.fromkeys(spec.tools[name].table or "" for name in asked_of)
    return {
        "api": {"title": listed.title, "description": listed.description},
        "tables": {name: {f: str(held.role) for f, held in spec.tables[name].fields.items()} for name in tables},
        "tools": {
            name: {
                "description": tools[name].description,
                "operation": str(spec.tools[name].op),
                "table": spec.tools[name].table,
                "parameters": tools[name].parameters,
            }
            for name in asked_of
        },
        "questions": {question.id: list(question.choices) for question in questions},
    }
