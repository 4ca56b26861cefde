"""Days and times as values of arguments, with words from the tables of dates and numbers."""

from __future__ import annotations

import re
from datetime import date, datetime, time

import pytest

from wildtool.language.date_parsing import in_digits, read_moment
from wildtool.language.numbers import with_digits

NOW = datetime.fromisoformat("2024-07-12T09:30:00+00:00")  # a Friday


@pytest.mark.parametrize(
    ("text", "day", "clock"),
    [
        ("下周三", date(2024, 7, 17), None),
        ("下下周一下午3点", date(2024, 7, 22), time(15)),
        ("3日后", date(2024, 7, 15), None),
        ("两周前", date(2024, 6, 28), None),
        ("两个月后", date(2024, 9, 12), None),
        ("2024-07-13 晚上12点", date(2024, 7, 14), time(0)),
        ("夜里11点", None, time(23)),
        ("凌晨12点", None, time(0)),
        ("下午三点半", None, time(15, 30)),
        ("二〇二四年七月十三日", date(2024, 7, 13), None),
        ("in two weeks", date(2024, 7, 26), None),
        ("a fortnight ago", date(2024, 6, 28), None),
        ("twenty days from now", date(2024, 8, 1), None),
        ("July 13th", date(2024, 7, 13), None),
        ("tomorrow at noon", date(2024, 7, 13), time(12)),
        ("午夜", None, time(0)),
    ],
)
def test_moments(text: str, day: date | None, clock: time | None) -> None:
    read = read_moment(text, NOW)
    assert read is not None and (read.day, read.clock) == (day, clock)


@pytest.mark.parametrize("text", ["第三天", "two weeks", "03/04/2024", "三五天后"])
def test_no_moment(text: str) -> None:
    assert read_moment(text, NOW) is None


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("第一本", "第1本"),
        ("下周三三点", "下周三3点"),
        ("周三天气", "周三天气"),
        ("两三天", "两三天"),
        ("一百五十个", "150个"),
        ("一下午", "一下午"),
        ("in twenty-five days", "in 25 days"),
        ("half a day", "half a day"),
    ],
)
def test_numerals_before_a_unit_as_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


def test_what_is_kept_stays() -> None:
    assert with_digits("三天", "zh", re.compile("三天")) == "三天"
