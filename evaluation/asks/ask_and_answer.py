"""Actions that are text: is it a question, does it ask for what is missing, do its facts stand in the observations?

Rules alone, so that a score needs no model and never changes by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from wildtool.evaluation.words import ask_words
from wildtool.language.folding import plain
from wildtool.language.wording import FILLERS, HAN, american, numbers
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Ask

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_WORD = re.compile(r"[\u3400-\u9fff]{2,}|[^\W\d_\u3400-\u9fff]{2,}")


def is_question(text: str) -> bool:
    """Does the text ask the user for something?"""
    return bool(ask_words().question.search(_asking(text)))


def _asking(text: str) -> str:
    """The plain text without the courtesies that end an answer."""
    return _SENTENCE.sub(lambda found: " " if ask_words().courtesy.search(found[0]) else found[0], plain(text))


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


def _words(text: str) -> set[str]:
    """Content words of a text; Han text gives its pairs of neighbouring characters."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-]", " ", re.sub(r"\b([Ee])-mail", r"\1mail", text))
    found: set[str] = set()
    stop = FILLERS | ask_words().stop
    for word in _WORD.findall(plain(spaced)):
        if HAN.match(word):
            found.update(a + b for a, b in pairwise(word) if a not in stop and b not in stop)
        elif word not in stop:
            found.add(_stem(american(word)))
    return found


def _stem(word: str) -> str:
    """Good enough to join city/cities and date/dates."""
    for ending, instead in (("ies", "y"), ("ses", "s"), ("s", "")):
        if len(word) > 4 and word.endswith(ending):
            return word[: -len(ending)] + instead
    return word


def missing_slots(ask: Ask, text: str, tools: Sequence[JsonObject]) -> list[str]:
    """Slots of the gold ask that the text does not ask for; all of them if it is no question.

    A slot is asked for if the text shares a content word with its name, its description, or the part of the gold
    question that belongs to it; "which one?" asks for the only slot.
    """
    if plain(text) == plain(ask.question):
        return []
    if not is_question(text):
        return list(ask.slots) or ["question"]
    if len(ask.slots) <= 1 and ask_words().pointing.search(_asking(text)):
        return []
    said = _said(text)
    schemas = _slot_schemas(ask, tools)
    clues = {slot: _clues(slot, schemas.get(slot, {})) for slot in ask.slots}
    # Words of the gold question that no slot explains belong to the slots that it words otherwise.
    asked = _said(ask.question)
    unexplained = asked.difference(*clues.values())
    for words in clues.values():
        if len(ask.slots) == 1 or not words & asked:
            words |= unexplained
    return [slot for slot, words in clues.items() if words and not words & said]


def _clues(slot: str, schema: JsonObject) -> set[str]:
    """Words by which a slot can be asked for."""
    words = _words(slot) | _words(str(schema.get("description", "")))
    if str(schema.get("format", "")).startswith(("date", "time")):
        words |= {"date", "day", "time", "日期", "时间"}
    return words


def _said(text: str) -> set[str]:
    """Content words of a question, and what its question words stand for."""
    words = _words(text)
    folded = plain(text)
    for pattern, meaning in ask_words().asked_by:
        if pattern.search(folded):
            words |= meaning
    return words


def _slot_schemas(ask: Ask, tools: Sequence[JsonObject]) -> dict[str, JsonObject]:
    found: dict[str, JsonObject] = {}
    for tool in tools:
        function = tool.get("function", {})
        properties = function.get("parameters", {}).get("properties", {})
        for slot in ask.slots:
            if slot in properties and isinstance(properties[slot], dict) and (ask.tool in (None, function.get("name"))):
                found.setdefault(slot, properties[slot])
    return found


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
