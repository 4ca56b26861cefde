"""What the numbers of a text count, in any registered language, and the parameters that take such counts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from wildtool.language.folding import in_place
from wildtool.language.lexicon import languages, words
from wildtool.language.numbers import read_numbers
from wildtool.language.people import PERSON
from wildtool.language.quantities import Quantity, Relation, UnitKind, read_quantities
from wildtool.language.quantities_grammar import any_of
from wildtool.language.quantities_items import DOUBT, OPEN
from wildtool.language.spans import Span
from wildtool.language.units import dimension, factors


@dataclass(frozen=True)
class Kind:
    """A kind of thing that is counted or measured."""

    name: str
    """What it is called in a report, and in ``counted.toml``."""
    parameters: frozenset[str]
    """Words of a parameter's name that say it takes this kind."""
    units: frozenset[str] = frozenset()
    """Units of measure that it is told in."""


def _kind(name: str, parameters: str, *units: str) -> Kind:
    return Kind(name, frozenset(parameters.split()), frozenset(units))


KINDS: tuple[Kind, ...] = (
    _kind(
        "people",
        "people persons guests adults passengers travelers travellers party pax attendees diners headcount participants players "
        "covers occupancy",
    ),
    _kind("children", "children kids infants child"),
    _kind("tickets", "tickets count quantity qty"),
    _kind("copies", "copies"),
    _kind("bedrooms", "bedrooms bedroom"),
    _kind("bathrooms", "bathrooms bathroom"),
    _kind("rooms", "rooms room_count"),
    _kind("nights", "nights"),
    _kind("days", "days", "day"),
    _kind("weeks", "weeks", "week", "fortnight"),
    _kind("hours", "hours", "hour"),
    _kind("minutes", "minutes", "min", "quarter hour"),
    _kind("stars", "stars star rating"),
    _kind("years of age", "age", "year"),
    _kind("servings", "servings portions"),
    _kind("money", "price budget cost amount fare spend payment total"),
    _kind(
        "distance",
        "distance radius km kilometers kilometres meters metres miles range",
        "km", "m", "mile", "ft", "yard", "li", "nautical mile",
    ),
)  # fmt: skip
"""Kinds in the order in which a parameter's words are matched: a bedroom is no room."""
_BY_NAME = {kind.name: kind for kind in KINDS}
_CONVERSIONS: dict[tuple[str, str], float] = {
    ("weeks", "days"): 7,
    ("weeks", "nights"): 7,
    ("days", "nights"): 1,
    ("nights", "days"): 1,
    ("days", "hours"): 24,
    ("days", "weeks"): 1 / 7,
    ("hours", "minutes"): 60,
    ("minutes", "hours"): 1 / 60,
}
"""Kinds whose numbers another kind may follow from."""


@dataclass(frozen=True, slots=True)
class Count:
    """A number that a text says, and what it counts."""

    values: frozenset[float]
    """Its readings; both ends of a range."""
    kind: Kind | None
    """What it counts; None where the words do not tell, or tell something of no kind."""
    unit: str | None
    """As ``Quantity.unit``; the noun behind a measure word where that says what is counted: 大人."""
    of: UnitKind
    """As ``Quantity.unit_kind``."""
    relation: Relation
    certainty: float
    start: int
    end: int
    number: int
    """Where its numeral begins."""
    number_end: int
    language: str
    article: bool = False
    """It is an article that may be meant as one: an hour, a room."""
    ordinal: bool = False
    """It is a place in an order: 第三."""

    @property
    def other(self) -> bool:
        """It counts things of no kind: three hotels."""
        return self.kind is None and self.of == "count"


@lru_cache(maxsize=2048)  # rules ask again and again of the texts of one session
def counts(text: str) -> tuple[Count, ...]:
    """Every number of a text with what it counts, in order.

    Where two languages read the same digits, the longer reading counts, doubts aside. A number that counts nothing that is known (of a
    page, a day, a name) has no kind and a certainty of ``DOUBT`` at most.
    """
    plain = in_place(text)
    found = [one for language in languages() for one in _of_language(text, plain, language)]
    kept: list[Count] = []
    for one in sorted(found, key=lambda each: (each.certainty < OPEN, each.start - each.end, -each.certainty)):
        if not any(one.start < other.end and other.start < one.end for other in kept):
            kept.append(one)
    return tuple(sorted(kept, key=lambda each: each.start))


def _of_language(text: str, plain: str, language: str) -> Iterator[Count]:
    numbers = read_numbers(text, language)
    for span in read_quantities(text, language):
        yield _count(plain, span, language, numbers)
    for number in numbers:
        values = frozenset(reading.value for reading in number.readings)
        if number.best.value != 1 or number.best.certainty > 0.95:
            yield Count(
                values, None, None, "none", "=", 0.0, number.start, number.end, number.start,
                number.end, language, ordinal=_words(language).ordinal.search(plain[: number.start]) is not None,
            )  # fmt: skip
    for match in _words(language).article.finditer(plain):
        kind = _words(language).nouns[match["noun"]]
        yield Count(
            frozenset((1.0,)), kind, match["noun"], "count", "=", OPEN, match.start(), match.end(), match.start(),
            match.end(), language, True,
        )  # fmt: skip


def _count(plain: str, span: Span[Quantity], language: str, numbers: tuple[Span[float], ...]) -> Count:
    best = span.best.value
    inside = [one for one in numbers if span.start <= one.start < span.end]
    values: set[float] = set()
    for reading in span.readings:
        ends = reading.value.value
        values |= set(ends if isinstance(ends, tuple) else (ends,))
    kind, noun = _kind_of(plain, span, language) if span.best.certainty > DOUBT else (None, None)
    if best.unit == "fortnight":
        values = {2 * value for value in values}
    elif best.unit == "quarter hour":
        values = {15 * value for value in values}
    article = not inside and values == {1.0} and best.unit is not PERSON
    number, number_end = (inside[0].start, inside[0].end) if inside else (span.start, span.end)
    return Count(
        frozenset(values), kind, noun[0] if noun else best.unit, best.unit_kind, best.relation, span.best.certainty,
        span.start, noun.end() if noun else span.end,
        number, number_end, language, article,
    )  # fmt: skip


def _kind_of(plain: str, span: Span[Quantity], language: str) -> tuple[Kind | None, re.Match[str] | None]:
    """What a quantity counts, and the noun behind its measure word that says so."""
    said = _words(language)
    best = span.best.value
    if best.unit_kind == "currency":
        return _BY_NAME["money"], None
    if best.unit == "year":
        age = said.age_within.search(span.text.lower()) or said.age_before.search(plain[: span.start])
        return (_BY_NAME["years of age"] if age else None), None
    if best.unit_kind == "measure":
        return next((kind for kind in KINDS if best.unit in kind.units), None), None
    if best.unit in said.shared:
        for kind, nouns in said.behind:
            if (noun := nouns.match(plain, span.end)) is not None:
                return kind, noun
    return said.nouns.get(best.unit or ""), None


@dataclass(frozen=True, slots=True)
class _Words:
    nouns: dict[str, Kind]
    behind: tuple[tuple[Kind, re.Pattern[str]], ...]
    shared: frozenset[str]
    article: re.Pattern[str]
    ordinal: re.Pattern[str]
    age_within: re.Pattern[str]
    age_before: re.Pattern[str]


@cache
def _words(language: str) -> _Words:
    table = words(language, "counted")
    ordinal = words(language, "numbers")["ordinal"]
    nouns = {noun: _BY_NAME[name] for name, said in table["counts"].items() for noun in said}
    return _Words(
        nouns,
        tuple((_BY_NAME[name], re.compile(said)) for name, said in table["behind"].items()),
        frozenset(table["shared"]["measure_words"]),
        re.compile(table["articles"]["noun"].replace("NOUNS", any_of(nouns))),
        re.compile(f"(?:{re.escape(ordinal)})$" if ordinal else "(?!)"),
        re.compile(table["ages"]["within"]),
        re.compile(table["ages"]["before"]),
    )


def kind_of_parameter(name: Collection[str]) -> Kind | None:
    """What a parameter counts, by the words of its name."""
    return next((kind for kind in KINDS if kind.parameters.intersection(name)), None)


def expected(kind: Kind, said: Collection[Count]) -> set[float]:
    """Values that a parameter of a kind may take, given what was counted; empty where nothing of it was."""
    values = values_of(kind.name, said)
    if kind.name == "distance":
        values |= {
            value * factor
            for one in said
            if one.kind is kind
            for value in one.values
            for factor in factors(one.unit or "")
        }
    for (told, wanted), factor in _CONVERSIONS.items():
        if wanted == kind.name:
            values |= {value * factor for value in values_of(told, said)}
    if kind.name == "days":  # three nights are four days
        values |= {value + 1 for value in values_of("nights", said)}
    elif kind.name == "nights":
        values |= {value - 1 for value in values_of("days", said)}
    elif kind.name == "hours":  # an hour and a half may be given in two parameters
        values |= {float(int(value)) for value in values}
    elif kind.name == "minutes":
        values |= {round(60 * (value % 1), 6) for value in values_of("hours", said) if value % 1}
    elif kind.name == "tickets" and not values:  # a plain ``count`` takes whatever else is counted in pieces
        values = values_of("copies", said) | values_of("servings", said)
    elif kind.name == "people" and values:
        # Adults and children, or "me and three friends".
        people = values_of("people", said)
        values |= {a + b for a in people for b in (*values_of("children", said), 1)} | {sum(people)}
    return values


def values_of(name: str, said: Collection[Count]) -> set[float]:
    """Numbers that were said of a kind."""
    return {value for one in said if one.kind is not None and one.kind.name == name for value in one.values}


def bare(said: Collection[Count]) -> set[float]:
    """Numbers that were said of no kind, places in an order aside."""
    return {value for one in said if one.kind is None and not (one.article or one.ordinal) for value in one.values}


def in_other_units(said: Collection[Count]) -> set[float]:
    """The numbers of a text in all units that a tool may take them in: metres for miles, cents for euros, 0.2 for 20 %."""
    values: set[float] = set()
    for one in said:
        if one.of == "currency":
            values |= {value * 100 for value in one.values}
        elif one.unit is not None and dimension(one.unit) is not None:
            values |= {value * factor for value in one.values for factor in factors(one.unit)}
    return values


@cache
def _company() -> re.Pattern[str]:
    return re.compile("|".join(words(code, "counted")["company"]["said"] for code in languages()))


def names_company(text: str) -> bool:
    """Does a text say who comes along, without a number?"""
    return _company().search(in_place(text)) is not None


@cache
def _articles(name: str) -> re.Pattern[str]:
    return re.compile("|".join(words(code, "counted")["articles"][name] for code in languages()))


def holds_article(text: str) -> bool:
    """Does a text hold an article that may be meant as one?"""
    return _articles("one").search(in_place(text)) is not None


def may_mean_one(text: str) -> bool:
    """Does a text hold an article or a word that may be meant as one? Hardly a text holds none."""
    return holds_article(text) or _articles("singular").search(in_place(text)) is not None


def leaves_noun_out(text: str) -> bool:
    """Does a text count by the pair or the dozen: "book a pair"?"""
    return _articles("pair").search(in_place(text)) is not None
