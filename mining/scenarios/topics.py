"""Topics of needs: finer than the taxonomy, each under one of its minor categories.

They serve three ends: to see that a user turns to something else, to file a cluster under the taxonomy, and to name
the tools that a scenario needs. Words are stems of everyday use, none is taken from a corpus.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache

from wildtool.language.lexicon import languages, spaced
from wildtool.language.phrase_tree import tree
from wildtool.mining.words import words as words_of
from wildtool.schemas.errors import LanguageError


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic. Its name, words and needs in a language are in that language's ``topics.toml``."""

    name: str
    """Key, and English name."""
    subcategory: str
    """Minor category of the taxonomy."""


@dataclass(frozen=True, slots=True)
class TopicWords:
    """A topic in one language."""

    name: str
    """What people call it."""
    words: tuple[str, ...]
    """Words that show it; phrases of several words are allowed."""
    needs: tuple[str, ...]
    """Tools that it needs, as short phrases."""


TOPICS: tuple[Topic, ...] = tuple(
    Topic(name, minor)
    for name, minor in (
        ("weather", "weather and astronomy"),
        ("astronomy", "weather and astronomy"),
        ("air quality", "air quality and carbon"),
        ("animals and nature", "animals and nature"),
        ("places and directions", "geocoding and places"),
        ("sights", "geocoding and places"),
        ("train and transit", "rail and transit"),
        ("ride", "flights, airports and road"),
        ("car rental", "flights, airports and road"),
        ("road", "flights, airports and road"),
        ("flight", "flights, airports and road"),
        ("stocks", "stocks and crypto"),
        ("currency", "currency, budgets and payments"),
        ("banking", "currency, budgets and payments"),
        ("companies", "company and economic data"),
        ("news", "news"),
        ("translation", "dictionaries and text"),
        ("books", "books, quotes and poems"),
        ("music", "music and audio"),
        ("film", "film, anime and images"),
        ("games", "games, sports and social"),
        ("sports", "games, sports and social"),
        ("social", "games, sports and social"),
        ("law", "elections and law"),
        ("statistics", "statistics"),
        ("health", "health"),
        ("restaurant", "food and drink"),
        ("coffee and drinks", "food and drink"),
        ("recipes", "food and drink"),
        ("shopping", "shopping and orders"),
        ("hotel", "jobs, holidays and activities"),
        ("homes", "jobs, holidays and activities"),
        ("events", "jobs, holidays and activities"),
        ("jobs", "jobs, holidays and activities"),
        ("holidays", "jobs, holidays and activities"),
        ("salon", "jobs, holidays and activities"),
        ("network", "URL, domain and IP"),
        ("security", "security and identity"),
        ("calendar", "utilities and documents"),
        ("documents and code", "utilities and documents"),
    )
)
"""Topics, in the order of the taxonomy."""

TOPIC_BY_NAME = {topic.name: topic for topic in TOPICS}

_WORD = re.compile(r"[a-z0-9][a-z0-9.'-]*[a-z0-9]|[a-z]")


@cache
def topic_words(language: str) -> dict[str, TopicWords]:
    """All topics in a language, by name. Raises ``LanguageError`` where the language's file lacks one."""
    table = words_of(language, "topics")
    if unknown := sorted(table.keys() ^ TOPIC_BY_NAME.keys()):
        raise LanguageError(
            f"topics.toml of {language!r} and the list of topics differ in {', '.join(unknown)}",
            "give every topic once",
        )
    return {
        topic.name: TopicWords(said["name"], tuple(said["words"]), tuple(said["needs"]))
        for topic in TOPICS
        for said in (table[topic.name],)
    }


@cache
def _tables() -> tuple[dict[str, str], re.Pattern[str], dict[str, str], re.Pattern[str]]:
    single: dict[str, str] = {}
    phrases: dict[str, str] = {}
    unspaced: dict[str, str] = {}
    for language in languages():
        for name, said in topic_words(language).items():
            for word in said.words:
                table = unspaced if not spaced(language) else phrases if " " in word else single
                table.setdefault(word, name)
    return single, re.compile(rf"\b{tree(phrases)}\b"), {**phrases, **unspaced}, re.compile(tree(unspaced))


@lru_cache(maxsize=20_000)
def topics_in(text: str) -> Counter[str]:
    """Topics whose words stand in a text, with how many. Phrases count twice: they are surer than words."""
    single, phrase_pattern, names, unspaced_pattern = _tables()
    lowered = text.lower()
    found: Counter[str] = Counter()
    for word in _WORD.findall(lowered):
        topic = single.get(word) or (single.get(word[:-1]) if word.endswith("s") else None)
        if topic is not None:
            found[topic] += 1
    for phrase in phrase_pattern.findall(lowered):
        found[names[phrase]] += 2
    if not lowered.isascii():
        for word in unspaced_pattern.findall(text):
            found[names[word]] += 2 if len(word) > 1 else 1
    return found
