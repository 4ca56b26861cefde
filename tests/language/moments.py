"""How tables of dates write what was read, and the check of one row."""

from __future__ import annotations

from datetime import datetime

from wildtool.language.dates import Moment, read_dates
from wildtool.language.spans import Span


def told(span: Span[Moment]) -> str:
    moment = span.best.value
    part = f" {moment.part.value}" if moment.part else ""
    return f"{moment.kind.value} {moment.iso()}{part}{' deadline' * moment.deadline}{' ?' * span.ambiguous}"


def read(text: str, language: str, now: datetime) -> str:
    """All that a text names, in order; ``none`` where it names nothing."""
    spans = [span for span in read_dates(text, language, now) if span.best.certainty > 0.5 or span.ambiguous]
    return "; ".join(map(told, spans)) or "none"


def check_row(row: str, language: str, now: datetime) -> None:
    """Check a row "text | what it names"."""
    text, _, expected = row.partition(" | ")
    assert read(text, language, now) == expected
