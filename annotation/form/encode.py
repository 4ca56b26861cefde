"""Encode a draft as form values: what the form shows of it, and what it starts with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, assert_never

from wildtool.annotation.form.annotation import Form, FormTask
from wildtool.annotation.form.controls import ask_label, call_label, slot_field, task_field
from wildtool.annotation.form.interface import NO_INTENT, SPARE_CALL_SLOTS, InterfaceSpec, fitting_spec
from wildtool.annotation.form.layout import Choice, Text, ToolChoice, layout
from wildtool.annotation.form.order import slot_labels
from wildtool.annotation.form.render import dialogue_html, doubt_text, labels_html, laid_out, open_doubts, tools_html
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import SlotStatus


def misfit(draft: Draft, spec: InterfaceSpec) -> str | None:
    """Return why this form cannot show a draft, or None if it can."""
    for number, task in enumerate(draft.session.tasks, 1):
        answers = [index for index, action in enumerate(task.actions) if isinstance(action, Answer)]
        if answers != [len(task.actions) - 1]:
            return f"task {number} has {len(answers)} answers: the form takes exactly one, at the end"
    need = fitting_spec([draft], purpose=spec.purpose)
    need = need.model_copy(update={"calls": need.calls - SPARE_CALL_SLOTS, "intents": ()})
    if not spec.covers(need):
        return f"it needs {need.tasks} tasks, {need.calls} calls and {need.asks} questions per task"
    return None


def form_errors(form: Form, spec: InterfaceSpec, tools: Sequence[str]) -> list[str]:
    """List the values that the form has no room for, one line each."""
    controls = {control.name: control for control in layout(spec).controls()}
    errors = []
    for name, values in form.items():
        match controls.get(name):
            case None:
                errors.append(f"the form has no control {name}")
                continue
            case Text():
                continue
            case ToolChoice():
                allowed: Sequence[str] = tools
            case Choice() as choice:
                allowed = choice.values
            case other:
                assert_never(other)
        errors += [f"{name} does not offer {value!r}" for value in values if value not in allowed]
    return errors


def draft_form(draft: Draft, spec: InterfaceSpec) -> Form:
    """Fill the form with a draft: its slots ``keep``, all others ``unused``, no decision."""
    return tasks_form(draft.session.tasks, spec)


def tasks_form(tasks: Sequence[Task], spec: InterfaceSpec) -> Form:
    """Fill the form with tasks."""
    form: Form = {}
    for number, task in enumerate(tasks, 1):
        _put(form, task_field(number, "user"), task.user)
        _put(form, task_field(number, "type"), task.type)
        _put(form, task_field(number, "topology"), task.topology)
        if number > 1:
            _put_intent(form, number, task)
        labels = slot_labels(task.actions)
        for label, action in zip(labels, task.actions, strict=True):
            _put_action(form, number, label, action, [labels[on] for on in action.depends_on])
        free = [call_label(slot) for slot in range(1, spec.calls + 1)]
        free += [ask_label(slot) for slot in range(1, spec.asks + 1)]
        for label in free:
            if label not in labels:
                form[slot_field(number, label, "status")] = [str(SlotStatus.UNUSED)]
        if task.alternatives:
            _put(form, task_field(number, "alternatives"), laid_out([alternative_json(a) for a in task.alternatives]))
    return form


def _put(form: Form, control: str, value: str | None) -> None:
    if value:
        form[control] = [str(value)]


def _put_intent(form: Form, number: int, task: Task) -> None:
    intent = task.hidden_intent
    form[task_field(number, "intent")] = [NO_INTENT if intent is None else str(intent.kind)]
    if intent is not None:
        _put(form, task_field(number, "piece"), intent.piece)
        form[task_field(number, "said_in")] = [str(intent.said_in + 1)]


def _put_action(form: Form, number: int, label: str, action: Call | Ask | Answer, after: list[str]) -> None:
    def put(field: str, value: str | None) -> None:
        _put(form, slot_field(number, label, field), value)

    match action:
        case Answer():
            _put(form, task_field(number, "answer"), action.text)
            return
        case Call():
            put("name", action.name)
            put("arguments", laid_out(action.arguments))
            put("observation", observation_text(action.observation))
            if action.argument_alternatives:
                put("alternatives", laid_out({name: list(v) for name, v in action.argument_alternatives.items()}))
        case Ask():
            put("question", action.question)
            put("slots", ", ".join(action.slots))
            put("tool", action.tool)
            put("reply", action.reply)
        case _:
            assert_never(action)
    put("status", SlotStatus.KEEP)
    if after:
        form[slot_field(number, label, "after")] = after


def observation_text(value: Any) -> str | None:
    """Show an observation in the form: JSON laid out, plain text plain, nothing for None.

    Text that reads as JSON (``"12"``) is quoted, so that ``observation_value`` gives back what was there.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        return laid_out(value)
    try:
        json.loads(value)
    except ValueError:
        return value
    return laid_out(value)


def observation_value(text: str) -> Any:
    """Read an observation back: JSON where the text parses as JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def alternative_json(actions: Sequence[Call | Ask | Answer]) -> list[JsonObject]:
    """Write an alternative set of actions as annotators do: no answer, ``after`` counts the list's calls from 1."""
    kept = [index for index, action in enumerate(actions) if not isinstance(action, Answer)]
    written = []
    for index in kept:
        action = actions[index]
        fields = action.model_dump(mode="json", exclude={"depends_on", "trace"}, exclude_defaults=True)
        fields["kind"] = action.kind
        fields["after"] = [kept.index(on) + 1 for on in action.depends_on]
        written.append(fields)
    return written


def tool_names(session: Session) -> list[str]:
    """List the names of a session's tools."""
    return [str(tool.get("function", tool).get("name", "")) for tool in session.tools]


def doubts_by_key(draft: Draft) -> dict[str, str]:
    """Place each open doubt beside what it doubts, by key of the layout."""
    doubts = open_doubts(draft)
    placed = {}
    for number, task in enumerate(draft.session.tasks, 1):
        here = [verdict for verdict in doubts if verdict.task == number - 1]
        whole = [verdict for verdict in here if verdict.action is None]
        for index, label in enumerate(slot_labels(task.actions)):
            about = [verdict for verdict in here if verdict.action == index]
            if label == "answer":
                whole += about
            else:
                placed[slot_field(number, label, "doubt")] = doubt_text(about)
        placed[task_field(number, "doubt")] = doubt_text(whole)
    return {key: text for key, text in placed.items() if text}


def encode_draft(
    draft: Draft,
    spec: InterfaceSpec,
    *,
    round: int = 1,
    people: int = 1,
    note: str = "",
    labels: Sequence[Label] = (),
    differing: Sequence[str] = (),
    prefill: Sequence[Task] | None = None,
) -> FormTask:
    """Encode a draft for this form.

    ``note`` says why a session came back; ``labels`` and ``differing`` are shown to an adjudicator; ``prefill``
    replaces the draft's tasks in the form (not in the dialogue). Raises ``InputError`` where it does not fit.
    """
    problem = misfit(draft, spec)
    tools = tool_names(draft.session)
    form: Form = {}
    if problem is None:
        form = tasks_form(draft.session.tasks if prefill is None else prefill, spec)
        problem = "; ".join(form_errors(form, spec, tools)) or None
    if problem is not None:
        raise InputError(
            f"draft {draft.id} does not fit the labelling form: {problem}",
            "push it to a new project, or draft it again",
        )
    session = draft.session
    return FormTask(
        draft=draft.id,
        session=session.id,
        language=str(session.language),
        category=session.category,
        round=round,
        people=people,
        dialogue_html=dialogue_html(draft, note=note),
        tools_html=tools_html(session),
        labels_html=labels_html(labels, differing) if spec.purpose == "adjudicate" else "",
        tools=tuple(tools),
        doubts=doubts_by_key(draft),
        open_doubts=len(open_doubts(draft)),
        form=form,
        author="offline" if draft.offline else session.provenance.models.get("assistant", "draft"),
    )
