from __future__ import annotations

from typing import Any

from wildtool.annotation import Form
from wildtool.annotation.form.render import MAX_OBSERVATION, dialogue_html, labels_html, shortened, tools_html
from wildtool.schemas.draft import Draft
from wildtool.schemas.session import Answer, Call


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
    assert "or <code>to</code>: <code>&#34;&lt;b&gt;&#34;</code>" in shown
    assert shown.count("or these calls:") == 1
    assert "s9&#34;}</code>)" in shown.partition("or these calls:")[2]


def test_the_dialogue_places_doubts_intents_and_notes(draft: Draft) -> None:
    shown = dialogue_html(draft, note="the label broke")
    assert shown.startswith('<div class="wt-note">Came back: the label broke</div>')
    assert "1 doubt</div>" in shown
    assert "depends on task 1 by coreference: <code>city</code>" in shown
    third = shown.partition("Task 3")[2]
    assert third.index("bookShow") < third.index("⚠ `id` is found nowhere") < third.index("Booked.")
    assert "<i>after q1</i>" in third
    assert "Came back" not in dialogue_html(draft)


def test_text_keeps_its_line_breaks_and_gets_no_others(draft: Draft) -> None:
    first = draft.session.tasks[0].model_copy(update={"user": "one\ntwo"})
    session = draft.session.model_copy(update={"tasks": (first,)})
    shown = dialogue_html(draft.model_copy(update={"session": session}))
    assert "<span>one\ntwo</span>" in shown
    assert '<div class="wt-result">→ {&#34;aqi&#34;: 41}</div>' in shown


def test_tools_tell_types_defaults_and_what_is_required(draft: Draft) -> None:
    shown = tools_html(draft.session)
    assert "<td><code>city</code> *</td><td>string</td><td>Name of the city</td>" in shown
    assert "<td><code>seats</code></td><td>integer</td><td>default 1</td>" in shown
    assert "format date" in shown


def test_long_observations_are_cut() -> None:
    assert shortened("x" * MAX_OBSERVATION) == "x" * MAX_OBSERVATION
    assert shortened("x" * 2500).endswith("x … (2,500 characters)")
    assert shortened({"a": "多云"}) == '{"a": "多云"}'


def test_labels_stand_side_by_side_with_what_differs_marked(draft: Draft, form: Form, say: Any) -> None:
    one = say(form)
    other = say({**form, "decision": ["reject"], "reasons": ["duplicate"], "remark": ["seen"]}, annotator="ann_b")
    shown = labels_html((one, other), ("decision", "task 1: arguments"))
    assert "They differ in: decision, task 1: arguments" in shown
    assert shown.count('class="wt-column"') == 2
    assert shown.count("wt-differs") == 2
    assert shown.count("<em>differs: arguments</em>") == 2
    assert "duplicate" in shown
    assert "seen" in shown
    assert "They differ in: nothing" in labels_html((one,), ())
