from __future__ import annotations

from typing import Any

import pytest

from wildtool.annotation import Form, decode_annotation, draft_form, encode_draft
from wildtool.annotation.label_studio.interface import LabelStudioInterface, data_keys
from wildtool.annotation.label_studio.results import (
    form_result,
    read_annotation,
    result_form,
    task_json,
    validation_errors,
)
from wildtool.schemas.draft import Draft
from wildtool.schemas.quarantine import Quarantined


def test_a_prediction_validates_offline_and_a_wrong_one_does_not(draft: Draft, interface: LabelStudioInterface) -> None:
    task = task_json(encode_draft(draft, interface.spec), interface)
    assert set(data_keys(interface.spec)) <= set(task["data"])
    assert task["data"]["uid"] == draft.id
    assert task["data"]["doubts"] == 1
    assert "found nowhere" in task["data"]["t3_c1_doubt"]
    assert task["predictions"][0]["score"] == 0.5
    assert validation_errors(task["predictions"][0], interface) == []
    broken = {"result": form_result({**draft_form(draft, interface.spec), "t1_colour": ["red"]})}
    assert any("t1_colour" in error for error in validation_errors(broken, interface))


def test_forms_survive_label_studio_results(draft: Draft, interface: LabelStudioInterface) -> None:
    form = draft_form(draft, interface.spec)
    assert result_form(form_result(form)) == form


def _annotation(form: Form, **changes: Any) -> dict[str, Any]:
    return {
        "id": 4,
        "result": form_result(form),
        "updated_at": "2024-07-12T10:00:00.000000Z",
        "lead_time": 3,
        **changes,
    }


def test_an_annotation_is_read_as_it_is_listed(form: Form) -> None:
    read = read_annotation(_annotation(form), "anna@example.org")
    assert (read.id, read.author, read.form, read.broken) == (4, "anna@example.org", form, None)
    assert (read.updated_at, read.lead_seconds, read.skipped) == ("2024-07-12T10:00:00.000000+00:00", 3, False)
    assert read_annotation(_annotation({}, was_cancelled=True), "").skipped


def test_keys_that_a_slip_of_the_hand_pressed_are_dropped(form: Form) -> None:
    stray = {"from_name": "stray_keys", "value": {"choices": ["1", "a"]}}
    assert result_form([*form_result(form), stray]) == form


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"a": 1}, "not a list"),
        (["x"], "region 0"),
        ([{"id": "x", "type": "rectangle"}], "region 0"),
        ([{"from_name": "t1_type", "value": {"text": ["multi"]}}], "neither choices nor text"),
        ([{"from_name": "t1_user", "value": {"text": 5}}], "neither text nor a list"),
    ],
)
def test_results_of_strangers_are_broken_and_not_a_crash(
    draft: Draft, interface: LabelStudioInterface, form: Form, result: Any, words: str
) -> None:
    read = read_annotation(_annotation(form, result=result), "ann")
    assert words in (read.broken or "")
    row = decode_annotation(read, draft, interface, project_id=1, annotator="ann_a")
    assert isinstance(row, Quarantined)
    assert row.reason == "broken_result"
    assert words in row.detail
