"""Call the four roles that draft a session: for each a prompt file, a request and a reader of the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from wildtool.agents.drafting.pass_counts import Tally
from wildtool.agents.gateway.gateway import Gateway, ModelRequest, Reply
from wildtool.agents.prompts import prompt
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import ModelCall
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.vocabulary import AgentRole

JSON_TRIES = 3
"""Tries for an answer that is the JSON object wanted; each names what was wrong with the one before."""


class Unusable(Exception):
    """Raised for an answer that no task can be made of. ``reason`` is a countable code, ``detail`` one line."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


@dataclass
class RoleCaller:
    """Calls the roles of one session, and keeps the trace of all requests."""

    plan: SessionPlan
    gateway: Gateway
    trace: list[ModelCall] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    async def say(self, number: int, brief: JsonObject, *, prompt_name: str, attempt: int) -> str:
        """Ask the user for a message."""
        text = json.dumps(brief, ensure_ascii=False)
        reply = await self._ask(AgentRole.USER, number, text, prompt_name=prompt_name, attempt=attempt)
        content = reply.message.get("content")
        if not isinstance(content, str) or not content.strip():
            raise Unusable("no_message", "the user said nothing")
        return content.strip().strip('"').strip()

    async def act(self, number: int, messages: list[JsonObject], *, attempt: int) -> JsonObject:
        """Ask the assistant for its next message: text, or calls of the session's tools."""
        request = ModelRequest(
            role=AgentRole.ASSISTANT,
            messages=tuple(messages),
            tools=tuple(tool.openai() for tool in self.plan.tool_list.tools),
            prompt="assistant",
            plan=self.plan.id,
            task=number,
            attempt=attempt,
        )
        return (await self._heard(request)).message

    async def look_up(self, number: int, asked: JsonObject, check: Callable[[Any], str | None]) -> Any:
        """Ask the environment for a result; ``check`` returns why a result is unusable."""
        found = await self.ask_json(
            AgentRole.ENVIRONMENT,
            number,
            asked,
            lambda each: "no result" if "result" not in each else check(each["result"]),
        )
        return found["result"]

    async def review(self, number: int, asked: JsonObject, *, sample: int) -> JsonObject:
        """Ask one checker for its review of a task."""
        return await self.ask_json(AgentRole.CHECKER, number, asked, _verdict_fault, sample=sample)

    async def ask_json(
        self,
        role: AgentRole,
        number: int,
        asked: JsonObject,
        check: Callable[[Mapping[str, Any]], str | None],
        *,
        sample: int = 0,
    ) -> JsonObject:
        """Ask a role for a JSON object, again with the reasons while its answer is unusable."""
        wrong: list[str] = []
        for attempt in range(JSON_TRIES):
            body = json.dumps({**asked, "again": wrong} if wrong else asked, ensure_ascii=False)
            found: JsonObject | None = None
            try:
                reply = await self._ask(
                    role, number, body, prompt_name=str(role), attempt=attempt, json_object=True, sample=sample
                )
            except Unusable as unusable:
                fault: str | None = unusable.detail
            else:
                found = read_object(reply.message.get("content"))
                fault = "the answer is not a JSON object" if found is None else check(found)
            self.tally.note(f"{role}.json", fault is None, first=attempt == 0)
            if found is not None and fault is None:
                return found
            # Reasons add up, also equal ones: a prompt that did not change would get the same answer.
            wrong.append(str(fault))
        raise Unusable(f"bad_{role}", f"{role}: {wrong[-1]}")

    async def _ask(
        self,
        role: AgentRole,
        number: int,
        text: str,
        *,
        prompt_name: str,
        attempt: int,
        json_object: bool = False,
        sample: int = 0,
    ) -> Reply:
        system = prompt(self.plan.language, prompt_name)
        request = ModelRequest(
            role=role,
            messages=({"role": "system", "content": system}, {"role": "user", "content": text}),
            json_object=json_object,
            prompt=prompt_name,
            plan=self.plan.id,
            task=number,
            attempt=attempt,
            sample=sample,
        )
        return await self._heard(request)

    async def _heard(self, request: ModelRequest) -> Reply:
        """Send a request and keep the answer in the trace. Raises ``Unusable`` for a refusal and for a cut-off answer."""
        reply = await self.gateway.complete(request)
        self._keep(request, reply)
        # The simulator's wall time tells nothing, and would make equal runs differ.
        seconds = 0.0 if self.gateway.offline_mode else reply.seconds
        self.tally.took(str(request.role), reply.prompt_tokens, reply.completion_tokens, seconds)
        if reply.refusal:
            raise Unusable("refused", f"the {request.role} refused: {reply.refusal[:200]}")
        if reply.finish_reason == "length":
            raise Unusable("cut_off", f"the answer of the {request.role} was cut off: say it in fewer words")
        return reply

    def _keep(self, request: ModelRequest, reply: Reply) -> None:
        # The system prompt is kept by its hash and the tools with the session: only what is new is kept here.
        messages = [message for message in request.messages if message["role"] != "system"]
        self.trace.append(
            ModelCall(
                role=str(request.role),
                model=reply.model,
                prompt=f"{self.plan.language}/{request.prompt}",
                task=request.task,
                attempt=request.attempt,
                request={
                    "messages": messages[-1:] if request.tools else messages,
                    "earlier_messages": len(messages) - 1,
                },
                response=reply.message,
                prompt_tokens=reply.prompt_tokens,
                completion_tokens=reply.completion_tokens,
                cached=reply.cached,
            )
        )


def read_object(content: Any) -> JsonObject | None:
    """Read the JSON object of an answer, also where a model fenced it; None where there is none."""
    if not isinstance(content, str):
        return None
    text = content.strip()
    if text.startswith("```"):
        text = text.strip("`").removeprefix("json").strip()
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _verdict_fault(found: Mapping[str, Any]) -> str | None:
    if not isinstance(found.get("ok"), bool):
        return "ok must be true or false"
    if not isinstance(found.get("reasons", []), list) or not isinstance(found.get("edges", []), list):
        return "reasons and edges must be lists"
    return None
