"""Where models are served, and what shapes the calls."""

from __future__ import annotations

from pydantic import Field

from agents.ledger import PRICES, Price
from schemas.base import JsonObject, Record


class Endpoint(Record):
    """Where a model is served."""

    model: str
    """Model name."""
    base_url: str | None = None
    """Address; None takes ``OPENAI_BASE_URL``, else OpenAI's own."""
    key_variable: str = "OPENAI_API_KEY"
    """Environment variable that holds the key. Keys live nowhere else."""
    parameters: JsonObject = Field(default_factory=dict)
    """Further fields of the request body: ``temperature``, ``seed``, ``max_tokens``."""


class GatewaySettings(Record):
    """What shapes the calls. None is no limit."""

    endpoint: Endpoint = Endpoint(model="gpt-4o")
    """Default endpoint."""
    roles: dict[str, Endpoint] = Field(default_factory=dict)
    """Endpoints by role, where they differ."""
    max_in_flight: int = 64
    """Requests at a time."""
    requests_per_minute: float | None = None
    """Rate limit."""
    tokens_per_minute: float | None = None
    """Rate limit, on estimated prompt tokens."""
    attempts: int = 6
    """Tries a request, the first included."""
    timeout_seconds: float = 120.0
    """Time-out of a try. The SDK's own 600 s would hold a slot for ten minutes."""
    backoff_seconds: float = 0.5
    """First pause between tries; it doubles, with jitter, up to 30 s."""
    breaker_failures: int = 12
    """Failures in a row that open the circuit breaker."""
    breaker_pause_seconds: float = 20.0
    """How long it stays open."""
    breaker_trips: int = 3
    """Openings without a success between that end the run."""
    budget_usd: float | None = None
    """Budget in US dollars, over calls with a known price."""
    budget_tokens: int | None = None
    """Budget in tokens."""
    prices: dict[str, Price] = Field(default_factory=lambda: dict(PRICES))
    """Prices by model."""
