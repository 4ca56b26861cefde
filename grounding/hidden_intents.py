"""Registry of hidden-intent kinds and of the devices by which users refer back.

All that rooms need to know of a kind or a device stands in its spec: nobody tests for a kind by name. A package adds one
by an entry point whose name is the new word and whose object is a ``HiddenIntentSpec`` (group ``wildtool.hidden_intents``)
or a ``DeviceSpec`` (group ``wildtool.reference_devices``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import entry_points
from typing import TypeVar

from wildtool.grounding.distance import LONG_RANGE
from wildtool.language.tool_phrasings import PLACE
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.json_schema import properties, required
from wildtool.schemas.open_words import WORD
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind

KINDS = "wildtool.hidden_intents"
DEVICES = "wildtool.reference_devices"
"""Entry-point groups."""

STANDS_ALONE = "First Turn"
"""Subtype, in WildToolBench's format, of a later task that hides nothing: the original's evaluator has no other row for it, and
a name it does not know stops it."""


@dataclass(frozen=True)
class DeviceSpec:
    """What a reference device does to the message."""

    device: Device
    repeats: bool = False
    """The whole message asks for the last thing again, with one part added or changed."""
    names: bool = False
    """A shown thing is called by its name, where that tells it from the others; else by its place."""
    shortens: bool = False
    """A name is cut short."""
    by_place: bool = False
    """A shown thing is counted to: "the second one"."""
    refers: bool = False
    """The message holds a word that refers: "it", "that city", "the last one"."""
    hints: Mapping[str, str] = field(default_factory=dict)
    """How to word it, by language code, for a model that plays the user. Built-in devices have theirs in
    ``language/words/<code>/reference_hints.toml``."""
    worded_like: Device | None = None
    """The built-in device by which the offline simulator words it; needed for devices of other packages."""


@dataclass(frozen=True)
class HiddenIntentSpec:
    """What a hidden-intent kind means, and how plans realise it."""

    kind: HiddenIntentKind
    title: str
    """Name in forms and reports."""
    subtype: str
    """Name in WildToolBench's format (``turn_subtypes``). The original's evaluator stops at a name it does not know: a kind
    whose releases it should score takes the name of a built-in kind, and is read back as that kind."""
    reach: tuple[int, int | None]
    """Fewest and most user turns back to the piece; None for no most."""
    said_devices: Callable[[Tool, str], Sequence[Device]]
    """Devices by which a call can refer to a value that was said, for a tool and its parameter."""
    chat_devices: tuple[Device, ...]
    """Devices of a chat task, which refers to a thing that was named."""
    meaning: str = ""
    """A few words for the people who label: what the message does."""
    refers: bool | None = None
    """Whether the message holds a word that refers ("it", "the second one"): True for always, False for never, None where
    both occur."""
    published: float = 0.0
    """Tasks of this kind in WildToolBench: the weight of the kind where nothing else is known."""
    shown: bool = True
    """It can refer to what a result showed, not only to what was said."""
    repeat_share: float = 0.0
    """Chance that a single task asks for the last thing again, with one part added or changed."""
    short_share: float = 0.0
    """Chance that a call goes to a tool that takes a name with a short form, if there is one. Above zero, short forms
    are among the devices."""
    second_topic_share: float = 0.0
    """Chance that a chat task brings up a second, new topic."""
    asks_again: bool = False
    """A clarify task may leave the piece out as well, and the reply says that it is as before."""

    @property
    def far(self) -> bool:
        """Whether the piece lies so far back that nearer turns must not show it again."""
        return self.reach[0] >= LONG_RANGE

    def reaches(self, turns: int) -> bool:
        """Whether a piece so many user turns back fits the kind."""
        least, most = self.reach
        return least <= turns and (most is None or turns <= most)


_THING = re.compile(
    r"name$|^q$|query|keyword|topic|theme|subject|text|word|dish|food|animal|product|disease|title|url|link|content|message|"
    r"role|coin|sport|artist|author|team|company|" + PLACE.pattern,
    re.IGNORECASE,
)
"""Parameters whose values are things that a pronoun can stand for."""


def _omissions(tool: Tool, parameter: str) -> Sequence[Device]:
    if parameter not in required(tool):
        return (Device.OMITTED_MODIFIER,)
    return (Device.OMITTED_SUBJECT if PLACE.search(parameter) else Device.OMITTED_ATTRIBUTE,)


def _pointers(tool: Tool, parameter: str) -> Sequence[Device]:
    # Nobody says "for it" of a day or a price.
    thing = "enum" not in properties(tool).get(parameter, {}) and _THING.search(parameter) is not None
    return (Device.PRONOUN, Device.DEMONSTRATIVE) if thing else (Device.DEMONSTRATIVE,)


def _far_pointers(tool: Tool, parameter: str) -> Sequence[Device]:
    return (Device.DESCRIPTION, Device.DEMONSTRATIVE)


_BUILT_IN_KINDS = (
    HiddenIntentSpec(
        kind=HiddenIntentKind.PARTIAL_INFORMATION,
        title="Partial information",
        subtype="Partial Information",
        reach=(1, LONG_RANGE - 1),
        said_devices=_omissions,
        chat_devices=(Device.OMITTED_SUBJECT,),
        meaning="a value is left out since an earlier turn said it",
        refers=False,
        published=240.0,
        shown=False,
        repeat_share=0.75,
        asks_again=True,
    ),
    HiddenIntentSpec(
        kind=HiddenIntentKind.COREFERENCE,
        title="Coreference",
        subtype="Coreferential Reference",
        reach=(1, LONG_RANGE - 1),
        said_devices=_pointers,
        chat_devices=(Device.PRONOUN, Device.DEMONSTRATIVE),
        meaning='a value is pointed at ("it", "the second one")',
        refers=True,
        published=349.0,
        short_share=0.4,
        second_topic_share=0.5,
    ),
    HiddenIntentSpec(
        kind=HiddenIntentKind.LONG_RANGE,
        title="Long range",
        subtype="Long-Range Dependency",
        reach=(LONG_RANGE, None),
        said_devices=_far_pointers,
        chat_devices=(Device.DEMONSTRATIVE, Device.DESCRIPTION),
        meaning="the missing piece is more than two user turns back",
        published=179.0,
    ),
)

_BUILT_IN_DEVICES = (
    DeviceSpec(Device.ORDINAL, by_place=True, refers=True),
    DeviceSpec(Device.REVERSE_ORDINAL, by_place=True, refers=True),
    DeviceSpec(Device.PRONOUN, refers=True),
    DeviceSpec(Device.DEMONSTRATIVE, refers=True),
    DeviceSpec(Device.INTERROGATIVE, repeats=True),
    DeviceSpec(Device.ABBREVIATION, names=True, shortens=True),
    DeviceSpec(Device.DESCRIPTION, names=True),
    DeviceSpec(Device.OMITTED_SUBJECT),
    DeviceSpec(Device.OMITTED_ATTRIBUTE),
    DeviceSpec(Device.OMITTED_MODIFIER),
    DeviceSpec(Device.OMITTED_SEVERAL, repeats=True),
    DeviceSpec(Device.ADDED_CONSTRAINT, repeats=True),
    DeviceSpec(Device.CHANGED_CONSTRAINT, repeats=True),
)

Spec = TypeVar("Spec")


def _loaded(group: str, wanted: type[Spec], built_in: Sequence[Spec], word: Callable[[Spec], str]) -> list[Spec]:
    """The specs that installed packages register. Raises ``SettingsError`` for what is none."""
    found: list[Spec] = []
    for point in entry_points(group=group):
        where = f"entry point {point.name!r} of group {group}"
        if not WORD.fullmatch(point.name):
            raise SettingsError(f"{where}: the name is not a lower-case word", "rename it as in long_range")
        if point.name in map(word, built_in):
            raise SettingsError(f"{where}: the name is built in", "give it another name")
        try:
            spec = point.load()
        except Exception as error:  # a package of somebody else may raise anything
            raise SettingsError(f"{where} cannot be loaded: {error}", "reinstall or remove that package") from error
        if not isinstance(spec, wanted):
            raise SettingsError(f"{where} is not a {wanted.__name__}", f"point it at a {wanted.__name__}")
        if word(spec) != point.name:
            raise SettingsError(f"{where} is the spec of {word(spec)!r}", "give both one name")
        found.append(spec)
    return found


@cache
def hidden_intent_kinds() -> Mapping[HiddenIntentKind, HiddenIntentSpec]:
    """The spec of each kind. Raises ``SettingsError`` where a registered one is not sound."""
    extra = _loaded(KINDS, HiddenIntentSpec, _BUILT_IN_KINDS, lambda spec: spec.kind.value)
    subtypes = {STANDS_ALONE}
    for spec in extra:
        if fault := _fault(spec, subtypes):
            raise SettingsError(f"the hidden-intent kind {str(spec.kind)!r} {fault}", "correct its HiddenIntentSpec")
        subtypes.add(spec.subtype)
    return {spec.kind: spec for spec in (*_BUILT_IN_KINDS, *extra)}


def _fault(spec: HiddenIntentSpec, taken: Container[str]) -> str | None:
    """What makes a spec unusable; None if it is sound. ``taken`` holds subtypes that it may not have."""
    least, most = spec.reach
    if least < 1 or (most is not None and most < least):
        return f"reaches from {least} to {most} user turns back"
    if spec.subtype in taken:
        return f"has the subtype {spec.subtype!r}, which means something else"
    if spec.published < 0:
        return f"weighs {spec.published}"
    if not spec.chat_devices:
        return "has no device for chat tasks"
    if spec.refers is not None and any(reference_device(one).refers != spec.refers for one in spec.chat_devices):
        return f"has refers={spec.refers}, but not all of its chat devices do"
    return None


@cache
def reference_devices() -> Mapping[Device, DeviceSpec]:
    """The spec of each device. Raises ``SettingsError`` where a registered one is not sound."""
    extra = _loaded(DEVICES, DeviceSpec, _BUILT_IN_DEVICES, lambda spec: spec.device.value)
    return {spec.device: spec for spec in (*_BUILT_IN_DEVICES, *extra)}


def hidden_intent(kind: HiddenIntentKind) -> HiddenIntentSpec:
    """The spec of a kind. Raises ``SettingsError`` for one that nobody registered."""
    return _spec(hidden_intent_kinds(), kind, "hidden-intent kind", KINDS)


def reference_device(device: Device) -> DeviceSpec:
    """The spec of a device. Raises ``SettingsError`` for one that nobody registered."""
    return _spec(reference_devices(), device, "reference device", DEVICES)


def require_complete() -> None:
    """Raise ``SettingsError`` unless every kind and every device has a spec: called where a room starts."""
    for kind in HiddenIntentKind:
        hidden_intent(kind)
    for device in Device:
        reference_device(device)


Word = TypeVar("Word", HiddenIntentKind, Device)


def _spec(registry: Mapping[Word, Spec], word: Word, what: str, group: str) -> Spec:
    try:
        return registry[word]
    except KeyError:
        remedy = f"register its spec by an entry point of group {group}"
        raise SettingsError(f"the {what} {str(word)!r} is not registered", remedy) from None
