"""Let rows meet a demand: change some, add some, or leave none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from wildtool.language.folding import plain
from wildtool.schemas.base import JsonObject
from wildtool.schemas.json_schema import plain_type
from wildtool.schemas.world import Demand, FieldRole, WorldTable
from wildtool.worlds.furnishing.values import write
from wildtool.worlds.rows import Row
from wildtool.worlds.selection import _clock as clock_of
from wildtool.worlds.values import above, below, dig, equal, form, number, put, span

NewRow = Callable[[JsonObject], Row]
"""Makes a further row with given values."""


def meets(row: Row, demand: Demand) -> bool:
    """Return whether a row meets a demand."""
    return (
        all(_has(dig(row, name), value) for name, value in demand.given.items())
        and all(_inside(dig(row, name), *ends) for name, ends in demand.within.items())
        and all(_one_of(dig(row, name), options) for name, options in demand.among.items())
        and all(_said(row, word) for word in demand.words)
    )


def _has(held: Any, value: Any) -> bool:
    if isinstance(held, list) and not isinstance(value, list):
        return any(equal(each, value) for each in held)
    if isinstance(held, list) and isinstance(value, list):
        return {form(each) for each in value} <= {form(each) for each in held}
    return equal(held, value)


def _one_of(held: Any, options: tuple[Any, ...]) -> bool:
    return any(_has(held, option) for option in options)


def _inside(held: Any, low: Any, high: Any) -> bool:
    if low is not None and high is not None and equal(low, high):
        at, day = span(held), span(low)
        return equal(held, low) if at is None or day is None else day[0] <= at[0] <= day[1]
    hour = (
        clock_of(held)
        if any(isinstance(each, str) and len(each) == 5 and ":" in each for each in (low, high))
        else None
    )
    if hour is not None:
        return (low is None or hour >= low) and (high is None or hour <= high)
    return (low is None or below(held, low) is False) and (high is None or above(held, high) is False)


def _said(row: Row, words: str) -> bool:
    return any(plain(words) in plain(_flat(value)) for value in row.values() if isinstance(value, str | list))


def _flat(value: Any) -> str:
    return " ".join(map(_flat, value)) if isinstance(value, list) else str(value)


def satisfied(
    rows: list[Row], demand: Demand, table: WorldTable, claimed: set[int], rng: Random, more: NewRow
) -> list[Row]:
    """Return rows of which at least as many as demanded meet it. ``claimed`` holds ids of rows that earlier demands rest on."""
    if demand.empty:
        return [row for row in rows if not meets(row, demand)]
    named = [
        name
        for name in demand.given
        if (name,) == table.key or table.fields[name.split(".")[0]].role is FieldRole.LABEL
    ]
    there = [row for row in rows if meets(row, demand)]
    for row in there[: demand.least]:
        claimed.add(id(row))
    lacking = demand.least - len(there)
    if lacking <= 0:
        return rows
    made = list(rows)
    if named:  # one certain thing: it is changed if it is there, else it comes into being
        one = next((row for row in made if all(_has(dig(row, n), demand.given[n]) for n in named)), {})
        if not one:
            one = more({name: demand.given[name] for name in named})
            made.append(one)
        _change(one, demand, table, rng)
        claimed.add(id(one))
        return made
    free = [row for row in made if id(row) not in claimed and not meets(row, demand)]
    rng.shuffle(free)
    for _ in range(lacking):
        if len(free) > len(made) // 3:
            row = free.pop()
        else:
            row = more({})
            made.append(row)
        _change(row, demand, table, rng)
        claimed.add(id(row))
    return made


def _change(row: Row, demand: Demand, table: WorldTable, rng: Random) -> None:
    for name, value in demand.given.items():
        held = dig(row, name)
        if not _has(held, value):
            put(row, name, _listed(held, value) if _is_list(table, name) else value)
    for name, options in demand.among.items():
        if not _one_of(dig(row, name), options):
            value = rng.choice(options)
            put(row, name, _listed(dig(row, name), value) if _is_list(table, name) else value)
    for name, ends in demand.within.items():
        if not _inside(dig(row, name), *ends):
            put(row, name, _between(dig(row, name), *ends, table.fields[name.split(".")[0]].value, rng))
    for words in demand.words:
        if not _said(row, words):
            _say(row, words, table)


def _is_list(table: WorldTable, name: str) -> bool:
    return "." not in name and plain_type(table.fields[name].value) == "array"


def _listed(held: Any, value: Any) -> list[Any]:
    wanted = value if isinstance(value, list) else [value]
    kept = [each for each in held if not any(equal(each, other) for other in wanted)] if isinstance(held, list) else []
    return [*wanted, *kept][: max(len(wanted), len(kept), 1)]


def _say(row: Row, words: str, table: WorldTable) -> None:
    """Let a search for the words find the row."""
    for name, field in table.fields.items():
        if field.role is FieldRole.TOPIC:
            row[name] = [words, *(row.get(name) or [])]
            return
    label = next((name for name, field in table.fields.items() if field.role is FieldRole.LABEL), None)
    if label is not None:
        row[label] = f"{words} {row[label]}"


def _between(held: Any, low: Any, high: Any, schema: Mapping[str, Any], rng: Random) -> Any:
    """Draw a value of the held one's kind between two ends."""
    if clock := next((each for each in (low, high) if isinstance(each, str) and len(each) == 5 and ":" in each), None):
        return _at_clock(held, clock, low is not None, rng)
    one, other = number(low), number(high)
    figures = [each for each in (one, other) if each is not None]
    if (figures and not (span(low) or span(high))) or (
        isinstance(held, int | float) and not isinstance(held, bool) and figures
    ):
        bottom = one if one is not None else (other or 0.0) * 0.6
        top = other if other is not None else max(bottom * 1.4, bottom + 3)
        most = schema.get("maximum")
        top = min(top, float(most)) if isinstance(most, int | float) and most >= bottom else top
        if plain_type(dict(schema)) == "integer" or isinstance(held, int):
            low_whole, high_whole = int(-(-bottom // 1)), int(top // 1)
            if one is not None and high_whole > low_whole:
                low_whole += other is None
            if one is None and high_whole > low_whole:
                high_whole -= 1
            return rng.randint(low_whole, max(low_whole, high_whole))
        return round(rng.uniform(bottom + (top - bottom) * 0.1, bottom + (top - bottom) * 0.9), 2)
    first, last = span(low), span(high)
    if first is None and last is None:
        return low if low is not None else high
    if first is not None and last is not None:
        begin, end = first[0], last[1]
    elif first is not None:
        begin, end = first[0], first[0].replace(year=first[0].year) + (first[1] - first[0])
    else:
        assert last is not None
        begin, end = last[0], last[1]
    from datetime import timedelta

    if first is not None and last is None:
        begin, end = first[1], first[1] + timedelta(days=30)
    if first is None and last is not None:
        begin, end = last[0] - timedelta(days=30), last[0]
    at = begin + (end - begin) * rng.random()
    if first is not None and last is not None and first[0].date() == last[1].date():
        at = first[0].replace(hour=rng.randrange(9, 21), minute=rng.choice((0, 15, 30, 45)), second=0)
    if isinstance(held, int) and not isinstance(held, bool):
        return at.year if 1000 <= held <= 9999 else write(at, "seconds")
    return write(
        at.replace(second=0, microsecond=0), "date" if isinstance(held, str) and len(held) == 10 else "date-time"
    )


def _at_clock(held: Any, clock: str, least: bool, rng: Random) -> Any:
    hour = int(clock[:2])
    chosen = rng.randint(min(hour + 1, 23), 23) if least else rng.randint(min(6, max(hour - 1, 0)), max(hour - 1, 0))
    text = f"{chosen:02}:{rng.choice(('00', '15', '30', '45'))}"
    held = str(held)
    if "T" in held:
        return held[:11] + text + held[16:]
    return text
