"""Name things: unique in their table, in natural words of the language, in step with what the row knows."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from wildtool.language.folding import plain
from wildtool.language.lexicon import spaced
from wildtool.schemas.base import JsonObject
from wildtool.worlds.furnishing.checks import check_of
from wildtool.worlds.furnishing.data import (
    City,
    Pool,
    cities,
    country_cities,
    holidays,
    home_cities,
    name_words,
    names,
    pool,
)
from wildtool.worlds.furnishing.facts import Exhausted, Facts, Person
from wildtool.worlds.furnishing.kinds import kind_of, thing_of
from wildtool.worlds.furnishing.shapes import draw_of, examples_of

Free = Callable[[Any], bool]
Label = Callable[[Facts, Free, bool], str]

FROM_EXAMPLES = 0.75
"""Share of names that are the schema's own examples, where there are several; the others are composed."""

MOST_TOPIC_WORDS = 4
"""Words of a topic that names can hold; a longer one is a text, no topic."""

TRIES = 400
"""Names that are tried before one gets a number."""

CLOSED = frozenset(
    (
        "continent",
        "country",
        "currency_name",
        "holiday",
        "language",
        "region",
        "star_sign",
        "timezone",
        "city",
        "weekday",
        "gender",
    )
)
"""Kinds of which there are no more than the data hold."""

_SENTENCE = re.compile(r"[.!?。！？;；:：]|, ")

_ROMAN = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def label_of(name: str, schema: JsonObject, noun: str, language: str) -> Label:
    """Return what names the things of a table."""
    kind = kind_of(name, noun) or thing_of(noun)
    examples = [each for each in examples_of(schema) if isinstance(each, str)]
    check = check_of(schema)
    special = _SPECIAL.get(kind or "")
    held = pool(kind or "", language)
    recombined = None if held is not None or special is not None else _recombined(examples)
    if held is None and special is None and recombined is None:
        held = pool("project", language) if not examples or len(examples) < 3 else None
    draw = draw_of(name, schema, noun, language)

    def candidates(facts: Facts) -> str:
        if nameable(facts.topic):
            topical = held.topical(facts.topic, int(facts.random() * 4096)) if held is not None else None
            topical = topical or (_like_topic(facts, kind) if special is not None else None)
            if topical is not None:
                return topical
        if examples and special is None and facts.random() < (FROM_EXAMPLES if len(examples) > 2 else 0.3):
            return facts.pick(examples)
        if special is not None:
            return special(facts)
        source = held or recombined
        return source.name(int(facts.random() * source.count)) if source is not None else str(draw(facts))

    def label(facts: Facts, free: Free, closed: bool) -> str:
        if facts.named:
            if free(facts.named) and check(facts.named):
                return facts.named
            if closed:
                raise Exhausted(facts.named)
        made = ""
        for attempt in range(TRIES):
            made = candidates(facts) if attempt < TRIES // 2 or held is None else held.name(attempt)
            if free(made) and check(made):
                return made
        if closed and (kind in CLOSED or "enum" in schema):
            raise Exhausted(made)
        for base in (made, f"{made} {facts.rng.randrange(2, 99)}"):
            for numeral in _ROMAN:
                if free(numbered := f"{base} {numeral}") and check(numbered):
                    return numbered
        return next(each for each in (f"{made} {number}" for number in range(2, 100_000)) if free(each))

    return label


def nameable(topic: str) -> bool:
    """Return whether a topic can be part of a name: a few words, no sentence."""
    return bool(topic) and len(topic) <= 40 and topic.count(" ") < MOST_TOPIC_WORDS and not _SENTENCE.search(topic)


def _like_topic(facts: Facts, kind: str | None) -> str | None:
    """Return a person of the family that was searched for; None for other kinds, which a topic does not name."""
    if kind not in ("person", "player", "doctor"):
        return None
    told = names(facts.scene.language)
    first = facts.pick(told["first_name"]["say"])
    last = facts.topic.split()[-1] if " " in facts.topic or spaced(facts.scene.language) else facts.topic[:1]
    return str(told["full_name"]).format(first=first, last=last)


def _person(facts: Facts) -> str:
    facts.people.pop("", None)
    return facts.person("").full


def _doctor(facts: Facts) -> str:
    return str(names(facts.scene.language)["doctor_line"]).format(name=_person(facts))


def _city(facts: Facts) -> str:
    facts.places.pop("", None)
    return facts.place("").name


def _country(facts: Facts) -> str:
    facts.places[""] = facts.pick(cities(facts.scene.language))
    return facts.places[""].country


def _region(facts: Facts) -> str:
    facts.places[""] = facts.pick(cities(facts.scene.language))
    return facts.places[""].region


def _timezone(facts: Facts) -> str:
    facts.places[""] = facts.pick(cities(facts.scene.language))
    return facts.places[""].timezone


def _airport(facts: Facts) -> str:
    facts.places[""] = facts.pick(cities(facts.scene.language))
    return str(names(facts.scene.language)["airport_line"]).format(city=facts.places[""].name)


def _currency(facts: Facts) -> str:
    told = names(facts.scene.language)["currency_names"]
    facts.places[""] = facts.pick(_with_currency(facts.scene.language, tuple(told)))
    return str(told[facts.places[""].currency])


def _with_currency(language: str, codes: Sequence[str]) -> list[City]:
    seen: dict[str, City] = {}
    for city in cities(language):
        if city.currency in codes:
            seen.setdefault(city.currency, city)
    return list(seen.values())


def _holiday(facts: Facts) -> str:
    everything = holidays(facts.scene.language)
    place = facts.places.get("")
    if place is None:
        place = facts.places[""] = facts.pick(home_cities(facts.scene.language))
    there = [row for row in everything if row[0] in ("*", place.code)]
    _, day, name = facts.pick(there)
    facts.day = (int(day[:2]), int(day[3:]))
    return name


_SPECIAL: dict[str, Callable[[Facts], str]] = {
    "person": _person,
    "player": _person,
    "doctor": _doctor,
    "city": _city,
    "country": _country,
    "region": _region,
    "timezone": _timezone,
    "airport": _airport,
    "currency_name": _currency,
    "holiday": _holiday,
}
"""Names that other fields of the row follow from."""


def tell(facts: Facts, label: str, kind: str | None) -> None:
    """Let a row know its given name, so that its people and places are the ones it names."""
    facts.label = label
    language = facts.scene.language
    match kind:
        case "person" | "player" | "doctor":
            if not facts.people:
                words = label.split()
                first, last = (words[0], " ".join(words[1:])) if len(words) > 1 else (label, "")
                facts.people[""] = Person(first, last, label)
        case "country":
            found = country_cities(language).get(plain(label), ())
            if found and "" not in facts.places:
                facts.places[""] = facts.pick(found)
        case "company":
            facts.company = label
        case "holiday":
            facts.day = next(
                ((int(day[:2]), int(day[3:])) for _, day, name in holidays(language) if plain(name) == plain(label)),
                None,
            )
        case "currency_name":
            told = names(language)["currency_names"]
            codes = [code for code, name in told.items() if plain(str(name)) == plain(label)]
            places = _with_currency(language, codes)
            if places:
                facts.places[""] = places[0]
        case _:
            pass


def _recombined(examples: Sequence[str]) -> Pool | None:
    """Return names made of the examples' own words: the beginnings of some with the ends of others."""
    parted = [each.rsplit(" ", 1) for each in examples if 2 <= len(each.split()) <= 4]
    if len(parted) < 3 or len(parted) < len(examples) * 0.6 or any(len(name_words(each)) > 6 for each in examples):
        return None
    first, last = tuple(dict.fromkeys(a for a, _ in parted)), tuple(dict.fromkeys(b for _, b in parted))
    return Pool((("{a} {b}", ("a", "b")),), {"a": first, "b": last}, (), (len(first) * len(last),))
