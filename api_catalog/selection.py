"""Which of the lists found in a directory of APIs make a balanced catalogue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from api_catalog.category import UNSURE
from api_catalog.names import words_of
from schemas.base import JsonObject

PER_PROVIDER = 4
"""Lists of one provider: else Twilio, SportsData and VTEX alone fill several categories."""

PER_MINOR = 34
"""Lists of one minor category: the fullest has ten times as many as the emptiest."""

NEAR = 0.8
"""Jaccard overlap of (function, arguments) from which two lists of one provider are versions of the same."""

Left = tuple[JsonObject, str, str]
"""(list, reason, detail) of a list that stays out."""


def select(found: Sequence[JsonObject]) -> tuple[list[JsonObject], list[Left]]:
    """The lists to keep, in their order, and why each other one stays out.

    The best come first: by score, links and number of functions, not by name.
    """
    left: list[Left] = []
    ranked = sorted(range(len(found)), key=lambda index: (-worth(found[index]), found[index]["slug"], index))
    kept: list[int] = []
    per_provider: Counter[str] = Counter()
    per_minor: Counter[str] = Counter()
    seen: dict[frozenset[str], str] = {}
    by_provider: dict[str, list[tuple[str, frozenset[str]]]] = {}
    for index in ranked:
        one = found[index]
        provider = provider_of(one)
        marks = fingerprint(one)
        if one["category_confidence"] < UNSURE:
            left.append((one, "no_everyday_category", f"{one['subcategory']} {one['category_confidence']}"))
        elif marks in seen:
            left.append((one, "duplicate_list", f"same functions as {seen[marks]}"))
        elif twin := next((slug for slug, other in by_provider.get(provider, ()) if _overlap(marks, other) >= NEAR), None):
            left.append((one, "near_duplicate", f"like {twin}"))
        elif per_provider[provider] >= PER_PROVIDER:
            left.append((one, "provider_cap", f"{PER_PROVIDER} better lists of {provider}"))
        elif per_minor[one["subcategory"]] >= PER_MINOR:
            left.append((one, "category_cap", f"{PER_MINOR} better lists in {one['subcategory']}"))
        else:
            kept.append(index)
            per_provider[provider] += 1
            per_minor[one["subcategory"]] += 1
            seen[marks] = one["slug"]
            by_provider.setdefault(provider, []).append((one["slug"], marks))
    return [found[index] for index in sorted(kept)], left


def worth(one: JsonObject) -> float:
    """How much a list is wanted: readable functions, several of them, that feed one another."""
    functions = len(one["tools"])
    linked = len({link["consumer"] for link in one["links"]})
    return float(
        one["score"] + 0.15 * min(functions, 8) + min(0.8, 0.2 * linked) + min(0.4, one["category_confidence"] - UNSURE)
    )


def provider_of(one: JsonObject) -> str:
    """The provider in a list's source, ``npr.org`` of ``… npr.org/listening``."""
    return str(one["source"]).rsplit(" ", 1)[-1].split("/")[0]


def fingerprint(one: JsonObject) -> frozenset[str]:
    """Functions with their arguments; equal for equal lists of other names."""
    return frozenset(
        f"{' '.join(words_of(tool['name']))}({','.join(sorted(tool['parameters']['properties']))})" for tool in one["tools"]
    )


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 1.0
