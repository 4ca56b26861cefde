"""Pattern of personal data: its kind, cheap preconditions on a text, and an expression with its checks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


class PersonalData(StrEnum):
    """Kinds of personal data; a placeholder is ``[KIND_n]``."""

    URL = "URL"
    """An address with credentials in it."""
    EMAIL = "EMAIL"
    KEY = "KEY"
    """An API key or token."""
    IBAN = "IBAN"
    CARD = "CARD"
    ID = "ID"
    """A national identifier or passport number."""
    IP = "IP"
    MAC = "MAC"
    PHONE = "PHONE"
    ADDRESS = "ADDRESS"
    """A street address: a place's as well as a person's, for a log does not say who lives there."""
    BIRTH = "BIRTH"
    """A date of birth, where the words say that it is one."""
    NAME = "NAME"
    ACCOUNT = "ACCOUNT"
    """A messenger account, where the words say so."""
    PLATE = "PLATE"
    """A Chinese licence plate."""


class Clues:
    """Cheap facts on a text: most texts hold nothing personal, and then no expression is tried."""

    __slots__ = (
        "birth", "colons", "dashes", "digit", "dotted", "foreign", "han", "lower", "numbers", "secret", "spelt", "street",
        "text",
    )  # fmt: skip

    def __init__(self, text: str) -> None:
        self.text = text
        self.lower: str = text.lower()
        """The text in lower case."""
        self.foreign: bool = not text.isascii()
        """Signs beyond ASCII."""
        self.han: bool = self.foreign and _HAN.search(text) is not None
        """Han letters: curly quotes alone make a text foreign."""
        self.digit: bool = _DIGIT.search(text) is not None
        self.numbers: Spans = [match.span() for match in _LONG_NUMBER.finditer(text)] if self.digit else []
        """From the first to the last digit, wherever seven or more stand with little between them: the shortest telephone
        number."""
        self.dotted: bool = self.digit and _DOTTED.search(text) is not None
        """Two dots around few digits, as in an IP address."""
        self.street: bool = self.digit and _HOUSE.search(text) is not None
        """A number before a capital, as a house number stands."""
        self.colons: int = text.count(":")
        self.dashes: int = text.count("-")
        self.secret: bool = self.digit and holds_any(self.lower, _SECRET_WORDS)
        """A word that announces a secret."""
        self.birth: bool = self.digit and holds_any(self.lower, _BIRTH_WORDS)
        """A word that announces a date of birth."""
        self.spelt: bool = (
            holds_any(self.lower, _SPELT_WORDS)
            or (" at " in self.lower and holds_any(self.lower, _PROVIDERS))
            or (self.foreign and holds_any(self.lower, _SPELT_HAN))
        )
        """Words that stand for the signs of an e-mail address."""


def holds_any(text: str, words: tuple[str, ...]) -> bool:
    """Is one of these words in the text?"""
    for word in words:  # noqa: SIM110 - a generator takes twice as long
        if word in text:
            return True
    return False


def any_of(*marks: str) -> Callable[[Clues], bool]:
    """A test for marks; those that are all beyond ASCII are not looked for in ASCII text."""
    foreign = not any(mark.isascii() for mark in marks)
    return lambda clues: (clues.foreign or not foreign) and holds_any(clues.text, marks)


_DIGIT = re.compile(r"\d")
_HAN = re.compile("[一-鿿]")
_LONG_NUMBER = re.compile(r"\d(?:\D{0,3}\d){6,}")
_DOTTED = re.compile(r"\d\.\d{1,3}\.\d")
_HOUSE = re.compile(r"\d[A-Za-z]?,? [A-Z]")
_SECRET_WORDS = ("key", "token", "secret", "passw", "pwd", "密码", "密钥", "口令")
_BIRTH_WORDS = ("born", "birth", "dob", "d.o.b", "出生", "生日", "生的", "生于")
_SPELT_WORDS = ("dot", "at)", "at]")
_PROVIDERS = ("mail", "yahoo", "outlook", "icloud")
_SPELT_HAN = ("艾特", "圈a", "点com", "点cn", "点 com", "#")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way to see one kind. Group ``v`` is what is replaced, the whole match where there is none."""

    kind: PersonalData
    expression: re.Pattern[str]
    holds: Callable[[str], bool] = lambda value: True
    """Whether a match is really one."""
    hint: Callable[[Clues], bool] = lambda clues: True
    """A cheap test of the whole text without which the expression cannot match anywhere in it."""
    skips: Callable[[str], int] = lambda value: 0
    """Letters that a match begins with and that do not belong to the value."""
    number: bool = False
    """Is a match seven digits or more with at most three letters between two, and at most one before and after? Then it
    lies in one of the text's ``numbers``, and nothing else need be looked at."""


Spans = list[tuple[int, int]]


def around(text: str, numbers: Spans | None) -> Spans:
    """Where the matches of a pattern of numbers lie: about the long numbers of a text; in all of it, where they are not known."""
    if numbers is None:
        return [(0, len(text))]
    # A letter that belongs to the number and one that a pattern looks at.
    return [(max(0, start - 1), end + 2) for start, end in numbers]
