"""Reads numerals that are written sign by sign: 三千五, 两百五十六, 七八十, 1.2亿, 三分之一."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from wildtool.language.lexicon import words
from wildtool.language.numbers_text import Numeral, written


@dataclass(frozen=True, slots=True)
class _Signs:
    digits: Mapping[str, float]
    tens: Mapping[str, float]
    scales: Mapping[str, float]
    whole_tens: Mapping[str, float]
    pairs: Mapping[str, float]
    zeros: str
    heading: str
    half: str
    part_of: str
    negative: tuple[str, ...]
    heading_spread: re.Pattern[str]
    inner: str
    per: re.Pattern[str]
    tail: re.Pattern[str]
    """Digits after a numeral that began with digits: the 5千 of 2万5千."""
    run: re.Pattern[str]
    point: re.Pattern[str]
    without: re.Pattern[str]


@cache
def _signs(language: str) -> _Signs:
    table = words(language, "numbers")
    plain = "".join((*table["digits"], *table["tens"], *table["scales"], *table["whole_tens"]))
    digits = "".join(table["digits"])
    return _Signs(
        table["digits"], table["tens"], table["scales"], table["whole_tens"], table["pairs"], table["zeros"],
        table["heading"], "".join(table["half"]), table["part_of"], tuple(table["negative"]),
        re.compile(table["heading_spread"]), table["inner"], re.compile(table["per"]),
        re.compile(rf"(\d{{1,4}}(?:\.\d)?)([{''.join((*table['tens'], *table['scales']))}]?)(?![\d.,:])"),
        re.compile(f"[{plain}]{{1,32}}"),
        re.compile(f"[{''.join(table['point'])}]([{digits}]{{1,8}})(?![{plain}])"),
        re.compile("|".join(sorted(table["words_without"], key=len, reverse=True)) or "(?!)"),
    )  # fmt: skip


def numerals(text: str, language: str, glued: frozenset[str] = frozenset()) -> list[Numeral]:
    """All numerals of a folded text, in order; words of the language that only hold a sign of a number are left out."""
    signs = _signs(language)
    digits = written(text, language, glued)
    masked = {at for word in signs.without.finditer(text) for at in range(word.start(), word.end())}
    found: list[Numeral] = []
    at_digit = {one.start: one for one in digits}
    taken: set[int] = set()
    for run in signs.run.finditer(text):
        start, end = run.span()
        while start < end:
            lead = _lead(at_digit, text, start) if start == run.start() else None
            one = _read(signs, text, start, end, lead)
            if one is None:
                start += 1
                continue
            if not masked.intersection(range(one.start, one.end)):
                found.append(one)
            taken.update(range(one.start, one.end))
            start = one.end
            end = max(end, start)
    found += [one for one in digits if one.start not in taken and one.end - 1 not in taken]
    for char, value in signs.pairs.items():
        found += [Numeral(at.start(), at.end(), value, pair=True) for at in re.finditer(char, text)]
    found += [
        Numeral(at.start(), at.end(), 0.5, certainty=0.9)
        for at in re.finditer(signs.half, text)
        if at.start() not in masked
    ]
    joined = _parts(signs, text, sorted(found, key=lambda one: one.start))
    return _apart([_negated(signs, text, one) for one in joined])


def _apart(found: list[Numeral]) -> list[Numeral]:
    """Numerals without those that lie inside of the next: the 零 of 零下十五."""
    return [one for at, one in enumerate(found) if at + 1 == len(found) or found[at + 1].start >= one.end]


def _lead(digits: Mapping[int, Numeral], text: str, start: int) -> Numeral | None:
    """The number in digits that ends where a run of signs starts: the 1.2 of 1.2亿."""
    head = start
    while head and (text[head - 1].isdigit() or text[head - 1] in ".,"):
        head -= 1
    one = digits.get(head)
    return one if one is not None and one.end == start else None


def _read(signs: _Signs, text: str, start: int, end: int, lead: Numeral | None) -> Numeral | None:
    """The numeral that begins at ``start`` (or at the digits before it) and takes as much of the run as it can."""
    if lead is None and signs.heading_spread.match(text, start) and end - start == 2:
        return Numeral(start, end, 1.0, 2.0, 0.99)
    chars = _cut(signs, text[start:end], lead is not None)
    if lead is not None and (not chars or chars[0] not in (*signs.tens, *signs.scales)):
        return None
    if not chars:
        return None
    if lead is None and chars[0] in (*signs.tens, *signs.scales) and signs.tens.get(chars[0]) != 10:
        return None  # 百货, 万能: no digit before the unit
    if len(chars) > 2 and chars[-2] in (*signs.tens, *signs.scales) and signs.per.match(text, start + len(chars) - 1):
        chars = chars[:-1]
    begin, stop = (lead.start if lead else start), start + len(chars)
    if lead is None and all(char in signs.digits for char in chars):
        return _row(signs, text, start, chars)
    if (span := _spread(signs, chars, lead)) is not None:
        scale = signs.scales.get(chars[-1]) or signs.tens.get(chars[-1]) or 1.0
        return Numeral(begin, stop, span[0], span[1], 0.99, scale=scale if scale > 10 else 1.0)
    value, stop = _sum(signs, text, start, chars, lead)
    if text[stop : stop + 1] in signs.inner and text[stop + 1 : stop + 2] in signs.scales and stop < len(text):
        value, stop = value * signs.scales[text[stop + 1]], stop + 2
        return Numeral(begin, stop, value, certainty=0.99, scale=signs.scales[text[stop - 1]], digits=lead is not None)
    scale = signs.scales.get(chars[-1]) or signs.tens.get(chars[-1]) or 1.0
    scale = scale if stop == start + len(chars) and scale > 10 else 1.0
    return Numeral(begin, stop, value, scale=scale, digits=lead is not None)


def _cut(signs: _Signs, run: str, led: bool) -> str:
    """The signs of a run up to a measure that looks like a digit: 八两 is eight of the measure 两."""
    for at, char in enumerate(run):
        if at and run[at - 1] in signs.zeros:
            continue
        if char in signs.heading and (at or led) and run[at + 1 : at + 2] not in (*signs.tens, *signs.scales):
            return run[:at]
    return run


def _row(signs: _Signs, text: str, start: int, chars: str) -> Numeral:
    """A row of bare digits: one digit, a decimal number, a spread (两三), or a number read out (二〇二四)."""
    end = start + len(chars)
    if (point := signs.point.match(text, end)) is not None and len(chars) == 1:
        return Numeral(start, point.end(), _decimal(signs, signs.digits[chars], point[1]), certainty=0.95)
    if len(chars) == 1:
        return Numeral(start, end, signs.digits[chars])
    if len(chars) == 2 and chars[0] in signs.zeros:  # 两年零三个月
        return Numeral(start + 1, end, signs.digits[chars[1]])
    values = [signs.digits[char] for char in chars]
    if len(chars) == 2 and 0 < values[0] < values[1] and (values[1] - values[0] == 1 or values == [3, 5]):
        return Numeral(start, end, values[0], values[1], 0.99)
    return Numeral(start, end, float("".join(str(int(value)) for value in values)), certainty=0.7)


def _decimal(signs: _Signs, whole: float, digits: str) -> float:
    return round(whole + float("0." + "".join(str(int(signs.digits[char])) for char in digits)), 10)


def _spread(signs: _Signs, chars: str, lead: Numeral | None) -> tuple[float, float] | None:
    """Both ends of a numeral that holds two neighbouring digits: 七八十, 三四百, 十七八, 五六万."""
    if lead is not None:
        return None
    for at, (one, other) in enumerate(pairwise(chars)):
        low, high = signs.digits.get(one, 0), signs.digits.get(other, 0)
        if (
            low
            and high
            and (high - low == 1 or (low, high) == (3, 5))
            and (at == 0 or chars[at - 1] not in signs.digits)
        ):
            ends = [_value(signs, [*chars[:at], digit, *chars[at + 2 :]]) for digit in (one, other)]
            return ends[0], ends[1]
    return None


def _sum(signs: _Signs, text: str, start: int, chars: str, lead: Numeral | None) -> tuple[float, int]:
    tokens: list[str | float] = [lead.value] if lead is not None else []
    end = start + len(chars)
    value = _value(signs, [*tokens, *chars])
    tail = signs.tail.match(text, end) if lead is not None else None
    if tail is not None:  # 3千5, 2万5千
        rest = float(tail[1]) * (signs.tens.get(tail[2]) or signs.scales.get(tail[2]) or 1)
        last = signs.tens.get(chars[-1]) or signs.scales.get(chars[-1]) or 1
        rest = rest * last / 10 if not tail[2] and rest < 10 else rest
        if rest < last:
            value, end = value + rest, tail.end()
    elif (point := signs.point.match(text, end)) is not None and lead is None:
        value, end = _decimal(signs, value, point[1]), point.end()
    return value, end


def _value(signs: _Signs, tokens: list[str | float]) -> float:
    """The value of digits and units in order; a last digit after a unit counts in tenths of it: 三千五 is 3500."""
    total = section = digit = 0.0
    unit, bare, held = 1.0, True, False
    for token in tokens:
        if isinstance(token, float):
            digit, held = token, True
        elif token in signs.zeros:
            unit, bare = 1.0, True
        elif token in signs.digits:
            digit, held = digit * 10 + signs.digits[token], True
        elif token in signs.whole_tens:
            section, unit, bare = section + signs.whole_tens[token], 10.0, False
        elif token in signs.tens:
            section += (digit if held else 1.0) * signs.tens[token]
            unit, bare, digit, held = signs.tens[token], False, 0.0, False
        else:
            scale = signs.scales[token]
            if total and scale > 10_000:  # 一万亿
                total, section = (total + section + digit) * scale, 0.0
            else:
                total, section = total + ((section + digit) or 1.0) * scale, 0.0
            unit, bare, digit, held = scale, False, 0.0, False
    if held and not bare and unit >= 100 and digit < 10:
        digit *= unit / 10
    return round(total + section + digit, 10)


def _parts(signs: _Signs, text: str, found: list[Numeral]) -> list[Numeral]:
    """The same numerals with fractions joined: 三分之二."""
    out: list[Numeral] = []
    for one in found:
        last = out[-1] if out else None
        if last is not None and text[last.end : one.start] == signs.part_of and 1 < last.value < 100:
            out[-1] = Numeral(last.start, one.end, round(one.value / last.value, 10))
        elif last is None or one.start >= last.end:
            out.append(one)
    return out


def _negated(signs: _Signs, text: str, one: Numeral) -> Numeral:
    for word in signs.negative:
        if one.value > 0 and text.endswith(word, 0, one.start) and word != "-":
            high = None if one.high is None else -one.high
            return replace(one, start=one.start - len(word), value=-one.value, high=high)
    return one
