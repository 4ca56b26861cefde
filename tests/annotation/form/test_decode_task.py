"""One task of a form: statuses, order, traces, observations, hidden intents and other right calls, slot by slot."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tests.annotation.form.one_task import ASK, air, decode, draft_with, single
from wildtool.annotation import Annotation, Form, decode_annotation
from wildtool.annotation.form.decode_task import first
from wildtool.annotation.label_studio.interface import LabelStudioInterface
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Call, ValueSource
from wildtool.schemas.vocabulary import SlotStatus, TaskType, Topology

KEEP, CHANGE, ADD, DELETE = SlotStatus.KEEP, SlotStatus.CHANGE, SlotStatus.ADD, SlotStatus.DELETE


def test_a_control_s_first_value_is_read_without_blanks() -> None:
    assert first({"a": [" x ", "y"]}, "a") == "x" and first({}, "a") == ""


def test_a_label_says_who_made_it_in_which_round_and_project(
    draft: Draft, interface: LabelStudioInterface, form: Form
) -> None:
    annotation = Annotation(
        id=7, author="x", form={**form, "remark": [" fine "]}, updated_at="2024-07-12T10:00:00+00:00", raw={}
    )
    label = decode_annotation(annotation, draft, interface, project_id=3, annotator="ann_b", simulated=True, round=2)
    assert isinstance(label, Label)
    assert (label.simulated, label.round, label.project_id, label.annotation_id) == (True, 2, 3, 7)
    assert (label.annotator, label.draft, label.session, label.remark) == ("ann_b", draft.id, draft.session.id, "fine")
    assert label.interface == interface.hash and label.lead_seconds is None
    plain = decode_annotation(annotation, draft, interface, project_id=3, annotator="ann_b")
    assert isinstance(plain, Label) and not plain.simulated and plain.round == 1


def test_a_draft_larger_than_the_form_goes_back(drafts: ModuleType, interface: LabelStudioInterface) -> None:
    large, _ = draft_with(drafts, *(single(air("Lyon")) for _ in range(interface.spec.tasks + 1)))
    row = decode(large, interface, {})
    assert isinstance(row, Quarantined) and row.reason == "does_not_fit"
    assert f"{interface.spec.tasks + 1} tasks" in row.detail


def test_a_broken_result_is_told_before_all_else(draft: Draft, interface: LabelStudioInterface) -> None:
    broken = Annotation(
        id=1, author="x", form={"decision": ["accept"]}, updated_at="2024-07-12T10:00:00+00:00", raw={}, broken="cut"
    )
    row = decode_annotation(broken, draft, interface, project_id=3, annotator="ann_a")
    assert isinstance(row, Quarantined) and (row.reason, row.detail) == ("broken_result", "cut")


# Statuses


def test_a_ticked_keep_that_was_edited_is_a_change_and_a_ticked_change_that_was_not_is_none(
    form: Form, say: Any
) -> None:
    assert say({**form, "t1_c1_status": ["change"]}).slots[0] == (KEEP,)
    assert say({**form, "t1_c1_status": ["add"]}).slots[0] == (KEEP,)
    assert say({**form, "t1_c1_observation": ["other"]}).slots[0] == (CHANGE,)
    assert say({**form, "t3_q1_question": ["Which one?"]}).slots[2] == (CHANGE, KEEP)
    assert say({**form, "t3_q1_reply": ["the first"]}).slots[2] == (CHANGE, KEEP)
    assert say({**form, "t3_q1_tool": ["getShow"]}).slots[2] == (CHANGE, KEEP)
    assert say({**form, "t3_q1_slots": ["seats"]}).slots[2] == (CHANGE, KEEP)
    assert say({**form, "t3_c1_alternatives": ['{"seats": [2]}']}).slots[2] == (KEEP, CHANGE)
    assert (
        say({**form, "t2_c1_name": ["searchShows"], "t2_c1_arguments": form["t2_c2_arguments"]}).slots[1][0] is CHANGE
    )


def test_slots_that_were_never_used_say_nothing(form: Form, say: Any) -> None:
    assert say({**form, "t1_c2_status": ["delete"]}).slots[0] == (KEEP,)
    assert say({control: texts for control, texts in form.items() if control != "t1_c2_status"}).slots[0] == (KEEP,)
    assert say({**form, "t2_c2_status": ["unused"], "t2_c3_after": []}).slots[1] == (KEEP, DELETE, CHANGE)


@pytest.mark.parametrize("control", ["t1_c1_status", "t1_c2_status"])
def test_an_unknown_status_goes_back(form: Form, say: Any, control: str) -> None:
    row = say({**form, control: ["maybe"]})
    assert (row.reason, control[3:5] in row.detail, "'maybe'" in row.detail) == ("slot_missing", True, True)


def test_the_order_of_ticked_boxes_is_no_change(drafts: ModuleType) -> None:
    draft, interface = draft_with(drafts, single(air("Lyon"), air("Nice"), air("Lille", 0, 1), kind=TaskType.MULTI,
                                                 topology=Topology.MIXED, on=(2,)))  # fmt: skip
    label = decode(draft, interface, {"t1_c3_after": ["c2", "c1"]})
    assert isinstance(label, Label)
    assert label.tasks == draft.session.tasks and label.slots == ((KEEP, KEEP, KEEP),)
    label = decode(draft, interface, {"t1_c3_after": ["c2"]})
    assert isinstance(label, Label)
    assert label.tasks[0].actions[2].depends_on == (1,) and label.slots[0][2] is CHANGE


# Order


def test_kept_actions_keep_the_order_of_the_draft(drafts: ModuleType) -> None:
    draft, interface = draft_with(
        drafts, single(air("Lyon"), ASK, air("Nice", 1), air("Lille", 0), kind=TaskType.MULTI, topology=Topology.MIXED)
    )
    label = decode(draft, interface, {})
    assert isinstance(label, Label) and label.tasks == draft.session.tasks
    # A dependency that was added moves an action behind what it waits for.
    label = decode(draft, interface, {"t1_c1_after": ["c2"]})
    assert isinstance(label, Label)
    assert [getattr(action, "arguments", {}).get("city") for action in label.tasks[0].actions] == [
        None, "Nice", "Lyon", "Lille", None,
    ]  # fmt: skip
    assert [action.depends_on for action in label.tasks[0].actions] == [(), (0,), (1,), (2,), (3,)]


def test_an_added_call_that_another_waits_for_comes_before_it(form: Form, say: Any) -> None:
    form |= {"t2_c4_status": ["add"], "t2_c4_name": ["getAirQuality"], "t2_c4_arguments": ['{"city": "Nice"}']}
    label = say({**form, "t2_c3_after": ["c2", "c4"]})
    assert [action.depends_on for action in label.tasks[1].actions] == [(), (), (), (1, 2), (0, 3)]
    assert [getattr(action, "name", "answer") for action in label.tasks[1].actions] == [
        "getAirQuality", "searchShows", "getAirQuality", "getShow", "answer",
    ]  # fmt: skip
    assert label.tasks[1].actions[3].trace[0].action == 1


def test_two_added_calls_keep_their_order(form: Form, say: Any) -> None:
    for slot, city in (("c3", "Nice"), ("c2", "Lille")):
        form |= {
            f"t1_{slot}_status": ["add"],
            f"t1_{slot}_name": ["getAirQuality"],
            f"t1_{slot}_arguments": [f'{{"city": "{city}"}}'],
        }
    label = say(form)
    assert [action.arguments["city"] for action in label.tasks[0].actions[:-1]] == ["Lyon", "Lille", "Nice"]
    assert label.slots[0] == (KEEP, ADD, ADD) and label.tasks[0].actions[-1].depends_on == (0, 1, 2)


def test_the_answer_waits_as_in_the_draft_unless_the_graph_changed(drafts: ModuleType) -> None:
    task = single(air("Lyon"), air("Nice"), kind=TaskType.MULTI, topology=Topology.PARALLEL, on=(1,))
    draft, interface = draft_with(drafts, task)
    label = decode(draft, interface, {"t1_c1_arguments": ['{"city": "Lille"}']})
    assert isinstance(label, Label) and label.tasks[0].actions[-1].depends_on == (1,)
    label = decode(draft, interface, {"t1_c2_after": ["c1"]})
    assert isinstance(label, Label) and label.tasks[0].actions[-1].depends_on == (1,)
    label = decode(draft, interface, {"t1_c2_status": ["delete"], "t1_type": ["single"]})
    assert isinstance(label, Label) and label.tasks[0].actions[-1].depends_on == (0,)
    more = {"t1_c3_status": ["add"], "t1_c3_name": ["getAirQuality"], "t1_c3_arguments": ['{"city": "X"}']}
    label = decode(draft, interface, more)
    assert isinstance(label, Label) and label.tasks[0].actions[-1].depends_on == (0, 1, 2)


# Calls


def test_traces_stay_with_unchanged_arguments_of_the_same_tool(drafts: ModuleType) -> None:
    shows = Call(
        name="searchShows",
        arguments={"city": "Lyon", "from": "2024-07-13", "to": "2024-07-14"},
        trace=tuple(
            ValueSource(argument=name, kind="user", task=0) for name in ("city", "from", "to.x", "to[0]", "gone")
        ),
    )
    draft, interface = draft_with(drafts, single(shows))
    kept = decode(draft, interface, {"t1_c1_observation": ["x"]})
    assert isinstance(kept, Label)
    assert [one.argument for one in kept.tasks[0].actions[0].trace] == ["city", "from", "to.x", "to[0]"]
    other = decode(
        draft, interface, {"t1_c1_arguments": ['{"to": "2024-07-14", "city": "Nice", "from": "2024-07-13"}']}
    )
    assert isinstance(other, Label)
    assert [one.argument for one in other.tasks[0].actions[0].trace] == ["from", "to.x", "to[0]"]
    renamed = decode(draft, interface, {"t1_c1_name": ["getAirQuality"], "t1_c1_arguments": ['{"city": "Lyon"}']})
    assert isinstance(renamed, Label) and renamed.tasks[0].actions[0].trace == ()


def test_traces_to_what_was_deleted_are_dropped_in_every_task(drafts: ModuleType) -> None:
    def seen(task: int | None, action: int | None) -> ValueSource:
        return ValueSource(argument="city", kind="observation", task=task, action=action)

    later = air("Lyon", trace=(seen(0, 0), seen(0, 1), seen(None, 1), seen(0, None), seen(9, 0)))
    first_task = single(air("Nice"), air("Lyon"), kind=TaskType.MULTI, topology=Topology.PARALLEL)
    draft, interface = draft_with(drafts, first_task, single(later))
    label = decode(draft, interface, {"t1_c1_status": ["delete"], "t1_type": ["single"]})
    assert isinstance(label, Label)
    assert label.tasks[1].actions[0].trace == (seen(0, 0), seen(None, 1), seen(0, None), seen(9, 0))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("", None),
        ("plain words", "plain words"),
        ('{"a": [1]}', {"a": [1]}),
        ("12", 12),
        ('"12"', "12"),
        ("null", None),
    ],
)
def test_observations_are_json_where_they_are_json(form: Form, say: Any, written: str, value: Any) -> None:
    label = say(
        {
            control: texts
            for control, texts in {**form, "t1_c1_observation": [written] if written else []}.items()
            if texts
        }
    )
    assert label.tasks[0].actions[0].observation == value


def test_an_observation_that_starts_as_json_must_parse(form: Form, say: Any, drafts: ModuleType) -> None:
    assert say({**form, "t1_c1_observation": ["[1, 2"]}).reason == "broken_json"
    # But not where the draft had it so.
    draft, interface = draft_with(drafts, single(air("Lyon", observation="{cut")), single(air("Lyon")))
    label = decode(draft, interface, {})
    assert isinstance(label, Label) and label.tasks == draft.session.tasks


def test_other_right_values_are_checked_one_by_one(form: Form, say: Any) -> None:
    label = say({**form, "t3_c1_alternatives": ['{"id": ["s7", "s8"], "seats": [1]}']})
    assert label.tasks[2].actions[1].argument_alternatives == {"id": ("s7", "s8"), "seats": (1,)}
    for written, reason in (
        ('{"seats": 1}', "broken_json"), ("[1]", "broken_json"), ('{"seats": [NaN]}', "broken_json"),
        ('{"seats": [0]}', "schema_violation"), ('{"day": [1]}', "schema_violation"), ('{"id": ["x", 7]}', "schema_violation"),
    ):  # fmt: skip
        row = say({**form, "t3_c1_alternatives": [written]})
        assert isinstance(row, Quarantined) and row.reason == reason and "task 3 c1" in row.detail, written


@pytest.mark.parametrize("written", ['{"city": Infinity}', '{"city": -Infinity}', "", "null", '"x"', "5"])
def test_arguments_are_a_json_object(form: Form, say: Any, written: str) -> None:
    row = say(
        {
            control: texts
            for control, texts in {**form, "t1_c1_arguments": [written] if written else []}.items()
            if texts
        }
    )
    assert row.reason == "broken_json" and "task 1 c1" in row.detail


def test_a_call_without_a_function_says_so(form: Form, say: Any) -> None:
    row = say({control: texts for control, texts in form.items() if control != "t1_c1_name"})
    assert row.reason == "unknown_tool" and "no function" in row.detail


# Questions


@pytest.mark.parametrize("slots", ["city,day", "city, day", "city day", "city，day", "city、day", ", city,\n day ,"])
def test_slots_of_a_question_are_read_however_they_are_parted(form: Form, say: Any, slots: str) -> None:
    assert say({**form, "t3_q1_slots": [slots]}).tasks[2].actions[0].slots == ("city", "day")


@pytest.mark.parametrize("field", ["question", "reply", "slots"])
def test_a_question_needs_all_its_parts(form: Form, say: Any, field: str) -> None:
    row = say({control: texts for control, texts in form.items() if control != f"t3_q1_{field}"})
    assert row.reason == "ask_incomplete" and "task 3 q1" in row.detail


def test_a_question_may_be_about_no_tool(form: Form, say: Any) -> None:
    asked = say({control: texts for control, texts in form.items() if control != "t3_q1_tool"})
    assert asked.tasks[2].actions[0].tool is None


# The task


def test_what_a_task_needs(form: Form, say: Any) -> None:
    for control, reason in (
        ("t1_user", "user_missing"), ("t1_answer", "answer_missing"), ("t1_type", "type_missing"),
        ("t2_topology", "topology_missing"), ("t2_intent", "intent_missing"),
    ):  # fmt: skip
        row = say({name: texts for name, texts in form.items() if name != control})
        assert row.reason == reason, control
    assert say({**form, "t1_type": ["other"]}).reason == "type_missing"
    assert say({**form, "t2_topology": ["other"]}).reason == "topology_missing"
    assert say({**form, "t2_intent": ["other"]}).reason == "intent_missing"
    # A topology is of multi tasks only.
    assert say({**form, "t2_type": ["single"]}).tasks[1].topology is None


def test_texts_are_stripped_unless_the_draft_s_own_blanks_are_all_that_differs(
    drafts: ModuleType, form: Form, say: Any
) -> None:
    assert say({**form, "t1_user": ["  Hello\r\nthere "]}).tasks[0].user == "Hello\nthere"
    task = single(air("Lyon")).model_copy(update={"user": " with blanks\n"})
    draft, interface = draft_with(drafts, task)
    label = decode(draft, interface, {"t1_user": ["with blanks"]})
    assert isinstance(label, Label) and label.tasks[0].user == " with blanks\n"
