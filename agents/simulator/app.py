"""Serve chat completions as an ASGI app that finds the plan by the request's headers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from random import Random
from typing import Any, assert_never

from wildtool.agents.drafting.utterances import Script, script_of
from wildtool.agents.gateway.faults import Fault, Faults
from wildtool.agents.simulator.assistant import assistant_message
from wildtool.agents.simulator.references import require_wordings
from wildtool.agents.simulator.user import opener, reply
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.vocabulary import AgentRole
from wildtool.worlds.results import World
from wildtool.worlds.words import failure


def simulator(plans: Iterable[SessionPlan], *, faults: Faults | None = None) -> Any:
    """Make an ASGI app that plays every role for these plans, deterministically."""
    require_wordings()
    by_id = {plan.id: script_of(plan) for plan in plans}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        body = b""
        more = True
        while more:
            event = await receive()
            body += event.get("body", b"")
            more = event.get("more_body", False)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        fault = None
        if faults is not None:
            band = [headers.get(f"x-wildtool-{name}", "") for name in ("plan", "task", "role", "attempt")]
            fault = faults.draw(sha256_hex(canonical_json(band).encode() + body))
        status, extra, text = _answer(by_id, headers, json.loads(body), fault, faults)
        fields = [(b"content-type", b"application/json"), *extra]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": text.encode("utf-8")})

    return app


def _answer(
    scripts: dict[str, Script], headers: dict[str, str], body: JsonObject, fault: Fault | None, faults: Faults | None
) -> tuple[int, list[tuple[bytes, bytes]], str]:
    """Status, further headers and body text."""
    match fault:
        case Fault.RATE_LIMIT:
            return 429, [], _error("too many requests")
        case Fault.RATE_LIMIT_TIMED:
            seconds = faults.retry_after if faults else 1.0
            return 429, [(b"retry-after", f"{seconds:g}".encode())], _error("too many requests")
        case Fault.SERVER_ERROR:
            return 500, [], _error("internal error")
        case Fault.TIMEOUT:
            # What a client sees, raised through the transport: nobody has to wait for it.
            import httpx2

            raise httpx2.ReadTimeout("no answer in time")
        case Fault.DROPPED:
            import httpx2

            raise httpx2.ReadError("the connection was dropped")
        case _:
            pass
    script = scripts.get(headers.get("x-wildtool-plan", ""))
    if script is None:
        return 404, [], _error("no plan of this id: the simulator serves drafting only")
    message = speak_as(
        script,
        int(headers["x-wildtool-task"]),
        headers["x-wildtool-role"],
        int(headers.get("x-wildtool-attempt", "0")),
        body,
    )
    if fault is Fault.REFUSAL:
        message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    if fault is Fault.INVALID_TOOL and body.get("tools"):
        call = {"id": "call_wrong", "type": "function", "function": {"name": "no_such_tool", "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    # Four characters a token is the usual rule of thumb; nobody pays for these.
    usage = {"prompt_tokens": len(canonical_json(body)) // 4, "completion_tokens": len(canonical_json(message)) // 4}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if message.get("tool_calls") else "stop"}
    text = canonical_json(
        {
            "id": "chatcmpl-offline",
            "object": "chat.completion",
            "created": 0,
            "model": body.get("model", ""),
            "choices": [] if fault is Fault.EMPTY_CHOICE else [choice],
            "usage": usage,
        }
    )
    return 200, [], text[: len(text) // 2] if fault is Fault.TRUNCATED else text


def speak_as(script: Script, task: int, role: str, attempt: int, body: JsonObject) -> JsonObject:
    """Write the message of a role; ``role`` is an ``AgentRole``."""
    plan = script.plan
    messages = body["messages"]
    rng = Random(f"{plan.random_seed}:{task}:{role}:{attempt}")
    match AgentRole(role):
        case AgentRole.USER:
            brief = json.loads(messages[-1]["content"])
            text = reply(script, task, rng) if "question" in brief else opener(script, task, brief, attempt, rng)
            return {"role": "assistant", "content": text}
        case AgentRole.ASSISTANT:
            step = sum(m["role"] != "system" for m in messages)
            again = Random(f"{plan.random_seed}:{task}:{step}:{attempt}")
            return assistant_message(script, task, messages, attempt, again)
        case AgentRole.ENVIRONMENT:
            return {
                "role": "assistant",
                "content": canonical_json({"result": _look_up(plan, json.loads(messages[-1]["content"]))}),
            }
        case AgentRole.CHECKER:
            asked = json.loads(messages[-1]["content"])
            verdict = {"ok": True, "confidence": 0.9, "reasons": [], "edges": asked.get("edges", [])}
            return {"role": "assistant", "content": canonical_json(verdict)}
        case unknown:
            assert_never(unknown)


def _look_up(plan: SessionPlan, asked: JsonObject) -> Any:
    name, arguments = asked["tool"]["name"], asked["arguments"]
    for lookup in asked["observed"]:
        if lookup["tool"] == name and canonical_json(lookup["arguments"]) == canonical_json(arguments):
            return lookup["result"]
    rng = Random(f"{plan.random_seed}:{name}:{canonical_json(arguments)}")
    if asked["fault"] == "error":
        return failure(plan.language)
    world = World(
        tools=plan.tool_list,
        tool=name,
        arguments=arguments,
        now=plan.now,
        least=asked["least"],
        rng=rng,
        observed=asked["observed"],
        taken={str(each).casefold() for each in asked["avoid"]},
    )
    return world.empty(asked["returns"]) if asked["fault"] == "empty" else world.result(asked["returns"])


def _error(message: str) -> str:
    return canonical_json({"error": {"message": message, "type": "simulated"}})
