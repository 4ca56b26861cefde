"""Render what annotators read: the dialogue, the tools, the doubts, people's labels side by side.

Every text comes from logs, models or people. ``render.html.jinja`` escapes all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from wildtool.annotation.form.order import slot_labels
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.label import Label
from wildtool.schemas.session import Session

MAX_OBSERVATION = 2000
"""Characters of an observation in the dialogue; the form beside it holds all of it."""


def laid_out(value: Any) -> str:
    """Write JSON for people: indented, no escapes beyond JSON's own."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def open_doubts(draft: Draft) -> list[Verdict]:
    """List the verdicts that a person must look at."""
    return [verdict for verdict in draft.verdicts if verdict.doubtful]


def doubt_text(verdicts: Iterable[Verdict]) -> str:
    """Write one line per doubt, as plain text."""
    lines = []
    for verdict in verdicts:
        evidence = f" ({verdict.evidence})" if verdict.evidence else ""
        lines.append(f"⚠ {verdict.reason or verdict.check}{evidence}")
    return "\n".join(lines)


def shortened(value: Any) -> str:
    """Write an observation on one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= MAX_OBSERVATION else f"{text[:MAX_OBSERVATION]} … ({len(text):,} characters)"


def dialogue_html(draft: Draft, *, note: str = "") -> str:
    """Render the whole dialogue, doubts beside what they doubt; ``note`` says why a session came back."""
    return str(_macros().dialogue(draft.session, open_doubts(draft), note))


def tools_html(session: Session) -> str:
    """Render the tool list; each tool opens with a click."""
    return str(_macros().tool_list([_shown(tool.get("function", tool)) for tool in session.tools]))


def labels_html(labels: Sequence[Label], differing: Sequence[str]) -> str:
    """Render people's labels side by side, for the adjudicator; ``differing`` names the fields that differ."""
    return str(_macros().side_by_side(labels, differing))


@cache
def _macros() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wildtool.annotation.form", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "doubt_text": doubt_text,
        "json": lambda value: json.dumps(value, ensure_ascii=False),
        "of_task": _of_task,
        "shortened": shortened,
        "slot_labels": slot_labels,
    }
    return environment.get_template("render.html.jinja").module


def _of_task(differing: Sequence[str], number: int) -> list[str]:
    """Pick the fields of one task from ``differing_fields``."""
    start = f"task {number}: "
    return [field.removeprefix(start) for field in differing if field.startswith(start)]


class _Parameter(NamedTuple):
    name: str
    required: bool
    type: str
    description: str


class _Tool(NamedTuple):
    name: str
    description: str
    parameters: list[_Parameter]


def _shown(function: JsonObject) -> _Tool:
    parameters: JsonObject = function.get("parameters") or {}
    required = set(parameters.get("required") or ())
    rows = [
        _Parameter(name, name in required, _type_of(schema), _described(schema))
        for name, schema in (parameters.get("properties") or {}).items()
    ]
    return _Tool(str(function.get("name", "")), str(function.get("description", "")), rows)


def _type_of(schema: Any) -> str:
    kind = schema.get("type", "any") if isinstance(schema, Mapping) else "any"
    return "/".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _described(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return ""
    extras = [
        f"one of {', '.join(map(str, schema['enum'][:12]))}" if schema.get("enum") else "",
        f"default {schema['default']}" if "default" in schema else "",
        f"format {schema['format']}" if "format" in schema else "",
    ]
    return " · ".join([str(schema.get("description", "")), *filter(None, extras)]).strip(" ·")
