"""Reads the dates of a text."""

from __future__ import annotations

from datetime import datetime

from wildtool.language.dates.cascade import find, fold, joined
from wildtool.language.dates.grammar import grammar
from wildtool.language.dates.moments import Moment
from wildtool.language.dates.readings import read
from wildtool.language.dates.surroundings import context_of
from wildtool.language.spans import Kind, Span


def read_dates(text: str, language: str, now: datetime) -> tuple[Span[Moment], ...]:
    """Read every expression of time in a text, seen from ``now`` (local; an offset is ignored), in order.

    "Next Friday" said on a Monday has two readings and is ambiguous, as is "half seven" with nothing beside it.
    Words that only look like time ("may I", 五月天) have no span. Raises ``RegistryError`` for an unknown language.
    """
    rules = grammar(language)
    folded, now = fold(text), now.replace(tzinfo=None)
    spans: list[Span[Moment]] = []
    for found in joined(find(folded, rules), folded, rules):
        meaning = read(found.value, context_of(folded, found.start, found.end, rules, now))
        if meaning is None:
            continue
        spans.append(
            Span(Kind.DATE, found.start, found.end, text[found.start : found.end], meaning.readings, meaning.ambiguous)
        )
    return tuple(spans)
