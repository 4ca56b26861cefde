"""Joins what belongs together: the parts of one amount, the ends of a range, a bound or "about" and its number."""

from __future__ import annotations

import re
from dataclasses import replace

from wildtool.language.quantities_grammar import WINDOW, Grammar
from wildtool.language.quantities_items import DOUBT, LIKELY, OPEN, Item
from wildtool.language.units import convert, dimension


def joined(g: Grammar, text: str, items: list[Item]) -> list[Item]:
    """Items with compound amounts, ranges, bounds and approximations put together, in order."""
    return [_bounded(g, text, one) for one in _ranges(g, text, _amounts(g, text, items))]


# -- one amount in parts ---------------------------------------------------------------------------------------------


def _amounts(g: Grammar, text: str, items: list[Item]) -> list[Item]:
    out: list[Item] = []
    for one in items:
        last = out[-1] if out else None
        if last is not None and one.start < last.end:
            continue  # the half of "a pound and a half"
        priced = last is not None and (last.kind == "currency" or (last.bare and last.low >= 10))
        if last is not None and priced and one.start == last.end and one.low == 1 and one.unit is not None:
            out[-1] = replace(last, certainty=max(last.certainty, LIKELY))
            continue  # 五十块一个人
        if last is not None and (sum_ := _amount(g, text, last, one)) is not None:
            out[-1] = sum_
        else:
            out.append(one)
        out[-1] = _halved(g, text, out[-1])
    return out


def _halved(g: Grammar, text: str, one: Item) -> Item:
    half = g.half_after.match(text, one.end)
    if half is None or one.unit is None or one.high is not None or one.low != int(one.low):
        return one
    whole = replace(one, low=one.low + g.tables["parts"][half["part"]], end=half.end())
    if one.rival is not None:
        unit, kind = one.rival[1:]
        of = g.small["mass_after"].match(text, half.end())
        if of is not None:
            return replace(whole, unit=unit, kind=kind, certainty=0.99, rival=None, ambiguous=False)
        return replace(whole, rival=(whole.low, unit, kind))
    return replace(whole, certainty=max(one.certainty, 0.99))


def _amount(g: Grammar, text: str, one: Item, other: Item) -> Item | None:
    """One amount of two parts: 6 feet 2, 1h 45m, 5块5, 两年零三个月; None where they are two."""
    gap = text[one.end : other.start]
    if len(gap) > 6 or one.unit is None or one.high is not None or one.certainty < 0.5:
        return None
    if other.high is not None:
        if (
            not other.bare
            or one.unit not in g.tables.get("pair_tails", ())
            or gap
            or not 1 <= other.low < other.high <= 9
        ):
            return None
        other = replace(other, low=10 * other.low + other.high, high=None)
    low = abs(other.low)
    if other.bare and one.unit and one.unit in g.tables["tails"]:
        unit, between = g.tables["tails"][one.unit]
        return _tail(g, text, one, other, unit, between, gap) if low < 100 else None
    if not g.joins.fullmatch(gap):
        return None
    sign = -1 if one.low < 0 else 1
    if (
        one.kind == other.kind == "currency"
        and one.unit == other.unit
        and other.part
        and low < (10 if not one.part else 0.1)
    ):
        return replace(
            one, low=round(one.low + other.low, 6), end=other.end, part=True, certainty=min(one.certainty, 0.99)
        )
    unit = other.unit
    minutes = one.unit == "hour" and unit in g.tables["minutes_after_hours"]
    unit = "min" if minutes else unit
    smaller = convert(low, unit, one.unit) if unit else None
    if smaller is None or unit == one.unit or not (minutes or other.kind == "measure") or not smaller < 1:
        return None
    if "," in gap and dimension(one.unit) not in ("time", "calendar"):
        return None
    return replace(
        one, low=round(one.low + sign * smaller, 6), end=other.end, certainty=min(0.99, max(one.certainty, 0.99))
    )


def _tail(g: Grammar, text: str, one: Item, other: Item, unit: str, between: str, gap: str) -> Item | None:
    """A bare number behind a unit that counts the next smaller one: six foot two, 一米八, five pounds fifty."""
    low = other.low
    if unit and dimension(unit) is None:  # money
        if text[one.number_end - 1].isdigit() != text[other.start].isdigit():
            return None  # the $1,499 one
        fits = re.fullmatch(between, gap) and 1 <= low < 100 and one.kind == "currency" and low == int(low)
        whole = replace(one, low=one.low + low / 100, end=other.end, certainty=0.95, rival=None, ambiguous=False)
        return whole if fits else None
    if unit:
        smaller = convert(low, unit, one.unit or "")
        if smaller is None or not re.fullmatch(between, gap) or smaller >= 1 or one.low != int(one.low):
            return None
        return replace(one, low=round(one.low + smaller, 4), end=_end_of(g, text, other), certainty=0.99)
    if gap or low != int(low) or low <= 0:
        return None
    digits = str(int(low))
    behind = re.compile(between).match(text, other.end) if between else None
    end = behind.end() if behind else other.end
    places = len(digits) + one.part  # 六毛五: the five are hundredths
    return replace(one, low=round(one.low + low / 10**places, 6), end=end, certainty=0.99)


def _end_of(g: Grammar, text: str, other: Item) -> int:
    quote = re.compile(r"(?:''|\")").match(text, other.end)
    return quote.end() if quote else other.end


# -- ranges ----------------------------------------------------------------------------------------------------------


def _ranges(g: Grammar, text: str, items: list[Item]) -> list[Item]:
    out: list[Item] = []
    for one in items:
        last = out[-1] if out else None
        if last is not None and (both := _range(g, text, last, one)) is not None:
            out[-1] = both
        else:
            out.append(one)
    return [_or_two(g, text, one) for one in out]


def _or_two(g: Grammar, text: str, one: Item) -> Item:
    """A day or two."""
    if one.low == 1 and one.high is None and (two := g.two_after.match(text, one.end)) is not None:
        return replace(one, high=2.0, end=two.end(), certainty=min(one.certainty, 0.99))
    return one


def _range(g: Grammar, text: str, low: Item, high: Item) -> Item | None:
    """Both ends of a range as one item; None where two numbers stand for themselves."""
    gap = text[low.end : high.start]
    if len(gap) > 16 or low.high is not None or high.high is not None:
        return None
    if low.bare:
        low = replace(low, unit=None, kind="none")
    led = g.range_led.search(text[max(0, low.start - 24) : low.start])
    strong = g.range_joins.fullmatch(gap) or (led and g.range_led_joins.fullmatch(gap))
    if not strong and not (g.range_choices.fullmatch(gap) and (low.unit is None or low.unit == high.unit)):
        return None
    if low.unit not in (None, high.unit) and not (low.kind == "currency" and high.unit is None):
        return None
    start, value = low.start, low.low
    if low.scale == 1 and high.scale > 1 and 0 < value < high.low / high.scale:
        value *= high.scale
    elif low.unit is None and high.part:
        value = value * (0.01 if high.low < 1 else 1)
    if value >= high.low or (value < 0 <= high.low and not low.start):
        return None
    unit, kind = (high.unit, high.kind) if high.unit is not None else (low.unit, low.kind)
    bare = low.bare and high.bare
    certain = high.certainty if not high.bare else low.certainty
    if not strong and not low.bare:
        return None  # a ticket for $40 or $50: two prices
    if bare:
        ages = g.age_led.search(text[max(0, low.start - 16) : low.start])
        unit, kind, certain = (
            ("year", "measure", 0.99) if ages else (unit, kind, LIKELY if led else max(high.certainty, low.certainty))
        )
        said = g.bare_before.search(text[max(0, low.start - 24) : low.start]) and g.bare_tail.match(text, high.end)
        certain = LIKELY if certain == 0.4 or said else certain
    certain = min(certain, 0.99)
    return replace(
        high,
        start=start,
        low=value,
        high=high.low,
        unit=unit,
        kind=kind,
        certainty=certain,
        bare=bare and kind == "none",
    )


# -- bounds and approximation ----------------------------------------------------------------------------------------


def _bounded(g: Grammar, text: str, one: Item) -> Item:
    before = text[max(0, one.start - WINDOW) : one.start]
    sign, certain, start, end = "=", one.certainty, one.start, one.end
    for relation in g.relations:
        if (match := relation.before.search(before)) is not None:
            sign, start = relation.sign, one.start - len(before) + match.start()
        elif (behind := relation.after.match(text, one.end)) is not None:
            sign, end = relation.sign, behind.end()
        else:
            continue
        break
    if sign == "=" and one.plus:
        sign = ">="
    approx = one.approx or bool(g.approximate[0].search(before)) or g.approximate[1].match(text, one.end) is not None
    if one.bare and approx and sign == "=":
        certain = max(certain, LIKELY if one.certainty >= DOUBT else OPEN)
    if one.kind == "count" and (g.company_before.search(before) or g.small["determined_before"].search(before)):
        certain = min(certain, LIKELY)
    if sign == "=" and not approx and g.unknown_bound.search(before):
        certain = min(certain, LIKELY)
    if one.bare and sign != "=" and one.unit is None:
        named = g.money_before.search(before) or one.scale > 1
        certain = max(certain, 0.99 if named else 0.95)
    if sign != "=" and one.high is not None:
        sign = "="
    said = text[start : one.start] + text[one.end : end]
    if g.small["weak_relations"].search(said):
        certain = min(certain, LIKELY)
    return replace(
        one, relation=sign, approx=approx, certainty=certain, start=min(start, one.start), end=max(end, one.end)
    )
