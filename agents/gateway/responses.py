"""Read responses of an endpoint: an answer, or a failure with the way to handle it.

Chat completions as OpenAI documents them, and what proxies, gateways and self-made servers make of them. The same
reading serves single requests and the lines of a batch.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from wildtool.schemas.base import JsonObject

LONGEST_WAIT = 300.0
"""Seconds of ``Retry-After`` that are honoured; daily quotas ask for hours, which no run should sit through."""


KEPT = ("role", "content", "tool_calls", "refusal", "function_call", "reasoning_content", "reasoning")
"""Of an assistant message. ``function_call`` is what some servers still send in place of ``tool_calls``; reasoning is
never judged, but a person who reads why a task failed wants to see it."""


class FailureKind(StrEnum):
    """Reason why there is no answer."""

    RATE_LIMIT = "rate_limit"
    """429: too fast."""
    QUOTA = "quota"
    """The account has no credit left: no retry helps."""
    SERVER_ERROR = "server_error"
    """5xx, 408, 409."""
    TIMEOUT = "timeout"
    """No complete answer in time."""
    CONNECTION = "connection"
    """No connection, or it broke."""
    NOT_JSON = "not_json"
    """A body that is not JSON: cut off, or an HTML page."""
    NO_CHOICE = "no_choice"
    """JSON without a message."""
    CONTEXT_LENGTH = "context_length"
    """The request is longer than the model's context."""
    SETTINGS = "settings"
    """The key or the model is refused: nothing will be answered."""
    BAD_REQUEST = "bad_request"
    """Any other 4xx: this request will never be answered."""
    EXPIRED = "expired"
    """A batch ended before this request was run."""
    CANCELLED = "cancelled"
    """Somebody cancelled the batch."""


PASSING = frozenset(
    {
        FailureKind.RATE_LIMIT,
        FailureKind.SERVER_ERROR,
        FailureKind.TIMEOUT,
        FailureKind.CONNECTION,
        FailureKind.NOT_JSON,
        FailureKind.NO_CHOICE,
        FailureKind.EXPIRED,
    }
)
"""Failures after which another attempt may succeed."""

ENDPOINT_IS_ILL = frozenset(
    {FailureKind.SERVER_ERROR, FailureKind.TIMEOUT, FailureKind.CONNECTION, FailureKind.NOT_JSON, FailureKind.NO_CHOICE}
)
"""Failures that the circuit breaker counts. A rate limit says that the endpoint is well, only busy."""


@dataclass(frozen=True)
class Failure:
    """An attempt without an answer."""

    kind: FailureKind
    detail: str
    """One line for a person."""
    wait: float = 0.0
    """Seconds that the endpoint asks us to wait."""
    prompt_tokens: int = 0
    """Tokens that were billed all the same."""
    completion_tokens: int = 0


@dataclass(frozen=True)
class Answer:
    """A message with its cost. A refusal is an answer too: its ``message`` holds ``refusal`` and no content."""

    message: JsonObject
    prompt_tokens: int
    completion_tokens: int
    finish_reason: str
    seconds: float = 0.0

    def to_json(self) -> JsonObject:
        """Return the fields that the response cache keeps."""
        return {
            "message": self.message,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "finish_reason": self.finish_reason,
            "seconds": round(self.seconds, 4),
        }


def read_completion(text: str) -> Answer | Failure:
    """Parse the body of a response with status 200."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        looks = "an HTML page" if text.lstrip()[:1] == "<" else f"{len(text)} characters that are not JSON"
        return Failure(FailureKind.NOT_JSON, f"the answer is {looks}")
    return read_body(body)


def read_body(body: Any) -> Answer | Failure:
    """A response body, parsed."""
    if not isinstance(body, dict):
        return Failure(FailureKind.NO_CHOICE, "the answer is not a JSON object")
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    prompt_tokens, completion_tokens = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    choices = body.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if choice is None or not isinstance(message, dict):
        said = body.get("error")  # some proxies send errors with status 200
        detail = f"the answer holds no choice{f': {_message(said)}' if said else ''}"
        return Failure(FailureKind.NO_CHOICE, detail, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens)
    reason = str(choice.get("finish_reason") or "")
    kept = {name: message[name] for name in KEPT if message.get(name)}
    if reason == "content_filter" and not kept.get("tool_calls"):
        # The endpoint's filter cut the model off: the rest of the text is not the model's answer.
        kept = {"refusal": kept.get("refusal") or "the endpoint's content filter stopped the answer"}
    return Answer({"role": "assistant", "content": None, **kept}, prompt_tokens, completion_tokens, reason)


def read_failure(status: int, headers: Mapping[str, str], body: Any) -> Answer | Failure:
    """A response with an error status. A content filter's 400 is an answer: the model will not talk about this."""
    error = body.get("error", body) if isinstance(body, dict) else {}
    error = error if isinstance(error, dict) else {"message": error}
    code, kind = str(error.get("code") or ""), str(error.get("type") or "")
    said = _message(error) or (_first_line(body) if isinstance(body, str) else "")
    detail = f"HTTP {status}: {said}" if said else f"HTTP {status}"
    lower = said.casefold()
    if status == 429 and ("insufficient_quota" in (code, kind) or "billing" in code):
        return Failure(FailureKind.QUOTA, detail)
    if status == 402:
        return Failure(FailureKind.QUOTA, detail)
    if status == 429:
        return Failure(FailureKind.RATE_LIMIT, detail, wait=retry_after(headers))
    if status in (408, 409) or status >= 500:
        return Failure(FailureKind.SERVER_ERROR, detail, wait=retry_after(headers))
    if status in (401, 404):
        return Failure(FailureKind.SETTINGS, detail)
    if code == "context_length_exceeded" or (
        status in (400, 413, 422) and "context" in lower and ("length" in lower or "window" in lower or "size" in lower)
    ):
        return Failure(FailureKind.CONTEXT_LENGTH, detail)
    if code in ("content_filter", "content_policy_violation"):
        return Answer({"role": "assistant", "content": None, "refusal": said or code}, 0, 0, "content_filter")
    return Failure(FailureKind.BAD_REQUEST, detail)


def retry_after(headers: Mapping[str, str]) -> float:
    """Seconds that the endpoint asks us to wait: ``retry-after-ms``, or ``Retry-After`` in seconds or as a date.

    0 without a header, or with one that says nothing; at most ``LONGEST_WAIT``.
    """
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            return _bounded(float(headers.get(name, "")) / unit)
        except ValueError:
            pass
    try:
        until = parsedate_to_datetime(headers.get("retry-after", "")).timestamp()
        return _bounded(until - _now_of(headers))
    except (ValueError, TypeError):
        return 0.0


def _now_of(headers: Mapping[str, str]) -> float:
    """Return the endpoint's own clock, where it sends it: ours may be wrong by hours."""
    try:
        return parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (ValueError, TypeError):
        return time.time()


def _bounded(seconds: float) -> float:
    return min(max(seconds, 0.0), LONGEST_WAIT) if seconds == seconds else 0.0  # NaN: do not wait


def _count(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _message(error: Any) -> str:
    found = error.get("message") if isinstance(error, dict) else error
    return _first_line(found) if isinstance(found, str) else ""


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[0][:200] if lines else ""
