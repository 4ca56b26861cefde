"""From clusters to seed scenarios: named, described, filed, with behaviour and evidence, without any raw message.

Whatever words a seed shows were used by at least k different users, or come from the topic tables: a phrase that one
person alone used never gets out.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from mining.clusters import analyse
from mining.digest import Opening
from mining.statistics import BehaviourCounter
from mining.topics import TOPIC_BY_NAME, Topic, topics_in
from schemas.conversation import TurnBehaviour
from schemas.seed import SeedScenario
from schemas.taxonomy import CATEGORY_OF, subcategory
from schemas.vocabulary import Language, Persona

MOST_EVIDENCE = 500
"""Conversation ids kept with a seed; more show nothing more, and a million would make a record of 20 MB."""

MOST_USERS_PER_TERM = 64
"""Users counted per term: beyond k the exact number only ranks."""

TERMS_PER_CLUSTER = 20_000
KEYWORDS = 10
EXAMPLES = 4
EXAMPLE_WORDS = 6
NEED_SHARE = 0.15
"""Share of a cluster's openings that a topic must be in for its tools to be needed."""

EXPERT_VALUES = 2.5
"""Values that an opening states on average, from which on its users know what a call needs."""

FALLBACK = "utilities and documents"
"""Minor category of a cluster in whose openings no topic shows."""

_VALUE = re.compile(
    r"\[[A-Z_]+_\d+\]|\$?\d[\d.,:]*%?|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:today|tomorrow|tonight)\b|[今明后]天|周[一二三四五六日末]",
    re.I,
)
_SPLIT = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")


@dataclass(slots=True)
class ClusterSummary:
    """What is gathered of one cluster while its openings pass by; bounded in memory."""

    language: Language
    users: set[str] = field(default_factory=set)
    conversations: dict[str, None] = field(default_factory=dict)
    openings: int = 0
    values: int = 0
    topics: Counter[str] = field(default_factory=Counter)
    term_users: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    template_users: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    behaviour: BehaviourCounter = field(default_factory=BehaviourCounter)

    def add(self, conversation: str, user: str, opening: Opening, turns: Sequence[TurnBehaviour]) -> None:
        """Take in one opening; a conversation's behaviour counts once, at its first opening in the cluster."""
        self.users.add(user)
        self.openings += 1
        self.values += len(_VALUE.findall(opening.text))
        self.topics.update(topics_in(opening.text).keys())
        if conversation not in self.conversations:
            self.conversations[conversation] = None
            self.behaviour.add(turns)
        for term in set(analyse(opening.text)):
            _note(self.term_users, term, user)
        for template in templates(opening.text):
            _note(self.template_users, template, user)


def _note(table: dict[str, set[str]], key: str, user: str) -> None:
    if key in table or len(table) < TERMS_PER_CLUSTER:
        users = table[key]
        if len(users) < MOST_USERS_PER_TERM:
            users.add(user)


def templates(text: str) -> set[str]:
    """Runs of three to six words of an opening, values replaced by a slot; candidates for examples."""
    words = _SPLIT.findall(_VALUE.sub(" … ", text.lower()))[:24]
    joiner = "" if any("\u4e00" <= word <= "\u9fff" for word in words) else " "
    lengths = range(5, 11) if joiner == "" else range(3, EXAMPLE_WORDS + 1)
    return {
        joiner.join(words[start : start + length]).strip(" ,.;:!?，。；：！？")
        for start in range(min(6, len(words)))
        for length in lengths
        if start + length <= len(words)
    }


def scenarios(summaries: Sequence[ClusterSummary], *, k: int) -> tuple[list[SeedScenario], int]:
    """Seeds of the clusters that at least k different users support, and how many clusters had fewer.

    Args:
        summaries: the clusters of all languages.
        k: different users that must support a seed, and every word in it.
    """
    kept = [one for one in summaries if len(one.users) >= k]
    spread = _spread(kept)
    titles: Counter[tuple[Language, str]] = Counter()
    seeds: list[SeedScenario] = []
    for one in kept:
        seed = _scenario(one, spread[one.language], len([x for x in kept if x.language is one.language]), k, titles)
        seeds.append(seed)
    return seeds, len(summaries) - len(kept)


def _spread(summaries: Sequence[ClusterSummary]) -> dict[Language, Counter[str]]:
    """In how many clusters of a language each term stands."""
    spread: dict[Language, Counter[str]] = {language: Counter() for language in Language}
    for one in summaries:
        spread[one.language].update(one.term_users.keys())
    return spread


def _scenario(
    one: ClusterSummary, spread: Counter[str], clusters: int, k: int, titles: Counter[tuple[Language, str]]
) -> SeedScenario:
    ranked = [name for name, _ in sorted(one.topics.items(), key=lambda pair: (-pair[1], pair[0]))]
    main = TOPIC_BY_NAME[ranked[0]] if ranked else None
    needed = [TOPIC_BY_NAME[name] for name in ranked if one.topics[name] >= NEED_SHARE * one.openings][:3] or (
        [main] if main else []
    )
    minor = main.subcategory if main else FALLBACK
    terms = keywords(one, spread, clusters, k)
    persona = Persona.EXPERT if one.values >= EXPERT_VALUES * one.openings else Persona.NOVICE
    title, description, goal = _texts(one, main, needed, terms, persona, minor)
    titles[one.language, title] += 1
    if titles[one.language, title] > 1:
        title = f"{title} ({titles[one.language, title]})"
    return SeedScenario.of(
        language=one.language.value,
        title=title,
        description=description,
        goal=goal,
        category=CATEGORY_OF[minor].name,
        subcategory=minor,
        keywords=tuple(terms) or (minor,),
        tool_needs=tuple(need for topic in needed for need in topic.needs[one.language]),
        persona=persona,
        behaviour=one.behaviour.stats(),
        evidence=tuple(sorted(sorted(one.conversations)[:MOST_EVIDENCE])),
        supporting_users=len(one.users),
        examples=examples(one, k),
    )


def keywords(one: ClusterSummary, spread: Counter[str], clusters: int, k: int) -> list[str]:
    """Terms of a cluster, the strongest first: used by many of its users and in few other clusters."""
    scored = {
        term: len(users) * math.log(1 + clusters / spread[term])
        for term, users in one.term_users.items()
        if len(users) >= k and len(term) > 1
    }
    chosen: list[str] = []
    for term, _ in sorted(scored.items(), key=lambda pair: (-pair[1], pair[0])):
        if all(term not in other and other not in term for other in chosen):
            chosen.append(term)
        if len(chosen) == KEYWORDS:
            break
    return chosen


def examples(one: ClusterSummary, k: int) -> tuple[str, ...]:
    """Templates that at least k users began with, the longest and most frequent first, none inside another."""
    common = [(text, len(users)) for text, users in one.template_users.items() if len(users) >= k and len(text) > 4]
    chosen: list[str] = []
    for text, _ in sorted(common, key=lambda pair: (-pair[1] * math.sqrt(len(pair[0])), pair[0])):
        if all(text not in other and other not in text for other in chosen):
            chosen.append(text)
        if len(chosen) == EXAMPLES:
            break
    return tuple(chosen)


def _texts(
    one: ClusterSummary, main: Topic | None, needed: Sequence[Topic], terms: Sequence[str], persona: Persona, minor: str
) -> tuple[str, str, str]:
    """Title, description and goal, extractive: topic names, needs and shared terms in a sentence of ours."""
    stats = one.behaviour.stats()
    leaning = round(100 * sum(stats.hidden.values()))
    several = round(100 * stats.compositional)
    if one.language is Language.EN:
        name = main.name if main else minor
        title = f"{name.capitalize()}: {', '.join(terms[:2])}" if terms else name.capitalize()
        needs = "; ".join(need for topic in needed for need in topic.needs[Language.EN]) or "answer a request"
        who = "who know what they need" if persona is Persona.EXPERT else "who say little at first"
        description = (
            f"Users {who} ask about {name}" + (f" ({', '.join(terms[:5])})" if terms else "") + ". "
            f"{several} % of openings put several needs at once; {leaning} % of later turns lean on earlier ones."
        )
        return title, description, f"To {_verb_phrase(needs)}."
    name = main.zh if main else subcategory(minor).zh
    title = f"{name}：{'、'.join(terms[:2])}" if terms else name
    needs = "；".join(need for topic in needed for need in topic.needs[Language.ZH]) or "完成一项请求"
    who = "需求明确的用户" if persona is Persona.EXPERT else "起初说得不多的用户"
    description = (
        f"{who}询问{name}" + (f"（{'、'.join(terms[:5])}）" if terms else "") + "。"
        f"{several}% 的开场同时提出多个需求；{leaning}% 的后续发言依赖前文。"
    )
    return title, description, f"希望{needs}。"


def _verb_phrase(needs: str) -> str:
    parts = [part for part in needs.split("; ") if part]
    return "get done: " + ", ".join(parts)
