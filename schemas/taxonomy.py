"""The 8 × 3 taxonomy of what people use tools for.

One list for both ends of the pipeline: mining files seed scenarios under it, the catalogue files tool lists under
it, and planning joins the two. It is the taxonomy that fitted public API directories best (see docs/reference/mining.md).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Subcategory:
    """A minor category."""

    name: str
    """English name; the key. Names in other languages are words of theirs (``mining/words/``)."""


@dataclass(frozen=True, slots=True)
class Category:
    """A major category with its three minor ones."""

    name: str
    """English name; the key."""
    subcategories: tuple[Subcategory, ...]
    """Minor categories; their names are unique over the whole taxonomy."""


def _category(name: str, *subcategories: str) -> Category:
    return Category(name, tuple(Subcategory(minor) for minor in subcategories))


TAXONOMY: tuple[Category, ...] = (
    _category(
        "Weather & Environment",
        "weather and astronomy",
        "air quality and carbon",
        "animals and nature",
    ),
    _category(
        "Maps & Transport",
        "geocoding and places",
        "rail and transit",
        "flights, airports and road",
    ),
    _category(
        "Finance & Economy",
        "stocks and crypto",
        "currency, budgets and payments",
        "company and economic data",
    ),
    _category(
        "News, Language & Knowledge",
        "news",
        "dictionaries and text",
        "books, quotes and poems",
    ),
    _category(
        "Entertainment & Social",
        "music and audio",
        "film, anime and images",
        "games, sports and social",
    ),
    _category(
        "Government & Open Data",
        "elections and law",
        "statistics",
        "health",
    ),
    _category(
        "Shopping & Daily Life",
        "food and drink",
        "shopping and orders",
        "jobs, holidays and activities",
    ),
    _category(
        "Internet & Developer Tools",
        "URL, domain and IP",
        "security and identity",
        "utilities and documents",
    ),
)
"""Eight major categories of three minor ones, in a fixed order."""

CATEGORY_OF: dict[str, Category] = {minor.name: major for major in TAXONOMY for minor in major.subcategories}
"""Major category by the name of a minor one."""
