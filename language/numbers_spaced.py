"""Reads numerals whose words stand apart: two hundred and five, half a million, three and a half, two thirds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from wildtool.language.lexicon import words
from wildtool.language.numbers_text import Numeral, written


@dataclass(frozen=True, slots=True)
class _Words:
    small: Mapping[str, float]
    """Digits, teens and tens."""
    digits: Mapping[str, float]
    scales: Mapping[str, float]
    fractions: Mapping[str, float]
    wholes: Mapping[str, float]
    weak: frozenset[str]
    joiners: frozenset[str]
    led_only: frozenset[str]
    token: re.Pattern[str]
    gap: re.Pattern[str]
    whole: re.Pattern[str]
    part: re.Pattern[str]
    half_behind: re.Pattern[str]
    scale_behind: re.Pattern[str]
    point: re.Pattern[str]
    of: re.Pattern[str]
    article_before: re.Pattern[str]
    negative_before: re.Pattern[str]


def _any(of: object) -> str:
    return "|".join(sorted(map(re.escape, of), key=len, reverse=True))  # type: ignore[call-overload]


@cache
def _lexicon(language: str) -> _Words:
    table = words(language, "numbers")
    small = {**table["digits"], **table["teens"], **table["tens"]}
    article, joined, of = _any(table["articles"]), _any(table["and"]), _any(table["of"])
    scales, halves, digits = _any(table["scales"]), _any(table["half"]), _any(table["digits"])
    no_part = _any(table["no_fraction_after"])
    parts = _any(table["fractions"])
    return _Words(
        small, table["digits"], table["scales"], table["fractions"], table["wholes"], frozenset(table["weak"]),
        frozenset(table["and"]), frozenset(table["led_only"]),
        re.compile(rf"(?<![a-z0-9'])(?:{_any((*small, *table['scales']))})(?![a-z])"),
        re.compile(rf"(?: ?- ?| |,? (?:{joined}) )(?:(?:{article}) (?={scales}))?"),
        re.compile(rf"(?<![a-z'])(?:(?:{article}|one|1) )?(?:{_any(table['wholes'])})(?![a-z'])"),
        re.compile(rf"(?<![a-z'])(?:(?P<article>{article})[ -])?(?P<part>{parts})(?![a-z'])(?!-? ?(?:{no_part})(?![a-z]))"
            rf"(?P<of>(?: (?:{of}))?(?: (?:{article}))?(?= ))?"),
        re.compile(rf"[ -](?:{joined})[ -](?:(?:{article}|(?P<over>{digits}))[ -])?(?:(?P<half>{halves})|(?P<part>{parts}))(?![a-z])"),
        re.compile(rf" ?-?(?P<scale>{scales})(?![a-z])"),
        re.compile(rf" (?:{_any(table['point'])})(?P<digits>(?: (?:{digits})){{1,8}})(?![a-z])"),
        re.compile(rf" (?:{of})(?![a-z])"),
        re.compile(rf"(?<![a-z'])(?:{article}) $"),
        re.compile(rf"(?<![a-z'])(?:{_any(table['negative'])}) $"),
    )  # fmt: skip


def numerals(text: str, language: str, glued: frozenset[str] = frozenset()) -> list[Numeral]:
    """All numerals of a folded text, in digits and in words, in order."""
    lex = _lexicon(language)
    found = [_behind(lex, text, one) for one in written(text, language, glued)]
    taken = {at for one in found for at in range(one.start, one.end)}
    for match in lex.whole.finditer(text):
        if match.start() not in taken:
            value = next(value for word, value in lex.wholes.items() if match[0].endswith(word))
            one = _behind(lex, text, Numeral(match.start(), match.end(), value, certainty=0.99))
            found.append(one)
            taken.update(range(one.start, one.end))
    for run in _runs(lex, text):
        found += [_behind(lex, text, one) for one in _in_words(lex, text, run) if one.start not in taken]
    parts = _parts(lex, text, found)
    taken = {at for one in found for at in range(one.start, one.end)}
    found += [_behind(lex, text, one) for one in parts if not taken.intersection(range(one.start, one.end))]
    starts = sorted(found, key=lambda one: (one.start, -one.end))
    kept: list[Numeral] = []
    for one in starts:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif one.start == kept[-1].start or one.end > kept[-1].end:
            kept[-1] = one if one.end - one.start > kept[-1].end - kept[-1].start else kept[-1]
    return [_negated(lex, text, one) for one in kept]


def _runs(lex: _Words, text: str) -> list[list[re.Match[str]]]:
    """Number words that stand next to each other."""
    runs: list[list[re.Match[str]]] = []
    for token in lex.token.finditer(text):
        if runs and lex.gap.fullmatch(text, runs[-1][-1].end(), token.start()):
            runs[-1].append(token)
        else:
            runs.append([token])
    return runs


def _in_words(lex: _Words, text: str, run: list[re.Match[str]]) -> list[Numeral]:
    """The numbers of a run: "two hundred and five" is one number, "two three" are two."""
    done: list[Numeral] = []
    held: list[re.Match[str]] = []
    total = current = 0.0
    for token in run:
        joined = held and text[held[-1].end() : token.start()].strip() in lex.joiners
        value = lex.scales.get(token[0])
        if not held:
            fits = value is None or value != 1000 or _led(lex, text, token)
        elif value is not None:
            fits = not joined and (current > 0 or (total == 0 and value >= 1000))
        else:
            value_small = lex.small[token[0]]
            tenfold = current % 10 == 0 and current % 100 >= 20 and 0 < value_small < 10 and not joined
            fits = tenfold or (current % 100 == 0 and (current > 0 or total > 0))
        if held and not fits:
            done.append(_made(lex, text, held, total + current))
            held, total, current = [], 0.0, 0.0
        if value is None:
            current += lex.small[token[0]]
        elif value in (100.0, 12.0, 144.0):
            current = (current or 1.0) * value
        else:
            total, current = total + (current or 1.0) * value, 0.0
        held.append(token)
    done.append(_made(lex, text, held, total + current))
    return [one for one in done if one.certainty > 0]


def _led(lex: _Words, text: str, token: re.Match[str]) -> bool:
    return lex.article_before.search(text, max(0, token.start() - 4), token.start()) is not None


def _made(lex: _Words, text: str, held: list[re.Match[str]], value: float) -> Numeral:
    start, end = held[0].start(), held[-1].end()
    certainty = 0.9 if len(held) == 1 and held[0][0] in lex.weak else 0.995
    scale = lex.scales.get(held[-1][0], 1.0)
    if held[0][0] in lex.scales:
        before = lex.article_before.search(text, max(0, start - 4), start)
        start = before.start() if before else start
        certainty = certainty if before else 0.0 if held[0][0] in lex.led_only else 0.6
    return Numeral(start, end, value, certainty=certainty, scale=scale)


def _behind(lex: _Words, text: str, one: Numeral) -> Numeral:
    """The numeral with what belongs to it behind: a decimal point in words, a scale, "and a half"."""
    point = lex.point.match(text, one.end)
    if point is not None:
        digits = "".join(str(int(lex.digits[word])) for word in point["digits"].split())
        one = replace(one, end=point.end(), value=round(one.value + float("0." + digits), 10))
    half = lex.half_behind.match(text, one.end)
    if half is not None and (half["over"] or 1) != "zero":
        part = (lex.digits[half["over"]] if half["over"] else 1) / (2 if half["half"] else lex.fractions[half["part"]])
        whole = one.scale if one.scale >= 1000 and one.value % one.scale == 0 else 1.0  # a million and a half
        one = replace(one, end=half.end(), value=one.value + part * whole, certainty=max(one.certainty, 0.99))
    scale = lex.scale_behind.match(text, one.end)
    if scale is not None:
        one = replace(
            one, end=scale.end(), value=round(one.value * lex.scales[scale["scale"]], 10), longer=None, scale=lex.scales[scale["scale"]],
            certainty=max(one.certainty, 0.99), other=None,
        )  # fmt: skip
        again = lex.scale_behind.match(text, one.end)  # two hundred thousand, 5 hundred million
        if again is not None and lex.scales[again["scale"]] > lex.scales[scale["scale"]]:
            one = replace(
                one, end=again.end(), value=one.value * lex.scales[again["scale"]], scale=lex.scales[again["scale"]]
            )
    return one


def _parts(lex: _Words, text: str, found: list[Numeral]) -> list[Numeral]:
    """Fractions: half a dozen, a quarter of a million, two thirds, half an hour."""
    ends = {one.end: one for one in found if one.scale == 1}
    inside = {at for one in found for at in range(one.start + 1, one.end)}
    out = []
    for match in lex.part.finditer(text):
        part = lex.fractions[match["part"]]
        if match.start() in inside:
            continue
        start, end, over, certainty = match.start(), match.end("part"), 1.0, 0.9
        lead = ends.get(start - 1) if match["article"] is None and text[start - 1 : start] in (" ", "-") else None
        if lead is not None and 0 < lead.value < part:
            over, start, certainty = lead.value, lead.start, 0.99
            found.remove(lead)
        elif not _alone(lex, match, part):
            continue
        value, size = over / part, 1.0
        tail = match.end("of") if match["of"] else end
        scale = lex.scale_behind.match(text, tail)
        if scale is not None:
            size = lex.scales[scale["scale"]]
            value, end, certainty = value * size, scale.end(), 0.995
            found[:] = [one for one in found if not (one.start < end and one.end > start)]
        elif match["of"]:
            end = tail
        elif lead is None and (text[end : end + 1] == "-" if part != 4 else match["article"] is None):
            certainty = 0.5
        out.append(Numeral(start, end, value, certainty=certainty, scale=size))
    return out


def _alone(lex: _Words, match: re.Match[str], part: float) -> bool:
    """Whether a word of a fraction without a number before it is one: half, a quarter, a third of."""
    if part == 2:
        return True
    of = bool(lex.of.match(match["of"] or ""))
    return part <= 4 and (of or part == 4)


def _negated(lex: _Words, text: str, one: Numeral) -> Numeral:
    before = lex.negative_before.search(text, max(0, one.start - 12), one.start)
    if before is None:
        return one
    return replace(one, start=before.start(), value=-one.value, certainty=max(one.certainty, 0.99))
