"""Gates on agreement inside a session: spellings, documented formats, observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from schemas.base import JsonObject
from schemas.release import GateFailure
from schemas.session import Session, Task
from warehouse.gates.gate import Gate, GateContext, each_task, fail
from warehouse.gates.known import leaves, parameter_schema
from warehouse.gates.structure import calls_of, functions, schema_errors
from warehouse.gates.wording import LIMIT_NAME
from warehouse.gates.words import normal

DOCUMENTED: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = (
    (re.compile(r"\bYYYY-MM-DD\b(?![T ]?HH)", re.I), re.compile(r"\d{4}-\d{2}-\d{2}"), "YYYY-MM-DD"),
    (re.compile(r"\bYYYY/MM/DD\b(?! ?HH)", re.I), re.compile(r"\d{4}/\d{2}/\d{2}"), "YYYY/MM/DD"),
    (re.compile(r"\bDD/MM/YYYY\b|\bMM/DD/YYYY\b", re.I), re.compile(r"\d{2}/\d{2}/\d{4}"), "DD/MM/YYYY"),
    (re.compile(r"\bYYYYMMDD\b", re.I), re.compile(r"\d{8}"), "YYYYMMDD"),
    (re.compile(r"(?<![T\w:] )(?<![\w:-])HH:MM\b(?!:)", re.I), re.compile(r"\d{2}:\d{2}"), "HH:MM"),
    (re.compile(r"\b(?:two|2)[- ]letter\b|\balpha-?2\b", re.I), re.compile(r"[A-Za-z]{2}"), "two letters"),
    (re.compile(r"\b(?:three|3)[- ]letter\b|\bISO 4217\b", re.I), re.compile(r"[A-Za-z]{3}"), "three letters"),
)
"""How descriptions document a format, and what then has to match. A description with several is left alone."""


def _spellings(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    for session in sessions:
        known = functions(session)
        spelled: dict[str, dict[str, tuple[int, int]]] = {}
        for number, task in enumerate(session.tasks):
            for index, call in calls_of(task):
                for path, value in leaves(call.arguments):
                    schema, _ = parameter_schema(known.get(call.name, {}), path)
                    if isinstance(value, str) and _is_name(value, schema):
                        spelled.setdefault(normal(value), {}).setdefault(value.strip(), (number, index))
        for ways in spelled.values():
            if len(ways) > 1:
                number, index = list(ways.values())[1]
                yield fail(session, f"one value, spelled {' and '.join(map(repr, sorted(ways)))}", number, index)


def _is_name(value: str, schema: JsonObject) -> bool:
    """A free name: what an enum, a pattern or a format prescribes may differ from tool to tool."""
    return not ({"enum", "pattern", "format", "const"} & schema.keys()) and bool(re.search(r"[^\W\d_]{2}", value)) \
        and not any(char.isdigit() for char in value)  # fmt: skip


def _formats(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    known = functions(session)
    for index, call in calls_of(task):
        for path, value in leaves(call.arguments):
            schema, _ = parameter_schema(known.get(call.name, {}), path)
            text = str(schema.get("description", ""))
            fitting = [(shape, name) for documented, shape, name in DOCUMENTED if documented.search(text)]
            if isinstance(value, str) and value and len(fitting) == 1 and not fitting[0][0].fullmatch(value):
                yield index, f"{call.name}.{path} is {value[:60]!r}, documented as {fitting[0][1]}"


def _observations(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    known = functions(session)
    for index, call in calls_of(task):
        seen = call.observation
        if is_fault(seen):
            continue
        returns = known.get(call.name, {}).get("x-returns")
        if returns is not None and not isinstance(seen, str):
            for reason in schema_errors(returns, seen)[:3]:
                yield index, f"the result of {call.name} is not as its schema says: {reason}"
        if isinstance(seen, dict):
            for name, value in call.arguments.items():
                if name in seen and not _agree(value, seen[name]):
                    yield index, f"{call.name} was asked with {name} {value!r} and answers for {seen[name]!r}"
        for name, value in call.arguments.items():
            if LIMIT_NAME.match(name) and isinstance(value, int) and not isinstance(value, bool) and value > 0:
                longest = max((len(one) for one in _top_lists(seen)), default=0)
                if longest > value:
                    yield index, f"{call.name} was asked for {value} at most and answers with {longest}"


def is_fault(observation: Any) -> bool:
    """The tool answers with an error, or with nothing."""
    if isinstance(observation, dict):
        return any(key in observation for key in ("error", "errors", "error_code", "错误")) or not observation
    return observation in (None, "", [])


def _agree(asked: Any, answered: Any) -> bool:
    if isinstance(asked, bool) or isinstance(answered, bool) or type(asked) is not type(answered):
        return True  # other types mean other things: a name asked, an object answered
    if isinstance(asked, str):
        left, right = normal(asked), normal(answered)
        return left in right or right in left
    return bool(asked == answered) if isinstance(asked, int | float) else True


def _top_lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict):
        lists = [inner for inner in value.values() if isinstance(inner, list)]
        if len(lists) == 1:
            yield lists[0]


CONSISTENCY_GATES: tuple[Gate, ...] = (
    Gate("spelling", "a value is spelled in one way throughout a session", _spellings),
    Gate("formats", "arguments have the format that the tool documents", each_task(_formats)),
    Gate("observations", "results fit their schema and echo the arguments", each_task(_observations)),
)
