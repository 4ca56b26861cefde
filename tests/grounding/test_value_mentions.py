"""Words say values by what people and APIs call them, and similar words do not."""

from __future__ import annotations

import pytest

from wildtool.grounding.value_mentions import Cues, said
from wildtool.language.spoken_numbers import numbers_in_words
from wildtool.schemas.vocabulary import Language

NOW = "2024-07-10T09:30:00+00:00"
"""A Wednesday."""


def hit(value, text, parameter="value", **cues):
    return said(value, text, Cues(parameter, NOW, Language.EN if text.isascii() else Language.ZH, **cues))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Lyon", "what's on in lyon?"),
        ("Las Vegas", "flights to LasVegas"),
        ("LasVegas", "flights to Las Vegas"),
        ("Kraków", "hotels in Krakow"),
        ("movie", "any good movies tonight"),
        ("CN", "the population of China"),
        ("CHN", "中国的人口"),
        ("China", "CN 的人口"),
        ("USD", "how many dollars"),
        ("JPY", "换成日元"),
        ("en", "translate it into English"),
        ("fr", "翻译成法语"),
        ("metric", "in Celsius please"),
        ("IN", "for IN, please"),
        ("windSpeed", "the wind speed"),
        ("+44 20 7946 0958", "call +442079460958"),
        ("2024-07-11", "tomorrow"),
        ("2024-07-11", "明天"),
        ("2024-07-12", "this Friday"),
        ("2024-07-12", "这周五"),
        ("2024-07-13", "at the weekend"),
        ("2024-07-14", "周末"),
        ("2024-07-17", "in 7 days"),
        ("2024-07-17", "7天后"),
        ("2024-07-23", "on the 23rd"),
        ("2024-08-02", "2 August"),
        ("2024-08-02", "8月2号"),
        ("2024-07-11T15:00:00Z", "tomorrow at 3 pm"),
        ("2024-07-11T15:00:00Z", "明天下午3点"),
        ("07:30", "at 7:30"),
        (3, "three of them"),
        (3, "三个"),
        (2, "两张"),
        (25, "twenty-five"),
        (25, "二十五"),
        (12, "a dozen"),
        (1500, "1,500 metres"),
        (50000, "50k a year"),
        (50000, "5万"),
        (7.5, "7.5 %"),
        (5.0, "5 of them"),
        (90, "an hour and a half, so 1.5 hours"),
        ("please call before delivery", "tell them to call me before the delivery"),
    ],
)
def test_words_that_say_it(value, text):
    assert hit(value, text) is not None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Lyon", "what's on in Nice?"),
        ("IN", "laws in that country"),
        ("US", "tell us more"),
        ("it", "is it raining?"),
        ("Spain", "news in Spanish"),
        ("DE", "the population of France"),
        ("EUR", "how many dollars"),
        ("art", "where do we start"),
        ("198.51.100.200", "look up 198.51.100.31"),
        ("show-94", "show me 94 things"),
        ("2024-07-12", "tomorrow"),
        ("2024-07-20", "at the seaside"),
        ("2024-08-03", "2 August"),
        ("2024-07-11T15:00:00Z", "at 3 pm"),
        (3, "thirteen of them"),
        (5, "15 of them"),
        (5, "version 2.5"),
        (30, "三个"),
        ("cancel my last order", "track my parcel"),
        (None, "nothing"),
    ],
)
def test_words_that_do_not(value, text):
    assert hit(value, text) is None


def test_a_day_at_another_hour_is_only_half_said():
    found = hit("2024-07-11T15:00:00Z", "tomorrow at 9")
    assert found is not None and found.confidence < 0.8


def test_an_enum_s_words_and_a_flag_s_fragments_count():
    assert hit("asc", "cheapest first, please", enum_words={"asc": "cheapest first"}).quote == "cheapest first"
    assert hit(True, "only if it is still airing", fragments=("still airing",)).confidence == 1.0
    assert hit(True, "with photos", parameter="includePhotos") is not None
    assert hit(True, "with a map", parameter="includePhotos") is None


def test_numbers_in_words_of_both_languages():
    assert {7, 30} <= {number for number, _ in numbers_in_words("seven of thirty")}
    assert {120, 3500, 20_000} <= {number for number, _ in numbers_in_words("一百二十、三千五百、两万")}
    assert 2_500_000 in {number for number, _ in numbers_in_words("2.5 million")}
