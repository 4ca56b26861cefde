"""Dates and times as people and APIs write them, read against a fixed ``now``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache

_MONTH_NAMES = """january jan
february feb
march mar
april apr
may
june jun
july jul
august aug
september sep sept
october oct
november nov
december dec"""
MONTHS = {month: number for number, line in enumerate(_MONTH_NAMES.splitlines(), start=1) for month in line.split()}
_WEEKDAY_NAMES = """monday mon 星期一 周一 礼拜一
tuesday tue tues 星期二 周二 礼拜二
wednesday wed 星期三 周三 礼拜三
thursday thu thurs 星期四 周四 礼拜四
friday fri 星期五 周五 礼拜五
saturday sat 星期六 周六 礼拜六
sunday sun 星期日 星期天 周日 周天 礼拜天"""
WEEKDAYS = {word: number for number, line in enumerate(_WEEKDAY_NAMES.splitlines()) for word in line.split()}
RELATIVE_DAYS = {
    "today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "the day after tomorrow": 2,
    "day before yesterday": -2, "the day before yesterday": -2,
    "今天": 0, "今日": 0, "明天": 1, "明日": 1, "昨天": -1, "昨日": -1, "后天": 2, "前天": -2, "大后天": 3,
}  # fmt: skip

_ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})")
_COMPACT = re.compile(r"(\d{4})(\d{2})(\d{2})")
_HAN = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
_MONTH_FIRST = re.compile(r"([a-z]+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]+)\.?,?\s+(\d{4})")
_MONTH_DAY = re.compile(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?=$|,|\s)")
_DAY_MONTH = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?([a-z]{3,9})\.?(?=$|,|\s)")
_HAN_DAY = re.compile(r"(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
_HALF_DAY = re.compile(r"(\d{1,2})\s*([ap])\.?m\.?")
_NUMERIC = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})")
_CLOCK = re.compile(
    r"(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*([ap]\.?m\.?)?\s*(z|utc|gmt|[+-]\d{2}:?\d{2})?"
)
_OFFSET_DAYS = re.compile(
    r"in (\d{1,3}) (day|week)s?|(\d{1,3}) (day|week)s? (ago|from now|later)|(\d{1,3})\s*天(后|前|之后|之前)"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A date, a time of day, or both."""

    day: date | None
    clock: time | None
    """None where only the day is said."""
    rule: str
    """How it was read: ``date.format`` or ``date.relative``."""

    def same(self, other: Moment, now: datetime) -> bool:
        """Do both mean the same? A day equals its midnight; where only one names an offset, the other has ``now``'s."""
        if (self.day is None) != (other.day is None):
            return False
        if self.day is None or other.day is None:
            return self.clock == other.clock
        if self.clock is None and other.clock is None:
            return self.day == other.day
        return self._instant(now) == other._instant(now)

    def _instant(self, now: datetime) -> datetime:
        clock = self.clock or time()
        return datetime.combine(self.day or now.date(), clock, clock.tzinfo or now.tzinfo)


@lru_cache(maxsize=4096)
def read_moment(text: str, now: datetime) -> Moment | None:
    """The moment that the whole text means, or None. ``03/04/2024`` is ambiguous and so None; ``13/04/2024`` is not.

    ``now`` must know its offset.
    """
    words = " ".join(text.strip().lower().replace("，", ",").split())
    if not words or len(words) > 60:
        return None
    words = _HALF_DAY.sub(r"\1:00 \2m", words) if ":" not in words else words
    if words in ("now", "现在"):
        return Moment(now.date(), now.time(), "date.relative")
    if clock := _CLOCK.fullmatch(words):
        read = _clock(clock)
        return Moment(None, read, "date.format") if read else None
    day, rest, rule = _day(words, now)
    if day is None:
        return None
    rest = re.sub(r"^(?:t|,|at|\s)+", "", rest).strip()
    if not rest:
        return Moment(day, None, rule)
    clock = _CLOCK.fullmatch(rest)
    read = _clock(clock) if clock else None
    return Moment(day, read, rule) if read else None


def _day(words: str, now: datetime) -> tuple[date | None, str, str]:
    """The day that the words begin with, what follows it, and the rule that read it."""
    try:
        for pattern, order in ((_ISO, (1, 3, 4)), (_HAN, (1, 2, 3))):
            if found := pattern.match(words):
                year, month, day = (int(found[group]) for group in order)
                return date(year, month, day), words[found.end() :], "date.format"
        if found := _COMPACT.fullmatch(words):
            return date(int(found[1]), int(found[2]), int(found[3])), "", "date.format"
        if (found := _MONTH_FIRST.match(words)) and found[1] in MONTHS:
            return date(int(found[3]), MONTHS[found[1]], int(found[2])), words[found.end() :], "date.format"
        if (found := _DAY_FIRST.match(words)) and found[2] in MONTHS:
            return date(int(found[3]), MONTHS[found[2]], int(found[1])), words[found.end() :], "date.format"
        if found := _NUMERIC.match(words):
            first, second = int(found[1]), int(found[3])
            if first > 12 or second > 12 or first == second:
                month, day = (second, first) if first > 12 else (first, second)
                return date(int(found[4]), month, day), words[found.end() :], "date.format"
            return None, words, ""
        today = now.date()
        # Without a year: that of now.
        if (found := _MONTH_DAY.match(words)) and found[1] in MONTHS:
            return date(today.year, MONTHS[found[1]], int(found[2])), words[found.end() :], "date.relative"
        if (found := _DAY_MONTH.match(words)) and found[2] in MONTHS:
            return date(today.year, MONTHS[found[2]], int(found[1])), words[found.end() :], "date.relative"
        if found := _HAN_DAY.match(words):
            return date(today.year, int(found[1]), int(found[2])), words[found.end() :], "date.relative"
        for phrase in sorted(RELATIVE_DAYS, key=len, reverse=True):
            if words.startswith(phrase):
                return today + timedelta(days=RELATIVE_DAYS[phrase]), words[len(phrase) :], "date.relative"
        if found := _OFFSET_DAYS.match(words):
            number = int(found[1] or found[3] or found[6])
            back = found[5] == "ago" or (found[7] or "").endswith("前")
            unit = 7 if "week" in (found[2], found[4]) else 1
            return today + timedelta(days=unit * (-number if back else number)), words[found.end() :], "date.relative"
        bare = re.sub(r"^(?:next|this|coming|on)\s+", "", words)
        if bare in WEEKDAYS:
            # The coming one; "next Friday" said on a Monday is ambiguous, and read as the coming one too.
            ahead = (WEEKDAYS[bare] - today.weekday()) % 7 or 7
            return today + timedelta(days=ahead), "", "date.relative"
    except ValueError:  # no such day, as 2024-02-30
        return None, words, ""
    return None, words, ""


def _clock(found: re.Match[str]) -> time | None:
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    half = (found[5] or "").replace(".", "")
    if half and not 1 <= hour <= 12:
        return None
    if half:
        hour = hour % 12 + (12 if half == "pm" else 0)
    zone = (found[6] or "").upper()
    zone = "+00:00" if zone in ("Z", "UTC", "GMT") else zone
    try:
        return time.fromisoformat(f"{hour:02}:{minute:02}:{second:02}.{(found[4] or '0').ljust(6, '0')}{zone}")
    except ValueError:
        return None
