"""What the words around an expression tell of it: whether the clause is past, and which half of the day it speaks of."""

from __future__ import annotations

import re
from datetime import datetime

from wildtool.language.dates.grammar import Grammar, Tense
from wildtool.language.dates.stretches import DOUBTFUL, Context

_BESIDE = 40
"""Characters before an expression in which a preposition belongs to it."""
_LEAD = re.compile("[a-z]+ ")
"""A preposition that is part of the expression."""
_WINDOW = 240
"""Characters on either side of an expression that tell of it; what stands further off is another matter."""


def context_of(folded: str, start: int, end: int, grammar: Grammar, now: datetime) -> Context:
    """The context of the expression at these offsets of the folded text."""
    tense = grammar.tense
    first = max(0, start - _WINDOW)
    folded, start, end = folded[first : end + _WINDOW], start - first, end - first
    left, right = _clause(folded, start, end, tense)
    before, after = folded[left:start], folded[end:right]
    lead = _LEAD.match(folded, start, end)
    direction, doubt = _direction(before, after, tense, lead[0] if lead else "")
    if direction == 0 and (left, right) != (0, len(folded)):
        wide, wide_doubt = _direction(folded[:start], folded[end:], tense)
        # A neighbouring clause says less: past there makes the direction here a question.
        direction = max(wide, 0)
        doubt = min(doubt, wide_doubt, DOUBTFUL if wide < 0 else 1.0)
    rest = folded[:start] + " " + folded[end:]
    am, pm = bool(tense.am.search(rest)), bool(tense.pm.search(rest))
    half = None if am == pm else "am" if am else "pm"
    return Context(now, direction, doubt, half, grammar.numeric, grammar.colon)


def _clause(folded: str, start: int, end: int, tense: Tense) -> tuple[int, int]:
    left, right = 0, len(folded)
    for mark in tense.breaks.finditer(folded):
        if mark.end() <= start:
            left = mark.end()
        elif mark.start() >= end:
            right = mark.start()
            break
    return left, right


def _direction(before: str, after: str, tense: Tense, lead: str = "") -> tuple[int, float]:
    """-1, 0 or 1, and the factor of certainty where nothing tells but words of finished things stand there."""
    beside = before[-_BESIDE:]
    if tense.back.search(beside) or tense.back_after.match(after) or (lead and tense.back.search(beside + lead)):
        return -1, 1.0
    if tense.on.search(beside) or tense.on_after.match(after) or (lead and tense.on_led.search(before + lead)):
        return 1, 1.0
    text = tense.neutral.sub(" ", f"{before}\n{after}")
    future = tense.future.search(text) is not None
    past = tense.past.search(text) is not None
    if (past and not future) or (tense.firm.search(text) is not None and not tense.on.search(beside)):
        return -1, 1.0 if not future else 0.9
    if future and not past:
        return 1, 1.0
    doubtful = past or tense.doubt.search(text) is not None
    return 0, DOUBTFUL if doubtful else 1.0
