from __future__ import annotations

from dataclasses import replace
from importlib.resources import files

import pytest

from wildtool.annotation.label_studio import guide
from wildtool.annotation.label_studio.guide import DOCUMENT, MEANINGS, instructions, rendered
from wildtool.grounding import hidden_intents
from wildtool.grounding.hidden_intents import hidden_intent, hidden_intent_kinds
from wildtool.schemas.errors import SettingsError
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
    assert {*TaskType, *Topology} == set(MEANINGS)
    shown = instructions()
    for term, meaning in {**MEANINGS, **{kind: spec.meaning for kind, spec in hidden_intent_kinds().items()}}.items():
        assert meaning
        assert f"<i>{term}</i> {meaning.partition(chr(34))[0]}" in shown


def test_a_kind_whose_spec_gives_no_meaning_is_listed_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guide, "hidden_intent", lambda kind: replace(hidden_intent(kind), meaning=""))
    assert "<i>long_range</i>." in instructions()


def test_a_kind_that_nobody_registered_stops_the_instructions(monkeypatch: pytest.MonkeyPatch) -> None:
    without = {kind: spec for kind, spec in hidden_intent_kinds().items() if kind is not HiddenIntentKind.LONG_RANGE}
    monkeypatch.setattr(hidden_intents, "hidden_intent_kinds", lambda: without)
    with pytest.raises(SettingsError, match=r"long_range.*not registered"):
        instructions()
