from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from nltk.metrics.agreement import AnnotationTask

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

NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


def test_alpha_is_that_of_an_independent_implementation() -> None:
    units = [["a", "a"], ["a", "b"], ["b", "b", "b"], ["c", "a", "c"], ["b", "b"]]
    ratings = [
        (f"person {place}", number, value) for number, unit in enumerate(units) for place, value in enumerate(unit)
    ]
    assert _alpha([[unit] for unit in units], seed=0, resamples=10).value == pytest.approx(
        AnnotationTask(ratings).alpha()
    )


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
