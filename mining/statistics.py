"""Behaviour counted over many conversations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

from schemas.conversation import BehaviourStats, ConversationBehaviour
from schemas.vocabulary import Composition, HiddenIntentKind, TurnKind


def behaviour_stats(behaviours: Iterable[ConversationBehaviour]) -> BehaviourStats:
    """Shares over all user turns; 0 where nothing was counted."""
    conversations = turns = later = opened = compositional = pairs = 0
    kinds: Counter[TurnKind] = Counter()
    hidden: Counter[HiddenIntentKind] = Counter()
    transitions: Counter[str] = Counter()
    for behaviour in behaviours:
        conversations += 1
        for turn in behaviour.turns:
            turns += 1
            kinds[turn.kind] += 1
            if turn.kind is TurnKind.TASK_OPEN:
                opened += 1
                compositional += turn.composition is not Composition.NONE
            if turn.turn:
                later += 1
                hidden.update({reference.kind for reference in turn.hidden})
        for first, second in pairwise(behaviour.turns):
            pairs += 1
            transitions[f"{first.kind}>{second.kind}"] += 1
    return BehaviourStats(
        conversations=conversations,
        turns=turns,
        kinds={kind: _share(kinds[kind], turns) for kind in TurnKind},
        compositional=_share(compositional, opened),
        hidden={kind: _share(hidden[kind], later) for kind in HiddenIntentKind},
        transitions={name: _share(count, pairs) for name, count in sorted(transitions.items())},
    )


def _share(count: int, of: int) -> float:
    return round(count / of, 6) if of else 0.0
