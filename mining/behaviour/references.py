"""Hidden intent: where a user turn leans on what was said before, with the words that lean and the turn they lean on."""

from __future__ import annotations

import re

from mining.behaviour.cues import Cues
from mining.behaviour.turns import Turn
from schemas.conversation import HiddenReference
from schemas.vocabulary import Device, HiddenIntentKind, TurnKind

SPAN_CHARS = 40
"""The longest span that is kept: a few words."""

LONG_RANGE = 2
"""More user turns back than this is long range (WildToolBench)."""

LEANING = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})


def references(
    turn: Turn, kind: TurnKind, kinds: list[TurnKind], turns: list[Turn], cues: Cues
) -> tuple[HiddenReference, ...]:
    """References of one turn to earlier ones. The first turn has none, nor has talk.

    Args:
        turn: the turn.
        kind: what it does.
        kinds: kinds of all turns.
        turns: all turns.
        cues: the language's cues.
    """
    if turn.index == 0 or kind not in LEANING:
        return ()
    found: list[HiddenReference] = []
    for device, pattern in cues.devices:
        match = pattern.search(turn.text)
        if match is None or _within(match.start(), turn, cues):
            continue
        leans_on = _antecedent(turn, kinds, turns, device)
        found.append(_reference(HiddenIntentKind.COREFERENCE, device, match.group(), turn, leans_on))
        break
    if not found:
        device = _omission(turn, kind, cues)
        if device is not None:
            leans_on = _antecedent(turn, kinds, turns, device)
            span = " ".join(turn.text.split())
            found.append(_reference(HiddenIntentKind.PARTIAL_INFORMATION, device, span, turn, leans_on))
    return tuple(found)


def _within(start: int, turn: Turn, cues: Cues) -> bool:
    """Does the word point into its own message? "Find a hotel and tell me its price" leans on nothing earlier."""
    head = turn.text[:start]
    core = cues.filler.sub(" ", head).strip()
    return (
        len(core) > 25
        and bool(cues.request.search(head))
        and bool(re.search(r"\w", core))
        and bool(cues.values.search(head))
    )


def _omission(turn: Turn, kind: TurnKind, cues: Cues) -> Device | None:
    if kind is TurnKind.CLARIFY_ANSWER:
        return None
    if cues.change.search(turn.text):
        return Device.CHANGED_CONSTRAINT
    if cues.alternative.search(turn.text):
        return Device.ADDED_CONSTRAINT
    if kind is TurnKind.FOLLOW_UP and cues.ellipsis.search(turn.text):
        return Device.OMITTED_SUBJECT
    if cues.ellipsis.search(turn.text) and len(turn.core) < 30:
        return Device.OMITTED_SEVERAL
    if kind is TurnKind.TASK_OPEN and cues.act.search(turn.text) and not turn.values:
        return Device.OMITTED_SUBJECT
    return None


def _antecedent(turn: Turn, kinds: list[TurnKind], turns: list[Turn], device: Device) -> int:
    """The user turn that a reference leans on: the one before, unless an earlier one alone shares its topic."""
    previous = turn.index - 1
    while previous > 0 and kinds[previous] in (TurnKind.CHAT, TurnKind.CLOSE):
        previous -= 1
    if device in (Device.DESCRIPTION, Device.ORDINAL, Device.REVERSE_ORDINAL, Device.ABBREVIATION) and turn.topics:
        for index in range(previous, -1, -1):
            if turns[index].topics & turn.topics:
                return index
    return previous


def _reference(kind: HiddenIntentKind, device: Device, span: str, turn: Turn, leans_on: int) -> HiddenReference:
    distance = turn.index - leans_on
    return HiddenReference(
        kind=HiddenIntentKind.LONG_RANGE if distance > LONG_RANGE else kind,
        device=device,
        span=" ".join(span.split())[:SPAN_CHARS],
        leans_on=leans_on,
        distance=distance,
    )
