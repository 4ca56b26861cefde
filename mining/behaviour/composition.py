"""Several needs in one message, and whether they look independent, chained or both."""

from __future__ import annotations

import re
from itertools import pairwise

from mining.behaviour.features import Turn
from mining.behaviour.lexicon import Lexicon
from schemas.vocabulary import Composition, TurnKind

NEEDS = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})

SHORTEST_PART = 4
"""Letters that a part must have to say a need ("rain?")."""

SAYS_A_NEED = ("opens", "request", "attribute", "act")
LEANS_ON_PART = ("chained", "pronoun", "demonstrative")


def composition(turn: Turn, kind: TurnKind, words: Lexicon, several: bool | None) -> Composition:
    """How many needs a message puts, and how they hang together.

    A message is cut at the words and marks that join needs. Chained means that a later part can only be met after an
    earlier one ("find one and book it"), both that some parts are and some are not.

    Args:
        turn: the turn.
        kind: what it does.
        words: the language's lexicon.
        several: a model's word on whether there are several needs; None where the language has no model for it and
            the parts that ask or request are counted instead.
    """
    if kind not in NEEDS or several is False:
        return Composition.NONE
    joints = words.where(turn.now.hits, "joint") if turn.has("joint", words) else []
    if several is None and not joints and len(_MARK.findall(turn.now.text)) < 2:
        return Composition.NONE
    parts = _parts(turn, words, joints)
    if several is None and len(parts) < 2:
        return Composition.NONE
    leaning = words.any_of(LEANS_ON_PART)
    chained = sum(bool(part & leaning) for part in parts[1:])
    if chained == 0:
        return Composition.INDEPENDENT
    return Composition.CHAINED if chained >= len(parts) - 1 else Composition.BOTH


def _parts(turn: Turn, words: Lexicon, joints: list[tuple[int, str]]) -> list[int]:
    """Names found in each part that puts a need, as bits; a part that only names topics counts if it asks."""
    text = turn.now.text
    cuts = {place for place, _ in joints} | {mark.end() for mark in _MARK.finditer(text)}
    edges = [0, *sorted(cuts), len(text)]
    need = words.any_of(SAYS_A_NEED)
    parts: list[int] = []
    for start, end in pairwise(edges):
        if end - start < SHORTEST_PART:
            continue
        found = words.within(turn.now.hits, start, end)
        asks = any(mark in text[start:end] for mark in "?？")
        if found & need or (found & words.topics and parts and asks):
            parts.append(found)
    return parts


_MARK = re.compile("[.?!;。？！；]")
