"""Values of single fields, and the names of the things that hold them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from wildtool.schemas.json_schema import fits
from wildtool.worlds.fields import in_step, label_of, listed, number, vary


@pytest.mark.parametrize(
    ("item", "label"),
    [
        ({"id": "7", "name": "Old Harbour"}, "Old Harbour"),
        ({"name": "x", "title": "Song"}, "Song"),
        ({"trackTitle": "Song", "city": "Lyon"}, "Song"),
        ({"name": 7, "city": "Lyon"}, "Lyon"),
        ({"title": "t" * 61}, None),
        ({"id": "7"}, None),
    ],
)
def test_things_are_called_by_their_most_telling_field(item: dict[str, Any], label: str | None) -> None:
    assert label_of(item) == label


def test_examples_are_plain_values_and_nobodys_address() -> None:
    schema = {"examples": ["ann@corp.com", "desk@example.org", {"a": 1}, [2], 3]}
    assert listed(schema) == ["desk@example.org", 3]
    assert listed({"example": 5}) == [5]
    assert listed({}) == []


@pytest.mark.parametrize("kind", ["integer", "number"])
@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"minimum": 10, "maximum": 12},
        {"exclusiveMinimum": 3, "maximum": 4},
        {"minimum": 0, "maximum": 5, "multipleOf": 3},
        {"minimum": 7, "maximum": 20, "multipleOf": 5},
        {"minimum": 1_000_000},
    ],
)
def test_numbers_keep_within_the_schema(kind: str, bounds: dict[str, Any]) -> None:
    schema = {"type": kind, **bounds}
    for seed in range(40):
        value = number(schema, kind, Random(seed))
        assert fits(value, schema), value


def test_varied_values_keep_their_form() -> None:
    assert vary(True, Random(1)) is True
    assert vary("no digits", Random(1)) == "no digits"
    code = vary("LN-3021", Random(1))
    assert code != "LN-3021" and code[:3] == "LN-" and code[3:].isdigit() and len(code) == 7
    assert isinstance(vary(12, Random(1)), int) and isinstance(vary(1.5, Random(1)), float)


def test_addresses_end_in_the_code_of_their_own_thing() -> None:
    fields = {"code": {"examples": ["a1", "b2"]}, "link": {}}
    thing = {"code": "b2", "link": "https://example.org/x/a1"}
    in_step(thing, fields)
    assert thing["link"] == "https://example.org/x/b2"
    other = {"code": "b2", "link": "https://example.org/x/zz"}
    in_step(other, fields)
    assert other["link"] == "https://example.org/x/zz"
