"""Short forms of names, by the rules of each language."""

from __future__ import annotations

import pytest

from wildtool.language.short_names import Bearer, short_label, short_name


@pytest.mark.parametrize(
    ("name", "bearer", "language", "short"),
    [
        ("Glass Garden", "other", "en", "GG"),
        ("Peter Novak", "person", "en", "Peter"),
        ("Glass garden", "other", "en", None),
        ("Adele", "other", "en", None),
        ("The Very Long Name Of", "other", "en", None),
        ("United States", "other", "en", None),  # US is the name of something, too
        ("北京国安", "team", "zh", "国安"),
        ("顺达物流", "other", "zh", "顺达"),
        ("刘思雨", "person", "zh", "思雨"),
        ("刘思", "person", "zh", None),
        ("乌鲁木齐", "city", "zh", None),
        ("AB物流", "other", "zh", None),
    ],
)
def test_short_names(name: str, bearer: Bearer, language: str, short: str | None) -> None:
    assert short_name(name, bearer, language) == short


@pytest.mark.parametrize(
    ("label", "others", "language", "short"),
    [
        ("Aurora Air 214", ["Polar Air 9"], "en", "Aurora"),
        ("Aurora Air 214", ["Aurora Air 9"], "en", None),
        ("The Grand", [], "en", None),
        ("Aurora", [], "en", None),
        ("北光酒店", ["银门酒店"], "zh", "北光"),
        ("北光酒店", ["北光公寓"], "zh", None),
        ("Aurora", ["", " "], "en", None),
    ],
)
def test_short_labels(label: str, others: list[str], language: str, short: str | None) -> None:
    assert short_label(label, others, language) == short
