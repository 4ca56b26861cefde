from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from wildtool.annotation import Form, Interface, draft_form
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Answer, Ask, Call
from wildtool.schemas.vocabulary import Decision, HiddenIntentKind, SlotStatus, TaskType, Topology


def test_an_untouched_draft_comes_back_as_it_was(draft: Draft, form: Form, say: Any) -> None:
    label = say(form)
    assert isinstance(label, Label)
    assert label.tasks == draft.session.tasks
    assert {status for task in label.slots for status in task} == {SlotStatus.KEEP}
    assert (label.decision, label.simulated, label.lead_seconds) == (Decision.ACCEPT, False, 90.5)
    assert label.updated_at == "2024-07-12T10:00:00.000000+00:00"


def test_blanks_that_a_browser_strips_are_no_change(draft: Draft, form: Form, say: Any) -> None:
    stripped = {control: [text.strip().replace("\n", "\r\n") for text in texts] for control, texts in form.items()}
    assert say(stripped).tasks == draft.session.tasks


def test_a_changed_argument_is_a_change_and_loses_its_trace(form: Form, say: Any) -> None:
    form["t1_c1_arguments"] = ['{"city": "Lille"}']
    label = say(form)
    call = label.tasks[0].actions[0]
    assert call.arguments == {"city": "Lille"}
    assert call.trace == ()
    assert label.slots[0] == (SlotStatus.CHANGE,)


def test_deleting_a_call_renumbers_dependencies_and_traces(form: Form, say: Any) -> None:
    form["t2_c1_status"] = ["delete"]
    label = say(form)
    search, show, answer = label.tasks[1].actions
    assert (search.name, show.name) == ("searchShows", "getShow")
    assert show.depends_on == (0,)
    assert show.trace[0].action == 0
    assert answer.depends_on == (1,)
    assert label.slots[1] == (SlotStatus.DELETE, SlotStatus.KEEP, SlotStatus.KEEP)


def test_adding_a_call_puts_it_after_what_was_there(form: Form, say: Any) -> None:
    form |= {
        "t2_c4_status": ["add"],
        "t2_c4_name": ["getShow"],
        "t2_c4_arguments": ['{"id": "s9"}'],
        "t2_c4_observation": ["sold out"],
        "t2_c4_after": ["c2"],
    }
    label = say(form)
    added, answer = label.tasks[1].actions[3:]
    assert added == Call(name="getShow", arguments={"id": "s9"}, observation="sold out", depends_on=(1,))
    assert answer.depends_on == (0, 2, 3)
    assert label.slots[1][3] is SlotStatus.ADD


def test_adding_a_question_puts_it_first(form: Form, say: Any) -> None:
    form |= {
        "t1_q1_status": ["add"],
        "t1_q1_question": ["Which city?"],
        "t1_q1_slots": ["city, day"],
        "t1_q1_reply": ["Lyon"],
        "t1_type": ["clarify"],
        "t1_c1_after": ["q1"],
    }
    ask, call, answer = say(form).tasks[0].actions
    assert ask == Ask(slots=("city", "day"), question="Which city?", reply="Lyon")
    assert call.depends_on == (0,)
    assert answer.depends_on == (1,)


def test_unticking_a_dependency(form: Form, say: Any) -> None:
    del form["t2_c3_after"]
    label = say(form)
    assert label.tasks[1].actions[2].depends_on == ()
    assert label.tasks[1].actions[3].depends_on == (0, 1, 2)
    assert label.slots[1][2] is SlotStatus.CHANGE


def test_type_topology_and_hidden_intent(form: Form, say: Any) -> None:
    form |= {"t2_topology": ["parallel"], "t3_intent": ["long_range"], "t3_piece": ["city"], "t3_said_in": ["1"]}
    form |= {"t4_type": ["single"], "t2_intent": ["none"]}
    tasks = say(form).tasks
    assert tasks[1].topology is Topology.PARALLEL
    assert tasks[1].hidden_intent is None
    intent = tasks[2].hidden_intent
    assert (intent.kind, intent.piece, intent.said_in, intent.distance) == (HiddenIntentKind.LONG_RANGE, "city", 0, 2)
    assert tasks[3].type is TaskType.SINGLE


def test_alternatives_come_back_and_survive_a_second_round(
    drafts: ModuleType, draft: Draft, interface: Interface, form: Form, say: Any
) -> None:
    form["t3_c1_alternatives"] = ['{"seats": [1, 2]}']
    form["t2_alternatives"] = [
        json.dumps(
            [
                [
                    {"name": "searchShows", "arguments": _dates("Lyon")},
                    {"name": "getShow", "arguments": {"id": "s7"}, "after": [1]},
                ]
            ]
        )
    ]
    tasks = say(form).tasks
    assert tasks[2].actions[1].argument_alternatives == {"seats": (1, 2)}
    (other,) = tasks[1].alternatives
    assert [type(action) for action in other] == [Call, Call, Answer]
    assert other[1].depends_on == (0,)
    assert other[2].depends_on == (1,)
    again = draft.model_copy(update={"session": draft.session.model_copy(update={"tasks": tasks})})
    second = say({**draft_form(again, interface.spec), "decision": ["accept"]}, of=again)
    assert second.tasks == tasks


def _dates(city: str) -> dict[str, str]:
    return {"city": city, "from": "2024-07-13", "to": "2024-07-14"}


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"t1_c1_arguments": ['{"city": "Lyon"']}, "broken_json", "task 1 c1"),
        ({"t1_c1_arguments": ["[1]"]}, "broken_json", "must be a JSON object"),
        ({"t1_c1_arguments": ['{"city": NaN}']}, "broken_json", "NaN"),
        ({"t1_c1_arguments": []}, "broken_json", "empty"),
        ({"t1_c1_arguments": ['{"city": 5}']}, "schema_violation", "city"),
        ({"t1_c1_arguments": ["{}"]}, "schema_violation", "required"),
        ({"t2_c2_arguments": ['{"city": "Lyon", "from": "tomorrow", "to": "2024-07-14"}']}, "schema_violation", "date"),
        ({"t1_c1_name": ["getMoon"]}, "unknown_tool", "getMoon"),
        ({"t2_c2_status": ["delete"]}, "dependency_on_deleted", "task 2 c3: waits for c2"),
        ({"t1_c1_status": []}, "slot_missing", "task 1 c1"),
        ({"t1_type": []}, "type_missing", "task 1"),
        ({"t2_topology": []}, "topology_missing", "task 2"),
        ({"t2_said_in": []}, "intent_incomplete", "task 2"),
        ({"t2_piece": []}, "intent_incomplete", "task 2"),
        ({"t3_q1_after": ["c1"]}, "cycle", "task 3"),
        ({"t3_q1_reply": []}, "ask_incomplete", "reply"),
        ({"t4_answer": []}, "answer_missing", "task 4"),
        ({"t4_user": []}, "user_missing", "task 4"),
        ({"t2_c2_observation": ['{"shows": [']}, "broken_json", "does not parse"),
        ({"t2_alternatives": ["[[{}]]"]}, "broken_alternative", "task 2"),
        ({"t2_alternatives": ['[[{"name": "getMoon", "arguments": {}}]]']}, "broken_alternative", "getMoon"),
        ({"t2_c1_alternatives": ['{"city": [5]}']}, "schema_violation", "alternative"),
        ({"decision": []}, "decision_missing", "neither"),
        ({"decision": ["reject"]}, "reason_missing", "without a reason"),
    ],
)
def test_what_does_not_hold_goes_back_with_the_reason(
    form: Form, say: Any, draft: Draft, changes: Form, reason: str, words: str
) -> None:
    row = say({control: texts for control, texts in {**form, **changes}.items() if texts})
    assert isinstance(row, Quarantined)
    assert row.reason == reason
    assert words in row.detail
    assert row.source == draft.id
    assert json.loads(row.raw)["annotation"]["id"] == 1


def test_all_that_does_not_hold_is_told_at_once(form: Form, say: Any) -> None:
    row = say({**form, "t1_c1_name": ["getMoon"], "t3_c1_arguments": ["?"]})
    assert "getMoon" in row.detail
    assert "task 3 c1" in row.detail


def test_a_rejected_session_needs_no_sound_form(form: Form, say: Any) -> None:
    rejected = say(
        {**form, "decision": ["reject"], "reasons": ["duplicate"], "t1_c1_arguments": ["?"], "remark": ["no"]}
    )
    assert isinstance(rejected, Label)
    assert (rejected.decision, rejected.reject_reasons, rejected.tasks) == (Decision.REJECT, ("duplicate",), ())
    assert rejected.remark == "no"


def test_a_skipped_session_is_a_label_without_tasks(form: Form, say: Any) -> None:
    skipped = say({}, skipped=True)
    assert (skipped.decision, skipped.tasks) == (Decision.SKIP, ())


def test_the_interface_must_be_ours(form: Form, say: Any) -> None:
    row = say(form, interface=None)
    assert isinstance(row, Quarantined)
    assert row.reason == "unknown_interface"


def test_a_form_that_cannot_be_read_is_quarantined_as_it_came(say: Any, form: Form) -> None:
    row = say({}, broken="region 0 names no control")
    assert (row.reason, row.detail) == ("broken_result", "region 0 names no control")
    raw = json.loads(row.raw)
    assert raw["annotation"] == {"as": "it came", "id": 1, "updated_at": "2024-07-12T10:00:00.000000+00:00"}
    assert (raw["project"], raw["annotator"], raw["round"]) == (3, "ann_a", 1)


def test_distance_counts_the_reply_to_a_question_and_the_last_turn_of_the_task(form: Form, say: Any) -> None:
    form |= {"t4_intent": ["long_range"], "t4_piece": ["id"], "t4_said_in": ["2"]}
    assert say(form).tasks[3].hidden_intent.distance == 3  # the reply to a question is a user turn
    form |= {"t4_said_in": ["3"]}
    assert say(form).tasks[3].hidden_intent.distance == 1  # counted from the last turn of the task, its reply


def test_a_signed_result_is_simulated_whoever_pulls_it(form: Form, say: Any) -> None:
    assert say({**form, "made_by": ["wildtool simulator, seed 1"]}).simulated
