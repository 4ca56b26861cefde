"""Asks and answers judged by rules alone."""

from __future__ import annotations

import pytest

from evaluation.speech import is_question, missing_slots, unsupported_facts
from schemas.session import Ask

from .conftest import TOOLS

ONE = Ask(slots=("id",), tool="bookShow", question="Which show should I book?", reply="The first.")
TWO = Ask(slots=("city", "from"), tool="searchShows", question="In which city, and from what date?", reply="Lyon, now.")
HAN = Ask(slots=("目的地",), tool=None, question="请问您要去哪个城市？", reply="上海")


@pytest.mark.parametrize(
    ("ask", "text", "missing"),
    [
        (ONE, "Which show would you like to book?", []),
        (ONE, "Please tell me the identifier.", []),
        (ONE, "Which one?", []),
        (ONE, "How many seats do you need?", ["id"]),
        (ONE, "Booked!", ["id"]),
        (TWO, "Which city, and from which day on?", []),
        (TWO, "Where, and when?", []),
        (TWO, "Could you tell me the city and the date?", []),
        (TWO, "In which city?", ["from"]),
        (Ask(slots=("x",), question="Say the magic word first.", reply="…"), "Say the magic word first.", []),
        (HAN, "请问您想去哪个城市呢？", []),
        (HAN, "您要几张票？", ["目的地"]),
        (HAN, "已经订好了。", ["目的地"]),
    ],
)
def test_an_ask_is_right_if_it_asks_for_the_missing_slots(ask, text, missing):
    assert missing_slots(ask, text, TOOLS) == missing


def test_questions():
    assert is_question("Could you share the city")
    assert is_question("哪一天")
    assert not is_question("The weather is fine.")


def test_numbers_of_an_answer_need_support():
    sources = [{"price": 35.5, "date": "2024-07-13"}, "two seats"]
    assert unsupported_facts("35.5 euros on 13 July 2024, 2 seats", sources) == []
    assert unsupported_facts("About 36 euros", sources) == []  # rounded
    assert unsupported_facts("It costs 45 euros", sources) == ["45"]
    assert unsupported_facts("Here are 3 options", sources) == []  # a count
