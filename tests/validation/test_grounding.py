"""Grounding: invented values, arguments nobody asked for, traces that lead nowhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.validation.findings import Case, cases, found, results
from wildtool.schemas.session import ValueSource


@cases("grounding", "optional")
def test_a_planted_defect_is_found(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(
    ("source", "good"),
    [
        (ValueSource(argument="city", kind="user", task=0, quote="Perth"), True),
        (ValueSource(argument="city", kind="user", task=0, quote="Bordeaux"), False),
        (ValueSource(argument="town", kind="user", task=0), False),
        (ValueSource(argument="city", kind="observation", task=0, action=0, path="city"), False),
    ],
)
def test_a_trace_is_doubted_where_it_does_not_hold(make: Any, source: ValueSource, good: bool) -> None:
    session = make(4)
    call = session.tasks[0].actions[0].model_copy(update={"trace": (source,)})
    task = session.tasks[0].model_copy(update={"actions": (call, *session.tasks[0].actions[1:])})
    traced = session.model_copy(update={"tasks": (task, *session.tasks[1:])})
    assert ("traces" not in found([traced])) is good
    assert not results([traced])["traces"].failures  # a corrected argument may have outrun its trace
