"""Ask what the rules left open, as choices of a closed set, and apply what was picked: nothing else can enter a spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.tool import Tool
from wildtool.schemas.world import FieldRole, Operation, OperationKind, ParameterRole, WorldSpec
from wildtool.worlds.properties.static import inner, sound

DOUBTFUL = 0.5
"""Decisions of the rules below this certainty are asked again."""

LEAVE = "unsupported"
"""The choice that leaves a parameter as it is: calls that give it are refused."""

CERTAINTY = 0.7
"""Certainty of a picked decision: a model chooses among choices that the rules could not tell apart."""

_FILTERS: dict[str, tuple[str, ParameterRole, frozenset[str]]] = {
    "equal": ("eq", ParameterRole.EQUAL, frozenset({"string", "integer", "number", "boolean", "any"})),
    "text": ("contains_any", ParameterRole.TEXT, frozenset({"string"})),
    "at_least": ("ge", ParameterRole.RANGE, frozenset({"integer", "number", "string"})),
    "at_most": ("le", ParameterRole.RANGE, frozenset({"integer", "number", "string"})),
    "on_day": ("on_day", ParameterRole.RANGE, frozenset({"string"})),
}
"""Choice → predicate, role, and types of the field."""


@dataclass(frozen=True)
class OpenQuestion:
    """One decision that the rules left open."""

    tool: str
    parameter: str
    choices: tuple[str, ...]
    """``unsupported``, ``format``, or how and which field: ``at_least:price``."""

    @property
    def id(self) -> str:
        """Name of the question in a request."""
        return f"{self.tool}.{self.parameter}"


def open_questions(spec: WorldSpec, tools: Sequence[Tool]) -> Iterator[OpenQuestion]:
    """Yield the parameters of reads for which the rules found no role, or one that they doubt."""
    for tool in tools:
        operation = spec.tools.get(tool.name)
        if operation is None or operation.table is None or operation.op.writes or not operation.executable:
            continue
        for parameter, use in operation.parameters.items():
            doubted = use.role in _ROLES and use.certainty < DOUBTFUL
            if (use.role is not ParameterRole.UNSUPPORTED and not doubted) or inner(tool.parameters, parameter) is None:
                continue
            choices = tuple(_choices(spec, operation, inner(tool.parameters, parameter) or {}))
            if len(choices) > 2:
                yield OpenQuestion(tool.name, parameter, choices)


_ROLES = frozenset({role for _, role, _ in _FILTERS.values()})


def _choices(spec: WorldSpec, operation: Operation, schema: Mapping[str, Any]) -> Iterator[str]:
    yield LEAVE
    yield "format"
    if operation.op not in (OperationKind.LIST, OperationKind.AGGREGATE):
        return
    for name, field in spec.tables[operation.table or ""].fields.items():
        kind = plain_type(field.value)
        for choice, (_, _, types) in _FILTERS.items():
            dated = field.role is FieldRole.TIME
            alike = plain_type(dict(schema)) in (kind, "any") or kind == "any" or dated
            ordered = choice not in ("at_least", "at_most") or kind in ("integer", "number") or dated
            if kind in types and alike and ordered and (choice != "on_day" or dated):
                yield f"{choice}:{name}"


def with_picks(spec: WorldSpec, tools: Sequence[Tool], picks: Mapping[str, str], made_by: str) -> WorldSpec:
    """Return the spec with the picks that are among the choices and leave it sound; the others are as if not made."""
    known = len(sound(spec, tools))
    for question in open_questions(spec, tools):
        choice = picks.get(question.id)
        if choice not in question.choices or choice == LEAVE:
            continue
        try:
            tried = _picked(spec, question, choice, made_by)
        except ValidationError:
            continue
        if len(sound(tried, tools)) <= known:
            spec = tried
    return spec


def _picked(spec: WorldSpec, question: OpenQuestion, choice: str, made_by: str) -> WorldSpec:
    whole = spec.model_dump(mode="json", exclude={"id"})
    operation = whole["tools"][question.tool]
    operation["where"] = [each for each in operation["where"] if each["parameter"] != question.parameter]
    way, _, field = choice.partition(":")
    role = ParameterRole.FORMAT
    if field:
        predicate, role, _ = _FILTERS[way]
        operation["where"].append({"parameter": question.parameter, "op": predicate, "fields": [field]})
    operation["parameters"][question.parameter] = {
        "role": str(role),
        "certainty": CERTAINTY,
        "reason": f"picked by {made_by}",
    }
    return WorldSpec.of(**{**whole, "made_by": made_by})
