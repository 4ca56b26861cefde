"""Days that follow from others: three days after Easter, the last Friday of the month, the end of the year."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from wildtool.language.dates.calendars import add_months, add_workdays, feast_spread, month_end, nth_weekday
from wildtool.language.dates.moments import MomentKind
from wildtool.language.dates.said import Edge, Op, Said, Unit
from wildtool.language.dates.stretches import Context, Days, Stretch, after, days_between, monday, move, one_day

Resolve = Callable[[Said, Context], Days | None]
"""Finds the days of a base."""


def _shift(said: Said, context: Context, resolve: Resolve) -> Days | None:
    amount = said.amount or ()
    if said.base is None:
        moved, _, soft = move(context.now, amount)
        options = [one_day(moved.date())]
        workdays = any(unit is Unit.WORKDAY for _, unit in amount)
        if soft:
            # Half a month is 15 days or two weeks.
            options.append(one_day(after(moved.date(), -1 if moved > context.now else 1), 0.4))
        return Days(
            (replace(options[0], weight=0.6 if soft else 0.95 if workdays else 1.0), *options[1:]), ambiguous=soft
        )
    base = resolve(said.base, context)
    if base is None:
        return None
    moved_options = []
    soft = False
    for one in base.options:
        edge = one.first if not amount or amount[0][0] < 0 else one.last
        moved, _, half = move(datetime.combine(edge, datetime.min.time()), amount)
        soft = soft or half
        moved_options.append(one_day(moved.date(), one.weight))
    return Days(tuple(moved_options), base.ambiguous or soft)


def _each(
    said: Said, context: Context, resolve: Resolve, make: Callable[[Stretch], list[Stretch]], ambiguous: bool = False
) -> Days | None:
    """What is derived from every stretch that the base may be."""
    base = resolve(said.base, context) if said.base is not None else None
    if base is None:
        return None
    options = tuple(replace(made, weight=made.weight * one.weight) for one in base.options for made in make(one))
    return Days(options, base.ambiguous or ambiguous) if options else None


def _edge(said: Said, context: Context, resolve: Resolve) -> Days | None:
    edge = said.edge
    ambiguous = edge in (Edge.START, Edge.MIDDLE, Edge.EARLY, Edge.LATE)
    week_end = False

    def make(one: Stretch) -> list[Stretch]:
        nonlocal week_end
        length = (one.last - one.first).days + 1
        if edge is Edge.END:
            if length == 7:
                week_end = True
                return [one_day(one.last, 0.5), one_day(after(one.first, 4), 0.5)]
            return [one_day(one.last)]
        return _piece(one, edge, length)

    found = _each(said, context, resolve, make, ambiguous)
    return replace(found, ambiguous=found.ambiguous or week_end) if found else None


def _piece(one: Stretch, edge: Edge | None, length: int) -> list[Stretch]:
    """Readings of a part of a stretch, the likeliest first."""
    first, last = one.first, one.last
    middle = after(first, length // 2)
    if 28 <= length <= 31:
        tenth, twentieth = after(first, 10), after(first, 20)
        match edge:
            case Edge.START | Edge.EARLY:
                return [
                    days_between(first, after(first, 9), 0.4),
                    days_between(first, after(first, 6), 0.3),
                    days_between(first, first, 0.3),
                ]
            case Edge.MIDDLE:
                return [
                    days_between(tenth, after(first, 19), 0.5),
                    days_between(after(first, 9), after(first, 19), 0.3),
                    days_between(after(first, 14), after(first, 14), 0.2),
                ]
            case Edge.LATE:
                return [days_between(twentieth, last, 0.6), days_between(after(first, 19), last, 0.4)]
            case Edge.FIRST_TEN:
                return [days_between(first, after(first, 9))]
            case Edge.SECOND_TEN:
                return [days_between(tenth, after(first, 19))]
            case Edge.LAST_TEN:
                return [days_between(twentieth, last)]
            case Edge.FIRST_HALF:
                return [days_between(first, after(first, 14))]
            case _:
                return [days_between(after(first, 15), last)]
    match edge:
        case Edge.FIRST_HALF:
            return [days_between(first, after(add_months(first, 6), -1) if length > 360 else after(middle, -1))]
        case Edge.SECOND_HALF:
            return [days_between(add_months(first, 6) if length > 360 else middle, last)]
        case Edge.START | Edge.EARLY:
            if length <= 7:
                return [one_day(first, 0.5) if edge is Edge.START else days_between(first, after(first, 1), 0.5)]
            return [
                days_between(first, after(add_months(first, 1 if length < 100 else 3), -1), 0.5),
                one_day(first, 0.3),
            ]
        case Edge.MIDDLE:
            if length <= 7:
                return [one_day(after(first, 2), 0.6), days_between(after(first, 1), after(first, 3), 0.4)]
            return [days_between(after(middle, -length // 12), after(middle, length // 12), 0.5)]
        case _:
            return [days_between(after(last, -(length // 4 or 1)), last, 0.5)]


def _nth(said: Said, context: Context, resolve: Resolve) -> Days | None:
    count = said.count or 1

    def make(one: Stretch) -> list[Stretch]:
        if said.weekday is not None:
            day = nth_weekday(one.first, one.last, said.weekday, count)
            return [one_day(day)] if day else []
        match said.unit:
            case Unit.DAY:
                day = after(one.first, count - 1) if count > 0 else after(one.last, count + 1)
                return [one_day(day)] if one.first <= day <= one.last else []
            case Unit.WORKDAY:
                day = (
                    add_workdays(after(one.first, -1), count) if count > 0 else add_workdays(after(one.last, 1), count)
                )
                return [one_day(day, 0.95)]
            case Unit.WEEKEND:
                day = nth_weekday(one.first, one.last, 5, count)
                return [days_between(day, after(day, 1))] if day else []
            case Unit.WEEK:
                return _nth_week(one, count)
            case Unit.MONTH | Unit.QUARTER:
                step = 1 if said.unit is Unit.MONTH else 3
                first = (
                    add_months(one.first, step * (count - 1))
                    if count > 0
                    else add_months(one.last.replace(day=1), step * (count + 1) - step + 1)
                )
                last = after(add_months(first, step), -1)
                kind = MomentKind.MONTH if step == 1 else MomentKind.RANGE
                return [Stretch(first, last, kind)] if one.first <= first <= one.last else []
        return []

    return _each(said, context, resolve, make, ambiguous=said.unit is Unit.WEEK)


def _nth_week(one: Stretch, count: int) -> list[Stretch]:
    """The n-th week: seven days from the first, or the week from Monday."""
    if count < 0:
        last = one.last
        return [days_between(after(last, -6), last, 0.5), days_between(monday(last), after(monday(last), 6), 0.4)]
    first = after(one.first, 7 * (count - 1))
    begins = monday(one.first) if one.first.weekday() < 4 else after(monday(one.first), 7)
    begins = after(begins, 7 * (count - 1))
    return [days_between(first, after(first, 6), 0.5), days_between(begins, after(begins, 6), 0.4)]


def _first(said: Said, context: Context, resolve: Resolve) -> Days | None:
    count, unit = said.count or 1, said.unit or Unit.DAY
    if abs(count) == 1:
        return _nth(said, context, resolve)

    def make(one: Stretch) -> list[Stretch]:
        amount = ((float(abs(count)), unit),)
        if count > 0:
            end, _, _ = move(datetime.combine(one.first, datetime.min.time()), amount)
            return [days_between(one.first, after(end.date(), -1))]
        start, _, _ = move(datetime.combine(after(one.last, 1), datetime.min.time()), ((-amount[0][0], unit),))
        return [days_between(start.date(), one.last)]

    return _each(said, context, resolve, make)


def _weekday_beside(said: Said, context: Context, resolve: Resolve) -> Days | None:
    weekday, back = said.weekday or 0, said.op is Op.WEEKDAY_BEFORE

    def make(one: Stretch) -> list[Stretch]:
        if back:
            return [one_day(after(one.first, -((one.first.weekday() - weekday) % 7 or 7)))]
        return [one_day(after(one.last, (weekday - one.last.weekday()) % 7 or 7))]

    return _each(said, context, resolve, make)


def _holding(said: Said, context: Context, resolve: Resolve) -> Days | None:
    def make(one: Stretch) -> list[Stretch]:
        start, _, _ = move(datetime.combine(one.first, datetime.min.time()), said.amount or ())
        first = monday(start.date())
        if said.unit is Unit.WEEKEND:
            return [days_between(after(first, 5), after(first, 6))]
        if said.unit is Unit.MONTH:
            begins = one.first.replace(day=1)
            return [Stretch(begins, month_end(begins.year, begins.month), MomentKind.MONTH)]
        return [days_between(first, after(first, 6))]

    return _each(said, context, resolve, make)


def _window(said: Said, context: Context, resolve: Resolve) -> Days | None:
    amount = said.amount or ()
    today = context.today
    moved, _, _ = move(context.now, amount)
    other = moved.date()
    if moved < context.now:
        options = [
            days_between(other, today, 0.5),
            days_between(after(other, 1), today, 0.3),
            days_between(other, after(today, -1), 0.2),
        ]
    else:
        options = [
            days_between(today, other, 0.5),
            days_between(after(today, 1), other, 0.3),
            days_between(today, after(other, -1), 0.2),
        ]
    return Days(tuple(one for one in options if one.first <= one.last), ambiguous=True)


def _rest(said: Said, context: Context, resolve: Resolve) -> Days | None:
    return _each(
        said,
        context,
        resolve,
        lambda one: [days_between(context.today, one.last, 0.7)] if one.last >= context.today else [],
    )


def _holidays(said: Said, context: Context, resolve: Resolve) -> Days | None:
    if said.base is None or said.base.feast is None:
        return None  # "my holidays" are nobody else's
    length = feast_spread(said.base.feast)
    return _each(
        said, context, resolve, lambda one: [days_between(one.first, after(one.first, length - 1), 0.6)], ambiguous=True
    )


OPS: Mapping[Op, Callable[[Said, Context, Resolve], Days | None]] = {
    Op.SHIFT: _shift,
    Op.EDGE: _edge,
    Op.NTH: _nth,
    Op.FIRST: _first,
    Op.WEEKDAY_AFTER: _weekday_beside,
    Op.WEEKDAY_BEFORE: _weekday_beside,
    Op.HOLDING: _holding,
    Op.WINDOW: _window,
    Op.REST: _rest,
    Op.HOLIDAYS: _holidays,
}
"""What each way of deriving a day does, given what its base means."""
