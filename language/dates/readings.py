"""Readings of what was said: days and times joined, the most certain first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from wildtool.language.dates.clocks import Clocks, resolve_clock
from wildtool.language.dates.days import resolve_days
from wildtool.language.dates.moments import Moment, MomentKind, Point
from wildtool.language.dates.ranges import complete
from wildtool.language.dates.said import Between, Op, Said, Unit
from wildtool.language.dates.stretches import Context, Days, move
from wildtool.language.spans import Reading

CERTAIN = 0.995
"""Certainty of a reading that nothing makes doubtful: no such reading was wrong on foreign text (docs/results)."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """All that an expression may mean."""

    readings: tuple[Reading[Moment], ...]
    ambiguous: bool = False


def read(said: Said | Between, context: Context) -> Meaning | None:
    """All that an expression may mean, or None where no calendar has it."""
    try:
        if isinstance(said, Between):
            return _between(complete(said), context)
        return _single(said, context)
    except (ValueError, OverflowError):  # no such day: the 30th of February, the year 10000
        return None


def _meaning(weighted: list[tuple[Moment, float]], certainty: float, ambiguous: bool) -> Meaning | None:
    merged: dict[Moment, float] = {}
    for moment, weight in weighted:
        merged[moment] = merged.get(moment, 0.0) + weight
    if not merged:
        return None
    total = max(1.0, sum(merged.values()))
    readings = [Reading(moment, CERTAIN * certainty * weight / total) for moment, weight in merged.items()]
    # Equal readings keep their order: the likelier was put first.
    readings.sort(key=lambda reading: -round(reading.certainty, 6))
    return Meaning(tuple(readings), ambiguous and len(readings) > 0)


def _single(said: Said, context: Context) -> Meaning | None:
    deadline = bool(said.deadline)
    if said.op is Op.SHIFT and said.base is None and said.hour is None:
        moved, fine, _ = move(context.now, said.amount or ())
        if moved > context.now and context.direction < 0:
            # "I ran it in 20 minutes" is a length of time.
            said = replace(said, certainty=0.4)
        if fine:
            moment = Moment(MomentKind.DATETIME, moved.replace(second=0, microsecond=0, tzinfo=None), deadline=deadline)
            return _meaning([(moment, 1.0)], said.certainty, bool(said.soft))
    if said.op is Op.WINDOW and all(unit in (Unit.MINUTE, Unit.HOUR) for _, unit in said.amount or ()):
        now = context.now.replace(second=0, microsecond=0, tzinfo=None)
        first, last = sorted((now, move(now, said.amount or ())[0]))
        return _meaning([(Moment(MomentKind.RANGE, first, last), 0.95)], said.certainty, False)
    if context.direction < 0 and said.free and said.direction is None:
        said = replace(said, certainty=said.certainty * context.doubt)
    if deadline and context.direction < 0:
        said = replace(said, certainty=said.certainty * 0.9)
    if said.now:
        return _now(said, context)
    days = resolve_days(said, context) if said.dated else None
    if said.dated and days is None:
        return None
    if said.hour is None:
        if days is None:
            return None
        weighted = [
            (
                Moment(one.kind, one.first, one.last if one.kind is not MomentKind.DATE else None, said.part, deadline),
                one.weight,
            )
            for one in days.options
        ]
        return _meaning(weighted, said.certainty, days.ambiguous)
    if said.op is Op.WINDOW:
        return None
    clocks = resolve_clock(said, context.half, context.colon)
    if days is None:
        weighted = [(Moment(MomentKind.TIME, clock.at, deadline=deadline), clock.weight) for clock in clocks.options]
        return _meaning(
            weighted,
            said.certainty,
            (clocks.ambiguous or bool(said.soft)) and len({one.at for one in clocks.options}) > 1,
        )
    return _joined(said, days, clocks, context)


def _now(said: Said, context: Context) -> Meaning | None:
    now = context.now.replace(second=0, microsecond=0, tzinfo=None)
    if not said.dated:
        return _meaning([(Moment(MomentKind.DATETIME, now, deadline=bool(said.deadline)), 1.0)], said.certainty, False)
    days = resolve_days(said, context)
    if days is None:
        return None
    weighted = [
        (Moment(MomentKind.DATETIME, datetime.combine(one.first, now.time())), one.weight) for one in days.options
    ]
    return _meaning(weighted, said.certainty, days.ambiguous)


def _joined(said: Said, days: Days, clocks: Clocks, context: Context) -> Meaning | None:
    weighted: list[tuple[Moment, float]] = []
    for one in days.options:
        if one.kind is not MomentKind.DATE:
            # "This weekend at eight": the day stays open.
            weighted.append((Moment(one.kind, one.first, one.last, deadline=bool(said.deadline)), one.weight * 0.5))
            continue
        for clock in clocks.options:
            at = datetime.combine(one.first + timedelta(days=clock.later), clock.at)
            weighted.append((Moment(MomentKind.DATETIME, at, deadline=bool(said.deadline)), one.weight * clock.weight))
    ambiguous = days.ambiguous or clocks.ambiguous
    now = context.now.replace(tzinfo=None)
    if clocks.ambiguous and context.direction >= 0 and len(days.options) == 1 and days.options[0].first == now.date():
        # Today at eight, said at ten: only the evening is left.
        left = [(moment, 0.95) for moment, _ in weighted if isinstance(moment.start, datetime) and moment.start > now]
        if len(left) == 1:
            weighted, ambiguous = left, days.ambiguous
    return _meaning(weighted, said.certainty, ambiguous)


def _point(moment: Moment, last: bool) -> Point | None:
    return moment.end if last and moment.kind in (MomentKind.RANGE, MomentKind.MONTH) else moment.start


def _between(stretch: Between, context: Context) -> Meaning | None:
    soft = any(end is not None and end.soft for end in (stretch.start, stretch.end))
    if stretch.start is None or stretch.end is None:
        only = stretch.start or stretch.end
        if stretch.start is None and context.direction < 0:
            stretch = replace(stretch, certainty=stretch.certainty * 0.9)
        if only is None or (meaning := _single(replace(only, certainty=1.0, soft=None), context)) is None:
            return None
        weighted = []
        for reading in meaning.readings:
            point = _point(reading.value, last=stretch.start is None)
            if point is not None:
                moment = Moment(MomentKind.RANGE, point if stretch.start else None, None if stretch.start else point)
                weighted.append((moment, reading.certainty / CERTAIN))
        return _meaning(weighted, stretch.certainty, meaning.ambiguous or soft)
    first = _single(stretch.start if stretch.start.timed else replace(stretch.start, certainty=1.0), context)
    if first is None:
        return None
    pairs: list[tuple[Moment, float, float]] = []
    ambiguous = first.ambiguous or soft
    for reading in first.readings:
        begins = _point(reading.value, last=False)
        last = _single(replace(stretch.end, certainty=1.0), _seen_from(stretch, begins, context))
        if last is None or begins is None:
            continue
        ambiguous = ambiguous or (last.ambiguous and not _free_time(stretch))
        for other in last.readings:
            pair = _ordered(begins, _point(other.value, last=True))
            if pair is not None:
                weight = reading.certainty * other.certainty / CERTAIN**2
                pairs.append((Moment(MomentKind.RANGE, *pair), weight, _likely(pair)))
    most = max((likely for _, _, likely in pairs), default=1.0)
    weighted = [(moment, weight * likely / most) for moment, weight, likely in pairs]
    return _meaning(weighted, stretch.certainty, ambiguous)


def _free_time(stretch: Between) -> bool:
    end = stretch.end
    return end is not None and end.timed and not (end.half or end.part or end.written)


def _likely(pair: tuple[Point, Point]) -> float:
    """A stretch of half a day at most is likelier than a longer one, where hours are said."""
    start, end = pair
    match start, end:
        case time(), time():
            minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
            return 1.0 if 0 < minutes % 1440 <= 720 and minutes > 0 else 0.2
        case datetime(), datetime():
            return 1.0 if end - start <= timedelta(hours=12) else 0.3
    return 1.0


def _seen_from(stretch: Between, begins: Point | None, context: Context) -> Context:
    """The clock from which the end is looked up: its start, where the end recurs."""
    end = stretch.end
    if end is None or not end.free or isinstance(begins, time) or begins is None:
        return context
    day = begins.date() if isinstance(begins, datetime) else begins
    if end.weekday is not None:
        day_before = day  # Monday to Monday is a week
        return replace(context, now=datetime.combine(day_before, context.now.time()), direction=1, doubt=1.0)
    return replace(context, now=datetime.combine(day, context.now.time()), direction=1, doubt=1.0)


def _ordered(begins: Point, ends: Point | None) -> tuple[Point, Point] | None:
    """Both ends where the second does not lie before the first; over midnight it moves on by a day."""
    match begins, ends:
        case None, _:
            return None
        case datetime(), datetime():
            if ends < begins and begins.date() == ends.date():
                ends += timedelta(days=1)
            return (begins, ends) if ends > begins else None
        case time(), time():
            return (begins, ends) if begins != ends else None
        case datetime(), time():
            joined = datetime.combine(begins.date(), ends)
            return begins, joined if joined > begins else joined + timedelta(days=1)
        case datetime(), date():
            return (begins, ends) if ends >= begins.date() else None
        case date(), datetime():
            return (begins, ends) if ends.date() >= begins else None
        case date(), date():
            return (begins, ends) if ends >= begins else None
    return None
