from __future__ import annotations

from types import ModuleType

import pytest

from wildtool.annotation import Form, Interface, InterfaceSpec, draft_form, encode_draft, fitting_spec, layout
from wildtool.annotation.form.encode import form_errors, observation_text, observation_value
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError


def test_doubts_stand_beside_what_they_doubt(draft: Draft, interface: Interface) -> None:
    task = encode_draft(draft, interface.spec)
    assert set(task.doubts) == {"t3_c1_doubt"} <= set(layout(interface.spec).doubts())
    assert "found nowhere" in task.doubts["t3_c1_doubt"]
    assert task.open_doubts == 1


def test_a_draft_that_does_not_fit_is_refused(draft: Draft) -> None:
    with pytest.raises(InputError, match="does not fit"):
        encode_draft(draft, InterfaceSpec(tasks=3))


@pytest.mark.parametrize("value", [{"a": 1}, [1, "x"], "plain", "12", '{"a": 1}', "", 0, False, "多云", "null"])
def test_observations_survive_the_form(value: object) -> None:
    text = observation_text(value)
    assert text is not None
    assert observation_value(text) == value
    assert type(observation_value(text)) is type(value)


def test_a_draft_form_fills_only_what_the_layout_offers(draft: Draft) -> None:
    spec = fitting_spec([draft])
    form = draft_form(draft, spec)
    tools = ["getAirQuality", "searchShows", "getShow", "bookShow"]
    assert form_errors(form, spec, tools) == []
    assert form["t2_c3_after"] == ["c2"]
    assert form["t2_intent"] == ["coreference"]
    assert form["t3_q1_slots"] == ["id"]
    assert form["t2_c4_status"] == ["unused"]
    assert "t1_intent" not in form


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"t1_colour": ["red"]}, "no control t1_colour"),
        ({"t1_type": ["double"]}, "t1_type does not offer 'double'"),
        ({"t2_c1_after": ["c1"]}, "t2_c1_after does not offer 'c1'"),  # a call cannot wait for itself
        ({"t1_c1_name": ["getMoon"]}, "t1_c1_name does not offer 'getMoon'"),
        ({"t2_said_in": ["2"]}, "t2_said_in does not offer '2'"),
    ],
)
def test_values_without_room_in_the_form_are_named(draft: Draft, change: Form, words: str) -> None:
    spec = fitting_spec([draft])
    tools = ["getAirQuality", "searchShows", "getShow", "bookShow"]
    (error,) = form_errors({**draft_form(draft, spec), **change}, spec, tools)
    assert words in error


def test_a_draft_that_calls_an_unknown_tool_is_refused(draft: Draft) -> None:
    session = draft.session.model_copy(update={"tools": draft.session.tools[1:]})
    with pytest.raises(InputError, match="does not offer 'getAirQuality'"):
        encode_draft(draft.model_copy(update={"session": session}), InterfaceSpec())


def test_prefilled_tasks_replace_the_form_but_not_the_dialogue(drafts: ModuleType, draft: Draft) -> None:
    task = encode_draft(draft, InterfaceSpec(), prefill=drafts.tasks(city="Lille"), round=3, people=2)
    assert "Lille" in task.form["t1_c1_arguments"][0]
    assert "Lille" not in task.dialogue_html
    assert (task.draft, task.round, task.people, task.author) == (draft.id, 3, 2, "offline")
