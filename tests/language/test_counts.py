"""Numbers and limits, as said in both languages."""

from __future__ import annotations

import pytest

from wildtool.language.bounds import bounds_said, limits_said
from wildtool.language.folding import normal, tokens
from wildtool.language.spoken_numbers import numbers_said


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
    assert numbers_said("十二") == {12}
    assert numbers_said("两万三千") == {23_000}
    assert numbers_said("三五") == {3, 5}, "three to five; nobody says 35 so"


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
