"""Several needs in one message, and whether they look independent, chained or both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from wildtool.mining.behaviour.features import Turn, joins_needs
from wildtool.mining.behaviour.lexicon import Lexicon
from wildtool.mining.behaviour.reading import measures
from wildtool.schemas.vocabulary import Composition, TurnKind

NEEDS = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})

SHORTEST_PART = 4
"""Letters that a part must have to say a need ("rain?")."""

SAYS_A_NEED = ("opens", "request", "act", "command")
POINTS_BACK = ("pronoun", "demonstrative")

_MARK = re.compile("[.?!;。？！；\n]")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a message that puts a need."""

    found: int
    """Names found in it, as bits."""
    asks: bool
    """A question."""
    wants: bool
    """A wish told in the first person: "I need a haircut"."""
    joined: bool
    """Begins with a word that adds it to the part before."""


def composition(turn: Turn, kind: TurnKind, words: Lexicon, several: bool | None) -> Composition:
    """How many needs a message puts, and how they hang together.

    A message is cut at the words and marks that join needs. Chained means that a later part can only be met after an
    earlier one ("find one and book it"), both that some parts are and some are not. A wish and the request for it are one
    need ("I need a haircut. Can you find a salon?"), and so are the properties of one thing ("its phone and address").

    Args:
        turn: the turn.
        kind: what it does.
        words: the language's lexicon.
        several: a model's word on whether there are several needs; None where the language has no model for it and
            the parts that ask or request are counted instead.
    """
    if kind not in NEEDS or (several is False and not joins_needs(turn, words)):
        return Composition.NONE
    joints = words.where(turn.now.hits, "joint") if turn.has("joint", words) else []
    if several is None and not joints and len(_MARK.findall(turn.now.text)) < 2:
        return Composition.NONE
    parts = _parts(turn, words, joints)
    if several is None:
        parts = _apart(parts, words)
        if len(parts) < 2:
            return Composition.NONE
    # Of a find all parts of a message speak: only what a message opens can the parts after it point at.
    own = kind is not TurnKind.FOLLOW_UP and bool(parts) and not parts[0].found & words.any_of(POINTS_BACK)
    pointing = words.any_of(POINTS_BACK) if own else 0
    leaning = pointing | words.bits["chained"]
    chained = sum(bool(part.found & leaning) for part in parts[1:])
    if chained == 0:
        return Composition.INDEPENDENT
    return Composition.CHAINED if chained >= len(parts) - 1 else Composition.BOTH


def _apart(parts: list[Part], words: Lexicon) -> list[Part]:
    """The parts that put a need of their own beside those before them."""
    kept: list[Part] = []
    for part in parts:
        if not kept:
            kept.append(part)
            continue
        before = kept[-1]
        another = bool(
            part.found & words.topics and before.found & words.topics and not part.found & before.found & words.topics
        )
        adds = part.joined and (another or not part.wants)
        if adds or (part.asks and before.asks) or (another and not part.wants and not before.wants):
            kept.append(part)
        elif before.wants and not part.wants:
            kept[-1] = part  # the request says what the wish was for
    return kept


def _parts(turn: Turn, words: Lexicon, joints: list[tuple[int, str]]) -> list[Part]:
    """The parts that put a need: they ask, or a verb of asking for something stands near their beginning."""
    text = turn.now.text
    cuts = {place for place, _ in joints} | {mark.end() for mark in _MARK.finditer(text)}
    # Not in the middle of a phrase: "I would also like to" is one.
    cuts -= {
        cut
        for place, phrase in turn.now.hits
        for cut in cuts
        if place < cut < place + len(phrase) and phrase[0].isalnum()
    }
    edges = [0, *sorted(cuts), len(text)]
    need = words.any_of(SAYS_A_NEED)
    question = words.any_of(("question", "attribute"))
    read = measures(words.language)
    reach = 4 * read.joint_reach
    parts: list[Part] = []
    lowered = text.lower()
    for start, end in pairwise(edges):
        if end - start < SHORTEST_PART:
            continue
        found = words.within(turn.now.hits, start, end)
        begins = words.within(turn.now.hits, start, min(end, start + reach))
        piece = lowered[start:end]
        if read.go_ahead is not None and read.go_ahead.fullmatch(piece):
            continue
        asks = bool(begins & question) and (read.question is None or read.question.match(piece) is not None)
        if begins & need or asks:
            parts.append(Part(found, asks, _matches(read.wants, piece), _matches(read.joined, piece)))
    return parts


def _matches(pattern: re.Pattern[str] | None, piece: str) -> bool:
    return pattern is not None and pattern.match(piece) is not None
