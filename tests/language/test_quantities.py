"""Quantities in expressions that native speakers would use (quantities_*.tsv: text, expected) and in the foreign rows."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.rows import check_rows
from wildtool.language.quantities import Quantity, read_quantities
from wildtool.language.units import convert, dimension, unit_of
from wildtool.schemas.errors import RegistryError

_HERE = Path(__file__).parent
_FOREIGN = _HERE.parents[2] / "shared/data/foreign/language/quantities.jsonl"
_CLOSE = 2e-4


def _rows(language: str) -> list[Any]:
    lines = (_HERE / f"quantities_{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [(*line.split("\t"), language) for line in lines]


def _expected(text: str) -> list[tuple[str, tuple[float, ...], str]]:
    """Quantities of the table's second column: "<=200 USD; 3..5 day; 2 #" (# is any thing that is counted, - no unit)."""
    found = []
    for one in filter(None, text.split("; ")):
        number, _, unit = one.partition(" ")
        sign = number[: len(number) - len(number.lstrip("<>="))]
        ends = tuple(float(end) for end in number[len(sign) :].split(".."))
        found.append(("range" if len(ends) > 1 else sign or "=", ends, unit))
    return found


def _is(one: Quantity, relation: str, ends: tuple[float, ...], unit: str) -> bool:
    values = one.value if isinstance(one.value, tuple) else (one.value,)
    if one.relation != relation or len(values) != len(ends):
        return False
    if unit not in ("#", "-", one.unit):
        turned = [convert(value, one.unit or "", unit) for value in values]
        if None in turned:
            return False
        values = tuple(value for value in turned if value is not None)
    if unit == "-" and one.unit is not None:
        return False
    return all(abs(a - b) <= max(_CLOSE, _CLOSE * abs(b)) for a, b in zip(values, ends, strict=True))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_reads_what_a_native_speaker_says(language: str) -> None:
    check_rows(_rows(language), _reads)


def _reads(text: str, expected: str, language: str) -> None:
    spans = read_quantities(text, language)
    read = [span.best.value for span in spans if span.best.certainty >= 0.5]
    wanted = _expected(expected)
    assert len(read) == len(wanted), read
    for relation, ends, unit in wanted:
        assert any(_is(one, relation, ends, unit) for one in read), (relation, ends, unit, read)


@pytest.mark.skipif(not _FOREIGN.exists(), reason="the foreign rows are not beside this checkout")
def test_foreign_rows_agree_and_sure_readings_are_right() -> None:
    from benchmarks.language.quantities import judge

    rows = [json.loads(line) for line in _FOREIGN.read_text(encoding="utf-8").splitlines()]
    judged = [(row, *judge(row)) for row in rows]
    assert not [row["text"] for row, agree, sure in judged if sure and not agree]
    for language in ("en", "zh"):
        agreed = [agree for row, agree, _ in judged if row["language"] == language]
        assert sum(agreed) / len(agreed) >= 0.95


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "No more than $200, please", "No more than $200"),
        ("en", "I’ll take “3” pizzas at £9.50 each", "£9.50"),
        ("zh", "预算不超过３００元", "不超过３００元"),
        ("zh", "咱仨来两斤半虾", "两斤半"),
    ],
)
def test_offsets_are_those_of_the_text_as_given(language: str, text: str, said: str) -> None:
    spans = read_quantities(text, language)
    assert said in [text[span.start : span.end] for span in spans]
    assert all(span.text == text[span.start : span.end] for span in spans)


@pytest.mark.parametrize(
    ("language", "text", "approx"),
    [
        ("en", "about forty guests", True),
        ("en", "forty guests", False),
        ("en", "40-odd guests", True),
        ("zh", "大概二十个人", True),
        ("zh", "二十个人左右", True),
        ("zh", "二十来个人", True),
        ("zh", "二十个人", False),
    ],
)
def test_tells_about(language: str, text: str, approx: bool) -> None:
    (span,) = read_quantities(text, language)
    assert span.best.value.approx is approx


@pytest.mark.parametrize(("language", "text"), [("en", "five pounds"), ("zh", "十几个人")])
def test_asks_back_where_nothing_decides(language: str, text: str) -> None:
    (span,) = read_quantities(text, language)
    assert span.ambiguous and not span.sure


def test_a_word_with_two_units_keeps_both_readings() -> None:
    (span,) = read_quantities("five pounds", "en")
    assert {reading.value.unit for reading in span.readings} == {"GBP", "lb"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "text", ["", " ", "1" * 5000, "5 " * 2000, "a " * 5000, "one " * 2000, "二" * 5000, "我和" * 2000, "百万" * 2000]
)
def test_reads_any_text_in_linear_time(language: str, text: str) -> None:
    begun = time.perf_counter()
    read_quantities(text, language)
    assert time.perf_counter() - begun < 10


def test_unknown_language() -> None:
    with pytest.raises(RegistryError):
        read_quantities("two eggs", "xx")


def test_units_convert_within_what_they_measure() -> None:
    assert convert(2, "mile", "km") == pytest.approx(3.218688)
    assert convert(1.5, "jin", "g") == pytest.approx(750)
    assert convert(212, "°F", "°C") == pytest.approx(100)
    assert convert(27, "month", "year") == pytest.approx(2.25)
    assert convert(1, "month", "day") is None
    assert convert(1, "kg", "m") is None
    assert convert(1, "USD", "EUR") is None
    assert convert(3, "USD", "USD") == 3


def test_units_have_names_in_each_language() -> None:
    assert unit_of("Kilometres", "en") == "km"
    assert unit_of("公里", "zh") == "km"
    assert unit_of("$", "en") == "USD"
    assert unit_of("egg", "en") is None
    assert dimension("jin") == "mass" and dimension("°C") == "temperature" and dimension("USD") is None
