"""Make the fields of one thing agree: highs above lows, ends after starts, wholes equal to their parts, weekdays of dates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.worlds.furnishing.census import census
from wildtool.worlds.furnishing.checks import Check, check_of, is_figure
from wildtool.worlds.furnishing.data import joined, name_words, table
from wildtool.worlds.furnishing.facts import Facts, Rule
from wildtool.worlds.furnishing.kinds import kind_of
from wildtool.worlds.furnishing.moments import read, weekday_like, written_like
from wildtool.worlds.furnishing.wholes import pairs, wholes

_DATES = (
    "date",
    "day",
    "start_date",
    "event_date",
    "starts_at",
    "start",
    "start_time",
    "datetime",
    "date_time",
    "timestamp",
)
"""Fields whose weekday is meant, the surest first."""


def agreeing(fields: Sequence[str], schemas: Mapping[str, JsonObject], facts: Collection[str] = ()) -> Rule:
    """Return what makes rows of these fields agree. ``facts`` are those that name no row of another table."""
    scalar = [name for name in fields if plain_type(schemas[name]) not in ("array", "object", "boolean")]
    checks = {name: check_of(schemas[name]) for name in scalar}
    rules: list[Rule] = [
        *_calendar(scalar, checks),
        *_times(scalar, checks),
        *_rising(scalar, schemas),
        *_sums(scalar, checks),
        *_parts(scalar, checks),
        *_products(scalar, checks),
        *_weekdays(scalar, schemas),
        *_ages(scalar, checks),
        *_states(scalar, schemas),
        *wholes(fields, schemas),
        *pairs(facts, schemas),
        *census(fields, schemas),
    ]
    if not rules:
        return lambda row, fixed, facts, parents: None

    def agree(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        for rule in rules:
            rule(row, fixed, facts, parents)

    return agree


def _without(words: tuple[str, ...], phrase: str) -> str | None:
    """Return a name's other words where it holds a phrase; None where it does not."""
    wanted = phrase.split()
    size = len(wanted)
    for at in range(len(words) - size + 1):
        if list(words[at : at + size]) == wanted:
            return "_".join((*words[:at], *words[at + size :]))
    return None


def _by_phrase(fields: Sequence[str], phrase: str) -> dict[str, str]:
    """Return fields whose name holds a phrase, by the rest of their name."""
    return {rest: name for name in reversed(fields) if (rest := _without(name_words(name), phrase)) is not None}


def _rising(fields: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    done: set[frozenset[str]] = set()
    for order in table("relations")["rising"]:
        named = [_by_phrase(fields, word) for word in order]
        for rest in sorted(named[0].keys() & named[-1].keys()):
            names = [each[rest] for each in named if rest in each]
            if frozenset(names) in done or len(set(names)) < 2:
                continue
            done.add(frozenset(names))
            whole = [plain_type(schemas[name]) == "integer" for name in names]
            yield _sorted(names, [check_of(schemas[name]) for name in names], whole)


def _sorted(names: Sequence[str], checks: Sequence[Check], whole: Sequence[bool]) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        there = [name for name in names if is_figure(row.get(name))]
        free = [name for name in there if name not in fixed]
        values = [row[name] for name in there]
        if len(there) < 2 or not free or values == sorted(values):
            return
        if len(free) == len(there):
            new = dict(zip(there, sorted(values), strict=True))
        else:
            # What is given stays; the others move to its right side.
            kept = [name for name in there if name in fixed]
            new = {}
            for name in free:
                at = there.index(name)
                low = max((row[each] for each in kept if there.index(each) < at), default=None)
                high = min((row[each] for each in kept if there.index(each) > at), default=None)
                value = row[name]
                value = low + abs(low) * 0.1 if low is not None and value < low else value
                value = high - abs(high) * 0.1 if high is not None and value > high else value
                new[name] = round(value) if isinstance(row[name], int) else round(value, 2)
        if all(check(new.get(name, row.get(name))) for name, check in zip(names, checks, strict=True) if name in row):
            row.update(
                {
                    n: int(v) if isinstance(v, float) and v.is_integer() and whole[names.index(n)] else v
                    for n, v in new.items()
                }
            )

    return rule


def _times(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    spans = [
        (name, float(minutes))
        for phrase, minutes in table("relations")["spans"]
        for name in fields
        if joined(name) == phrase.replace(" ", "_")
    ]
    done: set[str] = set()
    for first, second, low, high in table("relations")["later"]:
        earlier, later = _by_phrase(fields, first), _by_phrase(fields, second)
        for rest in sorted(earlier.keys() & later.keys()):
            one, other = earlier[rest], later[rest]
            if one == other or other in done:
                continue
            done.add(other)
            length = next(((name, unit) for name, unit in spans), None) if high <= 10_080 else None
            yield _after(one, other, int(low), int(high), length, checks)


def _after(
    one: str, other: str, low: int, high: int, length: tuple[str, float] | None, checks: Mapping[str, Check]
) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        first, second = row.get(one), row.get(other)
        at, then = read(first), read(second)
        if (
            at is None
            or then is None
            or (is_figure(first) and is_figure(second) and float(first or 0) < 10_000 and _no_year(one))
        ):
            return
        gap = low + int(facts.random() * (high - low + 1))
        if length is not None and is_figure(row.get(length[0])) and length[0] in fixed:
            gap = int(row[length[0]] * length[1])
        if other not in fixed:
            then = _later(at, gap, first, second, facts.scene.now, high)
            _put(row, other, written_like(then, second), checks)
        elif one not in fixed and then < at:
            at = then - timedelta(minutes=gap)
            _put(row, one, written_like(at, first), checks)
        if length is not None and is_figure(row.get(length[0])) and length[0] not in fixed:
            whole = (then - at).total_seconds() / 60 / length[1]
            if whole > 0:
                _put(row, length[0], round(whole) if isinstance(row[length[0]], int) else round(whole, 1), checks)

    return rule


def _no_year(name: str) -> bool:
    return "year" not in name_words(name)


def _later(at: datetime, gap: int, first: Any, second: Any, now: datetime, high: int) -> datetime:
    clock = isinstance(second, str) and len(second) <= 8 and ":" in second
    if clock:
        same_day = at.replace(hour=23, minute=45)
        return min(at.replace(second=0) + timedelta(minutes=gap - gap % 5), same_day)
    if isinstance(second, str) and len(second) == 10 and gap < 1440:
        # Whole days: most things end on the day on which they start.
        return at + timedelta(days=gap % 3 if high > 100 else 0)
    then = at + timedelta(minutes=gap - gap % 5 if gap > 60 else gap)
    # What has happened has happened by now, where its beginning has.
    if high >= 60_000 and at <= now < then and high < 400_000:
        then = at + (now - at) * 0.6
        then = then.replace(second=0, microsecond=0)
    return then


def _put(row: JsonObject, name: str, value: Any, checks: Mapping[str, Check]) -> None:
    if checks[name](value):
        row[name] = value


def _sums(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    done: set[str] = set()
    for whole, *parts in table("relations")["sums"]:
        for rest, total in sorted(_by_phrase(fields, whole).items()):
            names = [_by_phrase(fields, part).get(rest) for part in parts]
            if total in done or None in names or len({total, *names}) != len(parts) + 1:
                continue
            done.add(total)
            yield _sum(total, [name for name in names if name is not None], checks)


def _sum(total: str, parts: Sequence[str], checks: Mapping[str, Check]) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        if not all(is_figure(row.get(name)) for name in (total, *parts)):
            return
        if total not in fixed:
            value = sum(row[name] for name in parts)
            _put(row, total, value if isinstance(value, int) else round(value, 2), checks)
            return
        free = next((name for name in reversed(parts) if name not in fixed), None)
        if free is not None:
            value = row[total] - sum(row[name] for name in parts if name != free)
            _put(row, free, value if isinstance(value, int) else round(value, 2), checks)

    return rule


def _parts(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    for part, whole in table("relations")["parts"]:
        smaller, larger = _by_phrase(fields, part), _by_phrase(fields, whole)
        for rest in sorted(smaller.keys() & larger.keys()):
            if smaller[rest] != larger[rest]:
                yield _not_above(smaller[rest], larger[rest], checks)


def _not_above(part: str, whole: str, checks: Mapping[str, Check]) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        one, other = row.get(part), row.get(whole)
        if not is_figure(one) or not is_figure(other) or one is None or other is None or one <= other:
            return
        if part not in fixed:
            share = 0.2 + 0.75 * facts.random()
            _put(row, part, int(other * share) if isinstance(one, int) else round(other * share, 2), checks)
        elif whole not in fixed:
            _put(row, whole, int(one * 1.4) + 1 if isinstance(other, int) else round(one * 1.25, 2), checks)

    return rule


def _products(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    done: set[str] = set()
    by_name = {joined(name): name for name in reversed(fields)}
    for whole, one, other in table("relations")["products"]:
        total = by_name.get(whole.replace(" ", "_"))
        if total is None or total in done:
            continue
        factors = [each.replace(" ", "_") for each in (one, other)]
        if not any(each in by_name for each in factors):
            continue
        done.add(total)
        yield _product(total, [(by_name.get(each), each) for each in factors], checks)


def _product(total: str, factors: Sequence[tuple[str | None, str]], checks: Mapping[str, Check]) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        values = [row.get(own) if own is not None else parents.get(known) for own, known in factors]
        if total in fixed or not is_figure(row.get(total)) or not all(is_figure(value) for value in values):
            return
        value = (values[0] or 0) * (values[1] or 0)
        _put(row, total, value if isinstance(value, int) else round(value, 2), checks)

    return rule


def _calendar(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    for rest, date in sorted(_by_phrase(fields, "date").items()):
        parts = {
            part: name for part in ("year", "month", "day") if (name := _by_phrase(fields, part).get(rest)) is not None
        }
        if parts:
            yield _same_day(date, parts, checks)


def _same_day(date: str, parts: Mapping[str, str], checks: Mapping[str, Check]) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        at = read(row.get(date)) if isinstance(row.get(date), str) else None
        if at is None:
            return
        for part, name in parts.items():
            held = row.get(name)
            if part == "year" and name in fixed and date not in fixed and is_figure(held) and held is not None:
                at = at.replace(year=int(held), day=min(at.day, 28))
                _put(row, date, written_like(at, row[date]), checks)
            elif name not in fixed and is_figure(held):
                _put(row, name, getattr(at, part), checks)
            elif name not in fixed and isinstance(held, str) and re.fullmatch(r"\d{1,4}", held):
                _put(row, name, str(getattr(at, part)).zfill(len(held)), checks)

    return rule


def _weekdays(fields: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    named = [name for name in fields if kind_of(name, "") == "weekday"]
    dated = {joined(name): name for name in fields}
    date = next((dated[each] for each in _DATES if each in dated), None)
    if date is not None:
        for name in named:
            options = [each for each in schemas[name].get("enum") or () if each is not None]
            yield _weekday(name, date, options, check_of(schemas[name]))


def _weekday(name: str, date: str, options: Sequence[Any], check: Check) -> Rule:
    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        at = read(row.get(date))
        if at is None or at.year == 2000 or name in fixed or name not in row:
            return
        value = weekday_like(at, row[name], facts.scene.language, options)
        if check(value):
            row[name] = value

    return rule


def _ages(fields: Sequence[str], checks: Mapping[str, Check]) -> Iterator[Rule]:
    by_name = {joined(name): name for name in fields}
    age = by_name.get("age")
    birth = next(
        (by_name[each] for each in ("birth_date", "date_of_birth", "dob", "birthday", "born") if each in by_name), None
    )
    year = next((by_name[each] for each in ("birth_year", "year_of_birth", "year_born") if each in by_name), None)
    if (birth is None and year is None) or (age is None and (birth is None or year is None)):
        return

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        now = facts.scene.now
        at = read(row.get(birth)) if birth is not None else None
        if at is not None and year is not None and year not in fixed and is_figure(row.get(year)):
            _put(row, year, at.year, checks)
        born = at.year if at is not None else row.get(year) if year is not None else None
        if age is None or age in fixed or not is_figure(row.get(age)) or not isinstance(born, int):
            return
        had = at is None or (now.month, now.day) >= (at.month, at.day)
        _put(row, age, now.year - born - (not had), checks)

    yield rule


@cache
def _empty_states() -> frozenset[str]:
    return frozenset(table("relations")["empty_states"])


def _states(fields: Sequence[str], schemas: Mapping[str, JsonObject]) -> Iterator[Rule]:
    stock_words = set(table("relations")["stock_words"])
    stock = next(
        (
            name
            for name in fields
            if plain_type(schemas[name]) == "integer"
            and (set(name_words(name)) & stock_words)
            and not schemas[name].get("enum")
        ),
        None,
    )
    state = next(
        (
            name
            for name in fields
            if schemas[name].get("enum") and name_words(name)[-1:] in (("status",), ("state",), ("availability",))
        ),
        None,
    )
    if stock is None or state is None:
        return
    empty = [each for each in schemas[state]["enum"] if str(each).lower() in _empty_states()]
    others = [each for each in schemas[state]["enum"] if each is not None and each not in empty]
    check = check_of(schemas[stock])
    if not empty or not others or not check(0):
        return

    def rule(row: JsonObject, fixed: Collection[str], facts: Facts, parents: Mapping[str, Any]) -> None:
        if row.get(state) in empty and stock in row and stock not in fixed:
            row[stock] = 0
        elif row.get(stock) == 0 and state in row and state not in fixed and row[state] not in empty:
            row[state] = facts.pick(empty)
        elif row.get(state) in empty and stock in fixed and row.get(stock) and state not in fixed:
            row[state] = facts.pick(others)

    yield rule
