"""Measures of agreement; alpha against the package ``krippendorff``, through labels as people submit them."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from wildtool.annotation import (
    ErrorRates,
    Form,
    Interface,
    SimulatedAnnotator,
    measure_agreement,
)
from wildtool.annotation.agreement.measures import _alpha
from wildtool.annotation.simulated import simulated_form
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Task
from wildtool.schemas.vocabulary import Decision, TaskType

TYPES = list(TaskType)
NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


def task(kind: TaskType) -> Task:
    return Task(user="x", type=kind, topology="mixed" if kind is TaskType.MULTI else None, actions=(Answer(text="y"),))


def label(session: str, annotator: str, decision: Decision, types: Sequence[TaskType] = ()) -> Label:
    return Label.of(
        draft=f"drf_{session}",
        session=session,
        annotator=annotator,
        simulated=True,
        project_id=1,
        annotation_id=1,
        interface="0" * 16,
        updated_at="2026-01-02T03:04:05+00:00",
        decision=decision,
        tasks=tuple(map(task, types)),
    )


def oracle(units: Sequence[Sequence[int]]) -> float:
    """Nominal alpha by the package: how often each value was given, by unit; those that one person judged drop out."""
    counts = np.array([[unit.count(value) for value in range(4)] for unit in map(list, units)])
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=5), min_size=1, max_size=12))
@settings(max_examples=examples(60), deadline=None)
def test_alpha_of_decisions(units: list[list[int]]) -> None:
    decisions = (Decision.ACCEPT, Decision.REJECT)
    labels = [
        label(f"ses_{number:02}", f"ann_{place}", decisions[value])
        for number, unit in enumerate(units)
        for place, value in enumerate(unit)
    ]
    figure = measure_agreement(labels, resamples=10).alpha["decision"]
    shared = [unit for unit in units if len(unit) > 1]
    if len({value for unit in shared for value in unit}) < 2:
        assert figure.value is None and figure.undefined
        return
    assert figure.value == pytest.approx(oracle(shared)) and figure.n == len(shared)
    assert figure.value == pytest.approx(oracle(units))


@given(
    st.lists(
        st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=2, max_size=4), min_size=2, max_size=6
    )
)
@settings(max_examples=examples(60), deadline=None)
def test_alpha_of_types_counts_every_task(sessions: list[list[list[int]]]) -> None:
    """By session and person, the types of three tasks."""
    labels = [
        label(f"ses_{number:02}", f"ann_{place}", Decision.ACCEPT, [TYPES[value] for value in types])
        for number, people in enumerate(sessions)
        for place, types in enumerate(people)
    ]
    units = [list(unit) for people in sessions for unit in zip(*people, strict=True)]
    figure = measure_agreement(labels, resamples=10).alpha["type"]
    if len({value for unit in units for value in unit}) < 2:
        assert figure.value is None
    else:
        assert figure.value == pytest.approx(oracle(units)) and figure.n == len(units)


def test_an_example_from_the_literature() -> None:
    """Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", nominal data of two observers: 0.095."""
    first, second = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    labels = [
        label(f"ses_{number}", who, Decision.REJECT if value else Decision.ACCEPT)
        for who, values in (("ann_a", first), ("ann_b", second))
        for number, value in enumerate(values)
    ]
    assert measure_agreement(labels, resamples=10).alpha["decision"].value == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_units_of_any_length() -> None:
    units = [[0, 0], [0, 1], [1, 1, 1], [2, 0, 2], [1, 1]]
    values = [[str(value) for value in unit] for unit in units]
    assert _alpha([[unit] for unit in values], seed=0, resamples=10).value == pytest.approx(oracle(units))


# Whole reports


def _simulated(
    drafts: ModuleType, interface: Interface, say: Any, n: int, *annotators: SimulatedAnnotator
) -> list[Label]:
    labels = []
    for index in range(n):
        draft = drafts.draft(index)
        for annotator in annotators:
            label = say(simulated_form(draft, annotator, interface.spec)[0], of=draft, annotator=annotator.email)
            assert isinstance(label, Label), label
            labels.append(label)
    return labels


def test_planted_error_rates_come_out_of_agreement(drafts: ModuleType, interface: Interface, say: Any) -> None:
    careful = SimulatedAnnotator(email="a@x.invalid", rates=NO_ERRORS, seed=1)
    sloppy = SimulatedAnnotator(
        email="b@x.invalid",
        seed=1,
        rates=ErrorRates(argument=0.3, edge=0.25, type=0.1, intent=0.2, deletion=0, decision=0.1),
    )
    report = measure_agreement(_simulated(drafts, interface, say, 90, careful, sloppy), resamples=200)
    row = report.by_annotator["a@x.invalid"]
    assert report.simulated
    assert report.sessions == 90
    assert row["type_equal"] == pytest.approx(0.9, abs=0.04)
    assert row["hidden_intent_equal"] == pytest.approx(0.8, abs=0.04)
    assert row["decision_equal"] == pytest.approx(0.9, abs=0.06)
    # searchShows and the others have a text argument to change: 5 calls a session, each with the rate
    assert report.argument_exact.value == pytest.approx(0.7, abs=0.04)
    # of one edge between calls a session a quarter is dropped: F1 = 2·0.75 / 1.75
    assert report.edge_f1.value == pytest.approx(2 * 0.75 / 1.75, abs=0.06)
    assert report.call_f1.value == 1
    for figure in (report.alpha["type"], report.argument_exact, report.edge_f1):
        assert figure.low < figure.value < figure.high
        assert figure.high - figure.low < 0.25


def test_no_variation_has_no_alpha(draft: Draft, form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, annotator="ann_b")])
    assert report.alpha["decision"].value is None
    assert report.alpha["type"].value == 1
    assert report.argument_exact.value == 1
    assert measure_agreement([say(form)]).sessions == 0


def test_one_person_twice_is_no_agreement(form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, id=2, updated_at="2024-07-12T11:00:00+00:00")])
    assert report.sessions == 0
