"""How many people come along, where one total is asked for."""

from __future__ import annotations

import pytest

from wildtool.language.party import party_said


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("two adults and three kids", 5),
        ("two guests, my wife is one of them", 2),
        ("four of us, including two kids", 4),
        ("three adults, one of them is my mother", 3),
        ("a table for four, two of us are vegetarian", 4),
        ("2 adults, 1 child and a baby", 4),
        ("my wife and I and our two kids", 4),
        ("six people, two of them children", 6),
        ("2 adults plus an infant", 3),
        ("a party of five: three adults and two children", 5),
        ("four passengers: me, my husband and our two boys", 4),
        ("3 tickets: two adults and a child", 3),
        ("a room for 2 adults and 2 kids under 6", 4),
        ("three guests, including me", 3),
        ("two guests, my wife and my mum", 2),
        ("two guests and my wife", 3),
        ("there are five of us, one is a baby", 5),
        ("five people: my parents, my two kids and me", 5),
        ("two kids, my wife and me", 4),
        ("两个大人三个孩子", 5),
        ("两位客人，我老婆是其中一位", 2),
        ("我们四个人，包括两个孩子", 4),
        ("三个成人，其中一个是我妈", 3),
        ("2名成人、1名儿童和一个婴儿", 4),
        ("我和老婆带两个孩子", 4),
        ("一行六人，其中两个是小孩", 6),
        ("五位，三个大人两个小孩", 5),
        ("我爸妈和我，一共三个人", 3),
        ("六个人，有两个吃素", 6),
        ("两大一小", 3),
        ("三位客人，包括我自己", 3),
        ("两个成人带一个婴儿", 3),
        ("我们一家五口，两个老人", 5),
        ("4个人，我和我老婆还有两个孩子", 4),
        ("一共五个人，我爸妈、两个孩子和我", 5),
    ],
)
def test_one_total(text: str, people: int) -> None:
    assert party_said(text) == people


@pytest.mark.parametrize(
    "text",
    [
        "I'm travelling with 2 adults",
        "two tickets please",
        "two kids",
        "dinner for two people, and a table for four tomorrow",
        "我和几个朋友",
    ],
)
def test_no_total(text: str) -> None:
    assert party_said(text) is None
