"""Find hidden intents: where a user turn depends on earlier ones, by which words, and on which turn.

Whether a turn leans is the model's to say (``mining.behaviour.model``); the rules here say by which words, and on what.
"""

from __future__ import annotations

import re

from wildtool.language.dates.tables import ordinals
from wildtool.mining.behaviour.features import LONG_RANGE, Turn
from wildtool.mining.behaviour.lexicon import Lexicon
from wildtool.schemas.conversation import HiddenReference
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, TurnKind

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

LISTED = frozenset({Device.ORDINAL, Device.REVERSE_ORDINAL})
"""Devices that count in a list."""

NOUN_CHARS = 10
"""Letters after an ordinal in which the thing that it counts stands."""

THEN = "那"
"""At the beginning of a clause it says "then" and points at nothing: 那上海呢."""

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
    if turn.index == 0:
        return ()
    found: list[HiddenReference] = []
    if leans or _surely_points(turn, kind, words):
        found.append(_pointing(turn, kinds, turns, words, far) or _missing(turn, kind, kinds, words))
    if (
        found
        and found[0].distance is not None
        and found[0].distance > LONG_RANGE
        and found[0].kind is HiddenIntentKind.COREFERENCE
    ):
        found.append(found[0].model_copy(update={"kind": HiddenIntentKind.LONG_RANGE}))
    elif far:
        found.append(_long_ago(turn, kinds, turns))
    return tuple(found)


SURE = ("ordinal", "reverse_ordinal")
"""Cues that point back whatever a model says: "book the second one"."""


def _surely_points(turn: Turn, kind: TurnKind, words: Lexicon) -> bool:
    present = turn.now.present
    if kind not in LEANING or not present & words.any_of((*SURE, "pronoun", "demonstrative")):
        return False
    if present & words.any_of(SURE):
        return True
    # "Buy two of them": a thing is done to what was found.
    acts = kind is TurnKind.TASK_OPEN and turn.now.start & words.any_of(("act", "command")) != 0
    return acts and len(turn.now.tokens) <= FEW_TOKENS


LEANING = frozenset({TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP, TurnKind.CLARIFY_ANSWER})

POINTS = ("reverse_ordinal", "ordinal", "description", "interrogative", "demonstrative", "pronoun")

FEW_TOKENS = 3
"""Content words up to which a question that points at nothing leaves out what it is about: "and on Sunday?"."""


def points_back(turn: Turn, kind: TurnKind, words: Lexicon) -> bool:
    """Whether a turn depends on earlier ones by its words alone, for kinds of turns that no corpus annotates."""
    if turn.index == 0 or kind not in LEANING:
        return False
    pointing = turn.now.present & words.any_of(POINTS)
    if kind is TurnKind.CLARIFY_ANSWER or pointing:
        return bool(pointing)
    if kind is TurnKind.TASK_UPDATE:
        return True  # what it does not change it leaves out
    return kind is TurnKind.FOLLOW_UP and (len(turn.now.tokens) <= FEW_TOKENS or not turn.now.capitals)


def _pointing(
    turn: Turn, kinds: list[TurnKind], turns: list[Turn], words: Lexicon, far: bool
) -> HiddenReference | None:
    """The surest word that points back."""
    changes = words.where(turn.now.hits, "change") if turn.has("change", words) else []
    for device, cue in DEVICES:
        if not turn.has(cue, words):
            continue
        for place, phrase in words.where(turn.now.hits, cue):
            if device in (Device.PRONOUN, Device.DEMONSTRATIVE) and (
                _within(place, turn, words) or any(start <= place < start + len(said) for start, said in changes)
            ):
                continue  # "make it six" changes what was asked for, and points at nothing
            if phrase == THEN and (place == 0 or not turn.now.text[place - 1].isalnum()):
                continue
            span = turn.now.text[place : place + len(phrase)] or phrase
            if device in LISTED:
                leans_on = _listed(turn, kinds, turns, turn.now.text[place : place + len(phrase) + NOUN_CHARS])
            else:
                leans_on = _antecedent(turn, kinds, turns) if far and device in FAR_BACK else _previous(turn, kinds)
            return _reference(HiddenIntentKind.COREFERENCE, device, span, turn, leans_on)
    return None


def _within(place: int, turn: Turn, words: Lexicon) -> bool:
    """Whether a pronoun points into its own message: "Find a hotel and tell me its price" depends on nothing earlier."""
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
    """The user turn that a possibly far reference depends on: the one before, unless an earlier one alone shares
    its words."""
    previous = _previous(turn, kinds)
    if turn.now.tokens & (turns[previous].now.tokens | turn.before.tokens):
        return previous
    return next((one.index for one in turns[previous::-1] if one.now.tokens & turn.now.tokens), previous)


def _listed(turn: Turn, kinds: list[TurnKind], turns: list[Turn], span: str) -> int:
    """The user turn to which the assistant answered with the list that an ordinal counts in: the last one that speaks of
    the same things ("the first hotel"), else the last one that was answered with a list at all."""
    things = _stems(span)
    listed: int | None = None
    for earlier in turns[turn.index - 1 :: -1]:
        spoken = {stem(token) for token in earlier.now.tokens | earlier.after.tokens}
        if _LIST.search(earlier.after.text) is not None:
            if things & spoken:
                return earlier.index
            listed = earlier.index if listed is None else listed
    return _previous(turn, kinds) if listed is None else listed


_LIST = re.compile(
    r"\b[12][.)、]|,[^,]{1,60}(?:,| and | or )|、|[^，,]{2,20}[和或与][^，,]{2,20}|\b(?:two|three|four|both)\b|"
    r"[两三四几][家个款种趟班部]"
)
"""A reply that offers several things."""
_NO_THINGS = frozenset("last one that this book reserve option ones".split())


def _stems(span: str) -> set[str]:
    """The things named in a few words: English words less the plural, pairs of Chinese letters."""
    words = {stem(word) for word in re.findall(r"[a-z]{3,}", span.lower())} - _NO_THINGS - ordinals().keys()
    return words | {pair for run in re.findall(r"[\u4e00-\u9fff]+", span) for pair in map(str.__add__, run, run[1:])}


def stem(token: str) -> str:
    """A word without its plural's end."""
    return token[:-1] if token.isascii() and len(token) > 3 and token.endswith("s") else token


def _reference(kind: HiddenIntentKind, device: Device, span: str, turn: Turn, leans_on: int) -> HiddenReference:
    distance = turn.index - leans_on
    return HiddenReference.trusted(
        kind=kind,
        device=device,
        span=_short(span),
        leans_on=leans_on,
        distance=distance,
    )


def _short(span: str) -> str:
    """The span without line ends, cut to what is kept, and not through a placeholder."""
    whole = " ".join(span[: 2 * SPAN_CHARS].split())
    cut = whole[:SPAN_CHARS]
    return _CUT_PLACEHOLDER.sub("", cut).rstrip() if len(cut) < len(span) else cut


_CUT_PLACEHOLDER = re.compile(r"\[[A-Z]{0,10}(?:_\d{0,6})?$")
