"""Hidden intent: where a user turn leans on what was said before, with the words that lean and the turn they lean on."""

from __future__ import annotations

import re

from mining.behaviour.cues import Cues
from mining.behaviour.turns import TAIL, Turn
from schemas.conversation import HiddenReference
from schemas.vocabulary import Device, HiddenIntentKind, TurnKind

SPAN_CHARS = 40
"""The longest span that is kept: a few words."""

LONG_RANGE = 2
"""More user turns back than this is long range (WildToolBench)."""

CALLING = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.CLARIFY_ANSWER})
"""Kinds that set something going; a follow-up asks about what is already there."""

VALUES_OF_A_NEED = 2
"""Values that a need which stands alone states: mostly a place and a time, or a thing and a number."""

LEANING = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})


def references(
    turn: Turn, kind: TurnKind, kinds: list[TurnKind], turns: list[Turn], cues: Cues
) -> tuple[HiddenReference, ...]:
    """References of one turn to earlier ones. The first turn has none.

    Two things are looked for: words that point back or a gap where words are missing, and values of long ago that the
    reply needs although this turn does not say them.

    Args:
        turn: the turn.
        kind: what it does.
        kinds: kinds of all turns.
        turns: all turns.
        cues: the language's cues.
    """
    if turn.index == 0:
        return ()
    found: list[HiddenReference] = []
    if kind in LEANING:
        near = _pointing(turn, kinds, turns, cues) or _missing(turn, kind, kinds, turns, cues)
        if near is not None:
            found.append(near)
    far = _long_ago(turn, kind, kinds, turns, cues)
    if far is not None and all(one.kind is not HiddenIntentKind.LONG_RANGE for one in found):
        found.append(far)
    return tuple(found)


def _pointing(turn: Turn, kinds: list[TurnKind], turns: list[Turn], cues: Cues) -> HiddenReference | None:
    """The surest word that points back."""
    for device, pattern in cues.devices:
        match = pattern.search(turn.text)
        if match is not None and not _within(match.start(), turn, cues):
            leans_on = _antecedent(turn, kinds, turns, device)
            return _reference(HiddenIntentKind.COREFERENCE, device, match.group(), turn, leans_on)
    return None


def _missing(
    turn: Turn, kind: TurnKind, kinds: list[TurnKind], turns: list[Turn], cues: Cues
) -> HiddenReference | None:
    """Something left out that an earlier turn said."""
    device = _omission(turn, kind, cues)
    if device is None and kind is TurnKind.TASK_OPEN and _goes_without(turn, turns, cues):
        device = Device.OMITTED_SEVERAL
    if device is None:
        return None
    leans_on = _antecedent(turn, kinds, turns, device)
    return _reference(HiddenIntentKind.PARTIAL_INFORMATION, device, turn.text, turn, leans_on)


def _goes_without(turn: Turn, turns: list[Turn], cues: Cues) -> bool:
    """Does a later opening say too little for the reply, which does not ask back? Then earlier turns said the rest."""
    told = any(earlier.values for earlier in turns[: turn.index])
    return told and len(turn.values) < VALUES_OF_A_NEED and not cues.asks.search(turn.after[-TAIL:])


def _long_ago(
    turn: Turn, kind: TurnKind, kinds: list[TurnKind], turns: list[Turn], cues: Cues
) -> HiddenReference | None:
    """The oldest value that is still in force and that this turn, which sets something going, does not say.

    Values are in force from the turn that opened the present task on. A turn sets something going if the reply after
    it asks for no further value: then the assistant had all it needed, from this turn or from earlier ones.
    """
    goes_ahead = cues.confirms.search(turn.asked) is not None and cues.negate.search(turn.text) is None
    if kind not in CALLING and not goes_ahead:
        return None
    if not turn.after or cues.asks.search(turn.after[-TAIL:]) or cues.confirms.search(turn.after[-TAIL:]):
        return None
    opened = turn.index if kind is TurnKind.TASK_OPEN else _opening(turn.index, kinds)
    said = " ".join(turn.values)
    for earlier in turns[opened : max(0, turn.index - LONG_RANGE)]:
        kept = [value for value in earlier.values if value not in said]
        last = [
            value for value in kept if all(value not in later.values for later in turns[earlier.index + 1 : turn.index])
        ]
        if last:
            return _reference(HiddenIntentKind.LONG_RANGE, Device.OMITTED_SEVERAL, turn.text, turn, earlier.index)
    return None


def _opening(index: int, kinds: list[TurnKind]) -> int:
    """The last turn before this one that opened a task."""
    return next((place for place in range(index - 1, -1, -1) if kinds[place] is TurnKind.TASK_OPEN), 0)


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
