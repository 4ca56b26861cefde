"""Clusters → seed scenarios: extractive, in our own sentences, without any raw message."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from mining.clusters import Cluster, terms
from mining.cues import CUES
from mining.statistics import behaviour_stats
from schemas.conversation import ConversationBehaviour
from schemas.seed import SeedScenario
from schemas.taxonomy import CATEGORY_OF, subcategory
from schemas.vocabulary import Persona

TITLE_TERMS = 3
EXAMPLE_WORDS = 6
"""A template holds at most so many words of the log in a row; more would be a raw message."""
EXAMPLES = 3
EXPERT_WORDS = 9.0
"""Mean words of an opening from which the cluster's users are taken for experts: they say what they need in one go."""

_SENTENCES = {
    "en": (
        "Users turn to the assistant about {topic}; what comes up most is {terms}.",
        "Get something done about {topic} that involves {terms}.",
        "{topic}: {terms}",
    ),
    "zh": (
        "用户就{topic}求助，最常提到的是{terms}。",
        "办成一件与{topic}有关的事，涉及{terms}。",
        "{topic}：{terms}",
    ),
}
_JOIN = {"en": ", ", "zh": "、"}


def seeds_of(
    clusters: Sequence[Cluster], behaviours: Mapping[str, ConversationBehaviour], *, k: int
) -> tuple[list[SeedScenario], list[Cluster]]:
    """Seeds of the clusters that at least ``k`` different users support, and the clusters that too few do.

    ``behaviours``: by conversation id.
    """
    seeds: list[SeedScenario] = []
    weak: list[Cluster] = []
    for cluster in clusters:
        users = {opening.conversation.user for opening in cluster.openings}
        if len(users) < k or not cluster.keywords:
            weak.append(cluster)
        else:
            seeds.append(_seed(cluster, len(users), behaviours, k))
    return list({seed.id: seed for seed in seeds}.values()), weak


def _seed(cluster: Cluster, users: int, behaviours: Mapping[str, ConversationBehaviour], k: int) -> SeedScenario:
    language = cluster.language
    topic = cluster.domain if language == "en" else subcategory(cluster.domain).zh
    keywords = _supported(cluster, k)
    listed = _JOIN[language].join(keywords[:TITLE_TERMS])
    description, goal, title = (sentence.format(topic=topic, terms=listed) for sentence in _SENTENCES[language])
    evidence = sorted({opening.conversation.id for opening in cluster.openings})
    return SeedScenario.of(
        language=language,
        title=title,
        description=description,
        goal=goal,
        category=CATEGORY_OF[cluster.domain].name,
        subcategory=cluster.domain,
        keywords=keywords,
        tool_needs=tuple(keywords[:TITLE_TERMS]),
        persona=_persona(cluster),
        behaviour=behaviour_stats(behaviours[one] for one in evidence),
        evidence=tuple(evidence),
        supporting_users=users,
        examples=_templates(cluster),
    )


def _supported(cluster: Cluster, k: int) -> tuple[str, ...]:
    """Keywords that more than one user wrote come first: one user's word may tell who it was."""
    users: dict[str, set[str]] = {}
    for opening in cluster.openings:
        for term in set(terms(opening.text, cluster.language)):
            users.setdefault(term, set()).add(opening.conversation.user)
    shared = [term for term in cluster.keywords if len(users.get(term, ())) >= 2]
    return tuple(shared) or cluster.keywords[:TITLE_TERMS]


def _persona(cluster: Cluster) -> Persona:
    cues = CUES[cluster.language]
    mean = sum(cues.length(opening.text) for opening in cluster.openings) / len(cluster.openings)
    return Persona.EXPERT if mean >= EXPERT_WORDS else Persona.NOVICE


def _templates(cluster: Cluster) -> tuple[str, ...]:
    """The commonest first words of openings, with numbers and placeholders blanked out."""
    counted: Counter[str] = Counter()
    cues = CUES[cluster.language]
    for opening in cluster.openings:
        text = re.sub(r"\[[A-Z]+_\d+\]", "…", cues.without_courtesy(opening.text))
        text = re.sub(r"\d[\d.,:/-]*", "…", " ".join(text.split()))
        if cluster.language == "zh":
            start = re.split(r"[，。！？,.!?\s]", text)[0][: 2 * EXAMPLE_WORDS - 4]
        else:
            start = " ".join(re.split(r"(?<=[.!?,])\s", text)[0].split()[:EXAMPLE_WORDS])
        if len(start) >= 2:
            counted[start.rstrip(" .,!?，。！？") + " …"] += 1
    return tuple(text for text, _ in sorted(counted.items(), key=lambda item: (-item[1], item[0]))[:EXAMPLES])
