"""Builders for templates whose slots must be looked into: a weekday of next week, hours on a day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from wildtool.language.dates.building import BUILDERS, Arguments, Builder, Length, Made, Number
from wildtool.language.dates.said import CALENDAR_FIELDS, Between, Edge, Op, Said, Unit, Way, merge, valid

_YEARS = range(1900, 2101)


def _said(arguments: Arguments, *names: str) -> Said | None:
    for name in names:
        if isinstance(value := arguments.get(name), Said):
            return value
    return None


def weekly(arguments: Arguments, rule: Made) -> Said | None:
    """A weekday of a week that is told by its distance: Monday next week."""
    weekday, period = _said(arguments, "weekday"), _said(arguments, "period")
    if weekday is None or period is None or period.op is not None or period.index is not None:
        return None
    weeks = period.ahead
    if period.unit is Unit.WEEKEND and (weekday.weekday or 0) >= 5:
        weeks = {Way.NEXT: 1, Way.LAST: -1, Way.THIS: 0}.get(period.way) if period.way else period.ahead
    elif period.unit is not Unit.WEEK:
        return None
    if weeks is None:
        return None
    return replace(weekday, weeks=weeks, certainty=rule.sure * weekday.certainty * period.certainty)


def yearly(arguments: Arguments, rule: Made) -> Said | None:
    """A month, day, feast or quarter of a year that is told by its distance or number: May next year."""
    named, period = _said(arguments, "a"), _said(arguments, "period", "cur")
    if period is None:
        return None
    if period.unit is Unit.YEAR and period.ahead is not None:
        years = Said(years=period.ahead)
    elif period.year is not None and period.month is None and period.unit is None and period.op is None:
        years = Said(year=period.year)
    elif period.years is not None and period.unit is None and period.month is None and period.op is None:
        years = Said(years=period.years)
    else:
        return None
    rest = {name: value for name, value in arguments.items() if name not in ("a", "period", "cur")}
    return BUILDERS["merge"]({**rest, "a": named, "b": years}, rule)  # type: ignore[return-value]


def whole_year(arguments: Arguments, rule: Made) -> Said | None:
    """A year of four digits."""
    number = arguments.get("year")
    if not isinstance(number, Number) or number.whole not in _YEARS or number.whole is None:
        return None
    return Said(year=number.whole, certainty=rule.sure * (1.0 if 1950 <= number.whole <= 2050 else 0.9))


def decade(arguments: Arguments, rule: Made) -> Said | None:
    """The 1990s, the 90s."""
    number = arguments.get("year")
    whole = number.whole if isinstance(number, Number) else None
    if whole is None or whole % 10:
        return None
    if whole < 100:
        whole += 1900 if whole >= 30 else 2000
    return Said(year=whole, unit=Unit.DECADE, certainty=rule.sure * 0.9) if whole in _YEARS else None


def half_of(arguments: Arguments, rule: Made) -> Said | None:
    """The first or the second half of a stretch."""
    number, base = arguments.get("n"), _said(arguments, "base")
    if not isinstance(number, Number) or number.value not in (1, 2) or base is None:
        return None
    edge = Edge.FIRST_HALF if number.value == 1 else Edge.SECOND_HALF
    return Said(op=Op.EDGE, edge=edge, base=base, certainty=rule.sure * base.certainty)


def nth_period(arguments: Arguments, rule: Made) -> Said | None:
    """The first weekend of a month; the last week of it, where "last week" was read as one before."""
    number, period, base = arguments.get("n"), _said(arguments, "p"), _said(arguments, "base")
    if period is None or base is None or period.unit not in (Unit.WEEK, Unit.WEEKEND, Unit.QUARTER):
        return None
    bare = period.way is None and period.ahead is None
    if isinstance(number, Number):
        count = number.whole if bare else None
    else:
        count = -1 if period.way is Way.LAST or period.ahead == -1 or (bare and rule.constants.count == -1) else None
    if count is None:
        return None
    return Said(op=Op.NTH, unit=period.unit, count=count, base=base, certainty=rule.sure * base.certainty)


def unit_window(arguments: Arguments, rule: Made) -> Said | None:
    """The past hour, the next hour: a stretch of one unit."""
    unit = arguments.get("unit")
    if not isinstance(unit, Unit):
        return None
    one = Length(((1.0, unit),))
    return BUILDERS["shift"]({"amount": one}, rule)  # type: ignore[return-value]


def years(arguments: Arguments, rule: Made) -> Between | None:
    """2019 to 2022, where both are years by their look."""
    ends = []
    for name in ("a", "b"):
        value = arguments.get(name)
        if not isinstance(value, Number) or not value.digits or value.whole not in range(1950, 2051):
            return None
        ends.append(Said(year=value.whole))
    start, end = ends
    return Between(start, end, rule.sure * 0.99) if (start.year or 0) < (end.year or 0) else None


def days(arguments: Arguments, rule: Made) -> Between | None:
    """The 5th to the 8th, both of one month."""
    ends = []
    for name in ("a", "b"):
        value = arguments.get(name)
        if not isinstance(value, Number) or value.whole not in range(1, 32):
            return None
        ends.append(Said(day=value.whole))
    extra = _said(arguments, "mon", "month")
    start = merge(ends[0], extra) if extra else ends[0]
    return Between(start, ends[1], rule.sure * (extra.certainty if extra else 1.0)) if start else None


def day_numbers(arguments: Arguments, rule: Made) -> Between | None:
    """The 5th to the 8th in digits; "the first and the second" are things of a list."""
    ends = (arguments.get("a"), arguments.get("b"))
    return days(arguments, rule) if all(isinstance(end, Number) and end.digits for end in ends) else None


def hours(arguments: Arguments, rule: Made) -> Between | None:
    """Nine to five, on the day ``d`` if there is one."""
    ends = []
    for name in ("a", "b"):
        value = arguments.get(name)
        if not isinstance(value, Number) or value.whole not in range(0, 25):
            return None
        ends.append(Said(hour=value.whole, minute=0))
    day = _said(arguments, "d")
    start = merge(ends[0], day) if day is not None else ends[0]
    if start is None:
        return None
    return Between(start, ends[1], rule.sure * 0.9 * (day.certainty if day else 1.0))


def on_day(arguments: Arguments, rule: Made) -> Between | None:
    """Hours or days that stand beside the day or stretch they are of."""
    day, stretch = _said(arguments, "d"), arguments.get("r")
    if day is None or not isinstance(stretch, Between) or stretch.start is None or stretch.end is None:
        return None
    start, end = stretch.start, stretch.end
    certainty = stretch.certainty * day.certainty * rule.sure
    if start.timed and end.timed and not start.dated and not end.dated:
        if day.op is not None or day.timed or day.unit is not None or (day.month is not None and day.day is None):
            return None
        if day.part is None or not (start.part or start.half or start.written):
            joined = merge(start, day)
        else:
            joined = merge(start, replace(day, part=None))
        return Between(joined, end, certainty) if joined is not None and valid(joined) else None
    if start.weekday is not None and end.weekday is not None and day.unit is Unit.WEEK and day.ahead is not None:
        ends = [replace(one, weeks=day.ahead) for one in (start, end)]
        return Between(ends[0], ends[1], certainty) if start.way is None and end.way is None else None
    if start.day is not None and start.month is None and start.months is None and day.op is None and not day.timed:
        month = {name: getattr(day, name) for name in CALENDAR_FIELDS if getattr(day, name) is not None}
        if set(month) <= {"month", "months", "year", "years"} and ("month" in month or "months" in month):
            joined = merge(start, day)
            return Between(joined, end, certainty) if joined is not None else None
    return None


def stay(arguments: Arguments, rule: Made) -> Between | None:
    """A length that begins with a day: three nights from the 20th."""
    length, base = arguments.get("stay"), _said(arguments, "base")
    if not isinstance(length, Length) or base is None or base.timed:
        return None
    certainty = length.certainty * base.certainty * rule.sure
    return Between(base, Said(op=Op.SHIFT, base=base, amount=length.amount), certainty)


def of_year(arguments: Arguments, rule: Made) -> Between | None:
    """Days of a month, and the year behind them: 3 to 5 July 2025."""
    stretch, number = arguments.get("r"), arguments.get("year")
    year = whole_year({"year": number}, rule) if isinstance(number, Number) and number.digits else None
    if not isinstance(stretch, Between) or stretch.start is None or stretch.end is None or year is None:
        return None
    if any(one.day is None or one.year is not None or one.timed for one in (stretch.start, stretch.end)):
        return None
    if stretch.start.month is None and stretch.end.month is None:
        return None
    ends = [replace(one, year=year.year) for one in (stretch.start, stretch.end)]
    return Between(ends[0], ends[1], stretch.certainty * year.certainty)


def close_today(arguments: Arguments, rule: Made) -> Said:
    """The close of the day, where no day is said: today."""
    return Said(days=0, certainty=rule.sure)


def week_word(arguments: Arguments, rule: Made) -> Said | None:
    """This, next or last week, quarter or weekend, where one word tells how many units away it is."""
    word = _said(arguments, "weekword")
    unit = arguments.get("unit")
    if word is None or word.weeks is None:
        return None
    kind = unit.unit if isinstance(unit, Said) else unit if isinstance(unit, Unit) else rule.constants.unit
    if isinstance(unit, Said) and unit != Said(unit=Unit.WEEKEND):
        return None
    if kind not in (Unit.WEEK, Unit.WEEKEND, Unit.QUARTER, Unit.YEAR):
        return None
    return Said(unit=kind, ahead=word.weeks, certainty=rule.sure)


def word_way(arguments: Arguments, rule: Made) -> Said | None:
    """This, next or last feast or season."""
    word = _said(arguments, "weekword")
    ways = {0: Way.THIS, 1: Way.NEXT, -1: Way.LAST}
    if word is None or word.weeks not in ways:
        return None
    rest = {name: value for name, value in arguments.items() if name != "weekword"}
    return BUILDERS["merge"]({**rest, "way": Said(way=ways[word.weeks])}, rule)  # type: ignore[return-value]


def clock_with_quarters(arguments: Arguments, rule: Made) -> Said | None:
    """An hour and one to three quarters after or before it."""
    off = arguments.get("off")
    if not isinstance(off, Number) or off.value not in (1, 2, 3):
        return None
    return ALL["clock"]({**arguments, "off": Number(off.value * 15, off.digits)}, rule)  # type: ignore[return-value]


def quarters(arguments: Arguments, rule: Made) -> Length | None:
    """Lengths of a quarter of an hour each."""
    number = arguments.get("n")
    if not isinstance(number, Number) or not 0 < number.value < 10:
        return None
    return Length(((number.value * 15, Unit.MINUTE),), rule.sure)


def nth_amount(arguments: Arguments, rule: Made) -> Said | None:
    """The second week of a month, where the ordinal and the unit were read as a length."""
    amount, base = arguments.get("amount"), _said(arguments, "base")
    if not isinstance(amount, Length) or base is None or len(amount.amount) != 1:
        return None
    count, unit = amount.amount[0]
    if count != int(count) or unit in (Unit.MINUTE, Unit.HOUR):
        return None
    sign = rule.constants.count or 1
    dated = base.day is not None or base.feast is not None or base.weekday is not None or base.days is not None
    if dated:
        if unit is not Unit.DAY:
            return None
        # The first day is the day itself.
        return Said(op=Op.SHIFT, base=base, amount=((count - 1, unit),), certainty=rule.sure * base.certainty)
    return Said(op=Op.NTH, unit=unit, count=sign * int(count), base=base, certainty=rule.sure * base.certainty)


def weeks_later(arguments: Arguments, rule: Made) -> Said | None:
    """A weekday so many weeks on: 三周后的周五."""
    amount, weekday = arguments.get("amount"), _said(arguments, "weekday")
    if not isinstance(amount, Length) or weekday is None or len(amount.amount) != 1:
        return None
    count, unit = amount.amount[0]
    if unit is not Unit.WEEK or count != int(count):
        return None
    return replace(weekday, weeks=int(count), certainty=rule.sure * amount.certainty)


def years_today(arguments: Arguments, rule: Made) -> Said | None:
    """Today of last year, of last month: a day at a distance of the stretch that stands before it."""
    period, day = _said(arguments, "period", "mon"), _said(arguments, "d")
    day = day or Said(days=0)
    if period is None or day.days is None or day.op is not None:
        return None
    if period.years is not None and period.month is None:
        amount = (float(period.years), Unit.YEAR)
    elif period.months is not None:
        amount = (float(period.months), Unit.MONTH)
    elif period.unit in (Unit.WEEK, Unit.YEAR) and period.ahead is not None:
        amount = (float(period.ahead), period.unit)
    else:
        return None
    return Said(op=Op.SHIFT, base=day, amount=(amount,), certainty=rule.sure)


ALL: Mapping[str, Builder] = {
    **BUILDERS,
    "weekly": weekly,
    "yearly": yearly,
    "whole_year": whole_year,
    "decade": decade,
    "half_of": half_of,
    "nth_period": nth_period,
    "unit_window": unit_window,
    "years": years,
    "days": days,
    "day_numbers": day_numbers,
    "hours": hours,
    "on_day": on_day,
    "stay": stay,
    "of_year": of_year,
    "close_today": close_today,
    "week_word": week_word,
    "word_way": word_way,
    "clock_quarters": clock_with_quarters,
    "quarters": quarters,
    "nth_amount": nth_amount,
    "weeks_later": weeks_later,
    "years_today": years_today,
}
"""Every builder by the name that a word file gives it."""
