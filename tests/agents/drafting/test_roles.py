"""Refusals, cut-off answers and full contexts: an answer of a candidate, a fault that a role repairs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.agents.drafting.test_drafts import plans, result
from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.agents.candidates.policies import EndpointPolicy, Turn
from wildtool.agents.drafting.drafts import DraftResult, draft_sessions
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings
from wildtool.evaluation import Referee
from wildtool.flows.rules import draft_rules
from wildtool.schemas.base import JsonObject
from wildtool.schemas.trajectory import CandidateStep
from wildtool.schemas.vocabulary import ErrorKind

REFUSAL: JsonObject = {"role": "assistant", "content": None, "refusal": "I can't help with that."}


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


class Stubborn(MockEndpoint):
    """Turns down requests that ``refuses`` picks, in a given way."""

    refuses: Callable[[JsonObject], bool] = staticmethod(lambda _: True)
    way: str = "refusal"

    def complete(self, body: JsonObject) -> tuple[int, dict[str, str], str | None]:
        status, headers, text = super().complete(body)
        if not self.refuses(body) or text is None:
            return status, headers, text
        whole = json.loads(text)
        match self.way:
            case "refusal":
                whole["choices"][0]["message"] = REFUSAL
            case "length":
                whole["choices"][0]["finish_reason"] = "length"
            case "context":
                error = {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}
                return 400, {}, json.dumps({"error": error})
        return 200, {}, json.dumps(whole)


def _step(endpoint: MockEndpoint) -> CandidateStep:
    session = result().drafts[0].session

    async def ask(base_url: str) -> CandidateStep:
        settings = GatewaySettings(endpoint=Endpoint(model="m", base_url=base_url))
        async with Gateway(settings) as gateway:
            turn = Turn(({"role": "user", "content": session.tasks[0].user},), session.tools, session, 0, 0, 0)
            return await EndpointPolicy(gateway)(turn)

    with endpoint.serve() as base_url:
        return asyncio.run(ask(base_url))


@pytest.mark.parametrize(("way", "said"), [("refusal", "I can't help"), ("context", "8192")])
def test_a_candidate_that_refuses_has_answered(way: str, said: str) -> None:
    endpoint = Stubborn()
    endpoint.way = way
    step = _step(endpoint)
    assert said in step.refusal and not step.text and not step.calls
    session = result().drafts[0].session
    for number in range(len(session.tasks)):
        outcome = Referee(session.tasks[number], session.tools, now=session.now, language=session.language).step(step)
        assert outcome.over and outcome.error is ErrorKind.REFUSAL
        assert "refused" in outcome.reason and said in outcome.reason


def _drafted(endpoint: MockEndpoint, **how: Any) -> DraftResult:
    async def run(base_url: str) -> DraftResult:
        settings = GatewaySettings(endpoint=Endpoint(model="m", base_url=base_url), backoff_seconds=0.001)
        async with Gateway(settings) as gateway:
            return await draft_sessions(plans()[:3], gateway, checks=draft_rules(), **how)

    with endpoint.serve() as base_url:
        return asyncio.run(run(base_url))


@pytest.mark.parametrize("way", ["refusal", "length"])
def test_a_role_hears_that_it_refused_and_tries_again(way: str) -> None:
    """Whoever is asked for the first time will not; told why it is asked again, it answers."""

    def first_time(body: JsonObject) -> bool:
        return "refused" not in json.dumps(body["messages"]) and "cut off" not in json.dumps(body["messages"])

    endpoint = Stubborn(Actor(plans()))
    endpoint.way, endpoint.refuses = way, first_time
    found = _drafted(endpoint)
    assert len(found.drafts) == 3 and all(draft.repairs for draft in found.drafts)
    assert found.ledger and sum(entry["failures"] + entry["retries"] for entry in found.ledger) == 0
    if way == "refusal":
        assert sum(entry["refusals"] for entry in found.ledger) > 0


@pytest.mark.parametrize(
    ("way", "reason"), [("refusal", "refused"), ("length", "cut_off"), ("context", "context_length")]
)
def test_a_role_that_never_answers_ends_in_quarantine(way: str, reason: str) -> None:
    endpoint = Stubborn(Actor(plans()))
    endpoint.way = way
    found = _drafted(endpoint)
    assert not found.drafts and {row.reason for row in found.quarantined} == {reason}
    for row in found.quarantined:
        trace = json.loads(row.raw)["trace"]
        assert len(trace) == (0 if way == "context" else 4)
        # Each try had a prompt of its own.
        assert len({json.dumps(call["request"]) for call in trace}) == len(trace)


def test_an_endpoint_that_dies_leaves_sessions_for_the_next_run() -> None:
    class Dying(MockEndpoint):
        def complete(self, body: JsonObject) -> tuple[int, dict[str, str], str | None]:
            return super().complete(body) if len(self.served) < 40 else (500, {}, "{}")

    endpoint = Dying(Actor(plans()))

    async def run(base_url: str) -> DraftResult:
        settings = GatewaySettings(
            endpoint=Endpoint(model="m", base_url=base_url),
            backoff_seconds=0.001,
            attempts=1000,
            breaker_failures=3,
            breaker_pause_seconds=0.01,
        )
        async with Gateway(settings) as gateway:
            return await draft_sessions(plans(), gateway, checks=draft_rules(), sessions_at_once=2)

    with endpoint.serve() as base_url:
        found = asyncio.run(run(base_url))
    assert found.stopped is not None and "in a row" in found.stopped[0]
    assert not found.quarantined and found.left
    assert len(found.drafts) + len(found.left) == len(plans())
