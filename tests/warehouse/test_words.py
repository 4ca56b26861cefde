"""Numbers, days and limits, as said in both languages."""

from __future__ import annotations

from datetime import date

import pytest

from wildtool.language.day_spans import days_said, when_said
from wildtool.language.folding import normal, tokens
from wildtool.language.number_phrases import bounds_said, chinese_numbers, limits_said, numbers_said

NOW = "2024-07-12T09:30:00+00:00"  # a Friday


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("twenty-one pilots and 3,500 fans", {21, 3500}),
        ("两张票，一百二十块", {2, 120}),
        ("5k run, 2.5 million people", {5000, 2_500_000}),
        ("房价3万", {30_000}),
        ("a couple of days", {2}),
        ("三十五", {35}),
        ("a hundred and twenty-five", {125}),
        ("two thousand five hundred", {2500}),
        ("half a dozen eggs, one ticket", {6, 1}),
        ("一千二", {1200}),
        ("两个半小时", {2.5}),
        ("三点五公里", {3.5}),
    ],
)
def test_numbers(text: str, expected: set[float]) -> None:
    assert expected <= numbers_said(text)


@pytest.mark.parametrize("text", ["that one", "which one is it?", "a good one", "等一下", "一起去另一家"])
def test_what_counts_nothing(text: str) -> None:
    assert numbers_said(text) == set()


def test_chinese_numerals() -> None:
    assert chinese_numbers("十二") == {12}
    assert chinese_numbers("两万三千") == {23_000}
    assert chinese_numbers("三五") == {35, 3, 5}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tomorrow please", {"2024-07-13"}),
        ("the day after tomorrow", {"2024-07-14"}),
        ("后天去", {"2024-07-14"}),
        ("大后天去", {"2024-07-15"}),
        ("on 2024-08-01", {"2024-08-01"}),
        ("2024年8月1日", {"2024-08-01"}),
        ("July 20th", {"2023-07-20", "2024-07-20", "2025-07-20"}),
        ("the 3rd of August, 2024", {"2024-08-03"}),
        ("8月3号", {"2023-08-03", "2024-08-03", "2025-08-03"}),
        ("this Monday", {"2024-07-15"}),
        ("Monday", {"2024-07-08", "2024-07-15"}),
        ("周一", {"2024-07-08", "2024-07-15"}),
        ("next Friday", {"2024-07-19"}),
        ("last Friday", {"2024-07-05"}),
        ("next Wednesday", {"2024-07-17"}),
        ("Monday next week", {"2024-07-15"}),
        ("Tuesday after next", {"2024-07-23"}),
        ("a week from Tuesday", {"2024-07-23"}),
        ("下周五", {"2024-07-19"}),
        ("这周五", {"2024-07-12"}),
        ("上周三", {"2024-07-03"}),
        ("下下周一", {"2024-07-22"}),
        ("in three days", {"2024-07-15"}),
        ("two weeks ago", {"2024-06-28"}),
        ("三天后", {"2024-07-15"}),
        ("一周后", {"2024-07-19"}),
        ("on the 20th", {"2024-06-20", "2024-07-20", "2024-08-20"}),
        ("20号", {"2024-06-20", "2024-07-20", "2024-08-20"}),
        ("八月三号", {"2023-08-03", "2024-08-03", "2025-08-03"}),
        ("Christmas Eve", {"2023-12-24", "2024-12-24", "2025-12-24"}),
        ("July 3rd to 5th, 2024", {"2024-07-03", "2024-07-05"}),
        ("12/07/2024", {"2024-07-12", "2024-12-07"}),
        ("the sun is up and I sat down", set()),
        ("坐1号线去", set()),
        ("you may march on, decide later", set()),
        ("version 3.14", set()),
    ],
)
def test_days(text: str, expected: set[str]) -> None:
    assert days_said(text, NOW) == {date.fromisoformat(day) for day in expected}


@pytest.mark.parametrize(
    ("text", "may", "may_not"),
    [
        ("three nights from July 20, 2024", ["2024-07-20", "2024-07-23"], ["2024-07-19", "2024-07-21", "2024-07-24"]),
        ("this weekend", ["2024-07-13", "2024-07-14"], ["2024-07-11", "2024-07-16"]),
        ("next week", ["2024-07-15", "2024-07-21"], ["2024-07-12", "2024-07-22"]),
        ("下周", ["2024-07-15", "2024-07-21"], ["2024-07-12", "2024-07-22"]),
        ("未来三天", ["2024-07-12", "2024-07-15"], ["2024-07-11", "2024-07-18"]),
        ("the past 7 days", ["2024-07-05", "2024-07-12"], ["2024-07-13"]),
        ("before August 3, 2024", ["2024-08-02", "2024-08-03"], ["2024-08-05"]),
        ("fly to Lyon on Saturday", ["2024-07-13"], ["2024-07-14", "2024-07-12"]),
        ("月底", ["2024-07-31"], ["2024-07-20"]),
    ],
)
def test_spans(text: str, may: list[str], may_not: list[str]) -> None:
    spoken = when_said(text, NOW)
    assert spoken and not spoken.unclear
    assert all(spoken.allows(date.fromisoformat(day)) for day in may)
    assert not any(spoken.allows(date.fromisoformat(day)) for day in may_not)


@pytest.mark.parametrize("text", ["sometime this summer", "明年春天", "the day after that", "lately"])
def test_what_is_not_reckoned_is_said_to_be_unclear(text: str) -> None:
    assert when_said(text, NOW).unclear


@pytest.mark.parametrize(
    ("text", "upper", "lower"),
    [
        ("no more than 50 euros", {50}, set()),
        ("at least four stars", set(), {4}),
        ("fewer than five people", {5, 4}, set()),
        ("200元以内", {200}, set()),
        ("不要超过两百块", {200}, set()),
        ("不低于四星", set(), {4}),
        ("超过100元", set(), {100, 101}),
        ("4.5 or higher", set(), {4.5}),
        ("under $1,500", {1500, 1499}, set()),
        ("I have 3 dogs", set(), set()),
    ],
)
def test_bounds(text: str, upper: set[float], lower: set[float]) -> None:
    found = [{value for one in side for value in one.values} for side in bounds_said(text)]
    assert found == [upper, lower]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("top 5 results", {5}),
        ("give me three at most", {3}),
        ("no more than 10 hotels", {10}),
        ("just the first two", {2}),
        ("show me five hotels near me", {5}),
        ("list the three cheapest flights", {3}),
        ("推荐五家餐厅", {5}),
        ("给我三个选项", {3}),
        ("不超过十条", {10}),
        ("5 results please", {5}),
        ("find 2 tickets", set()),
        ("给我三张票", set()),
        ("最多3场", {3}),
        ("前十个", {10}),
        ("at most 20 dollars", set()),
        ("within 5 km", set()),
        ("up to 3 hours", set()),
    ],
)
def test_limits(text: str, expected: set[int]) -> None:
    assert limits_said(text) == expected


def test_normal_and_tokens() -> None:
    assert normal("Las-Vegas ") == normal("lasvegas") == "lasvegas"
    assert normal("Zürich") == normal("ZURICH") == "zurich"
    assert tokens("minPrice里昂 in_stock") == ["min", "price", "里", "昂", "in", "stock"]
