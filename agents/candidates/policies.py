"""Choose a candidate's next message: by a model behind an endpoint, or by a built-in policy of known accuracy."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, assert_never

from wildtool.agents.gateway.gateway import CANDIDATE, Gateway, ModelRequest
from wildtool.grounding.chat import steps
from wildtool.schemas.base import JsonObject
from wildtool.schemas.errors import ContextError, InputError, SettingsError
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.message import content_text, read_calls, sound_text
from wildtool.schemas.session import Action, Answer, Ask, Call, Session
from wildtool.schemas.trajectory import CandidateCall, CandidateStep

BUILTIN = "builtin:"
"""Prefix under which built-in candidates are named."""


@dataclass(frozen=True)
class Turn:
    """State of a candidate's session. A fair policy reads ``messages`` and ``tools`` alone."""

    messages: tuple[JsonObject, ...]
    """OpenAI messages, the system's first."""
    tools: tuple[JsonObject, ...]
    """OpenAI tools, without their results' schemas."""
    session: Session
    """The gold, for policies that replay it."""
    task: int
    """Number of the task, from 0."""
    done: int
    """Steps taken in this task."""
    trial: int
    """Number of the trial, from 0."""
    seen: int = 0
    """Messages that earlier steps of this task were sent."""


Policy = Callable[[Turn], Awaitable[CandidateStep]]
"""Gives the next message. Raises ``ModelError`` where the endpoint fails for good."""


@dataclass(frozen=True)
class EndpointPolicy:
    """Asks the model that serves the gateway's ``candidate`` role. Each trial has its own cache entry."""

    gateway: Gateway

    async def __call__(self, turn: Turn) -> CandidateStep:
        """Ask for the next message. Raises ``ModelError`` where the endpoint fails for good."""
        request = ModelRequest(role=CANDIDATE, messages=turn.messages, tools=turn.tools, sample=turn.trial)
        try:
            reply = await self.gateway.complete(request)
        except ContextError as error:
            # As much the model's as a refusal is: no other try will be answered, and the run has to have an end.
            return CandidateStep(refusal=sound_text(error.cause), sent=turn.messages[turn.seen :])
        price = self.gateway.ledger.prices.get(reply.model)
        return CandidateStep(
            calls=read_calls(reply.message, f"made_{turn.task}_{turn.done}"),
            text=content_text(reply.message.get("content")),
            refusal=sound_text(reply.refusal),
            latency_seconds=reply.seconds,
            prompt_tokens=reply.prompt_tokens,
            completion_tokens=reply.completion_tokens,
            cost_usd=None if price is None else price.of(reply.prompt_tokens, reply.completion_tokens),
            sent=turn.messages[turn.seen :],
            message=_kept(reply.message),
        )


def _kept(message: JsonObject) -> JsonObject:
    """Make a message writable: without lone surrogates and numbers that JSON does not have."""
    text = sound_text(json.dumps(message, ensure_ascii=False))
    kept: JsonObject = json.loads(text, parse_constant=str)
    return kept


def _replay(turn: Turn, indices: list[int]) -> CandidateStep:
    """Gold actions as one message."""
    calls: list[CandidateCall] = []
    text = ""
    for index in indices:
        action: Action = turn.session.tasks[turn.task].actions[index]
        match action:
            case Call():
                raw = json.dumps(action.arguments, ensure_ascii=False)
                call_id = f"gold_{turn.task}_{index}"
                calls.append(CandidateCall(id=call_id, name=action.name, arguments=action.arguments, raw_arguments=raw))
            case Ask():
                text = action.question
            case Answer():
                text = action.text
            case _:
                assert_never(action)
    return CandidateStep(calls=tuple(calls), text=text)


async def gold_policy(turn: Turn) -> CandidateStep:
    """Replays the gold along an optimal path: right everywhere, and optimal."""
    path = steps(turn.session.tasks[turn.task].actions)
    return _replay(turn, path[turn.done]) if turn.done < len(path) else _plain(turn)


async def sequential_gold_policy(turn: Turn) -> CandidateStep:
    """Replays the gold one call a step: right everywhere, and never optimal where calls can go together."""
    order = [index for step in steps(turn.session.tasks[turn.task].actions) for index in step]
    return _replay(turn, [order[turn.done]]) if turn.done < len(order) else _plain(turn)


def _plain(turn: Turn) -> CandidateStep:
    return CandidateStep(text=_stock(turn.session.language)["thanks"])


@cache
def _stock(language: str) -> dict[str, str]:
    """Load the fixed messages of built-in policies: ``words/<code>/stock_messages.toml``."""
    path = files("wildtool.agents.candidates").joinpath("words", str(language), "stock_messages.toml")
    if not path.is_file():
        cause = f"built-in candidates have no messages in language {str(language)!r}"
        raise SettingsError(cause, f"add agents/candidates/words/{language}/stock_messages.toml")
    messages: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return messages


async def null_policy(turn: Turn) -> CandidateStep:
    """Always a plain text that asks nothing: right on chat alone."""
    return _plain(turn)


async def always_ask_policy(turn: Turn) -> CandidateStep:
    """Always the same question."""
    return CandidateStep(text=_stock(turn.session.language)["question"])


async def greedy_policy(turn: Turn) -> CandidateStep:
    """Calls the first tool with the least arguments that its schema allows, then talks."""
    if turn.done or not turn.tools:
        return _plain(turn)
    function = turn.tools[0]["function"]
    arguments = least_value(function.get("parameters") or {"type": "object"})
    raw = json.dumps(arguments, ensure_ascii=False)
    call = CandidateCall(id=f"greedy_{turn.task}", name=function["name"], arguments=arguments, raw_arguments=raw)
    return CandidateStep(calls=(call,))


def least_value(schema: JsonObject) -> Any:
    """Make a smallest value for a JSON Schema: required members only, bounds at their lower end."""
    for word in ("const", "default"):
        if word in schema:
            return schema[word]
    if schema.get("enum"):
        return schema["enum"][0]
    kind = plain_type(schema)
    if kind == "object" or "properties" in schema:
        members = schema.get("properties", {})
        return {name: least_value(members.get(name) or {}) for name in schema.get("required", ())}
    match kind:
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "boolean":
            return False
        case "array":
            return [least_value(schema.get("items") or {}) for _ in range(int(schema.get("minItems", 0)))]
        case "null":
            return None
        case _:
            return "x" * max(1, int(schema.get("minLength", 1)))


BUILTINS: dict[str, Policy] = {
    "gold": gold_policy,
    "null": null_policy,
    "greedy": greedy_policy,
    "ask": always_ask_policy,
    "always-ask": always_ask_policy,
    "sequential": sequential_gold_policy,
}
"""Built-in policies by name, without the prefix."""


def builtin(name: str) -> Policy:
    """Return a built-in candidate, which needs no model.

    Args:
        name: ``builtin:gold`` does what the gold does, others fail in one way each (``BUILTINS``).

    Returns:
        The candidate, for ``play``.

    Raises:
        InputError: no built-in candidate has this name.

    Source: ``agents/candidates/policies.py``.
    """
    policy = BUILTINS.get(name.removeprefix(BUILTIN)) if name.startswith(BUILTIN) else None
    if policy is None:
        known = ", ".join(f"{BUILTIN}{each}" for each in BUILTINS)
        raise InputError(f"unknown built-in candidate {name!r}", f"take one of {known}, or name a model")
    return policy
