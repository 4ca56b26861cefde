"""Tell whether a row meets a demand, in the meaning that calls have."""

from __future__ import annotations

from typing import Any

from wildtool.language.folding import plain
from wildtool.schemas.session_world import Demand
from wildtool.worlds.rows import Row
from wildtool.worlds.selection import clock_of
from wildtool.worlds.values import above, below, dig, equal, form, span


def meets(row: Row, demand: Demand) -> bool:
    """Return whether a row meets a demand."""
    return (
        all(has(dig(row, name), value) for name, value in demand.given.items())
        and all(inside(dig(row, name), *ends) for name, ends in demand.within.items())
        and all(one_of(dig(row, name), options) for name, options in demand.among.items())
        and all(said(row, word) for word in demand.words)
    )


def has(held: Any, value: Any) -> bool:
    if isinstance(held, list) and not isinstance(value, list):
        return any(equal(each, value) for each in held)
    if isinstance(held, list) and isinstance(value, list):
        return {form(each) for each in value} <= {form(each) for each in held}
    return equal(held, value)


def one_of(held: Any, options: tuple[Any, ...]) -> bool:
    return any(has(held, option) for option in options)


def inside(held: Any, low: Any, high: Any) -> bool:
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


def said(row: Row, words: str) -> bool:
    return any(plain(words) in plain(_flat(value)) for value in row.values() if isinstance(value, str | list))


def _flat(value: Any) -> str:
    return " ".join(map(_flat, value)) if isinstance(value, list) else str(value)
