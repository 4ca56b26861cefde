"""What an expression of time denotes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum


class MomentKind(StrEnum):
    """Shape of a moment."""

    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    MONTH = "month"
    RANGE = "range"


class Part(StrEnum):
    """Part of the day."""

    MORNING = "morning"
    NOON = "noon"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


Point = date | datetime | time


@dataclass(frozen=True, slots=True)
class Moment:
    """A day, an instant, a time of day, a month, or a stretch of any of these; local, without an offset."""

    kind: MomentKind
    start: Point | None
    """The day, instant or time; the first day of a month; the first of a range, None where the range is open there."""
    end: Point | None = None
    """The last day of a month or of a range, which belongs to it; None where the range is open, or for a point."""
    part: Part | None = None
    """Part of the day, where one is said and no clock time with it."""
    deadline: bool = False
    """It is the latest admissible moment ("by Friday", 周五之前)."""

    def iso(self) -> str:
        """Its ISO 8601 text: ``2026-07-09``, ``2026-07-09T14:20``, ``14:20``, ``2026-07``, ``2026-07-01/..``."""
        match self.kind:
            case MomentKind.RANGE:
                return "/".join(text or ".." for text in self.bounds())
            case MomentKind.MONTH:
                return point_text(self.start)[:7] if self.start is not None else ".."
            case _:
                return point_text(self.start) if self.start is not None else ".."

    def bounds(self) -> tuple[str | None, str | None]:
        """ISO texts of its start and end, None where it is open; both are the same for a point."""
        if self.kind is MomentKind.RANGE:
            start, end = self.start, self.end
        else:
            start, end = self.start, self.end if self.end is not None else self.start
        return (
            point_text(start) if start is not None else None,
            point_text(end) if end is not None else None,
        )


def point_text(point: Point) -> str:
    """ISO text of a point: a day, a minute of a day, or a minute."""
    match point:
        case datetime():
            return point.isoformat(timespec="minutes")
        case time():
            return point.isoformat(timespec="minutes")
        case _:
            return point.isoformat()
