"""Settings of endpoints and of the gateway."""

from __future__ import annotations

from pydantic import Field

from wildtool.agents.gateway.usage import PRICES, Price
from wildtool.schemas.base import Address, JsonObject, Record


class Endpoint(Record):
    """An endpoint that serves a model."""

    model: str
    """Model name."""
    base_url: Address | None = None
    """Address; None takes ``OPENAI_BASE_URL``, else OpenAI's own."""
    key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key. Keys live nowhere else."""
    parameters: JsonObject = Field(default_factory=dict)
    """Further fields of the request body: ``temperature``, ``seed``, ``max_tokens``."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    """Rate limit of this endpoint; None takes the gateway's."""
    tokens_per_minute: float | None = Field(default=None, gt=0)
    """Rate limit of this endpoint; None takes the gateway's."""


class BatchSettings(Record):
    """Waves of requests through OpenAI's batch endpoint: half the price, answers within a day."""

    poll_seconds: float = 20.0
    """Seconds between two looks at a batch."""
    linger_seconds: float = 1.0
    """A wave goes when no session has asked anything new for so long: then all of them wait."""
    completion_window: str = "24h"
    """As the endpoint names it; OpenAI knows 24h alone."""
    most_requests: int = Field(default=50_000, ge=1)
    """Requests of one batch (OpenAI's limit)."""
    most_bytes: int = 190_000_000
    """Bytes of one batch's file (OpenAI's limit is 200 MB)."""
    discount: float = Field(default=0.5, ge=0, le=1)
    """Factor on the prices."""


class GatewaySettings(Record):
    """Settings of the gateway. None: unlimited."""

    endpoint: Endpoint = Endpoint(model="gpt-4o")
    """Default endpoint."""
    roles: dict[str, Endpoint] = Field(default_factory=dict)
    """Endpoints by role, where they differ."""
    max_in_flight: int = Field(default=64, ge=1)
    """Requests at a time, to each endpoint."""
    requests_per_minute: float | None = Field(default=None, gt=0)
    """Rate limit of each endpoint."""
    tokens_per_minute: float | None = Field(default=None, gt=0)
    """Rate limit of each endpoint, on estimated prompt tokens."""
    attempts: int = Field(default=6, ge=1)
    """Tries a request, the first included."""
    timeout_seconds: float = Field(default=120.0, gt=0)
    """Time-out of a try, from the first byte sent to the last one read: a body that drips in is cut off too. The SDK's
    own 600 s between two bytes would hold a slot for ever."""
    backoff_seconds: float = 0.5
    """First pause between tries; it doubles, with jitter, up to 30 s."""
    breaker_failures: int = 12
    """Failures in a row that open the circuit breaker."""
    breaker_pause_seconds: float = 20.0
    """How long it stays open before one request probes the endpoint."""
    breaker_trips: int = 3
    """Openings without an answer between that end the run."""
    budget_usd: float | None = Field(default=None, gt=0)
    """Budget in US dollars, over calls with a known price."""
    budget_tokens: int | None = Field(default=None, gt=0)
    """Budget in tokens of both directions."""
    prices: dict[str, Price] = Field(default_factory=lambda: dict(PRICES))
    """Prices by model."""
    batch: BatchSettings | None = None
    """Ask through the batch endpoint."""
