"""How many people a text says come along: one total of adults, children, and those who are named."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from wildtool.language.counts import Count, counts
from wildtool.language.folding import in_place
from wildtool.language.lexicon import words
from wildtool.language.people import PERSON
from wildtool.language.quantities_items import OPEN

WINDOW = 24
"""Characters before a count in which it is said to be a part of another one."""


@dataclass(frozen=True, slots=True)
class _Words:
    joins: re.Pattern[str]
    """Between counts that add up."""
    loose: re.Pattern[str]
    """Those of them that may as well explain: two people, one child."""
    whole: re.Pattern[str]
    """In a count of everybody that begins with its number: four of us."""
    part_before: re.Pattern[str]
    """Before a count of some of those who were counted."""
    part_after: re.Pattern[str]
    beside_before: re.Pattern[str]
    """Before a count of those who come along with the speaker: with two adults."""
    beside: frozenset[str]
    """Nouns of those who do so by their name: two friends."""


@cache
def _words(language: str) -> _Words:
    said, joins = words(language, "counted")["party"], words(language, "quantities")["people"]["joins"]
    return _Words(
        re.compile(f"(?:{joins}){said['adjacent']}"),
        re.compile(said["loose"]),
        re.compile(said["whole"]),
        re.compile(f"(?:{said['part_before']})$"),
        re.compile(said["part_after"]),
        re.compile(f"(?:{said['beside_before']})$"),
        frozenset(said["beside"]),
    )


def party_said(text: str) -> int | None:
    """How many people a text says come along, in any language; None where it does not tell, or tells different numbers.

    "Two adults and three kids" are five; "four of us, two of them children" and "two guests, my wife is one of them" name
    some of those who were counted.
    """
    plain = in_place(text)
    said = [one for one in counts(text) if _counts_people(one)]
    said = [one for at, one in enumerate(said) if not at or not _is_part(plain, one)]
    wholes = [one for one in said if _is_whole(plain, one)]
    # What is counted behind all of them are some of them: a party of five, two of whom are children.
    single = [one for one in said if one not in wholes and (not wholes or one.start < wholes[0].start)]
    totals = {_total(plain, group) for group in _groups(plain, single) if any(not _is_child(one) for one in group)}
    totals |= {max(one.values) for one in wholes}
    only = totals.pop() if len(totals) == 1 else None
    return None if only is None else int(only)


def _counts_people(one: Count) -> bool:
    if one.kind is None or one.kind.name not in ("people", "children") or one.relation != "=" or len(one.values) != 1:
        return False
    if one.unit in _words(one.language).beside or max(one.values) != int(max(one.values)):
        return False
    return one.certainty > OPEN if one.article else one.certainty >= OPEN


def _is_child(one: Count) -> bool:
    return one.kind is not None and one.kind.name == "children"


def _is_part(plain: str, one: Count) -> bool:
    said = _words(one.language)
    before = plain[max(0, one.start - WINDOW) : one.start]
    return said.part_before.search(before) is not None or said.part_after.match(plain, one.end) is not None


def _is_whole(plain: str, one: Count) -> bool:
    """Whether a count is of all by its words: a family of four, five of us, my wife and I."""
    plainly = one.start == one.number and one.number_end != one.end
    return one.unit == PERSON and (
        not plainly or _words(one.language).whole.search(plain[one.start : one.end]) is not None
    )


def _groups(plain: str, said: list[Count]) -> list[list[Count]]:
    """Counts that add up, together."""
    groups: list[list[Count]] = []
    for one in said:
        last = groups[-1][-1] if groups else None
        if last is not None and _words(one.language).joins.fullmatch(plain, last.end, one.start):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _total(plain: str, group: list[Count]) -> float | None:
    first, *rest = group
    said = _words(first.language)
    if said.beside_before.search(plain[max(0, first.start - WINDOW) : first.start]):
        return None
    values = [max(one.values) for one in group]
    if rest and first.unit == PERSON and said.loose.fullmatch(plain, first.end, rest[0].start):
        return values[0] if values[0] == sum(values[1:]) else None
    return sum(values)
