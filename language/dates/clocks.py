"""Which times of day an expression may mean."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time

from wildtool.language.dates.moments import Part
from wildtool.language.dates.said import Said

LIKELY_AM = (7, 8, 9, 10, 11)
"""Hours that people name for the morning oftener than for the evening; 12 to 6 are mostly after noon."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day, on the day that is said or so many days later."""

    at: time
    weight: float
    later: int = 0


@dataclass(frozen=True, slots=True)
class Clocks:
    """All times of day that an expression may mean, the likeliest first."""

    options: tuple[Clock, ...]
    ambiguous: bool = False


def resolve_clock(said: Said, half: str | None, colon: float) -> Clocks:
    """The times that an hour may be.

    ``half`` is the half of the day that the subject belongs to, ``colon`` the probability that 7:30 is in the morning.
    """
    hour, minute = said.hour or 0, said.minute or 0
    if hour == 24:
        if said.part in (Part.EVENING, Part.NIGHT):
            return Clocks((Clock(time(0, minute), 0.95, 1),))
        # Midnight on Friday: the one that begins the day or the one that ends it.
        return Clocks((Clock(time(0, minute), 0.55, 1), Clock(time(0, minute), 0.45)), ambiguous=True)
    if said.half:
        return Clocks((Clock(time(hour % 12 + (12 if said.half == "pm" else 0), minute), 1.0),))
    if said.part is not None and not (said.written and hour > 12):
        return _in_part(hour, minute, said.part)
    if said.written or hour > 12 or hour == 0:
        return Clocks((Clock(time(hour, minute), 1.0),))
    early, late = time(hour % 12, minute), time(hour % 12 + 12, minute)
    if half is not None:
        first, second = (early, late) if half == "am" else (late, early)
        return Clocks((Clock(first, 0.95), Clock(second, 0.05)))
    if said.colon and hour == 12:
        return Clocks((Clock(late, 0.9), Clock(early, 0.1)))
    if said.colon:
        return Clocks(
            (Clock(early if hour < 12 else late, colon), Clock(late if hour < 12 else early, 1 - colon)), colon < 0.9
        )
    first, second = (early, late) if hour in LIKELY_AM else (late, early)
    return Clocks((Clock(first, 0.6), Clock(second, 0.4)), ambiguous=True)


def _in_part(hour: int, minute: int, part: Part) -> Clocks:
    twelve = hour % 12
    match part:
        case Part.MORNING:
            if hour == 12:
                return Clocks((Clock(time(0, minute), 0.7), Clock(time(12, minute), 0.3)))
            return Clocks((Clock(time(hour % 24, minute), 1.0),))
        case Part.NOON:
            return Clocks(
                (Clock(time(twelve + 12 if twelve < 4 else twelve, minute), 1.0 if twelve in (0, 1, 11) else 0.95),)
            )
        case Part.AFTERNOON:
            return Clocks((Clock(time(twelve + 12, minute), 1.0),))
        case Part.EVENING | Part.NIGHT:
            if hour in (0, 12):
                return Clocks((Clock(time(0, minute), 0.8, 1), Clock(time(12, minute), 0.1)))
            if twelve < 4 or (twelve == 4 and part is Part.NIGHT):
                # Two at night is after midnight; the day that is named may be the one that ends or begins there.
                return Clocks((Clock(time(twelve, minute), 0.5, 1), Clock(time(twelve, minute), 0.45)), ambiguous=True)
            return Clocks((Clock(time(twelve + 12, minute), 1.0),))
