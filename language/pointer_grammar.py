"""Compiles the rules of ``pointing.toml``: regular expressions with macros, tried in order, each using up what it matches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wildtool.language.folding import unaccented
from wildtool.language.lexicon import languages, words
from wildtool.language.numbers import parse_number

TOPIC = "pointing"
_MACRO = re.compile(r"~(\w+)~")


@dataclass(frozen=True, slots=True)
class Rule:
    """One expression of a rule table and what the table says of it."""

    find: re.Pattern[str]
    table: Mapping[str, Any]


fold = unaccented
"""The fold of all tables of pointing: offsets stay those of the text."""


@cache
def grammar(language: str) -> Mapping[str, Any]:
    """All of a language's ``pointing.toml``. Raises ``RegistryError`` for a language without one."""
    return words(language, TOPIC)


@cache
def word_set(language: str, name: str) -> frozenset[str]:
    """The words of the array ``name`` under ``[words]``, folded; an array of texts is split at blanks."""
    return frozenset(word for line in grammar(language)["words"].get(name, ()) for word in fold(line).split())


@cache
def shared_words(name: str) -> frozenset[str]:
    """The words of the array ``name`` in all languages together: fields may be named in another one than the text."""
    return frozenset(word for language in languages() for word in word_set(language, name))


def expand(language: str, pattern: str) -> str:
    """Replaces each ``~name~`` by that macro (a string) or by any word of it (an array)."""
    macros = grammar(language)["macros"]

    def fill(match: re.Match[str]) -> str:
        macro = _fields(language) if match[1] == "field" else macros[match[1]]
        if isinstance(macro, list):
            each = sorted((word for line in macro for word in line.split()), key=len, reverse=True)
            macro = "|".join(word.replace("_", "[ -]") for word in each)
        return f"(?:{_MACRO.sub(fill, macro)})"

    return _MACRO.sub(fill, pattern)


@cache
def _fields(language: str) -> list[str]:
    """All words of a language for what a field may hold: the macro ``field``."""
    return [word for lines in grammar(language)["fields"].values() for line in lines for word in line.split()]


@cache
def compiled(language: str, pattern: str) -> re.Pattern[str]:
    """An expression of the language with its macros filled in."""
    return re.compile(expand(language, pattern))


@cache
def rules(language: str, name: str) -> tuple[Rule, ...]:
    """The rules of the array of tables ``name``, in the order of the file."""
    return tuple(
        Rule(compiled(language, pattern), table)
        for table in grammar(language).get(name, ())
        for pattern in ([table["find"]] if isinstance(table["find"], str) else table["find"])
    )


@cache
def scale_rules(language: str) -> tuple[Rule, ...]:
    """The rules of all scales: their words in the templates of each degree, superlatives of all scales first."""
    found = []
    for degree, template in grammar(language)["templates"].items():
        for scale in grammar(language)["scale"]:
            each = sorted((word for word in scale.get(degree, "").split()), key=len, reverse=True)
            if each:
                choice = "|".join(re.escape(word).replace("_", " ") for word in each)
                pattern = compiled(language, template.replace("@", choice))
                found.append(Rule(pattern, {**scale, "degree": degree}))
    return tuple(found)


def scan(
    folded: str, wanted: tuple[Rule, ...], skip: Callable[[Rule, re.Match[str]], bool] | None = None
) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Yields each match of each rule that overlaps no match of an earlier one; ``skip`` may let a match go."""
    taken = bytearray(len(folded))
    for rule in wanted:
        for match in rule.find.finditer(folded):
            start, end = match.span()
            if start == end or any(taken[start:end]) or (skip is not None and skip(rule, match)):
                continue
            taken[start:end] = b"\1" * (end - start)
            yield rule, match


@cache
def rank_of(language: str, word: str) -> int | None:
    """The number that an ordinal word, a numeral or a letter of a choice stands for; None where it is none."""
    table: Mapping[str, int] = grammar(language)["ranks"]
    if word in table:
        return table[word]
    if digits := re.match(r"\d{1,3}", word):
        return int(digits[0])
    if re.fullmatch("[a-h]", word):
        return ord(word) - ord("a") + 1
    number = parse_number(word, language)
    return int(number) if number is not None and number == int(number) and 0 < number < 1000 else None


@cache
def concepts(table: str) -> Mapping[str, frozenset[str]]:
    """Words of each concept of a table, of all languages together: field names and values may be in another one."""
    found: dict[str, set[str]] = {}
    for language in languages():
        try:
            entries = grammar(language).get(table, {})
        except LookupError:  # a language may have other words, and none for pointing yet
            continue
        for name, lines in entries.items():
            found.setdefault(name, set()).update(
                fold(word).replace("_", " ") for line in lines for word in line.split()
            )
    return {name: frozenset(each) for name, each in found.items()}
