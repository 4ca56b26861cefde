from __future__ import annotations

import re
from importlib.resources import files
from types import ModuleType
from xml.etree import ElementTree

import pytest

from wildtool.annotation import InterfaceSpec, build_interface, encode_draft, fitting_spec
from wildtool.annotation.form.encode import (
    draft_form,
    form_result,
    observation_text,
    observation_value,
    result_form,
    validation_errors,
)
from wildtool.annotation.form.guide import DOCUMENT, instructions, rendered
from wildtool.annotation.form.interface import AUTOMATIC_KEYS, Interface, data_keys, read_interface
from wildtool.annotation.form.render import dialogue_html
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.errors import InputError
from wildtool.schemas.session import Answer, Call


def test_same_spec_same_hash_other_spec_other_hash() -> None:
    assert build_interface(InterfaceSpec()).hash == build_interface(InterfaceSpec()).hash
    hashes = {
        build_interface(InterfaceSpec(calls=calls, purpose=purpose)).hash
        for calls in (8, 9)
        for purpose in ("label", "adjudicate")
    }
    assert len(hashes) == 4


def test_an_edited_interface_is_not_ours(interface: Interface) -> None:
    assert read_interface(interface.xml) == interface
    assert read_interface(interface.xml.replace('value="accept"', 'value="ok"')) is None
    assert read_interface("<View/>") is None


def test_controls_are_named_once_and_data_keys_are_complete(interface: Interface) -> None:
    tree = ElementTree.fromstring(interface.xml)
    names = [element.get("name") for element in tree.iter() if element.get("name")]
    assert len(names) == len(set(names))
    used = {value[1:] for element in tree.iter() if (value := element.get("value", "")).startswith("$")}
    assert used == set(data_keys(interface.spec))


def test_only_tags_of_the_open_source_edition(interface: Interface) -> None:
    tags = {element.tag for element in ElementTree.fromstring(interface.xml).iter()}
    assert tags <= {"View", "Style", "Header", "HyperText", "TextArea", "Choices", "Choice", "Collapse", "Panel"}


def test_named_hotkeys_are_unique_and_leave_none_for_automatic_ones(interface: Interface) -> None:
    keys = [key for choice in ElementTree.fromstring(interface.xml).iter("Choice") if (key := choice.get("hotkey"))]
    assert len(keys) == len(set(keys)) == 4 * 4 + 3 * 4 + 2 + len(AUTOMATIC_KEYS)
    assert set(AUTOMATIC_KEYS) <= set(keys)


def test_dependency_boxes_name_earlier_calls_only(interface: Interface) -> None:
    for control in ElementTree.fromstring(interface.xml).iter("Choices"):
        found = re.fullmatch(r"t\d+_c(\d+)_after", control.get("name", ""))
        if found:
            calls = [int(choice.get("value", "")[1:]) for choice in control if choice.get("value", "").startswith("c")]
            assert calls == list(range(1, int(found[1])))


def test_css_holds_no_child_combinator_which_label_studio_escapes(interface: Interface) -> None:
    style = ElementTree.fromstring(interface.xml).find("Style")
    assert style is not None
    assert style.text
    assert ">" not in style.text


def test_a_prediction_validates_offline_and_a_wrong_one_does_not(draft: Draft, interface: Interface) -> None:
    task = encode_draft(draft, interface)
    assert set(data_keys(interface.spec)) <= set(task["data"])
    assert task["data"]["uid"] == draft.id
    assert validation_errors(task["predictions"][0], interface) == []
    broken = {"result": form_result({**draft_form(draft, interface.spec), "t1_colour": ["red"]})}
    assert any("t1_colour" in error for error in validation_errors(broken, interface))


def test_texts_of_others_are_escaped_everywhere(drafts: ModuleType, interface: Interface) -> None:
    evil = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    doubt = Verdict(check="x", ok=False, reason=evil, evidence=evil, task=1, action=0)
    data = encode_draft(drafts.draft(opening=evil, city=evil, verdicts=(doubt,)), interface, note=evil)["data"]
    for key in ("dialogue_html", "tools_html"):
        assert "<script" not in data[key]
        assert "<img" not in data[key]
    assert data["dialogue_html"].count("&lt;script&gt;") >= 4
    assert data["t2_c1_doubt"].startswith("⚠ <script>")  # shown by a Header, which is text and not HTML


def test_doubts_stand_beside_what_they_doubt(draft: Draft, interface: Interface) -> None:
    data = encode_draft(draft, interface)["data"]
    shown = {key for key in data_keys(interface.spec) if key.endswith("_doubt") and data[key]}
    assert shown == {"t3_c1_doubt"}
    assert "found nowhere" in data["t3_c1_doubt"]
    assert data["doubts"] == 1


def test_a_draft_that_does_not_fit_is_refused(draft: Draft) -> None:
    small = build_interface(InterfaceSpec(tasks=3))
    with pytest.raises(InputError, match="does not fit"):
        encode_draft(draft, small)


def test_the_spec_grows_with_the_drafts(draft: Draft) -> None:
    task = draft.session.tasks[0]
    many = task.model_copy(update={"actions": (*[task.actions[0]] * 11, Answer(text="done"))})
    big = draft.model_copy(update={"session": draft.session.model_copy(update={"tasks": (many,) * 5})})
    spec = fitting_spec([draft, big])
    assert (spec.tasks, spec.calls, spec.asks) == (5, 13, 1)
    assert spec.covers(fitting_spec([draft]))
    assert not fitting_spec([draft]).covers(spec)
    assert isinstance(many.actions[0], Call)


@pytest.mark.parametrize("value", [{"a": 1}, [1, "x"], "plain", "12", '{"a": 1}', "", 0, False, "多云", "null"])
def test_observations_survive_the_form(value: object) -> None:
    text = observation_text(value)
    assert text is not None
    assert observation_value(text) == value
    assert type(observation_value(text)) is type(value)


def test_forms_survive_label_studio_results(draft: Draft, interface: Interface) -> None:
    form = draft_form(draft, interface.spec)
    assert result_form(form_result(form)) == form


def test_the_instructions_hold_the_guide_as_it_is_documented() -> None:
    kept = files("wildtool.annotation.form").joinpath("guide.html").read_text(encoding="utf-8")
    assert kept == rendered(DOCUMENT.read_text(encoding="utf-8")), "run python -m wildtool.annotation.form.guide"
    shown = instructions("https://example.org/guide?a=1&b=2")
    assert 'href="https://example.org/guide?a=1&amp;b=2"' in shown
    for word in ("sequential", "parallel", "mixed", "coreference", "long_range", "Must wait for", "Other right values"):
        assert word in shown
    assert "PostgreSQL" not in shown
    assert "<img" not in shown
    assert "href" not in instructions()


def test_alternatives_are_shown_beside_what_they_stand_for(draft: Draft) -> None:
    task = draft.session.tasks[1]
    search = task.actions[1]
    assert isinstance(search, Call)
    actions = (
        task.actions[0],
        search.model_copy(update={"argument_alternatives": {"to": ("<b>",)}}),
        *task.actions[2:],
    )
    alternative = (Call(name="getShow", arguments={"id": "s9"}), Answer(text="Nuit.", depends_on=(0,)))
    changed = task.model_copy(update={"actions": actions, "alternatives": (alternative,)})
    session = draft.session.model_copy(update={"tasks": (draft.session.tasks[0], changed, *draft.session.tasks[2:])})
    shown = dialogue_html(draft.model_copy(update={"session": session}))
    assert "or <code>to</code>: <code>&quot;&lt;b&gt;&quot;</code>" in shown
    assert shown.count("or these calls:") == 1
    assert "s9&quot;}</code>)" in shown.partition("or these calls:")[2]
