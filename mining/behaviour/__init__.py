"""Behaviour of users: what each turn does, how many needs it puts, how it leans on earlier turns.

Rules over cues. One code path; the words are data, by language. Measured on annotated dialogues by
``benchmarks/mining_quality.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from mining.behaviour.composition import composition
from mining.behaviour.cues import CUES, Cues
from mining.behaviour.kinds import kinds
from mining.behaviour.references import references
from mining.behaviour.turns import Turn, user_turns
from schemas.conversation import Conversation, ConversationBehaviour, TurnBehaviour

__all__ = ["MOST_TURNS", "cues_of", "observe", "observe_texts"]

MOST_TURNS = 200
"""User turns looked at: a conversation of thousands is a script's, and would cost as much as all others."""


def cues_of(language: str) -> Cues:
    """Cues for a language; the English ones where we have none, so that structure (questions, lengths) still counts."""
    return CUES["zh" if language == "zh" else "en"]


def observe(conversation: Conversation) -> ConversationBehaviour:
    """The behaviours of a conversation's user turns, in order. Spans are copied: scrub the conversation first."""
    texts = [(message.role, message.content) for message in conversation.messages]
    turns = observe_texts(texts, conversation.language)
    return ConversationBehaviour.of(conversation=conversation.id, language=conversation.language, turns=turns)


def observe_texts(texts: Sequence[tuple[str, str]], language: str) -> tuple[TurnBehaviour, ...]:
    """Behaviour of each user turn that says anything, in order.

    Args:
        texts: role and text of each message, in order.
        language: BCP 47 code of the user's language.
    """
    cues = cues_of(language)
    turns: list[Turn] = user_turns(texts, cues)[:MOST_TURNS]
    found = kinds(turns, cues)
    return tuple(
        TurnBehaviour.model_construct(
            turn=turn.index,
            message=turn.message,
            kind=kind,
            composition=composition(turn, kind, cues),
            hidden=references(turn, kind, found, turns, cues),
        )
        for turn, kind in zip(turns, found, strict=True)
    )
