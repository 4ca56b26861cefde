"""Days and times of day that argument values hold, in the formats that tools take."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from wildtool.language.dates.cascade import fold
from wildtool.language.dates.grammar import written_forms

_YEARS = range(1900, 2101)
_CLOCK = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2}[T ])?(?P<h>[01]?\d|2[0-3]):(?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:\.\d+)?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?(?P<zone>Z|[+-]\d{2}:?\d{2})?"
)


@dataclass(frozen=True)
class ClockValue:
    """A time of day that an argument holds."""

    minute: int
    """Minutes since midnight."""
    dated: bool
    """It stands behind a day."""
    zone: str | None
    """Its offset as written; None where it has none."""

    @property
    def bounds_a_day(self) -> bool:
        """It is written for a day as a whole: its first or its last minute."""
        return self.dated and self.minute in (0, 24 * 60 - 1)


def clock_value(value: object) -> ClockValue | None:
    """The time of day that an argument such as ``19:30``, ``7:30 PM`` or ``2024-07-20T19:30:00Z`` holds; None for none."""
    match = _CLOCK.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return None
    hour = int(match["h"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"][0] in "Pp" else 0)
    return ClockValue(hour * 60 + int(match["m"]), match["day"] is not None, match["zone"])


def days_of_value(value: object) -> set[date] | None:
    """The days that an argument may mean (03/04/2024 has two readings); empty for 2024-02-31, None for no date."""
    if not isinstance(value, str) or not any(char.isdigit() for char in value):
        return None
    found = _days(value.strip())
    return None if found is None else set(found)


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one["pattern"], re.ASCII) for one in written_forms() if one["as"] in ("day", "moment"))


@lru_cache(maxsize=8192)  # rules compare the values of one session again and again
def _days(text: str) -> frozenset[date] | None:
    folded = fold(text)
    found: set[date] = set()
    named = False
    for form in _forms():
        match = form.match(folded)
        # A time of any shape may follow a day that is written with the year first.
        if match is None or not (
            match.end() == len(folded) or (match.start("year") == 0 and folded[match.end()] in "t ")
        ):
            continue
        groups = {name: int(said) for name, said in match.groupdict().items() if said is not None}
        year = groups.get("year")
        if year is None or year not in _YEARS:
            continue
        pairs = (
            [(groups["a"], groups["b"]), (groups["b"], groups["a"])]
            if "a" in groups
            else [(groups["month"], groups["day"])]
        )
        dashed = "-" in match[0][4:5] and match.start("year") == 0
        for month, day in pairs:
            try:
                found.add(date(year, month, day))
            except ValueError:
                continue
        named = named or dashed
    return frozenset(found) if found or named else None
