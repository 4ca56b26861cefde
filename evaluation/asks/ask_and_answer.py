"""Actions that are text: is it a question, does it ask for what is missing, do its facts stand in the observations?

Rules alone, so that a score needs no model and never changes by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from wildtool.language.folding import plain
from wildtool.language.request_slots import SURE, requested
from wildtool.language.requests import asks_back
from wildtool.language.wording import numbers
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Ask


def is_question(text: str) -> bool:
    """Does the text ask the user for something, or end in a question that is no courtesy?"""
    return asks_back(text)


_CALL_MARKS = re.compile(
    r"<\|?/?(?:tool_?calls?|function_?calls?|python_tag)\b|<function=|<invoke\b|\[TOOL_CALLS\]|<\|tool▁calls",
    re.IGNORECASE,
)
"""Marks with which models write calls, where the server in front of them fails to read them."""


def written_call(text: str, names: Iterable[str]) -> bool:
    """Is the text a call that was written instead of made: as marks, as JSON, or as ``name(...)`` alone?"""
    if _CALL_MARKS.search(text):
        return True
    bare = re.sub(r"^```\w*\s*|(?:(?<!\s)\s++|(?!\s))```$", "", text.strip()).strip("[] \n;")
    for name in names:
        written = re.escape(name)
        if re.search(rf'"(?:name|function)"\s*:\s*"{written}"', text) and re.search(
            r'"(?:arguments|parameters|args)"\s*:', text
        ):
            return True
        if re.match(rf"(?:\w+\.)?{written}\s*\(", bare) and bare.endswith(")"):
            return True
    return False


@dataclass(frozen=True, slots=True)
class AskVerdict:
    """Does a text ask for what the gold ask asks for?"""

    missing: tuple[str, ...]
    """Slots of the gold ask that the text does not request; empty: the text is right."""
    uncertain: bool = False
    """The rules may be wrong: they saw a request and could not tell well what it is for."""


def judge_ask(ask: Ask, text: str, tools: Sequence[JsonObject]) -> AskVerdict:
    """Judge a text in the place of an ask: right if it requests every slot, in whatever form.

    An offer, a courtesy, a value taken for granted, another parameter or a call for "more details" requests no slot.
    """
    if plain(text) == plain(ask.question):
        return AskVerdict(())
    if not ask.slots:
        return AskVerdict(() if is_question(text) else ("question",))
    function = _function(ask, tools)
    asked = requested(
        text,
        ask.slots,
        _properties(function),
        f"{function.get('name', '')}: {function.get('description', '')}",
        ask.question,
    )
    missing = tuple(slot for slot in ask.slots if asked.sure[slot] < LEAST)
    if missing:
        return AskVerdict(missing, asked.unplaced)
    return AskVerdict((), min(asked.sure.values()) < SURE)


LEAST = 0.5
"""Certainty from which a slot counts as requested."""


def missing_slots(ask: Ask, text: str, tools: Sequence[JsonObject]) -> list[str]:
    """Slots of the gold ask that the text does not request; all of them if it requests nothing."""
    return list(judge_ask(ask, text, tools).missing)


def _properties(function: JsonObject) -> dict[str, JsonObject]:
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    found = properties if isinstance(properties, dict) else {}
    return {name: schema for name, schema in found.items() if isinstance(schema, dict)}


def _function(ask: Ask, tools: Sequence[JsonObject]) -> JsonObject:
    """The function that misses the slots: the ask's tool, else the one that takes most of them."""
    functions = [tool["function"] for tool in tools if isinstance(tool.get("function"), dict)]
    if ask.tool is not None:
        functions = [function for function in functions if function.get("name") == ask.tool]
    return max(functions, key=lambda one: sum(slot in _properties(one) for slot in ask.slots), default={})


def unsupported_facts(text: str, sources: Iterable[Any]) -> list[str]:
    """Numbers of a final answer that stand in none of the sources (observations, arguments, the user's words).

    Dates, times, amounts, ids and addresses all are made of numbers, so this catches most invented facts without a
    model. Counts up to ten are let pass: people count what they list.
    """
    known: set[str] = set()
    for source in sources:
        known.update(
            number.lstrip("-") for number in numbers(source if isinstance(source, str) else canonical_json(source))
        )
    rounded = {f"{float(number):.{places}f}".rstrip("0").rstrip(".") for number in known for places in (0, 1, 2)}
    doubtful = []
    for number in dict.fromkeys(numbers(text)):
        value = number.lstrip("-")
        if value not in known and value not in rounded and not (float(value) <= 10 and float(value).is_integer()):
            doubtful.append(number)
    return doubtful
