"""Words of several meanings count for a category in its sense alone."""

# ruff: noqa: E501 - a table reads best one entry a line
from __future__ import annotations

import pytest

from wildtool.language.lexicon import languages
from wildtool.mining.scenarios.domains import domain_scores, domain_words

BOTH = {
    ("books, quotes and poems", "en"): (
        ["recommend a book by Murakami", "any good books on gardening?", "who wrote this book", "a quote by Seneca", "Which library has it?"],
        ["book a taxi to the airport", "Please book me a table", "can you book that first hotel", "and book by phone", "I want to make a booking",
         "book it for Friday", "is it booked", "get a quote for my car insurance", "under whose authority", "which python library parses yaml",
         "book the second one for three nights", "I need to book"],
    ),
    ("elections and law", "en"): (
        ["how do I appeal a parking fine", "is there a fine for littering?", "they fined me", "the fines are high", "my MP", "labour laws"],
        ["fine, take that", "that's fine by me", "the second one is fine", "a fine restaurant", "play the mp3", "a tennis court", "mow the lawn"],
    ),
    ("stocks and crypto", "en"): (
        ["how is the stock of ACME doing", "buy ten shares", "sell my 20 shares", "shares of Siemens", "share price of ACME"],
        ["he shares a flat", "is it in stock", "chicken stock", "flip a coin", "who shares of the cake", "warm stockings", "stock up on rice"],
    ),
    ("animals and nature", "en"): (["my cat", "a vet nearby", "bees", "pet food"], ["where have you been", "catch the bus", "petrol prices", "a beer", "the Vatican"]),
    ("currency, budgets and payments", "en"): (["how much tax", "add VAT", "my bank"], ["book a taxi", "the Vatican", "a bank holiday", "pay attention"]),
    ("rail and transit", "en"): (["which bus goes there", "two trains", "call a cab"], ["I'm busy", "a cabin", "training plans", "a cable", "stationery"]),
    ("flights, airports and road", "en"): (["a plane to Rome"], ["the planet Mars"]),
    ("health", "en"): (["a pain in my back", "these pills"], ["paint the wall", "a soft pillow"]),
    ("food and drink", "en"): (["a wine bar"], ["a bargain", "the barber"]),
    ("music and audio", "en"): (["which bands play", "the first track"], ["a bandage", "track my parcel"]),
    ("games, sports and social", "en"): (["who won the match", "a birthday party"], ["that matches my budget", "the post office", "a party of four", "credit score"]),
    ("shopping and orders", "en"): (["where is my order", "I want to return these shoes"], ["in order to win", "a return ticket to York"]),
    ("weather and astronomy", "en"): (["how strong is the wind"], ["clean the windows", "wind down"]),
    ("jobs, holidays and activities", "en"): (["plan a trip"], ["a triple espresso", "an ad campaign", "on campus"]),
    ("utilities and documents", "en"): (["which unit is it"], ["Manchester United"]),
    ("dictionaries and text", "en"): (["what does serendipity mean"], ["what does it cost"]),
    ("books, quotes and poems", "zh"): (["推荐一本书", "这本书谁写的"], ["办证书要多久", "产品说明书"]),
    ("animals and nature", "zh"): (["这是什么花", "我家的猫"], ["花了多少钱", "天猫打折", "买热狗"]),
    ("food and drink", "zh"): (["红酒配什么"], ["订一家酒店"]),
    ("health", "zh"): (["牙疼怎么办"], ["西班牙几点", "蓝牙连不上"]),
    ("music and audio", "zh"): (["放一首歌"], ["谷歌是什么"]),
    ("stocks and crypto", "zh"): (["币圈行情"], ["换成人民币"]),
    ("URL, domain and IP", "zh"): (["查我的IP"], ["我是VIP"]),
    ("film, anime and images", "zh"): (["追什么剧", "新番推荐"], ["番茄多少", "剧烈运动"]),
}  # fmt: skip


@pytest.mark.parametrize(("minor", "language"), BOTH)
def test_a_word_counts_in_the_sense_of_its_category(minor: str, language: str) -> None:
    ours, others = BOTH[minor, language]
    assert [text for text in ours if minor not in domain_scores(text, language)] == []
    assert [text for text in others if minor in domain_scores(text, language)] == []


def test_every_word_of_the_table_is_in_the_lists() -> None:
    from wildtool.mining.scenarios.domains import _lists
    from wildtool.mining.scenarios.word_senses import _senses

    for language in languages():
        words = {word for listed in _lists(language).values() for word in listed}
        assert _senses(language).keys() <= words


def test_a_word_in_another_sense_is_no_word_to_show() -> None:
    assert "book" not in domain_words("book a table", "en", "books, quotes and poems")
    assert "book" in domain_words("a book by Woolf", "en", "books, quotes and poems")
