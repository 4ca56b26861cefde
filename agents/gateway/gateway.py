"""Model gateway: the only place that calls a model.

It speaks chat completions through the ``openai`` SDK, so any compatible endpoint serves. It owns the response cache,
concurrency and rate limits, retries that honour ``Retry-After``, the circuit breaker, the ledger and the budget.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Self

from wildtool.agents.gateway.batch_api import BatchQueue
from wildtool.agents.gateway.cache import ResponseCache
from wildtool.agents.gateway.endpoint_client import EndpointClient
from wildtool.agents.gateway.endpoints import BatchSettings, Endpoint, GatewaySettings
from wildtool.agents.gateway.heartbeat import Heartbeat
from wildtool.agents.gateway.responses import PASSING, Answer, Failure, FailureKind
from wildtool.agents.gateway.usage import Ledger
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.errors import ContextError, ModelError, SettingsError, StoppedError
from wildtool.schemas.plan import SessionPlan

if TYPE_CHECKING:
    from wildtool.agents.gateway.faults import Faults

OFFLINE_MODEL = "offline-simulator"
"""Name of the simulator wherever a model's name is kept."""

CANDIDATE = "candidate"
"""Role of a model under test; drafting roles are ``schemas.AgentRole``."""

LONGEST_PAUSE = 30.0
"""Seconds between two tries, at most, where the endpoint does not ask for more."""

KEPT = "check the endpoint and run the same command again: what was paid for is kept"
"""Remedy of most failures."""


@dataclass(frozen=True)
class ModelRequest:
    """One request. ``plan``, ``task`` and ``role`` go into headers of the simulator; a real endpoint never sees them."""

    role: str
    messages: tuple[JsonObject, ...]
    tools: tuple[JsonObject, ...] = ()
    json_object: bool = False
    """Ask for a JSON object."""
    prompt: str = ""
    """Name of the prompt file."""
    plan: str = ""
    task: int = 0
    attempt: int = 0
    """Number of the repair: a repeated question is asked anew."""
    sample: int = 0
    """Number of the sample, where the same request is asked more than once."""


@dataclass(frozen=True)
class Reply:
    """One answer. ``message`` is OpenAI's assistant message."""

    message: JsonObject
    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False
    seconds: float = 0.0
    finish_reason: str = ""
    """``stop``, ``tool_calls``, ``length`` (cut off), ``content_filter``; empty where the endpoint says nothing."""

    @property
    def refusal(self) -> str:
        """Reason for which the model refuses; empty where it answers."""
        if self.message.get("content") or self.message.get("tool_calls"):
            return ""
        return str(self.message.get("refusal") or "")


class Gateway:
    """An async context manager; one per run, since each SDK client costs 53 ms to make.

    ``cache`` is the file of the response cache, None keeps it in memory. ``clock`` (seconds) and ``sleep`` are passed
    in by tests. ``note`` hears a line about each batch, and where an endpoint keeps requests waiting.
    """

    def __init__(
        self,
        settings: GatewaySettings | None = None,
        *,
        cache: Path | None = None,
        http_client: Any = None,
        offline: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Any = asyncio.sleep,
        note: Callable[[str], None] | None = None,
    ) -> None:
        self.settings = settings or GatewaySettings()
        self.offline_mode = offline
        self._cache = ResponseCache(cache)
        self.ledger = Ledger(
            self.settings.prices,
            self.settings.budget_usd,
            self.settings.budget_tokens,
            discount=self.settings.batch.discount if self.settings.batch else 1.0,
        )
        self._http_client = http_client
        self._connections: list[EndpointClient] = []
        self._connection_of: dict[str, EndpointClient] = {}
        self._clock = clock
        self._sleep = sleep
        # Jitter only spreads retries; nothing that is kept depends on it.
        self._jitter = Random(0)
        self._waiting: dict[str, asyncio.Future[Reply]] = {}
        # A batch may take a day, and says so itself.
        self._heartbeat = Heartbeat(
            note if self.settings.batch is None else None,
            f"a try is given up after {self.settings.timeout_seconds:g} s, a request after {self.settings.attempts} tries",
            clock=clock,
        )
        self._waves = (
            None
            if self.settings.batch is None
            else BatchQueue(self.settings.batch, self._cache, clock=clock, sleep=sleep, note=note)
        )

    @classmethod
    def offline(
        cls,
        plans: Iterable[SessionPlan],
        *,
        cache: Path | None = None,
        settings: GatewaySettings | None = None,
        faults: Faults | None = None,
        sleep: Any = asyncio.sleep,
    ) -> Gateway:
        """Open a gateway to the offline simulator: no key, no network, the same code path."""
        import httpx2

        from wildtool.agents.simulator.app import simulator

        base = settings or GatewaySettings()
        settings = base.model_copy(
            update={
                "endpoint": Endpoint(model=OFFLINE_MODEL, base_url="http://offline.invalid/v1"),
                "roles": {},
                "batch": None,
            }
        )
        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(simulator(plans, faults=faults)))
        return cls(settings, cache=cache, http_client=client, offline=True, sleep=sleep)

    async def __aenter__(self) -> Self:
        for role in ("", *self.settings.roles):
            self._connection(role)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._waves is not None:
            await self._waves.close()
        for connection in self._connections:
            await connection.close()
        if self._http_client is not None:
            await self._http_client.aclose()
        self._cache.close()

    def endpoint(self, role: str) -> Endpoint:
        """Return the endpoint that serves a role."""
        return self.settings.roles.get(role, self.settings.endpoint)

    def _connection(self, role: str) -> EndpointClient:
        if role not in self._connection_of:
            endpoint = self.endpoint(role)
            # Roles on one server share its limits and its breaker.
            found = next((connection for connection in self._connections if connection.serves(endpoint)), None)
            if found is None:
                found = EndpointClient(
                    endpoint,
                    self.settings,
                    http_client=self._http_client,
                    offline=self.offline_mode,
                    clock=self._clock,
                    sleep=self._sleep,
                )
                self._connections.append(found)
            self._connection_of[role] = found
        return self._connection_of[role]

    async def complete(self, request: ModelRequest) -> Reply:
        """Answer a request from the cache or the endpoint; a refusal is an answer, see ``Reply.refusal``.

        Raises ``ModelError`` where the endpoint fails for good, ``ContextError`` where the request is too long for the
        model, ``StoppedError`` where nothing more will be answered (``BudgetError`` before a call that could pass the
        budget), ``SettingsError`` where the endpoint refuses the key or the model. Equal requests in flight are asked
        once.
        """
        endpoint = self.endpoint(request.role)
        connection = self._connection(request.role)
        content = _content(endpoint, request)
        key = self._key(connection, request, content)
        entry = self.ledger.entry(request.role, endpoint.model)
        entry.calls += 1
        if (found := self._cache.get(key)) is not None:
            entry.cached += 1
            return _reply(found, endpoint.model, cached=True)
        if key in self._waiting:
            try:
                reply = await asyncio.shield(self._waiting[key])
            except ModelError:
                entry.failures += 1
                raise
            entry.cached += 1
            return replace(reply, cached=True)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        try:
            with self._heartbeat.waiting():
                reply = await self._ask(connection, endpoint, request, content, key)
            future.set_result(reply)
            return reply
        except BaseException as error:
            # Equal requests that wait share its fate; a cancelled one gives no answer either.
            kept = isinstance(error, (ModelError, SettingsError))
            future.set_exception(error if kept else ModelError("an equal request failed", "see its error"))
            future.exception()  # read, so that asyncio does not warn of a failure that nobody waits for
            entry.failures += 1
            raise
        finally:
            del self._waiting[key]

    async def _ask(
        self, connection: EndpointClient, endpoint: Endpoint, request: ModelRequest, content: bytes, key: str
    ) -> Reply:
        entry = self.ledger.entry(request.role, endpoint.model)
        failure: Failure | None = None
        for attempt in range(self.settings.attempts):
            if attempt:
                entry.retries += 1
            found = await self._try(connection, endpoint, request, content, key)
            if isinstance(found, Answer):
                self._heartbeat.answered()
                return self._keep(found, entry, endpoint.model)
            failure = found
            entry.faults[found.kind] += 1
            if found.kind not in PASSING:
                break
            if attempt + 1 < self.settings.attempts:
                self._heartbeat.retried(found.detail, attempt + 1)
                pause = min(self.settings.backoff_seconds * 2**attempt, LONGEST_PAUSE) * (0.5 + self._jitter.random())
                # Without waves the connection keeps everybody waiting, whoever was told to.
                await self._sleep(pause if self._waves is None else max(pause, found.wait))
        assert failure is not None
        raise _error(failure, endpoint, request.role)

    async def _try(
        self, connection: EndpointClient, endpoint: Endpoint, request: ModelRequest, content: bytes, key: str
    ) -> Answer | Failure:
        """One try, paid for from the budget; an answer is in the cache before this returns."""
        most = endpoint.parameters.get("max_completion_tokens") or endpoint.parameters.get("max_tokens")
        reserved = self.ledger.reserve(request.role, endpoint.model, len(content), most)
        try:
            if self._waves is not None:
                found = await self._waves.ask(connection, endpoint.model, content, key)
            else:
                found = await connection.attempt(content, self._headers(request))
                if isinstance(found, Answer):
                    self._cache.put(key, found.to_json())
            if isinstance(found, Answer) or found.prompt_tokens or found.completion_tokens:
                seconds = found.seconds if isinstance(found, Answer) else 0.0
                self.ledger.charge(request.role, endpoint.model, found.prompt_tokens, found.completion_tokens, seconds)
            return found
        finally:
            self.ledger.release(reserved)

    def _keep(self, found: Answer, entry: Any, model: str) -> Reply:
        reply = _reply(found.to_json(), model, cached=False)
        entry.refusals += bool(reply.refusal)
        return reply

    def _key(self, connection: EndpointClient, request: ModelRequest, content: bytes) -> str:
        # The simulator finds its plan out of band, so its answers follow from more than the body.
        band = [request.plan, request.task, request.role] if self.offline_mode else []
        where = [connection.base_url or "default", request.sample, request.attempt, *band]
        return sha256_hex(canonical_json(where).encode() + b"\n" + content)

    def _headers(self, request: ModelRequest) -> dict[str, str]:
        if not self.offline_mode:
            return {}
        return {
            "x-wildtool-plan": request.plan,
            "x-wildtool-task": str(request.task),
            "x-wildtool-role": request.role,
            "x-wildtool-attempt": str(request.attempt),
        }


def _content(endpoint: Endpoint, request: ModelRequest) -> bytes:
    """Build the request's body. Names keep their order: a model reads a tool's parameters in it."""
    body: JsonObject = {"model": endpoint.model, "messages": request.messages, **endpoint.parameters}
    if request.tools:
        body["tools"] = request.tools
    if request.json_object:
        body["response_format"] = {"type": "json_object"}
    try:
        return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can say
        return json.dumps(body, separators=(",", ":")).encode()


def _reply(found: Mapping[str, Any], model: str, *, cached: bool) -> Reply:
    return Reply(
        message=dict(found["message"]),
        model=model,
        prompt_tokens=int(found.get("prompt_tokens") or 0),
        completion_tokens=int(found.get("completion_tokens") or 0),
        cached=cached,
        seconds=float(found.get("seconds") or 0.0),
        finish_reason=str(found.get("finish_reason") or ""),
    )


def _error(failure: Failure, endpoint: Endpoint, role: str) -> Exception:
    """Turn a failure that outlasted all attempts into the caller's error."""
    match failure.kind:
        case FailureKind.SETTINGS:
            return SettingsError(
                f"{endpoint.model} cannot be used: {failure.detail}",
                f"check {endpoint.key_variable}, the model's name and the endpoint's address",
            )
        case FailureKind.QUOTA:
            return StoppedError(f"{endpoint.model}: the account has no credit left: {failure.detail}", KEPT)
        case FailureKind.CANCELLED:
            return StoppedError(failure.detail, "run the same command again to ask for the rest")
        case FailureKind.CONTEXT_LENGTH:
            return ContextError(
                f"{endpoint.model} as {role}: the request is longer than its context: {failure.detail}",
                "take a model with a longer context, or shorter sessions",
            )
        case _:
            return ModelError(f"{endpoint.model} gave no answer as {role}: {failure.detail}", KEPT)


__all__ = [
    "CANDIDATE",
    "OFFLINE_MODEL",
    "BatchSettings",
    "Endpoint",
    "Gateway",
    "GatewaySettings",
    "ModelRequest",
    "Reply",
]
