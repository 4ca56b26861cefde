"""Ends of scales."""

import pytest

from wildtool.language.superlatives import Degree, Extreme, dimension_of, read_superlatives

LEAST, MOST = Extreme.LEAST, Extreme.MOST


@pytest.mark.parametrize(
    ("language", "text", "dimension", "extreme", "degree", "rank"),
    [
        ("en", "the cheapest", "price", LEAST, Degree.SUPERLATIVE, 1),
        ("en", "the priciest", "price", MOST, Degree.SUPERLATIVE, 1),
        ("en", "the second cheapest", "price", LEAST, Degree.SUPERLATIVE, 2),
        ("en", "the more expensive", "price", MOST, Degree.COMPARATIVE, 1),
        ("en", "lighter one", "weight", LEAST, Degree.COMPARATIVE, 1),
        ("en", "the cheap one", "price", LEAST, Degree.POSITIVE, 1),
        ("en", "earliest flight", "time", LEAST, Degree.SUPERLATIVE, 1),
        ("en", "the best rated", "rating", MOST, Degree.SUPERLATIVE, 1),
        ("en", "the highest salary", "salary", MOST, Degree.SUPERLATIVE, 1),
        ("en", "the fewest calories", "calories", LEAST, Degree.SUPERLATIVE, 1),
        ("en", "the nearest", "distance", LEAST, Degree.SUPERLATIVE, 1),
        ("en", "the youngest", "age", LEAST, Degree.SUPERLATIVE, 1),
        ("zh", "最便宜的", "price", LEAST, Degree.SUPERLATIVE, 1),
        ("zh", "第二便宜的", "price", LEAST, Degree.SUPERLATIVE, 2),
        ("zh", "最贵的那个", "price", MOST, Degree.SUPERLATIVE, 1),
        ("zh", "轻一点的", "weight", LEAST, Degree.COMPARATIVE, 1),
        ("zh", "贵的", "price", MOST, Degree.POSITIVE, 1),
        ("zh", "评分最高的", "rating", MOST, Degree.SUPERLATIVE, 1),
        ("zh", "热量最低的", "calories", LEAST, Degree.SUPERLATIVE, 1),
        ("zh", "最早那趟", "time", LEAST, Degree.SUPERLATIVE, 1),
    ],
)
def test_reads_scale_and_end(
    language: str, text: str, dimension: str, extreme: Extreme, degree: Degree, rank: int
) -> None:
    (span,) = read_superlatives(text, language)
    value = span.best.value
    assert (value.dimension, value.extreme, value.degree, value.rank) == (dimension, extreme, degree, rank)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "at least two"),
        ("en", "something cheaper"),
        ("en", "sooner or later"),
        ("en", "what's the best way to get there"),
        ("en", "Best regards"),
        ("en", "tell me more"),
        ("zh", "最近怎么样"),
        ("zh", "最好能带狗"),
        ("zh", "有没有更便宜的"),
        ("zh", "贵公司"),
        ("zh", "至少两个"),
    ],
)
def test_decoys_are_no_superlatives(language: str, text: str) -> None:
    assert read_superlatives(text, language) == ()


def test_a_word_with_several_scales_has_a_reading_of_each() -> None:
    (span,) = read_superlatives("the fastest", "en")
    assert [(one.value.dimension, one.value.extreme) for one in span.readings][:2] == [
        ("duration", LEAST),
        ("speed", MOST),
    ]
    assert not span.sure


def test_what_no_scale_knows_keeps_its_subject() -> None:
    (span,) = read_superlatives("the one with the highest salinity", "en")
    assert (span.best.value.dimension, span.best.value.subject) == ("", "salinity")


def test_scales_know_the_words_of_all_languages() -> None:
    assert dimension_of("票价") == dimension_of("fare") == "price"
