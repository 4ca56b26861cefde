"""The scorer's rules and their version.

``RULES`` says what each rule decides. Their version has a number, raised with every change that can change a verdict, and
the hash of all that decides: the ids, the code and the words (``evaluation.rule_table``). A test fails where the hash is not
that of the code, so that no rule changes unnoticed.

Another package adds a rule by an entry point of ``wildtool.scorer_rules``. Scores with such rules are not comparable with
scores without them, so their version says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from wildtool.language.lexicon import data_file, languages
from wildtool.schemas.base import JsonObject, canonical_json, sha256_hex
from wildtool.schemas.languages import LANGUAGES
from wildtool.schemas.registry import Registry

RULES_NUMBER = "4"
"""Raise it with every change that can change a verdict: releases and runs of another number are not comparable."""

RULES_HASH = "f66dd126"
"""Hash of the rule table. ``python -m wildtool.evaluation.rule_table`` prints that of the code."""

RULES_VERSION = f"{RULES_NUMBER}+{RULES_HASH}"
"""Version of the built-in rules, of both rule sets. ``rules_version()`` also tells what plug-ins add."""

Compare = Callable[[Any, Any, JsonObject, Any], bool | None]
"""Gold value, candidate's value, the parameter's JSON Schema, ``Context`` (the session's clock) → right, wrong, or None
where the rule does not apply."""


@dataclass(frozen=True, slots=True)
class ScorerRule:
    """A rule by which one argument is judged."""

    name: str
    """Id, which every verdict names; a plug-in's entry point has the same."""
    says: str
    """When an argument is right by it."""
    compare: Compare | None = None
    """Of a plug-in's rule: its verdict. Such rules are asked before the built-in ones, by name, and the first that applies
    decides. The built-in ones are decided together, in ``evaluation.arguments.compare`` and ``language.wording``."""


RULES: tuple[ScorerRule, ...] = tuple(
    ScorerRule(name, says)
    for name, says in (
        ("equal", "the same text, or both null"),
        ("number.value", "equal by value: 5 and 5.0 (relative tolerance 1e-9, for sums of decimals)"),
        ("boolean.strict", "both boolean and equal"),
        ("type.boolean", "fails: one is boolean and the other is not"),
        ("type.string", "fails: gold is a string and the value is not"),
        ("type.number", "fails: gold is a number and the value is not"),
        ("type.array", "fails: gold is an array and the value is not"),
        ("type.object", "fails: gold is an object and the value is not"),
        ("type.null", "fails: gold is null and the value is not"),
        ("type.gold", "gold violates its own schema's type, the value does not, and both read alike"),
        ("enum", "the same member of the enum, to the letter; a gold that is no member: equal but for case and blanks"),
        ("date.format", "both are dates or times and mean the same"),
        ("date.relative", "both are dates or times and mean the same, and one of them is relative to the clock"),
        ("date.unreadable", "only one is a date or time: equal but for case and blanks"),
        ("ip", "the same IP address"),
        ("email", "the same e-mail address"),
        ("url", "the same URL: scheme and host in any case, query parameters in any order"),
        (
            "phone",
            "the same phone number, however it is grouped; of a parameter for numbers of one country, also with its prefix",
        ),
        ("number.text", "numbers in a string, by value and unit"),
        ("coordinates", "rows of numbers in a string, by value"),
        ("code", "identifiers, keys, codes: equal without blanks; case counts unless a side has one case only"),
        ("code.secret", "passwords: the same text"),
        ("text.plain", "equal but for case, accents, width of characters, runs of blanks"),
        ("text.punctuation", "equal without punctuation and blanks"),
        ("text.spelling", "equal in American spelling, with small numbers as digits and contractions in full"),
        ("text.code", "the same currency, language or country, by code or by name"),
        ("text.place", "equal without the word for what kind of place it is"),
        ("text.article", "equal without articles"),
        ("text.filler", "from 3 content words on: equal without words that carry nothing"),
        ("text.similar", "from 5 content words on: the same words in the same order, each in any form"),
        ("text.number", "fails: another number"),
        ("text.mark", "fails: another mark that carries meaning, such as + % $"),
        ("text.negation", "fails: another negation"),
        ("text.date", "fails: another word for a day or time"),
        ("text.name", "fails: another name, or names in another order"),
        ("text.differs", "fails: none of the other text rules made them equal"),
        ("array.ordered", "item by item, in order"),
        ("array.item", "fails: an item differs"),
        ("array.length", "fails: another number of items"),
        ("array.set", "in any order, where the schema, the description or the name says that order does not count"),
        ("object.members", "member by member; a failing member gives its own rule"),
        (
            "default.explicit",
            "gold leaves out what the value gives as the default, also as one that depends on the clock",
        ),
        ("default.left_out", "the value leaves out what gold gives as the default"),
        ("null.left_out", "null and left out are equal"),
        ("argument.missing", "fails: left out though it is not a default"),
        ("argument.extra", "fails: given though gold does not give it"),
        ("argument.undefined", "fails: given though the schema does not define it"),
        ("alternative", "equal, by these rules, to another right value that the annotators gave"),
    )
)
"""The built-in rules of the rule set ``exact``."""

SCORER_RULES: Registry[ScorerRule] = Registry(
    "scorer rule", ScorerRule, group="wildtool.scorer_rules", builtins=lambda: RULES
)
"""All scorer rules."""


_WORDS = (
    ("language", "requests.toml"),
    ("language", "request_stop.toml"),
    ("language", "slot_words.toml"),
    ("evaluation", "arguments.toml"),
)
"""Files of a plug-in's language that decide."""


def rules_version() -> str:
    """Version of the rules that decide here: the built-in one, and a hash of the rules and languages that plug-ins add."""
    added: list[Any] = [
        [rule.name, rule.says, SCORER_RULES.origin(rule.name), _version_of(SCORER_RULES.origin(rule.name))]
        for rule in SCORER_RULES.added()
    ]
    added += [
        [
            code,
            *(data_file(code, name, room).read_text(encoding="utf-8") for room, name in _WORDS),
        ]
        for code in languages()
        if not LANGUAGES.get(code).built_in
    ]
    return f"{RULES_VERSION}.{sha256_hex(canonical_json(added))[:8]}" if added else RULES_VERSION


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
