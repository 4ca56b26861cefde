"""Which mutants are run: the same ones for the same seed and sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from benchmarks.mutants.operators import Mutant

FEWEST = 12
"""Mutants of a module at least, where it has so many."""


def chosen(everything: Mapping[str, Sequence[Mutant]], *, seed: int, most: int) -> dict[str, list[Mutant]]:
    """A random choice by module, in the order of the source; ``most`` in all (0: every one), in proportion to what
    each module has."""
    whole = sum(map(len, everything.values()))
    if not most or most >= whole:
        return {module: list(mutants) for module, mutants in everything.items()}
    found = {}
    for module, mutants in everything.items():
        count = min(len(mutants), max(FEWEST, most * len(mutants) // whole))
        places = sorted(Random(f"{seed} {module}").sample(range(len(mutants)), count))
        found[module] = [mutants[place] for place in places]
    return found
