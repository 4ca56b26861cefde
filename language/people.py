"""Counts people where a text names them: party of six, my parents plus me, 一家三口, 我和老婆带俩娃."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from wildtool.language.lexicon import words
from wildtool.language.numbers import parse_number
from wildtool.language.quantities_grammar import Grammar, any_of
from wildtool.language.quantities_items import DOUBT, LIKELY, OPEN, Item

PERSON = "person"


@dataclass(frozen=True, slots=True)
class _Said:
    """A fixed way to say how many people there are."""

    pattern: re.Pattern[str]
    value: float | None
    """Their number where the words fix it."""
    split: tuple[str, ...]
    """What the groups ``a``, ``b`` count where each is a count of its own."""
    certainty: float
    more: int = 0
    """How many come on top of the number said: the me of "me plus three"."""


@dataclass(frozen=True, slots=True)
class _People:
    said: tuple[_Said, ...]
    listed: re.Pattern[str]
    """Two or more people or groups in a row."""
    one: re.Pattern[str]
    """One of a row; groups ``me``, ``n``, ``member``."""
    members: Mapping[str, int]
    open: frozenset[str]
    """Those of them that may as well be several."""
    all: tuple[str, ...]
    """Ends of counts of everybody, whom a row behind ``names_all`` may name one by one: two guests, my wife and my mum."""
    names_all: re.Pattern[str]
    among: re.Pattern[str]
    """Behind a row: its last member is among those who were counted."""
    articles: tuple[str, ...]
    """What stands before one of a kind: a toddler counts beside two adults, my toddler is one of us."""


@cache
def _people(language: str) -> _People | None:
    table = words(language, "quantities").get("people")
    if table is None:
        return None
    number, end = table["number"], table["end"]
    member = f"{table['possessive']}(?P<member>{any_of(table['members'])}){end}"
    counted = f"{table['possessive']}(?P<n>{number}){table['between']}(?:{any_of(table['counted'])}){end}"
    one = f"(?:{table['start']}(?:{counted}|{member}|(?P<me>{any_of(table['me'])}){end}))"
    plain = re.sub(r"\?P<\w+>", "?:", one)
    said = tuple(
        _Said(
            re.compile(row["pattern"].replace("NUMBER", number)), row.get("value"), tuple(row.get("split", ())),
            row["certainty"], row.get("more", 0),
        )
        for row in table["said"]
    )  # fmt: skip
    more = f"(?:{table['joins']}){plain}"
    if table["adjacent"]:  # 老婆孩子: members in a row need no word between
        more += "|" + re.sub(r"\?P<\w+>", "?:", member)
    return _People(
        said,
        re.compile(f"{plain}(?:{more}){{1,8}}"),
        re.compile(one),
        table["members"],
        frozenset(table["open"]),
        tuple(table["all"]),
        re.compile(table["names_all"]),
        re.compile(table["among"]),
        tuple(table["articles"]),
    )


def gathered(g: Grammar, text: str, items: list[Item], hidden: list[tuple[int, int]]) -> list[Item]:
    """Items with the people that the text names one by one or in a fixed way as one count."""
    people = _people(g.language)
    if people is None:
        return items
    for said in people.said:
        for match in said.pattern.finditer(text):
            if any(start <= match.start() and match.end() <= end for start, end in hidden):
                continue
            items = _with(items, _fixed(g, match, said), match)
    for match in people.listed.finditer(text):
        item = _sum(g, people, match, people.among.match(text, match.end()) is not None)
        if item is not None:
            others = [one for one in items if one.certainty > DOUBT and not _touches(one, item.start, item.end)]
            items = _with(items, [item] if not others else [_less_sure(item)], match)
    kept: list[Item] = []
    for one in sorted(items, key=lambda one: one.start):
        if kept and _again(kept[-1], one):
            kept[-1] = replace(kept[-1], end=one.end)
        else:
            kept.append(one)
    return kept


def _again(last: Item, one: Item) -> bool:
    """Whether the same people are counted once more: 我跟女朋友两个人."""
    return last.end == one.start and last.unit == one.unit == PERSON and last.low == one.low and last.high == one.high


def _less_sure(item: Item) -> Item:
    return Item(item.start, item.end, item.low, None, item.unit, item.kind, min(item.certainty, LIKELY), item.end)


def _touches(one: Item, start: int, end: int) -> bool:
    return one.start < end and start < one.end


def _with(items: list[Item], found: list[Item], match: re.Match[str]) -> list[Item]:
    """Items with those of a match in place of what they cover; unchanged where a thing with a unit is covered in part."""
    start, end = match.span()
    inside = [one for one in items if _touches(one, start, end)]
    if any(one.end > end and one.unit == PERSON and one.certainty > DOUBT for one in inside):
        return items
    if any(one.end > end and not one.bare and one.certainty > DOUBT and one.unit != PERSON for one in inside):
        return items
    if not found:
        return items
    if len(found) > 1:  # 两大一小三张票: the tickets are theirs
        total = sum(one.low for one in found)
        if any(one.start == end and one.low == total for one in items):
            return [one for one in items if one not in inside]
    first = inside[0] if inside else None
    if first is not None and (first.relation != "=" or first.approx or first.high is not None) and len(found) == 1:
        item = found[0]
        kept = Item(
            first.start, max(end, first.end), first.low, first.high, PERSON, "count", min(item.certainty, 0.97), end,
            approx=first.approx, relation=first.relation,
        )  # fmt: skip
        found = [kept]
    return [one for one in items if one not in inside] + found


def _fixed(g: Grammar, match: re.Match[str], said: _Said) -> list[Item]:
    start, end = match.span()
    if said.split:
        out = []
        for name, unit in zip("ab", said.split, strict=True):
            value = parse_number(match[name], g.language)
            if value is None:
                return []
            out.append(Item(match.start(name), match.end(name) + 1, value, None, unit, "count", said.certainty, end))
        return out
    value = said.value if said.value is not None else parse_number(match["n"], g.language)
    if value is None or value != int(value) or value < 1:
        return []
    return [Item(start, end, value + said.more, None, PERSON, "count", said.certainty, end)]


def _sum(g: Grammar, people: _People, match: re.Match[str], among: bool) -> Item | None:
    """The people of a row as one count; ``among``: the last of them is one of those who were counted before."""
    total, named, me, certain = 0.0, False, False, 0.99
    counted = 0.0
    found = list(people.one.finditer(match[0]))
    for one in found:
        if one["me"]:
            total, me = total + 1, True
        elif one["member"]:
            total += people.members[one["member"]]
            certain = LIKELY if one["member"] in people.open else certain
            named = named or not one[0].startswith(people.articles)
        else:
            value = parse_number(one["n"], g.language)
            if value is None:
                return None
            total += value
            counted += value
    first = found[0] if found else None
    if first is not None and len(found) > 1 and first["n"] and first[0].endswith(people.all):
        whole = parse_number(first["n"], g.language) or 0
        named_all = people.names_all.fullmatch(match[0], first.end(), found[1].start()) and total == 2 * whole
        total = counted if among else whole if named_all else total
    if not (named or me) or len(found) < 2:
        return None
    return Item(match.start(), match.end(), total, None, PERSON, "count", certain if me else 0.8, match.end())


@dataclass(frozen=True, slots=True)
class _Names:
    row: re.Pattern[str]
    """Words that lead to people, and the people; group ``names``."""
    joins: re.Pattern[str]
    elsewhere: re.Pattern[str]
    """Words of what is asked about things that bear names as people do."""


@cache
def _names(language: str) -> _Names | None:
    table = words(language, "quantities").get("people")
    if table is None or "named" not in table:
        return None
    called = table["named"]
    one = f"(?:(?!{called['not_name']}){called['name']}|{any_of(table['me'], end='(?![a-z])')})"
    return _Names(
        re.compile(f"(?:{called['lead']})(?P<names>{one}(?:(?:{called['joins']}){one}){{1,8}})"),
        re.compile(called["joins"]),
        re.compile(called["elsewhere"]),
    )


def named(g: Grammar, text: str, items: list[Item]) -> list[Item]:
    """Items with people who are called by their names, in a text as written, as one count where no other count tells."""
    names = _names(g.language)
    if names is None or any(one.unit == PERSON for one in items) or names.elsewhere.search(text):
        return items
    match = names.row.search(text)
    if match is None or any(_touches(one, *match.span("names")) for one in items):
        return items
    count = len(names.joins.split(match["names"]))
    start, end = match.span("names")
    return sorted([*items, Item(start, end, float(count), None, PERSON, "count", OPEN, end)], key=lambda one: one.start)
