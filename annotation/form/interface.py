"""The labelling interface: XML generated from a spec, with a hash that every label carries.

Label Studio shows the same interface for every session of a project, so the interface holds a fixed number of
tasks, and a fixed number of call and ask slots a task. An unused slot costs one line on the screen, and only the
first unused one is shown. A call's dependency boxes name earlier slots only: calls cannot form a cycle.

Pure: nothing here talks to a server.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib.resources import files
from typing import Literal
from xml.sax.saxutils import quoteattr

from wildtool.annotation.form.controls import ask_label, call_label, slot_field, task_field
from wildtool.schemas.base import Record, sha256_hex
from wildtool.schemas.draft import Draft
from wildtool.schemas.session import Ask, Call
from wildtool.schemas.vocabulary import Decision, HiddenIntentKind, SlotStatus, TaskType, Topology

INTERFACE_VERSION = 2
"""Rises whenever the generated XML changes for the same spec; a label made with another one is not trusted."""

MIN_CALL_SLOTS = 8
"""Label Studio refuses to shrink an interface that has annotations, so it starts with more than most tasks need."""

SPARE_CALL_SLOTS = 2
"""Free slots beyond the longest draft, for calls that the annotator adds."""

NO_INTENT = "none"
"""Choice of a task that hides nothing."""

OBJECT = "dialogue"
"""Name of the object tag that every control refers to."""

REJECT_REASONS = (
    "unnatural_user_message",
    "not_solvable_with_tools",
    "wrong_calls_throughout",
    "observations_contradict",
    "hidden_intent_unclear",
    "private_or_harmful",
    "duplicate",
    "other",
)
"""Why a session can be rejected: what cannot be mended in the form."""

HIDDEN_FIELD = "made_by"
"""Control that no person sees; a program that labels names itself there."""

USED = (SlotStatus.KEEP, SlotStatus.CHANGE, SlotStatus.ADD)
"""Statuses whose slot is part of the label."""


class InterfaceSpec(Record):
    """What an interface is generated from."""

    tasks: int = 4
    """Tasks a session, at most."""
    calls: int = MIN_CALL_SLOTS
    """Call slots a task."""
    asks: int = 1
    """Slots for questions back to the user, a task."""
    purpose: Literal["label", "adjudicate"] = "label"
    """``adjudicate`` shows people's labels side by side above the dialogue."""

    def covers(self, other: InterfaceSpec) -> bool:
        """True if whatever fits ``other`` fits this one."""
        return (
            self.purpose == other.purpose
            and self.tasks >= other.tasks
            and self.calls >= other.calls
            and self.asks >= other.asks
        )

    def joined(self, other: InterfaceSpec) -> InterfaceSpec:
        """The smallest spec that covers both."""
        return InterfaceSpec(
            tasks=max(self.tasks, other.tasks),
            calls=max(self.calls, other.calls),
            asks=max(self.asks, other.asks),
            purpose=self.purpose,
        )


class Interface(Record):
    """A generated labelling interface."""

    spec: InterfaceSpec
    """What it was generated from."""
    xml: str
    """Label Studio's labelling configuration."""
    hash: str
    """First 16 hex digits of the SHA-256 of the XML."""


def fitting_spec(drafts: Iterable[Draft], *, purpose: Literal["label", "adjudicate"] = "label") -> InterfaceSpec:
    """The smallest spec with room for these drafts and for calls that annotators add."""
    spec = InterfaceSpec(purpose=purpose)
    for draft in drafts:
        tasks = draft.session.tasks
        actions = [actions for task in tasks for actions in (task.actions, *task.alternatives)]
        spec = InterfaceSpec(
            tasks=max(spec.tasks, len(tasks)),
            calls=max([spec.calls, *(SPARE_CALL_SLOTS + sum(isinstance(a, Call) for a in set_) for set_ in actions)]),
            asks=max([spec.asks, *(sum(isinstance(a, Ask) for a in set_) for set_ in actions)]),
            purpose=purpose,
        )
    return spec


@lru_cache(maxsize=32)
def build_interface(spec: InterfaceSpec) -> Interface:
    """The interface of a spec. The same spec gives the same XML and the same hash."""
    xml = _xml(spec)
    return Interface(spec=spec, xml=xml, hash=sha256_hex(xml)[:16])


_MARK = re.compile(r"wt-spec-v(\d+)-t(\d+)-c(\d+)-a(\d+)-(label|adjudicate)\b")


def read_interface(xml: str) -> Interface | None:
    """The interface that a server's XML is, or None if it is none of ours or was edited by hand."""
    found = _MARK.search(xml)
    if found is None or int(found[1]) != INTERFACE_VERSION:
        return None
    purpose: Literal["label", "adjudicate"] = "adjudicate" if found[5] == "adjudicate" else "label"
    interface = build_interface(
        InterfaceSpec(tasks=int(found[2]), calls=int(found[3]), asks=int(found[4]), purpose=purpose)
    )
    return interface if xml.strip() == interface.xml.strip() else None


def data_keys(spec: InterfaceSpec) -> list[str]:
    """Keys that every task's data must hold, since the interface refers to them."""
    keys = ["dialogue_html", "tools_html", "tool_choices"]
    if spec.purpose == "adjudicate":
        keys.append("labels_html")
    for task in range(1, spec.tasks + 1):
        keys.append(task_field(task, "doubt"))
        keys += [slot_field(task, call_label(slot), "doubt") for slot in range(1, spec.calls + 1)]
        keys += [slot_field(task, ask_label(slot), "doubt") for slot in range(1, spec.asks + 1)]
    return keys


def _xml(spec: InterfaceSpec) -> str:
    style = files("wildtool.annotation.form").joinpath("interface.css").read_text(encoding="utf-8")
    mark = f"wt-spec-v{INTERFACE_VERSION}-t{spec.tasks}-c{spec.calls}-a{spec.asks}-{spec.purpose}"
    left = [
        f'<HyperText name="{OBJECT}" value="$dialogue_html" inline="true"/>',
        '<HyperText name="tools" value="$tools_html" inline="true"/>',
    ]
    if spec.purpose == "adjudicate":
        left.insert(0, '<HyperText name="labels" value="$labels_html" inline="true"/>')
    right = [_task(spec, task) for task in range(1, spec.tasks + 1)]
    parts = [
        f'<View className="wt {mark}">',
        f"<Style>{style}</Style>",
        _view("wt-left", *left),
        _view("wt-right", *right, _decision()),
        "</View>",
    ]
    return "\n".join(parts)


def _task(spec: InterfaceSpec, task: int) -> str:
    fields = [
        _view("wt-title", _header(f"Task {task}", 3)),
        _doubt(task_field(task, "doubt")),
        _field("User's message", _text(task_field(task, "user"), 3)),
        _field(
            "Type",
            _choices(
                task_field(task, "type"),
                [str(kind) for kind in TaskType],
                required=f"Task {task}: choose its type",
                hotkeys=_keys(TYPE_KEYS, task),
            ),
        ),
        _view(
            None,
            _field(
                "Shape of the calls (topology)",
                _choices(
                    task_field(task, "topology"),
                    [str(shape) for shape in Topology],
                    required=f"Task {task}: a multi task has a topology",
                ),
            ),
            when=(task_field(task, "type"), (TaskType.MULTI,)),
        ),
    ]
    if task > 1:  # the first task has nothing to lean on
        earlier = [str(number) for number in range(1, task)]
        kinds = [str(kind) for kind in HiddenIntentKind]
        fields += [
            _field(
                "Hidden intent: how it leans on earlier turns",
                _choices(
                    task_field(task, "intent"),
                    [NO_INTENT, *kinds],
                    required=f"Task {task}: choose its hidden intent, or none",
                    hotkeys=_keys(INTENT_KEYS, task),
                ),
            ),
            _view(
                "wt-row",
                _field("Piece left unsaid (parameter)", _text(task_field(task, "piece"), 1)),
                _field(
                    "Said in task",
                    _choices(task_field(task, "said_in"), earlier, required=f"Task {task}: where was it said?"),
                ),
                when=(task_field(task, "intent"), tuple(kinds)),
            ),
        ]
    fields += [
        _nested([(_ask(spec, task, slot), _status(task, ask_label(slot))) for slot in range(1, spec.asks + 1)]),
        _nested([(_call(spec, task, slot), _status(task, call_label(slot))) for slot in range(1, spec.calls + 1)]),
        _field("Final answer", _text(task_field(task, "answer"), 3)),
        '<Collapse accordion="false" bordered="false"><Panel value="Other right sets of calls">',
        _view("wt-json", _text(task_field(task, "alternatives"), 3, "see the guide: a JSON list of call lists")),
        "</Panel></Collapse>",
    ]
    return _view("wt-task", *fields)


def _call(spec: InterfaceSpec, task: int, slot: int) -> str:
    label = call_label(slot)
    status = slot_field(task, label, "status")
    asks = [ask_label(number) for number in range(1, spec.asks + 1)]
    earlier = [*asks, *(call_label(number) for number in range(1, slot))]
    body = _view(
        "wt-slot-body",
        _field("Function", _select(slot_field(task, label, "name"))),
        _field("Arguments (JSON)", _text(slot_field(task, label, "arguments"), 5, "{}"), "wt-json"),
        _field("Result (JSON or text)", _text(slot_field(task, label, "observation"), 3), "wt-json"),
        _field("Must wait for", _choices(slot_field(task, label, "after"), earlier, multiple=True)),
        '<Collapse accordion="false" bordered="false"><Panel value="Other right argument values">',
        _view(
            "wt-json",
            _text(slot_field(task, label, "alternatives"), 2, 'as in {"date": ["2024-07-13", "2024-07-14"]}'),
        ),
        "</Panel></Collapse>",
        when=(status, USED),
    )
    head = _view(
        "wt-slot-head",
        _header(f"Call {label}", 5),
        _choices(status, [str(each) for each in SlotStatus], required=f"Task {task}, {label}: say what becomes of it"),
    )
    return _view("wt-slot", head, _doubt(slot_field(task, label, "doubt")), body)


def _ask(spec: InterfaceSpec, task: int, slot: int) -> str:
    label = ask_label(slot)
    status = slot_field(task, label, "status")
    earlier = [ask_label(number) for number in range(1, slot)]
    calls = [call_label(number) for number in range(1, spec.calls + 1)]
    body = _view(
        "wt-slot-body",
        _field("Question to the user", _text(slot_field(task, label, "question"), 2)),
        _view(
            "wt-row",
            _field("Missing parameters (comma between)", _text(slot_field(task, label, "slots"), 1)),
            _field("Function that misses them", _select(slot_field(task, label, "tool"))),
        ),
        _field("User's reply", _text(slot_field(task, label, "reply"), 2)),
        _field("Must wait for", _choices(slot_field(task, label, "after"), [*earlier, *calls], multiple=True)),
        when=(status, USED),
    )
    head = _view(
        "wt-slot-head",
        _header(f"Question {label}", 5),
        _choices(status, [str(each) for each in SlotStatus], required=f"Task {task}, {label}: say what becomes of it"),
    )
    return _view("wt-slot wt-ask", head, _doubt(slot_field(task, label, "doubt")), body)


def _status(task: int, label: str) -> str:
    return slot_field(task, label, "status")


def _nested(slots: list[tuple[str, str]]) -> str:
    """Each slot inside the one before it, which must be in use: a chat task shows one free line and not eight.

    Side by side would not do: Label Studio takes a hidden choice for an unselected one, and shows every second slot.
    """
    nested = ""
    for (view, _), (_, before) in zip(reversed(slots[1:]), reversed(slots[:-1]), strict=True):
        nested = _view(None, view + nested, unless=(before, (SlotStatus.UNUSED,)))
    return slots[0][0] + nested


def _decision() -> str:
    return _view(
        "wt-task wt-decision",
        _view("wt-title", _header("Decision", 3)),
        _choices(
            "decision",
            [str(Decision.ACCEPT), str(Decision.REJECT)],
            required="Decide: accept the session as it stands in this form, or reject it",
            hotkeys=["shift+o", "shift+p"],
        ),
        _view(
            None,
            _field(
                "Why",
                _choices("reasons", list(REJECT_REASONS), multiple=True, required="Say why you reject the session"),
            ),
            when=("decision", (Decision.REJECT,)),
        ),
        _field("Remark", _text("remark", 2, "anything the next reader should know")),
        _view(
            "wt-hidden",
            _text(HIDDEN_FIELD, 1),
            _choices(STRAY_KEYS, list(AUTOMATIC_KEYS), multiple=True, hotkeys=list(AUTOMATIC_KEYS)),
        ),
    )


TYPE_KEYS = ("1234", "qwer", "asdf", "zxcv")
"""Keys of a task's types, with Shift: a row of the keyboard a task, a column a type. Alt and Ctrl are
the browser's."""

INTENT_KEYS = ("", "tyui", "ghjk", "bnml")
"""Keys of a task's hidden intent, with Shift, on the same rows."""

AUTOMATIC_KEYS = "1234567890qwetyiopasdfgjklzxcvbnm"
"""Keys that Label Studio gives to choices without a hotkey, so that a slip of the hand changes a label somewhere off
the screen. All of them are named on a control that nobody sees and nobody reads; then none is left for the others,
which Tab and Space reach. (A dead key on every choice would do too, but cost seconds at each page: Label Studio binds
all keys anew for every list of functions.)"""

STRAY_KEYS = "stray_keys"
"""The control that takes those keys."""


def _keys(rows: tuple[str, ...], task: int) -> list[str]:
    """Hotkeys of a task; beyond the rows there are none."""
    return [f"shift+{key}" for key in rows[task - 1]] if task <= len(rows) else []


def _view(
    name: str | None,
    *children: str,
    when: tuple[str, tuple[str, ...]] | None = None,
    unless: tuple[str, tuple[str, ...]] | None = None,
) -> str:
    attributes = f' className="{name}"' if name else ""
    for condition, mode in ((when, "choice-selected"), (unless, "choice-unselected")):
        if condition is not None:
            tag, values = condition
            attributes += f' visibleWhen="{mode}" whenTagName="{tag}" whenChoiceValue="{",".join(values)}"'
    return f"<View{attributes}>{''.join(children)}</View>"


def _header(text: str, size: int) -> str:
    return f'<Header value={quoteattr(text)} size="{size}"/>'


def _doubt(key: str) -> str:
    return _view("wt-doubt", f'<Header value="${key}" size="6"/>')


def _field(title: str, control: str, name: str = "") -> str:
    return _view(f"wt-field {name}".strip(), _header(title, 6), control)


def _text(name: str, rows: int, placeholder: str = "") -> str:
    return (
        f'<TextArea name="{name}" toName="{OBJECT}" rows="{rows}" editable="true" maxSubmissions="1"'
        f' showSubmitButton="false" placeholder={quoteattr(placeholder)}/>'
    )


def _select(name: str) -> str:
    return f'<Choices name="{name}" toName="{OBJECT}" choice="single" layout="select" value="$tool_choices"/>'


def _choices(
    name: str,
    values: list[str],
    *,
    multiple: bool = False,
    required: str | None = None,
    hotkeys: list[str] | None = None,
) -> str:
    # Not "single-radio": Label Studio names all radios by their value, so that the browser takes every "keep" of the
    # page for one group, and Tab and the arrow keys leave the slot. Single boxes are drawn round, like radios.
    kind = "multiple" if multiple else "single"
    need = f' required="true" requiredMessage={quoteattr(required)}' if required else ""
    keys = [f' hotkey="{key}"' for key in hotkeys or ()] or [""] * len(values)
    choices = "".join(f'<Choice value="{value}"{key}/>' for value, key in zip(values, keys, strict=True))
    control = f'<Choices name="{name}" toName="{OBJECT}" choice="{kind}" showInline="true"{need}>{choices}</Choices>'
    return control if multiple else _view("wt-one", control)
