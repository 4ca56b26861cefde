"""Labels that do not hold: what waits to be labelled again, and what a failed change overrules."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wildtool.annotation import failed_labels, open_failures, standing
from wildtool.annotation.form.annotation import Form
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined

BROKEN = {"t1_c1_arguments": ["{broken"]}


@pytest.fixture
def failing(form: Form, say: Any) -> Any:
    def submit(moment: str = "10:00", **changes: Any) -> Quarantined:
        row = say({**form, **BROKEN}, updated_at=f"2024-07-12T{moment}:00+00:00", **changes)
        assert isinstance(row, Quarantined)
        return row

    return submit


def _moved(label: Any, project: int) -> Label:
    assert isinstance(label, Label)
    return label.model_copy(update={"project_id": project})


def test_a_failed_label_says_whose_it_is_and_why(failing: Any, draft: Any) -> None:
    (failed,) = failed_labels([failing(annotator="ann_x", id=9)])
    assert (failed.draft, failed.annotator, failed.annotation_id, failed.project_id) == (draft.id, "ann_x", 9, 3)
    assert failed.reason.startswith("task 1 c1: arguments")


def test_only_the_newest_state_of_an_annotation_counts(failing: Any) -> None:
    rows = [failing("11:00", annotator="later"), failing("10:00", annotator="earlier")]
    assert [failed.annotator for failed in failed_labels(rows)] == ["later"]


def test_it_is_answered_in_place_or_in_another_project(form: Form, say: Any, failing: Any) -> None:
    failed = failed_labels([failing("10:00")])
    assert open_failures(failed, []) == failed
    assert (
        open_failures(failed, [say(form, updated_at="2024-07-12T09:00:00+00:00")]) == failed
    )  # mended before it broke
    assert open_failures(failed, [say(form, updated_at="2024-07-12T11:00:00+00:00")]) == []
    again = _moved(say(form, id=7, annotator="ann_b", updated_at="2024-07-12T11:00:00+00:00"), 4)
    assert open_failures(failed, [again]) == []
    assert open_failures(failed, [again.model_copy(update={"round": 2})]) == failed


def test_one_answer_answers_one_failure(form: Form, say: Any, failing: Any) -> None:
    both = failed_labels([failing("10:00", id=1), failing("10:05", id=2, annotator="ann_b")])
    again = _moved(say(form, id=7, updated_at="2024-07-12T11:00:00+00:00"), 4)
    assert [each.annotation_id for each in open_failures(both, [again])] == [2]


def test_an_answer_that_fails_in_its_turn_is_the_one_that_is_open(form: Form, say: Any, failing: Any) -> None:
    first, second = failed_labels([failing("10:00"), failing("10:30", id=2)])
    second = second.model_copy(update={"project_id": 4})
    assert open_failures([first, second], []) == [second]
    again = _moved(say(form, id=7, updated_at="2024-07-12T11:00:00+00:00"), 5)
    assert open_failures([first, second], [again]) == []


def test_a_label_that_was_changed_to_something_that_fails_stands_no_more(form: Form, say: Any, failing: Any) -> None:
    good = say(form, updated_at="2024-07-12T09:00:00+00:00")
    other = say(form, id=2, annotator="ann_b", updated_at="2024-07-12T09:00:00+00:00")
    assert standing([good, other], failed_labels([failing("10:00")])) == [other]
    mended = say(form, updated_at="2024-07-12T11:00:00+00:00")
    assert standing([mended, other], failed_labels([failing("10:00")])) == [mended, other]


def test_annotations_of_strangers_are_no_failures(failing: Any) -> None:
    stranger = failing().model_copy(update={"step": "match", "reason": "unknown_draft"})
    assert failed_labels([stranger]) == []


def test_rows_of_0_1_0_are_still_read(failing: Any, draft: Any) -> None:
    """0.1.0 kept Label Studio's annotation as the server listed it, with its own way to write a time."""
    raw = json.dumps(
        {
            "project": 3,
            "annotator": "ann_a",
            "round": 1,
            "annotation": {"id": 9, "result": [], "updated_at": "2024-07-12T10:00:00.5Z", "completed_by": 1},
        }
    )
    (failed,) = failed_labels([failing().model_copy(update={"raw": raw})])
    assert (failed.annotation_id, failed.project_id) == (9, 3)
    assert failed.updated_at == "2024-07-12T10:00:00.5+00:00"
