"""What each user turn does, by rules, in English and Chinese: kind, composition, hidden references.

One code path; the words are data, by language. Other languages get kinds from position alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from mining.cues import CUES, Cues
from mining.references import hidden_references
from schemas.conversation import Conversation, ConversationBehaviour, TurnBehaviour
from schemas.vocabulary import Composition, TurnKind

LONG_RANGE = 2
"""More user turns back than this is long range (WildToolBench, section 3.2)."""

SHORT_ANSWER_WORDS = 12
"""Replies to a question back are rarely longer; longer ones open a task of their own."""


def observe(conversation: Conversation) -> ConversationBehaviour:
    """The behaviours of a conversation's user turns, in order."""
    cues = CUES.get(conversation.language, CUES["en"])
    users: list[tuple[int, str]] = []
    turns: list[TurnBehaviour] = []
    for index, message in enumerate(conversation.messages):
        if message.role != "user":
            continue
        text = message.content.strip()
        before = conversation.messages[index - 1].content if index and users else ""
        kind = _kind(text, before, [text for _, text in users], cues)
        hidden = hidden_references(text, [text for _, text in users], before, kind, cues) if users else ()
        turns.append(
            TurnBehaviour(
                turn=len(users),
                message=index,
                kind=kind,
                composition=_composition(text, cues)
                if kind in (TurnKind.TASK_OPEN, TurnKind.TASK_UPDATE)
                else Composition.NONE,
                hidden=hidden,
            )
        )
        users.append((index, text))
    return ConversationBehaviour.of(conversation=conversation.id, language=conversation.language, turns=tuple(turns))


def _kind(text: str, before: str, earlier: Sequence[str], cues: Cues) -> TurnKind:
    rest = cues.without_courtesy(text)
    if not rest:
        return TurnKind.CLOSE if earlier and cues.closes(text) else TurnKind.CHAT
    request = cues.requests(rest)
    if cues.closes(text) and not request and cues.length(rest) <= 4:
        return TurnKind.CLOSE if earlier else TurnKind.CHAT
    if cues.chats(rest) and not request:
        return TurnKind.CHAT
    if not earlier:
        return TurnKind.TASK_OPEN
    asked = cues.asks(before)
    if asked and not request and cues.length(rest) <= SHORT_ANSWER_WORDS:
        return TurnKind.CLARIFY_ANSWER
    if cues.updates(rest):
        return TurnKind.TASK_UPDATE
    if cues.opens(rest):
        return TurnKind.TASK_OPEN
    if cues.questions(rest):
        return TurnKind.FOLLOW_UP
    if asked:
        return TurnKind.CLARIFY_ANSWER
    return TurnKind.TASK_UPDATE if cues.length(rest) <= SHORT_ANSWER_WORDS else TurnKind.TASK_OPEN


def _composition(text: str, cues: Cues) -> Composition:
    chained = cues.chained(text)
    independent = cues.needs(text) >= 2
    if chained and cues.needs(text) >= 3:
        return Composition.BOTH
    if chained:
        return Composition.CHAINED
    return Composition.INDEPENDENT if independent else Composition.NONE
