"""Items of a list that the positions and superlatives of a text point at: "the second one", "the cheapest", 倒数第二趟."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from wildtool.grounding.pointing import Aim, ShownList, resolve
from wildtool.language.ordinals import Ordinal, read_ordinals
from wildtool.language.pointer_grammar import compiled, fold, grammar
from wildtool.language.pointers import Device, read_clauses, read_pointers
from wildtool.language.superlatives import Degree, read_superlatives

FIRM = 0.95
"""Least certainty of an item that a superlative picks; below it, the words around it narrow it down."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One way in which a text points at an item."""

    ordinal: Ordinal | None
    """None for a superlative."""
    clause: str
    """The clause that a superlative stands in."""
    language: str

    def item(self, items: Sequence[Any]) -> int | None:
        """The index of the item meant; None where the list does not tell it."""
        if self.ordinal is not None:
            return self.ordinal.index(len(items))
        if len(items) < 2:
            return None
        pointing = resolve(self.clause, [ShownList("", tuple(items))], self.language)
        return pointing.item if pointing.aim is Aim.ITEM and pointing.certainty >= FIRM else None


@lru_cache(maxsize=2048)  # rules ask again and again of the texts of one session
def mentions(text: str, language: str) -> tuple[Mention, ...]:
    """Every position, and every superlative that nothing around it narrows down, in order of appearance.

    "The first list" and "the first three" point at no single item, and "the second cheapest" is a superlative.
    """
    superlatives = [s for s in read_superlatives(text, language) if s.best.value.degree is Degree.SUPERLATIVE]
    lists = [p for p in read_pointers(text, language) if p.best.value.device is Device.LIST]
    apart = [(s.start, s.end) for s in superlatives] + [(p.start, p.end) for p in lists]
    found: list[tuple[int, Mention]] = []
    for span in read_ordinals(text, language):
        inside = any(start < span.end and span.start < end for start, end in apart)
        if span.best.value.count == 1 and not inside:
            found.append((span.start, Mention(span.best.value, "", language)))
    for start, end in read_clauses(text, language):
        held = [s for s in superlatives if start <= s.start < end]
        if held and not _narrowed(text, start, end, language):
            found += [(s.start, Mention(None, text[start:end], language)) for s in held[:1]]
    return tuple(dict.fromkeys(mention for _, mention in sorted(found, key=lambda pair: pair[0])))


def _narrowed(text: str, start: int, end: int, language: str) -> bool:
    """Does the clause, or what stands before it in its sentence, say among which items the extreme is looked for?"""
    folded = fold(text)
    stop = compiled(language, grammar(language)["sentence"])
    first = max((match.end() for match in stop.finditer(folded, 0, start)), default=0)
    return compiled(language, grammar(language)["narrowed"]).search(folded, first, end) is not None
