"""One task of a form: its hidden intent, and other right sets of calls."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from tests.annotation.form.one_task import ASK, air, decode, draft_with, single
from wildtool.annotation import Form
from wildtool.annotation.form.decode_task import schema_errors
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Answer, Ask, Call, HiddenIntent
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, SlotStatus, TaskType

KEEP, CHANGE, ADD, DELETE = SlotStatus.KEEP, SlotStatus.CHANGE, SlotStatus.ADD, SlotStatus.DELETE


@pytest.mark.parametrize(
    ("intent", "piece", "said_in"),
    [("coreference", "city", "0"), ("coreference", "city", "2"), ("coreference", "city", "3"), ("coreference", "", "1"),
     ("coreference", "city", ""), ("coreference", "city", "one"), ("coreference", "city", "-1")],
)  # fmt: skip
def test_a_hidden_intent_needs_a_piece_and_an_earlier_task(
    form: Form, say: Any, intent: str, piece: str, said_in: str
) -> None:
    changes = {"t2_intent": [intent], "t2_piece": [piece] if piece else [], "t2_said_in": [said_in] if said_in else []}
    row = say({control: texts for control, texts in {**form, **changes}.items() if texts})
    assert row.reason == "intent_incomplete" and "task 2" in row.detail


def test_the_first_task_hides_what_the_draft_says(drafts: ModuleType) -> None:
    draft, interface = draft_with(drafts, single(air("Lyon")), single(air("Lyon")))
    label = decode(draft, interface, {"t1_intent": ["coreference"], "t1_piece": ["x"], "t1_said_in": ["1"]})
    assert isinstance(label, Label) and label.tasks[0].hidden_intent is None


@pytest.mark.parametrize(("task", "said_in", "far"), [(2, 1, 1), (3, 1, 3), (3, 2, 1), (4, 1, 4), (4, 2, 2), (4, 3, 1)])
def test_a_hidden_intent_reaches_back_to_the_last_turn_of_the_task_that_said_it(
    drafts: ModuleType, task: int, said_in: int, far: int
) -> None:
    """The second of four tasks has a question, so a turn more."""
    asking = single(ASK, air("Lyon", 0), kind=TaskType.CLARIFY, on=(1,))
    draft, interface = draft_with(drafts, single(air("Lyon")), asking, single(air("Lyon")), single(air("Lyon")))
    label = decode(
        draft,
        interface,
        {f"t{task}_intent": ["partial_information"], f"t{task}_piece": ["city"], f"t{task}_said_in": [str(said_in)]},
    )
    assert isinstance(label, Label)
    assert label.tasks[task - 1].hidden_intent == HiddenIntent(
        kind=HiddenIntentKind.PARTIAL_INFORMATION, piece="city", said_in=said_in - 1, distance=far
    )


def test_questions_added_or_deleted_in_between_move_a_hidden_intent(drafts: ModuleType) -> None:
    hidden = HiddenIntent(
        kind=HiddenIntentKind.COREFERENCE, device=Device.DEMONSTRATIVE, piece="city", said_in=0, distance=3
    )
    asking = single(ASK, air("Lyon", 0), kind=TaskType.CLARIFY, on=(1,))
    draft, interface = draft_with(
        drafts,
        single(air("Lyon")),
        asking,
        single(air("Lyon"), hidden_intent=hidden),
        single(air("Lyon"), hidden_intent=hidden),
    )
    kept = decode(draft, interface, {})
    assert isinstance(kept, Label)
    assert kept.tasks[2].hidden_intent == hidden
    assert kept.tasks[3].hidden_intent == hidden  # as the draft has it, though it is four turns
    without = decode(draft, interface, {"t2_q1_status": ["delete"], "t2_c1_after": [], "t2_type": ["single"]})
    assert isinstance(without, Label)
    assert without.tasks[2].hidden_intent == hidden.model_copy(update={"distance": 2})
    added = {"t3_q1_status": ["add"], "t3_q1_question": ["?"], "t3_q1_slots": ["city"], "t3_q1_reply": ["x"]}
    more = decode(draft, interface, added)
    assert isinstance(more, Label)
    assert more.tasks[2].hidden_intent == hidden and more.tasks[3].hidden_intent == hidden.model_copy(
        update={"distance": 5}
    )


def test_a_device_stays_with_its_kind(drafts: ModuleType) -> None:
    hidden = HiddenIntent(
        kind=HiddenIntentKind.COREFERENCE, device=Device.DEMONSTRATIVE, piece="city", said_in=0, distance=1
    )
    draft, interface = draft_with(drafts, single(air("Lyon")), single(air("Lyon"), hidden_intent=hidden))
    other_piece = decode(draft, interface, {"t2_piece": ["day"]})
    assert isinstance(other_piece, Label)
    assert other_piece.tasks[1].hidden_intent == hidden.model_copy(update={"piece": "day"})
    other_kind = decode(draft, interface, {"t2_intent": ["partial_information"]})
    assert isinstance(other_kind, Label)
    assert other_kind.tasks[1].hidden_intent == hidden.model_copy(
        update={"kind": HiddenIntentKind.PARTIAL_INFORMATION, "device": None}
    )
    none = decode(draft, interface, {"t2_intent": ["none"]})
    assert isinstance(none, Label) and none.tasks[1].hidden_intent is None


# Other right sets of calls


def test_other_right_sets_of_calls(form: Form, say: Any) -> None:
    written = [
        [
            {"kind": "ask", "slots": ["city"], "question": "?", "reply": "Nice"},
            {"name": "getAirQuality", "arguments": {"city": "Nice"}, "after": [1]},
        ],
        [{"name": "getAirQuality", "arguments": {"city": "Lyon"}}, {"name": "getAirQuality", "arguments": {"city": "Nice"}}],
    ]  # fmt: skip
    asked, both = say({**form, "t1_alternatives": [json.dumps(written)]}).tasks[0].alternatives
    assert [type(one) for one in asked] == [Ask, Call, Answer]
    assert [one.depends_on for one in asked] == [(), (0,), (1,)]
    assert [one.depends_on for one in both] == [(), (), (0, 1)]
    assert both[-1].text == "Yes, the index is 41."


@pytest.mark.parametrize(
    "written",
    ["[", "5", "[[5]]", '[[{"kind": "answer", "text": "x"}]]', '[[{"name": "getAirQuality", "arguments": {"city": 5}}]]',
     '[[{"name": "getAirQuality", "arguments": {"city": "x"}, "after": ["a"]}]]', '[[{"name": "getAirQuality"}]]', "[NaN]",
     '[[{"name": "getMoon", "arguments": {}}]]'],
)  # fmt: skip
def test_other_right_sets_that_do_not_hold_go_back(form: Form, say: Any, written: str) -> None:
    row = say({**form, "t1_alternatives": [written]})
    assert isinstance(row, Quarantined) and row.reason == "broken_alternative" and "task 1" in row.detail


def test_alternatives_that_nobody_touched_stay_as_they_were(drafts: ModuleType) -> None:
    other = (air("Nice", observation={"aqi": 3}), Answer(text="Another answer.", depends_on=()))
    draft, interface = draft_with(drafts, single(air("Lyon"), alternatives=(other,)))
    kept = decode(draft, interface, {"t1_answer": ["Changed."]})
    assert isinstance(kept, Label) and kept.tasks[0].alternatives == (other,)
    gone = decode(draft, interface, {"t1_alternatives": []})
    assert isinstance(gone, Label) and gone.tasks[0].alternatives == ()


def test_arguments_are_checked_against_the_session_s_tool(draft: Draft) -> None:
    assert schema_errors(draft.session, "getAirQuality", {"city": "Lyon"}) == []
    (error,) = schema_errors(draft.session, "getAirQuality", {"city": 5})
    assert error.startswith("city: ")
    (error,) = schema_errors(draft.session, "getAirQuality", {})
    assert error.startswith("getAirQuality: ") and "city" in error
    (error,) = schema_errors(draft.session, "getMoon", {})
    assert "getMoon" in error
    bare = draft.session.model_copy(update={"tools": ({"name": "bare"},)})
    assert schema_errors(bare, "bare", {"x": 1}) == []
