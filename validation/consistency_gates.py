"""Gates on agreement inside a session: spellings, documented formats, observations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from wildtool.grounding.evidence import Known, leaves, parameter_schema, task_words
from wildtool.language.date_values import days_of_value
from wildtool.language.folding import normal
from wildtool.language.result_filters import misfits
from wildtool.schemas.base import JsonObject
from wildtool.schemas.release import GateFailure
from wildtool.schemas.session import Session, Task
from wildtool.validation.gate import Gate, GateContext, each_task, fail
from wildtool.validation.structure_gates import calls_of, functions, schema_errors

_EDGE = r"(?<![A-Za-z\d])"
_LETTERS_2, _LETTERS_3 = re.compile(r"[A-Za-z]{2}"), re.compile(r"[A-Za-z]{3}")
DOCUMENTED: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = tuple(
    (re.compile(documented, re.I), shape if isinstance(shape, re.Pattern) else re.compile(shape), name)
    for documented, shape, name in (
        (
            _EDGE + r"YYYY-MM-DD(?!['\"]?[T ]?['\"]?HH)(?!T)",
            r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])",
            "YYYY-MM-DD",
        ),
        (_EDGE + r"YYYY/MM/DD(?! ?HH)", r"\d{4}/(?:0[1-9]|1[0-2])/(?:0[1-9]|[12]\d|3[01])", "YYYY/MM/DD"),
        (_EDGE + r"DD/MM/YYYY", r"(?:0[1-9]|[12]\d|3[01])/(?:0[1-9]|1[0-2])/\d{4}", "DD/MM/YYYY"),
        (_EDGE + r"MM/DD/YYYY", r"(?:0[1-9]|1[0-2])/(?:0[1-9]|[12]\d|3[01])/\d{4}", "MM/DD/YYYY"),
        (_EDGE + r"DD\.MM\.YYYY", r"(?:0[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])\.\d{4}", "DD.MM.YYYY"),
        (_EDGE + r"DD-MM-YYYY", r"(?:0[1-9]|[12]\d|3[01])-(?:0[1-9]|1[0-2])-\d{4}", "DD-MM-YYYY"),
        (_EDGE + r"YYYYMMDD(?!\w)", r"\d{8}", "YYYYMMDD"),
        (_EDGE + r"YYYY-MM(?![-\w])", r"\d{4}-(?:0[1-9]|1[0-2])", "YYYY-MM"),
        (
            _EDGE + r"YYYY-MM-DD['\"]?[T ]['\"]?HH:MM(?!:)(?::?SS)?",
            r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?",
            "YYYY-MM-DD HH:MM",
        ),
        (r"(?<![T\w:\]'\"] )(?<![\w:'\"-])HH:MM(?![:\w])", r"(?:[01]\d|2[0-3]):[0-5]\d", "HH:MM"),
        (r"(?<![T\w:\]'\"] )(?<![\w:'\"-])HH:MM:SS(?!\w)", r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d", "HH:MM:SS"),
        (
            r"(?<![A-Za-z])(?:two|2)[- ]letter|alpha-?2|(?:两|2|二)(?:位|个)?字母|ISO[ -]?3166-1(?! alpha-?3)(?!-2)|ISO[ -]?639-1",
            _LETTERS_2,
            "two letters",
        ),
        (
            r"(?<![A-Za-z])(?:three|3)[- ]letter|ISO[ -]?4217|(?:三|3)(?:位|个)?字母|alpha-?3|\bIATA (?:airport )?code",
            _LETTERS_3,
            "three letters",
        ),
        (r"\bfour[- ]letter|\bICAO (?:airport )?code", r"[A-Za-z]{4}", "four letters"),
        (r"\bE\.?164\b", r"\+[1-9]\d{6,14}", "E.164"),
        (r"\b(?:five|5)[- ]digit", r"\d{5}", "five digits"),
        (r"\b(?:six|6)[- ]digit|六位(?:数字|邮编)", r"\d{6}", "six digits"),
        (r"#RRGGBB", r"#[0-9A-Fa-f]{6}", "#RRGGBB"),
        (r"\bUUID\b(?! or)", r"[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}", "a UUID"),
        (r"(?<![A-Za-z])(?:unix (?:timestamp|time)|epoch seconds)", r"\d{9,13}", "a Unix time"),
        (
            r"(?<![A-Za-z])lat(?:itude)? ?, ?(?:lng|lon)(?:gitude)?(?![A-Za-z])|经纬度.{0,6}(?:逗号|,)",
            r"-?\d{1,3}(?:\.\d+)? ?, ?-?\d{1,3}(?:\.\d+)?",
            "latitude,longitude",
        ),
    )
)
"""How descriptions document a format, and what then has to match. A description with several is left alone."""
CASED = (
    (
        re.compile(r"\b(?:in |must be |all )?(?:upper[ -]?case|capital letters|capitals)\b(?! or)|大写", re.I),
        str.upper,
        "upper case",
    ),
    (re.compile(r"\b(?:in |must be |all )?lower[ -]?case\b(?! or)|小写", re.I), str.lower, "lower case"),
)
"""Letter cases that descriptions ask for."""
DAY_EXAMPLE = re.compile(
    r"(?:e\.?g\.?|example|such as|like|例如|比如|如)[^A-Za-z\d]{0,6}(?:\d{4}-\d{2}-\d{2})(?![T\d])", re.I
)
"""A day shown as an example documents the format too."""


def _spellings(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
    for session in sessions:
        known = functions(session)
        spelled: dict[str, dict[str, tuple[int, int]]] = {}
        by_parameter: dict[str, dict[str, tuple[int, int]]] = {}
        for number, task in enumerate(session.tasks):
            for index, call in calls_of(task):
                for path, value in leaves(call.arguments):
                    schema, _ = parameter_schema(known.get(call.name, {}), path)
                    if isinstance(value, str) and _is_name(value, schema):
                        spelled.setdefault(normal(value), {}).setdefault(value.strip(), (number, index))
                        by_parameter.setdefault(path, {}).setdefault(value.strip(), (number, index))
                        if apart := _run_together(value, Known(session, number, index).words):
                            yield fail(session, f"{value!r} is spelled {apart!r} by the user", number, index)
        for ways in spelled.values():
            if len(ways) > 1:
                number, index = list(ways.values())[1]
                yield fail(session, f"one value, spelled {' and '.join(map(repr, sorted(ways)))}", number, index)
        for ways in by_parameter.values():
            for one, two in combinations(ways, 2):
                if _misspelled(one, two) and not _both_known(session, one, two):
                    yield fail(session, f"one value, spelled {one!r} and {two!r}", *ways[two])


def _run_together(value: str, words: Sequence[str]) -> str | None:
    """How the user spells a value whose blanks were lost: ``LasVegas`` where "Las Vegas" was said."""
    if not re.fullmatch(r"[^\W\d_]{6,}", value) or not value.isascii():
        return None
    letters = r"[ -]?".join(value.casefold())
    for text in words:
        plain = text.casefold()
        if value.casefold() not in plain and (found := re.search(rf"(?<![a-z]){letters}(?![a-z])", plain)):
            return found[0]
    return None


def _misspelled(one: str, two: str) -> bool:
    """One letter apart, in words that are long enough and no mere plural."""
    left, right = normal(one), normal(two)
    if not (left.isascii() and right.isascii()) or min(len(left), len(right)) < 6 or left == right:
        return False
    if left.rstrip("s") == right.rstrip("s") or abs(len(left) - len(right)) > 1:
        return False
    first = next((at for at, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    if first == 0:
        return False
    return left[first + (len(left) >= len(right)) :] == right[first + (len(right) >= len(left)) :]


def _both_known(session: Session, one: str, two: str) -> bool:
    """Both spellings stand in the dialogue: two things, not two spellings of one."""
    texts = [text for task in session.tasks for text in task_words(task)]
    seen = [str(value) for task in session.tasks for _, call in calls_of(task) for _, value in leaves(call.observation)]
    held = normal("\n".join([*texts, *seen]))
    return normal(one) in held and normal(two) in held


def _is_name(value: str, schema: JsonObject) -> bool:
    """A free name: what an enum, a pattern or a format prescribes may differ from tool to tool."""
    return not ({"enum", "pattern", "format", "const"} & schema.keys()) and len(re.findall(r"[^\W\d_]", value)) > 1 \
        and not any(char.isdigit() for char in value)  # fmt: skip


def _formats(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    known = functions(session)
    for index, call in calls_of(task):
        for path, value in leaves(call.arguments):
            schema, _ = parameter_schema(known.get(call.name, {}), path)
            text = str(schema.get("description", ""))
            fitting = [(shape, name) for documented, shape, name in DOCUMENTED if documented.search(text)]
            if not isinstance(value, str) or not value or "enum" in schema:
                continue
            if not fitting and DAY_EXAMPLE.search(text) and days_of_value(value) is not None:
                fitting = [(re.compile(r"\d{4}-\d{2}-\d{2}"), "YYYY-MM-DD")]
            if len(fitting) == 1 and not fitting[0][0].fullmatch(value):
                yield index, f"{call.name}.{path} is {value[:60]!r}, documented as {fitting[0][1]}"
            cased = [(change, name) for documented, change, name in CASED if documented.search(text)]
            if len(cased) == 1 and cased[0][0](value) != value:
                yield index, f"{call.name}.{path} is {value[:60]!r}, documented as {cased[0][1]}"


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
        parameters = known.get(call.name, {}).get("parameters", {}).get("properties", {})
        for reason in misfits(call.arguments, seen, parameters):
            yield index, f"{call.name} was {reason}"
    yield from _facts(session, number, task)


_YEAR = re.compile(
    r"(?:\b(?:in|since|year|until|before|after) |(?<!\d))(?:(?<=[a-z] )|(?=\d{4}年))(1[5-9]\d\d|20\d\d)(?![\d-])(?! ?(?:%|dollars|euros|people|km|m\b))"
)


def _facts(session: Session, number: int, task: Task) -> Iterator[tuple[int | None, str]]:
    """A year in an answer is one that a result, somebody's words, an argument or the clock holds."""
    results = [value for _, call in calls_of(task) for _, value in leaves(call.observation)]
    if not any(re.search(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)", str(value)) for value in results):
        return  # nothing that it could contradict
    last = len(task.actions) - 1
    text = getattr(task.actions[last], "text", "")
    known = Known(session, number, last)
    held = " ".join(
        str(one) for one in (*results, *known.observations, *known.earlier_values, *known.words, session.now)
    )
    held += " ".join(str(value) for _, call in calls_of(task) for _, value in leaves(call.arguments))
    years = set(re.findall(r"\d{4}", held)) | {f"{part:g}" for part in known.date_parts}
    for year in _YEAR.findall(text):
        if year not in years:
            yield last, f"the answer says {year}, a year that no result holds"


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


CONSISTENCY_GATES: tuple[Gate, ...] = (
    Gate("spelling", "a value is spelled in one way throughout a session", _spellings),
    Gate("formats", "arguments have the format that the tool documents", each_task(_formats)),
    Gate("observations", "results fit their schema and echo the arguments", each_task(_observations)),
)
