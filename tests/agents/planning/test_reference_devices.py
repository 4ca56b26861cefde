"""Devices that depend on the value referred to."""

from __future__ import annotations

import pytest

from wildtool.agents.planning.reference_devices import abbreviation
from wildtool.schemas.plan import PlannedArgument
from wildtool.schemas.vocabulary import Language


@pytest.mark.parametrize(
    ("parameter", "words", "language", "short"),
    [
        ("artistName", "Glass Garden", Language.EN, "GG"),
        ("contactName", "Peter Novak", Language.EN, "Peter"),
        ("country", "United States", Language.EN, None),
        ("artistName", "Adele", Language.EN, None),
        ("keyword", "Night Trains", Language.EN, None),
        ("teamName", "北京国安", Language.ZH, "国安"),
        ("companyName", "顺达物流", Language.ZH, "顺达"),
        ("contactName", "刘思雨", Language.ZH, "思雨"),
        ("city", "乌鲁木齐", Language.ZH, None),
    ],
)
def test_names_have_short_forms(parameter: str, words: str, language: Language, short: str | None) -> None:
    said = PlannedArgument(parameter=parameter, source="user", value=words, words=words)
    assert abbreviation(said, language) == short
