"""Which days an argument value means, in the formats that tools take."""

from __future__ import annotations

import re
from datetime import date

_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?")
_OTHER = (
    re.compile(r"(?P<y>\d{4})[/.](?P<m>\d{1,2})[/.](?P<d>\d{1,2})(?: .*)?"),
    re.compile(r"(?P<y>\d{4})(?P<m>\d{2})(?P<d>\d{2})"),
    re.compile(r"(?P<m>\d{1,2})[/.-](?P<d>\d{1,2})[/.-](?P<y>\d{4})"),
    re.compile(r"(?P<d>\d{1,2})[/.-](?P<m>\d{1,2})[/.-](?P<y>\d{4})"),
    re.compile(r"(?P<y>\d{4})年(?P<m>\d{1,2})月(?P<d>\d{1,2})日"),
)


def _day(month: int, day: int, year: int) -> set[date]:
    try:
        return {date(year, month, day)}
    except ValueError:
        return set()


def days_of_value(value: object) -> set[date] | None:
    """The days that an argument may mean (03/04/2024 has two readings); empty for 2024-02-31, None for no date."""
    if not isinstance(value, str):
        return None
    if match := _ISO.fullmatch(value.strip()):
        return _day(int(match[2]), int(match[3]), int(match[1]))
    readings = [match.groupdict() for shape in _OTHER if (match := shape.fullmatch(value.strip()))]
    found = {day for one in readings for day in _day(int(one["m"]), int(one["d"]), int(one["y"]))}
    found = {day for day in found if 1900 <= day.year <= 2100}
    return found or None
