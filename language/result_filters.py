"""What the arguments of a call promise of its result: how many items, within which bounds, in what order.

Read off names alone (``maxPrice``, ``released_after``, ``inStockOnly``, ``sortBy``), since APIs say it in no other way.
Who makes results and who judges them must read the same, hence one place. Unclear names promise nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from wildtool.schemas.base import JsonObject

LIMIT_NAME = re.compile(
    r"^(?:limit|max_?results?|max_?items|max_?count|per_?page|page_?size|top_?[kn]?|n|num(?:ber)?_?(?:of_?)?results|results|"
    r"result_?count|results_?limit|size|count|rows|take|max_?num(?:ber)?|num)$",
    re.IGNORECASE,
)
"""Names of parameters that say how many results to return."""

_UNITS = frozenset(
    "km kilometers kilometres m meters metres miles usd eur gbp cny percent hours kg g grams score amount value".split()
)
"""Words of a name that say in what a number is measured."""

_QUALIFIERS = frozenset("per person yearly annual monthly nightly night unit ton average avg".split())
"""Words by which a field may be narrower than its bound: a price per person has a highest price as well."""

_TIMES = frozenset("date day year time at on datetime timestamp since".split())
_NO_EVENT = frozenset("expires expiry expiration due valid until updated observed refreshed cleared".split())
"""Fields that no range means when it does not name them."""

_BEGINNINGS = frozenset(
    "start starts begin begins departure depart departs kick kickoff takeoff showtime date day".split()
)
"""Fields that tell when an item takes place: on the day that was asked for."""

RANKS = {
    word: rank
    for rank, words in enumerate(("info none", "low minor", "medium moderate", "high severe major", "critical extreme"))
    for word in words.split()
}
"""Levels that everyone orders alike, whatever order an enum lists them in."""

_DAY = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?(?:$|T)")
_CLOCK = re.compile(r"\d{2}:\d{2}$")

Kind = Literal["number", "time", "day", "clock", "rank", "equal", "true"]


@dataclass(frozen=True)
class Filter:
    """One argument that narrows the items of a result."""

    argument: str
    value: Any
    kind: Kind
    """A bound on a number, on a day or year, one day, a time of day, the rank of an enum's value, one value, or a flag that
    must be set."""
    stems: frozenset[str]
    """Words that the field's name must have."""
    least: bool = True
    """Whether the value is the lower bound; of ``equal`` and ``true`` without meaning."""
    ranks: tuple[Any, ...] = ()
    """Of ``rank``: the enum's values from low to high."""

    def allows(self, held: Any) -> bool:
        """Whether a field may hold this value."""
        match self.kind:
            case "number":
                return not _is_number(held) or (held >= self.value if self.least else held <= self.value)
            case "rank":
                if held not in self.ranks:
                    return True
                one, other = self.ranks.index(held), self.ranks.index(self.value)
                return one >= other if self.least else one <= other
            case "time":
                return _in_order(str(held), str(self.value), self.least)
            case "day":
                return str(held)[:10] == str(self.value)[:10]
            case "clock":
                at = re.search(r"(?:^|T| )(\d{2}:\d{2})", str(held))
                return at is None or (at[1] >= self.value if self.least else at[1] <= self.value)
            case "true":
                return held is not False
            case "equal":
                return _same(self.value, held)

    def field(self, item: Mapping[str, Any]) -> str | None:
        """The one field of an item that this filter speaks of; None where there is none, or several."""
        if self.kind in ("time", "clock"):
            return self._time_field(item)
        if self.kind == "day":
            days = [name for name, held in item.items() if _is_time(name, held) and len(str(held)) >= 10]
            same = [name for name in days if name == self.argument]
            meant = same or [name for name in days if frozenset(split(name)) & _BEGINNINGS]
            return meant[0] if len(meant) == 1 else None
        exact, wider = [], []
        for name, held in item.items():
            words = frozenset(split(name)) - {"has", "is"}
            bare = words - _UNITS or words
            if isinstance(held, dict | list) or held is None:
                continue
            if self.kind == "equal":
                if name == self.argument:
                    exact.append(name)
            elif (self.kind == "true") != isinstance(held, bool) or _measure(words, self.argument):
                continue
            elif bare == self.stems:
                exact.append(name)
            elif self.stems <= words and words - self.stems <= _QUALIFIERS | _UNITS:
                wider.append(name)
        found = exact or wider
        return found[0] if len(found) == 1 else None

    def _time_field(self, item: Mapping[str, Any]) -> str | None:
        fields = {name: frozenset(split(name)) for name, held in item.items() if _is_time(name, held)}
        if self.kind == "clock":
            fields = {name: words for name, words in fields.items() if re.search(r"\d{2}:\d{2}", str(item[name]))}
        named = [name for name, words in fields.items() if self.stems & {word[:5] for word in words - _TIMES}]
        if self.stems and named:
            return named[0] if len(named) == 1 else None
        bare = [name for name, words in fields.items() if not words - _TIMES]
        free = bare or ([name for name, words in fields.items() if not words & _NO_EVENT] if not self.stems else [])
        return free[0] if len(free) == 1 else None


def split(name: str) -> list[str]:
    """The words of a parameter's or field's name, in lower case: ``maxPricePerTon`` gives max, price, per, ton."""
    return list(_split(name))


@lru_cache(maxsize=1 << 14)  # the fields of a catalogue, asked for again with every row
def _split(name: str) -> tuple[str, ...]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[^A-Za-z0-9]+", " ", name)
    return tuple(spaced.lower().split())


def limit_of(arguments: Mapping[str, Any]) -> int | None:
    """The most items that the arguments ask for; None where they set no limit."""
    given = [
        value
        for name, value in arguments.items()
        if LIMIT_NAME.match(name) and isinstance(value, int) and not isinstance(value, bool) and value > 0
    ]
    return min(given) if given else None


def filters_of(arguments: Mapping[str, Any], properties: Mapping[str, Any] | None = None) -> tuple[Filter, ...]:
    """The filters among the arguments of a call; ``properties`` are the schemas of the tool's parameters."""
    found = (_filter(name, value, (properties or {}).get(name, {})) for name, value in arguments.items())
    return tuple(each for each in found if each is not None)


def _filter(name: str, value: Any, schema: Any) -> Filter | None:
    words = split(name)
    if not words or LIMIT_NAME.match(name):
        return None
    enum = tuple(schema.get("enum") or ()) if isinstance(schema, dict) else ()
    if value is True:
        stems = frozenset(words) - {"only", "has", "is", "with", "now"}
        flag = {"only", "has", "is", "with", "now"} & set(words)
        return Filter(name, True, "true", stems) if flag and stems else None
    ends = {"min": True, "minimum": True, "gte": True, "max": False, "maximum": False, "lte": False}
    end = next((word for word in (words[0], words[-1]) if word in ends), None)
    if end is not None:
        rest = frozenset(words) - {end}
        stems = rest - _UNITS or rest
        if _is_number(value) and stems:
            return Filter(name, value, "number", stems, ends[end])
        ranks = tuple(sorted(enum, key=lambda each: RANKS.get(str(each).casefold(), 0)))
        known = all(str(each).casefold() in RANKS for each in enum)
        return Filter(name, value, "rank", rest, ends[end], ranks) if value in enum and known else None
    if (
        _is_number(value)
        and words[0] in ("radius", "within")
        and len(words) <= 2
        and len(words) + (words[0] == "radius") >= 2
    ):
        return Filter(name, value, "number", frozenset({"distance"}), False)
    if (bound := _time_filter(name, words, value)) is not None:
        return bound
    if words in (["date"], ["day"]) and isinstance(value, str) and len(value) >= 10 and _DAY.match(value):
        return Filter(name, value, "day", frozenset(words))
    if isinstance(value, str | int) and (value in enum or words in (["city"], ["year"])):
        return Filter(name, value, "equal", frozenset(words))
    return None


def _time_filter(name: str, words: Sequence[str], value: Any) -> Filter | None:
    least = bool({"since", "after"} & set(words)) or words[0] in ("from", "start") or words[-1] == "from"
    most = bool({"until", "before"} & set(words)) or words[0] in ("to", "end") or words[-1] == "to"
    kind: Kind | None = None
    if isinstance(value, str) and _CLOCK.match(value):
        kind = "clock"
    elif (isinstance(value, str) and _DAY.match(value)) or (_is_number(value) and 1000 < value < 3000):
        kind = "time"
    event = [
        word
        for word in words
        if word not in _TIMES | {"since", "after", "from", "start", "until", "before", "to", "end"}
    ]
    if kind is None or least == most or len(event) > 1:
        return None
    if event and not {"since", "after", "until", "before"} & set(words):
        return None  # "from city" is no time
    return Filter(name, value, kind, frozenset(word[:5] for word in event), least)


@dataclass(frozen=True)
class Order:
    """In what order the items shall come."""

    fields: tuple[str, ...]
    """Words of which the field's name must have one."""
    falling: bool | None
    """Largest or newest first; None where the argument does not say."""

    def field(self, items: Sequence[Mapping[str, Any]]) -> str | None:
        """The field that all items have to sort by; None where there is none, or several."""
        names = [
            name
            for name, held in items[0].items()
            if set(self.fields) & (set(split(name)) | ({"date"} if _is_time(name, held) else set()))
            and all(_sortable(item.get(name), held) for item in items)
        ]
        exact = [name for name in names if split(name) == list(self.fields[:1])]
        found = exact or names
        return found[0] if len(found) == 1 else None


_WORTH = ("rating", "stars", "score")
_ORDERS: dict[str, tuple[tuple[str, ...], bool | None]] = {
    "newest": (("date",), True),
    "latest": (("date",), True),
    "recent": (("date",), True),
    "oldest": (("date",), False),
    "cheapest": (("price",), False),
    "price": (("price",), None),
    "rating": (("rating",), None),
    "distance": (("distance",), None),
    "date": (("date",), None),
    "highest": (_WORTH, True),
    "lowest": (_WORTH, False),
}


def order_of(arguments: Mapping[str, Any]) -> Order | None:
    """The order that the arguments ask for; None where they ask for none, or for one that no field shows."""
    sorts = {
        name: str(value).casefold()
        for name, value in arguments.items()
        if isinstance(value, str) and split(name) and split(name)[0] in ("sort", "order", "ordering")
    }
    if not sorts:
        return None
    words = [word for value in sorts.values() for word in split(value)]
    falling = True if {"desc", "descending"} & set(words) else False if {"asc", "ascending"} & set(words) else None
    if any(value.startswith("-") for value in sorts.values()):
        falling = True
    rest = [word for word in words if word not in ("desc", "descending", "asc", "ascending")]
    if len(rest) != 1:
        return None
    known = _ORDERS.get(rest[0])
    if known is not None:
        return Order(known[0], known[1] if falling is None else falling)
    return Order((rest[0],), falling) if falling is not None else None


def items_of(observation: Any) -> list[JsonObject]:
    """The objects of a result's only list of objects; empty where there is none, or several."""
    lists = [observation] if isinstance(observation, list) else []
    if isinstance(observation, dict):
        for held in observation.values():
            inner = held.values() if isinstance(held, dict) else ()
            lists += [each for each in (held, *inner) if isinstance(each, list)]
    full = [each for each in lists if each and all(isinstance(item, dict) for item in each)]
    return full[0] if len(full) == 1 else []


def misfits(
    arguments: Mapping[str, Any], observation: Any, properties: Mapping[str, Any] | None = None
) -> Iterator[str]:
    """Where a result is not what the arguments ask for, one line each; nothing where it is, or where that is unclear."""
    items = items_of(observation)
    limit = limit_of(arguments)
    if limit is not None:
        tops = [observation] if isinstance(observation, list) else []
        if isinstance(observation, dict):
            tops = [held for held in observation.values() if isinstance(held, list)]
        if len(tops) == 1 and len(tops[0]) > limit:
            yield f"asked for {limit} at most and answers with {len(tops[0])}"
    for each in filters_of(arguments, properties):
        for number, item in enumerate(items):
            name = each.field(item)
            if name is not None and not each.allows(item[name]):
                yield f"asked with {each.argument} {each.value}, and item {number + 1} has {name} {item[name]}"
                break
    order = order_of(arguments)
    if order is not None and len(items) > 1 and (name := order.field(items)) is not None:
        values = [str(item[name]) if isinstance(item[name], str) else item[name] for item in items]
        rising, falling = (all(a <= b for a, b in pairwise(values)), all(a >= b for a, b in pairwise(values)))
        if not {None: rising or falling, True: falling, False: rising}[order.falling]:
            yield f"asked for another order, and answers with {name} {', '.join(map(str, values[:5]))}"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_time(name: str, held: Any) -> bool:
    """Whether a field holds a day, a moment or a year."""
    if isinstance(held, str):
        return bool(_DAY.match(held)) and (len(held) > 4 or "year" in split(name))
    return _is_number(held) and 1000 < held < 3000 and bool({"year", "since"} & set(split(name)))


def _in_order(held: str, bound: str, least: bool) -> bool:
    """Whether a day or year lies on the right side of another, as far as both are told: 2018 includes all its days."""
    size = min(len(held), len(bound), 10)
    return held[:size] >= bound[:size] if least else held[:size] <= bound[:size]


def _same(asked: Any, held: Any) -> bool:
    if isinstance(asked, str) and isinstance(held, str):
        one, other = asked.casefold().strip(), held.casefold().strip()
        # A code and a name (CN, China) may mean one thing.
        coded = (len(one) <= 3) != (len(other) <= 3)
        return coded or one in other or other in one
    return bool(asked == held) if _is_number(asked) and _is_number(held) else True


def _measure(words: frozenset[str], argument: str) -> bool:
    """Whether field and argument are measured in different units, so that nothing can be compared."""
    lengths = ({"km", "kilometers", "kilometres"}, {"m", "meters", "metres"}, {"miles"})
    one, other = ({i for i, unit in enumerate(lengths) if unit & set(each)} for each in (words, split(argument)))
    return bool(one and other and one != other)


def _sortable(value: Any, like: Any) -> bool:
    return (isinstance(value, str) and isinstance(like, str)) or (_is_number(value) and _is_number(like))
