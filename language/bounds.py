"""Numbers that bound something: "no more than 50 euros", at least four stars, 不超过两百元; and how many results are wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from wildtool.language.counts import Count, counts
from wildtool.language.folding import in_place
from wildtool.language.lexicon import words
from wildtool.language.people import PERSON
from wildtool.language.quantities_grammar import any_of

WINDOW = 40
"""Characters before a number in which its bound is said."""


@dataclass(frozen=True, slots=True)
class _Words:
    upper_before: re.Pattern[str]
    lower_before: re.Pattern[str]
    limit_before: re.Pattern[str]
    limit_after: re.Pattern[str]
    asked_before: re.Pattern[str]
    asked_after: re.Pattern[str]
    results: re.Pattern[str] | None
    """Measure words that results are counted by; None where any noun may be one."""
    not_results: re.Pattern[str]
    returns: tuple[re.Pattern[str], re.Pattern[str]]


@cache
def _words(language: str) -> _Words:
    table = words(language, "counted")
    bounds, limits, returns = table["bounds"], table["limits"], table["returns"]
    return _Words(
        re.compile(bounds["upper_before"]),
        re.compile(bounds["lower_before"]),
        re.compile(limits["before"]),
        re.compile(limits["after"]),
        re.compile(limits["asked_before"]),
        re.compile(limits["asked_after"]),
        re.compile(limits["results"]) if "results" in limits else None,
        re.compile(f"(?:{any_of([PERSON, *limits['not_results']])})$"),
        (re.compile(returns["before"]), re.compile(returns["after"])),
    )


def bounds_said(text: str) -> tuple[list[Count], list[Count]]:
    """(Upper bounds, lower bounds) of a text. A strict bound of a whole number holds its neighbour too: fewer than 5 is 4."""
    plain = in_place(text)
    upper: list[Count] = []
    lower: list[Count] = []
    for one in counts(text):
        before = plain[max(0, one.number - WINDOW) : one.number]
        match one.relation:
            case "<" | "<=":
                upper.append(_with_neighbour(one, -1))
            case ">" | ">=":
                lower.append(_with_neighbour(one, 1))
            case "range" if len(one.values) > 1:
                upper.append(replace(one, values=frozenset((max(one.values),))))
                lower.append(replace(one, values=frozenset((min(one.values),))))
            case _ if _words(one.language).upper_before.search(before):
                upper.append(one)
            case _ if _words(one.language).lower_before.search(before):
                lower.append(one)
            case _:
                pass
    return upper, lower


def _with_neighbour(one: Count, step: int) -> Count:
    if one.relation not in ("<", ">"):
        return one
    return replace(one, values=one.values | {value + step for value in one.values})


def limits_said(text: str) -> set[int]:
    """Numbers of results that a text asks for: ``top 3``, ``5 at most``, ``show me four hotels``, 最多3场, 推荐五家."""
    plain = in_place(text)
    found: set[int] = set()
    for one in counts(text):
        if not one.article and _limits(plain, one):
            found |= {int(value) for value in one.values if value == int(value) and value > 0}
    return found


def _limits(plain: str, one: Count) -> bool:
    said = _words(one.language)
    if one.of in ("measure", "currency") or said.not_results.match(one.unit or ""):
        return False
    before = plain[max(0, one.number - WINDOW) : one.number]
    if said.results is not None:
        counted = said.results.match(plain, one.number_end)
        return counted is not None and bool(said.limit_before.search(before) or said.asked_before.search(before))
    end = one.number_end
    if said.limit_before.search(before) or said.limit_after.match(plain, end):
        return True
    return bool(said.asked_before.search(before)) and said.asked_after.match(plain, end) is not None


def lengths_until_return(text: str) -> frozenset[int]:
    """Days after which somebody comes back from where an earlier day took them: 三天后回来, back two days later."""
    plain = in_place(text)
    found: set[int] = set()
    for one in counts(text):
        before, after = _words(one.language).returns
        if one.unit == "day" and before.search(plain[: one.start]) and after.match(plain, one.end):
            found |= {int(value) for value in one.values}
    return frozenset(found)
