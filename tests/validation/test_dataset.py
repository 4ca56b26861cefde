"""Sets of sessions: ids, numbers of tasks, licences."""

from __future__ import annotations

from typing import Any

from tests.validation.findings import found, results
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.release import Outcome


def test_ids_and_task_counts(make: Any) -> None:
    one = make(1)
    assert "another session has the same id" in found([one, one])["ids"]
    longer = one.model_copy(update={"tasks": (*one.tasks, one.tasks[3])})
    assert found([longer])["tasks"] == ["has 5 tasks, not 1 to 4"]
    assert "tasks" not in found([longer], ReleaseContext(tasks_per_session=5))


def test_licences(make: Any) -> None:
    session = make(1)
    assert found([session], ReleaseContext(licences={session.tool_list: "MIT"})) == {}
    assert "has no licence" in found([session], ReleaseContext(licences={session.tool_list: " "}))["licences"][0]
    assert "has no licence" in found([session], ReleaseContext(licences={}))["licences"][0]


def test_licences_that_are_not_at_hand_are_unknown(make: Any) -> None:
    result = results([make(1)])["licences"]
    assert result.outcome is Outcome.UNKNOWN and result.ok and result.unknown
