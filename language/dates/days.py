"""Which days an expression may mean, seen from a clock."""

from __future__ import annotations

from dataclasses import replace

from wildtool.language.dates.derived import OPS
from wildtool.language.dates.names import (
    calendar_days,
    calendar_options,
    feast_options,
    nearest,
    numeric_options,
    unit_options,
    weekday_days,
    year_days,
)
from wildtool.language.dates.said import Said
from wildtool.language.dates.stretches import Context, Days, after, one_day, only


def resolve_days(said: Said, context: Context) -> Days | None:
    """The days that are meant; None where the words say no day. Raises ``ValueError`` or ``OverflowError`` for none."""
    if said.direction is not None:
        context = replace(context, direction=said.direction, doubt=1.0)
    found = _resolve(said, context)
    if found is None or not found.options:
        return None
    if said.also is not None:
        other = resolve_days(said.also, context)
        found = _agreeing(found, other, said, context)
    return replace(found, ambiguous=found.ambiguous or bool(said.soft))


def _agreeing(found: Days, other: Days | None, said: Said, context: Context) -> Days:
    """A day said in two ways: what both mean, or either where they differ."""
    if other is None:
        return found
    both = tuple(
        replace(one, weight=1.0) for one in found.options if any(one.first == two.first for two in other.options)
    )
    if both:
        return Days(both[:1])
    for weekday, dated in ((said, said.also), (said.also, said)):
        # Friday the 13th: the next 13th that is a Friday.
        if weekday and dated and weekday.weekday is not None and dated.day is not None:
            days = [one for one in calendar_days(dated, context) if dated.year in (None, one.year)]
            if dated.year is not None and (told := [one for one in days if one.weekday() == weekday.weekday]):
                return only(one_day(told[0]))
            best = nearest([one for one in days if one.weekday() == weekday.weekday], context)
            if best is not None and best == nearest(days, context):
                return only(one_day(best))
            matching = [one for one in days if one.weekday() == weekday.weekday]
            close = min(matching, key=lambda one: abs((one - context.today).days), default=None)
            if best is not None and close is not None and abs((best - context.today).days) < 400:
                far = abs((best - context.today).days) > 40 > abs((close - context.today).days)
                return only(one_day(close if far else best, 0.9))
    options = (*found.options, *other.options)
    return Days(tuple(replace(one, weight=0.4) for one in options[:2]), ambiguous=True)


def _resolve(said: Said, context: Context) -> Days | None:
    if said.op is not None:
        return OPS[said.op](said, context, resolve_days)
    today = context.today
    if said.days is not None:
        # After midnight, before sleep, today and tomorrow may be counted from the evening before.
        early = context.now.hour < 4
        return only(one_day(after(today, said.days), 0.8 if early else 1.0))
    if said.weekday is not None:
        return weekday_days(said, context)
    if said.feast is not None:
        return feast_options(said, context)
    if said.unit is not None:
        return unit_options(said, context)
    if said.numeric is not None:
        return numeric_options(said, context)
    if said.day is not None or said.month is not None or said.months is not None:
        return calendar_options(said, context)
    year = said.year if said.year is not None else today.year + said.years if said.years is not None else None
    return year_days(year) if year is not None else None
