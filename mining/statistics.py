"""Count behaviour over conversations: one vector of counts each, and shares of their sum.

A vector costs some hundred bytes, so that the behaviour of a log of any length is a sum of small arrays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from wildtool.schemas.conversation import BehaviourStats, TurnBehaviour
from wildtool.schemas.vocabulary import Composition, HiddenIntentKind, TurnKind

_KINDS = tuple(TurnKind)
_HIDDEN = tuple(HiddenIntentKind)
_SEVERAL = tuple(one for one in Composition if one is not Composition.NONE)
_PAIRS = tuple(f"{first}>{second}" for first in _KINDS for second in _KINDS)
_NAMES = (
    "conversations", "turns", "later", "opened", "compositional", "pairs",
    *_KINDS, *(f"hidden {kind}" for kind in _HIDDEN), *_SEVERAL, *_PAIRS,
)  # fmt: skip
_PLACE = {name: place for place, name in enumerate(_NAMES)}

WIDTH = len(_NAMES)
"""Length of a vector of counts."""
COUNT = np.dtype("<u2")
"""Type of one count: a conversation has at most some hundred turns."""


def counted(turns: Sequence[TurnBehaviour]) -> NDArray[np.uint16]:
    """Counts of one conversation, shape (WIDTH,)."""
    counts = [0] * WIDTH
    counts[0] = 1
    counts[1] = len(turns)
    for turn in turns:
        counts[_PLACE[turn.kind]] += 1
        if turn.kind is TurnKind.TASK_OPEN:
            counts[3] += 1
            if turn.composition is not Composition.NONE:
                counts[4] += 1
                counts[_PLACE[turn.composition]] += 1
        if turn.turn:
            counts[2] += 1
            for kind in {reference.kind for reference in turn.hidden}:
                counts[_PLACE[f"hidden {kind}"]] += 1
    for first, second in pairwise(turns):
        counts[5] += 1
        counts[_PLACE[f"{first.kind}>{second.kind}"]] += 1
    return np.array(counts, dtype=COUNT)


def stats_of(counts: NDArray[np.int64]) -> BehaviourStats:
    """Shares from summed counts; 0 where nothing was counted."""
    total = dict(zip(_NAMES, counts.tolist(), strict=True))
    turns, pairs = total["turns"], total["pairs"]
    return BehaviourStats(
        conversations=total["conversations"],
        turns=turns,
        kinds={kind: _share(total[kind], turns) for kind in _KINDS},
        compositional=_share(total["compositional"], total["opened"]),
        compositions={one: _share(total[one], total["compositional"]) for one in _SEVERAL},
        hidden={kind: _share(total[f"hidden {kind}"], total["later"]) for kind in _HIDDEN},
        transitions={name: _share(total[name], pairs) for name in sorted(_PAIRS) if total[name]},
    )


def summed(counts: Iterable[bytes]) -> NDArray[np.int64]:
    """Sum of vectors of counts, each as bytes."""
    matrix = np.frombuffer(b"".join(counts), dtype=COUNT).reshape(-1, WIDTH)
    added: NDArray[np.int64] = matrix.sum(axis=0, dtype=np.int64)
    return added


def _share(count: int, of: int) -> float:
    return round(count / of, 6) if of else 0.0
