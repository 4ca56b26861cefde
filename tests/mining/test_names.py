"""Names of persons by a pipeline: what is said where it is not there, and a real one that was saved to a folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from wildtool.mining.pipeline import MiningSettings, mine
from wildtool.mining.privacy import scrub_texts
from wildtool.mining.privacy.models import name_finder
from wildtool.schemas.errors import InputError


@pytest.fixture
def pipeline(tmp_path: Path) -> str:
    """A folder with a pipeline that knows two persons, a place, and no grammar."""
    spacy = pytest.importorskip("spacy", reason="needs wildtool[names]")
    made = spacy.blank("en")
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Zebediah Quill"},
            {"label": "PER", "pattern": "Morwenna"},
            {"label": "GPE", "pattern": "Lisbon"},
        ]
    )
    made.to_disk(tmp_path / "pipeline")
    return str(tmp_path / "pipeline")


def test_without_spacy_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(InputError, match="need spaCy") as caught:
        name_finder(("en_core_web_sm",))
    assert "wildtool[names]" in str(caught.value.remedy)


def test_no_pipelines_cost_nothing() -> None:
    assert name_finder(()) is None


def test_a_pipeline_finds_names_that_have_no_cue(pipeline: str) -> None:
    texts = ["lunch with Zebediah Quill in Lisbon", "Noted. Is Morwenna coming?", "ask Quill"]
    scrubbed = scrub_texts(texts, names=name_finder((pipeline,)))
    assert scrubbed.texts == ("lunch with [NAME_1] in Lisbon", "Noted. Is [NAME_2] coming?", "ask [NAME_1]")


def test_a_name_never_runs_from_one_message_into_the_next(pipeline: str) -> None:
    assert scrub_texts(["Zebediah", "Quill"], names=name_finder((pipeline,))).texts == ("Zebediah", "Quill")


def test_what_is_no_pipeline_or_finds_no_persons(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy", reason="needs wildtool[names]")
    with pytest.raises(InputError, match="cannot load the pipeline nowhere_sm"):
        name_finder(("nowhere_sm",))
    spacy.blank("en").to_disk(tmp_path / "bare")
    with pytest.raises(InputError, match="finds no persons"):
        name_finder((str(tmp_path / "bare"),))


def test_mining_uses_it(pipeline: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    said = "book a table for Zebediah Quill in Lisbon tonight"
    log.write_text(json.dumps({"messages": [{"role": "user", "content": said}]}) + "\n", encoding="utf-8")
    assert mine([str(log)]).personal == {}
    assert mine([str(log)], settings=MiningSettings(names=(pipeline,))).personal == {"NAME": 1}
