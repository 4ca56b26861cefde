from __future__ import annotations

import re
from enum import StrEnum
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from wildtool.annotation import InterfaceSpec, build_interface, draft_form, encode_draft, fitting_spec
from wildtool.annotation.form import decode_task
from wildtool.annotation.form import interface as form_interface
from wildtool.annotation.label_studio.interface import (
    AUTOMATIC_KEYS,
    INTERFACE_VERSION,
    LabelStudioInterface,
    data_keys,
    read_interface,
)
from wildtool.schemas.draft import Draft, Verdict
from wildtool.schemas.session import Answer, Call


def test_same_spec_same_hash_other_spec_other_hash() -> None:
    assert build_interface(InterfaceSpec()).hash == build_interface(InterfaceSpec()).hash
    hashes = {
        build_interface(InterfaceSpec(calls=calls, purpose=purpose)).hash
        for calls in (8, 9)
        for purpose in ("label", "adjudicate")
    }
    assert len(hashes) == 4


def test_an_edited_interface_is_not_ours(interface: LabelStudioInterface) -> None:
    assert read_interface(interface.xml) == interface
    assert read_interface(interface.xml.replace('value="accept"', 'value="ok"')) is None
    assert read_interface("<View/>") is None


def test_controls_are_named_once_and_data_keys_are_complete(interface: LabelStudioInterface) -> None:
    tree = ElementTree.fromstring(interface.xml)
    names = [element.get("name") for element in tree.iter() if element.get("name")]
    assert len(names) == len(set(names))
    used = {value[1:] for element in tree.iter() if (value := element.get("value", "")).startswith("$")}
    assert used == set(data_keys(interface.spec))


def test_only_tags_of_the_open_source_edition(interface: LabelStudioInterface) -> None:
    tags = {element.tag for element in ElementTree.fromstring(interface.xml).iter()}
    assert tags <= {"View", "Style", "Header", "HyperText", "TextArea", "Choices", "Choice", "Collapse", "Panel"}


def test_named_hotkeys_are_unique_and_leave_none_for_automatic_ones(interface: LabelStudioInterface) -> None:
    keys = [key for choice in ElementTree.fromstring(interface.xml).iter("Choice") if (key := choice.get("hotkey"))]
    assert len(keys) == len(set(keys)) == 4 * 4 + 3 * 4 + 2 + len(AUTOMATIC_KEYS)
    assert set(AUTOMATIC_KEYS) <= set(keys)


def test_dependency_boxes_name_earlier_calls_only(interface: LabelStudioInterface) -> None:
    for control in ElementTree.fromstring(interface.xml).iter("Choices"):
        found = re.fullmatch(r"t\d+_c(\d+)_after", control.get("name", ""))
        if found:
            calls = [int(choice.get("value", "")[1:]) for choice in control if choice.get("value", "").startswith("c")]
            assert calls == list(range(1, int(found[1])))


def test_css_holds_no_child_combinator_which_label_studio_escapes(interface: LabelStudioInterface) -> None:
    style = ElementTree.fromstring(interface.xml).find("Style")
    assert style is not None
    assert style.text
    assert ">" not in style.text


def test_texts_of_others_are_escaped_everywhere(drafts: ModuleType, interface: LabelStudioInterface, say: Any) -> None:
    evil = '<script>alert(1)</script><img src=x onerror="alert(2)">'
    doubt = Verdict(check="x", ok=False, reason=evil, evidence=evil, task=1, action=0)
    draft = drafts.draft(opening=evil, city=evil, verdicts=(doubt,))
    label = say(
        {**draft_form(draft, interface.spec), "decision": ["reject"], "reasons": [evil], "remark": [evil]}, of=draft
    )
    task = encode_draft(
        draft, InterfaceSpec(purpose="adjudicate"), note=evil, labels=(label,), differing=(f"task 1: {evil}",)
    )
    for html in (task.dialogue_html, task.tools_html, task.labels_html):
        assert "<script" not in html
        assert "<img" not in html
    assert task.dialogue_html.count("&lt;script&gt;") >= 4
    assert task.labels_html.count("&lt;script&gt;") >= 4
    assert task.doubts["t2_c1_doubt"].startswith("⚠ <script>")  # shown by a Header, which is text and not HTML


def test_the_spec_grows_with_the_drafts(draft: Draft) -> None:
    task = draft.session.tasks[0]
    many = task.model_copy(update={"actions": (*[task.actions[0]] * 11, Answer(text="done"))})
    big = draft.model_copy(update={"session": draft.session.model_copy(update={"tasks": (many,) * 5})})
    spec = fitting_spec([draft, big])
    assert (spec.tasks, spec.calls, spec.asks) == (5, 13, 1)
    assert spec.covers(fitting_spec([draft]))
    assert not fitting_spec([draft]).covers(spec)
    assert isinstance(many.actions[0], Call)


@pytest.mark.parametrize(
    ("spec", "hash"),
    [
        (InterfaceSpec(), "e699594ed0e805c1"),
        (InterfaceSpec(purpose="adjudicate"), "045314daa70284a0"),
        (InterfaceSpec(tasks=5, calls=11, asks=2), "cf6a8ef4233bbeee"),
    ],
)
def test_projects_of_0_1_0_stay_readable(spec: InterfaceSpec, hash: str) -> None:
    """Version 2 is what 0.1.0 pushed: labels under way must not become "edited by hand"."""
    before = build_interface(spec, 2)
    assert before.hash == hash
    assert read_interface(before.xml) == before
    assert read_interface(before.xml.replace("wt-spec-v2", "wt-spec-v1")) is None
    assert INTERFACE_VERSION == 3
    assert build_interface(spec).hash != hash


class FiveKinds(StrEnum):
    """The kinds that exist, and one that some package adds."""

    PARTIAL_INFORMATION = "partial_information"
    COREFERENCE = "coreference"
    LONG_RANGE = "long_range"
    IRONY = "irony"
    PRESUPPOSITION = "presupposition"


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # the made-up kind is no member of the schema's enum
def test_a_further_hidden_intent_kind_is_offered_prefilled_and_read_back(
    draft: Draft, interface: LabelStudioInterface, say: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form_interface, "HiddenIntentKind", FiveKinds)
    monkeypatch.setattr(decode_task, "HiddenIntentKind", FiveKinds)
    spec = fitting_spec([draft])
    tree = ElementTree.fromstring(build_interface(spec).xml)
    for number in (2, 3, 4):
        (control,) = tree.iterfind(f".//Choices[@name='t{number}_intent']")
        assert [choice.get("value") for choice in control] == ["none", *FiveKinds]
        assert [bool(choice.get("hotkey")) for choice in control] == [True] * 4 + [False] * 2
        (row,) = [view for view in tree.iter("View") if view.get("whenTagName") == f"t{number}_intent"]
        assert row.get("whenChoiceValue") == ",".join(FiveKinds)

    # A draft that hides something in the new way goes through the form.
    intent = draft.session.tasks[1].hidden_intent
    assert intent is not None
    changed = draft.session.tasks[1].model_copy(
        update={"hidden_intent": intent.model_copy(update={"kind": FiveKinds.IRONY})}
    )
    tasks = (draft.session.tasks[0], changed, *draft.session.tasks[2:])
    odd = draft.model_copy(update={"session": draft.session.model_copy(update={"tasks": tasks})})
    form = encode_draft(odd, spec).form
    assert form["t2_intent"] == ["irony"]
    wide = build_interface(spec)
    label = say({**form, "decision": ["accept"]}, of=odd, interface=wide)
    assert label.tasks[1].hidden_intent.kind == "irony"

    # A project opened before the kind was registered stays readable, and grows once it is needed.
    assert read_interface(interface.xml) == interface
    assert not interface.spec.covers(spec)
    grown = interface.spec.joined(spec)
    assert grown.covers(spec)
    assert grown.intents == tuple(FiveKinds)
