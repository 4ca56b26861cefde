from __future__ import annotations

from types import ModuleType
from typing import Any

from wildtool.annotation import (
    ErrorRates,
    Interface,
    SimulatedAnnotator,
    annotators_apart,
    default_annotators,
    disagreement,
    fitting_spec,
)
from wildtool.annotation.simulated import planted_errors, simulated_form
from wildtool.schemas.draft import Draft

NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


def test_what_was_planted_is_what_differs(drafts: ModuleType, interface: Interface, say: Any) -> None:
    field_of = {
        "argument": "arguments",
        "edge": "dependencies",
        "type": "type",
        "intent": "hidden_intent",
        "deletion": "calls",
    }
    careful = SimulatedAnnotator(email="a@x.invalid", rates=NO_ERRORS, seed=1)
    sloppy = SimulatedAnnotator(
        email="b@x.invalid", seed=2, rates=ErrorRates(argument=0.2, edge=0.2, deletion=0.5, decision=0)
    )
    for index in range(20):
        draft = drafts.draft(index)
        form, errors = simulated_form(draft, sloppy, interface.spec)
        labels = [say(form, of=draft, annotator="b"), say(simulated_form(draft, careful, interface.spec)[0], of=draft)]
        differing = disagreement(draft, labels)
        assert {f"task {e.task + 1}: {field_of[e.kind]}" for e in errors} <= set(differing)
        assert bool(errors) == bool(differing)


def test_simulation_follows_from_the_seed(draft: Draft, interface: Interface) -> None:
    first, second = default_annotators(5, 2, ErrorRates(argument=0.5, type=0.5))
    assert simulated_form(draft, first, interface.spec) == simulated_form(draft, first, interface.spec)
    assert simulated_form(draft, first, interface.spec)[0] != simulated_form(draft, second, interface.spec)[0]


def test_annotators_apart_never_agree_on_an_error(drafts: Any) -> None:
    many = [drafts.draft(index) for index in range(300)]
    spec = fitting_spec(many)
    first, second = annotators_apart(3)
    errors = [
        {(each.draft, each.task, each.kind, each.detail) for draft in many for each in planted_errors(draft, who, spec)}
        for who in (first, second)
    ]
    assert not errors[0] & errors[1]
    alone = default_annotators(3)
    expected = sum(len(planted_errors(draft, who, spec)) for draft in many for who in alone)
    assert 0.7 * expected < len(errors[0]) + len(errors[1]) < 1.3 * expected
