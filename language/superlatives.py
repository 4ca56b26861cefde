"""Reads which end of which scale is meant: "the cheapest", "highest rated", "the lighter one", 评分最高的, 轻一点的."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from wildtool.language.pointer_grammar import Rule, concepts, fold, grammar, rank_of, rules, scale_rules, scan
from wildtool.language.spans import Kind, Reading, Span


class Extreme(StrEnum):
    """An end of a scale."""

    LEAST = "least"
    MOST = "most"


class Degree(StrEnum):
    """How firmly a word picks an end of a scale: "cheapest", "cheaper", "cheap"."""

    SUPERLATIVE = "superlative"
    COMPARATIVE = "comparative"
    POSITIVE = "positive"


@dataclass(frozen=True, slots=True)
class Superlative:
    """An end of a scale."""

    dimension: str
    """A scale of ``[fields]`` in pointing.toml (price, time, rating, …); empty where only ``subject`` tells."""
    extreme: Extreme
    degree: Degree = Degree.SUPERLATIVE
    subject: str = ""
    """The word that names what is compared, folded: "calories" of "the most calories"."""
    rank: int = 1
    """2 for "the second cheapest"."""


@cache
def dimension_of(subject: str) -> str:
    """The scale that a word of the text or of a field's name belongs to; empty where it belongs to none."""
    stem = subject.removesuffix("s")
    for name, fields in concepts("fields").items():
        if subject in fields or (len(stem) > 2 and stem in fields):
            return name
    return ""


@cache
def _rules(language: str) -> tuple[Rule, ...]:
    """Decoys, then fixed words, then what names its subject; comparatives and plain adjectives last."""
    scales = scale_rules(language)
    firm = tuple(rule for rule in scales if rule.table["degree"] != Degree.POSITIVE)
    plain = tuple(rule for rule in scales if rule.table["degree"] == Degree.POSITIVE)
    subjects = rules(language, "superlative_subject")
    middle = (*subjects, *firm) if grammar(language).get("subject_first") else (*firm, *subjects)
    return (*rules(language, "superlative"), *middle, *plain)


def read_superlatives(text: str, language: str) -> tuple[Span[Superlative], ...]:
    """Reads every superlative, and every comparative that picks one of a few, in order of appearance.

    A word with several scales ("fastest": least time, most speed) has a reading of each, the likeliest first.
    Raises ``RegistryError`` for an unknown language.
    """
    folded = fold(text)
    found: list[Span[Superlative]] = []
    for rule, match in scan(folded, _rules(language)):
        table = rule.table
        if table.get("decoy"):
            continue
        groups = match.groupdict()
        subject = groups.get("subject") or groups.get("subject2") or ""
        if "subject" in groups and not subject.strip():
            continue
        degree = Degree(table.get("degree", "superlative"))
        ranked = groups.get("rank") or groups.get("second")
        rank = (rank_of(language, ranked) if ranked else None) or 1
        scales = table["scales"] if "scales" in table else [f"{dimension_of(subject)} {table['extreme']}"]
        base = float(table.get("certainty", 0.995))
        readings = []
        for number, scale in enumerate(scales):
            dimension, extreme = scale.rsplit(" ", 1) if " " in scale.strip() else ("", scale.strip())
            value = Superlative(dimension.strip(), Extreme(extreme), degree, subject, rank)
            readings.append(Reading(value, base if len(scales) == 1 else base * (0.7 if number == 0 else 0.2)))
        start, end = match.span()
        found.append(Span(Kind.SUPERLATIVE, start, end, text[start:end], tuple(readings)))
    return tuple(sorted(found, key=lambda span: span.start))
