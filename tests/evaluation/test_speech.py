"""Asks and answers judged by rules alone."""

from __future__ import annotations

import pytest

from wildtool.evaluation.asks.ask_and_answer import is_question, missing_slots, unsupported_facts
from wildtool.schemas.session import Ask

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


def described(name, properties):
    return {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": properties}}}


ASKED = [
    (("checkInDate",), "When would you like to check in?", "What day are you arriving?", True),
    (("checkInDate",), "When would you like to check in?", "On which date do you check in?", True),
    (("checkInDate",), "When would you like to check in?", "How many guests?", False),
    (("guests",), "How many guests will stay?", "How many people will be staying?", True),
    (("guests",), "How many guests will stay?", "For how many?", True),
    (("city",), "Which city?", "Where are you?", True),
    (("city",), "Which city?", "Could you tell me your location?", True),
    (("city",), "Which city?", "I have booked a hotel in the city for you. Anything else?", False),
    (("city",), "Which city?", "The city is Paris.", False),
    (("email",), "What is your email address?", "Where should I send the confirmation?", True),
    (("email",), "What is your email address?", "What's your e-mail?", True),
    (
        ("amount", "currency"),
        "How much, and in which currency?",
        "How much money should I send, and which currency?",
        True,
    ),
    (("amount", "currency"), "How much, and in which currency?", "How much should I send?", False),
    (("date",), "请问您哪天出发？", "您打算什么时候走？", True),
    (("date",), "请问您哪天出发？", "请告诉我出发日期。", True),
    (("date",), "请问您哪天出发？", "请问去哪个城市？", False),
    (("city",), "请问您想查哪个城市？", "您在哪里？", True),
    (("city",), "请问您想查哪个城市？", "请提供城市。", True),
    (("人数",), "请问几位入住？", "一共有多少人？", True),
    (("人数",), "请问几位入住？", "您的预算是多少？", False),
    (("date", "city"), "请问哪天、去哪个城市？", "请问您想去哪里，什么时候出发？", True),
    (("date", "city"), "请问哪天、去哪个城市？", "请问您想去哪里？", False),
    (("city",), "Which city?", "I'm sorry, I can't help with that.", False),
]
ASKED_TOOLS = [
    described(
        "book",
        {
            "checkInDate": {"type": "string", "format": "date", "description": "Check-in date"},
            "guests": {"type": "integer", "description": "Number of guests"},
            "city": {"type": "string", "description": "City name"},
            "email": {"type": "string", "description": "Email address to send the confirmation to"},
            "amount": {"type": "number", "description": "Amount to transfer"},
            "currency": {"type": "string", "description": "Target currency code"},
        },
    ),
    described(
        "查询",
        {
            "date": {"type": "string", "description": "出发日期"},
            "city": {"type": "string", "description": "城市名称"},
            "人数": {"type": "integer", "description": "入住人数"},
        },
    ),
]


@pytest.mark.parametrize(("slots", "gold", "text", "right"), ASKED)
def test_asks_in_other_words(slots, gold, text, right):
    ask = Ask(slots=slots, tool="book" if gold.isascii() else "查询", question=gold, reply="…")
    assert (not missing_slots(ask, text, ASKED_TOOLS)) is right


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
