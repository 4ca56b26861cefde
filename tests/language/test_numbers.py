"""Numbers in digits, in words and in Chinese signs."""

from __future__ import annotations

import pytest

from wildtool.language.folding import in_place
from wildtool.language.numbers import parse_number, read_numbers
from wildtool.schemas.errors import RegistryError

_EN = {
    "0": 0, "7": 7, "1,050.75": 1050.75, "1,234,567": 1234567, "12,50,000": 1250000, "10 000": 10000, "45k": 45000,
    "3.2K": 3200, "2 million": 2e6, "1.5bn": 1.5e9, "-5": -5, "minus five": -5, "negative 3.5": -3.5, "½": 0.5, "1½": 1.5,
    "1 1/2": 1.5, "3/4": 0.75, "twenty-five": 25, "twenty five": 25, "two hundred and five": 205, "a hundred": 100,
    "a hundred and one": 101, "twelve hundred": 1200, "one hundred and twenty-three thousand four hundred and fifty-six": 123456,
    "five hundred thousand": 500000, "a dozen": 12, "half a dozen": 6, "two dozen": 24, "a couple": 2, "baker's dozen": 13,
    "a gross": 144, "half a million": 500000, "a quarter of a million": 250000, "two and a half million": 2.5e6,
    "three and a half": 3.5, "two thirds": 2 / 3, "three quarters": 0.75, "three point five": 3.5, "zero": 0,
    "one and a half": 1.5, "a couple hundred": 200, "３５": 35, "2 lakh": 200000,
}  # fmt: skip
_ZH = {
    "零": 0, "两": 2, "俩": 2, "仨": 3, "十": 10, "十二": 12, "二十": 20, "廿": 20, "廿三": 23, "卅": 30, "一百五": 150,
    "一百零五": 105, "三千五": 3500, "三千零五十": 3050, "两百五十六": 256, "一万五": 15000, "两百三十万": 2300000,
    "十万零八百": 100800, "一亿": 1e8, "1.2亿": 1.2e8, "3千5": 3500, "2万5千": 25000, "3w": 30000, "三点五": 3.5, "半": 0.5,
    "十二点五": 12.5, "二〇二四": 2024, "三分之一": 1 / 3, "零下十五": -15, "负三": -3, "壹佰": 100, "１２": 12,
    "一千零一": 1001, "九千九百九十九亿九千九百九十九万九千九百九十九": 999999999999, "1,200": 1200, "两千多万": 2e7,
    "三百六十五点二五": 365.25, "一万两千": 12000, "2亿4500万": 245000000,
}  # fmt: skip


@pytest.mark.parametrize(("word", "value"), _EN.items())
def test_parses_english_numerals(word: str, value: float) -> None:
    assert parse_number(word, "en") == pytest.approx(value)


@pytest.mark.parametrize(("word", "value"), _ZH.items())
def test_parses_chinese_numerals(word: str, value: float) -> None:
    assert parse_number(word, "zh") == pytest.approx(value)


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", ""), ("en", "apple"), ("en", "3 apples"), ("en", "3.11.2"), ("en", "BA117"), ("en", "second"), ("en", "two three"),
     ("zh", ""), ("zh", "苹果"), ("zh", "三个"), ("zh", "百货"), ("zh", "万一"), ("zh", "七八")],
)  # fmt: skip
def test_refuses_what_is_no_whole_numeral(language: str, word: str) -> None:
    assert parse_number(word, language) is None


@pytest.mark.parametrize(
    ("language", "text", "values"),
    [
        ("en", "two adults, three kids", [2, 3]),
        ("en", "3-4 days", [3, 4]),
        ("en", "six foot two", [6, 2]),
        ("en", "nothing here", []),
        ("en", "version 3.11.2 of BA117", []),
        ("zh", "八两米饭", [8]),
        ("zh", "两年零三个月", [2, 3]),
        ("zh", "一下千万别一起", []),
        ("zh", "来三个 americano", [3]),
    ],
)
def test_finds_numbers_in_order(language: str, text: str, values: list[float]) -> None:
    read = [span.best.value for span in read_numbers(text, language)]
    assert read[: len(values)] == values
    assert values or not read


def test_a_spread_or_a_doubtful_suffix_has_two_readings() -> None:
    (spread,) = read_numbers("七八十", "zh")
    assert [reading.value for reading in spread.readings] == [70, 80] and spread.ambiguous
    (short,) = read_numbers("5m", "en")
    assert {reading.value for reading in short.readings} == {5, 5_000_000}


@pytest.mark.parametrize("text", ["Ｔｗｏ　ｅｇｇｓ", "５０％", "İstanbul", "ﬁve", "①②", "½ cup", "é́"])
def test_folding_moves_no_character(text: str) -> None:
    assert len(in_place(text)) == len(text)


def test_unknown_language() -> None:
    with pytest.raises(RegistryError):
        read_numbers("two", "xx")
