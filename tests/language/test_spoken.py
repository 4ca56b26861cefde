"""What rules make of the days and times that a text names: every reading, custom, open ends, and what is unclear."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from wildtool.language.dates.spoken import now_said, when_said
from wildtool.language.dates.spoken_times import times_said
from wildtool.language.dates.values import clock_value, days_of_value

NOW = "2024-07-12T09:30:00+00:00"  # a Friday


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "tomorrow please", ["2024-07-13"]), ("en", "the day after tomorrow", ["2024-07-14"]),
        ("en", "on 2024-08-01", ["2024-08-01"]), ("en", "July 20th", ["2023-07-20", "2024-07-20", "2025-07-20"]),
        ("en", "the 3rd of August, 2024", ["2024-08-03"]), ("en", "this Monday", ["2024-07-08", "2024-07-15"]),
        ("en", "next Friday", ["2024-07-19"]), ("en", "last Friday", ["2024-07-05"]),
        ("en", "next Wednesday", ["2024-07-17"]), ("en", "Monday next week", ["2024-07-15"]),
        ("en", "a week from Tuesday", ["2024-07-23"]), ("en", "a week from today", ["2024-07-19"]),
        ("en", "in three days", ["2024-07-15"]), ("en", "two weeks ago", ["2024-06-28"]),
        ("en", "Christmas Eve", ["2023-12-24", "2024-12-24", "2025-12-24"]), ("en", "12/07/2024", ["2024-07-12", "2024-12-07"]),
        ("en", "on the 20th", ["2024-06-20", "2024-07-20", "2024-08-20"]),
        ("en", "on 04/08, er, August 4th", ["2023-08-04", "2024-08-04", "2025-08-04"]),
        ("zh", "后天去", ["2024-07-14"]), ("zh", "大后天去", ["2024-07-15"]), ("zh", "2024年8月1日", ["2024-08-01"]),
        ("zh", "8月3号", ["2023-08-03", "2024-08-03", "2025-08-03"]), ("zh", "八月三号", ["2023-08-03", "2024-08-03", "2025-08-03"]),
        ("zh", "下周五", ["2024-07-19"]),
        ("zh", "这周五", ["2024-07-12"]), ("zh", "上周五", ["2024-07-05"]), ("zh", "上周三", ["2024-07-03"]),
        ("zh", "下下周一", ["2024-07-22"]), ("zh", "三天后", ["2024-07-15"]), ("zh", "一周后", ["2024-07-19"]),
        ("zh", "20号", ["2024-06-20", "2024-07-20", "2024-08-20"]),
    ],
)  # fmt: skip
def test_days(language: str, text: str, expected: list[str]) -> None:
    said = when_said(text, language, NOW)
    assert sorted(map(str, said.days)) == expected and not said.unclear


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "the sun is up and I sat down"), ("zh", "坐1号线去"), ("en", "you may march on"), ("en", "version 3.14")],
)
def test_no_days(language: str, text: str) -> None:
    assert not when_said(text, language, NOW)


@pytest.mark.parametrize(
    ("language", "text", "may", "may_not"),
    [
        ("en", "three nights from July 20, 2024", ["2024-07-20", "2024-07-23"], ["2024-07-19", "2024-07-24"]),
        ("en", "on July 20, 2024 for three nights", ["2024-07-20", "2024-07-23"], ["2024-07-19", "2024-07-21", "2024-07-24"]),
        ("en", "July 3rd to 5th, 2024", ["2024-07-03", "2024-07-05"], ["2024-07-02", "2025-07-03"]),
        ("en", "this weekend", ["2024-07-13", "2024-07-14"], ["2024-07-11", "2024-07-16"]),
        ("en", "this weekend, on Saturday", ["2024-07-13"], ["2024-07-14"]),
        ("en", "next week", ["2024-07-15", "2024-07-21"], ["2024-07-12", "2024-07-22"]),
        ("en", "last week", ["2024-07-01", "2024-07-12"], ["2024-06-30", "2024-07-13"]),
        ("en", "the past 7 days", ["2024-07-05", "2024-07-12"], ["2024-07-13"]),
        ("en", "before August 3, 2024", ["2024-08-02", "2024-08-03"], ["2024-08-05"]),
        ("en", "fly to Lyon on Saturday", ["2024-07-13"], ["2024-07-14", "2024-07-12"]),
        ("zh", "下周", ["2024-07-15", "2024-07-21"], ["2024-07-12", "2024-07-22"]),
        ("zh", "未来三天", ["2024-07-12", "2024-07-15"], ["2024-07-11", "2024-07-18"]),
        ("zh", "7月20日入住，住三晚", ["2024-07-20", "2024-07-23"], ["2024-07-19", "2024-07-24"]),
        ("zh", "月底", ["2024-07-31"], ["2024-07-20"]),
    ],
)  # fmt: skip
def test_stretches(language: str, text: str, may: list[str], may_not: list[str]) -> None:
    spoken = when_said(text, language, NOW)
    assert spoken and not spoken.unclear
    assert all(spoken.allows(date.fromisoformat(day)) for day in may)
    assert not any(spoken.allows(date.fromisoformat(day)) for day in may_not)


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "sometime this summer"), ("en", "the day after that"), ("en", "lately"), ("en", "every Monday"),
     ("en", "tell me about the 3rd"), ("zh", "明年春天"), ("zh", "第二天出发"), ("zh", "改天")],
)  # fmt: skip
def test_what_is_not_read_is_said_to_be_unclear(language: str, text: str) -> None:
    assert when_said(text, language, NOW).unclear


def test_words_that_name_a_day() -> None:
    said = when_said("Was it open last Friday? And from July 20 to July 22?", "en", NOW)
    assert said.words(date(2024, 7, 5)) == "last Friday" and said.words(date(2024, 7, 22)) == "from July 20 to July 22"
    assert said.words(date(2024, 7, 21)) is None and said.words_around(date(2024, 7, 21)) == "from July 20 to July 22"
    assert now_said("what's on right now", "en") == "right now" and now_said("明天", "zh") is None


@pytest.mark.parametrize(
    ("language", "text", "may", "may_not"),
    [
        ("en", "at 7 pm", ["19:00"], ["07:00", "19:30"]), ("en", "around eight", ["07:45", "20:30"], ["09:00"]),
        ("en", "after eight", ["08:00", "23:00"], ["07:30"]), ("en", "before noon", ["12:00", "09:00"], ["13:00"]),
        ("en", "in the evening", ["18:00"], ["10:00"]), ("en", "in two hours", ["11:30", "11:40"], ["12:00", "14:00"]),
        ("en", "from 7pm, for two hours", ["19:00", "21:00"], ["22:00"]), ("en", "table at 7.45 tonight", ["19:45"], ["07:45"]),
        ("en", "right now", ["09:30"], ["12:00"]), ("en", "6 to 8 pm", ["18:00", "20:00"], ["08:00", "21:00"]),
        ("zh", "晚上七点半", ["19:30"], ["07:30"]), ("zh", "今晚订一桌，七点一刻", ["19:15"], ["07:15"]),
        ("zh", "八点左右", ["08:20"], ["10:00"]), ("zh", "现在", ["09:30"], ["12:00"]), ("zh", "下午", ["15:00"], ["09:00"]),
    ],
)  # fmt: skip
def test_times(language: str, text: str, may: list[str], may_not: list[str]) -> None:
    said = times_said(text, language, NOW)

    def minute(text: str) -> int:
        at = datetime.strptime(text, "%H:%M")
        return at.hour * 60 + at.minute

    assert said and not said.unclear
    assert all(said.allows(minute(one)) for one in may) and not any(said.allows(minute(one)) for one in may_not)


@pytest.mark.parametrize(
    ("language", "text"), [("en", "after work"), ("en", "at sunset"), ("zh", "下班以后"), ("zh", "北京时间")]
)
def test_times_that_are_not_read_are_unclear(language: str, text: str) -> None:
    assert times_said(text, language, NOW).unclear


@pytest.mark.parametrize(
    ("value", "days"),
    [
        ("2024-07-20", ["2024-07-20"]), ("2024-07-20T19:30:00Z", ["2024-07-20"]), ("2024/7/1", ["2024-07-01"]),
        ("19991231", ["1999-12-31"]), ("03/04/2024", ["2024-03-04", "2024-04-03"]), ("13.04.2024", ["2024-04-13"]),
        ("2024年7月1日", ["2024-07-01"]), ("2024-02-31", []),
    ],
)  # fmt: skip
def test_days_of_values(value: str, days: list[str]) -> None:
    assert sorted(map(str, days_of_value(value) or ())) == days and days_of_value(value) is not None


@pytest.mark.parametrize("value", ["Lyon", "12345678", "1.2.3", "192.168.1.1", "tomorrow", 20240701, None])
def test_values_without_a_day(value: object) -> None:
    assert days_of_value(value) is None


def test_clocks_of_values() -> None:
    found = [clock_value(one) for one in ("7:30 PM", "2024-07-20T00:00:00+02:00", "19.30", 7)]
    assert [one and (one.minute, one.dated, one.zone) for one in found] == [
        (1170, False, None), (0, True, "+02:00"), None, None,
    ]  # fmt: skip
