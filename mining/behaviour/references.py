"""Hidden intent: where a user turn leans on what was said before, with the words that lean and the turn they lean on.

Whether a turn leans is the model's to say (``mining.behaviour.model``); the rules here say by which words, and on what.
"""

from __future__ import annotations

from mining.behaviour.features import LONG_RANGE, Turn
from mining.behaviour.lexicon import Lexicon
from schemas.conversation import HiddenReference
from schemas.vocabulary import Device, HiddenIntentKind, TurnKind

SPAN_CHARS = 40
"""The longest span that is kept: a few words."""

DEVICES = (
    (Device.REVERSE_ORDINAL, "reverse_ordinal"),
    (Device.ORDINAL, "ordinal"),
    (Device.DESCRIPTION, "description"),
    (Device.INTERROGATIVE, "interrogative"),
    (Device.DEMONSTRATIVE, "demonstrative"),
    (Device.PRONOUN, "pronoun"),
    (Device.DESCRIPTION, "definite"),
)
"""Cues that point back, the surest first."""

FAR_BACK = frozenset(
    {Device.DESCRIPTION, Device.ORDINAL, Device.REVERSE_ORDINAL, Device.ABBREVIATION, Device.DEMONSTRATIVE}
)
"""Devices that reach over the turn before: what they share words with is looked for further back."""

HEAD_OF_OWN = 25
"""Letters of a message before a pronoun from which on it may point into the message itself."""


def references(
    turn: Turn, kind: TurnKind, kinds: list[TurnKind], turns: list[Turn], words: Lexicon, *, leans: bool, far: bool
) -> tuple[HiddenReference, ...]:
    """References of one turn to earlier ones. The first turn has none.

    Args:
        turn: the turn.
        kind: what it does.
        kinds: kinds of all turns.
        turns: all turns.
        words: the language's lexicon.
        leans: does the turn leave out or point at what earlier turns said?
        far: does it need something said more than two user turns back?
    """
    if turn.index == 0 or not (leans or far):
        return ()
    found: list[HiddenReference] = []
    if leans:
        found.append(_pointing(turn, kinds, turns, words, far) or _missing(turn, kind, kinds, words))
    if far:
        found.append(_long_ago(turn, kinds, turns))
    return tuple(found)


LEANING = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})

POINTS = ("reverse_ordinal", "ordinal", "description", "interrogative", "demonstrative", "pronoun")

FEW_TOKENS = 3
"""Content words up to which a question that points at nothing leaves out what it is about: "and on Sunday?"."""


def points_back(turn: Turn, kind: TurnKind, words: Lexicon) -> bool:
    """Does a turn lean, by its words alone? For kinds of turns on which no corpus annotates it."""
    if turn.index == 0 or kind not in LEANING:
        return False
    pointing = turn.now.present & words.any_of(POINTS)
    if kind is TurnKind.CLARIFY_ANSWER or pointing:
        return bool(pointing)
    if kind is TurnKind.TASK_UPDATE:
        return turn.has("alternative", words) or turn.has("change", words) or not turn.now.present & words.topics
    return kind is TurnKind.FOLLOW_UP and len(turn.now.tokens) <= FEW_TOKENS


def _pointing(
    turn: Turn, kinds: list[TurnKind], turns: list[Turn], words: Lexicon, far: bool
) -> HiddenReference | None:
    """The surest word that points back."""
    for device, cue in DEVICES:
        if not turn.has(cue, words):
            continue
        for place, phrase in words.where(turn.now.hits, cue):
            if device is Device.PRONOUN and _within(place, turn, words):
                continue
            span = turn.now.text[place : place + len(phrase)] or phrase
            leans_on = _antecedent(turn, kinds, turns) if far and device in FAR_BACK else _previous(turn, kinds)
            return _reference(HiddenIntentKind.COREFERENCE, device, span, turn, leans_on)
    return None


def _within(place: int, turn: Turn, words: Lexicon) -> bool:
    """Does a pronoun point into its own message? "Find a hotel and tell me its price" leans on nothing earlier."""
    return place > HEAD_OF_OWN and bool(words.within(turn.now.hits, 0, place) & words.bits["opens"])


def _missing(turn: Turn, kind: TurnKind, kinds: list[TurnKind], words: Lexicon) -> HiddenReference:
    """Something left out that an earlier turn said."""
    if turn.has("change", words):
        device = Device.CHANGED_CONSTRAINT
    elif turn.has("alternative", words):
        device = Device.ADDED_CONSTRAINT
    elif kind is TurnKind.FOLLOW_UP or (kind is TurnKind.TASK_OPEN and turn.has("act", words)):
        device = Device.OMITTED_SUBJECT
    else:
        device = Device.OMITTED_SEVERAL
    return _reference(HiddenIntentKind.PARTIAL_INFORMATION, device, turn.now.text, turn, _previous(turn, kinds))


def _long_ago(turn: Turn, kinds: list[TurnKind], turns: list[Turn]) -> HiddenReference:
    """The turn of long ago whose words come back in the reply although this turn does not say them."""
    missing = (turn.after.tokens | turn.before.tokens) - turn.now.tokens
    for earlier in turns[turn.index - 1 :: -1] if turn.index else ():
        if turn.index - earlier.index <= LONG_RANGE:
            missing = missing - earlier.now.tokens
        elif missing & earlier.now.tokens:
            return _reference(HiddenIntentKind.LONG_RANGE, Device.OMITTED_SEVERAL, turn.now.text, turn, earlier.index)
    opened = next((place for place in range(turn.index - 1, -1, -1) if kinds[place] is TurnKind.TASK_OPEN), 0)
    leans_on = max(0, min(opened, turn.index - LONG_RANGE - 1))
    return _reference(HiddenIntentKind.LONG_RANGE, Device.OMITTED_SEVERAL, turn.now.text, turn, leans_on)


def _previous(turn: Turn, kinds: list[TurnKind]) -> int:
    """The last user turn before this one that was about something."""
    previous = turn.index - 1
    while previous > 0 and kinds[previous] in (TurnKind.CHAT, TurnKind.CLOSE):
        previous -= 1
    return previous


def _antecedent(turn: Turn, kinds: list[TurnKind], turns: list[Turn]) -> int:
    """The user turn that a reference which may reach far leans on: the one before, unless an earlier one alone shares
    its words."""
    previous = _previous(turn, kinds)
    if turn.now.tokens & (turns[previous].now.tokens | turn.before.tokens):
        return previous
    return next((one.index for one in turns[previous::-1] if one.now.tokens & turn.now.tokens), previous)


def _reference(kind: HiddenIntentKind, device: Device, span: str, turn: Turn, leans_on: int) -> HiddenReference:
    distance = turn.index - leans_on
    return HiddenReference.trusted(
        kind=kind,
        device=device,
        span=" ".join(span[: 2 * SPAN_CHARS].split())[:SPAN_CHARS],
        leans_on=leans_on,
        distance=distance,
    )
