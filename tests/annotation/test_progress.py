from __future__ import annotations

from typing import Any

import pytest

from wildtool.annotation import Form, project_status
from wildtool.schemas.label import PushedTask


def test_status_counts_people_pace_and_what_is_left(form: Form, say: Any, draft: Any) -> None:
    ledger = [
        PushedTask(
            draft=name, project="r1", server="http://x", project_id=3, task_id=number, interface="h", people=2 - number
        )
        for number, name in enumerate([draft.id, "drf_other"])
    ]
    labels = [
        say(form),
        say(form, annotator="ann_b", updated_at="2024-07-12T22:00:00+00:00"),
        say({}, annotator="ann_c", skipped=True),
    ]
    (status,) = project_status(ledger, labels)
    assert (status.pushed, status.labelled_once, status.labelled_twice, status.left, status.wanted) == (2, 0, 1, 1, 3)
    assert [person.annotator for person in status.people][:2] == ["ann_a", "ann_b"]
    assert status.people[2].skipped == 1
    assert status.labels_a_day == pytest.approx(2)
    assert status.days_left == pytest.approx(0.5)
