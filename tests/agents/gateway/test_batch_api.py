"""Requests through the batch endpoint, against a real HTTP server that speaks OpenAI's files and batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.agents.drafting.test_drafts import plans, result
from tests.agents.mock_endpoint import Actor, MockEndpoint
from wildtool.agents.drafting.drafts import DraftResult, draft_sessions
from wildtool.agents.gateway.endpoints import BatchSettings
from wildtool.agents.gateway.faults import Fault, Faults
from wildtool.agents.gateway.gateway import Endpoint, Gateway, GatewaySettings, ModelRequest, Reply
from wildtool.agents.gateway.usage import Price
from wildtool.flows.rules import draft_rules
from wildtool.schemas.errors import BudgetError, ModelError, SettingsError, StoppedError
from wildtool.schemas.vocabulary import AgentRole

BATCH = BatchSettings(poll_seconds=0.01, linger_seconds=0.05)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "test")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    yield


def _settings(base_url: str, batch: BatchSettings = BATCH, **changes: Any) -> GatewaySettings:
    endpoint = Endpoint(model="mock", base_url=base_url)
    return GatewaySettings(endpoint=endpoint, batch=batch, **{"backoff_seconds": 0.001, **changes})


def _request(number: int, role: str = "user") -> ModelRequest:
    return ModelRequest(role=role, messages=({"role": "user", "content": f"request {number} \u2028 of many"},))


async def _until(happened: Callable[[], object]) -> None:
    """Return when the endpoint, in its own thread, has come so far."""
    while not happened():  # noqa: ASYNC110  # another thread sets no event of this loop
        await asyncio.sleep(0.01)


async def _ask(settings: GatewaySettings, requests: list[ModelRequest], cache: Path | None = None) -> list[Any]:
    async with Gateway(settings, cache=cache) as gateway:
        return await asyncio.gather(*(gateway.complete(request) for request in requests), return_exceptions=True)


def test_one_wave_holds_what_all_wait_for(tmp_path: Path) -> None:
    endpoint = MockEndpoint()
    requests = [_request(number) for number in range(20)]
    with endpoint.serve() as base_url:
        settings = _settings(base_url, prices={"mock": Price(prompt=1000.0, completion=1000.0)})
        gateway = Gateway(settings, cache=tmp_path / "cache.sqlite")

        async def run() -> list[Reply]:
            async with gateway:
                return list(await asyncio.gather(*(gateway.complete(request) for request in requests)))

        replies = asyncio.run(run())
        again = asyncio.run(_ask(settings, requests, tmp_path / "cache.sqlite"))
    assert [reply.message["content"] for reply in replies] == ["hello"] * 20
    assert all(reply.cached for reply in again)
    assert len(endpoint.batches) == 1 and len(endpoint.served) == 20
    assert endpoint.requests["POST /v1/chat/completions"] == 0
    # Half the price of 20 times 120 tokens at a thousand dollars a million.
    assert gateway.ledger.spent() == pytest.approx(20 * 0.12 / 2)


def test_models_and_limits_make_batches_of_their_own() -> None:
    endpoint = MockEndpoint()
    with endpoint.serve() as base_url:
        settings = _settings(
            base_url,
            BATCH.model_copy(update={"most_requests": 4}),
            roles={"checker": Endpoint(model="other", base_url=base_url)},
        )
        requests = [_request(n) for n in range(10)] + [_request(n, "checker") for n in range(3)]
        replies = asyncio.run(_ask(settings, requests))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert sorted(batch["size"] for batch in endpoint.batches.values()) == [2, 3, 4, 4]


def test_lines_that_failed_go_with_the_next_wave() -> None:
    kinds = tuple(kind for kind in Fault if kind is not Fault.INVALID_TOOL)
    endpoint = MockEndpoint(faults=Faults(share=0.5, kinds=kinds, seed=1, times=3, retry_after=0.0))
    with endpoint.serve() as base_url:
        replies = asyncio.run(_ask(_settings(base_url), [_request(n) for n in range(60)]))
    assert endpoint.faults is not None and set(endpoint.faults.counts) == set(kinds)
    assert all(isinstance(reply, Reply) for reply in replies)
    assert any(reply.refusal for reply in replies)
    assert 2 <= len(endpoint.batches) <= 4
    assert not endpoint.paid_twice()


def test_what_a_batch_did_not_reach_before_it_expired_is_asked_again() -> None:
    endpoint = MockEndpoint(expire_after=[3, 0])
    with endpoint.serve() as base_url:
        replies = asyncio.run(_ask(_settings(base_url), [_request(n) for n in range(8)]))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert [batch["size"] for batch in endpoint.batches.values()] == [8, 5, 5]
    assert len(endpoint.served) == 8 and not endpoint.paid_twice()


def test_a_batch_that_never_ends_well_is_given_up() -> None:
    endpoint = MockEndpoint(expire_after=[0] * 9)
    with endpoint.serve() as base_url:
        found = asyncio.run(_ask(_settings(base_url, attempts=3), [_request(0)]))
    assert isinstance(found[0], ModelError) and "expired" in str(found[0])
    assert len(endpoint.batches) == 3


def test_a_batch_that_was_made_unheard_is_found_again() -> None:
    endpoint = MockEndpoint(create_drops=1)
    with endpoint.serve() as base_url:
        replies = asyncio.run(_ask(_settings(base_url), [_request(n) for n in range(5)]))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(endpoint.batches) == 1 and not endpoint.paid_twice()


def test_a_full_queue_is_filled_in_halves() -> None:
    endpoint = MockEndpoint(queue=4)
    with endpoint.serve() as base_url:
        replies = asyncio.run(_ask(_settings(base_url), [_request(n) for n in range(13)]))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert len(endpoint.served) == 13 and not endpoint.paid_twice()


def test_a_refused_batch_and_a_missing_one_are_named() -> None:
    endpoint = MockEndpoint(refuse="line 1 is wrong")
    with endpoint.serve() as base_url:
        found = asyncio.run(_ask(_settings(base_url), [_request(0)]))
        assert isinstance(found[0], ModelError) and "line 1 is wrong" in str(found[0])
        nowhere = base_url.replace("/v1", "/v2")
        found = asyncio.run(_ask(_settings(nowhere), [_request(0), _request(1)]))
    assert all(isinstance(each, SettingsError) and "serves no batches" in str(each) for each in found)


def test_a_cancelled_batch_ends_the_run_and_the_next_asks_for_the_rest(tmp_path: Path) -> None:
    endpoint = MockEndpoint(expire_after=[2], polls=10_000)
    requests = [_request(n) for n in range(5)]
    with endpoint.serve() as base_url:
        settings = _settings(base_url)

        async def cancelled() -> list[Any]:
            asked = asyncio.create_task(_ask(settings, requests, tmp_path / "cache.sqlite"))
            await _until(lambda: endpoint.requests["GET /v1/batches/*"])
            endpoint.batches["batch_0"]["end"] = "cancelled"
            # As OpenAI does, lines that were not run say so.
            endpoint.files["file_batch_0_err"] = endpoint.files["file_batch_0_err"].replace("expired", "cancelled")
            endpoint.polls = 0
            return await asked

        found = asyncio.run(cancelled())
        assert sum(isinstance(each, StoppedError) for each in found) == 3
        again = asyncio.run(_ask(settings, requests, tmp_path / "cache.sqlite"))
    assert all(isinstance(each, Reply) for each in again)
    assert len(endpoint.served) == 5 and not endpoint.paid_twice()


@pytest.mark.parametrize("moment", ["before the batch is known", "while it runs"])
def test_a_killed_run_finds_its_batch_again(tmp_path: Path, moment: str) -> None:
    """What a kill leaves behind is made by hand here; ``test_kill`` kills real processes."""
    endpoint = MockEndpoint(polls=10_000)
    requests = [_request(n) for n in range(6)]
    cache = tmp_path / "cache.sqlite"
    with endpoint.serve() as base_url:

        async def killed() -> None:
            gateway = Gateway(_settings(base_url), cache=cache)
            await gateway.__aenter__()
            asked = [asyncio.create_task(gateway.complete(request)) for request in requests]
            await _until(lambda: endpoint.requests["GET /v1/batches/*"])
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            if moment == "before the batch is known":
                gateway._cache._db.execute("update batches set batch = null")
                gateway._cache._db.commit()
            await gateway.__aexit__()

        asyncio.run(killed())
        endpoint.polls = 0
        more = [*requests, _request(99)]
        replies = asyncio.run(_ask(_settings(base_url), more, cache))
    assert all(isinstance(reply, Reply) for reply in replies)
    assert [batch["size"] for batch in endpoint.batches.values()] == [6, 1]
    assert not endpoint.paid_twice()


def test_a_batch_that_the_endpoint_forgot_is_asked_for_again(tmp_path: Path) -> None:
    endpoint = MockEndpoint(polls=10_000)
    cache = tmp_path / "cache.sqlite"
    with endpoint.serve() as base_url:

        async def left() -> None:
            async with Gateway(_settings(base_url), cache=cache) as gateway:
                asked = asyncio.create_task(gateway.complete(_request(0)))
                await _until(lambda: endpoint.requests["GET /v1/batches/*"])
                asked.cancel()

        asyncio.run(left())
        endpoint.batches.clear()
        endpoint.polls = 0
        replies = asyncio.run(_ask(_settings(base_url), [_request(0)], cache))
    assert isinstance(replies[0], Reply)


def test_a_wave_stays_within_the_budget() -> None:
    endpoint = MockEndpoint()
    with endpoint.serve() as base_url:
        settings = _settings(base_url, budget_tokens=2000)
        found = asyncio.run(_ask(settings, [_request(n) for n in range(20)]))
    answered = sum(isinstance(each, Reply) for each in found)
    assert answered == len(endpoint.served) and 0 < answered * 420 <= 2000
    assert sum(isinstance(each, BudgetError) for each in found) == 20 - answered


def test_the_key_is_not_kept_with_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-planted-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    endpoint = MockEndpoint(lambda _: {"role": "assistant", "content": f"your key is {key}"})
    with endpoint.serve() as base_url:
        replies = asyncio.run(_ask(_settings(base_url), [_request(0)], tmp_path / "cache.sqlite"))
    assert endpoint.keys == {key}
    assert replies[0].message["content"] == "your key is [key]"
    assert key.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_sessions_advance_in_waves() -> None:
    endpoint = MockEndpoint(Actor(plans()))
    notes: list[str] = []
    with endpoint.serve() as base_url:
        gateway = Gateway(_settings(base_url), note=notes.append)

        async def run() -> DraftResult:
            async with gateway:
                return await draft_sessions(plans(), gateway, checks=draft_rules(), sessions_at_once=len(plans()))

        found = asyncio.run(run())
    assert [draft.session.tasks for draft in found.drafts] == [draft.session.tasks for draft in result().drafts]
    calls = len(endpoint.served)
    longest = max(len(draft.trace) for draft in found.drafts)
    assert calls == gateway.ledger.to_json()[0]["calls"] + sum(e["calls"] for e in gateway.ledger.to_json()[1:])
    # A wave takes the next request of every session: no more waves than the longest session has requests.
    assert len(endpoint.batches) <= longest < calls / 4
    assert any("requests to mock sent" in note for note in notes)
    asked = {role.value for role in AgentRole} - {AgentRole.ENVIRONMENT.value}  # worlds answer the calls
    assert {entry["role"] for entry in gateway.ledger.to_json()} == asked
