"""Finds what a text says of time: words first, then templates over words, level by level, the longest match first.

What was found is replaced by one character of the private use area, so that a template is an ordinary regular
expression and each level sees what the levels before it made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from wildtool.language.dates.building import Number, Value
from wildtool.language.dates.composing import ALL as BUILDERS
from wildtool.language.dates.grammar import HIDDEN, Format, Grammar, Level, Rule
from wildtool.language.dates.said import Between, Said, valid
from wildtool.language.numbers import parse_number
from wildtool.language.variants import plain_forms

_ROUNDS = 4
"""Passes over one level; what a template makes, the same level may join once more."""
_SAME_WIDTH = str.maketrans("’‘＇：，．（）！？；~～－–—／　\t\n\r\xa0＠", "''':,.()!?;-----/     @") | {
    0xFF10 + digit: str(digit) for digit in range(10)
}


@dataclass(frozen=True, slots=True)
class Found:
    """A stretch of the text and what it says."""

    category: str
    start: int
    end: int
    value: Said | Between


def fold(text: str) -> str:
    """Lower case, plain punctuation and plain forms, character for character."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(one if len(one := char.lower()) == 1 else char for char in text)
    low = plain_forms(low)
    return low.translate(_SAME_WIDTH)


class _Working:
    """The text as the next level sees it, with what each of its characters stands for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.values: list[Value | None] = [None] * len(text)
        self.starts = list(range(len(text)))
        self.ends = list(range(1, len(text) + 1))

    def replace(self, cuts: list[tuple[int, int, str, Value | None]]) -> None:
        """Put a sign in the place of each stretch; stretches are sorted and apart."""
        pieces: list[str] = []
        values: list[Value | None] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for start, end, sign, value in cuts:
            values += self.values[at:start]
            starts += self.starts[at:start]
            ends += self.ends[at:start]
            pieces += [self.text[at:start], sign]
            values.append(value)
            starts.append(self.starts[start])
            ends.append(self.ends[end - 1])
            at = end
        pieces.append(self.text[at:])
        self.values = values + self.values[at:]
        self.starts = starts + self.starts[at:]
        self.ends = ends + self.ends[at:]
        self.text = "".join(pieces)


def find(folded: str, grammar: Grammar) -> list[Found]:
    """All that a folded text says of time, in order."""
    working = _Working(grammar.never.sub(lambda found: HIDDEN * len(found[0]), folded))
    _formats(working, grammar)
    if not _words(working, grammar):
        return []
    for level in grammar.levels:
        for _ in range(_ROUNDS):
            if not _apply(working, level):
                break
    return [
        Found(grammar.final[sign], working.starts[at], working.ends[at], value)
        for at, sign in enumerate(working.text)
        if sign in grammar.final and isinstance(value := working.values[at], Said | Between)
    ]


def joined(found: list[Found], folded: str, grammar: Grammar) -> list[Found]:
    """The same, where a weekday after another one takes its week: "next Thursday and Friday", 下周三和周五."""
    result: list[Found] = []
    for one in found:
        last = result[-1] if result else None
        if (
            last is not None
            and isinstance(last.value, Said)
            and isinstance(one.value, Said)
            and last.value.weekday is not None
            and last.value.op is None
            and (last.value.weeks is not None or last.value.way is not None)
            and one.value.weekday is not None
            and one.value.free
            and one.value.weekday > last.value.weekday
            and grammar.tense.joins.fullmatch(folded, last.end, one.start)
        ):
            one = replace(one, value=replace(one.value, weeks=last.value.weeks, way=last.value.way))
        result.append(one)
    return result


def _formats(working: _Working, grammar: Grammar) -> None:
    for form in grammar.formats:
        if form.needs and form.needs not in working.text:
            continue
        cuts: list[tuple[int, int, str, Value | None]] = []
        for match in form.pattern.finditer(working.text):
            value = _written(match, form, grammar)
            if value is not None:
                cuts.append((match.start(), match.end(), form.sign, value))
        if cuts:
            working.replace(cuts)


def _written(match: re.Match[str], form: Format, grammar: Grammar) -> Said | None:
    groups = {name: text for name, text in match.groupdict().items() if text is not None}
    half = groups.pop("half", None)
    numbers = {name: int(text) for name, text in groups.items()}
    said = Said(certainty=form.certainty)
    if "a" in numbers:
        a, b = numbers.pop("a"), numbers.pop("b")
        if a > 12 or b > 12 or grammar.numeric != "either" or a == b:
            month, day = (b, a) if a > 12 or (grammar.numeric == "day" and b <= 12) else (a, b)
            said = replace(said, month=month, day=day)
        elif a >= 1 and b >= 1:
            said = replace(said, numeric=(a, b))
        else:
            return None
    if "year" in numbers and numbers["year"] < 100:
        numbers["year"] += 2000
    said = replace(said, **numbers)  # type: ignore[arg-type]
    if half:
        said = replace(said, half=f"{half}m", minute=said.minute or 0)
    elif said.hour is not None and said.day is not None:
        said = replace(said, written=True)
    elif said.hour is not None:
        sure = said.hour > 12 or groups["hour"].startswith("0") or ":" not in match[0]
        said = replace(said, written=True) if sure else replace(said, colon=True)
    return said if valid(said) and said.day != 0 else None


@lru_cache(maxsize=65536)
def _numeral(word: str, languages: tuple[str, ...]) -> float | None:
    for language in languages:
        value = parse_number(word, language)
        if value is not None:
            return value
    return None


def _words(working: _Working, grammar: Grammar) -> bool:
    """Replace words and numbers by their signs; False where no word of time stands in the text."""
    cuts: list[tuple[int, int, str, Value | None]] = []
    telling = any(value is not None for value in working.values)
    for match in grammar.lexer.finditer(working.text):
        word, digits, ordinal, numeral = match.group("w", "d", "o", "n")
        start, end = match.span()
        if word is not None:
            sign, value = grammar.tokens[word]
            cuts.append((start, end, sign, Number(value, False) if isinstance(value, int) else value))
            telling = True
            continue
        number = float(digits) if digits is not None else _numeral(numeral, grammar.languages)
        if number is None:
            continue
        telling = True
        previous = cuts[-1] if cuts else None
        if (
            digits is None
            and previous is not None
            and previous[1] + 1 == start
            and working.text[previous[1]] in " -"
            and isinstance(previous[3], Number)
            and not previous[3].digits
            and previous[3].value in (20, 30, 40, 50)
            and 1 <= number <= 9
        ):
            cuts[-1] = (previous[0], end, previous[2], Number(previous[3].value + number, False))
            continue
        sign = grammar.ordinal_sign if ordinal else grammar.number_sign
        cuts.append((start, end, sign, Number(number, digits is not None)))
    if cuts:
        working.replace(cuts)
    return telling or grammar.literal.search(working.text) is not None


def _apply(working: _Working, level: Level) -> bool:
    """Replace the longest matches of a level's templates; False where there is none."""
    found: list[tuple[int, int, int, Rule, re.Match[str]]] = []
    for order, rule in level.fitting(working.text):
        for match in rule.pattern.finditer(working.text):
            if match.end() > match.start():
                found.append((match.start() - match.end(), match.start(), order, rule, match))
    if not found:
        return False
    cuts: list[tuple[int, int, str, Value | None]] = []
    taken = bytearray(len(working.text))
    for _, start, _, rule, match in sorted(found, key=lambda one: one[:3]):
        end = match.end()
        if any(taken[start:end]):
            continue
        arguments = {
            name: working.values[match.start(group)]
            for group, name in enumerate(rule.slots, start=1)
            if match.start(group) >= 0
        }
        value = BUILDERS[rule.make](arguments, rule)
        if value is None:
            continue
        # Blanks at the edges are no part of the expression.
        start += len(match[0]) - len(match[0].lstrip(" "))
        end -= len(match[0]) - len(match[0].rstrip(" "))
        if end - start == 1 and working.text[start] == rule.sign:
            continue
        taken[start:end] = b"\1" * (end - start)
        cuts.append((start, end, rule.sign, value))
    if cuts:
        working.replace(sorted(cuts, key=lambda cut: cut[0]))
    return bool(cuts)
