"""Checks on the arguments of calls: valid under the tool's schema, and grounded in what was said and seen."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any

from wildtool.grounding.topology import ancestors
from wildtool.grounding.value_sources import Setting, arguments_of, trace_value, verified
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.json_paths import resolve
from wildtool.schemas.json_schema import first_misfit, properties, required
from wildtool.schemas.tool import Tool
from wildtool.validation.verdicts import calls, doubt, shorten, tools_of


def schema(draft: Draft) -> Iterator[Verdict]:
    """Arguments are valid under the tool's JSON Schema, all of them defined there, dates real."""
    tools = tools_of(draft)
    for number, index, call in calls(draft):
        tool = tools.get(call.name)
        if tool is None:
            yield doubt("schema", f"{call.name} is no tool of this session", task=number, action=index)
            continue
        if misfit := first_misfit(call.arguments, tool.parameters):
            yield doubt("schema", f"{call.name}: {misfit}", task=number, action=index, evidence=call.arguments)
        for name in sorted(call.arguments.keys() - properties(tool).keys()):
            # Schemas rarely say additionalProperties: false, and yet an undefined argument is an invented one.
            reason = f"{call.name} has no parameter {name}"
            yield doubt("schema", reason, task=number, action=index, confidence=0.95)
        for name, value in call.arguments.items():
            if properties(tool).get(name, {}).get("format") == "date" and not _is_day(value):
                reason = f"{call.name}.{name}: {shorten(value)} is no day of the calendar"
                yield doubt("schema", reason, task=number, action=index)


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(date.fromisoformat(value))
    except ValueError:
        return False


def grounding(draft: Draft) -> Iterator[Verdict]:
    """Each argument value comes from somewhere: words, an observation, the clock, a default, common knowledge.

    A kept trace is believed where it holds, and doubted where it does not.
    """
    setting = Setting.of(draft.plan.tool_list, draft.session.now)
    tasks = draft.session.tasks
    for number, index, call in calls(draft):
        before = ancestors([each.depends_on for each in tasks[number].actions])[index]
        kept = {source.argument: source for source in call.trace}
        tool = setting.tools.get(call.name)
        for path, value in arguments_of(call):
            cues = setting.cues(call, path)
            source = kept.get(path) or kept.get(cues.parameter)
            whole = value if source is None or source.argument == path else call.arguments[cues.parameter]
            if source is not None and verified(source, whole, tasks, number, cues):
                continue
            found = trace_value(value, path, tasks, number, index, setting, producers=before)
            if found.kind == "unknown":
                confidence = _seriousness(value, tool, cues.parameter)
                reason = f"{call.name}.{path}: {shorten(value)} is found nowhere before this call"
                yield doubt("grounding", reason, task=number, action=index, confidence=confidence, evidence=value)
            elif source is not None and source.kind != "unknown":
                reason = f"{call.name}.{path}: not where its trace says ({source.kind}), but {found.kind}"
                kept_as = source.model_dump(mode="json", exclude_none=True)
                yield doubt("grounding", reason, task=number, action=index, confidence=0.5, evidence=kept_as)
            elif found.confidence < LOOSE:
                words = shorten(found.quote or found.kind)
                reason = f"{call.name}.{path}: {shorten(value)} is only loosely said ({words})"
                yield doubt("grounding", reason, task=number, action=index, confidence=0.3, evidence=value)
        for source in call.trace:
            if not _leads(call.arguments, source.argument):
                reason = f"{call.name}: the trace speaks of {source.argument}, which is no argument"
                yield doubt("grounding", reason, task=number, action=index, confidence=0.6)


LOOSE = 0.65
"""Confidence below which a source is worth a look: units converted, half of a text's words."""


def _seriousness(value: Any, tool: Tool | None, parameter: str) -> float:
    """How sure it is that an untraced value is invented. Words can imply a flag, an enum's value or a small number."""
    if isinstance(value, bool):
        return 0.5
    if tool is not None and "enum" in properties(tool).get(parameter, {}):
        return 0.6
    if isinstance(value, int | float) and abs(value) < 10 and tool is not None and parameter in required(tool):
        return 0.7
    return 0.9


def _leads(arguments: Any, path: str) -> bool:
    try:
        resolve(arguments, path)
    except LookupError:
        return False
    return True
