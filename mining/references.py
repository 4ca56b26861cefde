"""Where a user turn leans on what was said before, and on which turn."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mining.cues import Cues
from schemas.conversation import HiddenReference
from schemas.vocabulary import Device, HiddenIntentKind, TurnKind

LONG_RANGE = 2
"""User turns back beyond which a reference is long range (WildToolBench, section 3.2)."""

SPAN_CHARACTERS = 24
"""A span is evidence for a person who looks, not a copy of the message."""

SHORT_TURN = 5
"""Words up to which a turn that asks for something has surely left something out."""

_STOP = frozenset(
    "the a an and or to of in on for with is are was i you me my it that this can could would please do does what "
    "which how where when there any some need want like find get give show tell help about from at be have has "
    "one your so just also then new no not yes".split()
)
_CONTENT = re.compile(r"[a-zA-Z][a-zA-Z'-]{2,}|\d[\d:.]*|[一-鿿]{2}")


def hidden_references(
    text: str, earlier: Sequence[str], before: str, kind: TurnKind, cues: Cues
) -> tuple[HiddenReference, ...]:
    """References of a turn (not the first) to what was said before; an answer to a question back has none."""
    if kind in (TurnKind.CHAT, TurnKind.CLOSE, TurnKind.CLARIFY_ANSWER):
        return ()
    found: list[HiddenReference] = []
    for device, expression in cues.devices:
        match = expression.search(text)
        if match is None:
            continue
        leans_on = _leans_on(text, earlier)
        omitted = device in (Device.OMITTED_SUBJECT, Device.INTERROGATIVE)
        found.append(
            _reference(
                HiddenIntentKind.PARTIAL_INFORMATION if omitted else HiddenIntentKind.COREFERENCE,
                device,
                match.group(),
                leans_on,
                len(earlier),
            )
        )
        break
    resumed = cues.resume.search(text)
    if resumed is not None:
        leans_on = _leans_on(text, earlier[:-1]) if len(earlier) > 1 else 0
        if leans_on is not None and len(earlier) - leans_on > LONG_RANGE:
            found.append(_reference(HiddenIntentKind.LONG_RANGE, None, resumed.group(), leans_on, len(earlier)))
    if not found and kind in (TurnKind.TASK_UPDATE, TurnKind.FOLLOW_UP) and cues.length(text) <= SHORT_TURN:
        found.append(
            _reference(
                HiddenIntentKind.PARTIAL_INFORMATION, Device.OMITTED_SEVERAL, text, len(earlier) - 1, len(earlier)
            )
        )
    return tuple(found)


def _reference(
    kind: HiddenIntentKind, device: Device | None, span: str, leans_on: int | None, turn: int
) -> HiddenReference:
    distance = None if leans_on is None else turn - leans_on
    if distance is not None and distance > LONG_RANGE:
        kind = HiddenIntentKind.LONG_RANGE
    return HiddenReference(
        kind=kind, device=device, span=span.strip()[:SPAN_CHARACTERS], leans_on=leans_on, distance=distance
    )


def _leans_on(text: str, earlier: Sequence[str]) -> int | None:
    """The earlier user turn that shares the most content words, the latest of equals; else the one before."""
    if not earlier:
        return None
    words = _words(text)
    shared = [(len(words & _words(turn)), number) for number, turn in enumerate(earlier)]
    best, number = max(shared)
    return number if best else len(earlier) - 1


def _words(text: str) -> set[str]:
    return {word for word in (match.casefold() for match in _CONTENT.findall(text)) if word not in _STOP}
