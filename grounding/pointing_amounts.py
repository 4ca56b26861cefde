"""Finds amounts and levels in a text that describe items of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from typing import Any

from wildtool.grounding.pointing_columns import columns, scales_of
from wildtool.grounding.pointing_items import (
    HAN,
    Feature,
    Field,
    Free,
    Sort,
    Table,
    day_of,
    list_kinds,
    number_of,
    numbers_of,
    unit_codes,
)
from wildtool.language.numbers import read_numbers
from wildtool.language.pointer_grammar import compiled, fold, grammar, rank_of, shared_words, word_set
from wildtool.language.pointer_tokens import alike, kinds_of, stem
from wildtool.language.quantities import Quantity, read_quantities
from wildtool.language.superlatives import dimension_of
from wildtool.language.units import convert, dimension

_SCALES = {
    "mass": ("weight",), "length": ("distance", "length", "size", "height", "width", "depth"), "area": ("size",),
    "volume": ("capacity", "size"), "time": ("duration",), "calendar": ("duration", "experience", "age"), "speed": ("speed",),
    "energy": ("calories",), "data": ("capacity",), "temperature": ("temperature",), "rate": ("speed",),
    "power": ("power",), "charge": ("power",), "angle": ("temperature",), "share": ("discount", "yield", "rating"), "sound": ("loudness",),
}  # fmt: skip
"""Scales of fields that a unit of each dimension may measure."""
_PERSON = "person"
_YEARS = range(1900, 2101)
_SPAN = re.compile(r"^\D*(\d+(?:\.\d+)?) ?(?:[-–~～至到]|to) ?(\d+(?:\.\d+)?)\D*$")
"""Values from one number to another: sizes 38-44."""
_WRITTEN_UNIT = re.compile(r"\d\s*([^\W\d_]{1,12}[²³]?)")


def amounts(text: str, folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """Quantities and bare numbers: "the one for 120", "under 30 minutes", "two bedrooms"."""
    pronouns = word_set(language, "generic")
    text = _figures(text, folded, language)
    spoken = read_numbers(text, language)
    quantities = []
    for each in read_quantities(text, language):
        value = each.best.value
        if value.unit in pronouns and value.value == 1:
            continue
        if value.unit in pronouns or (value.unit and kinds_of(value.unit) & list_kinds(table.name)):
            value = replace(value, unit=None, unit_kind="none")
        start = next((n.start for n in spoken if each.start <= n.start < each.end), each.start)
        quantities.append((start, each.end, value))
    quantities += [  # years, prices that look like times, and numbers that a careful reader of amounts leaves alone
        (span.start, span.end, Quantity(span.best.value, "=", None, "none"))
        for span in spoken
        if not any(start < span.end and span.start < end for start, end, _ in quantities)
    ]
    for start, end, value in quantities:
        if not free(start, end) or folded[start:end].strip() in pronouns:
            continue
        if value.value == 1 and any(folded.startswith(word, end) for word in pronouns):
            continue  # 最晚一场: how many are wanted
        fields, telling = _fields_for(value, table, folded[end : end + 12], pronouns)
        led = folded[:start].rstrip(" :：" + "".join(word for word in shared_words("copula") if len(word) == 1))
        if named := [f for f in _numeric(table) if f.name and led.endswith(" ".join(f.words))]:
            fields, telling = named[:1], True
        if not fields:
            continue
        if value.relation != "=":  # "under 10 km" is not about the metres climbed, where all are below
            fields = [f for f in fields if 0 < len(_described([f], value)) < table.length][:1] or fields[:1]
        items = _described(fields, _over(value, folded[end:], language))
        if not items and value.unit_kind == "count" and value.relation == "=":  # "one that fits 200 people"
            items = _described(fields, replace(value, relation=">="))
            telling = False
        if not items and value.unit_kind == "currency" and value.relation == "=":  # "the five dollar one" of $4.99
            items = _described(fields, replace(value, approx=True))
            telling = False
        if items:
            certainty = 0.99 if telling else 0.97 if value.relation == "=" else 0.95
            if (
                not telling
                and isinstance(value.value, float | int)
                and value.value < 10
                and value.value == int(value.value)
            ):
                certainty = 0.8  # a small bare number may count anything
            yield Feature(Sort.NUMBER, start, end, items, certainty)


def _described(fields: Sequence[Field], value: Quantity) -> frozenset[int]:
    return frozenset(at for field in fields for at, held in enumerate(field.values) if _fits(held, field, value))


def _over(value: Quantity, after: str, language: str) -> Quantity:
    """An amount with what its round number leaves open: 三百多 is from 300 to 400."""
    more, number = grammar(language).get("over"), value.value
    if not more or not isinstance(number, int | float) or not compiled(language, more).match(after):
        return value
    digits = str(int(number))
    zeros = len(digits) - len(digits.rstrip("0"))
    return replace(value, value=(number, number + 10**zeros)) if zeros else value


def _figures(text: str, folded: str, language: str) -> str:
    """The text with numbers as readers of quantities expect them, at the same offsets: "within a mile", "four-bed"."""
    for pattern in grammar(language).get("figures", ()):
        for match in compiled(language, pattern).finditer(folded):
            start, end = match.span("here")
            text = text[:start] + ("1" if folded[start].isalnum() else " ").ljust(end - start) + text[end:]
    return text


def _fields_for(value: Quantity, table: Table, after: str, pronouns: Set[str]) -> tuple[list[Field], bool]:
    """Fields that an amount may be about, and whether its unit tells so."""
    unit = value.unit
    if value.unit_kind == "currency":
        priced = [field for each in ("price", "salary") for field, _ in columns(table, each)]
        return (priced[:1], True) if priced else (_numeric(table), False)
    if value.unit_kind == "measure" and unit:
        if unit == "year" and _number(value) in _YEARS:
            return _dated(table), True
        if unit == "year" and value.relation == "=" and (dated := [f for f in _dated(table) if _century(value, f)]):
            return dated, True
        kind = dimension(unit) or ""
        own = [
            f
            for f in table.fields
            if any((u := unit_of(held, f)) and convert(1.0, u, unit) is not None for held in f.values)
        ]
        scaled = [f for scale in _SCALES.get(kind, ()) for f, _ in columns(table, scale) if f not in own]
        return [*own, *scaled][:2], True
    if value.unit_kind == "count" and unit:
        if _PERSON in alike(unit):
            return [field for field, _ in columns(table, "capacity")], True
        longer = unit + after[:1] if HAN.search(unit) and HAN.match(after) and after[0] not in pronouns else unit
        for noun in dict.fromkeys((unit, longer)):
            if named := [field for field in table.fields if any(_same_noun(word, noun) for word in field.words)]:
                return named, True
        return [], False
    following = re.match(r"[ -]?([\u3400-\u9fff]{1,2}|[^\W\d_]+)", after)
    if following and following[1] not in pronouns and following[1][0] not in pronouns:
        named = [f for f in table.fields if any(_same_noun(word, following[1]) for word in f.words)]
        if named:
            return named, True
        scale = dimension_of(following[1])
        if scale and (scaled := [f for f, _ in columns(table, scale)]):
            return scaled, True
    number = _number(value)
    if number is not None and number in _YEARS and _dated(table):
        return _dated(table), True
    if value.relation != "=":
        between = [
            f
            for f in _numeric(table)
            if (held := _range(f)) and number is not None and held[0] < number <= held[1] * 1.5
        ]
        priced = [f for f, _ in columns(table, "price") if f in between or len(between) == 0]
        return (priced or between)[:1], len(between) == 1
    return _numeric(table), False


def _century(value: Quantity, field: Field) -> bool:
    """Whether a year of two digits is meant: 93年 of 1993."""
    number = _number(value)
    return (
        number is not None
        and 9 < number < 100
        and any(n in _YEARS and n % 100 == number for v in field.values for n in numbers_of(v))
    )


def _same_noun(word: str, noun: str) -> bool:
    if HAN.search(word):
        return HAN.search(noun) is not None and (
            noun[:2] in word or any(len(each) < 3 and each in word for each in noun[:2])
        )
    return stem(word) == stem(noun) or noun in alike(word)


def _number(value: Quantity) -> float | None:
    return value.value if isinstance(value.value, int | float) else None


def _range(field: Field) -> tuple[float, float] | None:
    held = [number for value in field.values for number in numbers_of(value)]
    return (min(held), max(held)) if held else None


def unit_of(held: Any, field: Field) -> str | None:
    """Code of the unit of a field's value: its own, or that of the field's name."""
    if isinstance(held, str) and (match := _WRITTEN_UNIT.search(fold(held))) and (code := unit_codes().get(match[1])):
        return code
    return field.unit


def _fits(held: Any, field: Field, value: Quantity) -> bool:
    numbers = numbers_of(held)
    day = day_of(held)
    if day is not None:
        return value.value == day.year
    if value.unit == "year" and _century(value, field):
        return any(number % 100 == value.value for number in numbers if number in _YEARS)
    if isinstance(held, str) and (span := _SPAN.search(held)) and isinstance(value.value, int | float):
        return float(span[1]) <= value.value <= float(span[2])
    if len(numbers) > 1 and value.relation == "=":
        return any(_close(number, value.value, value.approx) for number in numbers)
    if len(numbers) != 1:
        return False
    number = next(iter(numbers))
    ways = {number}
    own = unit_of(held, field)
    if value.unit_kind == "measure" and value.unit:
        if own and (into := convert(number, own, value.unit)) is not None:
            ways = {into}
        elif not own and value.unit == "hour" and number > 6:
            ways = {number / 60}  # minutes, where the field does not say
        elif not own and value.unit == "m" and number < 30:
            ways = {number * 1000}
    return any(_compare(each, value) for each in ways)


def _close(number: float, wanted: Any, approx: bool) -> bool:
    return isinstance(wanted, int | float) and abs(number - wanted) <= max(
        1e-6, (0.1 if approx else 1e-7) * abs(wanted)
    )


def _compare(number: float, value: Quantity) -> bool:
    if isinstance(value.value, tuple):
        return value.value[0] <= number <= value.value[1]
    match value.relation:
        case "<":
            return number < value.value
        case "<=":
            return number <= value.value
        case ">":
            return number > value.value
        case ">=":
            return number >= value.value
    return _close(number, value.value, value.approx)


def _numeric(table: Table) -> list[Field]:
    return [f for f in table.fields if f.words[-1:] != ("id",) and any(numbers_of(value) for value in f.values)]


def _dated(table: Table) -> list[Field]:
    """Fields of days or years."""
    found = []
    for field in table.fields:
        years = all(any(n in _YEARS for n in numbers_of(value)) for value in field.values) and "date" in scales_of(
            field.words
        )
        if years or any(day_of(value) for value in field.values):
            found.append(field)
    return found


def levels(folded: str, table: Table, language: str, decoys: Sequence[tuple[int, int]]) -> Iterable[Feature]:
    """Ordinals that are values: "the one on the third floor" where items have a floor."""
    for start, end in decoys:
        said = folded[start:end].replace("-", " ").split()
        ranks = [rank for word in said if (rank := rank_of(language, word)) is not None]
        fields = (
            [f for f in table.fields if any(stem(word) == stem(said[-1]) for word in f.words)] if len(said) > 1 else []
        )
        for field in fields[:1]:
            items = frozenset(at for at, held in enumerate(field.values) if ranks and number_of(held) == ranks[0])
            if items:
                yield Feature(Sort.NUMBER, start, end, items, 0.97)
