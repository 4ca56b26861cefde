"""Behaviour on short dialogues of our own (``data/small_dialogues.txt``): half of them were looked at while rules and made-up
training dialogues were written, half were not."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from wildtool.mining.behaviour import observe_texts
from wildtool.schemas.conversation import TurnBehaviour


@pytest.fixture(scope="module")
def small() -> ModuleType:
    spec = importlib.util.spec_from_file_location("small_dialogues", Path(__file__).parent / "small.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", ["tuned", "held"])
def test_kinds_needs_and_leaning(small: ModuleType, language: str, part: str) -> None:
    found, misses = small.score(part, language)
    share = {question: right / total for question, (right, total) in found.items()}
    assert share["kind"] >= 0.82, misses
    assert share["needs"] >= 0.94, misses
    assert share["leans"] >= 0.78, misses
    assert share["how"] >= 0.72, misses


def last(language: str, *texts: str) -> TurnBehaviour:
    return observe_texts([(("user", "assistant")[place % 2], text) for place, text in enumerate(texts)], language)[-1]


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("What will the weather be in Turin on Friday?", "Cloudy, 18 degrees.", "And in Genoa?", "Sunny.")),
        ("zh", ("周五西安天气怎么样", "多云，十八度。", "那兰州呢", "晴。")),
    ],
)
def test_a_piece_of_a_question_asks_on_and_leaves_out_the_rest(language: str, texts: tuple[str, ...]) -> None:
    turn = last(language, *texts)
    assert turn.kind == "follow_up"
    assert [(one.kind.value, one.leans_on) for one in turn.hidden] == [("partial_information", 0)]


def test_an_ordinal_reaches_back_to_the_list_that_it_counts_in() -> None:
    turn = last(
        "en",
        "Any ski huts above Davos?", "Alpina, Sonne and Gemsli.",
        "How do I get to Davos from Zurich?", "By train in two and a half hours.",
        "What is the snow like?", "Powder, 40 centimetres.",
        "Do I need chains on the road?", "Not this week.",
        "Reserve the second hut for Saturday", "Done.",
    )  # fmt: skip
    assert {(one.kind.value, one.device.value, one.leans_on) for one in turn.hidden} == {
        ("coreference", "ordinal", 0),
        ("long_range", "ordinal", 0),
    }


@pytest.mark.parametrize(
    "text",
    [
        "I need a haircut. Can you find a salon for me?",
        "find a flat with a garden and parking near the school",
        "Thanks. I would also like to make a reservation.",
        "Yes please, go ahead and book a table",
        "book a room for my wife and me",
    ],
)
def test_one_need_in_several_sentences_is_one(text: str) -> None:
    assert last("en", text, "ok").composition == "none"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "帮我订一间周六的会议室，再给大家发个通知"),
        ("zh", "查一下附近的药店，顺便提醒我晚上吃药"),
        ("en", "book the 8 am train and order a cab to the station"),
    ],
)
def test_two_requests_in_one_message(language: str, text: str) -> None:
    assert last(language, text, "ok").composition != "none"


def test_what_ends_a_conversation() -> None:
    assert last("en", "play some jazz", "Playing.", "That's all, bye").kind == "close"
