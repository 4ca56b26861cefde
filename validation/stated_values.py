"""Stated values: limits, counts, bounds, days and times in the user's words agree with the arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from wildtool.grounding.evidence import Known, is_number, leaves, parameter_schema, task_words
from wildtool.language import counts as counted
from wildtool.language.bounds import bounds_said, lengths_until_return, limits_said
from wildtool.language.counts import Count, Kind, expected, kind_of_parameter, leaves_noun_out, values_of
from wildtool.language.dates.spoken import when_said
from wildtool.language.dates.spoken_times import Clock, times_said
from wildtool.language.dates.values import ClockValue, clock_value, days_of_value
from wildtool.language.folding import tokens
from wildtool.language.party import party_said
from wildtool.language.result_filters import LIMIT_NAME
from wildtool.language.spoken_numbers import numbers_said
from wildtool.schemas.base import JsonObject
from wildtool.schemas.session import Call, Session, Task
from wildtool.validation.rule import Finding, found, task_rule
from wildtool.validation.session_parts import calls_of, functions

_UPPER = frozenset(("max", "maximum", "most", "upper", "ceiling", "below", "under", "budget", "lte", "lt"))
_LOWER = frozenset(("min", "minimum", "least", "lower", "floor", "above", "over", "gte", "gt"))
"""Words of a parameter's name that say that it bounds something."""


def _said(task: Task) -> str:
    return "\n".join(task_words(task))


@task_rule("limits", "limits agree with the user's words", reads_text=True)
def limits(session: Session, number: int, task: Task) -> Iterator[Finding]:
    said = limits_said(_said(task))
    if not said:
        return
    mentioned = numbers_said(_said(task))
    for index, call in calls_of(task):
        for name, value in call.arguments.items():
            # Another number that the user said may be the limit of another call.
            if (
                LIMIT_NAME.match(name)
                and isinstance(value, int)
                and not isinstance(value, bool)
                and value not in said | mentioned
            ):
                yield found(index, f"{call.name}.{name} is {value}, but the user said {_listed(said)}")
    given = {
        value
        for _, call in calls_of(task)
        for name, value in call.arguments.items()
        if LIMIT_NAME.match(name) and is_number(value)
    }
    if given and not given & said and not any(value not in said | mentioned for value in given):
        index, call = calls_of(task)[0]
        yield found(index, f"{call.name} is limited to {_listed(given)}, but the user said {_listed(said)}")


@task_rule("counts", "counts and bounds agree with the user's words", reads_text=True)
def counts(session: Session, number: int, task: Task) -> Iterator[Finding]:
    words = _said(task)
    told = counted.counts(words)
    bare = counted.bare(told)
    upper, lower = bounds_said(words)
    party = party_said(words)
    known_functions = functions(session)
    for index, call in calls_of(task):
        known = Known(session, number, index)
        for path, value in leaves(call.arguments):
            if not is_number(value):
                continue
            name = tokens(re.sub(r"\[\d+\]$", "", path).rpartition(".")[2])
            schema, _ = parameter_schema(known_functions.get(call.name, {}), path)
            kind = kind_of_parameter(name)
            side = _side(set(name))
            small = kind is not None and kind.name in ("people", "tickets", "weeks", "nights")
            # A digit inside of an id that was shown ("3U8885") counts nobody.
            if any(seen == value for seen in known.observations if is_number(seen)) or (
                not small and known.observed(value)
            ):
                continue
            if side is not None:
                right, wrong = (upper, lower) if side == "upper" else (lower, upper)
                wanted = _of_kind(right, kind)
                free = bare.difference(*(one.values for one in (*upper, *lower)))
                if wanted and not _near(value, wanted | free, schema):
                    yield found(
                        index, f"{call.name}.{path} is {value:g}, but the user's {side} bound is {_listed(wanted)}"
                    )
                elif not wanted and value in _of_kind(wrong, kind):
                    yield found(index, f"{call.name}.{path} is {value:g}, which the user said as the other bound")
                if wanted or kind is None:
                    continue
            if kind is None:
                continue
            wanted = expected(kind, told)
            if party is not None and kind.name in ("people", "tickets"):
                # The people that are named one by one; "adults" leaves the children out.
                fewer = values_of("children", told) if "adults" in name else set()
                wanted = values_of(kind.name, told) | {float(party)} | {party - value for value in fewer}
            if not wanted and kind.name in ("people", "tickets") and len(bare) == 1 and leaves_noun_out(words):
                wanted = bare
            if (
                wanted
                and not _near(value, wanted | bare, schema)
                and not (not values_of("children", told) and _near(_company(call, kind), wanted, schema))
            ):
                said = _listed(values_of(kind.name, told) or wanted)
                yield found(index, f"{call.name}.{path} is {value:g}, but the user said {said} ({kind.name})")


def _company(call: Call, kind: Kind) -> float:
    """All people of a call together: "the three of us" are two adults and a child."""
    if kind.name not in ("people", "children"):
        return math.nan
    named = [(kind_of_parameter(tokens(path)), value) for path, value in leaves(call.arguments) if is_number(value)]
    return float(sum(value for of, value in named if of is not None and of.name in ("people", "children")))


def _side(name: set[str]) -> str | None:
    """Which bound a parameter is, by the words of its name."""
    if bool(name & _UPPER) == bool(name & _LOWER):
        return None
    return "upper" if name & _UPPER else "lower"


def _of_kind(bounds: list[Count], kind: Kind | None) -> set[float]:
    """Numbers of the bounds that a parameter of this kind may take, in its units."""
    values: set[float] = set()
    for one in bounds:
        if kind is not None and one.other:
            continue  # "three hotels at most" bounds no price
        values |= expected(kind or one.kind, [one]) if one.kind is not None else set(one.values)
    return values


def _near(value: float, right: set[float], schema: JsonObject) -> bool:
    """Equal but for rounding; in cents where the tool takes cents."""
    cents = (
        (1, 100)
        if re.search(r"\bcents?\b|minor unit|smallest|单位[:：为]?分", str(schema.get("description", "")).casefold())
        else (1,)
    )
    return any(abs(value - one * factor) <= 1e-3 * max(1, abs(value)) for one in right for factor in cents)


def _listed(values: set[float] | set[int]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values)[:3])


@task_rule("dates", "days agree with the user's words", reads_text=True)
def dates(session: Session, number: int, task: Task) -> Iterator[Finding]:
    own = when_said(_said(task), session.language, session.now)
    returns = _returns(session, number, task)
    agreeing: list[bool] = []
    dated: list[tuple[int, str, Any]] = []
    for index, call in calls_of(task):
        known = Known(session, number, index)
        before = when_said(known.texts, session.language, session.now)
        for path, value in leaves(call.arguments):
            days = days_of_value(value)
            if days is None:
                continue
            if not days:
                yield found(index, f"{call.name}.{path} is {value}, which is no day")
                continue
            if known.observed_day(str(value)) or days & returns:
                continue
            now = str(session.now)[:10]
            if not own:
                # Carried on from before, or the clock: only a day that nothing names is wrong.
                if (
                    before
                    and not before.unclear
                    and not any(before.allows(day) or day.isoformat() == now for day in days)
                ):
                    yield found(index, f"{call.name}.{path} is {value}, a day that nobody named")
                continue
            if own.unclear:
                continue
            fits = any(own.allows(day) for day in days)
            if (
                days <= own.ends
                and own.days - own.ends
                and _STARTS & set(tokens(path))
                and not _ENDS & set(tokens(path))
            ):
                yield found(
                    index,
                    f"{call.name}.{path} is {str(value)[:10]}, the end of what the user said begins on {_meant(own.days - own.ends, ())}",
                )
                continue
            agreeing.append(fits)
            dated.append((index, f"{call.name}.{path}", value))
            if not fits and not any(before.allows(day) for day in days):
                yield found(
                    index,
                    f"{call.name}.{path} is {str(value)[:10]}, but the user's words mean {_meant(own.days, own.spans)}",
                )
    if agreeing and not any(agreeing) and all(when_said(Known(session, number, index).texts, session.language, session.now).allows(day)
                                              for index, _, value in dated for day in days_of_value(value) or ()):  # fmt: skip
        index, place, value = dated[0]
        yield found(
            index,
            f"{place} is {str(value)[:10]}, said before, but now the user's words mean {_meant(own.days, own.spans)}",
        )


def _returns(session: Session, number: int, task: Task) -> set[date]:
    """Days that a way back may mean, reckoned from the days of earlier calls: 三天后回来."""
    lengths = lengths_until_return(_said(task))
    if not lengths:
        return set()
    begun = {
        day
        for one in session.tasks[:number]
        for _, call in calls_of(one)
        for _, value in leaves(call.arguments)
        for day in days_of_value(value) or ()
    }
    return {day + timedelta(days=length) for day in begun for length in lengths}


_STARTS = frozenset(
    ("start", "from", "begin", "begins", "checkin", "pickup", "outbound", "departure", "depart", "开始")
)
_ENDS = frozenset(("end", "to", "until", "return", "checkout", "out", "dropoff", "back", "last"))
"""Words of names that take the first and the last day of a span."""


@task_rule("times", "times of day agree with the user's words", reads_text=True)
def times(session: Session, number: int, task: Task) -> Iterator[Finding]:
    own = times_said(_said(task), session.language, session.now)
    held = [
        (index, f"{call.name}.{path}", value, at)
        for index, call in calls_of(task)
        for path, value in leaves(call.arguments)
        if (at := _clock_of(path, value)) is not None
        and at.zone in (None, session.now[19:], *(("Z",) if session.now.endswith("+00:00") else ()))
        and not Known(session, number, index).observed_time(value)
    ]
    if own:
        agree = [own.allows(at.minute) for *_, at in held]
        for (index, place, value, at), fits in zip(held, agree, strict=True):
            # The edges of a day stand for the day, unless the time that was said went nowhere else.
            if fits or own.unclear or (at.bounds_a_day and (any(agree) or not own.times)):
                continue
            before = times_said(Known(session, number, index).texts, session.language, session.now)
            if not own.times and before.allows(at.minute):
                continue
            if before.allows(at.minute) and any(agree):
                continue
            yield found(index, f"{place} is {value}, but the user's words mean {_meant_times(own)}")
        return
    for index, place, value, at in held:
        before = times_said(Known(session, number, index).texts, session.language, session.now)
        if before and not (before.unclear or own.unclear or at.bounds_a_day or before.allows(at.minute)):
            yield found(index, f"{place} is {value}, a time that nobody named")


def _clock_of(path: str, value: Any) -> ClockValue | None:
    """The time of day of an argument; of a number where its name says ``hour``."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 24:
        name = tokens(path.rpartition(".")[2])
        return ClockValue(value % 24 * 60, False, None) if "hour" in name and not _LENGTHS & set(name) else None
    return clock_value(value)


_LENGTHS = frozenset(("per", "min", "max", "duration", "rate", "forecast", "count", "number"))
"""Words of names whose hours are a length or a rate and no time of day."""


def _meant_times(said: Clock) -> str:
    times = sorted(said.times)[:3] or [one for span in said.spans[:1] for one in span]
    return (", " if said.times else " to ").join(f"{one // 60:02d}:{one % 60:02d}" for one in times)


def _meant(days: Any, spans: Any) -> str:
    named = [day.isoformat() for day in sorted(days)[:3]]
    return ", ".join(named or [f"{first} to {last}" for first, last in spans[:2]])
