"""Render the form as Label Studio's labelling configuration (XML), and read one back from a server.

An unused slot costs one line on the screen, and only the first unused one is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import zip_longest
from typing import assert_never
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from wildtool.annotation.form.interface import Interface, InterfaceSpec, Purpose
from wildtool.annotation.form.layout import (
    Choice,
    Condition,
    Folded,
    Item,
    Row,
    Slot,
    TaskSection,
    Text,
    ToolChoice,
    layout,
)
from wildtool.schemas.base import sha256_hex
from wildtool.schemas.vocabulary import SlotStatus

INTERFACE_VERSION = 3
"""Rises whenever the generated XML changes for the same spec: labels made with an unknown version are not trusted."""

OLDER_WORDINGS: dict[int, tuple[tuple[str, str], ...]] = {
    2: (
        ("Hidden intent: how it depends on earlier turns", "Hidden intent: how it leans on earlier turns"),
        (": choose the task that said it", ": where was it said?"),
        ("Missing parameters (separate by commas)", "Missing parameters (comma between)"),
        ("Function that needs them", "Function that misses them"),
        (": choose what to do with it", ": say what becomes of it"),
    )
}
"""By version, today's wording and that version's. Projects opened with an older version stay readable."""

OBJECT = "dialogue"
"""Name of the object tag that every control refers to."""

AUTOMATIC_KEYS = "1234567890qwetyiopasdfgjklzxcvbnm"
"""Keys that Label Studio assigns to choices without a hotkey. A slip of the hand would then change a label off screen.
All of them are assigned to a control that nobody sees and nobody reads, so none is left for the others, which Tab and
Space reach. (A dead key on every choice works too but costs seconds per page: Label Studio rebinds all keys for every
list of functions.)"""

STRAY_KEYS = "stray_keys"
"""Control that takes those keys."""


class LabelStudioInterface(Interface):
    """A generated labelling interface. Its hash is the first 16 hex digits of the XML's SHA-256."""

    xml: str
    """Label Studio's labelling configuration."""


@lru_cache(maxsize=32)
def build_interface(spec: InterfaceSpec, version: int = INTERFACE_VERSION) -> LabelStudioInterface:
    """Generate the interface of a spec. The same spec gives the same XML and the same hash."""
    xml = _xml(spec, version)
    for now, before in OLDER_WORDINGS.get(version, ()):
        xml = xml.replace(now, before)
    return LabelStudioInterface(spec=spec, xml=xml, hash=sha256_hex(xml)[:16])


_MARK = re.compile(r"wt-spec-v(\d+)-t(\d+)-c(\d+)-a(\d+)-(label|adjudicate)\b")


def read_interface(xml: str) -> LabelStudioInterface | None:
    """Recognise a server's XML; None where we did not generate it, or where somebody edited it."""
    found = _MARK.search(xml)
    if found is None:
        return None
    version, tasks, calls, asks = (int(number) for number in found.groups()[:4])
    if version != INTERFACE_VERSION and version not in OLDER_WORDINGS:
        return None
    purpose: Purpose = "adjudicate" if found[5] == "adjudicate" else "label"
    spec = InterfaceSpec(tasks=tasks, calls=calls, asks=asks, purpose=purpose)
    if (intents := _intents(xml)) is not None:
        spec = spec.model_copy(update={"intents": intents})
    interface = build_interface(spec, version)
    return interface if xml.strip() == interface.xml.strip() else None


def _intents(xml: str) -> tuple[str, ...] | None:
    """Read the hidden-intent kinds on offer: a project opened before a kind was registered lacks it."""
    try:
        found = ElementTree.fromstring(xml).find(".//Choices[@name='t2_intent']")
    except ElementTree.ParseError:
        return None
    return None if found is None else tuple(choice.get("value", "") for choice in found)[1:]


def data_keys(spec: InterfaceSpec) -> list[str]:
    """List the keys that every task's data must hold, since the interface refers to them."""
    labels = ["labels_html"] if spec.purpose == "adjudicate" else []
    return ["dialogue_html", "tools_html", "tool_choices", *labels, *layout(spec).doubts()]


def _xml(spec: InterfaceSpec, version: int) -> str:
    style = files("wildtool.annotation.label_studio").joinpath("interface.css").read_text(encoding="utf-8")
    mark = f"wt-spec-v{version}-t{spec.tasks}-c{spec.calls}-a{spec.asks}-{spec.purpose}"
    left = [
        f'<HyperText name="{OBJECT}" value="$dialogue_html" inline="true"/>',
        '<HyperText name="tools" value="$tools_html" inline="true"/>',
    ]
    if spec.purpose == "adjudicate":
        left.insert(0, '<HyperText name="labels" value="$labels_html" inline="true"/>')
    form = layout(spec)
    decision = _view(
        "wt-task wt-decision",
        _view("wt-title", _header("Decision", 3)),
        *map(_item, form.decision),
        _view(
            "wt-hidden",
            _text(form.signature),
            _choices(Choice(name=STRAY_KEYS, values=tuple(AUTOMATIC_KEYS), multiple=True), tuple(AUTOMATIC_KEYS)),
        ),
    )
    parts = [
        f'<View className="wt {mark}">',
        f"<Style>{style}</Style>",
        _view("wt-left", *left),
        _view("wt-right", *map(_task, form.tasks), decision),
        "</View>",
    ]
    return "\n".join(parts)


def _task(task: TaskSection) -> str:
    return _view(
        "wt-task",
        _view("wt-title", _header(task.title, 3)),
        _doubt(task.doubt),
        *map(_item, task.head),
        _nested(task.asks),
        _nested(task.calls),
        *map(_item, task.tail),
    )


def _slot(slot: Slot) -> str:
    return _view(
        "wt-slot wt-ask" if slot.question else "wt-slot",
        _view("wt-slot-head", _header(slot.title, 5), _item(slot.status)),
        _doubt(slot.doubt),
        _view("wt-slot-body", *map(_item, slot.items), when=slot.used),
    )


def _nested(slots: Sequence[Slot]) -> str:
    """Put each slot inside the one before it, which must be in use: a chat task shows one free line and not eight.

    Side by side fails: Label Studio takes a hidden choice for an unselected one and shows every second slot.
    """
    nested = ""
    for slot, before in zip(reversed(slots[1:]), reversed(slots[:-1]), strict=True):
        unused = Condition(control=before.status.name, values=(SlotStatus.UNUSED,))
        nested = _view(None, _slot(slot) + nested, unless=unused)
    return _slot(slots[0]) + nested


def _item(item: Item) -> str:
    match item:
        case Text():
            return _field(item.title, _text(item), "wt-json" if item.code else "")
        case ToolChoice():
            return _field(item.title, _select(item.name))
        case Choice():
            shown = _field(item.title, _choices(item, [f"shift+{key}" for key in item.keys]))
            return shown if item.when is None else _view(None, shown, when=item.when)
        case Row():
            return _view("wt-row", *map(_item, item.fields), when=item.when)
        case Folded():
            panel = f'<Collapse accordion="false" bordered="false"><Panel value={quoteattr(item.title)}>'
            return f"{panel}{_view('wt-json', _text(item.field))}</Panel></Collapse>"
        case _:
            assert_never(item)


def _view(name: str | None, *children: str, when: Condition | None = None, unless: Condition | None = None) -> str:
    attributes = f' className="{name}"' if name else ""
    for condition, mode in ((when, "choice-selected"), (unless, "choice-unselected")):
        if condition is not None:
            values = ",".join(condition.values)
            attributes += f' visibleWhen="{mode}" whenTagName="{condition.control}" whenChoiceValue="{values}"'
    return f"<View{attributes}>{''.join(children)}</View>"


def _header(text: str, size: int) -> str:
    return f'<Header value={quoteattr(text)} size="{size}"/>'


def _doubt(key: str) -> str:
    return _view("wt-doubt", f'<Header value="${key}" size="6"/>')


def _field(title: str, control: str, name: str = "") -> str:
    return _view(f"wt-field {name}".strip(), _header(title, 6), control) if title else control


def _text(text: Text) -> str:
    return (
        f'<TextArea name="{text.name}" toName="{OBJECT}" rows="{text.rows}" editable="true" maxSubmissions="1"'
        f' showSubmitButton="false" placeholder={quoteattr(text.placeholder)}/>'
    )


def _select(name: str) -> str:
    return f'<Choices name="{name}" toName="{OBJECT}" choice="single" layout="select" value="$tool_choices"/>'


def _choices(choice: Choice, hotkeys: Iterable[str]) -> str:
    # Not "single-radio": Label Studio names all radios by their value, so that the browser takes every "keep" of the
    # page for one group, and Tab and the arrow keys leave the slot. Single boxes are drawn round, like radios.
    kind = "multiple" if choice.multiple else "single"
    need = f' required="true" requiredMessage={quoteattr(choice.required)}' if choice.required else ""
    keyed = list(zip_longest(choice.values, hotkeys))[: len(choice.values)]
    boxes = "".join(
        f"<Choice value={quoteattr(value)}{f' hotkey={quoteattr(key)}' if key else ''}/>" for value, key in keyed
    )
    control = (
        f'<Choices name="{choice.name}" toName="{OBJECT}" choice="{kind}" showInline="true"{need}>{boxes}</Choices>'
    )
    return control if choice.multiple else _view("wt-one", control)
