"""By which linguistic device a task can lean on what was said or shown."""

from __future__ import annotations

import re
from typing import assert_never

from agents.paths import loosen
from agents.phrases import PLACE
from agents.values import Said, required
from schemas.plan import PlannedArgument
from schemas.tool import Tool
from schemas.vocabulary import Device, HiddenIntentKind


def chat_devices(kind: HiddenIntentKind) -> tuple[Device, ...]:
    """Devices of a chat task, which leans on a thing that was named."""
    match kind:
        case HiddenIntentKind.PARTIAL_INFORMATION:
            return (Device.OMITTED_SUBJECT,)
        case HiddenIntentKind.COREFERENCE:
            return (Device.PRONOUN, Device.DEMONSTRATIVE)
        case HiddenIntentKind.LONG_RANGE:
            return (Device.DEMONSTRATIVE, Device.DESCRIPTION)
        case _:
            assert_never(kind)


def argument_of(parameter: str, said: Said) -> PlannedArgument:
    """A value said in this task as a planned argument."""
    return PlannedArgument(parameter=parameter, source=said.source, value=said.value, words=said.words)


_NAME = re.compile(r"[^\W\d_][^\W\d_]*(?:[ '’-][^\W\d_]+){0,3}")
"""A thing that people name in small talk: at most four words; no codes, addresses, numbers or sentences."""


TOPIC = re.compile(r"city|country|place|artist|author|player|team|genre|topic|categor|q$|query|keyword", re.IGNORECASE)
"""Parameters whose values people chat about."""


def namable(argument: PlannedArgument | Said) -> bool:
    """Whether a person would name it in small talk."""
    return bool(_NAME.fullmatch(argument.words or str(argument.value)))


def said_devices(kind: HiddenIntentKind, tool: Tool, parameter: str) -> list[Device]:
    """Devices by which a call leans on a value that was said."""
    match kind:
        case HiddenIntentKind.PARTIAL_INFORMATION:
            needed = parameter in required(tool)
            if not needed:
                return [Device.OMITTED_MODIFIER]
            return [Device.OMITTED_SUBJECT if PLACE.search(parameter) else Device.OMITTED_ATTRIBUTE]
        case HiddenIntentKind.COREFERENCE:
            return [Device.PRONOUN, Device.DEMONSTRATIVE]
        case HiddenIntentKind.LONG_RANGE:
            return [Device.DESCRIPTION, Device.DEMONSTRATIVE]
        case _:
            assert_never(kind)


def shown_devices(path: str) -> list[Device]:
    """Devices by which a call leans on a result that was shown."""
    if loosen(path) == path:
        return [Device.PRONOUN, Device.DEMONSTRATIVE]
    if "[-" in path:
        return [Device.REVERSE_ORDINAL, Device.DESCRIPTION]
    return [Device.ORDINAL, Device.ORDINAL, Device.DESCRIPTION]
