"""Quantities as people say them: amounts with units, money, counts of things and people, ranges, bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from wildtool.language import people
from wildtool.language.folding import in_place
from wildtool.language.numbers import numerals
from wildtool.language.numbers_text import Numeral
from wildtool.language.quantities_grammar import Grammar, grammar
from wildtool.language.quantities_items import DOUBT, FAINT, LIKELY, OPEN, Item, attach
from wildtool.language.quantities_join import joined
from wildtool.language.spans import Kind, Reading, Span
from wildtool.language.units import unit_of

Relation = Literal["=", "<", "<=", ">", ">=", "range"]
UnitKind = Literal["measure", "currency", "count", "none"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount that a text states."""

    value: float | tuple[float, float]
    """The number, in ``unit``; both ends, the lower first, where the relation is ``range``."""
    relation: Relation
    """How the amount lies to the value: ``<=`` of "up to 3 bags"."""
    unit: str | None
    """Code of ``units.py`` for measures, ISO 4217 code for money, ``person`` or the noun for counts; None if none is said."""
    unit_kind: UnitKind
    approx: bool = False
    """It is said to be about right only."""


def read_quantities(text: str, language: str) -> tuple[Span[Quantity], ...]:
    """Read every quantity of a text, in order.

    A number that may be no quantity at all has a reading below certainty .5; one that surely is none (a day, a time, a
    name, a place in an order) has no span. Raises ``RegistryError`` for an unknown language.
    """
    g = grammar(language)
    plain = in_place(text)
    found = numerals(plain, language, g.glued)
    items: list[Item] = []
    hidden = _hidden(g, plain) if found or g.alone is not None else []
    if found:
        items = [item for one in found if not _within(hidden, one.start) and (item := attach(g, plain, text, one))]
        items = [_named(g, text, one) for one in items]
    items += _alone(g, plain, items, hidden)
    items += _articles(g, plain, items, hidden)
    items = joined(g, plain, sorted(items, key=lambda one: (one.start, -one.end)))
    items = _without_faint(items)
    items = people.gathered(g, plain, items, hidden)
    items = people.named(g, text, items)
    items = sorted([*items, *_listed(g, plain, items)], key=lambda one: one.start)
    return tuple(_span(text, one) for one in items)


def _without_faint(items: list[Item]) -> list[Item]:
    """Items without signs of numbers inside of words; beside real quantities they stay as doubts, since one may be missed."""
    if any(one.certainty > DOUBT for one in items):
        return [replace(one, certainty=DOUBT) if one.certainty == FAINT else one for one in items]
    return [one for one in items if one.certainty != FAINT]


def _hidden(g: Grammar, text: str) -> list[tuple[int, int]]:
    return [match.span() for match in g.decoys.finditer(text)]


def _within(hidden: list[tuple[int, int]], at: int) -> bool:
    return any(start <= at < end for start, end in hidden)


def _named(g: Grammar, raw: str, one: Item) -> Item:
    """Doubt a number before a capital in midst of a text: a name, where the number has one or is played, watched or read."""
    word, rest = raw[one.start : one.end], raw[one.number_end : one.number_end + 3].lstrip(" -")
    if not g.title_case or not rest[:1].isupper() or not rest[1:2].islower():
        return one
    called = word[:1].isupper() and not word.isupper()
    if not called and not _ends_with(g.small["title_before"], in_place(raw), one.start):
        return one
    return replace(one, certainty=DOUBT)


def _alone(g: Grammar, text: str, items: list[Item], hidden: list[tuple[int, int]]) -> list[Item]:
    """Words that are quantities by themselves: twice, a tenner, two grand. Numbers that they multiply are taken out."""
    out: list[Item] = []
    if g.alone is None:
        return out
    for match in g.alone.finditer(text):
        value, unit, kind, _, certain = g.tables["words"][match["word"]]
        if _within(hidden, match.start()) or not g.ahead[match["word"]].match(text, match.end()):
            continue
        lead = next(
            (one for one in items if one.end in (match.end(), match.start() - 1) and one.number_end <= match.start()),
            None,
        )
        item = Item(match.start(), match.end(), value, None, unit or None, kind, certain, match.end())
        if match["word"] in g.tables["scaled_words"] and lead is not None:
            items.remove(lead)
            high = None if lead.high is None else lead.high * value
            item = replace(item, start=lead.start, low=lead.low * value, high=high, scale=value)
        out.append(item)
    return out


def _articles(g: Grammar, text: str, items: list[Item], hidden: list[tuple[int, int]]) -> list[Item]:
    """An hour, a pound of ham: an article before a unit counts as one, but for rates (ten dollars an hour) and idioms."""
    out: list[Item] = []
    for match in g.article.finditer(text):
        start, end = match.span()
        if _within(hidden, start) or any(one.start < end and start < one.end for one in items):
            continue
        if _ends_with(g.article_idiom, text, start) or any(one.end + 1 == start for one in items):
            continue
        name = match["money"] or match["part"] or match["measure"]
        item = attach(g, text, text, _one(start, end - len(name)))
        if len(name) == 1:
            continue  # "A L I N A"
        moment = item is not None and item.unit in g.tables.get("moments", ())
        if moment and _ends_with(g.small["article_moment"], text, start):
            continue
        if item is not None and item.unit is not None:
            followed = text[end : end + 4] == " of " or text[end : end + 11] == " and a half"
            lengthy = followed and item.kind == "measure"
            out.append(replace(item, start=start, certainty=min(item.certainty, 0.99 if lengthy else 0.8)))
    return out


def _ends_with(pattern: re.Pattern[str], text: str, at: int) -> bool:
    return pattern.search(text[max(0, at - 24) : at]) is not None


def _one(start: int, end: int) -> Numeral:
    return Numeral(start, end, 1.0)


def _listed(g: Grammar, text: str, items: list[Item]) -> list[Item]:
    """A pizza and two cokes: an article counts as one beside another count; a pair of gloves is one pair."""
    out: list[Item] = []
    for match in g.article_noun.finditer(text):
        certain = 0.99 if match["noun"] in g.tables["article_sure"] else 0.8
        out.append(_single(match, certain))
    for item in items:
        if item.kind == "count" and item.certainty >= OPEN:
            out += _beside(g, text, item)
    kept: list[Item] = []
    for one in out:
        if not any(other.start < one.end and one.start < other.end for other in (*items, *kept)):
            kept.append(one)
    return kept


def _beside(g: Grammar, text: str, item: Item) -> list[Item]:
    """Things with an article next to a count: the toddler of "two adults and a toddler"."""
    out = []
    join = g.list_joins.match(text, item.end)
    after = g.article_beside.match(text, join.end()) if join else None
    if after is not None and _thing(g, after["noun"]):
        out.append(_single(after, LIKELY))
    lead = max(0, item.start - 48)
    back = next((one for one in g.list_joins.finditer(text, lead, item.start) if one.end() == item.start), None)
    before = g.article_before.search(text[lead : back.start()]) if back else None
    if before is not None and _thing(g, before["noun"]):
        start = lead + before.start()
        out.append(Item(start, lead + before.end(), 1.0, None, before["noun"], "count", LIKELY, start + 1))
    return out


def _thing(g: Grammar, noun: str) -> bool:
    return noun not in g.stop and unit_of(noun, g.language) is None


def _single(match: re.Match[str], certainty: float) -> Item:
    return Item(match.start(), match.end("noun"), 1.0, None, match["noun"], "count", certainty, match.start() + 1)


def _span(text: str, one: Item) -> Span[Quantity]:
    value: float | tuple[float, float] = one.low if one.high is None else (one.low, one.high)
    relation = "range" if one.high is not None else one.relation
    readings = [Reading(Quantity(value, relation, one.unit, one.kind, one.approx), one.certainty)]  # type: ignore[arg-type]
    if one.rival is not None:
        other, unit, kind = one.rival
        readings.append(Reading(Quantity(other, relation, unit, kind, one.approx), round(0.95 - one.certainty, 4)))  # type: ignore[arg-type]
    return Span(Kind.QUANTITY, one.start, one.end, text[one.start : one.end], tuple(readings), one.ambiguous)
