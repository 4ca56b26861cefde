"""Days as people say them, in both languages, and back again."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from random import Random
from typing import assert_never

from wildtool.schemas.vocabulary import Language

_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_WEEKDAYS_ZH = "一二三四五六日"
_RELATIVE = {
    Language.EN: {"today": 0, "tonight": 0, "the day after tomorrow": 2, "tomorrow": 1, "yesterday": -1},
    Language.ZH: {"今天": 0, "今晚": 0, "大后天": 3, "后天": 2, "明天": 1, "昨天": -1, "前天": -2},
}


def today(now: str) -> date:
    """The day of a session's clock."""
    return datetime.fromisoformat(now).date()


def weekday(day: date, language: Language) -> str:
    """Its name: ``Monday``, ``星期一``."""
    return _WEEKDAYS[day.weekday()] if language is Language.EN else f"星期{_WEEKDAYS_ZH[day.weekday()]}"


def say_day(now: str, language: Language, rng: Random, *, past: bool = False) -> tuple[date, str]:
    """A day near the clock and the words a person says for it; ``past`` for days gone by.

    Weekday names are only said for days that come later in the same week, so that nobody can misread them.
    """
    start = today(now)
    if past:
        day = start - timedelta(days=rng.choice((1, 5, 9, 14, 21, 33, 47)))
    else:
        day = start + timedelta(days=rng.choice((1, 1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 20)))
    ways = [word for word, offset in _RELATIVE[language].items() if start + timedelta(days=offset) == day]
    ways = [word for word in ways if word not in ("tonight", "今晚")]
    later_this_week = day > start and day.isocalendar()[:2] == start.isocalendar()[:2]
    match language:
        case Language.EN:
            if later_this_week and not ways:
                ways = [f"this {_WEEKDAYS[day.weekday()]}"]
            ways = ways or [
                f"{_MONTHS[day.month - 1]} {day.day}{_year(day, start, language)}",
                f"the {day.day}{_suffix(day.day)} of {_MONTHS[day.month - 1]}{_year(day, start, language)}",
                day.isoformat(),
            ]
        case Language.ZH:
            if later_this_week and not ways:
                ways = [f"这周{_WEEKDAYS_ZH[day.weekday()]}"]
            ways = ways or [
                f"{_year(day, start, language)}{day.month}月{day.day}号",
                f"{_year(day, start, language)}{day.month}月{day.day}日",
            ]
        case _:
            assert_never(language)
    return day, rng.choice(ways)


def days_said(text: str, now: str) -> dict[str, str]:
    """Days that a text names, as ISO date to the words that name it; both languages at once."""
    start = today(now)
    found: dict[str, str] = {}
    rest = text
    for language in Language:
        for word, offset in sorted(_RELATIVE[language].items(), key=lambda item: -len(item[0])):
            if re.search(rf"\b{word}\b" if language is Language.EN else word, rest, re.IGNORECASE):
                found.setdefault((start + timedelta(days=offset)).isoformat(), word)
                rest = rest.replace(word, " ")
    for index, name in enumerate(_WEEKDAYS):
        if hit := re.search(rf"\b(?:this |next |on )?{name}\b", text, re.IGNORECASE):
            ahead = (index - start.weekday() - 1) % 7 + 1
            found.setdefault((start + timedelta(days=ahead)).isoformat(), hit.group())
    for hit in re.finditer(r"(?:这?周|星期|礼拜)([一二三四五六日天])", text):
        index = _WEEKDAYS_ZH.index("日" if hit.group(1) == "天" else hit.group(1))
        found.setdefault((start + timedelta(days=(index - start.weekday() - 1) % 7 + 1)).isoformat(), hit.group())
    for hit in re.finditer(r"\b(\d{4})-(\d{2})-(\d{2})\b", text):
        found.setdefault(hit.group(), hit.group())
    months = "|".join(_MONTHS)
    for pattern in (
        rf"\b(?P<month>{months}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?",
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{months})(?:,? (?P<year>\d{{4}}))?",
    ):
        for hit in re.finditer(pattern, text, re.IGNORECASE):
            month = _MONTHS.index(hit["month"].capitalize()) + 1
            _note(found, hit["year"] or str(start.year), month, int(hit["day"]), hit.group())
    for hit in re.finditer(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]", text):
        _note(found, hit[1] or str(start.year), int(hit[2]), int(hit[3]), hit.group())
    return found


def _note(found: dict[str, str], year: str, month: int, day: int, words: str) -> None:
    try:
        found.setdefault(date(int(year), month, day).isoformat(), words)
    except ValueError:  # the 31st of June is nobody's day
        return


def _year(day: date, start: date, language: Language) -> str:
    if day.year == start.year:
        return ""
    return f", {day.year}" if language is Language.EN else f"{day.year}年"


def _suffix(day: int) -> str:
    return "th" if 10 <= day % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
