"""Actions that are text: is it a question, does it ask for what is missing, do its facts stand in the observations?

Rules alone, so that a score needs no model and never changes by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from wildtool.language.wording import FILLERS, HAN, american, numbers, plain
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.session import Ask

_QUESTION = re.compile(
    r"[?？]|\b(?:could|can|would|will) you (?:please )?(?:tell|provide|give|share|specify|confirm|clarify|let)\b"
    r"|\bplease (?:tell|provide|give|share|specify|confirm|clarify|let)\b"
    r"|\blet me know\b|\bi(?: wi|')?ll need\b|\bi need\b"
    r"|\bwhich\b|\bmay i (?:know|have)\b"
    r"|请(?:问|告诉|提供|说明|确认|给出|补充)|哪|什么|多少|是否|能否|吗|呢|几"
)
_POINTING = re.compile(
    r"\bwhich (?:one|of (?:them|these|those))\b|哪一?[个家部场种款位条](?=\W|呢|吗|$)|哪些(?=\W|呢|$)"
)
_COURTESY = re.compile(
    r"\banything else\b|\bsomething else\b|\belse (?:can|may|could) i\b|\belse i can\b|\bhelp you with\b"
    r"|还有(?:什么|其他|别的)|其他(?:需要|问题)|别的需要"
)
"""Sentences that end an answer and ask for nothing."""
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]?")
_STOP_WORDS = """you your could can would which what who when where how will like want need know tell provide give share
specify confirm clarify let please help sure do does to from with and or one there here id name value number list type
parameter string default format optional required
你 您 我 能 可 以 想 要 哪 什 么 多 少 告 诉 提 供 一 个 是 有 吗 在 和 们 这 那 为 好 下"""
_STOP = FILLERS | frozenset(_STOP_WORDS.split())
_ASKED_BY = tuple(
    (re.compile(pattern), frozenset(meaning.split()))
    for pattern, meaning in (
        (r"\bwhen\b|什么时候|何时|几号|哪天|哪一天|几点", "date day time start end 日期 时间"),
        (
            r"\b(?:where|location|place)\b|位置|地点|哪里|哪儿|什么地方|何处",
            "city location address place destination origin country region town 城市 地点 地址 位置",
        ),
        (r"\bwho\b|谁", "person user recipient author 姓名 用户"),
        (
            r"\bhow many (?:people|guests|persons|passengers|adults|travell?ers)\b|多少(?:个)?人|几(?:个|位)?人|几位",
            "people guest person passenger adult traveler 人数",
        ),
        (r"\bhow (?:many|much|long)\b|多少|几个|多久|多长", "count amount quantity limit duration size 数量 金额 时长"),
    )
)
"""What a question word asks for, as parameters and their descriptions say it."""
_WORD = re.compile(r"[\u3400-\u9fff]{2,}|[^\W\d_\u3400-\u9fff]{2,}")


def is_question(text: str) -> bool:
    """Does the text ask the user for something?"""
    return bool(_QUESTION.search(_asking(text)))


def _asking(text: str) -> str:
    """The plain text without the courtesies that end an answer."""
    return _SENTENCE.sub(lambda found: " " if _COURTESY.search(found[0]) else found[0], plain(text))


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
    for word in _WORD.findall(plain(spaced)):
        if HAN.match(word):
            found.update(a + b for a, b in pairwise(word) if a not in _STOP and b not in _STOP)
        elif word not in _STOP:
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
    if len(ask.slots) <= 1 and _POINTING.search(_asking(text)):
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
    for pattern, meaning in _ASKED_BY:
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
