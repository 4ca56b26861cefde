"""Choose the device by which a planned task refers to what was said or shown.

What each kind and device means stands in ``grounding.hidden_intents``; here is what depends on the value referred to.
"""

from __future__ import annotations

import re

from wildtool.language.short_names import Bearer, short_name
from wildtool.schemas.json_paths import loosen
from wildtool.schemas.plan import PlannedArgument
from wildtool.schemas.vocabulary import Device, Language
from wildtool.worlds.spoken_values import Said


def argument_of(parameter: str, said: Said) -> PlannedArgument:
    """Plan an argument that the user says in this task."""
    return PlannedArgument(parameter=parameter, source=said.source, value=said.value, words=said.words)


_NAME = re.compile(r"[^\W\d_][^\W\d_]*(?:[ '’-][^\W\d_]+){0,3}")
"""A thing that people name in small talk: at most four words; no codes, addresses, numbers or sentences."""


def namable(argument: PlannedArgument | Said) -> bool:
    """Return whether a person would name it in small talk."""
    return bool(_NAME.fullmatch(argument.words or str(argument.value)))


_BEARERS: tuple[tuple[Bearer, str], ...] = (
    ("person", r"(?:full|contact|patient|guest|customer|person|doctor|recipient|owner)_?name$"),
    ("team", r"team(?:_?name)?$"),
    ("city", r"city(?:_?name)?$"),
    ("other", r"(?:artist|author|company|club|band|place|organi[sz]ation|film|title)(?:_?name)?$"),
)
"""Bearers of the names that a parameter takes, by a pattern of the parameter's name."""


def abbreviation(argument: PlannedArgument, language: Language) -> str | None:
    """Return the short form of a name that was said in full: GG for Glass Garden, 国安 for 北京国安; None where it has none."""
    name = argument.words or (argument.value if isinstance(argument.value, str) else "")
    bearer = next((each for each, names in _BEARERS if re.search(names, argument.parameter, re.IGNORECASE)), None)
    return None if bearer is None else short_name(name, bearer, language)


def shown_devices(path: str) -> list[Device]:
    """Devices by which a call refers to a result that was shown."""
    if loosen(path) == path:
        return [Device.PRONOUN, Device.DEMONSTRATIVE]
    if "[-" in path:
        return [Device.REVERSE_ORDINAL, Device.DESCRIPTION]
    return [Device.ORDINAL, Device.ORDINAL, Device.DESCRIPTION, Device.ABBREVIATION]
