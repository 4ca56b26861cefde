"""From the seeds that the log gives to as many as are wanted: rewritten, with lineage, none nearer than a threshold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

from schemas.seed import SeedScenario
from schemas.taxonomy import subcategory
from schemas.vocabulary import Persona

NEAREST = 0.75
"""Two seeds of one category and persona may share at most this much (Jaccard) of their keywords."""
FOCUS = 3
"""Keywords that a rewritten seed turns on."""

_SENTENCES = {
    Persona.NOVICE: {
        "en": (
            "A newcomer to {topic} needs {terms} explained and done.",
            "Find a way through {terms} without knowing the terms.",
        ),
        "zh": ("对{topic}不熟的用户想弄清并办好{terms}。", "在不懂行话的情况下办好{terms}。"),
    },
    Persona.EXPERT: {
        "en": (
            "Someone at home in {topic} wants {terms} settled in one go.",
            "Get {terms} done exactly, with all details given.",
        ),
        "zh": ("熟悉{topic}的用户想一次办好{terms}。", "把{terms}准确办好，细节一次说清。"),
    },
}
_JOIN = {"en": ", ", "zh": "、"}


def expand(seeds: Sequence[SeedScenario], wanted: int, *, seed: int) -> list[SeedScenario]:
    """Up to ``wanted`` seeds of one language: the mined ones, then rewritten ones in rounds over all of them.

    A rewritten seed turns on other keywords or the other persona, names its parent, and keeps its evidence. Fewer come
    back where the diversity gate lets no more through.
    """
    kept = list(seeds[:wanted])
    sources = [(parent, _rewritings(parent, Random(f"{seed}:{parent.id}"))) for parent in seeds]
    while len(kept) < wanted and sources:
        alive = []
        for parent, rewritings in sources:
            child = next((one for one in rewritings if _differs(one, kept)), None)
            if child is not None:
                kept.append(child)
                alive.append((parent, rewritings))
                if len(kept) == wanted:
                    break
        sources = alive
    return kept


def _rewritings(parent: SeedScenario, rng: Random) -> Iterator[SeedScenario]:
    focuses = [parent.keywords, *combinations(parent.keywords, min(FOCUS, len(parent.keywords)))]
    choices = [(persona, focus) for focus in focuses for persona in Persona]
    rng.shuffle(choices)
    topic = parent.subcategory if parent.language == "en" else subcategory(parent.subcategory).zh
    for persona, focus in choices:
        listed = _JOIN[parent.language].join(focus[:FOCUS])
        description, goal = (text.format(topic=topic, terms=listed) for text in _SENTENCES[persona][parent.language])
        fields = parent.model_dump(exclude={"id"}) | {
            "title": f"{topic}: {listed}" if parent.language == "en" else f"{topic}：{listed}",
            "description": description,
            "goal": goal,
            "keywords": tuple(focus),
            "tool_needs": tuple(focus[:FOCUS]),
            "persona": persona,
            "parent": parent.id,
        }
        yield SeedScenario.of(**fields)


def _differs(seed: SeedScenario, kept: Sequence[SeedScenario]) -> bool:
    own = set(seed.keywords)
    for other in kept:
        if other.subcategory != seed.subcategory or other.persona is not seed.persona:
            continue
        theirs = set(other.keywords)
        if len(own & theirs) > NEAREST * len(own | theirs):
            return False
    return True
