"""The model gateway: the only place that calls a model.

It speaks chat completions through the ``openai`` SDK, so any compatible endpoint serves. It owns the response cache,
concurrency and rate limits, retries that honour ``Retry-After``, the circuit breaker, the ledger and the budget.
"""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Self

from agents.cache import ResponseCache
from agents.endpoints import Endpoint, GatewaySettings
from agents.ledger import Ledger
from agents.limits import Breaker, Bucket
from schemas.base import JsonObject, canonical_json, sha256_hex
from schemas.errors import ModelError, SettingsError
from schemas.plan import SessionPlan

if TYPE_CHECKING:
    from agents.offline.faults import Faults

OFFLINE_MODEL = "offline-simulator"
"""Name of the simulator wherever a model's name is kept."""

CANDIDATE = "candidate"
"""Role of a model under test; drafting roles are ``schemas.AgentRole``."""


@dataclass(frozen=True)
class ModelRequest:
    """One request. ``plan``, ``task`` and ``role`` go into headers, which a real endpoint ignores."""

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
    """Number of the repair."""
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


class Gateway:
    """An async context manager; one per run, since each SDK client costs 53 ms to make.

    ``cache`` is the file of the response cache, None keeps it in memory. ``clock`` (seconds) and ``sleep`` are passed
    in by tests.
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
    ) -> None:
        self.settings = settings or GatewaySettings()
        self.offline_mode = offline
        self.ledger = Ledger(self.settings.prices, self.settings.budget_usd, self.settings.budget_tokens)
        self._cache = ResponseCache(cache)
        self._http_client = http_client
        self._clients: dict[tuple[str | None, str], Any] = {}
        self._clock = clock
        self._sleep = sleep
        self._slots = asyncio.Semaphore(self.settings.max_in_flight)
        self._requests = Bucket(self.settings.requests_per_minute, clock, sleep)
        self._tokens = Bucket(self.settings.tokens_per_minute, clock, sleep)
        self._breaker = Breaker(
            self.settings.breaker_failures,
            self.settings.breaker_pause_seconds,
            self.settings.breaker_trips,
            clock,
            sleep,
        )
        # Jitter only spreads retries; nothing that is kept depends on it.
        self._jitter = Random(0)
        self._waiting: dict[str, asyncio.Future[Reply]] = {}

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
        """A gateway to the offline simulator: no key, no network, the same code path."""
        import httpx2

        from agents.offline.app import simulator

        base = settings or GatewaySettings()
        settings = base.model_copy(
            update={"endpoint": Endpoint(model=OFFLINE_MODEL, base_url="http://offline.invalid/v1"), "roles": {}}
        )
        client = httpx2.AsyncClient(transport=httpx2.ASGITransport(simulator(plans, faults=faults)))
        return cls(settings, cache=cache, http_client=client, offline=True, sleep=sleep)

    async def __aenter__(self) -> Self:
        for endpoint in (self.settings.endpoint, *self.settings.roles.values()):
            self._client(endpoint)
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients.values():
            await client.close()
        if self._http_client is not None:
            await self._http_client.aclose()
        self._cache.close()

    def endpoint(self, role: str) -> Endpoint:
        """The endpoint that serves a role."""
        return self.settings.roles.get(role, self.settings.endpoint)

    def _client(self, endpoint: Endpoint) -> Any:
        base_url = endpoint.base_url or os.environ.get("OPENAI_BASE_URL") or None
        where = (base_url, endpoint.key_variable)
        if where not in self._clients:
            key = "offline" if self.offline_mode else os.environ.get(endpoint.key_variable, "")
            if not key:
                raise SettingsError(
                    f"no key for the model {endpoint.model}: {endpoint.key_variable} is not set",
                    f"set {endpoint.key_variable} (any text for a local server), or use the offline model",
                )
            self._clients[where] = _sdk_client(base_url, key, self.settings, self._http_client)
        return self._clients[where]

    async def complete(self, request: ModelRequest) -> Reply:
        """The answer to a request, from the cache or the endpoint.

        Raises ``ModelError`` where the endpoint fails for good, ``BudgetError`` before a call that could pass the
        budget. Equal requests in flight are asked once.
        """
        endpoint = self.endpoint(request.role)
        body = _body(endpoint, request)
        key = self._key(endpoint, request, body)
        entry = self.ledger.entry(request.role, endpoint.model)
        entry.calls += 1
        if (found := self._cache.get(key)) is not None:
            entry.cached += 1
            return _reply(found, endpoint.model, cached=True)
        if key in self._waiting:
            reply = await asyncio.shield(self._waiting[key])
            entry.cached += 1
            return replace(reply, cached=True)
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting[key] = future
        try:
            reply = await self._ask(endpoint, request, body, key)
            future.set_result(reply)
            return reply
        except BaseException as error:
            # Whoever waits for an equal request shares its fate; a cancelled one is no answer either.
            shared = error if isinstance(error, ModelError) else ModelError("an equal request failed", "see its error")
            future.set_exception(shared)
            future.exception()  # read, so that a failure nobody waits for is no warning
            raise
        finally:
            del self._waiting[key]

    async def _ask(self, endpoint: Endpoint, request: ModelRequest, body: JsonObject, key: str) -> Reply:
        entry = self.ledger.entry(request.role, endpoint.model)
        reason = ""
        for attempt in range(self.settings.attempts):
            if attempt:
                entry.retries += 1
            size = len(canonical_json(body["messages"])) if self._paced() else 0
            reserved = self.ledger.reserve(endpoint.model, size)
            try:
                async with self._slots:
                    await self._breaker.gate()
                    await self._requests.take(1)
                    await self._tokens.take(size / 4)
                    answer, reason, wait = await self._try(endpoint, request, body)
            finally:
                self.ledger.release(reserved)
            if answer is not None:
                self._breaker.success()
                self._cache.put(key, answer)
                reply = _reply(answer, endpoint.model, cached=False)
                self.ledger.charge(
                    request.role, endpoint.model, reply.prompt_tokens, reply.completion_tokens, reply.seconds
                )
                return reply
            self._breaker.failure()
            if wait is None:
                break
            if attempt + 1 < self.settings.attempts:
                pause = min(self.settings.backoff_seconds * 2**attempt, 30.0) * (0.5 + self._jitter.random())
                await self._sleep(max(wait, pause))
        entry.failures += 1
        raise ModelError(
            f"{endpoint.model} gave no answer as {request.role}: {reason}",
            "check the endpoint and run the same command again: what was paid for is kept",
        )

    def _paced(self) -> bool:
        s = self.settings
        return any(limit is not None for limit in (s.tokens_per_minute, s.budget_usd, s.budget_tokens))

    def _key(self, endpoint: Endpoint, request: ModelRequest, body: JsonObject) -> str:
        where = endpoint.base_url or os.environ.get("OPENAI_BASE_URL") or "default"
        # The simulator finds its plan out of band, so its answers follow from more than the body.
        band = [request.plan, request.task, request.role, request.attempt] if self.offline_mode else []
        return sha256_hex(canonical_json([where, body, request.sample, band]))

    async def _try(
        self, endpoint: Endpoint, request: ModelRequest, body: JsonObject
    ) -> tuple[JsonObject | None, str, float | None]:
        """One try: the answer, or a reason and the least seconds to wait (None: do not try again)."""
        import httpx2
        import openai

        headers = {
            "x-wildtool-plan": request.plan,
            "x-wildtool-task": str(request.task),
            "x-wildtool-role": request.role,
        }
        headers["x-wildtool-attempt"] = str(request.attempt)
        if not self.offline_mode:
            headers = {}
        started = self._clock()
        try:
            raw = await self._client(endpoint).chat.completions.with_raw_response.create(**body, extra_headers=headers)
            parsed = json.loads(raw.text)
        except openai.APITimeoutError:
            return None, f"timed out after {self.settings.timeout_seconds:.0f} s", 0.0
        except openai.APIConnectionError as error:
            return None, f"no connection: {error.__cause__ or error}", 0.0
        except openai.APIStatusError as error:
            again = error.status_code in (408, 409, 429) or error.status_code >= 500
            return (
                None,
                f"HTTP {error.status_code}: {_first_line(error)}",
                _retry_after(error.response.headers) if again else None,
            )
        except (json.JSONDecodeError, UnicodeDecodeError):
            return None, "the answer is no JSON", 0.0
        except httpx2.HTTPError as error:
            return None, f"the connection broke: {error!r}", 0.0
        choices = parsed.get("choices") if isinstance(parsed, dict) else None
        if not choices or not isinstance(choices[0].get("message"), dict):
            return None, "the answer holds no choice", 0.0
        message = choices[0]["message"]
        if message.get("refusal") and not message.get("content"):
            return None, f"refused: {str(message['refusal'])[:100]}", 0.0
        usage = parsed.get("usage") or {}
        return (
            {
                "message": _clean(message),
                "prompt_tokens": usage.get("prompt_tokens", 0),
                "completion_tokens": usage.get("completion_tokens", 0),
                "seconds": round(self._clock() - started, 4),
            },
            "",
            0.0,
        )


def _sdk_client(base_url: str | None, key: str, settings: GatewaySettings, http_client: Any) -> Any:
    import openai

    if http_client is None:
        try:
            # Half as much again as the default client (343 against 228 calls/s), where its extra is installed.
            http_client = openai.DefaultAioHttpClient()
        except RuntimeError:
            import httpx2

            limits = httpx2.Limits(
                max_connections=settings.max_in_flight + 8, max_keepalive_connections=settings.max_in_flight
            )
            http_client = openai.DefaultAsyncHttpxClient(limits=limits)
    # Retries are ours: only then are they counted and paced.
    return openai.AsyncOpenAI(
        base_url=base_url, api_key=key, max_retries=0, timeout=settings.timeout_seconds, http_client=http_client
    )


def _body(endpoint: Endpoint, request: ModelRequest) -> JsonObject:
    body: JsonObject = {"model": endpoint.model, "messages": list(request.messages), **endpoint.parameters}
    if request.tools:
        body["tools"] = list(request.tools)
    if request.json_object:
        body["response_format"] = {"type": "json_object"}
    return body


def _clean(message: Mapping[str, Any]) -> JsonObject:
    kept = {name: message[name] for name in ("role", "content", "tool_calls", "refusal") if message.get(name)}
    return {"role": "assistant", "content": None, **kept}


def _reply(found: Mapping[str, Any], model: str, *, cached: bool) -> Reply:
    return Reply(
        message=dict(found["message"]),
        model=model,
        prompt_tokens=int(found.get("prompt_tokens") or 0),
        completion_tokens=int(found.get("completion_tokens") or 0),
        cached=cached,
        seconds=float(found.get("seconds") or 0.0),
    )


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


def _retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that ``Retry-After`` asks for, as a number or a date; 0 without one. Capped at five minutes."""
    text = headers.get("retry-after", "")
    try:
        return min(max(float(text), 0.0), 300.0)
    except ValueError:
        pass
    try:
        return min(max(parsedate_to_datetime(text).timestamp() - time.time(), 0.0), 300.0)
    except ValueError:
        return 0.0


__all__ = ["CANDIDATE", "OFFLINE_MODEL", "Endpoint", "Gateway", "GatewaySettings", "ModelRequest", "Reply"]
