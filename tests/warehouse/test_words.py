"""Numbers, days, ordinals and limits, as said in both languages."""

from __future__ import annotations

from datetime import date

import pytest

from warehouse.gates.words import chinese_numbers, days_said, limits_said, normal, numbers_said, ordinals_said, tokens

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
    ],
)
def test_numbers(text: str, expected: set[float]) -> None:
    assert expected <= numbers_said(text)


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
        ("this Monday", {"2024-07-08", "2024-07-15", "2024-07-22"}),
        ("周一", {"2024-07-08", "2024-07-15", "2024-07-22"}),
        ("you may march on, decide later", set()),
        ("version 3.14", set()),
    ],
)
def test_days(text: str, expected: set[str]) -> None:
    assert days_said(text, NOW) == {date.fromisoformat(day) for day in expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the second one", {1}),
        ("tell me about the 3rd", {2}),
        ("the last one", {-1}),
        ("the second to last option", {-2}),
        ("第二个", {1}),
        ("倒数第二个", {-2}),
        ("最后一个", {-1}),
        ("wait a second", set()),
        ("the second of July", set()),
        ("July the third", set()),
        ("第二天出发", set()),
        ("the first time I came", set()),
        ("from the very first list", set()),
        ("the first three", set()),
        ("第一份清单里的", set()),
        ("the 21st century", set()),
    ],
)
def test_ordinals(text: str, expected: set[int]) -> None:
    assert ordinals_said(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("top 5 results", {5}),
        ("give me three at most", {3}),
        ("no more than 10 hotels", {10}),
        ("just the first two", {2}),
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
