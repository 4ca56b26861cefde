"""Superlatives that point at one item of a list that was shown: "the cheapest", "the latest one", 最便宜的那班."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from wildtool.language.clock_times import clock_value
from wildtool.language.date_values import days_of_value
from wildtool.language.folding import tokens
from wildtool.language.number_phrases import folded

_MONEY = "price prices cost fare fee amount daily nightly rate total charge rent 价格 票价".split()
_WHEN = "date time year published released departure departs depart start starts begins begin arrival created posted day at when".split()
_MERIT = "rating score stars rated grade".split()
_FAR = "distance km kilometers kilometres meters metres miles away".split()
_LONG = "duration minutes hours length pages days runtime".split()
_SUPERLATIVES: tuple[tuple[str, str, list[str], Callable[..., Any]], ...] = (
    (r"cheapest|least expensive|most affordable", r"最便宜|最低价|价格最低|票价最低|最省钱", _MONEY, min),
    (r"dearest|priciest|most expensive|costliest", r"最贵|价格最高|票价最高", _MONEY, max),
    (r"earliest|oldest", r"最早|最旧|最老", _WHEN, min),
    (r"latest|newest|most recent", r"最晚|最新|最近出的|最近发布", _WHEN, max),
    (r"best[- ]rated|highest[- ]rated|top[- ]rated", r"评分最高|评价最高|分数最高", _MERIT, max),
    (r"worst[- ]rated|lowest[- ]rated", r"评分最低|评价最低|分数最低", _MERIT, min),
    (r"nearest|closest", r"离[\u3400-\u9fff]{0,6}最近|距离最近|最近(?=的?那?一?[个家间处])", _FAR, min),
    (r"farthest|furthest", r"最远", _FAR, max),
    (r"longest", r"最长", _LONG, max),
    (r"shortest|quickest", r"最短", _LONG, min),
)
"""(English, Chinese, words of the fields that it compares, which end). What else may be superlative is left to people."""
_NOUN = (
    r"one|option|item|choice|flight|train|bus|hotel|car|room|book|ticket|concert|gig|show|film|movie|restaurant|place|event|"
    r"product|deal|offer|apartment|flat|house|model|course|job|paper|article|recipe"
)
_OF = r"(?: (?:of|among|from|out of) (?:these|those|them|the (?:lot|bunch|list|three|four|five|results)|all|(?:my|your|that|this) list))?"
_ENDS = r"(?=\s*$|\s*[.,;:!?)]| (?:and|please|then|for me|for us|as well|too|but)\b)"
_CLASSIFIER = "个家班趟款间套本部场首条张辆份只件篇位道种台"
_ENDS_ZH = r"(?=[\s，。,.；;！!？?吧了呢的给]|$|航班|酒店|餐厅|车|书|票|展|并|然后)"


def superlatives_said(text: str) -> list[tuple[frozenset[str], Callable[..., Any]]]:
    """(Words of the fields, ``min`` or ``max``) of each superlative that points at an item by itself.

    One that is narrowed down ("the cheapest direct flight", "of the hotels with a pool, the nearest") points at what
    no list shows alone: it is left out.
    """
    plain = folded(text)
    found = []
    for english, chinese, fields, end in _SUPERLATIVES:
        for match in re.finditer(rf"\bthe (?:very )?(?:{english})(?: (?:{_NOUN}))?{_OF}{_ENDS}", plain):
            clause = re.split(r"[.;!?\n]", plain[: match.start()])[-1]
            named = re.search(rf" (?!one\b|option|item|choice)(?:{_NOUN})$", match[0])
            if named and re.search(r"\b(?:it|this|that|them|there|those|these)\b", plain[: match.start()]):
                continue  # "book it and find the nearest restaurant" points at the one, searches for the other
            if not re.search(r"\b(?:among|out of|of|with|which|that) (?:the|all|a|an|are|is|have|has)\b", clause):
                found.append((frozenset(fields), end))
        for match in re.finditer(rf"(?:{chinese})的?那?一?[{_CLASSIFIER}]{_ENDS_ZH}", plain):
            clause = re.split(r"[。；;！!？?，,\n]", plain[: match.start()])[-1]
            narrowed = re.search(r"[里中]$|里面$|当中$|之中$", clause) and not re.search("[这那其]|它们|上面", clause)
            if not narrowed and not re.search(r"[的第]$", clause):
                found.append((frozenset(fields), end))
    return found


def pointed_at(items: list[Any], words: frozenset[str], end: Callable[..., Any]) -> set[int]:
    """Positions at that end of the list by a field that the superlative is about; empty where no field tells."""
    if len(items) < 2 or not all(isinstance(item, dict) for item in items):
        return set()
    found: set[int] = set()
    for name in items[0]:
        if not words & set(tokens(str(name))):
            continue
        measured = [_measure(item.get(name)) for item in items]
        if any(one is None for one in measured) or len({type(one) for one in measured}) > 1:
            continue
        best = end(measured)
        found |= {at for at, one in enumerate(measured) if one == best}
    return found


def _measure(value: Any) -> float | str | None:
    """What a field's value is compared by: a number, minutes of a day, an ISO day or moment; None for nothing."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if not isinstance(value, str):
        return None
    clock = clock_value(value)
    if clock is not None and not clock.dated:
        return float(clock.minute)
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?", value) and days_of_value(value):
        return value
    return None
