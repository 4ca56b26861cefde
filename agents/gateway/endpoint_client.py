"""Connect to one endpoint: client, rate limits, circuit breaker; and make one attempt at a request."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from wildtool.agents.gateway.endpoints import Endpoint, GatewaySettings
from wildtool.agents.gateway.rate_limit import Breaker, Bucket
from wildtool.agents.gateway.responses import (
    ENDPOINT_IS_ILL,
    Answer,
    Failure,
    FailureKind,
    read_completion,
    read_failure,
)
from wildtool.agents.gateway.usage import BYTES_PER_TOKEN
from wildtool.schemas.errors import SettingsError

CONNECT_SECONDS = 15.0
"""Time-out of a connection: whoever does not take it within this will not answer either."""


class EndpointClient:
    """Connection to one endpoint. ``offline`` needs no key; ``http_client`` replaces the SDK's (the simulator's)."""

    def __init__(
        self,
        endpoint: Endpoint,
        settings: GatewaySettings,
        *,
        http_client: Any = None,
        offline: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Any = asyncio.sleep,
    ) -> None:
        key = "offline" if offline else os.environ.get(endpoint.key_variable, "")
        if not key:
            raise SettingsError(
                f"no key for the model {endpoint.model}: {endpoint.key_variable} is not set",
                f"set {endpoint.key_variable} (any text for a local server), or use the offline model",
            )
        self.endpoint = endpoint
        self.base_url = endpoint.base_url or os.environ.get("OPENAI_BASE_URL") or None
        self.client = sdk_client(self.base_url, key, settings, http_client)
        self.breaker = Breaker(
            settings.breaker_failures, settings.breaker_pause_seconds, settings.breaker_trips, clock, sleep
        )
        self._requests = Bucket(endpoint.requests_per_minute or settings.requests_per_minute, clock, sleep)
        self._tokens = Bucket(endpoint.tokens_per_minute or settings.tokens_per_minute, clock, sleep)
        self._slots = asyncio.Semaphore(settings.max_in_flight)
        self._timeout = settings.timeout_seconds
        self._clock = clock
        self._key = key
        self._answered = False

    def serves(self, endpoint: Endpoint) -> bool:
        """Return whether requests to an endpoint go through this client: same server, key and limits."""
        same = ("base_url", "key_variable", "requests_per_minute", "tokens_per_minute")
        return all(getattr(endpoint, name) == getattr(self.endpoint, name) for name in same)

    async def attempt(self, content: bytes, headers: Mapping[str, str]) -> Answer | Failure:
        """One try, when limits and breaker let it go. ``content`` is the body of the request."""
        async with self._slots:
            era = await self.breaker.gate()
            found: Answer | Failure | None = None
            try:
                await self._requests.take(1)
                await self._tokens.take(len(content) / BYTES_PER_TOKEN)
                found = await self._send(content, headers)
            finally:
                self._report(found, era)
        return found

    def _report(self, found: Answer | Failure | None, era: int) -> None:
        if isinstance(found, Failure) and found.wait:
            # Whoever asks next would be refused as well.
            self.breaker.hold(found.wait)
        match found:
            case Answer():
                self._answered = True
                self.breaker.success()
            case Failure(kind=kind) if kind in ENDPOINT_IS_ILL:
                self.breaker.failure(era)
            case _:
                self.breaker.neither(era)

    async def _send(self, content: bytes, headers: Mapping[str, str]) -> Answer | Failure:
        import httpx2
        import openai

        started = self._clock()
        try:
            # The body goes as the bytes that the cache's key was made of: the SDK's typed path would walk through all
            # messages again, and check an answer that is checked here.
            async with asyncio.timeout(self._timeout):
                response = await self.client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    content=content,
                    options={"headers": {"content-type": "application/json", **headers}},
                )
            text = self.scrub(response.text)
        except (TimeoutError, openai.APITimeoutError) as error:
            if (broken := _connection_error(error)) is not None:
                return Failure(FailureKind.CONNECTION, f"no connection: {self.scrub(broken)}")
            return Failure(FailureKind.TIMEOUT, f"timed out after {self._timeout:g} s")
        except openai.APIConnectionError as error:
            return Failure(FailureKind.CONNECTION, f"no connection: {self.scrub(str(error.__cause__ or error))}")
        except openai.APIStatusError as error:
            return self._refused(error)
        except httpx2.HTTPError as error:
            return Failure(FailureKind.CONNECTION, f"the connection broke: {self.scrub(repr(error))}")
        found = read_completion(text)
        if isinstance(found, Answer):
            return Answer(
                found.message,
                found.prompt_tokens,
                found.completion_tokens,
                found.finish_reason,
                self._clock() - started,
            )
        return found

    def _refused(self, error: Any) -> Answer | Failure:
        body = error.body if isinstance(error.body, dict) else self.scrub(error.response.text)
        found = read_failure(error.status_code, error.response.headers, body)
        if isinstance(found, Answer):
            return found
        # A 404 or 401 in the midst of answers is a hiccup of a proxy; as the first word it is a wrong setting.
        kind = FailureKind.SERVER_ERROR if found.kind is FailureKind.SETTINGS and self._answered else found.kind
        return Failure(kind, self.scrub(found.detail), found.wait)

    def scrub(self, text: str) -> str:
        """Remove the key from a text: an endpoint may echo what it was sent, and answers and errors are kept."""
        return text.replace(self._key, "[key]") if len(self._key) >= SHORTEST_SECRET and self._key in text else text

    async def close(self) -> None:
        """Close the client."""
        await self.client.close()


SHORTEST_SECRET = 8
"""Characters from which a key is a secret; local servers take any word, and that word may stand in an answer."""


def sdk_client(base_url: str | None, key: str, settings: GatewaySettings, http_client: Any = None) -> Any:
    """Open the SDK's client on aiohttp: it takes half as many CPU seconds a call as the default transport."""
    import httpx2
    import openai

    limits = httpx2.Limits(max_connections=settings.max_in_flight + 8, max_keepalive_connections=settings.max_in_flight)
    timeout = httpx2.Timeout(settings.timeout_seconds, connect=min(CONNECT_SECONDS, settings.timeout_seconds))
    if http_client is None:
        http_client = openai.DefaultAioHttpClient(limits=limits, timeout=timeout)
    # Retries are ours: only then are they counted and paced.
    return openai.AsyncOpenAI(base_url=base_url, api_key=key, max_retries=0, timeout=timeout, http_client=http_client)


def _connection_error(error: BaseException) -> str | None:
    """Find what broke behind a time-out of the SDK: its aiohttp transport reports every broken connection as one."""
    import aiohttp

    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, aiohttp.ClientConnectionError) and not isinstance(cause, TimeoutError):
            return str(cause) or type(cause).__name__
        cause = cause.__cause__ or cause.__context__
    return None
