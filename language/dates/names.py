"""Days that a name means, seen from a clock: weekdays, days of the month, feasts, months, quarters, weekends."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from wildtool.language.dates.calendars import add_months, feast_days, feast_doubt, lunar_day, month_end
from wildtool.language.dates.moments import MomentKind
from wildtool.language.dates.said import Said, Unit, Way
from wildtool.language.dates.stretches import Context, Days, Stretch, after, monday, one_day, only

_LENGTHS = {Unit.QUARTER: 3, Unit.HALF: 6, Unit.SEASON: 3}


def year_days(year: int) -> Days:
    return only(Stretch(date(year, 1, 1), date(year, 12, 31), MomentKind.RANGE))


def weekday_days(said: Said, context: Context) -> Days:
    today, weekday = context.today, said.weekday or 0
    this = after(monday(today), weekday)
    if said.weeks is not None:
        return only(one_day(after(this, 7 * said.weeks)))
    coming = after(today, (weekday - today.weekday()) % 7 or 7)
    gone = after(today, -((today.weekday() - weekday) % 7 or 7))
    match said.way:
        case Way.COMING:
            return only(one_day(coming))
        case Way.THIS:
            if this >= today:
                return only(one_day(this, 0.97 if this == today else 1.0))
            if context.direction < 0:
                return only(one_day(this, 0.95))
            return only(one_day(coming, 0.6), one_day(this, 0.4), ambiguous=True)
        case Way.NEXT:
            following = after(this, 7)
            if today.weekday() == 6:
                return only(one_day(coming, 0.55), one_day(after(coming, 7), 0.45), ambiguous=True)
            if coming == following:
                return only(one_day(coming, 0.97 if today.weekday() == 5 and (coming - today).days < 3 else 1.0))
            return only(one_day(following, 0.6), one_day(coming, 0.4), ambiguous=True)
        case Way.LAST:
            before = after(this, -7)
            if gone == before:
                return only(one_day(gone))
            if (today - gone).days < 2:
                return only(one_day(before, 0.7), one_day(gone, 0.3), ambiguous=True)
            return only(one_day(gone, 0.55), one_day(before, 0.45), ambiguous=True)
    same = weekday == today.weekday()
    if context.direction < 0:
        return only(one_day(gone, 0.8 if same else 1.0))
    if same:
        return only(one_day(coming, 0.5), one_day(today, 0.45), ambiguous=True)
    return only(one_day(coming, context.doubt), *([one_day(gone, 1 - context.doubt)] if context.doubt < 1 else []))


def nearest(days: list[date], context: Context) -> date | None:
    """The day that the direction asks for: the coming one, today included, or the last one."""
    today = context.today
    if context.direction < 0:
        past = [day for day in days if day <= today]
        return max(past) if past else None
    ahead = [day for day in days if day >= today]
    return min(ahead) if ahead else None


def _other(days: list[date], context: Context) -> list[Stretch]:
    """The nearest day behind, as a doubt."""
    past = [day for day in days if day < context.today]
    return [one_day(max(past), 1 - context.doubt)] if past and context.doubt < 1 and context.direction >= 0 else []


def _chosen(days: list[date], said: Said, context: Context) -> Days | None:
    """One of the days of a name that recurs each year, by the word before it or by the verb."""
    today = context.today
    match said.way:
        case Way.LAST:
            past = [day for day in days if day < today]
            return only(one_day(max(past), 1.0 if max(past).year < today.year else 0.97)) if past else None
        case Way.NEXT:
            ahead = sorted(day for day in days if day > today)
            if not ahead:
                return None
            if ahead[0].year > today.year or len(ahead) == 1:
                return only(one_day(ahead[0]))
            return only(one_day(ahead[0], 0.6), one_day(ahead[1], 0.4), ambiguous=True)
        case Way.THIS | Way.COMING:
            wanted = [day for day in days if day.year == today.year and (day >= today or context.direction < 0)]
            best = wanted[0] if wanted else nearest(days, context)
            return only(one_day(best, 0.98 if not wanted else 1.0)) if best else None
    best = nearest(days, context)
    if best is None:
        return None
    weight = context.doubt if context.direction >= 0 else 1.0
    return only(one_day(best, weight), *_other(days, context))


def feast_options(said: Said, context: Context) -> Days | None:
    key = said.feast or ""
    doubt, other = feast_doubt(key)
    today = context.today
    fixed = said.year if said.year is not None else today.year + said.years if said.years is not None else None

    def days_of(name: str) -> Days | None:
        if fixed is not None:
            found = feast_days(name, fixed)
            return only(*(one_day(day) for day in found[:1]), ambiguous=len(found) > 1) if found else None
        days = [day for year in range(today.year - 2, today.year + 3) for day in feast_days(name, year)]
        return _chosen(days, said, context)

    found = days_of(key)
    if found is None or doubt == 1:
        return found
    second = days_of(other) if other else None
    options = tuple(replace(one, weight=one.weight * doubt) for one in found.options)
    if second is not None:
        options += tuple(replace(one, weight=one.weight * (1 - doubt)) for one in second.options)
    return Days(options, ambiguous=second is not None and second.options[0].first != found.options[0].first)


def calendar_days(said: Said, context: Context) -> list[date]:
    """The days of some years around now that have this month (if said) and day of month."""
    year, found = context.today.year, []
    months = [said.month] if said.month is not None else list(range(1, 13))
    for number in range(year - 8, year + 9):
        for month in months:
            if said.lunar:
                day = lunar_day(number, month, said.day or 0)
                found += [day] if day is not None else []
            elif said.day is not None and said.day <= month_end(number, month).day:
                found.append(date(number, month, said.day))
    return sorted(found)


def calendar_options(said: Said, context: Context) -> Days | None:
    today = context.today
    year = said.year if said.year is not None else today.year + said.years if said.years is not None else None
    month = said.month
    if said.months is not None:
        first = add_months(today.replace(day=1), said.months)
        if month is not None and month != first.month:
            return None
        year, month = year if year is not None else first.year, first.month
    if said.day is None:
        return _month(year, month or 1, said, context)
    if year is not None and month is not None:
        if said.lunar:
            day = lunar_day(year, month, said.day)
            return only(one_day(day)) if day else None
        return only(one_day(date(year, month, said.day)))
    days = calendar_days(said, context)
    if year is not None:
        days = [day for day in days if day.year == year]
        return only(one_day(days[0], 0.8)) if days else None
    return _chosen(days, said, context)


def _month(year: int | None, month: int, said: Said, context: Context) -> Days:
    today = context.today

    def of(year: int, weight: float = 1.0) -> Stretch:
        return Stretch(date(year, month, 1), month_end(year, month), MomentKind.MONTH, weight)

    if year is not None:
        return only(of(year))
    ahead = today.year + (month < today.month)
    behind = today.year - (month > today.month)
    match said.way:
        case Way.LAST:
            last = today.year - (month >= today.month)
            return only(of(last, 1.0 if last < today.year else 0.9))
        case Way.NEXT:
            following = today.year + (month <= today.month)
            if following > today.year:
                return only(of(following))
            return only(of(following, 0.55), of(following + 1, 0.45), ambiguous=True)
        case Way.THIS | Way.COMING:
            return only(of(today.year if month >= today.month or context.direction < 0 else today.year + 1, 0.98))
    if context.direction < 0:
        return only(of(behind))
    doubts = [of(behind, 1 - context.doubt)] if context.doubt < 1 and behind != ahead else []
    return only(of(ahead, context.doubt if doubts else 1.0), *doubts)


def numeric_options(said: Said, context: Context) -> Days | None:
    """3/4: the fourth of March or the third of April."""
    a, b = said.numeric or (1, 1)
    options: list[Stretch] = []
    for month, day in ((a, b), (b, a)):
        found = calendar_options(replace(said, numeric=None, month=month, day=day), context)
        options += [replace(one, weight=one.weight / 2) for one in found.options[:1]] if found else []
    return Days(tuple(options), ambiguous=len(options) > 1)


def unit_options(said: Said, context: Context) -> Days | None:
    today, ahead = context.today, said.ahead or 0
    year = said.year if said.year is not None else today.year + said.years if said.years is not None else None
    match said.unit:
        case Unit.DAY:
            return only(one_day(after(today, ahead)))
        case Unit.WEEK:
            first = after(monday(today), 7 * ahead)
            return only(Stretch(first, after(first, 6), MomentKind.RANGE))
        case Unit.FORTNIGHT:
            first = after(monday(today), 14 * ahead)
            return only(Stretch(first, after(first, 13), MomentKind.RANGE, 0.7), ambiguous=True)
        case Unit.WEEKEND:
            return _weekend(said, context)
        case Unit.MONTH:
            first = add_months(today.replace(day=1), ahead)
            return only(Stretch(first, month_end(first.year, first.month), MomentKind.MONTH))
        case Unit.YEAR:
            return year_days(today.year + ahead)
        case Unit.DECADE:
            first = date((year or today.year) // 10 * 10 + 10 * ahead, 1, 1)
            return only(Stretch(first, date(first.year + 9, 12, 31), MomentKind.RANGE))
        case Unit.QUARTER | Unit.HALF | Unit.SEASON:
            return _share(said, context, year)
    return None


def _weekend(said: Said, context: Context) -> Days:
    today = context.today
    this = after(monday(today), 5)

    def of(weeks: int, weight: float = 1.0) -> Stretch:
        first = after(this, 7 * weeks)
        return Stretch(first, after(first, 1), MomentKind.RANGE, weight)

    if said.ahead is not None:
        return only(of(said.ahead))
    sitting = today.weekday() >= 5
    match said.way:
        case Way.NEXT:
            return only(of(1, 0.95 if today.weekday() < 4 else 1.0))
        case Way.LAST:
            return only(of(-1))
        case Way.THIS | Way.COMING:
            return only(of(1, 0.6) if sitting and said.way is Way.COMING else of(0))
    if context.direction < 0:
        return only(of(-1, 0.7), of(0, 0.3), ambiguous=True) if sitting else only(of(-1))
    doubts = [of(-1, 1 - context.doubt)] if context.doubt < 1 else []
    return only(of(0, 0.9 if sitting else context.doubt), *doubts)


def _share(said: Said, context: Context, year: int | None) -> Days | None:
    """A quarter, a half or a season of a year."""
    today, unit = context.today, said.unit or Unit.QUARTER
    length = _LENGTHS[unit]
    # Spring begins in March.
    offset = 2 if unit is Unit.SEASON else 0

    def of(first: date, weight: float = 1.0) -> Stretch:
        return Stretch(first, after(add_months(first, length), -1), MomentKind.RANGE, weight)

    seasonal = unit is Unit.SEASON
    if said.index is None:
        current = add_months(date(today.year, 1, 1), (today.month - 1 - offset) // length * length + offset)
        return only(of(add_months(current, length * (said.ahead or 0)), 0.5 if seasonal else 1.0), ambiguous=seasonal)
    starts = [
        add_months(date(one, 1, 1), (said.index - 1) * length + offset) for one in range(today.year - 2, today.year + 3)
    ]
    if year is not None:
        return only(of(add_months(date(year, 1, 1), (said.index - 1) * length + offset)), ambiguous=seasonal)
    if said.way is Way.LAST or (said.way is None and context.direction < 0):
        past = [one for one in starts if (of(one).last < today if said.way else one <= today)]
        return only(of(past[-1], 0.95 if said.way is None else 1.0), ambiguous=seasonal)
    if said.way is Way.NEXT:
        coming = [one for one in starts if one > today]
        return only(of(coming[0], 0.9), ambiguous=seasonal)
    coming = [one for one in starts if of(one).last >= today]
    behind = [one for one in starts if of(one).last < today]
    # A quarter of this year that is over is spoken of more often than the same one of next year.
    if coming[0].year == today.year or said.way is not None:
        return only(of(coming[0], min(context.doubt, 0.99)), ambiguous=seasonal)
    this_year = of(behind[-1], 0.9 if unit is Unit.HALF else 0.4 if context.direction > 0 else 0.6)
    options = sorted((this_year, of(coming[0], 1 - this_year.weight)), key=lambda one: -one.weight)
    return Days(tuple(options), ambiguous=seasonal or unit is Unit.QUARTER)
