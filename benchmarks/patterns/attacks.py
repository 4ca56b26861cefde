"""Texts that are slow for a pattern, derived from the pattern itself.

What comes before each of its repetitions, then the repetition's own characters many times over, then something that
cannot follow: where time can grow with the square of a text or worse, one of these shows it.
"""

from __future__ import annotations

import re._constants as c
import re._parser as parser
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

GENERIC = ("a", "A", "1", " ", "@", "-", ".", "_", "/", "\n", "a ", "1 ", "a.", "1.", "a-", "1-", "a@", "中", "你 ", "a1", "{", "[", "<",
           "\"", "\\", "#", ",", "a,", "1,", "=", "a=", ":", "1:", "(", "(a", "é")  # fmt: skip
"""Repeated for every pattern, whatever is in it."""


@dataclass(frozen=True)
class Attack:
    """Texts of one kind, of any length."""

    prefix: str
    unit: str
    end: str

    def text(self, size: int) -> str:
        """About so many characters."""
        return self.prefix + self.unit * (size // len(self.unit)) + self.end

    @property
    def shown(self) -> str:
        return f"{self.prefix[:20]}{self.unit[:20] * 2}…{self.end}"


def attacks(pattern: str, flags: int) -> list[tuple[str, str]]:
    """Beginning and unit of texts: what leads up to each repetition, and what it repeats."""
    found: dict[tuple[str, str], None] = {}
    for prefix, unit in _pumps(parser.parse(pattern, flags), ""):
        if unit:
            found[prefix, unit] = None
            found["", unit] = None
            found["", prefix + unit] = None
    for unit in GENERIC:
        found["", unit] = None
    return list(found)


def _pumps(tree: Any, prefix: str) -> Iterator[tuple[str, str]]:
    for op, value in tree:
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            _, high, body = value
            if high is c.MAXREPEAT or high > 20:
                for unit in _samples(body):
                    yield prefix, unit
            yield from _pumps(body, prefix)
        elif op is c.BRANCH:
            for one in value[1]:
                yield from _pumps(one, prefix)
        elif op is c.SUBPATTERN:
            yield from _pumps(value[3], prefix)
        elif op is c.ATOMIC_GROUP:
            yield from _pumps(value, prefix)
        elif op in (c.ASSERT, c.ASSERT_NOT):
            yield from _pumps(value[1], prefix)
        prefix += _sample([(op, value)])


def _samples(tree: Any) -> list[str]:
    """Some texts that the body of a repetition matches."""
    texts = [""]
    for op, value in tree:
        options = _options(op, value)
        texts = [text + option for text in texts for option in options][:6]
    return list(dict.fromkeys(texts))


def _sample(tree: Any) -> str:
    return _samples(tree)[0]


def _options(op: Any, value: Any) -> list[str]:
    match op:
        case c.LITERAL:
            return [chr(value)]
        case c.NOT_LITERAL:
            return ["a" if value != ord("a") else "b"]
        case c.ANY:
            return ["a", " "]
        case c.IN:
            return _members(value)
        case c.BRANCH:
            return [option for one in value[1] for option in _samples(one)[:1]][:6] or [""]
        case c.SUBPATTERN:
            return _samples(value[3])[:3]
        case c.ATOMIC_GROUP:
            return _samples(value)[:3]
        case c.MAX_REPEAT | c.MIN_REPEAT | c.POSSESSIVE_REPEAT:
            return [text * max(1, value[0]) for text in _samples(value[2])[:3]]
        case _:
            return [""]


CATEGORIES = {
    c.CATEGORY_DIGIT: "1", c.CATEGORY_NOT_DIGIT: "a", c.CATEGORY_SPACE: " ", c.CATEGORY_NOT_SPACE: "a",
    c.CATEGORY_WORD: "a", c.CATEGORY_NOT_WORD: " ",
}  # fmt: skip


def _members(value: Any) -> list[str]:
    negated = value and value[0][0] is c.NEGATE
    found = []
    for op, one in value[1:] if negated else value:
        if op is c.LITERAL:
            found.append(chr(one))
        elif op is c.RANGE:
            found.append(chr(one[0]))
        elif op is c.CATEGORY:
            found.append(CATEGORIES[one])
    if negated:
        return [each for each in "a1 -.中\n" if not _is_in(each, value[1:])][:3] or ["\x01"]
    return list(dict.fromkeys(found))[:5]


def _is_in(char: str, value: Any) -> bool:
    for op, one in value:
        if op is c.LITERAL and one == ord(char):
            return True
        if op is c.RANGE and one[0] <= ord(char) <= one[1]:
            return True
        if op is c.CATEGORY and (
            {c.CATEGORY_DIGIT: char.isdigit(), c.CATEGORY_SPACE: char.isspace(), c.CATEGORY_WORD: char.isalnum() or char == "_",
             c.CATEGORY_NOT_DIGIT: not char.isdigit(), c.CATEGORY_NOT_SPACE: not char.isspace(),
             c.CATEGORY_NOT_WORD: not (char.isalnum() or char == "_")}[one]
        ):  # fmt: skip
            return True
    return False
