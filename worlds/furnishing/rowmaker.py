"""Make one row: what is given stays, what it refers to tells it things, and the rest is drawn and made to agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from random import Random
from typing import Any

from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import FieldRole
from wildtool.worlds.furnishing.facts import Exhausted, Facts, Scene, place_of, places_of
from wildtool.worlds.furnishing.identifiers import identifier
from wildtool.worlds.furnishing.labels import CLOSED, tell
from wildtool.worlds.furnishing.makers import PLACES
from wildtool.worlds.furnishing.moments import written_like
from wildtool.worlds.furnishing.plan import FieldPlan, TablePlan
from wildtool.worlds.rows import Row
from wildtool.worlds.values import dig, form, number, span

TOPICS = 2
"""Words by which a search finds a row beside those that it asked for."""

Refers = Callable[[FieldPlan, Facts, Mapping[str, Any]], Row | None]
"""Chooses the row that a ref field names."""

Used = dict[str, set[str]]
"""Forms of the values that are taken, by field."""


def make_row(
    plan: TablePlan,
    scene: Scene,
    given: Mapping[str, Any],
    rng: Random,
    used: Used,
    taken: Callable[[str, Any], bool],
    refers: Refers,
    *,
    wide: bool = False,
    closed: bool = False,
) -> Row:
    """Make a row with the given values; its unique values are added to ``used``.

    Raises ``Exhausted`` with ``closed`` where a closed set of names or codes has none left.
    """
    facts = Facts(scene, rng, plan.spec.noun)
    copied: set[str] = set()
    given = _inner_paths(plan, given)
    prepare(plan, facts, given)
    row: Row = {}
    parents: dict[str, Row] = {}
    said: Row = {}
    """What the rows that it refers to say, all in one."""
    for each in plan.fields:
        name = each.name
        if each.ref is not None:
            _refer(each, facts, given, row, said, parents, refers)
            continue
        if name in given and not _wider(each, given[name]):
            row[name] = given_value(each, given[name])
        elif (told := _told(plan, name, parents)) is not None and each.check(told):
            row[name] = told
            copied.add(name)
            if each.kind in PLACES and isinstance(told, str):
                _settle(each, facts, told)
        else:
            value = _value(each, facts, used, taken, wide=wide, closed=closed)
            if value is None and each.role is not FieldRole.FACT:
                continue
            row[name] = _within(value, given[name], facts) if name in given else value
        if each.unique:
            used.setdefault(name, set()).add(form(row[name]))
        if each.role is FieldRole.ID and facts.id is None:
            facts.id = row[name]
        if each.role is FieldRole.LABEL and isinstance(row[name], str):
            tell(facts, row[name], each.kind)
        elif each.kind == "company" and isinstance(row[name], str) and not facts.company:
            facts.company = row[name]
    for name, value in given.items():
        row.setdefault(name, value)
    plan.agree(row, given.keys() | copied, facts, said)
    return {name: row[name] for name in (*plan.spec.fields, *row) if name in row}


def _inner_paths(plan: TablePlan, given: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: value for name, value in given.items() if name in plan.spec.fields or "." not in name}


def prepare(plan: TablePlan, facts: Facts, given: Mapping[str, Any]) -> None:
    """Let the row know what the given values say of its places, its time and its topic."""
    for each in plan.fields:
        value = given.get(each.name)
        if value is None:
            continue
        if each.role is FieldRole.TOPIC:
            facts.topic = str(value[0] if isinstance(value, list) and value else value)
            facts.named = facts.topic if plan.by_name else ""
        elif each.names_row and isinstance(value, str) and not facts.topic:
            facts.topic = value
        elif each.role is FieldRole.TIME and isinstance(value, int) and 1000 <= value <= 9999:
            facts.year = value
        elif each.role is FieldRole.TIME and isinstance(value, str) and (at := span(value)) is not None:
            facts.year = at[0].year if (at[1] - at[0]).days > 300 else facts.year
        elif (
            each.kind in PLACES and each.kind is not None and isinstance(value, str) and each.scope not in facts.places
        ):
            _settle(each, facts, value)
    _coordinates(plan, facts, given)


def _settle(each: FieldPlan, facts: Facts, value: str) -> None:
    assert each.kind is not None
    held = place_of(each.kind, value, facts.scene)
    if held is None:
        options = places_of(each.kind, value, facts.scene)
        held = facts.pick(options) if options else None
    if held is not None:
        facts.places[each.scope] = held


def _coordinates(plan: TablePlan, facts: Facts, given: Mapping[str, Any]) -> None:
    found: dict[str, dict[str, float]] = {}
    for each in plan.fields:
        figure = number(given.get(each.name)) if each.kind in ("latitude", "longitude") else None
        if figure is not None and each.kind is not None:
            found.setdefault(each.scope, {})[each.kind] = figure
    for scope, point in found.items():
        if len(point) == 2:
            from wildtool.worlds.furnishing.data import cities

            facts.points[scope] = (point["latitude"], point["longitude"])
            facts.places.setdefault(
                scope,
                min(
                    cities(facts.scene.language),
                    key=lambda city: (
                        (city.latitude - point["latitude"]) ** 2 + (city.longitude - point["longitude"]) ** 2
                    ),
                ),
            )


def _refer(
    each: FieldPlan,
    facts: Facts,
    given: Mapping[str, Any],
    row: Row,
    said: Row,
    parents: dict[str, Row],
    refers: Refers,
) -> None:
    assert each.ref is not None
    if each.name in given:
        row[each.name] = given_value(each, given[each.name])
    other = refers(each, facts, {**said, **row})
    if other is None:
        return
    if each.name not in given:
        value = dig(other, each.ref[1])
        if value is None:
            return
        row[each.name] = [value] if each.listed and not isinstance(value, list) else value
    parents[each.name] = other
    for name, value in other.items():
        said.setdefault(name, value)


def _told(plan: TablePlan, name: str, parents: Mapping[str, Row]) -> Any:
    """Return what a row that this one refers to says of the field; None where it says nothing."""
    ref, theirs = plan.copies.get(name, ("", ""))
    return parents[ref].get(theirs) if ref in parents else None


def _value(
    each: FieldPlan, facts: Facts, used: Used, taken: Callable[[str, Any], bool], *, wide: bool, closed: bool
) -> Any:
    held = used.setdefault(each.name, set()) if each.unique or each.make is not None else None

    def free(value: Any) -> bool:
        assert held is not None
        return form(value) not in held and not taken(each.name, value)

    if each.role is FieldRole.TOPIC:
        return _topics(facts)
    if each.make is not None:
        return identifier(each.make, each.check, facts, free, wide=wide, closed=closed and "enum" in each.schema)
    if each.label is not None:
        return each.label(facts, free, closed)
    if not each.unique:
        return each.draw(facts)
    value = each.draw(facts)
    for _ in range(40):
        if free(value):
            return value
        facts.places.pop(each.scope, None)
        facts.day = None
        value = each.draw(facts)
    if closed and ("enum" in each.schema or each.kind in CLOSED):
        raise Exhausted(each.name)
    return _counted(value, free, each)


def _counted(value: Any, free: Callable[[Any], bool], each: FieldPlan) -> Any:
    """Return the nearest free value of a key of few values: a day, a number, a word."""
    if isinstance(value, int):
        return next(number for number in range(value, value + 100_000) if free(number))
    at = span(value)
    if at is not None and isinstance(value, str):
        from datetime import timedelta

        return next(day for step in range(1, 5000) if free(day := written_like(at[0] + timedelta(days=step), value)))
    return next(text for step in range(2, 100_000) if free(text := f"{value} {step}"))


def _topics(facts: Facts) -> list[str]:
    from wildtool.worlds.furnishing.data import names

    words: Sequence[str] = names(facts.scene.language)["keyword"]["say"]
    first = int(facts.random() * len(words))
    return [words[(first + 7 * step) % len(words)] for step in range(TOPICS)]


def given_value(each: FieldPlan, value: Any) -> Any:
    """Return a given value as the field holds it: a list's only item, a number in words, words of a number."""
    if each.role is FieldRole.TOPIC:
        return list(value) if isinstance(value, list) else [value]
    kind = plain_type(each.schema)
    if kind == "array" and not isinstance(value, list):
        return [value]
    if kind == "string" and isinstance(value, int | float) and not isinstance(value, bool):
        return form(value)
    if kind in ("integer", "number") and isinstance(value, str) and (figure := number(value)) is not None:
        return int(figure) if figure.is_integer() else figure
    if kind == "string" and isinstance(value, str):
        # Options are compared without case; the row holds them as the schema writes them.
        return next(
            (each for each in each.schema.get("enum") or () if isinstance(each, str) and form(each) == form(value)),
            value,
        )
    return value


def _wider(each: FieldPlan, value: Any) -> bool:
    """Return whether a given time is less than what the field holds: a day for a moment, a year for a day."""
    if each.role is not FieldRole.TIME:
        return False
    at = span(value)
    if at is None or at[0] == at[1]:
        return False
    text = str(value)
    examples = [str(example) for example in each.schema.get("examples") or ()]
    if each.schema.get("format") == "date" or (examples and all(len(example) == 10 for example in examples)):
        return len(text) < 10
    if plain_type(each.schema) in ("integer", "number"):
        return not isinstance(value, int) or not 1000 <= value <= 9999 or "year" not in each.name.lower()
    return not (len(text) == 10 and not each.schema.get("format") and not examples)


def _within(drawn: Any, day: Any, facts: Facts) -> Any:
    """Return a drawn time moved into a given day, month or year."""
    at = span(day)
    held = span(drawn)
    if at is None or held is None:
        return day
    first, last = at
    here = held[0]
    if (last - first).days < 1:
        moved = datetime.combine(first.date(), here.time())
    else:
        days = int(facts.random() * ((last - first).days + 1))
        from datetime import timedelta

        moved = datetime.combine((first + timedelta(days=days)).date(), here.time())
    return written_like(min(max(moved, first), last), drawn)
