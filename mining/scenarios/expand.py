"""Expansion: seeds rewritten to as many as are wanted, with lineage kept, least covered categories first, and a gate
against near repeats."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from wildtool.language.lexicon import spaced, traits
from wildtool.mining.words import words as words_of
from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import HiddenIntentKind, Persona

NEAREST = 0.8
"""Jaccard of character n-grams of title, description and goal, from which on two seeds are repeats."""

TRIES_PER_SEED = 40
"""Rewritings tried per seed still wanted before expansion gives up: the space of twists is finite."""

SHIFT = 0.3
"""How far a rewriting's behaviour moves towards another seed's: the mix stays one that users showed."""


def expand(seeds: Sequence[SeedScenario], wanted: int, *, seed: int) -> list[SeedScenario]:
    """The seeds and their rewritings, ``wanted`` in all; fewer where the gate lets no more through.

    Each rewriting takes another twist, another focus among the parent's needs and words, may take the other persona, may
    add a second seed's need, and moves its behaviour a step towards another seed's; it names its parent and keeps its
    evidence. Deterministic from ``seed``. A language model may put them in better words afterwards (``llm_rewrite``).

    Args:
        seeds: mined seeds of one language.
        wanted: how many there shall be. Where fewer than ``len(seeds)`` are wanted, the best supported of each
            category are kept in turn.
        seed: seed of all randomness.
    """
    kept = _spread_over_categories(seeds, wanted)
    if not kept:
        return []
    gate = Gate()
    for one in kept:
        gate.add(one)
    random = Random(seed)
    covered = Counter(one.subcategory for one in kept)
    used: Counter[str] = Counter()
    for _ in range(TRIES_PER_SEED * wanted):
        if len(kept) >= wanted:
            break
        parent = min(
            seeds, key=lambda one: (covered[one.subcategory] + used[one.id] // TRIES_PER_SEED, used[one.id], one.id)
        )
        used[parent.id] += 1
        child = _rewritten(parent, seeds, random)
        if gate.admits(child):
            gate.add(child)
            covered[child.subcategory] += 1
            kept.append(child)
    return kept


def _spread_over_categories(seeds: Sequence[SeedScenario], count: int) -> list[SeedScenario]:
    """At most ``count`` seeds, taken in turn from each category, the best supported first."""
    shelves: dict[str, list[SeedScenario]] = defaultdict(list)
    for one in sorted(seeds, key=lambda one: (-one.supporting_users, one.id)):
        shelves[one.subcategory].append(one)
    kept: list[SeedScenario] = []
    while len(kept) < count and any(shelves.values()):
        for shelf in shelves.values():
            if shelf and len(kept) < count:
                kept.append(shelf.pop(0))
    return kept


def _rewritten(parent: SeedScenario, others: Sequence[SeedScenario], random: Random) -> SeedScenario:
    said = words_of(parent.language, "scenarios")
    twist = random.choice(said["twists"]["any"])
    persona = next((one for one in Persona if twist in said["twists"].get(one, ())), None) or random.choice(
        list(Persona)
    )
    other, second = random.choice(others), random.choice(others)
    joins = second.subcategory != parent.subcategory and random.random() < 0.5
    need = random.choice(parent.tool_needs)
    focus = tuple(random.sample(parent.keywords, min(FOCUS, len(parent.keywords))))
    also = second.tool_needs[0] if joins else None
    title, description, goal = _worded(_theme(parent), need, focus, also, twist, persona, parent.language)
    fields = parent.model_dump(exclude={"id"}) | {
        "title": title,
        "description": description,
        "goal": goal,
        "keywords": tuple(dict.fromkeys((*focus, *parent.keywords, *(second.keywords[:2] if joins else ())))),
        "tool_needs": tuple(dict.fromkeys((need, *parent.tool_needs, *((also,) if also else ())))),
        "persona": persona,
        "behaviour": _moved(parent.behaviour, other.behaviour),
        "parent": parent.id,
    }
    return SeedScenario.of(**fields)


FOCUS = 2
"""Words of the parent that a rewriting is about."""


def _worded(
    theme: str, need: str, focus: Sequence[str], also: str | None, twist: str, persona: Persona, language: str
) -> tuple[str, str, str]:
    """Title, description and goal."""
    said = words_of(language, "scenarios")
    form = said["rewriting"]
    parts = {
        "theme": theme,
        "theme_inside": theme[:1].lower() + theme[1:],
        "twist": twist,
        "need": need,
        "Need": need[:1].upper() + need[1:],
        "knows": said["persona"][persona],
        "focus": form["focus"].format(words=traits(language).list_comma.join(focus)) if focus else "",
        "later": form["later"].format(also=also) if also else "",
        "then": form["then"].format(also=also) if also else "",
    }
    return form["title"].format(**parts), form["description"].format(**parts), form["goal"].format(**parts)


def _theme(seed: SeedScenario) -> str:
    return seed.title.split(traits(seed.language).colon.strip())[0]


def _moved(own: BehaviourStats, other: BehaviourStats) -> BehaviourStats:
    """Behaviour a step towards another's."""

    def mix(a: float, b: float) -> float:
        return round((1 - SHIFT) * a + SHIFT * b, 4)

    pairs = sorted({*own.transitions, *other.transitions})
    return BehaviourStats(
        conversations=own.conversations,
        turns=own.turns,
        kinds={kind: mix(own.kinds[kind], other.kinds[kind]) for kind in own.kinds},
        compositional=mix(own.compositional, other.compositional),
        compositions=own.compositions,
        hidden={kind: mix(own.hidden[kind], other.hidden[kind]) for kind in HiddenIntentKind},
        transitions={pair: mix(own.transitions.get(pair, 0.0), other.transitions.get(pair, 0.0)) for pair in pairs},
    )


class Gate:
    """Lets a seed in that is far enough from all others of its category."""

    def __init__(self) -> None:
        self._seen: dict[str, list[frozenset[str]]] = defaultdict(list)

    def admits(self, seed: SeedScenario) -> bool:
        own = _grams(seed)
        return all(len(own & other) < NEAREST * len(own | other) for other in self._seen[seed.subcategory])

    def add(self, seed: SeedScenario) -> None:
        self._seen[seed.subcategory].append(_grams(seed))


def _grams(seed: SeedScenario) -> frozenset[str]:
    text = f"{seed.title} {seed.description} {seed.goal}".lower()
    width = 3 if spaced(seed.language) else 2
    return frozenset(text[place : place + width] for place in range(len(text) - width + 1))
