"""Tasks and forms in one line each, for tests of decoding one task."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tests.drafted import draft_of
from wildtool.annotation import Annotation, Form, build_interface, decode_annotation, draft_form, fitting_spec
from wildtool.annotation.label_studio.interface import LabelStudioInterface
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.plan import Blueprint
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Answer, Ask, Call, Task
from wildtool.schemas.vocabulary import TaskType


def decode(draft: Draft, interface: LabelStudioInterface, changes: Form) -> Label | Quarantined:
    """What comes of an accepted form with these changes; an empty list takes a control away."""
    form = {**draft_form(draft, interface.spec), "decision": ["accept"], **changes}
    annotation = Annotation(
        id=1,
        author="ann_a",
        form={control: texts for control, texts in form.items() if texts},
        updated_at="2024-07-12T10:00:00+00:00",
        raw={"as": "it came"},
    )
    return decode_annotation(annotation, draft, interface, project_id=3, annotator="ann_a")


def draft_with(drafts: ModuleType, *tasks: Task) -> tuple[Draft, LabelStudioInterface]:
    """A draft of these tasks over the tools of ``drafts.py``, and the interface that fits it."""
    planned = [Blueprint(type=task.type, topology=task.topology) for task in tasks]
    made = draft_of(drafts.tool_list(), tasks, planned, now=drafts.NOW)
    return made, build_interface(fitting_spec([made]))


def air(city: str, *on: int, **fields: Any) -> Call:
    return Call(name="getAirQuality", arguments={"city": city}, depends_on=on, **fields)


def single(
    *actions: Call | Ask, kind: TaskType = TaskType.SINGLE, on: tuple[int, ...] | None = None, **fields: Any
) -> Task:
    last = tuple(range(len(actions))) if on is None else on
    return Task(user="Please", type=kind, actions=(*actions, Answer(text="Done.", depends_on=last)), **fields)


ASK = Ask(slots=("city",), tool="getAirQuality", question="Where?", reply="Here")
