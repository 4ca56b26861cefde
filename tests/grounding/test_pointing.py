"""Pointing at items of lists that were shown."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rows import check_rows
from wildtool.grounding.pointing import Aim, Pointing, ShownList, resolve
from wildtool.schemas.errors import RegistryError

HERE = Path(__file__).parent
FOREIGN = HERE.parents[2] / "shared" / "data" / "foreign" / "language" / "pointing.jsonl"
LANGUAGES = ("en", "zh")
HOTELS = [
    ShownList(
        "hotels",
        (
            {"name": "Hotel Aurora", "price": 120, "rating": 4.2},
            {"name": "Bay Inn", "price": 85, "rating": 3.9},
            {"name": "Cedar Lodge", "price": 140, "rating": 4.7},
        ),
    )
]


def _rows(language: str) -> Iterator[tuple[list[ShownList], dict[str, str]]]:
    """Lists, and the answers by text: "list.item", "?" for ambiguous, "-" for nothing."""
    for line in (HERE / f"pointing_{language}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield [ShownList(each["name"], tuple(each["items"])) for each in row["lists"]], row["cases"]


def _said(found: Pointing) -> str:
    if found.aim is Aim.ITEM:
        return f"{found.list}.{found.item}"
    return "?" if found.aim is Aim.AMBIGUOUS else "-"


@pytest.mark.parametrize("language", LANGUAGES)
def test_native_speakers_are_read_and_most_right_readings_are_sure(language: str) -> None:
    readings: list[tuple[Pointing, str]] = []

    def reads(_: str, text: str, lists: list[ShownList], wanted: str) -> None:
        found = resolve(text, lists, language)
        readings.append((found, wanted))
        assert _said(found) == wanted, found

    rows = (
        (f"{lists[0].name}: {text}", text, lists, wanted)
        for lists, cases in _rows(language)
        for text, wanted in cases.items()
    )
    check_rows(rows, reads)
    right = [found for found, wanted in readings if _said(found) == wanted]
    assert sum(found.sure for found in right) >= 0.7 * len(right)
    assert not [found for found, wanted in readings if found.sure and _said(found) != wanted]


@pytest.mark.skipif(not FOREIGN.is_file(), reason="../shared with the foreign corpora is absent")
@pytest.mark.parametrize("language", LANGUAGES)
def test_foreign_rows(language: str) -> None:
    rows: list[dict[str, Any]] = [json.loads(line) for line in FOREIGN.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["language"] == language]
    right = sure_wrong = 0
    for row in rows:
        found = resolve(row["text"], [ShownList(one["name"], tuple(one["items"])) for one in row["lists"]], language)
        wanted = row["expected"]
        answer = "-" if wanted is None else "?" if wanted == "ambiguous" else f"{wanted['list']}.{wanted['item']}"
        right += _said(found) == answer
        sure_wrong += found.sure and _said(found) != answer
    assert right >= 0.95 * len(rows)
    assert not sure_wrong


def test_the_result_names_list_item_and_candidates() -> None:
    assert resolve("the cheapest", HOTELS, "en") == Pointing(Aim.ITEM, 0.995, 0, 1)
    assert resolve("the other one", HOTELS, "en").candidates == (0, 1, 2)
    assert resolve("the first or the last", HOTELS, "en").candidates == (0, 2)
    nothing = resolve("my last laptop died", HOTELS, "en")
    assert (nothing.aim, nothing.list, nothing.item) == (Aim.NOTHING, None, None)


def test_no_list_and_no_text_point_at_nothing() -> None:
    assert resolve("the first one", [], "en").aim is Aim.NOTHING
    assert resolve("", HOTELS, "en").aim is Aim.NOTHING
    assert resolve("the first one", [ShownList("hotels", ())], "en").item is None


def test_the_newest_list_that_has_the_item_counts() -> None:
    lists = [*HOTELS, ShownList("cafes", ("Mocha Mill", "Bean There"))]
    assert _said(resolve("the first one", lists, "en")) == "1.0"
    assert _said(resolve("the third one", lists, "en")) == "0.2"
    assert _said(resolve("the cheapest one", lists, "en")) == "0.1"


def test_units_of_field_and_text_may_differ() -> None:
    bags = [
        ShownList(
            "bags", ({"name": "A", "weight_g": 900}, {"name": "B", "weight": "1.4 kg"}, {"name": "C", "weight_g": 2000})
        )
    ]
    assert _said(resolve("the 2 kg one", bags, "en")) == "0.2"


def test_items_of_any_shape_are_read() -> None:
    odd = [ShownList("things", (None, 3, "Lamp", {"name": None}, {"nested": {"price": 5}}, ["a", "b"]))]
    assert _said(resolve("the lamp", odd, "en")) == "0.2"
    assert _said(resolve("the fourth one", odd, "en")) == "0.3"


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(RegistryError):
        resolve("the first", HOTELS, "xx")


def test_long_texts_take_linear_time() -> None:
    resolve("the first one", HOTELS, "en")
    spent = []
    for size in (100, 400):
        begun = time.perf_counter()
        resolve("the very first of the last one two 3 and " * size, HOTELS, "en")
        spent.append(time.perf_counter() - begun)
    assert spent[1] < 12 * spent[0] + 0.25
