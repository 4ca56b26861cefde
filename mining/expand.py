"""Expansion: seeds rewritten to N, with lineage kept, coverage over categories, and a gate against near repeats."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

from schemas.conversation import BehaviourStats
from schemas.seed import SeedScenario
from schemas.vocabulary import HiddenIntentKind, Language, Persona

Rewrite = Callable[[SeedScenario, str, Persona], tuple[str, str, str] | None]
"""A language model's rewriting: from a seed, a twist and a persona to title, description and goal; None to pass."""

NEAREST = 0.8
"""Jaccard of character trigrams of title, description and goal, from which on two seeds are repeats."""

TRIES_PER_SEED = 40
"""Rewritings tried per seed still wanted before expansion gives up: the space of twists is finite."""

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

SHIFT = 0.3
"""How far a rewriting's behaviour moves towards another seed's: the mix stays one that users showed."""


def expand(
    seeds: Sequence[SeedScenario], count: int, *, seed: int, rewrite: Rewrite | None = None
) -> list[SeedScenario]:
    """The seeds and their rewritings, ``count`` in all; fewer where the gate leaves no more.

    Each rewriting takes another twist, may take the other persona, may add a second seed's need, and moves its
    behaviour towards another seed's. Least covered categories come first. Deterministic from ``seed``.

    Args:
        seeds: mined seeds, in English and Chinese.
        count: how many seeds there shall be. With fewer than ``len(seeds)`` the best supported are kept, category
            by category.
        seed: seed of all randomness.
        rewrite: a language model's rewriting; the twist alone is put in words where None or where it passes.
    """
    if not seeds or count < 1:
        return []
    kept = _spread_over_categories(seeds, count)
    gate = _Gate()
    for one in kept:
        gate.add(one)
    random = Random(seed)
    by_language: dict[str, list[SeedScenario]] = defaultdict(list)
    for one in seeds:
        by_language[one.language].append(one)
    languages = sorted(by_language)
    covered = Counter((one.language, one.subcategory) for one in kept)
    used: Counter[str] = Counter()
    tries = 0
    while len(kept) < count and tries < TRIES_PER_SEED * count:
        tries += 1
        language = min(languages, key=lambda one: (sum(n for (other, _), n in covered.items() if other == one), one))
        parent = min(
            by_language[language],
            key=lambda one: (covered[one.language, one.subcategory], used[one.id], random.random()),
        )
        used[parent.id] += 1
        child = _rewritten(parent, by_language[language], random, rewrite)
        if child is None or not gate.admits(child):
            if used[parent.id] > TRIES_PER_SEED * 4:
                covered[parent.language, parent.subcategory] += 1  # exhausted: let other categories come first
            continue
        gate.add(child)
        covered[child.language, child.subcategory] += 1
        kept.append(child)
    return kept


def _spread_over_categories(seeds: Sequence[SeedScenario], count: int) -> list[SeedScenario]:
    """At most ``count`` seeds, taken in turn from each category and language, the best supported first."""
    shelves: dict[tuple[str, str], list[SeedScenario]] = defaultdict(list)
    for one in sorted(seeds, key=lambda one: (-one.supporting_users, one.id)):
        shelves[one.subcategory, one.language].append(one)
    kept: list[SeedScenario] = []
    while len(kept) < count and any(shelves.values()):
        for key in sorted(shelves):
            if shelves[key] and len(kept) < count:
                kept.append(shelves[key].pop(0))
    return kept


def _rewritten(
    parent: SeedScenario, others: Sequence[SeedScenario], random: Random, rewrite: Rewrite | None
) -> SeedScenario | None:
    language = Language(parent.language)
    persona = random.choice(list(Persona))
    twist = random.choice(TWISTS[language])
    other = random.choice(others)
    second = random.choice(others) if random.random() < 0.5 else parent
    joins = second.subcategory != parent.subcategory
    needs = tuple(dict.fromkeys((*parent.tool_needs, *(second.tool_needs[:1] if joins else ()))))
    texts = rewrite(parent, twist, persona) if rewrite is not None else None
    title, description, goal = texts or _worded(parent, second if joins else None, twist, persona, language)
    return SeedScenario.of(
        language=parent.language,
        title=title,
        description=description,
        goal=goal,
        category=parent.category,
        subcategory=parent.subcategory,
        keywords=tuple(dict.fromkeys((*parent.keywords, *(second.keywords[:3] if joins else ()))))[:12],
        tool_needs=needs,
        persona=persona,
        behaviour=_moved(parent.behaviour, other.behaviour),
        evidence=parent.evidence,
        supporting_users=parent.supporting_users,
        examples=parent.examples,
        parent=parent.id,
    )


def _worded(
    parent: SeedScenario, second: SeedScenario | None, twist: str, persona: Persona, language: Language
) -> tuple[str, str, str]:
    knows = PERSONA_TEXT[language][persona]
    if language is Language.EN:
        also = f" Along the way they need something on {_theme(second)}." if second else ""
        title = f"{parent.title}, {twist}" + (f", and {_theme(second)}" if second else "")
        return title, f"{parent.title}, {twist}. {knows}{also}", f"{parent.goal.rstrip('.')}, {twist}."
    also = f"途中还需要{_theme(second)}方面的帮助。" if second else ""
    title = f"{parent.title}，{twist}" + (f"，兼及{_theme(second)}" if second else "")
    return title, f"{parent.title}，{twist}。{knows}{also}", f"{parent.goal.rstrip('。')}，{twist}。"


def _theme(seed: SeedScenario) -> str:
    return seed.title.split(":")[0].split("：")[0].lower()


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
        hidden={kind: mix(own.hidden[kind], other.hidden[kind]) for kind in HiddenIntentKind},
        transitions={pair: mix(own.transitions.get(pair, 0.0), other.transitions.get(pair, 0.0)) for pair in pairs},
    )


class _Gate:
    """Lets a seed in that is far enough from all others of its language and category."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], list[frozenset[str]]] = defaultdict(list)

    def admits(self, seed: SeedScenario) -> bool:
        own = _grams(seed)
        return all(likeness(own, other) < NEAREST for other in self._seen[seed.language, seed.subcategory])

    def add(self, seed: SeedScenario) -> None:
        self._seen[seed.language, seed.subcategory].append(_grams(seed))


def _grams(seed: SeedScenario) -> frozenset[str]:
    text = f"{seed.title} {seed.description} {seed.goal}".lower()
    width = 2 if seed.language == Language.ZH else 3
    return frozenset(text[place : place + width] for place in range(len(text) - width + 1))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard similarity."""
    return len(one & other) / len(one | other) if one or other else 1.0
