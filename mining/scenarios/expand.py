"""Expansion: seeds rewritten to as many as are wanted, with lineage kept, least covered categories first, and a gate
against near repeats."""

# ruff: noqa: E501 - tables read best one entry a line
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from random import Random

from wildtool.schemas.conversation import BehaviourStats
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.vocabulary import HiddenIntentKind, Language, Persona

NEAREST = 0.8
"""Jaccard of character n-grams of title, description and goal, from which on two seeds are repeats."""

TRIES_PER_SEED = 40
"""Rewritings tried per seed still wanted before expansion gives up: the space of twists is finite."""

SHIFT = 0.3
"""How far a rewriting's behaviour moves towards another seed's: the mix stays one that users showed."""

TWISTS: dict[Language, tuple[str, ...]] = {
    Language.EN: (
        "on a tight budget", "at short notice", "for a group of eight", "with two small children", "for an elderly parent",
        "in a city they do not know", "comparing two places", "for next weekend", "over the coming month", "in the early morning",
        "with a hard deadline today", "after plans have changed", "for somebody else, whose wishes they only half know",
        "with a limit they name late", "after a first answer disappoints", "in two different units", "on behalf of a small business",
        "for a surprise", "while travelling abroad", "with accessibility in mind", "repeating what they did last time",
        "checking an earlier answer", "choosing among several finds", "with a wish that rules out the first finds",
        "for a school project", "late at night", "for a colleague in another time zone", "with only part of the details at hand",
        "weighing price against time", "with a follow-up on the same item days later", "for the family's yearly gathering",
        "as a regular who knows the short names",
    ),
    Language.ZH: (
        "预算有限", "临时决定", "八个人一起", "带着两个小孩", "替老人操办", "身在不熟悉的城市", "要在两个地方之间比较", "安排在下个周末", "放眼未来一个月",
        "一大早就要", "今天必须办完", "计划有变之后", "替别人办，只知道一半要求", "到后面才说出限制", "第一次结果不满意", "需要换算单位", "为一家小公司办理",
        "想给人惊喜", "人在国外", "需要考虑无障碍", "照上次的样子再来一次", "想核对之前的答案", "在几个结果中挑选", "附加条件排除了前几个结果", "为了学校作业",
        "深夜时分", "对方在另一个时区", "手头信息不全", "在价格和时间之间权衡", "几天后又来追问同一件事", "为一年一次的家庭聚会", "熟客，喜欢用简称",
    ),
}  # fmt: skip
"""What changes a situation without changing its domain: constraints, people, places, times, knowledge."""

PERSONA_TEXT: dict[Language, dict[Persona, str]] = {
    Language.EN: {
        Persona.EXPERT: "The user knows the field and names exact values.",
        Persona.NOVICE: "The user is new to it, leaves values out and must be asked.",
    },
    Language.ZH: {
        Persona.EXPERT: "用户熟悉这一领域，会给出准确的值。",
        Persona.NOVICE: "用户不熟悉，常漏说信息，需要追问。",
    },
}


KNOWS: dict[str, Persona] = {
    "as a regular who knows the short names": Persona.EXPERT, "熟客，喜欢用简称": Persona.EXPERT,
    "repeating what they did last time": Persona.EXPERT, "照上次的样子再来一次": Persona.EXPERT,
    "with only part of the details at hand": Persona.NOVICE, "手头信息不全": Persona.NOVICE,
    "in a city they do not know": Persona.NOVICE, "身在不熟悉的城市": Persona.NOVICE,
}  # fmt: skip
"""Twists that say how much the user knows."""


def expand(seeds: Sequence[SeedScenario], wanted: int, *, seed: int) -> list[SeedScenario]:
    """The seeds and their rewritings, ``wanted`` in all; fewer where the gate lets no more through.

    Each rewriting takes another twist, another focus among the parent's needs and words, may take the other persona, may
    add a second seed's need, and moves its behaviour a step towards another seed's; it names its parent and keeps its
    evidence. Deterministic from ``seed``. A language model may put them in better words afterwards (``wildtool.mining.scenarios.llm_rewrite``).

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
    language = Language(parent.language)
    twist = random.choice(TWISTS[language])
    persona = KNOWS.get(twist) or random.choice(list(Persona))
    other, second = random.choice(others), random.choice(others)
    joins = second.subcategory != parent.subcategory and random.random() < 0.5
    need = random.choice(parent.tool_needs)
    focus = tuple(random.sample(parent.keywords, min(FOCUS, len(parent.keywords))))
    also = second.tool_needs[0] if joins else None
    title, description, goal = _worded(_theme(parent), need, focus, also, twist, persona, language)
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
    theme: str, need: str, focus: Sequence[str], also: str | None, twist: str, persona: Persona, language: Language
) -> tuple[str, str, str]:
    """Title, description and goal."""
    knows = PERSONA_TEXT[language][persona]
    first = need[:1].upper() + need[1:]
    if language is Language.EN:
        words = f" ({', '.join(focus)})" if focus else ""
        later = f" Along the way they also need this: {also}." if also else ""
        return (
            f"{theme}{words}, {twist}",
            f"A user turns to the assistant about {theme[:1].lower()}{theme[1:]}, {twist}. What they need: {need}.{later} {knows}",
            f"{first}, {twist}{f'; then {also}' if also else ''}.",
        )
    words = f"（{'、'.join(focus)}）" if focus else ""
    later = f"途中还需要{also}。" if also else ""
    return (
        f"{theme}{words}，{twist}",
        f"用户就{theme}向助手求助，{twist}，需要{need}。{later}{knows}",
        f"{first}，{twist}{f'，然后{also}' if also else ''}。",
    )


def _theme(seed: SeedScenario) -> str:
    return seed.title.split(":")[0].split("：")[0]


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
    width = 2 if seed.language == Language.ZH else 3
    return frozenset(text[place : place + width] for place in range(len(text) - width + 1))
