from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from nltk.metrics.agreement import AnnotationTask

from wildtool.annotation import (
    ErrorRates,
    Interface,
    SimulatedAnnotator,
    adjudicate,
    agreement_page,
    annotators_apart,
    confirms,
    default_annotators,
    disagreement,
    fitting_spec,
    labelled_session,
    measure_agreement,
    reopened,
)
from wildtool.annotation.agreement.compare import normalised, overlap
from wildtool.annotation.agreement.measures import _alpha
from wildtool.annotation.form.encode import Form
from wildtool.annotation.label_studio.simulate import planted_errors, simulated_form
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Call, Task
from wildtool.schemas.vocabulary import Decision, TaskType

NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


def _task(*calls: Call) -> Task:
    return Task(user="x", type=TaskType.SINGLE, actions=(*calls, Answer(text="y")))


def test_calls_of_one_name_are_matched_by_their_arguments() -> None:
    a, b = Call(name="f", arguments={"x": 1}), Call(name="f", arguments={"x": 2}, depends_on=(0,))
    other = _task(Call(name="f", arguments={"x": 2}), Call(name="f", arguments={"x": 1}, depends_on=(0,)))
    shared = overlap(_task(a, b), other)
    assert (shared.matched, shared.exact) == (2, 2)
    assert (shared.edges_a, shared.edges_b, shared.edges_shared) == (1, 1, 0)
    assert shared.call_f1 == 1


def test_missing_calls_cost_f1_and_their_edges_do_not_count() -> None:
    chain = _task(Call(name="f", arguments={}), Call(name="g", arguments={}, depends_on=(0,)))
    shared = overlap(chain, _task(Call(name="f", arguments={})))
    assert shared.call_f1 == pytest.approx(2 / 3)
    assert shared.edges_a == 0
    assert overlap(_task(), _task()).call_f1 == 1


@pytest.mark.parametrize(
    ("one", "two", "equal"),
    [
        ("Las  Vegas ", "las vegas", True),
        ("ＡＢＣ", "abc", True),
        (5, 5.0, True),
        (True, 1, False),
        ({"a": [1.0]}, {"a": [1]}, True),
        ("2024-07-13", "2024/07/13", False),
        ("not good", "good", False),
    ],
)
def test_normalising_drops_only_what_nobody_means(one: object, two: object, equal: bool) -> None:
    assert (repr(normalised(one)) == repr(normalised(two))) is equal


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


def test_no_variation_has_no_alpha(draft: Draft, form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, annotator="ann_b")])
    assert report.alpha["decision"].value is None
    assert report.alpha["type"].value == 1
    assert report.argument_exact.value == 1
    assert measure_agreement([say(form)]).sessions == 0


def test_one_person_twice_is_no_agreement(form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, id=2, updated_at="2024-07-12T11:00:00Z")])
    assert report.sessions == 0


def test_adjudication_by_hand(draft: Draft, form: Form, say: Any) -> None:
    a, b = say(form), say(form, annotator="ann_b")
    odd = say({**form, "t1_c1_arguments": ['{"city": "Lille"}']}, annotator="ann_c")
    assert adjudicate(draft, []) is None
    assert adjudicate(draft, [a]).method == "single"
    assert adjudicate(draft, [a, b]).method == "agreement"
    assert adjudicate(draft, [a, odd]) is None
    majority = adjudicate(draft, [odd, a, b])
    assert (majority.method, majority.tasks) == ("majority", draft.session.tasks)
    assert majority.disagreements == ("task 1: arguments",)
    judge = say({**form, "t1_c1_arguments": ['{"city": "Lyons"}']}, annotator="ann_j")
    decided = adjudicate(draft, [a, odd], adjudicator=judge)
    assert (decided.method, decided.annotator, decided.tasks) == ("adjudicator", "ann_j", judge.tasks)
    assert set(decided.labels) == {a.id, odd.id, judge.id}


def test_skips_and_labels_of_other_drafts_do_not_count(drafts: ModuleType, draft: Draft, form: Form, say: Any) -> None:
    skipped = say({}, was_cancelled=True, annotator="ann_b")
    other = say(form, of=drafts.draft(9), annotator="ann_c")
    assert adjudicate(draft, [say(form), skipped, other]).method == "single"


def test_rejections_agree_whatever_the_form_holds(draft: Draft, form: Form, say: Any) -> None:
    rejects = [
        say({**form, "decision": ["reject"], "reasons": ["other"], "t1_user": [who]}, annotator=who) for who in "ab"
    ]
    adjudication = adjudicate(draft, rejects)
    assert (adjudication.decision, adjudication.method) == (Decision.REJECT, "agreement")
    with pytest.raises(ValueError, match="rejected"):
        labelled_session(draft, adjudication)


def test_a_labelled_session_keeps_its_id_and_tells_its_labels(draft: Draft, form: Form, say: Any) -> None:
    label = say({**form, "t1_c1_arguments": ['{"city": "Lille"}'], "made_by": ["wildtool simulator"]})
    session = labelled_session(draft, adjudicate(draft, [label]))
    assert session.id == draft.session.id
    assert session.tasks == label.tasks
    assert session.provenance.labels == (label.id,)
    assert session.provenance.simulated_labels
    assert session.provenance.offline


def test_the_page_tells_and_escapes(draft: Draft, form: Form, say: Any) -> None:
    a, b = say(form), say({**form, "t1_type": ["chat"]}, annotator="<b>bob</b>")
    report = measure_agreement([a, b], categories={a.session: "Food & <Drink>"})
    page = agreement_page(report, links={a.session: "http://127.0.0.1:1/projects/1"})
    assert "<b>bob" not in page
    assert "&lt;b&gt;bob" in page
    assert "task 1: type" in page
    assert f'<a href="http://127.0.0.1:1/projects/1">{a.session}</a>' in page
    assert "simulated" not in page


def test_an_undefined_figure_says_why(draft: Draft, form: Form, say: Any) -> None:
    report = measure_agreement([say(form), say(form, annotator="ann_b")])
    decision = report.alpha["decision"]
    assert (decision.value, decision.n) == (None, 1)
    assert "everybody said “accept”" in (decision.undefined or "")
    page = agreement_page(report)
    assert "undefined: everybody said “accept”" in page
    nobody = measure_agreement([say(form)])
    assert nobody.alpha["type"].undefined == "no two people judged it in one session"
    assert nobody.edge_f1.undefined
    assert all(figure.undefined is None for figure in (report.alpha["type"], report.call_f1))


def test_what_is_open_again_is_settled_no_more_and_a_spot_check_confirms(draft: Draft, form: Form, say: Any) -> None:
    one, other = say(form), say({**form, "t1_answer": ["No."]}, annotator="ann_b")
    again = reopened(draft, [one, other])
    assert (again.decision, again.tasks, again.disagreements) == (Decision.SKIP, (), ("task 1: answer",))
    with pytest.raises(ValueError, match="no ground truth"):
        labelled_session(draft, again)
    settled = adjudicate(draft, [one])
    assert settled is not None
    assert confirms(one, settled)
    assert not confirms(other, settled)
    assert not confirms(say({**form, "decision": ["reject"], "reasons": ["other"]}), settled)


def test_planted_rates_come_out_of_adjudication_too(drafts: ModuleType, interface: Interface, say: Any) -> None:
    """Two people who err by known rates: how often they disagree, and how often both are wrong alike, is foretold."""
    rates = ErrorRates(argument=0.1, edge=0.05, type=0.03, intent=0.05, deletion=0, decision=0.04)
    pair = default_annotators(7, 2, rates)
    n, disagreed, agreed_wrong, sound = 100, 0, 0, [0, 0]
    for index in range(n):
        draft = drafts.draft(index)
        forms = [simulated_form(draft, who, interface.spec) for who in pair]
        labels = [say(form, of=draft, annotator=who.email) for (form, _), who in zip(forms, pair, strict=True)]
        for place, (_, errors) in enumerate(forms):
            sound[place] += not errors
        outcome = adjudicate(draft, labels)
        if outcome is None:
            disagreed += 1
            judge = say(
                simulated_form(draft, pair[0].model_copy(update={"rates": NO_ERRORS}), interface.spec)[0], of=draft
            )
            decided = adjudicate(draft, labels, adjudicator=judge)
            assert decided is not None
            assert decided.tasks == draft.session.tasks
        elif outcome.decision is Decision.REJECT or outcome.tasks != draft.session.tasks:
            agreed_wrong += 1
    # Chances that one person makes no error: 5 arguments that can be changed, 1 edge between calls and 1 to a question,
    # 4 types, 3 intents, 1 decision.
    right = 0.9**5 * 0.95**2 * 0.97**4 * 0.95**3 * 0.96
    for place in (0, 1):
        assert sound[place] / n == pytest.approx(right, abs=3 * (right * (1 - right) / n) ** 0.5)
    both = right**2
    assert (n - disagreed - agreed_wrong) / n == pytest.approx(both, abs=3 * (both * (1 - both) / n) ** 0.5)
    assert agreed_wrong <= 6  # errors seldom coincide


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
