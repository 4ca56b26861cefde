"""Draft → Label Studio task: the data that the interface shows, and the prediction that prefills the form.

The form is a dict from control name to values. Predictions, people's results and simulated labels are all forms,
so each is encoded and decoded by the same code.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, assert_never

from wildtool.annotation.form.controls import ask_label, call_label, slot_field, task_field
from wildtool.annotation.form.interface import NO_INTENT, OBJECT, Interface, InterfaceSpec, data_keys, fitting_spec
from wildtool.annotation.form.order import slot_labels
from wildtool.annotation.form.render import dialogue_html, doubt_text, labels_html, laid_out, open_doubts, tools_html
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError
from wildtool.schemas.label import Label
from wildtool.schemas.session import Answer, Ask, Call, Session, Task
from wildtool.schemas.vocabulary import SlotStatus

Form = dict[str, list[str]]
"""Values by control name, as in ``{"t1_type": ["multi"], "t1_c2_after": ["c1"]}``; an empty control is absent."""

_CHOICES = re.compile(
    r"(decision|reasons|stray_keys|t\d+_(type|topology|intent|said_in)|t\d+_[cq]\d+_(status|name|tool|after))$"
)


def is_choice(control: str) -> bool:
    """True for a control of choices, False for a text."""
    return _CHOICES.fullmatch(control) is not None


def misfit(draft: Draft, spec: InterfaceSpec) -> str | None:
    """Why a draft cannot be shown by this interface, or None."""
    for number, task in enumerate(draft.session.tasks, 1):
        answers = [index for index, action in enumerate(task.actions) if isinstance(action, Answer)]
        if answers != [len(task.actions) - 1]:
            return f"task {number} has {len(answers)} answers: the form wants one, at the end"
    need = fitting_spec([draft], purpose=spec.purpose)
    if not spec.covers(need.model_copy(update={"calls": need.calls - 2})):
        return f"needs {need.tasks} tasks, {need.calls - 2} calls and {need.asks} questions a task"
    return None


def draft_form(draft: Draft, spec: InterfaceSpec) -> Form:
    """The form as the draft fills it: every slot of the draft ``keep``, every other one ``unused``; undecided."""
    return tasks_form(draft.session.tasks, spec)


def tasks_form(tasks: Sequence[Task], spec: InterfaceSpec) -> Form:
    """The form that shows these tasks."""
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
    """An observation as the form shows it: JSON laid out, plain text plain, nothing for None.

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
    """The observation that a form's text stands for: JSON where it is JSON, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def alternative_json(actions: Sequence[Call | Ask | Answer]) -> list[JsonObject]:
    """One other right set of actions as annotators write it: no answer, ``after`` counts the list's calls from 1."""
    kept = [index for index, action in enumerate(actions) if not isinstance(action, Answer)]
    written = []
    for index in kept:
        action = actions[index]
        fields = action.model_dump(mode="json", exclude={"depends_on", "trace"}, exclude_defaults=True)
        fields["kind"] = action.kind
        fields["after"] = [kept.index(on) + 1 for on in action.depends_on]
        written.append(fields)
    return written


def form_result(form: Mapping[str, Sequence[str]]) -> list[JsonObject]:
    """Label Studio's result for a form."""
    result = []
    for control, values in form.items():
        key, kind = ("choices", "choices") if is_choice(control) else ("text", "textarea")
        result.append(
            {"id": control, "from_name": control, "to_name": OBJECT, "type": kind, "value": {key: list(values)}}
        )
    return result


def result_form(result: Any) -> Form:
    """The form of a Label Studio result. Regions that hold nothing are left out.

    ``result`` is what the server sent: any user may write there. Raises ``ValueError`` where it is no list of regions,
    each with a control's name and a value of ours.
    """
    if not isinstance(result, list):
        raise ValueError("the result is no list of regions")
    form: Form = {}
    for number, region in enumerate(result):
        control = region.get("from_name") if isinstance(region, dict) else None
        value = region.get("value") if isinstance(region, dict) else None
        if not isinstance(control, str) or not isinstance(value, dict):
            raise ValueError(f"region {number} names no control or holds no value")
        values = value.get("choices") if is_choice(control) else value.get("text")
        if values is None:
            raise ValueError(f"{control} holds {sorted(value)}, neither choices nor text")
        if not isinstance(values, (str, list)):
            raise ValueError(f"{control} holds {values!r:.40}, neither text nor a list of texts")
        texts = [values] if isinstance(values, str) else [str(each) for each in values]
        if not is_choice(control):
            texts = ["\n".join(texts)]
        if any(text.strip() for text in texts):
            form[control] = form.get(control, []) + texts
    return form


def task_data(
    draft: Draft,
    interface: Interface,
    *,
    round: int = 1,
    note: str = "",
    labels: Sequence[Label] = (),
    differing: Sequence[str] = (),
) -> JsonObject:
    """What the interface shows of a draft. ``uid`` is the draft's id: by it a task is found again."""
    data: JsonObject = dict.fromkeys(data_keys(interface.spec), "")
    doubts = open_doubts(draft)
    data.update(
        uid=draft.id,
        session=draft.session.id,
        language=str(draft.session.language),
        category=draft.session.category,
        doubts=len(doubts),
        round=round,
        interface=interface.hash,
        dialogue_html=dialogue_html(draft, note=note),
        tools_html=tools_html(draft.session),
        tool_choices=[{"value": name} for name in tool_names(draft.session)],
    )
    if interface.spec.purpose == "adjudicate":
        data["labels_html"] = labels_html(labels, differing)
    for number, task in enumerate(draft.session.tasks, 1):
        here = [verdict for verdict in doubts if verdict.task == number - 1]
        whole = [verdict for verdict in here if verdict.action is None]
        for index, label in enumerate(slot_labels(task.actions)):
            about = [verdict for verdict in here if verdict.action == index]
            if label == "answer":
                whole += about
            else:
                data[slot_field(number, label, "doubt")] = doubt_text(about)
        data[task_field(number, "doubt")] = doubt_text(whole)
    return data


def tool_names(session: Session) -> list[str]:
    """Names of a session's tools."""
    return [str(tool.get("function", tool).get("name", "")) for tool in session.tools]


def model_version(draft: Draft) -> str:
    """Who wrote the draft, as Label Studio shows it beside the prediction."""
    return "offline" if draft.offline else draft.session.provenance.models.get("assistant", "draft")


def encode_draft(
    draft: Draft,
    interface: Interface,
    *,
    round: int = 1,
    note: str = "",
    labels: Sequence[Label] = (),
    differing: Sequence[str] = (),
    prefill: Sequence[Task] | None = None,
) -> JsonObject:
    """A Label Studio task with its prediction, checked offline against the interface.

    ``note`` says why a session came back; ``labels`` and ``differing`` are shown to an adjudicator; ``prefill``
    replaces the draft's tasks in the form (not in the dialogue). Raises ``InputError`` where it does not fit.
    """
    problem = misfit(draft, interface.spec)
    if problem is None:
        form = draft_form(draft, interface.spec) if prefill is None else tasks_form(prefill, interface.spec)
        doubts = len(open_doubts(draft))
        prediction = {"model_version": model_version(draft), "score": 1 / (1 + doubts), "result": form_result(form)}
        problem = "; ".join(validation_errors(prediction, interface)) or None
    if problem is not None:
        raise InputError(
            f"draft {draft.id} does not fit the labelling interface: {problem}",
            "push it to a new project, or draft it again",
        )
    data = task_data(draft, interface, round=round, note=note, labels=labels, differing=differing)
    return {"data": data, "predictions": [prediction]}


def validation_errors(prediction: JsonObject, interface: Interface) -> list[str]:
    """What Label Studio would refuse about a prediction, found without a server."""
    return list(_label_interface(interface.xml).validate_prediction(prediction, return_errors=True))


@lru_cache(maxsize=8)
def _label_interface(xml: str) -> Any:
    from label_studio_sdk.label_interface.interface import LabelInterface  # 1 s to import

    return LabelInterface(xml)
