"""Compiles the date words and templates of a language (``words/<code>/dates.toml``) into one grammar.

A word file holds
- ``spaced``: words are set apart by blanks; ``also``: languages whose words people mix in; ``number``: expression of words
  that may be numerals; ``numeric``: order of 3/4 (``month``, ``day``, or ``either``); ``colon``: probability that 7:30 is
  in the morning;
- ``never``: expressions of text that denotes no time, whatever stands in it (titles, brands, idioms);
- ``lexicon.<category>``: words of a category: ``field`` of ``Said`` that they fill and the words of each value;
- ``phrases``: words that fill several fields: ``as`` category, ``with`` fields, ``words``; here and in the lexicon,
  ``loose`` are slips, chat and rare spellings, which texts are read by and values of arguments are not (tables.py);
- ``classes``: names for several categories; ``macros``: names for pieces of templates, in capitals;
- ``rule``: ``level`` at which it works, category it makes (``as``), ``make`` (a builder of building.py), constant fields
  (``with``), ``sure`` (factor of its certainty) and templates (``say``);
- ``tense`` and ``hints``: expressions for the direction of verbs and the half of the day;
- ``said``: what rules ask beside the readings (spoken.py); ``say``: how a day is written (language/day_phrases.py).

A template is a regular expression in which ``{category}``, ``{name:category}``, ``{a|b}`` stand for what was found
before, ``{-category}`` likewise but not taken, ``{MACRO}`` for its text, a blank for one or more blanks, ``~`` for any,
and ``«a|b»`` for "after a or b".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from tomllib import loads
from typing import Any

from wildtool.language.dates.said import Said, Unit, from_table
from wildtool.language.lexicon import words

_FIRST_SIGN = 0xE000
"""Start of the private use area, whose characters stand for what was found in a text."""
HIDDEN = "\uf8ff"
"""Stands for text that denotes no time."""
_SLOT = re.compile(r"\{(-?)(?:([a-z_]+[0-9]?):)?([a-z_|]+)\}")
_MACRO = re.compile(r"\{([A-Z_]+)\}")
_AFTER = re.compile(r"«([^»]*)»")
_BAR = re.compile(r"\|(?![^{]*\})")


@dataclass(frozen=True, slots=True)
class Rule:
    """One template, compiled."""

    pattern: re.Pattern[str]
    slots: tuple[str, ...]
    """Names of its groups, in order."""
    needs: tuple[frozenset[str], ...]
    """Signs of which one each must stand in the text for the rule to be worth trying."""
    sign: str
    make: str
    constants: Said
    sure: float
    source: str


_REMEMBERED = 8192
"""Sets of signs for which a level remembers the rules worth trying; texts of one kind have the same few sets."""
_SIGN = re.compile("[\ue000-\uf8fe]")


class Level:
    """Rules that work on the same text, and which of them are worth trying on it."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._fitting: dict[frozenset[str], tuple[tuple[int, Rule], ...]] = {}

    def fitting(self, text: str) -> tuple[tuple[int, Rule], ...]:
        """The rules whose signs stand in the text, each with its place in the order."""
        present = frozenset(_SIGN.findall(text))
        found = self._fitting.get(present)
        if found is None:
            found = tuple(
                (order, rule)
                for order, rule in enumerate(self.rules)
                if not any(present.isdisjoint(need) for need in rule.needs)
            )
            if len(self._fitting) < _REMEMBERED:
                self._fitting[present] = found
        return found


@dataclass(frozen=True, slots=True)
class Format:
    """A written form that is the same in all languages: 2026-07-09, 19:30."""

    pattern: re.Pattern[str]
    sign: str
    certainty: float
    needs: str
    """Character without which the form cannot stand in a text; empty where none is."""


@dataclass(frozen=True, slots=True)
class Tense:
    """Expressions that tell where a clause lies in time."""

    neutral: re.Pattern[str]
    """Looks like past and is none: "aren't sold out", "haven't started"."""
    past: re.Pattern[str]
    firm: re.Pattern[str]
    """Past, whatever else stands there but a wish."""
    joins: re.Pattern[str]
    """Between two days of one kind: "next Monday and Tuesday"."""
    future: re.Pattern[str]
    doubt: re.Pattern[str]
    breaks: re.Pattern[str]
    back: re.Pattern[str]
    """Before the expression: it lies behind."""
    on: re.Pattern[str]
    """Before the expression: it lies ahead."""
    on_led: re.Pattern[str]
    """Before it and with its own preposition: "I booked a table for" Friday."""
    back_after: re.Pattern[str]
    on_after: re.Pattern[str]
    am: re.Pattern[str]
    pm: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """All that reading a language needs."""

    languages: tuple[str, ...]
    never: re.Pattern[str]
    formats: tuple[Format, ...]
    lexer: re.Pattern[str]
    """Groups: ``w`` a word of the lexicon, ``d`` digits with ``o`` an ordinal ending, ``n`` a candidate for a numeral."""
    tokens: Mapping[str, tuple[str, Said | Unit | int]]
    """Sign and value of each word."""
    levels: tuple[Level, ...]
    literal: re.Pattern[str]
    """Templates without slots, one of which is enough to go on."""
    number_sign: str
    ordinal_sign: str
    final: Mapping[str, str]
    """Categories that are results, by sign."""
    tense: Tense
    numeric: str
    colon: float


def _any(expressions: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in expressions) or r"(?!)", re.ASCII)


class _Signs:
    """Hands out one character a category."""

    def __init__(self, classes: Mapping[str, Sequence[str]]) -> None:
        self._classes = classes
        self._signs: dict[str, str] = {}

    def of(self, category: str) -> str:
        return self._signs.setdefault(category, chr(_FIRST_SIGN + len(self._signs)))

    def all_of(self, categories: str) -> str:
        """The signs of ``a|b``, where each may be a class."""
        found: list[str] = []
        for one in categories.split("|"):
            found += [self.all_of("|".join(self._classes[one]))] if one in self._classes else [self.of(one)]
        return "".join(dict.fromkeys("".join(found)))


def _template(text: str, spaced: bool, signs: _Signs, macros: Mapping[str, str]) -> tuple[str, list[str], list[str]]:
    """Expression, names of its slots, and the signs of each slot that no match can do without."""
    while _MACRO.search(text):
        text = _MACRO.sub(lambda found: macros[found[1]], text)
    names: list[str] = []
    needs: list[str] = []
    blank = "" if spaced else " {0,2}"

    def slot(found: re.Match[str]) -> str:
        hidden, name, categories = found.groups()
        wanted = signs.all_of(categories)
        if hidden:
            return f"[{wanted}]"
        names.append(name or categories)
        outside = text[: found.start()].count("(") == text[: found.start()].count(")")
        if outside and text[found.end() : found.end() + 1] != "?":
            needs.append(wanted)
        return f"{blank}([{wanted}]){blank}"

    before: list[str] = []

    def after(found: re.Match[str]) -> str:
        before.append("(?:" + "|".join(f"(?<={one})" for one in _BAR.split(found[1])) + ")")
        return chr(len(before))

    text = _AFTER.sub(after, text)
    text = text.replace(" ", "\x1e").replace("~", "\x1f")
    text = _SLOT.sub(slot, text)
    text = text.replace("\x1e", " {1,3}" if spaced else " ").replace("\x1f", " {0,2}")
    for number, expression in enumerate(before, start=1):
        text = text.replace(chr(number), _SLOT.sub(lambda found: f"[{signs.all_of(found[3])}]", expression))
    return rf"(?<![a-z])(?:{text})(?![a-z])" if spaced else text, names, needs


@cache
def written_forms() -> Sequence[Mapping[str, Any]]:
    """The entries of ``formats.toml``."""
    found: Sequence[Mapping[str, Any]] = loads(
        (files("wildtool.language.dates") / "formats.toml").read_text(encoding="utf-8")
    )["format"]
    return found


@cache
def grammar(language: str) -> Grammar:
    """The grammar of a language with those mixed into it. Raises ``RegistryError`` for a language without date words."""
    own = words(language, "dates")
    tables: list[tuple[str, Mapping[str, Any]]] = [(language, own)]
    tables += [(other, words(other, "dates")) for other in own.get("also", ())]
    classes: dict[str, list[str]] = {}
    for _, table in tables:
        for name, members in table["classes"].items():
            classes.setdefault(name, []).extend(one for one in members if one not in classes.get(name, []))
    signs = _Signs(classes)
    tokens: dict[str, tuple[str, Said | Unit | int]] = {}
    lexers: list[str] = []
    rules: dict[int, list[Rule]] = {}
    for _, table in tables:
        mine = _lexicon(table, signs)
        tokens |= {word: value for word, value in mine.items() if word not in tokens}
        alternation = "|".join(re.escape(word) for word in sorted(mine, key=len, reverse=True))
        lexers.append(rf"(?<![a-z])(?:{alternation})(?![a-z])" if table["spaced"] else alternation)
        for entry in table["rule"]:
            _add_rules(rules, entry, table, signs)
    numerals = "|".join(table["number"] for _, table in tables)
    endings = "|".join(one for _, table in tables if (one := table.get("ordinal")))
    digits = r"(?<![\w.$£€¥#])(?<!\d,)(?P<d>\d{1,4}(?:\.\d{1,2})?)(?![\d.]*\d|,\d{3}|%|\.\w)"
    lexer = rf"(?P<w>{'|'.join(lexers)})|{digits}(?P<o>(?:{endings or '(?!)'})(?![a-z]))?|(?P<n>{numerals})"
    formats = [one for one in written_forms() if one.get("only") != "values"]
    return Grammar(
        languages=tuple(code for code, _ in tables),
        never=_any([one for _, table in tables for one in table["never"]]),
        formats=tuple(
            Format(
                re.compile(one["pattern"], re.ASCII), signs.of(one["as"]), one.get("sure", 1.0), one.get("needs", "")
            )
            for one in formats
        ),
        lexer=re.compile(lexer, re.ASCII),
        tokens=tokens,
        levels=tuple(Level(rules[level]) for level in sorted(rules)),
        literal=_any([one.pattern.pattern for level in rules.values() for one in level if not one.slots]),
        number_sign=signs.of("n"),
        ordinal_sign=signs.of("ord"),
        final={signs.of(name): name for name in classes["final"]},
        tense=_tense([table for _, table in tables]),
        numeric=own["numeric"],
        colon=own["colon"],
    )


def _tense(tables: Sequence[Mapping[str, Any]]) -> Tense:
    def all_of(*path: str) -> re.Pattern[str]:
        return _any([one for table in tables for one in table[path[0]].get(path[1], ())])

    before = {
        name: re.compile(
            "|".join(f"(?:{one})$" for table in tables for one in table["tense"].get(name, ())) or "(?!)", re.ASCII
        )
        for name in ("back", "on", "on_led")
    }
    return Tense(
        **{
            name: all_of("tense", name)
            for name in ("neutral", "past", "firm", "joins", "future", "doubt", "breaks", "back_after", "on_after")
        },
        **before,
        am=all_of("hints", "am"),
        pm=all_of("hints", "pm"),
    )


def _lexicon(table: Mapping[str, Any], signs: _Signs) -> dict[str, tuple[str, Said | Unit | int]]:
    found: dict[str, tuple[str, Said | Unit | int]] = {}
    for category, entry in table["lexicon"].items():
        for key, spellings in (*entry["values"].items(), *entry.get("loose", {}).items()):
            value: Said | Unit | int
            match entry["field"]:
                case "unit":
                    value = Unit(key)
                case "number":
                    value = int(key)
                case field:
                    value = from_table({field: int(key) if key.lstrip("-").isdigit() else key})
            found |= {word: (signs.of(category), value) for word in spellings}
    for entry in table.get("phrases", ()):
        value = from_table(entry["with"])
        found |= {word: (signs.of(entry["as"]), value) for word in (*entry.get("words", ()), *entry.get("loose", ()))}
    return found


def _compiled(expression: str, source: str) -> re.Pattern[str]:
    try:
        return re.compile(expression, re.ASCII)
    except re.error as error:
        raise ValueError(f"template {source!r}: {error}") from error


def _add_rules(rules: dict[int, list[Rule]], entry: Mapping[str, Any], table: Mapping[str, Any], signs: _Signs) -> None:
    for text in entry["say"]:
        expression, names, needs = _template(text, table["spaced"], signs, table.get("macros", {}))
        if len(set(names)) != len(names):
            raise ValueError(f"two slots of one name in {text!r}: name them apart")
        rules.setdefault(entry["level"], []).append(
            Rule(
                pattern=_compiled(expression, text),
                slots=tuple(names),
                needs=tuple(frozenset(one) for one in needs),
                sign=signs.of(entry["as"]),
                make=entry.get("make", "merge"),
                constants=from_table(entry.get("with", {})),
                sure=entry.get("sure", 1.0),
                source=text,
            )
        )
