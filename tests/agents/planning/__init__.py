"""Tool lists and seeds that planning is tested on: the core catalogue as records, read from its files.

The room itself never imports the catalogue's room; tests may.
"""

from __future__ import annotations

from functools import cache
from random import Random

from wildtool.api_catalog.sources.core_lists import read_core
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language, Persona


@cache
def core() -> tuple[ToolList, ...]:
    """All core lists, both languages."""
    return tuple(read_core())


@cache
def seeds() -> tuple[SeedScenario, ...]:
    """One seed scenario a list."""
    stats = BehaviourStats(conversations=1, turns=1, kinds={}, compositional=0, hidden={}, transitions={})
    return tuple(
        SeedScenario.of(
            language=each.language,
            title=each.title,
            description=each.description,
            goal=each.description,
            category=each.category,
            subcategory=each.subcategory,
            keywords=(),
            persona=Persona.NOVICE if len(each.title) % 2 else Persona.EXPERT,
            behaviour=stats,
            evidence=(),
            supporting_users=2,
        )
        for each in core()
    )


def choose(seed: SeedScenario, language: Language, rng: Random) -> ToolList:
    """A list of the seed's subcategory most of the time, else any of the language."""
    pool = [each for each in core() if each.language is language]
    same = [each for each in pool if each.subcategory == seed.subcategory]
    return rng.choice(same) if same and rng.random() < 0.6 else rng.choice(pool)
