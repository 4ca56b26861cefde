"""Pointing at items of lists that were shown."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grounding import pointing_cases_en, pointing_cases_zh
from wildtool.grounding.pointing import Aim, Pointing, ShownList, resolve


def _cases(module: Any, language: str) -> list[Any]:
    return [
        pytest.param(language, module.LISTS[key], *line.rsplit(" => ", 1), id=f"{key}: {line}")
        for key, lines in module.CASES.items()
        for line in lines.strip().splitlines()
    ]


def _said(found: Pointing) -> str:
    if found.aim is Aim.ITEM:
        return f"{found.list}.{found.item}"
    return "?" if found.aim is Aim.AMBIGUOUS else "-"


CASES = [*_cases(pointing_cases_en, "en"), *_cases(pointing_cases_zh, "zh")]


@pytest.mark.parametrize(("language", "lists", "text", "wanted"), CASES)
def test_reads_what_native_speakers_say(language: str, lists: Any, text: str, wanted: str) -> None:
    found = resolve(text, [ShownList(name, tuple(items)) for name, items in lists], language)
    assert _said(found) == (f"0.{wanted}" if wanted.isdigit() else wanted), found
