"""Linear models that predict a turn's kind, and whether it depends on earlier turns, depends on far ones, or states several needs.

One file of weights a language, made by ``python -m wildtool.mining.behaviour.train FILE``. A weight belongs to a named feature,
so that one can read what a decision rests on, and so that a cue added later starts at nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
import orjson
from numpy.typing import NDArray

from wildtool.language.lexicon import data_file, readable
from wildtool.mining.behaviour.features import BLOCKS, STRUCTURE, Observed, feature_names
from wildtool.mining.words import ROOM
from wildtool.schemas.vocabulary import TurnKind

WEIGHTS = "behaviour_weights.json"
"""File of a language's weights in its folder of ``mining/words/``."""

HEADS = ("several", "leans", "far")
"""Binary models beside the kind's: several needs; depends on earlier turns; on more than two turns back."""


@dataclass(frozen=True)
class Model:
    """Weights of one language over ``feature_names``."""

    kinds: tuple[TurnKind, ...]
    """Kinds that it tells apart."""
    heads: tuple[str, ...]
    """Of ``HEADS``, those that the annotated corpora of the language allow."""
    scope: dict[str, frozenset[TurnKind]]
    """Kinds of turns on which the corpora annotate a head; elsewhere its word means nothing."""
    weights: NDArray[np.float32]
    """Shape (features, kinds + heads)."""
    bias: NDArray[np.float32]
    """Shape (kinds + heads,); a head's threshold is taken off, so that yes is above 0."""

    @cached_property
    def _sums(self) -> NDArray[np.float32]:
        """Sums of the weights of the cues in each octet, for each of its values: shape (octets * 256, kinds + heads).
        The last octet weighs nothing."""
        width = (len(self.weights) - len(STRUCTURE)) // len(BLOCKS)
        octets = (width + 7) // 8
        padded = np.zeros((len(BLOCKS), octets * 8, self.weights.shape[1]), dtype=np.float32)
        padded[:, :width] = self.weights[: -len(STRUCTURE)].reshape(len(BLOCKS), width, -1)
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float32)
        sums = (bits @ padded.reshape(len(BLOCKS) * octets, 8, -1)).reshape(len(BLOCKS) * octets * 256, -1)
        return np.concatenate([sums, np.zeros((256, sums.shape[1]), dtype=np.float32)])

    def says(self, seen: Observed) -> tuple[list[TurnKind], dict[str, list[bool]]]:
        """Kind of each turn, and each head's word on it, whether in its scope or not."""
        # A look-up an octet that is not 0: a product over all features costs six times as much. Each turn has one.
        flat, width = seen.cues.ravel(), seen.cues.shape[1]
        places = np.flatnonzero(flat)
        weights = self._sums.take(((places % width) << 8) + flat[places], axis=0)
        cues = np.add.reduceat(weights, places.searchsorted(np.arange(0, len(flat), width)), axis=0)
        scores = cues + (seen.structure @ self.weights[-len(STRUCTURE) :] + self.bias)
        count = len(self.kinds)
        best = scores[:, :count].argmax(axis=1).tolist()
        positive = (scores[:, count:] > 0).tolist()
        return (
            [self.kinds[one] for one in best],
            {head: [row[place] for row in positive] for place, head in enumerate(self.heads)},
        )


def model(language: str) -> Model:
    """The weights of a language; of one that is not registered, those of the language that stands in for it."""
    return _model(readable(language))


@cache
def _model(code: str) -> Model:
    raw = orjson.loads(data_file(code, WEIGHTS, ROOM).read_bytes())
    names, kinds, heads = feature_names(code), raw["kinds"], raw["heads"]
    columns = [*(raw["kind_weights"][kind] for kind in kinds), *(raw["head_weights"][head] for head in heads)]
    return Model(
        kinds=tuple(TurnKind(kind) for kind in kinds),
        heads=tuple(heads),
        scope={head: frozenset(TurnKind(kind) for kind in listed) for head, listed in raw["scope"].items()},
        weights=np.array([[column.get(name, 0.0) for column in columns] for name in names], dtype=np.float32),
        bias=np.array(raw["bias"], dtype=np.float32),
    )
