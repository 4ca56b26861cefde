"""Judges a row of dates: the reading at the expression against the right kind, value, part of the day and deadline."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from wildtool.language.dates import Moment, MomentKind, read_dates
from wildtool.language.spans import SURE, Span

LIKELY = 0.5
"""Where nothing is to be read, a reading above this counts as one."""


def judge(row: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the reader agrees with the row, and whether it is sure.

    Raises ``KeyError`` for a row without the fields of a date, ``ValueError`` for one with a bad clock or offset.
    """
    text = row["text"]
    spans = read_dates(text, row["language"], datetime.fromisoformat(row["now"]))
    expected = row["expected"]
    if expected["kind"] == "none":
        return not any(span.best.certainty > LIKELY for span in spans), not spans or any(span.sure for span in spans)
    span = _deciding(spans, text, row["expression"])
    if span is None:
        return False, not spans
    if row.get("ambiguous"):
        agree = span.ambiguous or any(_same(span.best.value, expected["kind"], value) for value in row["values"])
        return agree, span.sure
    moment = span.best.value
    agree = _same(moment, expected["kind"], expected["value"])
    if "part" in row:
        agree = agree and moment.part is not None and moment.part.value == row["part"]
    if "deadline" in row:
        agree = agree and moment.deadline == row["deadline"]
    return agree, span.best.certainty >= SURE and not span.ambiguous


def _deciding(spans: tuple[Span[Moment], ...], text: str, expression: str) -> Span[Moment] | None:
    """The span that shares most characters with the expression; None where none shares any."""
    start = text.index(expression)
    end = start + len(expression)
    shared = [(min(span.end, end) - max(span.start, start), span) for span in spans]
    best = max(shared, key=lambda one: one[0], default=None)
    return best[1] if best is not None and best[0] > 0 else None


def _same(moment: Moment, kind: str, value: str | list[str | None]) -> bool:
    if moment.kind.value != kind:
        return False
    if moment.kind is MomentKind.RANGE:
        return list(moment.bounds()) == list(value)
    return moment.iso() == value
