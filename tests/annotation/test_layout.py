from __future__ import annotations

import pytest

from wildtool.annotation import InterfaceSpec, layout
from wildtool.annotation.form.controls import is_choice
from wildtool.annotation.form.layout import Choice, Text, ToolChoice
from wildtool.schemas.vocabulary import Decision, HiddenIntentKind, SlotStatus, TaskType, Topology

SPECS = [InterfaceSpec(), InterfaceSpec(tasks=6, calls=10, asks=2, purpose="adjudicate")]


def _choice(spec: InterfaceSpec, name: str) -> Choice:
    (found,) = [control for control in layout(spec).controls() if control.name == name]
    assert isinstance(found, Choice)
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_controls_are_unique_and_their_names_tell_choices_from_texts(spec: InterfaceSpec) -> None:
    controls = list(layout(spec).controls())
    assert len({control.name for control in controls}) == len(controls)
    for control in controls:
        assert is_choice(control.name) is not isinstance(control, Text), control.name
    doubts = list(layout(spec).doubts())
    assert len(doubts) == len(set(doubts)) == spec.tasks * (1 + spec.calls + spec.asks)


def test_choices_come_from_the_vocabulary() -> None:
    spec = InterfaceSpec()
    assert _choice(spec, "t1_type").values == tuple(TaskType)
    assert _choice(spec, "t1_topology").values == tuple(Topology)
    assert _choice(spec, "t2_intent").values == ("none", *HiddenIntentKind)
    assert _choice(spec, "t1_c1_status").values == tuple(SlotStatus)
    assert _choice(spec, "decision").values == (Decision.ACCEPT, Decision.REJECT)


def test_calls_wait_for_earlier_slots_only_and_intents_for_earlier_tasks() -> None:
    spec = InterfaceSpec(asks=2)
    assert _choice(spec, "t1_c1_after").values == ("q1", "q2")
    assert _choice(spec, "t1_c3_after").values == ("q1", "q2", "c1", "c2")
    assert _choice(spec, "t1_q2_after").values[:2] == ("q1", "c1")
    assert _choice(spec, "t3_said_in").values == ("1", "2")
    assert not [control for control in layout(spec).controls() if control.name == "t1_intent"]


def test_what_depends_on_a_choice_is_shown_with_it() -> None:
    spec = InterfaceSpec()
    topology, reasons = _choice(spec, "t1_topology").when, _choice(spec, "reasons").when
    assert topology is not None
    assert (topology.control, topology.values) == ("t1_type", ("multi",))
    assert reasons is not None
    assert (reasons.control, reasons.values) == ("decision", ("reject",))
    slot = layout(spec).tasks[0].calls[0]
    assert (slot.used.control, slot.used.values) == ("t1_c1_status", ("keep", "change", "add"))


def test_keys_do_not_collide_and_tasks_beyond_the_keyboard_have_none() -> None:
    spec = InterfaceSpec(tasks=5)
    keys = [
        key
        for control in layout(spec).controls()
        if isinstance(control, Choice)
        for key in control.keys[: len(control.values)]
    ]
    assert len(keys) == len(set(keys)) == 4 * 4 + 3 * 4 + 2
    assert _choice(spec, "t5_type").keys == ()


def test_tools_are_chosen_among_the_sessions() -> None:
    named = [control.name for control in layout(InterfaceSpec(tasks=1)).controls() if isinstance(control, ToolChoice)]
    assert named == ["t1_q1_tool", *(f"t1_c{number}_name" for number in range(1, 9))]
