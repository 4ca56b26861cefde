"""Several needs in one message, and whether they look independent, chained or both."""

from __future__ import annotations

from mining.behaviour.cues import Cues
from mining.behaviour.turns import Turn
from mining.topics import topics_in
from schemas.vocabulary import Composition, TurnKind

NEEDS = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})

SHORTEST_PART = 3
"""Characters without fillers that a part must have to say a need ("rain?")."""


def composition(turn: Turn, kind: TurnKind, cues: Cues) -> Composition:
    """How many needs a message puts, and how they hang together.

    A message is cut at the words that join needs; parts count that ask or request. Chained means that a later part
    can only be met after an earlier one ("find one and book it"), both that some parts are and some are not.
    """
    if kind not in NEEDS:
        return Composition.NONE
    parts = _parts(turn.text, cues)
    if len(parts) < 2:
        return Composition.NONE
    chained = sum(_leans_on_part(part, cues) for part in parts[1:])
    if chained == 0:
        return Composition.INDEPENDENT
    return Composition.CHAINED if chained == len(parts) - 1 else Composition.BOTH


def _parts(text: str, cues: Cues) -> list[str]:
    cuts = [found.start() for found in cues.joints.finditer(text)]
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    parts = []
    for place, piece in enumerate(pieces):
        core = cues.filler.sub(" ", piece).strip()
        if len(core) < SHORTEST_PART:
            continue
        if cues.question.search(piece) or cues.request.search(piece) or (place and topics_in(piece)):
            parts.append(piece)
    return parts


def _leans_on_part(part: str, cues: Cues) -> bool:
    return cues.chained.search(part) is not None or cues.devices[-1][1].search(part) is not None
