"""A message with all that it points by: positions, superlatives, devices, and the parts of it that do not count."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from wildtool.grounding.pointing_features import named_items
from wildtool.grounding.pointing_items import HAN, Feature, Table, bounded, list_kinds, name_words, places
from wildtool.language.ordinals import Ordinal, ordinal_decoys, read_ordinals
from wildtool.language.pointer_grammar import concepts, fold, word_set
from wildtool.language.pointer_tokens import Token, stem, tokens
from wildtool.language.pointers import Device, Pointer, Scope, read_clauses, read_pointers
from wildtool.language.spans import Span
from wildtool.language.superlatives import Superlative, read_superlatives

_PEOPLE = frozenset({"person", "doctor", "candidate"})


class Part(StrEnum):
    """How a stretch of the message counts."""

    KEPT = "kept"
    REJECTED = "rejected"
    """Said of what the user does not want."""
    OUTSIDE = "outside"
    """Said of what was never shown."""


_PARTS = {Device.OUTSIDE: Part.OUTSIDE, Device.ASIDE: Part.OUTSIDE, Device.REJECT: Part.REJECTED}


@dataclass(frozen=True, slots=True)
class Mention:
    """A word for what a list holds."""

    start: int
    end: int
    lists: frozenset[int]
    definite: bool


@dataclass(frozen=True)
class Message:
    """A message read against all lists."""

    text: str
    folded: str
    language: str
    words: tuple[Token, ...]
    clauses: tuple[tuple[int, int], ...]
    ordinals: tuple[Span[Ordinal], ...]
    superlatives: tuple[Span[Superlative], ...]
    pointers: tuple[Span[Pointer], ...]
    decoys: tuple[tuple[int, int], ...]
    idioms: tuple[tuple[int, int], ...]
    """Decoys, those inside the name of an item too: "at first light" need not be the book."""
    mentions: tuple[Mention, ...]
    names: tuple[tuple[Feature, ...], ...]
    """Whole names of items in the message, by list."""
    kinds: tuple[frozenset[str], ...]
    """Kinds of items of each list."""

    @property
    def count(self) -> int:
        """How many lists there are."""
        return len(self.kinds)

    @classmethod
    def read(cls, text: str, tables: Sequence[Table], language: str) -> Message:
        """Reads a message; expressions inside the name of an item are part of the name."""
        folded = fold(text)
        words = tokens(text, language)
        names = tuple(tuple(named_items(folded, table, language)) for table in tables)
        long = [f for each in names for f in each if f.end - f.start > 3 or HAN.match(folded[f.start])]

        def inside(start: int, end: int) -> bool:
            return any(f.start < end and start < f.end for f in long)

        people = any(_PEOPLE & list_kinds(table.name) for table in tables)  # they may be whom it goes to
        pointers = tuple(
            p
            for p in read_pointers(text, language)
            if not _within(p, long) and not (people and p.best.value.device is Device.ASIDE)
        )
        lists = [p for p in pointers if p.best.value.device is Device.LIST]
        nouns = frozenset(word for table in tables for word in _nouns(table))
        extremes = read_superlatives(text, language)
        ranked = [s for s in extremes if s.best.value.rank > 1 or s.best.value.subject]
        used = places(lists, ranked)
        ordinals = tuple(
            o
            for o in read_ordinals(text, language, nouns)
            if not inside(o.start, o.end) and not any(a < o.end and o.start < b for a, b in used)
        )
        used = places(lists, ordinals)
        superlatives = tuple(
            s for s in extremes if not inside(s.start, s.end) and not any(a < s.end and s.start < b for a, b in used)
        )
        decoys = ordinal_decoys(text, language, nouns)
        clauses = read_clauses(text, language)
        clauses = _joined(clauses, long)
        mentions = _mentions(folded, words, tables, language, inside)
        return cls(
            text,
            folded,
            language,
            words,
            clauses,
            ordinals,
            superlatives,
            pointers,
            tuple(span for span in decoys if not inside(*span)),
            decoys,
            mentions,
            names,
            tuple(list_kinds(table.name) for table in tables),
        )

    def clause(self, at: int) -> tuple[int, int]:
        """The clause around an offset."""
        return next(((start, end) for start, end in self.clauses if start <= at < end), (0, len(self.folded)))

    def reach(self, span: Span[Pointer]) -> tuple[int, int]:
        """The stretch that a device is about."""
        start, end = self.clause(span.start)
        match span.best.value.scope:
            case Scope.CLAUSE:
                return start, end
            case Scope.REST:
                return span.start, end
            case Scope.FRONT:
                return start, span.end
        return span.start, span.end

    def part(self, start: int) -> Part:
        """How the stretch that begins at an offset counts."""
        for device, part in _PARTS.items():
            for pointer in self.having(device):
                begin, end = self.reach(pointer)
                if begin <= start < end:
                    return part
        return Part.KEPT

    def having(self, *devices: Device) -> list[Span[Pointer]]:
        """The devices of these kinds, in order."""
        return [pointer for pointer in self.pointers if pointer.best.value.device in devices]

    def indefinite(self, start: int, end: int) -> bool:
        """Whether a stretch belongs to what is asked for anew: "a cheaper one", "anything in red"."""
        for pointer in self.having(Device.INDEFINITE):
            begin, finish = self.reach(pointer)
            if begin < end and start < finish:
                return True
        before = [token.text for token in self.words if token.end <= start and token.start >= self.clause(start)[0]][
            -4:
        ]
        articles, qualifiers = (word_set(self.language, name) for name in ("indefinite", "qualifier"))
        return any(
            word in articles and not qualifiers & set(before[max(0, at - 2) : at])
            for at, word in enumerate(before)
            if at >= len(before) - 2 or (at == 0 and len(before) < 4)
        )

    def lists_meant(self) -> tuple[list[int], float]:
        """Indexes of the lists to look in, the likeliest first, and how sure it is that the first one is meant."""
        newest_first = list(range(self.count - 1, -1, -1))
        named: list[frozenset[int]] = [
            m.lists for m in self.mentions if m.definite and m.lists and self.part(m.start) is not Part.OUTSIDE
        ]
        places = [p.best.value.place or 0 for p in self.having(Device.LIST)]
        if named:
            common = frozenset.intersection(*named) or named[0]
            order = [at for at in newest_first if at in common]
            if len(order) > 1 and places:
                order = self._placed(places, order)
            return order, 1.0 if len(frozenset.union(*named)) == len(common) else 0.9
        if places:
            order = self._placed(places, newest_first)
            return order, 1.0 if any(places) or self.count < 3 else 0.9
        if any(self.names):
            return sorted(newest_first, key=lambda at: not self.names[at]), 1.0
        counted = [at for at in newest_first if self.counts(at)]
        if counted and not self.counts(newest_first[0]) and self.kinds[newest_first[0]]:
            return [*counted, *(at for at in newest_first if at not in counted)], 0.985
        return newest_first, 1.0

    def counts(self, at: int) -> bool:
        """Whether a measure word of the message counts what a list holds: 本 counts books."""
        particles = "".join(word for word in word_set(self.language, "particle") if len(word) == 1)
        pointing = places(self.ordinals, self.having(Device.DEFINITE, Device.OTHER))
        said = {self.text[start:end].rstrip(particles)[-1:] for start, end in pointing}
        counted = concepts("counted")
        return any(self.kinds[at] & counted.get(word, frozenset()) for word in said)

    def _placed(self, places: Sequence[int], order: list[int]) -> list[int]:
        oldest_first = sorted(order)
        for place in sorted(places, key=lambda each: each <= 0):
            index = place - 1 if place > 0 else place if place < 0 else -2
            if -len(oldest_first) <= index < len(oldest_first):
                first = oldest_first[index]
                return [first] if place else [first, *(at for at in order if at != first)]
        return order


def _within(pointer: Span[Pointer], names: Sequence[Feature]) -> bool:
    return any(f.start < pointer.end and pointer.start < f.end and f.start <= pointer.start for f in names)


def _joined(clauses: tuple[tuple[int, int], ...], names: Sequence[Feature]) -> tuple[tuple[int, int], ...]:
    """Clauses that a name runs across are one."""
    found: list[tuple[int, int]] = []
    for start, end in clauses:
        if found and any(f.start < found[-1][1] and f.end > start for f in names):
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return tuple(found)


def _list_words(name: str) -> frozenset[str]:
    words = {name, name.removesuffix("s"), *name_words(name)}
    return frozenset(words | {word.removesuffix("s") for word in words} | {word.removesuffix("es") for word in words})


def _nouns(table: Table) -> frozenset[str]:
    """All words that may stand for an item of the list."""
    kinds = list_kinds(table.name)
    return _list_words(table.name) | {word for kind in kinds for word in concepts("nouns")[kind]}


def _mentions(
    folded: str, words: Sequence[Token], tables: Sequence[Table], language: str, inside: object
) -> tuple[Mention, ...]:
    assert callable(inside)
    found: dict[tuple[int, int], set[int]] = {}
    articles = word_set(language, "indefinite")
    fields = [
        span
        for name in {fold(field.name) for table in tables for field in table.fields if HAN.search(field.name)}
        for span in bounded(folded, name)
    ]
    for at, table in enumerate(tables):
        kinds = list_kinds(table.name)
        spoken = {table.name, *(_list_words(table.name) if not HAN.search(table.name) else ())} - {""}
        spoken |= {word for kind in kinds for word in concepts("nouns")[kind]}
        for token in words:
            same = token.text in spoken or (
                len(token.text) > 3 and any(stem(token.text) == stem(each) for each in _list_words(table.name))
            )
            part = any(a <= token.start and token.end <= b and b - a > token.end - token.start for a, b in fields)
            if same and not part and not inside(token.start, token.end):
                found.setdefault((token.start, token.end), set()).add(at)
        for phrase in spoken:
            if " " in phrase or (HAN.search(phrase) and (len(phrase) > 1 or phrase == table.name)):
                for start, end in bounded(folded, phrase):
                    cut = any(t.start < end and start < t.end and t.end - t.start > end - start for t in words)
                    if not inside(start, end) and (
                        not cut or " " in phrase or (phrase == table.name and not HAN.search(phrase))
                    ):
                        found.setdefault((start, end), set()).add(at)
    strict: list[Mention] = []
    for (start, end), lists in sorted(found.items(), key=lambda pair: (pair[0][0], -pair[0][1])):
        if any(m.start <= start and end <= m.end for m in strict):
            continue
        exact = {
            at
            for at in lists
            if folded[start:end].removesuffix("s") in _list_words(tables[at].name)
            or folded[start:end] in tables[at].name
        }
        before = [token.text for token in words if token.end <= start][-3:]
        near = before[-1:] + (
            [] if not before[-2:-1] or re.search(r"\b(?:the|of)\b", " ".join(before[-1:])) else before[-2:-1]
        )
        strict.append(Mention(start, end, frozenset(exact or lists), not articles & set(near)))
    return tuple(strict)
