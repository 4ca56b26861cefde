"""Reads other ways to point: "that one", "the other", "the one after X", "in the first list", and what is turned down."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from wildtool.language.pointer_grammar import compiled, fold, grammar, rank_of, rules, scan
from wildtool.language.spans import Kind, Reading, Span


class Device(StrEnum):
    """How a stretch of text points, or keeps from pointing."""

    DEMONSTRATIVE = "demonstrative"
    """ "that one" """
    DEFINITE = "definite"
    """ "the … one", 那家: one known item, told by a description """
    SEVERAL = "several"
    """ "both", "any of them" """
    OTHER = "other"
    """ "the other one" """
    BEFORE = "before"
    """ "the one before X" """
    AFTER = "after"
    BETWEEN = "between"
    LIST = "list"
    """ "in the first list", "you showed at the beginning" """
    REJECT = "reject"
    """ "not X", "X is too dear" """
    OUTSIDE = "outside"
    """ "the one I had last year": nothing that was shown """
    ASIDE = "aside"
    """ "send it to Kim": whom it goes to, which describes nothing """
    INDEFINITE = "indefinite"
    """ "a cheaper one", "something else": asks for what was not shown """
    WITHOUT = "without"
    """ "without breakfast": turns the description after it round """


class Scope(StrEnum):
    """Which part of a clause a device is about."""

    SELF = "self"
    REST = "rest"
    """From the device to the end of its clause."""
    FRONT = "front"
    """From the beginning of the clause to the device."""
    CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Pointer:
    """One device and what it is about."""

    device: Device
    scope: Scope = Scope.SELF
    place: int | None = None
    """Of ``LIST``: 1 for the first list, -1 for the newest, -2 for the one before; 0 for any earlier one."""
    anchor: str = ""
    """Of BEFORE and AFTER: where the item that it starts from stands: "right" or "left" of the device."""


def read_pointers(text: str, language: str) -> tuple[Span[Pointer], ...]:
    """Reads every device, in order of appearance. Raises ``RegistryError`` for an unknown language."""
    folded = fold(text)
    found: list[Span[Pointer]] = []
    for table in ("list", "reject", "outside", "aside", "pointer", "definite"):
        for rule, match in scan(folded, rules(language, table)):
            entry = rule.table
            if entry.get("decoy"):
                continue
            place = entry.get("place")
            word = match.groupdict().get("n")
            if word:
                rank = rank_of(language, word)
                if rank is None:
                    continue
                place = -rank if place == -1 else rank
            device = Device(entry.get("device", table))
            value = Pointer(device, Scope(entry.get("scope", "self")), place, entry.get("anchor", ""))
            start, end = match.span("here") if "here" in match.re.groupindex else match.span()
            reading = Reading(value, float(entry.get("certainty", 0.995)))
            several = device in (Device.DEMONSTRATIVE, Device.SEVERAL)
            found.append(Span(Kind.POINTER, start, end, text[start:end], (reading,), several))
    return tuple(sorted(found, key=lambda span: (span.start, -span.end)))


def read_clauses(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """The offsets (start, end) of the clauses of a text, without what parts them."""
    folded = fold(text)
    parts: list[tuple[int, int]] = []
    start = 0
    for match in compiled(language, grammar(language)["clause"]).finditer(folded):
        parts.append((start, match.start()))
        start = match.end()
    parts.append((start, len(folded)))
    return tuple((begin, end) for begin, end in parts if folded[begin:end].strip())
