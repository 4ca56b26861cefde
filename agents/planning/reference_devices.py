"""By which linguistic device a task can lean on what was said or shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import assert_never

from wildtool.language.api_codes import names_of
from wildtool.language.tool_phrasings import PLACE
from wildtool.schemas.json_paths import loosen
from wildtool.schemas.json_schema import properties, required
from wildtool.schemas.plan import PlannedArgument
from wildtool.schemas.tool import Tool
from wildtool.schemas.vocabulary import Device, HiddenIntentKind, Language
from wildtool.worlds.spoken_values import Said


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


def namable(argument: PlannedArgument | Said) -> bool:
    """Whether a person would name it in small talk."""
    return bool(_NAME.fullmatch(argument.words or str(argument.value)))


_THING = re.compile(
    r"name$|^q$|query|keyword|topic|theme|subject|text|word|dish|food|animal|product|disease|title|url|link|content|message|"
    r"role|coin|sport|artist|author|team|company|" + PLACE.pattern,
    re.IGNORECASE,
)
"""Parameters whose values are things that a pronoun can stand for."""


def said_devices(kind: HiddenIntentKind, tool: Tool, parameter: str) -> list[Device]:
    """Devices by which a call leans on a value that was said."""
    match kind:
        case HiddenIntentKind.PARTIAL_INFORMATION:
            needed = parameter in required(tool)
            if not needed:
                return [Device.OMITTED_MODIFIER]
            return [Device.OMITTED_SUBJECT if PLACE.search(parameter) else Device.OMITTED_ATTRIBUTE]
        case HiddenIntentKind.COREFERENCE:
            # Nobody says "for it" of a day or a price.
            thing = "enum" not in properties(tool).get(parameter, {}) and _THING.search(parameter) is not None
            return [Device.PRONOUN, Device.DEMONSTRATIVE] if thing else [Device.DEMONSTRATIVE]
        case HiddenIntentKind.LONG_RANGE:
            return [Device.DESCRIPTION, Device.DEMONSTRATIVE]
        case _:
            assert_never(kind)


_PERSON = re.compile(r"(?:full|contact|patient|guest|customer|person|doctor|recipient|owner)_?name$", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:team|artist|author|company|club|band|city|place|organi[sz]ation|film|title)(?:_?name)?$", re.IGNORECASE
)


def abbreviation(argument: PlannedArgument, language: Language) -> str | None:
    """The short form of a name that was said in full: GG for Glass Garden, 国安 for 北京国安; None where it has none."""
    words = argument.words or (argument.value if isinstance(argument.value, str) else "")
    person = bool(_PERSON.search(argument.parameter))
    if not person and not _NAMED.search(argument.parameter):
        return None
    match language:
        case Language.EN:
            parts = words.split()
            if not 2 <= len(parts) <= 4 or not all(part[:1].isupper() and part.isalpha() for part in parts):
                return None
            short = parts[0] if person else "".join(part[0] for part in parts)
            return None if short.casefold() in {name.casefold() for name in names_of(words)} else short
        case Language.ZH:
            if not re.fullmatch(r"[\u3400-\u9fff]+", words):
                return None
            if person:
                return words[1:] if len(words) == 3 else None
            # Clubs go by their last two characters, firms by their first two.
            short = words[-2:] if "team" in argument.parameter.lower() else words[:2]
            return short if len(words) == 4 and "city" not in argument.parameter.lower() else None
        case _:
            assert_never(language)


def short_label(label: str, others: Sequence[str], language: Language) -> str | None:
    """How a shown thing's name is cut short, where that tells it from the others: the Aurora one for Aurora Air 214."""
    if language is Language.EN:
        short = label.split()[0]
        firsts = [other.split()[0] for other in others if other.split()]
    else:
        short = label[:2]
        firsts = [other[:2] for other in others]
    long_enough = len(label) > len(short) + 1 and len(short) > 1 and short.casefold() not in ("the", "a", "an")
    return short if long_enough and short not in firsts else None


def shown_devices(path: str) -> list[Device]:
    """Devices by which a call leans on a result that was shown."""
    if loosen(path) == path:
        return [Device.PRONOUN, Device.DEMONSTRATIVE]
    if "[-" in path:
        return [Device.REVERSE_ORDINAL, Device.DESCRIPTION]
    return [Device.ORDINAL, Device.ORDINAL, Device.DESCRIPTION, Device.ABBREVIATION]
