"""Make texts that match a pattern of a JSON Schema: letters, classes, groups, alternatives and counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

_CLASSES = {
    "d": "0123456789",
    "w": "abcdefghjkmnpqrstuvwxyz0123456789",
    "s": " ",
    "D": "abcdefgh",
    "W": "-",
    "S": "abcdefgh23456789",
}
_ANY = "abcdefghjkmnpqrstuvwxyz"
_MOST = 6
"""The most repetitions of what may be repeated without end."""

Part = Callable[[Random], str]


class _Unread(Exception):
    """Raised for what this reader of patterns does not know."""


@dataclass
class _Reader:
    text: str
    at: int = 0

    def alternatives(self) -> Part:
        options = [self.sequence()]
        while self.peek() == "|":
            self.at += 1
            options.append(self.sequence())
        return options[0] if len(options) == 1 else lambda rng: options[int(rng.random() * len(options))](rng)

    def sequence(self) -> Part:
        parts: list[Part] = []
        while self.at < len(self.text) and self.peek() not in "|)":
            part = self.unit()
            if part is not None:
                parts.append(self.counted(part))
        return lambda rng: "".join(part(rng) for part in parts)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def unit(self) -> Part | None:
        here = self.peek()
        self.at += 1
        match here:
            case "^" | "$":
                return None
            case ".":
                return _one_of(_ANY)
            case "[":
                return _one_of(self.members())
            case "(":
                return self.group()
            case "\\":
                return self.escaped()
            case _:
                return lambda _: here

    def group(self) -> Part | None:
        ahead = False
        if self.peek() == "?":
            mark = re.match(r"\?(?::|P?<[A-Za-z_]\w*>|[=!]|<[=!])", self.text[self.at :])
            if mark is None:
                raise _Unread(self.text)
            self.at += mark.end()
            ahead = mark[0].endswith(("=", "!"))
        inside = self.alternatives()
        if self.peek() != ")":
            raise _Unread(self.text)
        self.at += 1
        return None if ahead else inside

    def escaped(self) -> Part | None:
        here = self.peek()
        self.at += 1
        if here in "bBAZz":
            return None
        if here in ("p", "P") and self.peek() == "{":
            end = self.text.index("}", self.at)
            name = self.text[self.at + 1 : end]
            self.at = end + 1
            return _one_of("0123456789" if name.startswith("N") else "ABCDEFGH" if name == "Lu" else _ANY)
        if here == "u" and re.match(r"[0-9A-Fa-f]{4}", self.text[self.at :]):
            code = chr(int(self.text[self.at : self.at + 4], 16))
            self.at += 4
            return lambda _: code
        if here.isdigit():
            raise _Unread(self.text)
        return _one_of(_CLASSES[here]) if here in _CLASSES else lambda _: {"t": "\t", "n": "\n"}.get(here, here)

    def members(self) -> str:
        inverted = self.peek() == "^"
        self.at += inverted
        found: list[str] = []
        first = True
        while first or self.peek() != "]":
            first = False
            here = self.peek()
            if not here:
                raise _Unread(self.text)
            self.at += 1
            if here == "\\":
                kind = self.peek()
                self.at += 1
                if kind in _CLASSES:
                    found.append(_CLASSES[kind])
                    continue
                here = {"t": "\t", "n": "\n"}.get(kind, kind)
            if self.peek() == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                last = self.peek()
                self.at += 1
                if last == "\\":
                    last = self.peek()
                    self.at += 1
                found.append("".join(chr(code) for code in range(ord(here), min(ord(last), ord(here) + 200) + 1)))
            else:
                found.append(here)
        self.at += 1
        members = "".join(found)
        if inverted:
            return "".join(each for each in _ANY + "0123456789" if each not in members) or "-"
        # Letters and digits read better than signs and blanks.
        return "".join(each for each in members if each.isascii() and each.isalnum()) or members

    def counted(self, part: Part) -> Part:
        count = re.match(r"\{(\d+)(,?)(\d*)\}|[*+?]", self.text[self.at :])
        if count is None:
            return part
        self.at += count.end()
        if self.peek() in ("?", "+"):
            self.at += 1
        match count[0]:
            case "?":
                low, high = 0, 1
            case "*":
                low, high = 0, _MOST
            case "+":
                low, high = 1, _MOST
            case _:
                low = int(count[1])
                high = int(count[3]) if count[3] else low + _MOST if count[2] else low
                high = min(high, max(low, 2 * _MOST))
        return lambda rng: "".join(part(rng) for _ in range(low + int(rng.random() * (high - low + 1))))


def _one_of(letters: str) -> Part:
    return lambda rng: letters[int(rng.random() * len(letters))]


@lru_cache(maxsize=1 << 12)
def matching(pattern: str) -> Part | None:
    """Return what makes texts that match a pattern; None for a pattern that this reader does not know."""
    try:
        reader = _Reader(pattern)
        part = reader.alternatives()
        check = re.compile(pattern)
        fits = reader.at == len(pattern) and all(check.search(part(Random(seed))) for seed in range(5))
    except (_Unread, re.error, IndexError, ValueError):
        return None
    return part if fits else None
