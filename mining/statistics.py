"""How users behave, counted: over a language, over a cluster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from schemas.conversation import BehaviourStats, TurnBehaviour
from schemas.vocabulary import Composition, HiddenIntentKind, TurnKind

DIGITS = 4
"""Digits kept of a share: more would make seeds' ids depend on how a machine sums."""


class BehaviourCounter:
    """Counts of behaviour over conversations; ``stats`` turns them into shares."""

    def __init__(self) -> None:
        self.conversations = 0
        self.turns = 0
        self._kinds: Counter[TurnKind] = Counter()
        self._hidden: Counter[HiddenIntentKind] = Counter()
        self._transitions: Counter[tuple[TurnKind, TurnKind]] = Counter()
        self._later = 0
        self._compositional = 0

    def add(self, turns: Sequence[TurnBehaviour]) -> None:
        """Count one conversation's turns."""
        self.conversations += 1
        self.turns += len(turns)
        before: TurnKind | None = None
        for turn in turns:
            self._kinds[turn.kind] += 1
            if turn.kind is TurnKind.TASK_OPEN and turn.composition is not Composition.NONE:
                self._compositional += 1
            if turn.turn > 0:
                self._later += 1
                for kind in {reference.kind for reference in turn.hidden}:
                    self._hidden[kind] += 1
            if before is not None:
                self._transitions[before, turn.kind] += 1
            before = turn.kind

    def stats(self) -> BehaviourStats:
        """The shares."""
        pairs = sum(self._transitions.values())
        openings = self._kinds[TurnKind.TASK_OPEN]
        return BehaviourStats(
            conversations=self.conversations,
            turns=self.turns,
            kinds={kind: _share(self._kinds[kind], self.turns) for kind in TurnKind},
            compositional=_share(self._compositional, openings),
            hidden={kind: _share(self._hidden[kind], self._later) for kind in HiddenIntentKind},
            transitions={f"{a}>{b}": _share(count, pairs) for (a, b), count in sorted(self._transitions.items())},
        )


def _share(part: int, whole: int) -> float:
    return round(part / whole, DIGITS) if whole else 0.0
