"""Builders: what a template makes of the values in its slots. Each gives None where the words do not fit together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from wildtool.language.dates.said import Amount, Between, Op, Said, Unit, merge, valid


@dataclass(frozen=True, slots=True)
class Number:
    """A numeral or an ordinal of the text."""

    value: float
    digits: bool
    """Written in digits."""

    @property
    def whole(self) -> int | None:
        """Its value where it has no fraction."""
        return int(self.value) if self.value == int(self.value) else None


@dataclass(frozen=True, slots=True)
class Length:
    """A length of time."""

    amount: Amount
    certainty: float = 1.0


Value = Said | Between | Unit | Number | Length
Arguments = Mapping[str, Value | None]


class Made(Protocol):
    """What a builder sees of the template: its constant fields and the factor of its certainty."""

    @property
    def constants(self) -> Said: ...
    @property
    def sure(self) -> float: ...


def merged(arguments: Arguments, rule: Made) -> Said | None:
    """All fields at once; a slot of numbers fills the field that it is named after."""
    said: Said | None = replace(rule.constants, certainty=rule.sure)
    for name, value in arguments.items():
        if said is None:
            return None
        match value:
            case Said():
                said = merge(said, value)
            case Number():
                number = _field_value(name.rstrip("0123456789"), value)
                said = merge(said, number) if number is not None else None
            case Unit():
                said = merge(said, Said(unit=value))
            case Length():
                said = merge(said, Said(amount=value.amount, certainty=value.certainty))
            case _:
                return None
    return said if said is not None and valid(said) and _fits(said) else None


def _field_value(name: str, number: Number) -> Said | None:
    whole = number.whole
    if whole is None or whole < 0:
        return None
    if name == "year" and whole < 100:
        if not number.digits or whole < 10:
            return None
        whole += 2000
    if name == "minute" and number.digits is False and not whole:
        return None
    return Said(**{name: whole})  # type: ignore[arg-type]


def _fits(said: Said) -> bool:
    """A day of month exists in its month; an hour with a half of the day counts to 12."""
    if said.day == 0 and not said.lunar:
        return False
    longest = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
    if said.month and said.day and not said.lunar and said.day > longest[said.month - 1]:
        return False
    return not (said.half and said.hour is not None and not 1 <= said.hour <= 12)


def _said(arguments: Arguments, name: str) -> Said | None:
    value = arguments.get(name)
    return value if isinstance(value, Said) else None


def same(arguments: Arguments, rule: Made) -> Value | None:
    """What stands in the only slot, a little less certain perhaps."""
    (value,) = arguments.values()
    if isinstance(value, Said | Between | Length):
        return replace(value, certainty=value.certainty * rule.sure)
    return value


def apposition(arguments: Arguments, rule: Made) -> Said | None:
    """One day in two ways: "Friday, 6 June"."""
    first, second = _said(arguments, "a"), _said(arguments, "b")
    if isinstance(number := arguments.get("b"), Number):
        second = _field_value("day", number)
        second = second if second is not None and valid(second) else None
    if first is None or second is None or first.also or second.also:
        return None
    calendar = [one.day is not None or one.numeric is not None for one in (first, second)]
    if calendar[0] == calendar[1] and not rule.constants.inclusive:
        return None  # "Monday, Wednesday" are two days
    told = replace(second, certainty=1.0)
    timed = second.timed or second.part
    if timed:
        told = replace(told, hour=None, minute=None, half=None, written=None, colon=None, part=None)
        first = merge(first, Said(hour=second.hour, minute=second.minute, half=second.half, part=second.part,
                                  written=second.written, colon=second.colon))  # fmt: skip
    if first is None:
        return None
    return replace(first, also=told, certainty=first.certainty * second.certainty * rule.sure)


def clock(arguments: Arguments, rule: Made) -> Said | None:
    """A time of day from ``hour`` and ``off`` minutes past it, or with the constant ``direction`` -1 before it."""
    hour, off = arguments.get("hour"), arguments.get("off")
    half = None
    if isinstance(hour, Said) and not hour.minute and hour.hour is not None:
        # A quarter to 3pm: the hour was read as a time before.
        half, hour = hour.half, Number(hour.hour, False)
    if not isinstance(hour, Number) or hour.whole is None:
        return None
    minute = rule.constants.minute
    if isinstance(off, Number):
        minute = off.whole
    elif isinstance(off, Length):
        minute = int(off.amount[0][0]) if off.amount[0][1] is Unit.MINUTE and len(off.amount) == 1 else None
    if minute is None or not 0 <= hour.whole <= 24 or not 0 <= minute <= 59:
        return None
    if rule.constants.soft and (hour.digits or (isinstance(off, Number) and (off.digits or minute % 5))):
        return None
    whole = hour.whole
    if whole in (0, 24):
        whole = 24 if rule.constants.direction else 0
    total = whole * 60 + minute * (rule.constants.direction or 1)
    if total < 60 and whole:
        total += 720  # a quarter to one is 12:45 by a clock of twelve hours
    said = Said(hour=total // 60, minute=total % 60, half=half, certainty=rule.sure)
    part = _said(arguments, "part")
    if part is not None:
        joined = merge(said, part)
        return joined if joined is not None and valid(joined) else None
    return said if valid(said) else None


def length(arguments: Arguments, rule: Made) -> Length | None:
    """``n`` times ``unit``; the constants may give the unit, ``count`` the number, and ``index`` 2 a half more."""
    unit = arguments.get("unit") or rule.constants.unit
    number = arguments.get("n")
    if isinstance(number, Length | Said | Between) or not isinstance(unit, Unit):
        return None
    value = number.value if isinstance(number, Number) else float(rule.constants.count or 1)
    if rule.constants.index == 2:
        value += 0.5
    if rule.constants.index == 3:
        value *= 0.5
    if value <= 0 or value > (200 if unit is Unit.YEAR else 5000):
        return None
    return Length(((value, unit),), rule.sure)


def lengths(arguments: Arguments, rule: Made) -> Length | None:
    """Two lengths added up."""
    first, second = arguments.get("a"), arguments.get("b")
    if not isinstance(first, Length) or not isinstance(second, Length):
        return None
    if first.amount[-1][1] == second.amount[0][1]:
        return None
    return Length(first.amount + second.amount, first.certainty * second.certainty * rule.sure)


def shifted(arguments: Arguments, rule: Made) -> Said | None:
    """``amount`` after ``base`` (or now), or before it with the constant ``direction`` -1."""
    amount = arguments.get("amount")
    if not isinstance(amount, Length):
        return None
    sign = rule.constants.direction or 1
    base = _said(arguments, "base")
    moved = tuple((sign * value, unit) for value, unit in amount.amount)
    made = replace(rule.constants, op=rule.constants.op or Op.SHIFT, base=base, amount=moved, direction=None)
    made = replace(made, certainty=rule.sure * amount.certainty * (base.certainty if base else 1.0))
    if base is not None and (base.timed or base.part):
        made = replace(made, hour=base.hour, minute=base.minute, half=base.half, part=base.part, written=base.written,
                       base=replace(base, hour=None, minute=None, half=None, part=None, written=None, colon=None))  # fmt: skip
    return made


def derived(arguments: Arguments, rule: Made) -> Said | None:
    """The constant ``op`` on ``base``, with ``n`` as its count and ``unit`` or ``weekday`` as what is counted."""
    base = _said(arguments, "base")
    if "base" in arguments and base is None:
        return None
    said = replace(
        rule.constants, base=base or rule.constants.base, certainty=rule.sure * (base.certainty if base else 1.0)
    )
    for name, value in arguments.items():
        match value:
            case Number() if name == "n":
                if value.whole is None or not 1 <= value.whole <= 400:
                    return None
                said = replace(said, count=value.whole * (rule.constants.count or 1))
            case Unit() if name == "unit":
                said = replace(said, unit=value)
            case Said() if name == "weekday":
                said = replace(said, weekday=value.weekday)
            case Said() if name == "part":
                said = replace(said, part=value.part)
            case Said() if name == "edge":
                said = replace(said, edge=value.edge)
            case Length() if name == "amount":
                count, unit = value.amount[0]
                if said.op is Op.FIRST and len(value.amount) == 1 and count == int(count):
                    said = replace(said, count=int(count) * (rule.constants.count or 1), unit=unit)
                elif said.op is Op.FIRST:
                    return None
                else:
                    said = replace(said, amount=value.amount)
    if said.base is None and said.op in (Op.NTH, Op.FIRST, Op.EDGE):
        return None
    return said


def between(arguments: Arguments, rule: Made) -> Between | None:
    """From ``a`` to ``b``, one of which may be missing; a bare number takes the shape of the other end."""
    ends: dict[str, Said | None] = {"a": None, "b": None}
    for name in ("a", "b"):
        value = arguments.get(name)
        other = arguments.get("b" if name == "a" else "a")
        if isinstance(value, Number):
            named = _said({"x": other}, "x")
            field = "day" if named is None or named.day is not None else "hour" if named.hour is not None else None
            if named is not None and named.year is not None and named.month is None and named.day is None:
                field = "year"
            if field is None or (number := _field_value(field, value)) is None or not valid(number):
                return None
            ends[name] = replace(number, minute=0) if field == "hour" else number
        elif isinstance(value, Said):
            ends[name] = value
        elif value is not None:
            return None
    certainty = rule.sure
    for side, end in ends.items():
        if end is not None:
            certainty *= end.certainty
            if rule.constants.direction is not None:
                ends[side] = replace(end, direction=rule.constants.direction)
            if rule.constants.soft:
                ends[side] = replace(ends[side] or end, soft=True)
    if ends["a"] is None and ends["b"] is None:
        return None
    return Between(ends["a"], ends["b"], certainty)


def oclock(arguments: Arguments, rule: Made) -> Said | None:
    """An hour that stands for itself; one in words is rather a little of something: 一点."""
    hour = arguments.get("hour")
    if not isinstance(hour, Number) or (hour.value == 1 and not hour.digits):
        return None
    return merged(arguments, rule)


def day_number(arguments: Arguments, rule: Made) -> Said | None:
    """A day of the month by its number in digits: "the second" is rather one of a list."""
    day = arguments.get("day")
    return merged(arguments, rule) if isinstance(day, Number) and day.digits else None


def bare_day_number(arguments: Arguments, rule: Made) -> Said | None:
    """The same with nothing before it, where small numbers may count things too."""
    said = day_number(arguments, rule)
    small = said is not None and said.day is not None and said.day <= 10
    return replace(said, certainty=said.certainty * 0.85) if said is not None and small else said


def minutes(arguments: Arguments, rule: Made) -> Said | None:
    """Hour and minutes with nothing behind them; fewer than ten in words are a decimal fraction: 三点五."""
    minute = arguments.get("minute")
    if not isinstance(minute, Number) or (minute.value < 10 and not minute.digits):
        return None
    return merged(arguments, rule)


def words_clock(arguments: Arguments, rule: Made) -> Said | None:
    """Hour and minute as two words: seven thirty."""
    hour, minute = arguments.get("hour"), arguments.get("minute")
    if not isinstance(hour, Number) or not isinstance(minute, Number) or hour.digits or minute.digits:
        return None
    return merged(arguments, rule) if 1 <= hour.value <= 12 else None


_YEARS = range(1900, 2101)


def figures(arguments: Arguments, rule: Made) -> Said | None:
    """Hour and minute in one number: 7.15, 1730; a minute that clocks seldom say makes no time of day."""
    number = arguments.get("n")
    if not isinstance(number, Number) or not number.digits:
        return None
    whole = number.whole
    if whole is not None and (whole < 100 or whole in _YEARS):
        return None
    hour, minute = divmod(round(number.value * (100 if whole is None else 1)), 100)
    if minute % 5:
        return None
    said = Said(hour=hour, minute=minute, written=True if hour > 12 else None, certainty=rule.sure)
    return said if valid(said) else None


Builder = Callable[[Arguments, Made], Value | None]
BUILDERS: Mapping[str, Builder] = {
    "merge": merged,
    "same": same,
    "apposition": apposition,
    "clock": clock,
    "length": length,
    "lengths": lengths,
    "shift": shifted,
    "derive": derived,
    "between": between,
    "oclock": oclock,
    "minutes": minutes,
    "day_number": day_number,
    "bare_day_number": bare_day_number,
    "words_clock": words_clock,
    "figures": figures,
    "clock_amount": clock,
}
"""Builders by the name that a word file gives them."""
