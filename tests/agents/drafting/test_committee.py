"""A committee of model checkers over real HTTP: the majority decides, and whoever disagrees is heard by a person."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.agents.drafting.test_drafts import plans
from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.agents.drafting.drafts import DraftResult, draft_sessions
from wildtool.agents.drafting.render import render_draft
from wildtool.agents.gateway.endpoints import Endpoint, GatewaySettings
from wildtool.agents.gateway.gateway import Gateway
from wildtool.agents.prompts import prompt
from wildtool.annotation.form.encode import encode_draft
from wildtool.annotation.form.interface import fitting_spec
from wildtool.annotation.form.render import dialogue_html, open_doubts
from wildtool.flows.rules import draft_rules
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.vocabulary import Language


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


CHECKERS = tuple(prompt(language, "checker") for language in Language)


class Divided(MockEndpoint):
    """Of the checkers that read a task, the first ``against`` find fault and believe in no dependency."""

    against = 1

    def __init__(self, actor: Actor) -> None:
        self.votes: Counter[str] = Counter()
        self.actor = actor
        super().__init__(self.vote)

    def vote(self, body: JsonObject) -> JsonObject:
        """The actor's message, but for checkers that find fault."""
        messages = body["messages"]
        if not messages[0]["content"].startswith(CHECKERS):
            return self.actor(body)
        asked = json.loads(messages[-1]["content"])
        with self.lock:
            self.votes[canonical_json(asked)] += 1
            number = self.votes[canonical_json(asked)]
        if number > self.against:
            return self.actor(body)
        vote = {"ok": False, "confidence": 0.8, "reasons": ["the tone is off"], "edges": []}
        return {"role": "assistant", "content": json.dumps(vote)}


def _drafted(against: int, committee: int) -> tuple[DraftResult, Divided]:
    endpoint = Divided(Actor(plans()))
    endpoint.against = against

    async def run(base_url: str) -> DraftResult:
        settings = GatewaySettings(endpoint=Endpoint(model="m", base_url=base_url), backoff_seconds=0.001)
        async with Gateway(settings) as gateway:
            return await draft_sessions(plans()[:2], gateway, checks=draft_rules(), committee=committee)

    with endpoint.serve() as base_url:
        return asyncio.run(run(base_url)), endpoint


def _reviews(draft: Draft, check: str = "review") -> list[Verdict]:
    return [v for v in draft.verdicts if v.check == check and v.by == "model"]


@pytest.mark.parametrize(("against", "ok", "confidence"), [(0, True, 1.0), (1, True, 0.67), (2, False, 0.67)])
def test_the_majority_decides_and_the_others_are_heard(against: int, ok: bool, confidence: float) -> None:
    found, endpoint = _drafted(against, committee=3)
    assert len(found.drafts) == 2 and set(endpoint.votes.values()) == {3}
    for draft in found.drafts:
        reviews = _reviews(draft)
        assert len(reviews) == len(draft.session.tasks)
        assert {(v.ok, v.confidence) for v in reviews} == {(ok, confidence)}
        assert all(f"{3 - against} of 3 checkers agree" in v.evidence for v in reviews)
        assert all(("the tone is off" in v.reason) == v.doubtful == bool(against) for v in reviews)
        edges = sum(len(a.depends_on) for t in draft.session.tasks for a in t.actions[:-1])
        split = _reviews(draft, "dependencies")
        assert len(split) == (edges if against else 0) and all(
            f"{against} of 3 checkers" in v.reason and v.ok == ok for v in split
        )
    assert {tally.committee for tally in found.tallies} == {3}


def test_annotators_see_a_disagreement_as_a_doubt() -> None:
    found, _ = _drafted(1, committee=3)
    draft = found.drafts[0]
    assert len([v for v in open_doubts(draft) if v.check == "review"]) == len(draft.session.tasks)
    shown = dialogue_html(draft)
    assert shown.count("1 of 3 checkers disagree: the tone is off") == len(draft.session.tasks)
    doubts = encode_draft(draft, fitting_spec([draft])).doubts
    assert sum("1 of 3 checkers disagree" in text for text in doubts.values()) == len(draft.session.tasks)
    assert "? review (model, 0.67)" in render_draft(draft)


def test_none_and_one_checker_are_asked_as_often() -> None:
    none, endpoint = _drafted(0, committee=0)
    assert not endpoint.votes and len(none.drafts) == 2
    one, endpoint = _drafted(1, committee=1)
    assert set(endpoint.votes.values()) == {1}
    assert all(not v.ok and v.confidence == 1.0 for draft in one.drafts for v in _reviews(draft))
