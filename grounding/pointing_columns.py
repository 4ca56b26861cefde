"""Finds the fields of a list that lie on a scale, with their values in comparable form."""

from __future__ import annotations

from functools import cache

from wildtool.grounding.pointing_items import HAN, MEASURE, Field, Table, clock_of, comparable, day_of, unit_codes
from wildtool.language.pointer_grammar import concepts, fold, shared_words
from wildtool.language.pointer_tokens import alike
from wildtool.language.units import dimension as unit_dimension


@cache
def _dimensions(name: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The scales that a field's name belongs to, with how much of the name says so, the most telling first."""
    joined = " ".join(name)
    found: dict[str, int] = {}
    for dimension, fields in concepts("fields").items():
        best = 0
        for word in fields:
            if HAN.search(word):
                if word in joined and (
                    len(word) > 1
                    or joined == word
                    or joined.endswith(word)
                    or joined.removeprefix(word) in unit_codes()
                ):
                    best = max(best, 4 * len(word) + (joined.startswith(word)) + (joined == word))
            elif " " in word:
                if word in joined:
                    best = max(best, 2 * len(word))
            elif word in name or f"{word}s" in name:
                best = max(best, 6 + (name[0] == word) * 3 + (len(name) == 1))
        if best:
            found[dimension] = best
    return tuple(sorted(found.items(), key=lambda pair: -pair[1]))


def scales_of(name: tuple[str, ...]) -> tuple[str, ...]:
    """Scales that a field's words belong to, the likeliest first."""
    return tuple(scale for scale, _ in _dimensions(name))


def columns(table: Table, dimension: str, subject: str = "") -> list[tuple[Field, tuple[float | None, ...]]]:
    """Fields on a scale with their comparable values, the likeliest first; a ``subject`` names the field itself."""
    found: list[tuple[int, Field, tuple[float | None, ...]]] = []
    for field in table.fields:
        weight = 0
        if subject:
            stems = {word.removesuffix("s") for word in alike(subject)}
            near = [
                word
                for word in field.words
                if word.removesuffix("s") in stems or (HAN.search(word) and any(stem in word for stem in stems))
            ]
            weight = 100 if near and field.name else 0
        if dimension:
            ranked = _dimensions(field.words) if field.name else ()
            best = ranked[0][1] if ranked else 0
            weight += next((score for name, score in ranked if name == dimension and score >= best - 3), 0)
        if weight and (values := comparable(field, dimension or (_kind(field)))) is not None:
            found.append((weight, field, values))
    if not found and dimension == "duration" and (spent := _time_spent(table)) is not None:
        found = [(1, *spent)]
    if not found and dimension == "duration":  # hours until they arrive
        spans = [
            f for f in table.fields if f.unit and unit_dimension(f.unit) in ("time", "calendar") and _all_numbers(f)
        ]
        found = [(1, field, values) for field in spans if (values := comparable(field, dimension)) is not None]
    if not found and dimension in ("time", "date"):
        found = [(1, field, values) for field in table.fields if (values := _timed(field, dimension)) is not None]
    if not found and dimension:
        found = [(1, field, values) for field in table.fields if (values := _by_unit(field, dimension)) is not None]
    if not found and dimension == "price":  # a field of numbers that is about nothing else
        loose = [field for field in table.fields if not _dimensions(field.words) and field.words[-1:] != ("id",)]
        plain = [
            (1, field, v) for field in loose if _all_numbers(field) and (v := comparable(field, "price")) is not None
        ]
        found = plain if len(plain) == 1 else []
    return [(field, values) for _, field, values in sorted(found, key=lambda each: -each[0])]


def _time_spent(table: Table) -> tuple[Field, tuple[float | None, ...]] | None:
    """Minutes from leaving to arriving, where a list tells both."""
    leaving = [f for f in table.fields if scales_of(f.words)[:1] == ("time",) and comparable(f, "time")]
    arriving = [f for f in table.fields if "arrival" in scales_of(f.words)[:2] and comparable(f, "time")]
    if len(leaving) != 1 or len(arriving) != 1:
        return None
    starts, ends = comparable(leaving[0], "time") or (), comparable(arriving[0], "time") or ()
    spent = tuple(
        None if a is None or b is None else (b - a) % 10080 if b < a else b - a
        for a, b in zip(starts, ends, strict=True)
    )
    return arriving[0], tuple(None if each is None else each % 1440 if each > 8640 else each for each in spent)


def _all_numbers(field: Field) -> bool:
    return all(isinstance(value, int | float) and not isinstance(value, bool) for value in field.values)


def _kind(field: Field) -> str:
    """A scale that the field's values fit, where only its name was said."""
    if any(clock_of(value) is not None for value in field.values):
        return "time"
    return "date" if any(day_of(value) for value in field.values) else ""


def _timed(field: Field, dimension: str) -> tuple[float | None, ...] | None:
    ranked = _dimensions(field.words) if field.name else ()
    if ranked and ranked[0][0] == "arrival":
        return None
    values = comparable(field, dimension)
    timed = any(clock_of(value) is not None or day_of(value) is not None for value in field.values)
    return values if timed else None


def _by_unit(field: Field, dimension: str) -> tuple[float | None, ...] | None:
    """Values whose own units belong to the scale: "1.3 kg" under ``specs``."""
    if not any(isinstance(value, str) for value in field.values) or _timed(field, "time") is not None:
        return None
    words_of = concepts("fields").get(dimension, frozenset())
    for value in field.values:
        if not isinstance(value, str):
            return None
        match = MEASURE.search(fold(value))
        money = dimension == "price" and any(word in fold(value) for word in shared_words("money"))
        if not money and not (match and match[2] in words_of):
            return None
    return comparable(field, dimension)
