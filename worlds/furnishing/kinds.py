"""Tell by its name what a field holds, and by its noun what a thing is."""

from __future__ import annotations

import re
from functools import lru_cache

from wildtool.worlds.furnishing.data import joined, name_words, patterns

_NAMING = re.compile(r"(?:^|_)(?:name|title|label|display_name|full_name|heading|caption_title|headline)s?$")
"""Names of fields that name the thing itself."""

_SCOPES = frozenset(
    (
        "origin", "destination", "from", "to", "departure", "arrival", "source", "target", "pickup", "dropoff", "billing", "shipping",
        "home", "away", "sender", "recipient", "owner", "author", "buyer", "seller", "start", "end", "birth", "current", "previous",
        "payor", "payee", "base", "quote", "customer", "contact", "manager", "driver", "patient", "doctor", "guest", "host",
    )
)  # fmt: skip
"""Words that part two places, or two people, of one thing."""


@lru_cache(maxsize=1 << 14)
def kind_of(name: str, noun: str) -> str | None:
    """Return the kind of a text field; None where its name tells nothing. ``noun`` is what holds the field."""
    held = joined(name)
    if _NAMING.search(held):
        before = _NAMING.sub("", held).strip("_")
        own = thing_of(before.replace("_", " ")) if before else None
        by_name = _by_name(held) if before else None
        return own or by_name or thing_of(noun) or "label"
    return _by_noun(held, noun) or _by_name(held)


def _by_noun(held: str, noun: str) -> str | None:
    """Return the kind of a field that only what holds it tells: the first of a name, the code of a country."""
    last = name_words(noun)[-1:]
    if last in (("name",), ("names",)) and held in ("first", "given", "last", "family", "middle"):
        return "last_name" if held in ("last", "family") else "first_name"
    if held in ("code", "iso_code", "iso", "iso2", "alpha2", "alpha_2") and thing_of(noun) in (
        "country",
        "currency_name",
    ):
        return "country_code" if thing_of(noun) == "country" else "currency"
    return "url" if last in (("link",), ("links",)) else None


def _by_name(held: str) -> str | None:
    return next((str(rest[0]) for pattern, rest in patterns("kinds", "kinds") if pattern.search(held)), None)


@lru_cache(maxsize=1 << 12)
def thing_of(noun: str) -> str | None:
    """Return the kind of names of a thing: by the whole noun, else by its last word; None for unknown things."""
    noun = " ".join(name_words(noun))
    for text in dict.fromkeys((noun, " ".join(noun.split()[-2:]), noun.split()[-1] if noun else "")):
        for form in dict.fromkeys((text, _singular(text))):
            for pattern, rest in patterns("kinds", "nouns"):
                if form and pattern.fullmatch(form):
                    return str(rest[0])
    return None


def _singular(text: str) -> str:
    if text.endswith("ies"):
        return text[:-3] + "y"
    return text[:-1] if text.endswith("s") and not text.endswith("ss") else text


@lru_cache(maxsize=1 << 12)
def named_after(kind: str | None, field: str) -> bool:
    """Return whether names of a kind hold what a field of their row says."""
    held = joined(field)
    return any(rest[0] == kind and pattern.search(held) for pattern, rest in patterns("kinds", "held"))


@lru_cache(maxsize=1 << 14)
def scope_of(name: str) -> str:
    """Return the word that says of which of two places or people a field speaks; empty for the thing's own."""
    return next((word for word in name_words(name) if word in _SCOPES), "")
