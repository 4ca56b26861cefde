"""Ends of a stretch complete each other: "12 to 19 May", "Monday to Wednesday next week", 明天上午九点到十一点."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wildtool.language.dates.said import CALENDAR_FIELDS, Between, Said


def _take(target: Said, source: Said, *names: str) -> Said:
    """The target with fields of the source where it has none."""
    lacking: dict[str, Any] = {
        name: getattr(source, name)
        for name in names
        if getattr(target, name) is None and getattr(source, name) is not None
    }
    return replace(target, **lacking)


def complete(stretch: Between) -> Between:
    """The stretch with what one end says for both in both; open stretches stay as they are."""
    start, end = stretch.start, stretch.end
    if start is None or end is None:
        return stretch
    if start.timed and end.timed:
        start, end = _halves(start, end)
    if start.timed and not start.dated and end.timed and end.dated:
        # The day belongs to both; an end without a day is looked for on the day of the start.
        start = _take(start, end, *CALENDAR_FIELDS)
        nothing: dict[str, Any] = dict.fromkeys(CALENDAR_FIELDS)
        end = replace(end, **nothing)
    if start.op is None and end.op is None:
        start, end = _days(start, end)
    return replace(stretch, start=start, end=end)


def _days(start: Said, end: Said) -> tuple[Said, Said]:
    if start.day is not None and start.month is None and start.months is None and end.day is not None:
        start = _take(start, end, "month", "months", "lunar")
    if end.day is not None and end.month is None and end.months is None and start.day is not None:
        end = _take(end, start, "month", "months", "lunar")
    if start.month is not None and end.month is not None:
        forward = start.month <= end.month
        if forward or (start.year is None and end.year is None):
            start = _take(start, end, "year", "years", "way")
            end = _take(end, start, "year", "years", "way") if forward else end
        elif end.year is not None:
            start = replace(start, year=end.year - 1)
    if start.weekday is not None and end.weekday is not None:
        forward = end.weekday > start.weekday
        if start.weeks is None and start.way is None:
            start = _take(start, end, "weeks", "way")
        elif end.weeks is None and end.way is None and forward:
            end = _take(end, start, "weeks", "way")
    if start.index is not None and end.index is not None:
        start = _take(start, end, "year", "years", "unit")
        end = _take(end, start, "year", "years", "unit")
    return start, end


def _halves(start: Said, end: Said) -> tuple[Said, Said]:
    """Share the half of the day: 3 to 5 pm both after noon, 11 to 1 pm not."""
    first, last = start.hour or 0, end.hour or 0
    told_start = start.half or start.part or start.written or first > 12 or start.hour == 0
    told_end = end.half or end.part or end.written or last > 12 or end.hour == 0
    if not told_start and not told_end and not start.colon and not end.colon and first != last:
        return _working_hours(start, end)
    if start.colon and end.colon and not told_start and not told_end and first < last:
        return replace(start, written=True, certainty=0.9), replace(end, written=True)
    if told_end and not told_start and first <= 12:
        inner = (first % 12, start.minute or 0) < (last % 12, end.minute or 0)
        if end.half:
            other = "am" if end.half == "pm" else "pm"
            start = replace(start, half=end.half if inner else other)
        elif end.part:
            start = replace(start, part=end.part) if inner else start
        else:
            start = replace(start, written=True)
    elif told_start and not told_end and last <= 12:
        inner = (first % 12, start.minute or 0) < (last % 12, end.minute or 0)
        if start.half:
            other = "am" if start.half == "pm" else "pm"
            end = replace(end, half=start.half if inner else other)
        elif start.part:
            end = replace(end, part=start.part) if inner else _turned(start, end)
        elif start.written:
            end = replace(end, half="pm") if first >= 12 or not inner else replace(end, written=True)
    return start, end


def _working_hours(start: Said, end: Said) -> tuple[Said, Said]:
    """Hours with nothing beside them: nine to five begins in the morning, two to four does not."""
    first, last = start.hour or 0, end.hour or 0
    early = 7 <= first <= 11
    late_end = not early or last < first or last == 12
    return replace(start, half="am" if early else "pm", certainty=start.certainty * 0.9), replace(
        end, half="pm" if late_end else "am"
    )


def _turned(start: Said, end: Said) -> Said:
    """The end in the half of the day after the start's."""
    if end.hour == 12:
        return replace(end, half="pm" if start.part == "morning" else "am")
    return replace(end, half="pm" if start.part == "morning" else "am")
