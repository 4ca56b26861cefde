"""Clusters → seed scenarios: extractive, in our own sentences, without any raw message."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from wildtool.language.lexicon import letters_of, spaced, traits
from wildtool.mining.scenarios.clusters import KEYWORDS, Cluster, terms
from wildtool.mining.scenarios.domains import domain_name, domain_words
from wildtool.mining.scenarios.topics import TOPIC_BY_NAME, topic_words, topics_in
from wildtool.mining.statistics import stats_of, summed
from wildtool.mining.words import words as words_of
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.taxonomy import CATEGORY_OF
from wildtool.schemas.vocabulary import Persona

TITLE_TERMS = 3
NEEDS_SHOWN = 3
EXAMPLE_WORDS = 6
"""A template holds at most so many words of the log in a row; more would be a raw message."""
EXAMPLES = 3
NEED_SHARE = 0.15
"""Share of a cluster's openings that a topic of its category must be in for its tools to be needed; of another category,
twice as many: a word in passing is not a need."""
EXPERT_WORDS = 9.0
"""Mean words of an opening from which the cluster's users are taken for experts: they say what they need in one go."""


def seeds_of(
    clusters: Sequence[Cluster], counts: Mapping[str, bytes], *, k: int
) -> tuple[list[SeedScenario], list[Cluster]]:
    """Seeds of the clusters that at least ``k`` different users support, and the clusters that too few do.

    ``counts``: what was counted in each conversation (``mining.statistics.counted``, as bytes), by its id.
    """
    seeds: list[SeedScenario] = []
    weak: list[Cluster] = []
    for cluster in clusters:
        users = {opening.user for opening in cluster.openings}
        keywords = _supported(cluster, k) if len(users) >= k else ()
        if keywords:
            seeds.append(_seed(cluster, len(users), keywords, counts, k))
        else:
            weak.append(cluster)
    return list({seed.id: seed for seed in seeds}.values()), weak


def _seed(cluster: Cluster, users: int, keywords: tuple[str, ...], counts: Mapping[str, bytes], k: int) -> SeedScenario:
    language = cluster.language
    needs = _needs(cluster)
    topic = _topic(cluster) or domain_name(cluster.domain, language)
    comma = traits(language).list_comma
    parts = {
        "topic": topic[:1].upper() + topic[1:],
        "about": topic,
        "terms": comma.join(keywords[:TITLE_TERMS]),
        "needs": comma.join(needs[:NEEDS_SHOWN]) or topic,
        "goal": (needs[0][:1].upper() + needs[0][1:]) if needs else topic[:1].upper() + topic[1:],
    }
    sentences = words_of(language, "scenarios")["seed"]
    title, description, goal = (sentences[name].format(**parts) for name in ("title", "description", "goal"))
    evidence = sorted({opening.conversation for opening in cluster.openings})
    return SeedScenario.of(
        language=language,
        title=title,
        description=description,
        goal=goal,
        category=CATEGORY_OF[cluster.domain].name,
        subcategory=cluster.domain,
        keywords=keywords,
        tool_needs=needs or tuple(keywords[:TITLE_TERMS]),
        persona=_persona(cluster),
        behaviour=stats_of(summed(counts[one] for one in evidence)),
        evidence=tuple(evidence),
        supporting_users=users,
        examples=_templates(cluster, k),
    )


def _supported(cluster: Cluster, k: int) -> tuple[str, ...]:
    """Keywords that at least k different users wrote (a word of fewer may tell who they are), then words of our own
    list for the category that stand in the openings."""
    users: dict[str, set[str]] = {}
    own: Counter[str] = Counter()
    for opening in cluster.openings:
        for term in set(terms(opening.text, cluster.language)):
            users.setdefault(term, set()).add(opening.user)
        own.update(domain_words(opening.text, cluster.language, cluster.domain))
    shared = [term for term in cluster.keywords if len(users.get(term, ())) >= k]
    listed = [word for word, _ in sorted(own.items(), key=lambda item: (-item[1], item[0]))]
    # "PDF" and "pdf" are one word.
    return tuple({word.casefold(): word for word in reversed((*shared, *listed))}.values())[::-1][:KEYWORDS]


def _needs(cluster: Cluster) -> tuple[str, ...]:
    """Capabilities of the topics that a fair share of the openings is about, those of the cluster's category first."""
    found: Counter[str] = Counter()
    for opening in cluster.openings:
        found.update(topics_in(opening.text).keys())
    least = max(1.0, NEED_SHARE * len(cluster.openings))
    enough = [
        topic
        for topic in (TOPIC_BY_NAME[name] for name in found)
        if found[topic.name] >= (least if topic.subcategory == cluster.domain else 2 * least)
    ]
    enough.sort(key=lambda topic: (topic.subcategory != cluster.domain, -found[topic.name], topic.name))
    return tuple(need for topic in enough[:3] for need in topic_words(cluster.language)[topic.name].needs)


def _topic(cluster: Cluster) -> str | None:
    """The topic of the cluster's category that most openings are about, in the cluster's language."""
    found: Counter[str] = Counter()
    for opening in cluster.openings:
        found.update(name for name in topics_in(opening.text) if TOPIC_BY_NAME[name].subcategory == cluster.domain)
    if not found:
        return None
    name = min(found, key=lambda name: (-found[name], name))
    return topic_words(cluster.language)[name].name


def _persona(cluster: Cluster) -> Persona:
    word = _patterns()[1]
    mean = sum(len(word.findall(opening.text)) for opening in cluster.openings) / len(cluster.openings)
    return Persona.EXPERT if mean >= EXPERT_WORDS else Persona.NOVICE


def _templates(cluster: Cluster, k: int) -> tuple[str, ...]:
    """Runs of words that openings of at least k different users share, values blanked out; none inside another."""
    users: dict[str, set[str]] = {}
    for opening in cluster.openings:
        for text in _runs(opening.text, cluster.language):
            users.setdefault(text, set()).add(opening.user)
    shared = [(text, len(some)) for text, some in users.items() if len(some) >= k]
    chosen: list[str] = []
    for text, _ in sorted(shared, key=lambda item: (-item[1] * math.sqrt(len(item[0])), item[0])):
        if all(text not in other and other not in text for other in chosen):
            chosen.append(text)
        if len(chosen) == EXAMPLES:
            break
    return tuple(chosen)


def _runs(text: str, language: str) -> set[str]:
    """Runs of a few words from the beginning of an opening, numbers and placeholders blanked out."""
    units = _patterns()[0].findall(_BLANK.sub(" … ", text.lower()))[: 4 * EXAMPLE_WORDS]
    shortest, longest, joint = (3, EXAMPLE_WORDS, " ") if spaced(language) else (5, 2 * EXAMPLE_WORDS, "")
    return {
        joint.join(units[start : start + length])
        for start in range(min(EXAMPLE_WORDS, len(units)))
        for length in range(shortest, longest + 1)
        if start + length <= len(units)
    }


_BLANK = re.compile(r"\[[A-Z]+_\d+\]|\d[\d.,:/-]*")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Units of a template (words, or letters of languages without spaces, and blanks), and words to count."""
    letters, single = letters_of(spaced=True), letters_of(spaced=False)
    units = re.compile(rf"[{letters}][{letters}'’-]*|[{single}]|…")
    return units, re.compile(rf"(?:[{letters}0-9'’])+|[{single}]{{1,2}}", re.IGNORECASE)
