from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from wildtool.annotation import (
    ErrorRates,
    Form,
    Interface,
    adjudicate,
    confirms,
    default_annotators,
    labelled_session,
    reopened,
)
from wildtool.annotation.simulated import simulated_form
from wildtool.schemas.draft import Draft
from wildtool.schemas.vocabulary import Decision

NO_ERRORS = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)


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
    skipped = say({}, skipped=True, annotator="ann_b")
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
