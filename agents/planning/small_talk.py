"""Select the values of a tool list that people make small talk about, and class them."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from wildtool.agents.planning.reference_devices import namable
from wildtool.agents.planning.session_memory import Memory
from wildtool.language.parameter_names import looks_like_id
from wildtool.schemas.plan import PlannedArgument
from wildtool.schemas.vocabulary import HiddenIntentKind
from wildtool.worlds.spoken_values import Said


class TopicKind(StrEnum):
    """Classes of things that people chat about."""

    PLACE = "place"
    FAME = "fame"
    """Somebody known: an artist, a team, a company."""
    FOOD = "food"
    THEME = "theme"
    """Something to read, hear or do."""
    THING = "thing"
    """Something to buy."""


_KINDS = (
    (TopicKind.PLACE, r"(?:^|[a-z_ ])(?:city|country|town|region|destination|origin|location|place|locality|^start|^end|road)(?:_?name)?$"),
    (TopicKind.FAME, r"(?:artist|author|player|team|club|band|company|league|celebrity)(?:_?name)?$"),
    (TopicKind.FOOD, r"(?:dish|food|cuisine|ingredient|meal|recipe)(?:_?name)?$"),
    (TopicKind.THEME, r"(?:topic|theme|subject|keywords?|query|^q|genre|search(?:_?(?:term|text|string|query))?|sport|tag|category|"
                      r"section|phrase|course|event|book|film|movie|song|album|game|animal|species|hobby|role|job|"
                      r"profession|specialty|disease|indicator|word|activity|folder|coin|vehicle|pollutant)$|common_?name$|medicine_?name$"),
    (TopicKind.THING, r"(?:product|device|gadget|model|brand)(?:_?name)?$"),
)  # fmt: skip


@lru_cache(maxsize=65_536)
def topic_kind(parameter: str) -> TopicKind | None:
    """Class the values of a parameter; None where nobody chats about them."""
    if looks_like_id(parameter):
        return None
    return next((kind for kind, names in _KINDS if re.search(names, parameter, re.IGNORECASE)), None)


def chatty(argument: PlannedArgument | Said, parameter: str, *, lenient: bool = False) -> bool:
    """Return whether people chat about a value and call it by name; ``lenient`` accepts any name."""
    text = isinstance(argument.value, str) and argument.source != "clock"
    return text and (lenient or topic_kind(parameter) is not None) and namable(argument)


def pieces(memory: Memory, kind: HiddenIntentKind, task: int, *, lenient: bool = False) -> list[PlannedArgument]:
    """List what was said within reach of a kind and can be chatted about, as planned arguments of a new task."""
    return [
        PlannedArgument(
            parameter=seen.argument.parameter,
            source="earlier",
            value=seen.argument.value,
            words=seen.argument.words,
            task=seen.task,
        )
        for seen in memory.said(kind, task)
        if chatty(seen.argument, seen.argument.parameter, lenient=lenient)
    ]
