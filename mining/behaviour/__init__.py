"""Behaviour of users: what each turn does, how many needs it puts, how it leans on earlier turns."""

from __future__ import annotations

from collections.abc import Sequence

from mining.behaviour.composition import composition
from mining.behaviour.cues import CUES, Cues
from mining.behaviour.kinds import kinds
from mining.behaviour.references import references
from mining.behaviour.turns import Turn, user_turns
from schemas.conversation import TurnBehaviour
from schemas.vocabulary import Language

__all__ = ["MOST_TURNS", "Turn", "cues_of", "observe", "observe_turns", "user_turns"]

MOST_TURNS = 200
"""User turns looked at: a conversation of thousands is a bot's, and would cost as much as all others."""


def cues_of(language: str) -> Cues:
    """Cues for a language; those of English where we have none, so that structure (questions, lengths) still counts."""
    return CUES[Language.ZH if language == "zh" else Language.EN]


def observe(texts: Sequence[tuple[str, str]], language: str) -> tuple[TurnBehaviour, ...]:
    """Behaviour of each user turn of a conversation.

    Args:
        texts: role and scrubbed text of each message, in order.
        language: BCP 47 code of the user's language.
    """
    cues = cues_of(language)
    return observe_turns(user_turns(texts, cues)[:MOST_TURNS], cues)


def observe_turns(turns: list[Turn], cues: Cues) -> tuple[TurnBehaviour, ...]:
    """Behaviour of turns that are already cut."""
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
