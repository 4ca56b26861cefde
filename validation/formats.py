"""Formats: arguments are written as the tool's description says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from wildtool.grounding.evidence import leaves, parameter_schema
from wildtool.language.dates.values import days_of_value
from wildtool.schemas.session import Session, Task
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions

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


@task_rule("formats", "arguments have the format that the tool documents", reads_text=True)
def formats(session: Session, number: int, task: Task) -> Iterator[Finding]:
    """A documented format or letter case holds, where the description documents exactly one."""
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
                yield found(index, f"{call.name}.{path} is {value[:60]!r}, documented as {fitting[0][1]}")
            cased = [(change, name) for documented, change, name in CASED if documented.search(text)]
            if len(cased) == 1 and cased[0][0](value) != value:
                yield found(index, f"{call.name}.{path} is {value[:60]!r}, documented as {cased[0][1]}")
