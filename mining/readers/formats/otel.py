"""OpenTelemetry GenAI spans, gathered by conversation or trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wildtool.mining.readers.content import Role, iso_time, role_of, text_of
from wildtool.mining.readers.log_format import LogFormat
from wildtool.mining.readers.speakers import conversation_of
from wildtool.mining.readers.traces import Turn, trace_messages


def fits(value: Any) -> bool:
    """An OTLP batch, or a span with attributes."""
    if not isinstance(value, dict):
        return False
    if "resourceSpans" in value or "resource_spans" in value:
        return True
    return ("spanId" in value or "span_id" in value or "context" in value) and "attributes" in value


def turns(value: dict[str, Any]) -> list[Turn]:
    """The turns of a span or of all spans of a batch; none for a technical span."""
    return [turn for span in _spans(value) if (turn := _turn(span)) is not None]


def _spans(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    batches = value.get("resourceSpans", value.get("resource_spans"))
    if not isinstance(batches, list):
        yield value
        return
    for batch in batches:
        for scope in batch.get("scopeSpans") or batch.get("scope_spans") or []:
            yield from scope.get("spans") or []


def _attributes(raw: Any) -> dict[str, Any]:
    """OTLP's list of key and typed value, or a plain object."""
    if isinstance(raw, dict):
        return _dotted(raw)
    found: dict[str, Any] = {}
    for one in raw if isinstance(raw, list) else []:
        if isinstance(one, dict) and "key" in one:
            typed = one.get("value")
            found[one["key"]] = next(iter(typed.values()), None) if isinstance(typed, dict) else typed
    return found


def _dotted(raw: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested attributes by their dotted names."""
    found: dict[str, Any] = {}
    for name, value in raw.items():
        if isinstance(value, dict) and value:
            found |= _dotted(value, f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


_OTEL_MESSAGES: tuple[tuple[str, Role], ...] = (
    ("gen_ai.system_instructions", "system"),
    ("gen_ai.input.messages", "user"),
    ("gen_ai.output.messages", "assistant"),
    ("input.value", "user"),  # OpenInference
    ("output.value", "assistant"),
)


_STEPS = frozenset(
    "tool retriever embedding embeddings reranker guardrail evaluator execute_tool create_agent vector_store".split()
)
"""Kinds of spans in which no user speaks."""


def _turn(span: dict[str, Any]) -> Turn | None:
    """A GenAI span: messages in attributes (``gen_ai.input.messages``, ``gen_ai.prompt.0.content``) or in events."""
    attributes = _attributes(span.get("attributes"))
    kind = str(attributes.get("openinference.span.kind") or attributes.get("gen_ai.operation.name") or "").casefold()
    if kind in _STEPS:
        return None
    pairs: list[tuple[Role, str]] = []
    for key, role in _OTEL_MESSAGES:
        if key in attributes:
            pairs += trace_messages(attributes[key], role)
    if not pairs:
        pairs = _flat(attributes)
    if not pairs:
        for prefix in ("gen_ai.prompt", "gen_ai.completion"):
            index = 0
            while (content := attributes.get(f"{prefix}.{index}.content")) is not None:
                name = attributes.get(f"{prefix}.{index}.role") or (
                    "user" if prefix.endswith("prompt") else "assistant"
                )
                pairs.append((role_of(name), text_of(content)))
                index += 1
    for event in [] if pairs else span.get("events") or []:
        pairs += _event(event)
    if not pairs:
        return None
    context = span.get("context") if isinstance(span.get("context"), dict) else {}
    trace = span.get("traceId") or span.get("trace_id") or (context or {}).get("trace_id") or ""
    session = attributes.get("gen_ai.conversation.id") or attributes.get("session.id") or trace
    time = iso_time(span.get("startTimeUnixNano") or span.get("start_time")) or ""
    user = attributes.get("user.id") or attributes.get("enduser.id") or ""
    step = bool(span.get("parent_id") or span.get("parentSpanId") or span.get("parent_span_id"))
    return Turn(str(session), str(user), time, pairs, step=step)


def _flat(attributes: dict[str, Any]) -> list[tuple[Role, str]]:
    """OpenInference's flattened messages: ``llm.input_messages.0.message.role``, or nested ones."""
    pairs: list[tuple[Role, str]] = []
    for side in ("input", "output"):
        nested = attributes.get(f"llm.{side}_messages")
        if isinstance(nested, list):
            pairs += conversation_of([each.get("message", each) if isinstance(each, dict) else each for each in nested])
            continue
        index = 0
        while (name := attributes.get(f"llm.{side}_messages.{index}.message.role")) is not None:
            at = f"llm.{side}_messages.{index}.message"
            text = attributes.get(f"{at}.content")
            if text is None:
                parts = (attributes.get(f"{at}.contents.{part}.message_content.text") for part in range(20))
                text = "\n".join(str(part) for part in parts if part)
            pairs.append((role_of(name), text_of(text)))
            index += 1
    return pairs


def _event(event: dict[str, Any]) -> list[tuple[Role, str]]:
    name = str(event.get("name", ""))
    body = _attributes(event.get("attributes"))
    if name == "gen_ai.choice":
        return trace_messages(body.get("message", body.get("content")), "assistant")
    if name.startswith("gen_ai.") and name.endswith(".message"):
        role = role_of(body.get("role") or name.split(".")[1])
        return [(role, text_of(body["content"]))] if body.get("content") else []
    if name == "gen_ai.content.prompt":
        return trace_messages(body.get("gen_ai.prompt"), "user")
    if name == "gen_ai.content.completion":
        return trace_messages(body.get("gen_ai.completion"), "assistant")
    return []


OTEL = LogFormat(
    "otel",
    "OpenTelemetry traces",
    fits,
    turns=turns,
    order=20,
    marks=(b"resourceSpans", b"resource_spans", b'"attributes"'),
)
