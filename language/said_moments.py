"""The moment that a whole text says in words, where ``date_parsing`` reads none: a quarter to nine, 圣诞节."""

from __future__ import annotations

import re
from datetime import date, datetime, time
from functools import lru_cache

from wildtool.language.date_parsing import Moment
from wildtool.language.dates import Moment as Said
from wildtool.language.dates import MomentKind, read_dates
from wildtool.language.folding import plain
from wildtool.language.lexicon import languages
from wildtool.language.spans import Span

LONGEST = 60
"""Characters of a text that can be a moment and nothing else."""


@lru_cache(maxsize=4096)
def said_moment(text: str, now: datetime) -> Moment | None:
    """The one moment that the whole text says, in any language; None where it says another thing or may say two."""
    if len(text) > LONGEST or not re.search(r"[^\W\d_]", text):
        return None  # figures alone: 03/04/2024 may be two days
    text = text.strip()
    found = {moment for language in languages() if (moment := _of(text, read_dates(text, language, now))) is not None}
    return found.pop() if len(found) == 1 else None


def _of(text: str, spans: tuple[Span[Said], ...]) -> Moment | None:
    if len(spans) != 1 or spans[0].ambiguous or len(plain(spans[0].text)) < len(plain(text)):
        return None
    if len(spans[0].readings) > 1 and spans[0].best.certainty < CERTAIN:
        return None
    said = spans[0].best.value
    if said.deadline:
        return None
    match said.kind, said.start:
        case MomentKind.DATETIME, datetime() as at:
            return Moment(at.date(), at.time(), "date.relative")
        case MomentKind.DATE, date() as day if said.part is None:
            return Moment(day, None, "date.relative")
        case MomentKind.TIME, time() as clock:
            return Moment(None, clock, "date.relative")
        case MomentKind.MONTH, date() as first:
            return Moment(first, None, "date.relative", whole_month=True)
        case _:
            return None


CERTAIN = 0.9
"""Least certainty of a reading beside which there are others."""
