"""Behaviour of user turns: what the models say on dialogues that are in none of the corpora, and that they can be refitted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wildtool.mining.behaviour import observe_texts
from wildtool.mining.behaviour.lexicon import lexicon
from wildtool.mining.behaviour.model import model
from wildtool.mining.behaviour.reading import reader
from wildtool.schemas.conversation import TurnBehaviour
from wildtool.schemas.vocabulary import Composition, Device, HiddenIntentKind, TurnKind


def turns(language: str, *texts: str) -> tuple[TurnBehaviour, ...]:
    return observe_texts([(("user", "assistant")[place % 2], text) for place, text in enumerate(texts)], language)


def kinds(language: str, *texts: str) -> list[str]:
    return [turn.kind.value for turn in turns(language, *texts)]


def test_english_kinds() -> None:
    assert kinds(
        "en", "find me a vegan restaurant in Graz", "For how many people, and when?", "four of us, friday at 7 pm",
        "Ginko has a table. Shall I book it?",
        "yes please", "Booked. Anything else?", "how far is it from the station?", "Ten minutes on foot.", "no that's all, thank you",
    ) == ["task_open", "clarify_answer", "task_open", "follow_up", "close"]  # fmt: skip


def test_chinese_kinds_with_questions_back() -> None:
    assert kinds(
        "zh", "帮我找一家川菜馆", "请问几个人用餐？", "四个人", "推荐蜀香阁，人均八十元。",
        "它的地址在哪里？", "在人民路。", "好的，谢谢，再见"
    ) == ["task_open", "clarify_answer", "follow_up", "close"]  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [("en", "Hi there!"), ("en", "hello"), ("zh", "你好"), ("zh", "在吗？")])
def test_a_lone_greeting_is_talk(language: str, text: str) -> None:
    assert kinds(language, text, "Hello! How can I help?") == ["chat"]


def test_spans_and_what_they_lean_on() -> None:
    asks = turns("en", "hotels in Graz?", "1. Wiesler 2. Daniel", "how much is the second one?", "90 euros")[1]
    [reference] = asks.hidden
    assert (reference.kind, reference.device, reference.leans_on, reference.distance) == (
        HiddenIntentKind.COREFERENCE, Device.ORDINAL, 0, 1,
    )  # fmt: skip
    assert reference.span == "the second one"
    asks = turns("zh", "推荐一家酒店", "推荐龙门宾馆。", "第二家多少钱？", "三百元")[1]
    assert asks.hidden[0].span == "第二家"


def test_the_first_turn_leans_on_nothing() -> None:
    assert not turns("en", "book the second one and tell me what it costs", "ok")[0].hidden


def test_what_is_needed_from_long_ago() -> None:
    last = turns(
        "en", "book a table in Graz", "How many people?", "six", "Which day?", "the 4th of May",
        "What time?", "at noon", "Which restaurant?",
        "Ginko", "Please confirm: a table at Ginko in Graz for six on the 4th of May at noon.", "yes that's right", "Your table is booked.",
    )[-1]  # fmt: skip
    far = [reference for reference in last.hidden if reference.kind is HiddenIntentKind.LONG_RANGE]
    assert far and far[0].distance is not None and far[0].distance > 2


@pytest.mark.parametrize(
    ("language", "text", "composition"),
    [
        ("en", "check the weather in Lyon and find a hotel, then book it for two nights", Composition.CHAINED),
        ("en", "what's the weather in Lyon? is there a train from Paris at 9?", Composition.INDEPENDENT),
        ("en", "check the weather in Lyon", Composition.NONE),
        ("zh", "查一下景山公园的地址和电话是多少，还有周边有什么餐馆？", Composition.INDEPENDENT),
        ("zh", "帮我查一下上海的天气", Composition.NONE),
    ],
)
def test_several_needs(language: str, text: str, composition: Composition) -> None:
    found = turns(language, text, "ok")[0].composition
    assert (found is Composition.NONE) == (composition is Composition.NONE)
    if language == "en":
        assert found is composition


def test_other_languages_and_odd_input_do_not_fail() -> None:
    assert len(turns("es", "¿Dónde está la farmacia?", "Allí.", "\ud83d", "?")) == 2
    assert turns("en", " ", "hello?") == ()
    assert len(observe_texts([("user", "and now?")] * 3, "en")) == 3
    assert len(observe_texts([("user", "x" * 1_000_000), ("assistant", "y" * 1_000_000)], "en")) == 1


def test_the_longest_phrase_counts() -> None:
    words = lexicon("en")
    found = reader("en")("OK that’s all, thanks").hits
    assert (3, "that's all") in found
    assert [phrase for _, phrase in words.where(found, "demonstrative")] == []
    assert words.where(reader("en")("book this one").hits, "demonstrative") == [(5, "this one")]
    assert [phrase for _, phrase in lexicon("zh").where(reader("zh")("那家店怎么走").hits, "demonstrative")] == [
        "那家店"
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_weights_belong_to_features_that_exist(language: str, repository: Path) -> None:
    from wildtool.mining.behaviour.features import feature_names

    raw = json.loads(
        (repository / "mining" / "words" / language / "behaviour_weights.json").read_text(encoding="utf-8")
    )
    named = set(feature_names(language))
    for weights in (*raw["kind_weights"].values(), *raw["head_weights"].values()):
        assert weights and weights.keys() <= named
    assert TurnKind.CLARIFY_ANSWER in model(language).kinds


def test_models_can_be_refitted_from_a_file(tmp_path: Path, shared_data: Path) -> None:
    from wildtool.mining.behaviour import train

    lines = (shared_data / "dialogues" / "dialogues.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["language"] == "zh"][:120]
    target = train.write(train.fit(train.examples(rows, "zh")), "zh", tmp_path)
    text = target.read_text(encoding="utf-8")
    assert set(json.loads(text)["kind_weights"]) >= {"task_open", "follow_up", "chat"}
    assert all(
        message["content"] not in text for row in rows for message in row["messages"] if len(message["content"]) > 8
    )


def test_alternatives_may_stand_in_alternatives() -> None:
    from wildtool.mining.behaviour.lexicon import _phrases

    assert _phrases("(a|(b|c) d) e; f(|g)") == ["a e", "b d e", "c d e", "f", "fg"]
