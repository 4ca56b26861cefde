"""Drafts beside their plans; the faults themselves are planted in ``test_drafts``."""

from __future__ import annotations

from tests.validation.checked_drafts import draft, with_arguments
from wildtool.schemas.draft import Draft
from wildtool.validation.plan import shape
from wildtool.validation.rule import Finding, Subject


def found(whole: Draft) -> tuple[Finding, ...]:
    return shape.run(Subject((whole.session,), draft=whole))


def test_a_plan_that_is_kept_raises_nothing() -> None:
    assert found(draft()) == ()
    assert shape.run(Subject((draft().session,))) == ()  # without a plan there is nothing to compare


def test_a_number_refuses_and_another_spelling_is_doubted() -> None:
    (number,) = found(with_arguments(draft(), 2, 1, seats=4))
    assert (number.task, number.action, number.certainty) == (2, 1, 1.0) and "3 was planned" in number.reason
    (name,) = found(with_arguments(draft(), 0, 0, city="Lyon, France"))
    assert name.certainty is not None and name.certainty < 0.99
    assert found(with_arguments(draft(), 0, 0, city="LYON")) == ()


def test_other_calls_than_planned_are_doubted() -> None:
    whole = draft()
    plan = whole.plan.tasks[0].model_copy(update={"calls": ()})
    tasks = (plan, *whole.plan.tasks[1:])
    (one,) = found(whole.model_copy(update={"plan": whole.plan.model_copy(update={"tasks": tasks})}))
    assert "planned was nothing" in one.reason and one.certainty == 0.6


def test_a_task_that_is_not_written_is_a_fault_of_the_whole() -> None:
    whole = draft()
    fewer = whole.session.model_copy(update={"tasks": whole.session.tasks[:2]})
    (one,) = found(whole.model_copy(update={"session": fewer}))
    assert one.task is None and one.reason == "2 tasks, 4 were planned"
