"""Compiles a language's words for quantities into patterns, once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from wildtool.language.lexicon import words

WINDOW = 48
"""How many characters before a number its relation may begin; longer ones are not said."""
_SMALL = (
    "indefinite_before", "half_inside", "plus", "indefinite", "mass_after", "mass_before", "person_pair_before", "multiply",
    "of_them", "determined_before",
    "article_moment", "more_after", "title_before",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """A way to say that a number is a bound."""

    sign: str
    before: re.Pattern[str]
    after: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Grammar:
    """Everything that a language's word files say about quantities."""

    language: str
    by_noun: bool
    """Numbers stand before nouns in words of their own, not before measure words."""
    title_case: bool
    glued: frozenset[str]
    """Words that may touch the digits behind them: usd50; after a 0 those that do so behind digits only: 2h30."""
    unit: re.Pattern[str]
    """A unit after a number, from its end on; groups ``fill``, ``plus`` and one of ``measure``, ``money``, ``part``."""
    bare_unit: re.Pattern[str]
    """A unit alone."""
    sign: re.Pattern[str]
    """A sign of money, up to where a number begins."""
    article: re.Pattern[str]
    article_idiom: re.Pattern[str]
    article_noun: re.Pattern[str]
    article_beside: re.Pattern[str]
    article_before: re.Pattern[str]
    half_after: re.Pattern[str]
    two_after: re.Pattern[str]
    joins: re.Pattern[str]
    list_joins: re.Pattern[str]
    order_before: re.Pattern[str]
    relations: tuple[Relation, ...]
    approximate: tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]
    """About, before a number; after it and its unit; between both."""
    range_joins: re.Pattern[str]
    range_choices: re.Pattern[str]
    range_led: re.Pattern[str]
    range_led_joins: re.Pattern[str]
    alone: re.Pattern[str] | None
    """Words that are quantities by themselves."""
    decoys: re.Pattern[str]
    label: re.Pattern[str]
    """A word whose number is a name or a place in an order; group ``verb`` where the word may be something else."""
    bare_before: re.Pattern[str]
    bare_weak: re.Pattern[str]
    bare_tail: re.Pattern[str]
    money_before: re.Pattern[str]
    age_before: re.Pattern[str]
    age_led: re.Pattern[str]
    classifier: re.Pattern[str]
    direct: re.Pattern[str]
    company_before: re.Pattern[str]
    """People without a number, who come along with those that are counted."""
    unknown_bound: re.Pattern[str]
    """Words that may bound the number behind them in a way that no relation here knows."""
    small: Mapping[str, re.Pattern[str]]
    """Short patterns, by their names in the word file."""
    ahead: Mapping[str, re.Pattern[str]]
    """What must follow each word that is a quantity by itself."""
    tables: Mapping[str, Any]
    units: Mapping[str, Any]
    stop: frozenset[str]


def any_of(of: Iterable[str], end: str = "") -> str:
    """An alternation of plain words, the longest first; those that end in a Latin letter end a word."""
    ordered = sorted(of, key=len, reverse=True)
    return "|".join(re.escape(one) + (end if one[-1:].isascii() and one[-1:].isalpha() else "") for one in ordered)


def _ending(pattern: str) -> re.Pattern[str]:
    return re.compile(f"(?:{pattern or '(?!)'})$")


@cache
def grammar(language: str) -> Grammar:
    """The compiled words of a language. Raises ``RegistryError`` where it has none."""
    said, units = words(language, "quantities"), words(language, "units")
    nouns, bare, ranges, about = said["nouns"], said["bare"], said["ranges"], said["approximate"]
    end, inner = "(?![a-z0-9])", "(?![a-z])"
    stops = said.get("unit_stops", {})

    def names(table: Iterable[str]) -> str:
        ordered = sorted(table, key=len, reverse=True)
        return (
            "|".join(
                any_of([one], inner if one in said["glued_inside"] else end)
                + (f"(?!{stops[one]})" if one in stops else "")
                for one in ordered
            )
            or "(?!)"
        )

    measures = names(word for said_as in units["measures"].values() for word in said_as)
    money = names(word for code, said_as in units["currencies"].items() for word in (*said_as, code.lower()))
    parts = names(units["parts"])
    one = f"(?:(?P<money>{money})|(?P<part>{parts})|(?P<measure>{measures}))"
    tails = said["relations"]
    filler = about["filler"]
    labels = said["labels"]
    not_after_letter = r"(?<![a-z])" if said["noun"] == "spaced" else ""
    alone = said["words"]
    lettered = {sign for sign in units["signs"] if sign[0].isalpha()}
    not_after, classifiers, direct = (
        any_of(nouns.get(name, "").split()) or "(?!)" for name in ("no_classifier_after", "classifiers", "direct")
    )
    return Grammar(
        language=language,
        by_noun=said["noun"] == "spaced",
        title_case=said["title_case"],
        glued=frozenset(sign for sign in units["signs"] if sign.isalpha() and sign.isascii())
        | {"x"}
        | {"0" + word for word in said["glued_inside"]},
        unit=re.compile(f"(?P<plus>{said['plus']})?(?P<fill>{said['fill']})(?:{one}){said['no_unit']}"),
        bare_unit=re.compile(one),
        sign=_ending(f"(?:(?<![a-z])(?:{any_of(lettered)})|{any_of(set(units['signs']) - lettered)}) ?"),
        article=re.compile(said["article"] + one + said["article_stops"]) if said["article"] != "(?!)" else re.compile("(?!)"),
        article_idiom=_ending(said["article_idiom"]),
        article_noun=re.compile(said["article_noun"]),
        article_beside=re.compile(said["article_beside"]),
        article_before=_ending(said["article_before"]),
        half_after=re.compile(said["half_after"]),
        two_after=re.compile(said["two_after"]),
        joins=re.compile(said["joins"]),
        list_joins=re.compile(said["list_joins"]),
        order_before=re.compile(said["order_before"]),
        relations=tuple(
            Relation(row["sign"], _ending(f"(?:{row['before']}){filler} ?"), re.compile(row.get("after", "(?!)")))
            for row in tails
        ),
        approximate=(_ending(f"(?:{about['before']}){filler} ?"), re.compile(about["after"]), re.compile(about["between"])),
        range_joins=re.compile(ranges["joins"]),
        range_choices=re.compile(ranges["choices"] + " ?"),
        range_led=re.compile(ranges["led"]),
        range_led_joins=re.compile(ranges["led_joins"]),
        alone=re.compile(f"{not_after_letter}(?P<word>{any_of(alone)})") if alone else None,
        decoys=re.compile("|".join(said["decoys"]["patterns"])),
        label=_ending(
            f"{not_after_letter}(?:(?P<verb>{any_of(labels['verbs'])})|"
            f"(?:{any_of({*labels['words'].split(), *labels['phrases']} - set(labels['verbs']))})){labels['between']}"
        ),
        bare_before=_ending(bare["before"]),
        bare_weak=_ending(bare["weak_before"]),
        bare_tail=re.compile(bare["tail"]),
        money_before=re.compile(bare["money_before"]),
        age_before=_ending(bare["age_before"]),
        age_led=_ending(bare["age_led"]),
        classifier=re.compile(f" ?(?P<between>{about['between']})? ?(?!{not_after})(?P<unit>{classifiers})"),
        direct=re.compile(f" ?(?P<between>{about['between']})?(?P<unit>{direct})"),
        company_before=re.compile(said["company_before"]),
        unknown_bound=re.compile(said["unknown_bound"]),
        small={name: re.compile(said.get(name, "(?!)")) for name in _SMALL}
        | {"plus_apart": re.compile(said["plus"] + "(?= |$)"), "weak_relations": re.compile("|".join(said["weak_relations"]))},
        ahead={word: re.compile(row[3]) for word, row in alone.items()},
        tables=said,
        units=units,
        stop=frozenset(nouns["stop"].split()),
    )  # fmt: skip
