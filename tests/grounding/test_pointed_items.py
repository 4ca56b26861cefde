"""Which items positions and superlatives point at, and what looks like one and points at none."""

from __future__ import annotations

import pytest

from wildtool.grounding.pointed_items import mentions

ITEMS = [{"id": f"R-{n}", "price": price} for n, price in ((1, 31), (2, 24), (3, 45), (4, 28))]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "the second one", [1]), ("en", "the last hotel", [3]), ("en", "number two, please", [1]), ("en", "option 3", [2]),
        ("en", "the first and third", [0, 2]), ("en", "the penultimate one", [2]), ("en", "the third from the end", [1]),
        ("en", "the second to last option", [2]), ("en", "tell me about the 3rd", [2]), ("en", "number 4 on the list", [3]),
        ("en", "the cheapest one", [1]), ("en", "the second cheapest", [3]), ("en", "the cheapest direct train", [None]),
        ("en", "the ninth", [None]), ("en", "from the first hotel to the last hotel on the list", [0, 3]),
        ("zh", "第二个", [1]), ("zh", "倒数第三家", [1]), ("zh", "最后那家", [3]), ("zh", "头一个", [0]), ("zh", "最后一个", [3]),
        ("zh", "就订最贵的那趟吧", [2]), ("zh", "第二便宜的", [3]),
    ],
)  # fmt: skip
def test_what_points(language: str, text: str, expected: list[int | None]) -> None:
    assert [one.item(ITEMS) for one in mentions(text, language)] == expected


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "last week"), ("en", "the last time"), ("en", "wait a second"), ("en", "the second of July"),
        ("en", "July the third"), ("en", "the first time I came"), ("en", "from the very first list"),
        ("en", "the first three"), ("en", "the 21st century"), ("en", "when you have a second"), ("en", "that one"),
        ("en", "Of the trains with a bar, the cheapest one."),
        ("zh", "第二天出发"), ("zh", "第二天"), ("zh", "第一份清单里的"), ("zh", "直达里最便宜的那趟"),
    ],
)  # fmt: skip
def test_what_points_at_no_single_item(language: str, text: str) -> None:
    assert mentions(text, language) == ()
