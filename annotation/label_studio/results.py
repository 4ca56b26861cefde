"""Label Studio's JSON: tasks with predictions out, annotations in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from wildtool.annotation.form.annotation import Annotation, Form, FormTask
from wildtool.annotation.form.controls import is_choice
from wildtool.annotation.label_studio.interface import OBJECT, STRAY_KEYS, LabelStudioInterface, data_keys
from wildtool.schemas.base import JsonObject


def task_json(task: FormTask, interface: LabelStudioInterface) -> JsonObject:
    """Write a task with its prediction. ``uid`` is the draft's id: the task is found again by it."""
    data: JsonObject = dict.fromkeys(data_keys(interface.spec), "")
    data |= {
        "uid": task.draft,
        "session": task.session,
        "language": task.language,
        "category": task.category,
        "doubts": task.open_doubts,
        "round": task.round,
        "interface": interface.hash,
        "dialogue_html": task.dialogue_html,
        "tools_html": task.tools_html,
        "tool_choices": [{"value": name} for name in task.tools],
        **task.doubts,
    }
    if interface.spec.purpose == "adjudicate":
        data["labels_html"] = task.labels_html
    prediction = {
        "model_version": task.author,
        "score": 1 / (1 + task.open_doubts),
        "result": form_result(task.form),
    }
    return {"data": data, "predictions": [prediction]}


def form_result(form: Mapping[str, Sequence[str]]) -> list[JsonObject]:
    """Write a form as Label Studio's result."""
    result = []
    for control, values in form.items():
        key, kind = ("choices", "choices") if is_choice(control) else ("text", "textarea")
        result.append(
            {"id": control, "from_name": control, "to_name": OBJECT, "type": kind, "value": {key: list(values)}}
        )
    return result


def result_form(result: Any) -> Form:
    """Read a form from Label Studio's result. Regions that hold nothing are left out.

    ``result`` is what the server sent, and any user may write there. Raises ``ValueError`` unless it is a list of
    regions, each with a control's name and a value of the control's kind.
    """
    if not isinstance(result, list):
        raise ValueError("the result is not a list of regions")
    form: Form = {}
    for number, region in enumerate(result):
        control = region.get("from_name") if isinstance(region, dict) else None
        value = region.get("value") if isinstance(region, dict) else None
        if not isinstance(control, str) or not isinstance(value, dict):
            raise ValueError(f"region {number} names no control or holds no value")
        if control == STRAY_KEYS:
            continue
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


def read_annotation(annotation: JsonObject, author: str) -> Annotation:
    """Read an annotation as the server lists it."""
    form: Form = {}
    broken = None
    try:
        form = result_form(annotation.get("result") or [])
    except ValueError as error:
        broken = str(error)
    return Annotation(
        id=int(annotation["id"]),
        author=author,
        updated_at=iso(str(annotation["updated_at"])),
        form=form,
        broken=broken,
        skipped=bool(annotation.get("was_cancelled")),
        lead_seconds=annotation.get("lead_time"),
        raw=annotation,
    )


def iso(moment: str) -> str:
    """Write the server's time with a UTC offset."""
    return moment.replace("Z", "+00:00")


def validation_errors(prediction: JsonObject, interface: LabelStudioInterface) -> list[str]:
    """List what Label Studio would refuse about a prediction, without asking a server."""
    return list(_label_interface(interface.xml).validate_prediction(prediction, return_errors=True))


@lru_cache(maxsize=8)
def _label_interface(xml: str) -> Any:
    from label_studio_sdk.label_interface.interface import LabelInterface  # takes 1 s to import

    return LabelInterface(xml)
