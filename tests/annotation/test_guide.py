from __future__ import annotations

from enum import StrEnum
from importlib.resources import files

import pytest

from wildtool.annotation.form import interface
from wildtool.annotation.label_studio.guide import DOCUMENT, MEANINGS, instructions, rendered
from wildtool.schemas.vocabulary import HiddenIntentKind, TaskType, Topology


def test_the_instructions_hold_the_guide_as_it_is_documented() -> None:
    kept = files("wildtool.annotation.label_studio").joinpath("guide.html").read_text(encoding="utf-8")
    assert kept == rendered(DOCUMENT.read_text(encoding="utf-8")), (
        "run python -m wildtool.annotation.label_studio.guide"
    )
    shown = instructions("https://example.org/guide?a=1&b=2")
    assert 'href="https://example.org/guide?a=1&amp;b=2"' in shown
    for word in ("sequential", "parallel", "mixed", "coreference", "long_range", "Must wait for", "Other right values"):
        assert word in shown
    assert "PostgreSQL" not in shown
    assert "<img" not in shown
    assert "href" not in instructions()


def test_every_type_topology_and_kind_has_a_meaning() -> None:
    assert {*TaskType, *Topology, *HiddenIntentKind} == set(MEANINGS)
    shown = instructions()
    for term, meaning in MEANINGS.items():
        assert f"<i>{term}</i> {meaning.partition(chr(34))[0]}" in shown


def test_a_kind_of_another_package_is_listed_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = StrEnum("kinds", {**{kind.name: kind.value for kind in HiddenIntentKind}, "IRONY": "irony"})  # type: ignore[misc]
    monkeypatch.setattr(interface, "HiddenIntentKind", kinds)
    assert "<i>irony</i>." in instructions()
