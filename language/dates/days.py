"""Which days an expression may mean, seen from a clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from wildtool.language.dates.calendars import (
    add_months,
    add_workdays,
    feast_days,
    feast_doubt,
    feast_spread,
    lunar_day,
    month_end,
    nth_weekday,
)
from wildtool.language.dates.moments import MomentKind
from wildtool.language.dates.said import Amount, Edge, Op, Said, Unit, Way

DOUBTFUL = 0.85
"""Certainty of the way a name is looked up where no verb tells it and words of finished things stand beside it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What the text around an expression tells."""

    now: datetime
    direction: int
    """-1 where the verb is past, 1 where it looks ahead, 0 where nothing tells."""
    doubt: float
    """Factor of certainty for a direction that words around it make doubtful; 1 for none."""
    half: str | None
    """``am`` or ``pm``, where what is spoken of belongs to one half of the day."""
    numeric: str
    colon: float

    @property
    def today(self) -> date:
        return self.now.date()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days that an expression may mean."""

    first: date
    last: date
    kind: MomentKind
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Days:
    """All stretches that an expression may mean, the likeliest first."""

    options: tuple[Stretch, ...]
    ambiguous: bool = False


def _day(day: date, weight: float = 1.0) -> Stretch:
    return Stretch(day, day, MomentKind.DATE, weight)


def _only(*options: Stretch, ambiguous: bool = False) -> Days:
    return Days(options, ambiguous)


def _after(day: date, days: float) -> date:
    return day + timedelta(days=days)


def monday(day: date) -> date:
    """The Monday of its week."""
    return _after(day, -day.weekday())


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
        if weekday and dated and weekday.weekday is not None and dated.day is not None and not dated.year:
            days = _calendar_days(dated, context)
            best = _nearest([one for one in days if one.weekday() == weekday.weekday], context)
            if best is not None and best == _nearest(days, context):
                return _only(_day(best))
            if best is not None and abs((best - context.today).days) < 400:
                return _only(_day(best, 0.9))
    options = (*found.options, *other.options)
    return Days(tuple(replace(one, weight=0.4) for one in options[:2]), ambiguous=True)


def _resolve(said: Said, context: Context) -> Days | None:
    if said.op is not None:
        return _OPS[said.op](said, context)
    today = context.today
    if said.days is not None:
        # After midnight, before sleep, today and tomorrow may be counted from the evening before.
        early = context.now.hour < 4
        return _only(_day(_after(today, said.days), 0.8 if early else 1.0))
    if said.weekday is not None:
        return _weekday(said, context)
    if said.feast is not None:
        return _feast(said, context)
    if said.unit is not None:
        return _unit(said, context)
    if said.numeric is not None:
        return _numeric(said, context)
    if said.day is not None or said.month is not None or said.months is not None:
        return _calendar(said, context)
    year = said.year if said.year is not None else today.year + said.years if said.years is not None else None
    return _year(year) if year is not None else None


def _year(year: int) -> Days:
    return _only(Stretch(date(year, 1, 1), date(year, 12, 31), MomentKind.RANGE))


def _weekday(said: Said, context: Context) -> Days:
    today, weekday = context.today, said.weekday or 0
    this = _after(monday(today), weekday)
    if said.weeks is not None:
        return _only(_day(_after(this, 7 * said.weeks)))
    coming = _after(today, (weekday - today.weekday()) % 7 or 7)
    gone = _after(today, -((today.weekday() - weekday) % 7 or 7))
    match said.way:
        case Way.COMING:
            return _only(_day(coming))
        case Way.THIS:
            if this >= today:
                return _only(_day(this, 0.97 if this == today else 1.0))
            if context.direction < 0:
                return _only(_day(this, 0.95))
            return _only(_day(coming, 0.6), _day(this, 0.4), ambiguous=True)
        case Way.NEXT:
            following = _after(this, 7)
            if today.weekday() == 6:
                return _only(_day(coming, 0.55), _day(_after(coming, 7), 0.45), ambiguous=True)
            if coming == following:
                return _only(_day(coming, 0.97 if today.weekday() == 5 and (coming - today).days < 3 else 1.0))
            return _only(_day(following, 0.6), _day(coming, 0.4), ambiguous=True)
        case Way.LAST:
            before = _after(this, -7)
            if gone == before:
                return _only(_day(gone))
            if (today - gone).days < 2:
                return _only(_day(before, 0.7), _day(gone, 0.3), ambiguous=True)
            return _only(_day(gone, 0.55), _day(before, 0.45), ambiguous=True)
    same = weekday == today.weekday()
    if context.direction < 0:
        return _only(_day(gone, 0.8 if same else 1.0))
    if same:
        return _only(_day(coming, 0.5), _day(today, 0.45), ambiguous=True)
    return _only(_day(coming, context.doubt), *([_day(gone, 1 - context.doubt)] if context.doubt < 1 else []))


def _nearest(days: list[date], context: Context) -> date | None:
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
    return [_day(max(past), 1 - context.doubt)] if past and context.doubt < 1 and context.direction >= 0 else []


def _chosen(days: list[date], said: Said, context: Context) -> Days | None:
    """One of the days of a name that recurs each year, by the word before it or by the verb."""
    today = context.today
    match said.way:
        case Way.LAST:
            past = [day for day in days if day < today]
            return _only(_day(max(past), 1.0 if max(past).year < today.year else 0.97)) if past else None
        case Way.NEXT:
            ahead = sorted(day for day in days if day > today)
            if not ahead:
                return None
            if ahead[0].year > today.year or len(ahead) == 1:
                return _only(_day(ahead[0]))
            return _only(_day(ahead[0], 0.6), _day(ahead[1], 0.4), ambiguous=True)
        case Way.THIS | Way.COMING:
            wanted = [day for day in days if day.year == today.year and (day >= today or context.direction < 0)]
            best = wanted[0] if wanted else _nearest(days, context)
            return _only(_day(best, 0.98 if not wanted else 1.0)) if best else None
    best = _nearest(days, context)
    if best is None:
        return None
    weight = context.doubt if context.direction >= 0 else 1.0
    return _only(_day(best, weight), *_other(days, context))


def _feast(said: Said, context: Context) -> Days | None:
    key = said.feast or ""
    doubt, other = feast_doubt(key)
    today = context.today
    fixed = said.year if said.year is not None else today.year + said.years if said.years is not None else None

    def days_of(name: str) -> Days | None:
        if fixed is not None:
            found = feast_days(name, fixed)
            return _only(*(_day(day) for day in found[:1]), ambiguous=len(found) > 1) if found else None
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


def _calendar_days(said: Said, context: Context) -> list[date]:
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


def _calendar(said: Said, context: Context) -> Days | None:
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
            return _only(_day(day)) if day else None
        return _only(_day(date(year, month, said.day)))
    days = _calendar_days(said, context)
    if year is not None:
        days = [day for day in days if day.year == year]
        return _only(_day(days[0], 0.8)) if days else None
    return _chosen(days, said, context)


def _month(year: int | None, month: int, said: Said, context: Context) -> Days:
    today = context.today

    def of(year: int, weight: float = 1.0) -> Stretch:
        return Stretch(date(year, month, 1), month_end(year, month), MomentKind.MONTH, weight)

    if year is not None:
        return _only(of(year))
    ahead = today.year + (month < today.month)
    behind = today.year - (month > today.month)
    match said.way:
        case Way.LAST:
            last = today.year - (month >= today.month)
            return _only(of(last, 1.0 if last < today.year else 0.9))
        case Way.NEXT:
            following = today.year + (month <= today.month)
            if following > today.year:
                return _only(of(following))
            return _only(of(following, 0.55), of(following + 1, 0.45), ambiguous=True)
        case Way.THIS | Way.COMING:
            return _only(of(today.year if month >= today.month or context.direction < 0 else today.year + 1, 0.98))
    if context.direction < 0:
        return _only(of(behind))
    doubts = [of(behind, 1 - context.doubt)] if context.doubt < 1 and behind != ahead else []
    return _only(of(ahead, context.doubt if doubts else 1.0), *doubts)


def _numeric(said: Said, context: Context) -> Days | None:
    """3/4: the fourth of March or the third of April."""
    a, b = said.numeric or (1, 1)
    options: list[Stretch] = []
    for month, day in ((a, b), (b, a)):
        found = _calendar(replace(said, numeric=None, month=month, day=day), context)
        options += [replace(one, weight=one.weight / 2) for one in found.options[:1]] if found else []
    return Days(tuple(options), ambiguous=len(options) > 1)


def _unit(said: Said, context: Context) -> Days | None:
    today, ahead = context.today, said.ahead or 0
    year = said.year if said.year is not None else today.year + said.years if said.years is not None else None
    match said.unit:
        case Unit.DAY:
            return _only(_day(_after(today, ahead)))
        case Unit.WEEK:
            first = _after(monday(today), 7 * ahead)
            return _only(Stretch(first, _after(first, 6), MomentKind.RANGE))
        case Unit.FORTNIGHT:
            first = _after(monday(today), 14 * ahead)
            return _only(Stretch(first, _after(first, 13), MomentKind.RANGE, 0.7), ambiguous=True)
        case Unit.WEEKEND:
            return _weekend(said, context)
        case Unit.MONTH:
            first = add_months(today.replace(day=1), ahead)
            return _only(Stretch(first, month_end(first.year, first.month), MomentKind.MONTH))
        case Unit.YEAR:
            return _year(today.year + ahead)
        case Unit.DECADE:
            first = date((year or today.year) // 10 * 10 + 10 * ahead, 1, 1)
            return _only(Stretch(first, date(first.year + 9, 12, 31), MomentKind.RANGE))
        case Unit.QUARTER | Unit.HALF | Unit.SEASON:
            return _share(said, context, year)
    return None


def _weekend(said: Said, context: Context) -> Days:
    today = context.today
    this = _after(monday(today), 5)

    def of(weeks: int, weight: float = 1.0) -> Stretch:
        first = _after(this, 7 * weeks)
        return Stretch(first, _after(first, 1), MomentKind.RANGE, weight)

    if said.ahead is not None:
        return _only(of(said.ahead))
    sitting = today.weekday() >= 5
    match said.way:
        case Way.NEXT:
            return _only(of(1, 0.95 if today.weekday() < 4 else 1.0))
        case Way.LAST:
            return _only(of(-1))
        case Way.THIS | Way.COMING:
            return _only(of(1, 0.6) if sitting and said.way is Way.COMING else of(0))
    if context.direction < 0:
        return _only(of(-1, 0.7), of(0, 0.3), ambiguous=True) if sitting else _only(of(-1))
    doubts = [of(-1, 1 - context.doubt)] if context.doubt < 1 else []
    return _only(of(0, 0.9 if sitting else context.doubt), *doubts)


_LENGTHS = {Unit.QUARTER: 3, Unit.HALF: 6, Unit.SEASON: 3}


def _share(said: Said, context: Context, year: int | None) -> Days | None:
    """A quarter, a half or a season of a year."""
    today, unit = context.today, said.unit or Unit.QUARTER
    length = _LENGTHS[unit]
    # Spring begins in March.
    offset = 2 if unit is Unit.SEASON else 0

    def of(first: date, weight: float = 1.0) -> Stretch:
        return Stretch(first, _after(add_months(first, length), -1), MomentKind.RANGE, weight)

    seasonal = unit is Unit.SEASON
    if said.index is None:
        current = add_months(date(today.year, 1, 1), (today.month - 1 - offset) // length * length + offset)
        return _only(of(add_months(current, length * (said.ahead or 0)), 0.5 if seasonal else 1.0), ambiguous=seasonal)
    starts = [add_months(date(one, 1, 1), (said.index - 1) * length + offset) for one in range(today.year - 2, today.year + 3)]
    if year is not None:
        return _only(of(add_months(date(year, 1, 1), (said.index - 1) * length + offset)), ambiguous=seasonal)
    if said.way is Way.LAST or (said.way is None and context.direction < 0):
        past = [one for one in starts if (of(one).last < today if said.way else one <= today)]
        return _only(of(past[-1], 0.95 if said.way is None else 1.0), ambiguous=seasonal)
    if said.way is Way.NEXT:
        coming = [one for one in starts if one > today]
        return _only(of(coming[0], 0.9), ambiguous=seasonal)
    coming = [one for one in starts if of(one).last >= today]
    behind = [one for one in starts if of(one).last < today]
    # A quarter of this year that is over is spoken of more often than the same one of next year.
    if coming[0].year == today.year or said.way is not None:
        return _only(of(coming[0], min(context.doubt, 0.99)), ambiguous=seasonal)
    this_year = of(behind[-1], 0.9 if unit is Unit.HALF else 0.4 if context.direction > 0 else 0.6)
    options = sorted((this_year, of(coming[0], 1 - this_year.weight)), key=lambda one: -one.weight)
    return Days(tuple(options), ambiguous=seasonal or unit is Unit.QUARTER)


def move(start: datetime, amount: Amount) -> tuple[datetime, bool, bool]:
    """The instant so much later; whether it is an instant rather than a day; whether half a month or year was counted."""
    fine = soft = False
    for value, unit in amount:
        match unit:
            case Unit.SECOND:
                start, fine = start + timedelta(seconds=value), True
            case Unit.MINUTE:
                start, fine = start + timedelta(minutes=value), True
            case Unit.HOUR:
                start, fine = start + timedelta(hours=value), True
            case Unit.DAY:
                start, fine = start + timedelta(days=value), fine or value != int(value)
            case Unit.WEEK:
                start, soft = start + timedelta(days=int(7 * value)), soft or value != int(value)
            case Unit.FORTNIGHT:
                start = start + timedelta(days=int(14 * value))
            case Unit.WORKDAY:
                start = datetime.combine(add_workdays(start.date(), int(value)), start.time())
            case Unit.WEEKEND:
                start = start + timedelta(days=int(7 * value))
            case _:
                months = value * {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF: 6, Unit.YEAR: 12, Unit.DECADE: 120}.get(unit, 3)
                start = datetime.combine(add_months(start.date(), int(months)), start.time())
                if rest := months - int(months):
                    start, soft = start + timedelta(days=int(30 * rest)), True
    return start, fine, soft


def _shift(said: Said, context: Context) -> Days | None:
    amount = said.amount or ()
    if said.base is None:
        moved, _, soft = move(context.now, amount)
        options = [_day(moved.date())]
        workdays = any(unit is Unit.WORKDAY for _, unit in amount)
        if soft:
            # Half a month is 15 days or two weeks.
            options.append(_day(_after(moved.date(), -1 if moved > context.now else 1), 0.4))
        return Days((replace(options[0], weight=0.6 if soft else 0.95 if workdays else 1.0), *options[1:]), ambiguous=soft)
    base = resolve_days(said.base, context)
    if base is None:
        return None
    moved_options = []
    soft = False
    for one in base.options:
        edge = one.first if not amount or amount[0][0] < 0 else one.last
        moved, _, half = move(datetime.combine(edge, datetime.min.time()), amount)
        soft = soft or half
        moved_options.append(_day(moved.date(), one.weight))
    return Days(tuple(moved_options), base.ambiguous or soft)


def _each(said: Said, context: Context, make: Callable[[Stretch], list[Stretch]], ambiguous: bool = False) -> Days | None:
    """What is derived from every stretch that the base may be."""
    base = resolve_days(said.base, context) if said.base is not None else None
    if base is None:
        return None
    options = tuple(replace(made, weight=made.weight * one.weight) for one in base.options for made in make(one))
    return Days(options, base.ambiguous or ambiguous) if options else None


def _edge(said: Said, context: Context) -> Days | None:
    edge = said.edge
    ambiguous = edge in (Edge.START, Edge.MIDDLE, Edge.EARLY, Edge.LATE)
    week_end = False

    def make(one: Stretch) -> list[Stretch]:
        nonlocal week_end
        length = (one.last - one.first).days + 1
        if edge is Edge.END:
            if length == 7:
                week_end = True
                return [_day(one.last, 0.5), _day(_after(one.first, 4), 0.5)]
            return [_day(one.last)]
        return _piece(one, edge, length)

    found = _each(said, context, make, ambiguous)
    return replace(found, ambiguous=found.ambiguous or week_end) if found else None


def _range(first: date, last: date, weight: float = 1.0) -> Stretch:
    return Stretch(first, last, MomentKind.RANGE, weight)


def _piece(one: Stretch, edge: Edge | None, length: int) -> list[Stretch]:
    """Readings of a part of a stretch, the likeliest first."""
    first, last = one.first, one.last
    middle = _after(first, length // 2)
    if 28 <= length <= 31:
        tenth, twentieth = _after(first, 10), _after(first, 20)
        match edge:
            case Edge.START | Edge.EARLY:
                return [_range(first, _after(first, 9), 0.4), _range(first, _after(first, 6), 0.3), _range(first, first, 0.3)]
            case Edge.MIDDLE:
                return [_range(tenth, _after(first, 19), 0.5), _range(_after(first, 9), _after(first, 19), 0.3), _range(_after(first, 14), _after(first, 14), 0.2)]
            case Edge.LATE:
                return [_range(twentieth, last, 0.6), _range(_after(first, 19), last, 0.4)]
            case Edge.FIRST_TEN:
                return [_range(first, _after(first, 9))]
            case Edge.SECOND_TEN:
                return [_range(tenth, _after(first, 19))]
            case Edge.LAST_TEN:
                return [_range(twentieth, last)]
            case Edge.FIRST_HALF:
                return [_range(first, _after(first, 14))]
            case _:
                return [_range(_after(first, 15), last)]
    match edge:
        case Edge.FIRST_HALF:
            return [_range(first, _after(add_months(first, 6), -1) if length > 360 else _after(middle, -1))]
        case Edge.SECOND_HALF:
            return [_range(add_months(first, 6) if length > 360 else middle, last)]
        case Edge.START | Edge.EARLY:
            if length <= 7:
                return [_day(first, 0.5) if edge is Edge.START else _range(first, _after(first, 1), 0.5)]
            return [_range(first, _after(add_months(first, 1 if length < 100 else 3), -1), 0.5), _day(first, 0.3)]
        case Edge.MIDDLE:
            if length <= 7:
                return [_day(_after(first, 2), 0.6), _range(_after(first, 1), _after(first, 3), 0.4)]
            return [_range(_after(middle, -length // 12), _after(middle, length // 12), 0.5)]
        case _:
            return [_range(_after(last, -(length // 4 or 1)), last, 0.5)]


def _nth(said: Said, context: Context) -> Days | None:
    count = said.count or 1

    def make(one: Stretch) -> list[Stretch]:
        if said.weekday is not None:
            day = nth_weekday(one.first, one.last, said.weekday, count)
            return [_day(day)] if day else []
        match said.unit:
            case Unit.DAY:
                day = _after(one.first, count - 1) if count > 0 else _after(one.last, count + 1)
                return [_day(day)] if one.first <= day <= one.last else []
            case Unit.WORKDAY:
                day = add_workdays(_after(one.first, -1), count) if count > 0 else add_workdays(_after(one.last, 1), count)
                return [_day(day, 0.95)]
            case Unit.WEEKEND:
                day = nth_weekday(one.first, one.last, 5, count)
                return [_range(day, _after(day, 1))] if day else []
            case Unit.WEEK:
                return _nth_week(one, count)
            case Unit.MONTH | Unit.QUARTER:
                step = 1 if said.unit is Unit.MONTH else 3
                first = add_months(one.first, step * (count - 1)) if count > 0 else add_months(one.last.replace(day=1), step * (count + 1) - step + 1)
                last = _after(add_months(first, step), -1)
                kind = MomentKind.MONTH if step == 1 else MomentKind.RANGE
                return [Stretch(first, last, kind)] if one.first <= first <= one.last else []
        return []

    return _each(said, context, make, ambiguous=said.unit is Unit.WEEK)


def _nth_week(one: Stretch, count: int) -> list[Stretch]:
    """The n-th week: seven days from the first, or the week from Monday."""
    if count < 0:
        last = one.last
        return [_range(_after(last, -6), last, 0.5), _range(monday(last), _after(monday(last), 6), 0.4)]
    first = _after(one.first, 7 * (count - 1))
    begins = monday(one.first) if one.first.weekday() < 4 else _after(monday(one.first), 7)
    begins = _after(begins, 7 * (count - 1))
    return [_range(first, _after(first, 6), 0.5), _range(begins, _after(begins, 6), 0.4)]


def _first(said: Said, context: Context) -> Days | None:
    count, unit = said.count or 1, said.unit or Unit.DAY
    if abs(count) == 1:
        return _nth(said, context)

    def make(one: Stretch) -> list[Stretch]:
        amount = ((float(abs(count)), unit),)
        if count > 0:
            end, _, _ = move(datetime.combine(one.first, datetime.min.time()), amount)
            return [_range(one.first, _after(end.date(), -1))]
        start, _, _ = move(datetime.combine(_after(one.last, 1), datetime.min.time()), ((-amount[0][0], unit),))
        return [_range(start.date(), one.last)]

    return _each(said, context, make)


def _weekday_beside(said: Said, context: Context) -> Days | None:
    weekday, back = said.weekday or 0, said.op is Op.WEEKDAY_BEFORE

    def make(one: Stretch) -> list[Stretch]:
        if back:
            return [_day(_after(one.first, -((one.first.weekday() - weekday) % 7 or 7)))]
        return [_day(_after(one.last, (weekday - one.last.weekday()) % 7 or 7))]

    return _each(said, context, make)


def _holding(said: Said, context: Context) -> Days | None:
    def make(one: Stretch) -> list[Stretch]:
        start, _, _ = move(datetime.combine(one.first, datetime.min.time()), said.amount or ())
        first = monday(start.date())
        if said.unit is Unit.WEEKEND:
            return [_range(_after(first, 5), _after(first, 6))]
        if said.unit is Unit.MONTH:
            start = one.first.replace(day=1)
            return [Stretch(start, month_end(start.year, start.month), MomentKind.MONTH)]
        return [_range(first, _after(first, 6))]

    return _each(said, context, make)


def _window(said: Said, context: Context) -> Days | None:
    amount = said.amount or ()
    today = context.today
    moved, _, _ = move(context.now, amount)
    other = moved.date()
    if moved < context.now:
        options = [_range(other, today, 0.5), _range(_after(other, 1), today, 0.3), _range(other, _after(today, -1), 0.2)]
    else:
        options = [_range(today, other, 0.5), _range(_after(today, 1), other, 0.3), _range(today, _after(other, -1), 0.2)]
    return Days(tuple(one for one in options if one.first <= one.last), ambiguous=True)


def _rest(said: Said, context: Context) -> Days | None:
    return _each(said, context, lambda one: [_range(context.today, one.last, 0.7)] if one.last >= context.today else [])


def _holidays(said: Said, context: Context) -> Days | None:
    length = feast_spread((said.base.feast if said.base else "") or "")
    return _each(said, context, lambda one: [_range(one.first, _after(one.first, length - 1), 0.6)], ambiguous=True)


_OPS: Mapping[Op, Callable[[Said, Context], Days | None]] = {
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
