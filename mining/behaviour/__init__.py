"""User behaviour: what each turn does, how many needs it states, how it depends on earlier turns.

Cues are found by one lexicon a language; small linear models over cues and dialogue state decide; rules say by which words
a turn leans and on what. Measured on annotated dialogues by ``benchmarks/mining_quality.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

from wildtool.mining.behaviour.features import Turn, greets_only, observed, user_turns
from wildtool.mining.behaviour.lexicon import Lexicon, lexicon
from wildtool.mining.behaviour.model import Model, model
from wildtool.mining.behaviour.multi_intent import composition
from wildtool.mining.behaviour.references import points_back, references
from wildtool.schemas.conversation import Conversation, ConversationBehaviour, TurnBehaviour
from wildtool.schemas.vocabulary import TurnKind

__all__ = ["MOST_TURNS", "observe", "observe_texts"]

MOST_TURNS = 200
"""User turns looked at: a conversation of thousands is a script's, and would cost as much as all others."""


def observe(conversation: Conversation) -> ConversationBehaviour:
    """The behaviours of a conversation's user turns, in order. Spans are copied: scrub the conversation first."""
    texts = [(message.role, message.content) for message in conversation.messages]
    turns = observe_texts(texts, conversation.language)
    return ConversationBehaviour.of(conversation=conversation.id, language=conversation.language, turns=turns)


def observe_texts(
    texts: Sequence[tuple[str, str]], language: str, weights: Model | None = None
) -> tuple[TurnBehaviour, ...]:
    """Behaviour of each user turn that says anything, in order.

    Args:
        texts: role and text of each message, in order.
        language: BCP 47 code of the user's language; the English models serve where we have none.
        weights: models to use instead of those that come with the package (for cross-validation).
    """
    weights = weights or model(language)
    words = lexicon(language)
    turns = user_turns(texts, language, MOST_TURNS)
    if not turns:
        return ()
    kinds, heads = weights.says(observed(turns, language))
    kinds = _mended(kinds, turns, words)
    nothing = [False] * len(turns)
    several, leans, far = (heads.get(name, nothing) for name in ("several", "leans", "far"))
    taught = {name: weights.scope.get(name, frozenset[TurnKind]()) for name in ("several", "leans")}
    return tuple(
        TurnBehaviour.trusted(
            turn=turn.index,
            message=turn.message,
            kind=kind,
            composition=composition(turn, kind, words, several[place] if kind in taught["several"] else None),
            hidden=references(
                turn,
                kind,
                kinds,
                turns,
                words,
                leans=leans[place] if kind in taught["leans"] else points_back(turn, kind, words),
                far=far[place],
            ),
        )
        for place, (turn, kind) in enumerate(zip(turns, kinds, strict=True))
    )


def _mended(kinds: list[TurnKind], turns: list[Turn], words: Lexicon) -> list[TurnKind]:
    """A lone greeting is talk: STAR files it under the task that comes, and the models learn that."""
    return [TurnKind.CHAT if greets_only(turn, words) else kind for kind, turn in zip(kinds, turns, strict=True)]
