"""Gives each number of a text the unit, the money or the thing that it counts."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from wildtool.language.numbers import parse_number
from wildtool.language.numbers_text import Numeral
from wildtool.language.quantities_grammar import Grammar
from wildtool.language.units import dimension

SURE, LIKELY, OPEN, DOUBT, FAINT = 0.995, 0.9, 0.75, 0.3, 0.1
"""Certainties: of a plain reading; of one with a known rival; of one that words around it only suggest; of no reading; of a
sign of a number that is part of some word unless other quantities stand near."""


@dataclass(frozen=True, slots=True)
class Item:
    """A number with what it counts, on the way to a quantity."""

    start: int
    end: int
    low: float
    high: float | None
    unit: str | None
    kind: str
    """``measure``, ``currency``, ``count``, ``none``."""
    certainty: float
    number_end: int
    scale: float = 1.0
    bare: bool = False
    """No unit of its own was said."""
    part: bool = False
    """The unit is a part of its money: cents."""
    plus: bool = False
    approx: bool = False
    relation: str = "="
    ambiguous: bool = False
    rival: tuple[float, str | None, str] | None = None
    """Another reading: value, unit, kind."""


def attach(g: Grammar, text: str, raw: str, one: Numeral) -> Item | None:
    """Read what a numeral of a folded text counts; None where it is a name's or a place in an order for certain."""
    before = text[max(0, one.start - 32) : one.start]
    base = Item(one.start, one.end, one.value, one.high, None, "none", one.certainty, one.end, one.scale)
    if g.small["indefinite_before"].search(before):
        return replace(base, certainty=DOUBT)
    for share, unit in g.tables["shares"].items():
        if before.endswith(share):
            return replace(base, start=one.start - len(share), unit=unit, kind="measure", certainty=SURE)
    if (sign := g.sign.search(before)) is not None:
        return _priced(g, text, base, one, one.start - len(sign[0]), sign[0].strip())
    if (inside := g.small["half_inside"].match(text, one.end)) is not None:
        base = replace(base, low=base.low + 0.5, end=inside.end(), number_end=inside.end(), certainty=SURE)
    label = g.label.search(before)
    unit = _unit(g, text, raw, base, one)
    if unit is not None and not (
        label and unit.end - unit.number_end < 2 and text[unit.end - 1].isalpha() and text[unit.end - 1].isascii()
    ):
        return unit
    counted = _counted(g, text, raw, base, one)
    if label is not None:
        if label["verb"] and counted is None and g.small["more_after"].match(text, one.end):
            return _bare(g, text, base, one, before)  # order 2 more
        sure = label["verb"] and counted is not None and counted.certainty >= 0.95
        return counted if sure else None
    return counted if counted is not None else _bare(g, text, base, one, before)


def _too_few(g: Grammar, between: str, one: Numeral) -> bool:
    """Whether words of "about" between a number and its unit are none, since they follow tens only: 咱仨来两斤虾."""
    return abs(one.value) < 10 and g.approximate[2].match(between.strip()) is not None and not g.by_noun


def _priced(g: Grammar, text: str, base: Item, one: Numeral, start: int, sign: str) -> Item:
    """Money with its sign before the number: $40, rmb 50; a word for the same money behind belongs to it."""
    code = g.units["signs"][sign]
    item = replace(base, start=start, unit=code, kind="currency", certainty=max(0.9, base.certainty))
    if start and text[start - 1].isascii() and text[start - 1].isalpha() and not sign.isalpha():
        item = replace(item, certainty=OPEN)  # the dollar of a country that is not known here
    if one.longer is not None:
        item = replace(item, low=one.longer[0], end=one.longer[1], number_end=one.longer[1], scale=1e6)
    behind = g.unit.match(text, item.end)
    if behind is not None and (behind["money"] or behind["plus"]):
        item = replace(item, end=behind.end()) if behind["money"] else item
    if (plus := g.small["plus"].match(text, item.end)) is not None:
        item = replace(item, plus=True, end=plus.end())
    return item


def _unit(g: Grammar, text: str, raw: str, base: Item, one: Numeral) -> Item | None:
    match = g.unit.match(text, base.end)
    end = match.end() if match else 0
    if one.pair or base.end > one.end:  # 俩月 is 两个月, 一个半月 a month and a half
        word = g.tables["pair_word"]
        short = g.bare_unit.match(word + text[base.end : base.end + 4])
        match, end = (short, base.end + short.end() - len(word)) if short and short.end() > 1 else (match, end)
    if match is None or _too_few(g, match.groupdict().get("fill") or "", one):
        return None
    name = match["money"] or match["part"] or match["measure"]
    fill = match.groupdict().get("fill") or ""
    glued = end - len(name) == base.end
    if (
        one.longer is not None
        and name in ("m", "b")
        and (noun := _counted(g, text, raw, replace(base, end=one.longer[1]), one))
        and noun.certainty >= 0.95
    ):
        return replace(noun, low=one.longer[0], scale=1e6, certainty=min(noun.certainty, 0.99))
    item = replace(
        base,
        end=end,
        plus=bool(match.groupdict().get("plus")),
        certainty=max(base.certainty, 0.99) if base.certainty >= 0.9 else base.certainty,
    )
    if name in ("'", '"') and (not one.digits or text[one.start - 1 : one.start] in ("'", '"')):
        return None  # '887'
    weak = name in g.tables["weak_units"] and not (name in g.tables["strong_units"] and (len(name) > 1 or glued))
    if weak or (len(name) == 1 and name.isalpha() and name.isascii() and not glued):
        item = replace(item, certainty=min(item.certainty, LIKELY))
    if g.small["indefinite"].search(fill):
        item = replace(item, low=item.low + 1, high=item.low + 9, ambiguous=True, certainty=0.6)
    elif fill and g.approximate[2].search(fill):
        item = replace(item, approx=True)
    if match["money"]:
        return replace(item, unit=_code(g, "currencies", name), kind="currency")
    if match["part"]:
        code, size = g.units["parts"][name]
        return replace(
            item, low=round(item.low * size, 6), high=_times(item.high, size), unit=code, kind="currency", part=True
        )
    code = g.tables["case_units"].get(raw[end - 1 : end]) if len(name) == 1 else None
    if code is not None:
        exact = item.low in (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
        item = replace(item, certainty=0.99 if exact else LIKELY)
    code = code or _code(g, "measures", name)
    item = replace(item, unit=code, kind="measure")
    if code == "zhe" and item.low >= 10:  # 九五折 is 9.5 tenths
        item = replace(item, low=item.low / 10)
    if not g.by_noun and item.low == 1 and not one.digits and dimension(code) in ("time", "calendar"):
        ordered = g.order_before.search(text[max(0, base.start - 4) : base.start])
        item = replace(item, certainty=item.certainty if ordered else 0.97)
    if g.title_case and len(name) > 3 and raw[end - len(name)].isupper() and not raw[end - len(name) : end].isupper():
        item = replace(item, certainty=min(item.certainty, LIKELY))  # 12 Years a Slave
    money = g.units["currency_too"].get(name)
    return item if money is None else _pound(g, text, item, code, money)


def _pound(g: Grammar, text: str, item: Item, code: str, money: str) -> Item:
    """A word that is a unit of mass and of money: what stands around it decides, else both readings stay."""
    before = text[max(0, item.start - 32) : item.start]
    if g.small["mass_after"].match(text, item.end) or g.small["mass_before"].search(before):
        return item
    if item.low < 1 and item.low > 0:
        return replace(item, certainty=min(item.certainty, 0.95))
    if g.money_before.search(before):
        return replace(item, unit=money, kind="currency", certainty=LIKELY, rival=(item.low, code, "measure"))
    return replace(item, unit=money, kind="currency", certainty=0.55, rival=(item.low, code, "measure"), ambiguous=True)


def _times(value: float | None, size: float) -> float | None:
    return None if value is None else round(value * size, 6)


def _code(g: Grammar, table: str, name: str) -> str:
    return next(str(code) for code, said in g.units[table].items() if name in said or name == code.lower())


# -- things that are counted -----------------------------------------------------------------------------------------

_WORD = re.compile(r"( | ?- ?)([^\W\d_]+(?:['-][^\W\d_]+)*'?)")


_SIZED = re.compile(r" \d{1,4}(?:\.\d{1,2})?(?: ?- ?)?[a-z]{1,8}(?= [a-z])")


def _counted(g: Grammar, text: str, raw: str, base: Item, one: Numeral) -> Item | None:
    return _noun(g, text, raw, base, one) if g.by_noun else _classified(g, text, base, one)


def _classified(g: Grammar, text: str, base: Item, one: Numeral) -> Item | None:
    """A number before a measure word: 三个, 两杯; or before a noun that takes none: 1.5万粉丝, 三人."""
    nouns = g.tables["nouns"]
    if one.pair:
        people = g.small["person_pair_before"].search(text[max(0, one.start - 8) : one.start])
        return replace(base, unit="person" if people else g.tables["pair_word"], kind="count", certainty=0.99)
    match = g.classifier.match(text, base.end)
    certain = SURE
    if match is not None and _too_few(g, match["between"] or "", one):
        match = None
    if match is None:
        match = g.direct.match(text, base.end)
        if match is None or not (one.digits or one.scale > 1 or one.value >= 10 or match["unit"] in nouns["people"]):
            return None
        certain = 0.99
    name = match["unit"]
    if name in g.tables["multiples"]:
        factor = g.tables["multiples"][name]
        return replace(
            base,
            low=base.low * factor,
            high=_times(base.high, factor),
            end=match.end(),
            unit=g.tables["pair_word"],
            kind="count",
            certainty=0.99,
        )
    if name in g.tables["plain"]:
        return replace(base, end=match.end(), unit=name, kind="none", certainty=SURE, approx=bool(match["between"]))
    if base.low == 1 and not one.digits:
        ordered = g.order_before.search(text[max(0, base.start - 4) : base.start])
        certain = 0.99 if ordered else OPEN
    if name in nouns["weak_classifiers"]:
        certain = min(certain, LIKELY)
    between = match["between"] or ""
    item = replace(
        base,
        end=match.end(),
        unit="person" if name in nouns["people"] else name,
        kind="count",
        certainty=min(certain, max(base.certainty, 0.99) if base.certainty >= LIKELY else base.certainty),
        approx=bool(between),
    )
    if between and g.small["indefinite"].search(between):
        item = replace(item, low=item.low + 1, high=item.low + 9, ambiguous=True, certainty=0.6)
    return item


def singular(g: Grammar, word: str) -> str | None:
    """The singular of a plural noun; None of a word that is no plural."""
    nouns = g.tables["nouns"]
    if word in nouns["irregular"]:
        return str(nouns["irregular"][word])
    if any(word.endswith(end) for end in nouns["no_plural"]) or len(word) < 4:
        return None
    return next((word[: len(word) - len(end)] + by for end, by in nouns["plurals"] if word.endswith(end)), None)


def _noun(g: Grammar, text: str, raw: str, base: Item, one: Numeral) -> Item | None:
    """A number before a noun in words of their own: twenty-five folding tables."""
    nouns = g.tables["nouns"]
    at = base.end
    if (odd := g.approximate[2].match(text, at)) is not None:
        at, base = odd.end(), replace(base, approx=True)
    if (plus := g.small["plus_apart"].match(text, at)) is not None:
        at, base = plus.end(), replace(base, plus=True)
    times = g.small["multiply"].match(text, at)
    if times is not None:
        at = times.end() - (text[times.end() - 1] == " ")
        at = at if text[at : at + 1] == " " else at - 1
    if one.value == 0:
        return None
    if (sized := _SIZED.match(text, at)) is not None:  # twelve 8-inch plates
        noun = _noun(g, text, raw, replace(base, end=sized.end()), one)
        return replace(noun, end=base.end) if noun is not None and noun.certainty > 0.9 else None
    part = text[one.start : one.end]
    if 0 < one.value < 1 and not one.digits and not part.endswith((" a", " an", " of")):
        return None
    tokens: list[re.Match[str]] = []
    if times is not None:
        text = text[:at] + " " + text[at + 1 :]
    for phrase in sorted(nouns["between"], key=len, reverse=True):
        if text.startswith(f" {phrase} ", at):
            at += len(phrase) + 1
            break
    while len(tokens) < 5 and (token := _WORD.match(text, at)) is not None:
        if (
            token[2].strip("'") in g.stop
            or parse_number(token[2], g.language) is not None
            or (tokens and token[1] != " ")
        ):
            break
        tokens.append(token)
        at = token.end()
    if not tokens:
        return None
    if tokens[0][1] != " ":
        return _compound(g, base, tokens[0])
    for place, token in enumerate(tokens[:4]):
        name = singular(g, token[2])
        if name is not None:
            if one.value == 1 and not name.endswith("s") and name != "person":
                return replace(base, certainty=DOUBT) if place == 0 else _first(g, text, base, tokens[:place], one)
            certain = (0.99 if place < 2 else 0.95) if base.certainty >= LIKELY else base.certainty
            if raw[tokens[0].start(2)].isupper() and not raw[tokens[0].start(2) : tokens[0].end(2)].isupper():
                certain = min(certain, LIKELY)
            return replace(base, end=token.end(), unit=name, kind="count", certainty=certain)
    named = raw[tokens[0].start(2)].isupper() and not raw[tokens[0].start(2) : tokens[0].end(2)].isupper()
    if named and one.digits:
        return None  # 30 St Mary Axe
    return _first(g, text, base, tokens, one)


def _first(g: Grammar, text: str, base: Item, tokens: list[re.Match[str]], one: Numeral) -> Item | None:
    """A number before words of which none is a plural: one ticket, two salmon, 3 course meal."""
    if any(tokens[0][2].endswith(end) for end in g.tables["nouns"]["ends_no_noun"]):
        return None
    if one.value == 1 and not one.digits and tokens[-1][2] in g.tables["nouns"]["abstract"]:
        return replace(base, certainty=DOUBT)
    if one.value != 1 and g.age_led.search(text[max(0, base.start - 32) : base.start]):
        return None
    token = tokens[-1] if one.value == 1 and len(tokens) < 4 else tokens[0]
    certain = LIKELY if one.value == 1 else 0.8
    if one.value == 1 and len(tokens) == 1:
        certain = 0.99 if one.digits or g.order_before.search(text[max(0, base.start - 12) : base.start]) else 0.95
    return replace(base, end=token.end(), unit=token[2], kind="count", certainty=min(certain, base.certainty + 0.1))


def _compound(g: Grammar, base: Item, token: re.Match[str]) -> Item | None:
    """A number joined to a noun: two-bedroom is a count, two-faced is none."""
    word = token[2].split("-")[0]
    if word in g.tables["nouns"]["compounds"]:
        return replace(base, end=token.end(), unit=word, kind="count", certainty=LIKELY)
    return replace(base, certainty=DOUBT)


# -- numbers alone ---------------------------------------------------------------------------------------------------


def _bare(g: Grammar, text: str, base: Item, one: Numeral, before: str) -> Item | None:
    """A number with nothing that it counts: a quantity only where the words around it say so."""
    item = replace(base, bare=True, certainty=DOUBT)
    if one.value < 0 and g.by_noun:
        return replace(item, certainty=0.99)
    tail = g.bare_tail.match(text, base.end)
    if one.digits and text[one.start] == "0" and text[one.start + 1 : one.start + 2].isdigit():
        return item  # a code
    if not re.search(r"\w", text[: one.start] + text[one.end :]):
        return replace(
            item, certainty=LIKELY if abs(one.value) < 1000 or one.scale > 1 or "," in text else 0.6
        )  # the whole of an answer
    if g.age_led.search(before) and 0 < one.value < 110:
        return replace(item, unit="year", kind="measure", certainty=LIKELY, rival=(one.value, None, "none"))
    if one.value > 1 and g.small["of_them"].match(text, base.end):
        return replace(item, certainty=LIKELY)
    if g.age_before.search(before) and tail and 1 < one.value < 110 and one.value == int(one.value):
        return replace(item, unit="year", kind="measure", certainty=0.7, rival=(one.value, None, "none"))
    if one.scale >= 1000:
        money = bool(g.money_before.search(before)) and not g.by_noun
        said = g.bare_before.search(before) is not None or tail is not None
        return replace(item, kind="currency" if money else "none", certainty=0.99 if said else 0.8)
    if one.certainty <= 0.5:
        return None
    if 0 < one.value < 1 and not one.digits:
        return replace(item, certainty=(0.4 if g.by_noun else 0.8)) if one.value != 0.5 else None
    if tail is not None and g.bare_before.search(before):
        money = bool(g.money_before.search(before)) and not g.by_noun
        weak = g.bare_weak.search(before) or one.value == 1
        return replace(item, kind="currency" if money else "none", certainty=0.6 if weak else LIKELY)
    if not one.digits and not g.by_noun:
        if one.end - one.start > 1 and (one.value >= 100 or one.high is not None):
            return replace(item, certainty=0.8 if tail else 0.4)
        return replace(item, certainty=FAINT)
    return item
