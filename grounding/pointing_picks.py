"""Picks the items of one list that a message points at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

from wildtool.grounding.pointing_feature import Feature, Sort, bounded
from wildtool.grounding.pointing_features import denied, read_features
from wildtool.grounding.pointing_items import HAN, Table, columns, list_kinds, month_day, scales_of
from wildtool.grounding.pointing_message import Message, Part
from wildtool.language.ordinals import Ordinal
from wildtool.language.pointer_grammar import compiled, fold, grammar, word_set
from wildtool.language.pointer_tokens import Token, kinds_of
from wildtool.language.pointers import Device, Pointer
from wildtool.language.spans import Span
from wildtool.language.superlatives import Degree, Extreme, Superlative


class Outcome(StrEnum):
    """What came of looking in one list."""

    ITEM = "item"
    SEVERAL = "several"
    """Several fit, or one is meant that the list does not single out."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Pick:
    """What a message picks in one list."""

    outcome: Outcome
    items: tuple[int, ...]
    certainty: float
    named: bool = False
    """Whether an item's own words were said, so that the list is beyond doubt."""


def _one(items: Iterable[int], certainty: float, named: bool = False) -> Pick:
    found = tuple(sorted(set(items)))
    return Pick(Outcome.ITEM if len(found) == 1 else Outcome.SEVERAL, found, certainty, named)


NONE = Pick(Outcome.NOTHING, (), 0.995)


LONG = 14
"""Words of a message that may say more than rules read: most wrong readings of foreign messages were longer."""


def pick(message: Message, table: Table, at: int) -> Pick:
    """Picks what the message points at in the list ``table``, the ``at``-th one shown."""
    picker = _Picker(message, table, at)
    found = picker.pick()
    against = found.outcome is Outcome.ITEM and any(
        f.certainty > 0.9 and found.items[0] not in picker.meant(f) for f in picker.by_part[Part.KEPT]
    )
    if (against and not found.named) or len(message.words) > LONG:
        return replace(found, certainty=min(found.certainty, 0.97))
    return found


class _Picker:
    """The evidence of one message for one list."""

    def __init__(self, message: Message, table: Table, at: int) -> None:
        self.message, self.table, self.at = message, table, at
        # Without blanks, what follows a measure word is as often a verb as a noun.
        self.doubt = 0.15 if grammar(message.language).get("spaced") else 0.005
        self.all = frozenset(range(table.length))
        self.ordinals = [o for o in message.ordinals if not self.beyond(o)]
        self.superlatives = [s for s in message.superlatives if not self.worded(s) and not self.idle(s)]
        used = [(s.start, s.end) for s in (*self.ordinals, *self.superlatives)]
        devices = (Device.LIST, Device.BETWEEN, Device.OTHER, Device.REJECT)
        used += [(p.start, p.end) for p in message.having(*devices)]
        own = list_kinds(table.name)
        used += [
            (m.start, m.end)
            for m in message.mentions
            if at in m.lists and message.folded[m.start : m.end].removesuffix("s") in table.name
        ]
        self.kinds = own

        def free(start: int, end: int) -> bool:
            return not any(start < b and a < end for a, b in used)

        features = read_features(message.text, message.words, table, message.language, free, message.decoys)
        self.features = [f for f in features if 0 < len(f.items) < table.length or f.sort is Sort.NAME]
        self.by_part: dict[Part, list[Feature]] = {part: [] for part in Part}
        for feature in self.features:
            self.by_part[message.part(feature.start)].append(feature)

    # ------------------------------------------------------------- evidence

    def spans(self, part: Part) -> tuple[list[Span[Ordinal]], list[Span[Superlative]]]:
        message = self.message
        return (
            [o for o in self.ordinals if message.part(o.start) is part],
            [s for s in self.superlatives if message.part(s.start) is part],
        )

    def beyond(self, span: Span[Ordinal]) -> bool:
        """Whether a list of days is too short for a position: 16号 is a day there."""
        value = span.best.value
        dated = any(month_day(each) for field in self.table.fields for each in field.values)
        return dated and value.count == 1 and value.place > self.table.length

    def idle(self, span: Span[Superlative]) -> bool:
        """Whether a plain adjective is about no field, and so describes: "the hot one"."""
        if span.best.value.degree is not Degree.POSITIVE:
            return False
        return not any(columns(self.table, each.value.dimension, each.value.subject) for each in span.readings)

    def worded(self, span: Span[Superlative]) -> bool:
        """Whether a plain adjective is part of what an item holds: "light" of "light blue"."""
        said = self.message.folded[span.start : span.end]
        word = said.split()[-1] if said.split() else said
        return span.best.value.degree is Degree.POSITIVE and any(
            isinstance(value, str) and any(True for _ in bounded(fold(value), word))
            for field in self.table.fields
            for value in field.values
        )

    def head(self, end: int) -> list[Token]:
        """Words of the noun phrase that goes on after an offset."""
        message = self.message
        generic = word_set(message.language, "generic")
        found: list[Token] = []
        limit = message.clause(max(0, end - 1))[1]
        for token in message.words:
            if token.start < end:
                continue
            if token.end > limit or len(found) == 4 or (token.filler and token.text not in generic):
                break
            if message.folded[(found[-1].end if found else end) : token.start].strip(" -的"):
                break
            found.append(token)
        return [token for token in found if token.text not in generic]

    def foreign(self, end: int) -> tuple[bool, int]:
        """Whether the noun after an offset is of another kind than this list, and how many words tell nothing."""
        unknown, other = 0, False
        for token in self.head(end):
            mention = [m for m in self.message.mentions if m.start <= token.start < m.end]
            if any(self.at in m.lists for m in mention):
                continue
            if mention:
                other = True
            elif any(f.start <= token.start < f.end for f in self.features) or self.described(token):
                continue
            elif any(
                p.start <= token.start < p.end for p in self.message.having(Device.LIST, Device.REJECT, Device.OUTSIDE)
            ):
                continue
            elif kinds_of(token.text) and self.kinds:
                other = True
            else:
                unknown += 1
        return other, unknown

    def described(self, token: Token) -> bool:
        """Whether a word names a field."""
        return any(token.text.removesuffix("s") in {w.removesuffix("s") for w in f.words} for f in self.table.fields)

    def unexplained(self, start: int) -> int:
        """Words of the clause at an offset that nothing accounts for."""
        message = self.message
        begin, end = message.clause(start)
        generic = word_set(message.language, "generic")
        known = [(f.start, f.end) for f in self.features]
        known += [(s.start, s.end) for s in (*message.ordinals, *message.superlatives, *message.pointers)]
        known += [(m.start, m.end) for m in message.mentions]
        return sum(
            1
            for token in message.words
            if begin <= token.start < end
            and not token.filler
            and token.text not in generic
            and not any(a <= token.start < b for a, b in known)
        )

    # ---------------------------------------------------------------- picks

    def pick(self) -> Pick:
        message = self.message
        rejected = self.rejected()
        kept = [
            f for f in self.by_part[Part.KEPT] if not (f.sort is not Sort.NAME and message.indefinite(f.start, f.end))
        ]
        ordinals, superlatives = self.spans(Part.KEPT)
        superlatives = [s for s in superlatives if not message.indefinite(s.start, s.end)]
        if (found := self.neighbour(kept, ordinals)) is not None:
            return found
        names = [f for f in kept if f.sort is Sort.NAME]
        others = [p for p in message.having(Device.OTHER) if message.part(p.start) is Part.KEPT]
        if others and not superlatives:
            return self.other(rejected, kept, ordinals, others[0])
        if superlatives:
            return self.extreme(superlatives, ordinals, names, kept, rejected)
        if ordinals:
            return self.placed(ordinals, names, kept, rejected)
        if names:
            return self.named(names, kept)
        return self.described_by(kept, rejected)

    def rejected(self) -> frozenset[int]:
        """Items that the message turns down."""
        ordinals, superlatives = self.spans(Part.REJECTED)
        found: set[int] = set()
        for ordinal in ordinals:
            index = ordinal.best.value.index(self.table.length)
            found |= {index} if index is not None else set()
        for superlative in superlatives:
            found |= self.ends(superlative, self.all)[0]
        features = self.by_part[Part.REJECTED]
        for feature in features:
            if feature.sort in (Sort.NAME, Sort.PART) or len(features) == 1:
                found |= feature.items
        return frozenset(found) if len(found) < self.table.length else frozenset()

    def anchors(self, kept: list[Feature], ordinals: list[Span[Ordinal]]) -> list[tuple[int, int, int]]:
        """(Start, end, item) of each single item that the message mentions."""
        found = [
            (f.start, f.end, next(iter(f.items)))
            for f in kept
            if f.sort in (Sort.NAME, Sort.PART) and len(f.items) == 1
        ]
        for ordinal in ordinals:
            index = ordinal.best.value.index(self.table.length)
            if index is not None:
                found.append((ordinal.start, ordinal.end, index))
        return sorted(found)

    def neighbour(self, kept: list[Feature], ordinals: list[Span[Ordinal]]) -> Pick | None:
        message = self.message
        anchors = self.anchors(kept, ordinals)
        for pointer in message.having(Device.BETWEEN):
            begin, end = message.clause(pointer.start)
            near = sorted({item for start, _, item in anchors if begin <= start < end})
            if len(near) == 2 and message.part(pointer.start) is Part.KEPT:
                inner = range(near[0] + 1, near[1])
                return _one(inner, 0.99, True) if len(inner) else Pick(Outcome.SEVERAL, tuple(near), 0.8, True)
        for pointer in message.having(Device.BEFORE, Device.AFTER):
            device = pointer.best.value
            for start, end, item in anchors:
                gap = (
                    message.folded[pointer.end : start]
                    if device.anchor == "right"
                    else message.folded[end : pointer.start]
                )
                after = start >= pointer.end if device.anchor == "right" else end <= pointer.start
                if not after or len(gap) > 5 or gap.strip() not in ("", "the", "的"):
                    continue
                index = item + (1 if device.device is Device.AFTER else -1)
                if 0 <= index < self.table.length:
                    return _one([index], 0.99 - 0.03 * min(2, self.unexplained(pointer.start)) + 0.003, True)
        return None

    def other(
        self, rejected: frozenset[int], kept: list[Feature], ordinals: list[Span[Ordinal]], pointer: Span[Pointer]
    ) -> Pick:
        mentioned = rejected | {item for _, _, item in self.anchors(kept, ordinals)}
        foreign, _ = self.foreign(pointer.end)
        if foreign:
            return Pick(Outcome.NOTHING, (), 0.8)
        left = self.all - mentioned
        if mentioned and len(left) == 1:
            return _one(left, 0.99, True)
        described = self.filtered(kept, left)
        if 0 < len(described) < len(left):
            return _one(described, 0.9, True)
        return Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.99 if not mentioned else 0.95)

    def meant(self, feature: Feature) -> frozenset[int]:
        """Items that a description means, turned round where it is denied."""
        message = self.message
        before = message.folded[: feature.start]
        denying = feature.sort in (Sort.FLAG, Sort.TEXT) and any(
            HAN.match(word) and before.endswith(word) for word in word_set(message.language, "negators")
        )
        if not denying and not message.turned(feature.start):
            return feature.items
        word = self.message.folded[feature.start : feature.end]
        said_so = (
            denied(word, self.table, self.message.language) if feature.sort in (Sort.TEXT, Sort.PART) else frozenset()
        )
        return said_so or self.all - feature.items

    def filtered(self, kept: list[Feature], pool: frozenset[int]) -> frozenset[int]:
        """Items of the pool that all descriptions fit; those that leave none are passed over."""
        for feature in sorted(kept, key=lambda each: -each.certainty):
            if feature.sort is Sort.NAME:
                continue
            pool = pool & self.meant(feature) or pool
        return pool

    def near(self, kept: list[Feature], start: int, end: int) -> list[Feature]:
        """Descriptions in the noun phrase around a stretch, or in what qualifies it."""
        message = self.message
        begin, finish = message.clause(start)
        head = self.head(end)
        last = head[-1].end if head else end
        return [
            f
            for f in kept
            if f.sort is not Sort.NAME
            and begin <= f.start < finish
            and (end <= f.start < last + 1 or self.qualifies(last, f.start) or f.end <= start)
        ]

    def qualifies(self, end: int, start: int) -> bool:
        """Whether only words of qualification stand between a noun and a description: "the first with breakfast"."""
        between = self.message.folded[end:start]
        words = word_set(self.message.language, "qualifier")
        found = re.findall(r"[^\W\d_]+", between)
        return start >= end and bool(found) and found[0] in words and len(found) <= 4

    def placed(
        self, ordinals: list[Span[Ordinal]], names: list[Feature], kept: list[Feature], rejected: frozenset[int]
    ) -> Pick:
        length = self.table.length
        first = ordinals[0]
        checks = [self.foreign(each.end) for each in ordinals]
        if all(other for other, _ in checks):
            return Pick(Outcome.NOTHING, (), 0.9)
        distinct = {each.best.value for each in ordinals}
        if len(distinct) > 1 and self.switches(ordinals):
            return _one([at] if (at := ordinals[-1].best.value.index(length)) is not None else [], 0.95)
        if len(distinct) > 1:
            where = [each.index(length) for each in distinct]
            items = tuple(sorted({each for each in where if each is not None} - rejected))
            one_clause = len({self.message.clause(each.start) for each in ordinals}) == 1
            return _one(items, 0.97) if len(items) == 1 else Pick(Outcome.SEVERAL, items, 0.99 if one_clause else 0.95)
        value = first.best.value
        unknown = sum(count for _, count in checks)
        certainty = first.best.certainty - 0.006 * min(2, self.unexplained(first.start)) - self.doubt * min(2, unknown)
        index = value.index(length)
        near = self.near(kept, first.start, first.end)
        pool = sorted(self.filtered(near, self.all)) if near else []
        if pool and len(pool) < length:
            inner = value.index(len(pool)) if value.end != "middle" else None
            if index in pool and inner is not None and pool[inner] != index:
                certainty = 0.8
            if inner is not None and (index not in pool or near):
                return _one([pool[inner]], min(certainty, 0.96))
        if names and index is not None and not any(index in f.items for f in names):
            return self.named(names, kept, 0.6)
        if index is None:
            if value.count == 1 and value.end != "middle" and value.of is None and value.place > length:
                return Pick(Outcome.NOTHING, (), 0.6)
            if value.of is not None and length > 2:
                index = value.place - 1 if value.end == "front" else length - value.place
                return Pick(Outcome.SEVERAL, (), 0.7)
            return Pick(Outcome.SEVERAL, (), 0.99)
        if index in rejected:
            certainty = min(certainty, 0.8)
        return _one([index], certainty)

    def switches(self, ordinals: list[Span[Ordinal]]) -> bool:
        """Whether the last position replaces the ones before: "the first looks nice, but let's do the second"."""
        message = self.message
        last = ordinals[-1]
        begin, end = message.clause(last.start)
        if any(begin <= each.start for each in ordinals[:-1]):
            return False
        between = message.folded[ordinals[-2].end : last.start] + message.folded[last.end : end]
        return compiled(message.language, grammar(message.language)["switch"]).search(between) is not None

    def ends(self, span: Span[Superlative], base: frozenset[int]) -> tuple[frozenset[int], float]:
        """Items at the end of the scale meant, and how sure the scale is; none where no field tells."""
        head = [token.text for token in self.head(span.end) if self.described(token)]
        for rank, reading in enumerate(span.readings):
            value = reading.value
            found = columns(self.table, value.dimension, value.subject or (head[0] if head else ""))
            picks: list[frozenset[int]] = []
            for _, values in found:
                known = {at: v for at in base if (v := values[at]) is not None}
                if len(set(known.values())) < 2 and len(base) > 1:
                    continue
                steps = sorted(set(known.values()), reverse=value.extreme is Extreme.MOST)
                if value.rank <= len(steps):
                    picks.append(frozenset(at for at, v in known.items() if v == steps[value.rank - 1]))
            if picks:
                agree = all(each == picks[0] for each in picks)
                whole = all(found[0][1][at] is not None for at in base)
                known_field = (
                    bool(value.subject)
                    or value.dimension in scales_of(found[0][0].words)
                    or len(found) == 1
                    and value.dimension in ("time", "date", "duration")
                )
                certainty = 0.995 if agree and whole and known_field else 0.9
                if rank and value.degree is not Degree.SUPERLATIVE:
                    certainty = min(certainty, 0.95)
                return picks[0], certainty if len(span.readings) > 1 else min(certainty, max(reading.certainty, 0.9))
        return frozenset(), 0.0

    def extreme(
        self,
        spans: list[Span[Superlative]],
        ordinals: list[Span[Ordinal]],
        names: list[Feature],
        kept: list[Feature],
        rejected: frozenset[int],
    ) -> Pick:
        checks = [self.foreign(each.end) for each in spans]
        if all(other for other, _ in checks):
            return Pick(Outcome.NOTHING, (), 0.9)
        chosen = {index for o in ordinals if (index := o.best.value.index(self.table.length)) is not None}
        named = frozenset(chosen) | {at for f in names for at in f.items}
        counted = any(
            each.best.value.rank > 1 for each in spans
        )  # the second cheapest counts the cheapest, wanted or not
        base = named if len(named) > 1 else self.filtered(kept, self.all if counted else self.all - rejected)
        certainty = (
            0.995
            - 0.006 * min(2, sum(self.unexplained(s.start) for s in spans))
            - self.doubt * min(2, sum(n for _, n in checks))
        )
        found = base
        for span in spans:
            items, sure = self.ends(span, base)
            degree = span.best.value.degree
            if not items:
                found = frozenset() if len(spans) == 1 else found
                continue
            certainty = min(certainty, sure)
            if degree is not Degree.SUPERLATIVE and len(base) > 2:
                certainty = min(certainty, 0.85)
            found = found & items
        if len(named) == 1 and found != named:
            return _one(named, 0.7, True)
        if len(found) == 1:
            return _one(found, certainty if base == self.all - rejected or len(base) < 2 else min(certainty, 0.985))
        return Pick(Outcome.SEVERAL, tuple(sorted(found)), 0.99 if found else 0.9)

    def named(self, names: list[Feature], kept: list[Feature], factor: float = 1.0) -> Pick:
        items = frozenset(at for f in names for at in f.items)
        certainty = min(f.certainty for f in names) - 0.004 * min(2, self.unexplained(names[0].start))
        apart = [f for f in kept if f.sort is not Sort.NAME and not self.meant(f) & items]
        certainty = min(certainty, 0.85) if apart else certainty
        for name in names:
            said = self.message.text[name.start : name.end]
            if said.islower() and any(a < name.end and name.start < b for a, b in self.message.idioms):
                certainty = min(certainty, 0.85)
        if len(items) > 1:
            inner = self.filtered(kept, items)
            items = inner if len(inner) == 1 else items
            certainty = 0.95 if len(inner) == 1 else 0.97
        return _one(items, certainty * factor, True)

    def described_by(self, kept: list[Feature], rejected: frozenset[int]) -> Pick:
        message = self.message
        definite = [p for p in message.having(Device.DEFINITE) if message.part(p.start) is Part.KEPT]
        definite = [p for p in definite if not message.indefinite(p.start, p.end)]
        loose = [p for p in message.having(Device.DEMONSTRATIVE, Device.SEVERAL) if message.part(p.start) is Part.KEPT]
        if kept:
            return self.features_only(kept, rejected, bool(definite))
        if message.having(Device.OUTSIDE) and not loose:
            return Pick(Outcome.NOTHING, (), 0.99)
        if message.having(Device.INDEFINITE):
            return Pick(
                Outcome.NOTHING, (), min(0.97, *(p.best.certainty for p in message.having(Device.INDEFINITE)), 1.0)
            )
        left = self.all - rejected
        if rejected and len(left) == 1 and len(self.all) == 2 and self.message.part(0) is Part.REJECTED:
            return _one(left, 0.8, True)
        if rejected and not definite and not loose:
            asked = "?" in message.folded and len(rejected) == 1  # "the last one is sold out, right?"
            return _one(rejected, 0.8, True) if asked else Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.85)
        if definite or loose or rejected:
            foreign = [self.foreign(p.end)[0] for p in (*definite, *loose)]
            if foreign and all(foreign):
                return Pick(Outcome.NOTHING, (), 0.8)
            if len(self.all) == 1 and loose and loose[0].best.value.device != Device.SEVERAL:
                return _one(self.all, 0.97)
            return Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.99 if not definite or loose else 0.93)
        return Pick(Outcome.NOTHING, (), self.nothing())

    def nothing(self) -> float:
        """How sure it is that a message without any evidence points at nothing: a name in other words may be left."""
        message = self.message
        if self.features:
            return 0.9
        articles = word_set(message.language, "definite")
        loose = [t for t in message.words if not t.filler and not any(a <= t.start < b for a, b in message.decoys)]
        told = any(b.text in articles and t in loose for b, t in pairwise(message.words))
        if message.decoys:
            return 0.995 if not told else 0.95
        asks = sum(t.filler for t in message.words) >= 2
        return (
            0.985
            if asks and not told and len(loose) <= 3 and bool(grammar(message.language).get("spaced"))
            else 0.95
            if loose
            else 0.97
        )

    def features_only(self, kept: list[Feature], rejected: frozenset[int], definite: bool) -> Pick:
        pool = self.filtered(kept, self.all - rejected)
        apart = [f for f in kept if f.sort is Sort.PART]
        if len({f.items for f in apart}) > 1 and not frozenset.intersection(*(f.items for f in apart)):
            return Pick(Outcome.SEVERAL, tuple(sorted({at for f in apart for at in f.items})), 0.9, True)
        unknown = min(self.unexplained(f.start) for f in kept)
        framed = definite or self.framed(kept)
        loose = max(f.certainty for f in kept) < 0.98
        decoyed = any(not any(f.start < b and a < f.end for f in kept) for a, b in self.message.decoys)
        if (not framed and (unknown > 1 or decoyed)) or (
            unknown and loose and not definite and (decoyed or not framed)
        ):
            return Pick(Outcome.NOTHING, (), 0.7)
        fits = [f for f in kept if pool & self.meant(f)]
        certainty = (
            max(f.certainty for f in fits or kept)
            - 0.06 * (len(kept) - len(fits))
            - 0.02 * min(3, unknown)
            - (0.0 if framed else 0.05)
        )
        if framed and not unknown and len(fits) == len(kept) and min(f.certainty for f in kept) >= 0.97:
            certainty = 0.992
        if any(f.sort in (Sort.TEXT, Sort.PART) and self.message.turned(f.start) for f in kept):
            certainty = min(certainty, 0.85)
        named = any(f.sort in (Sort.PART, Sort.TEXT) for f in kept)
        if len(pool) == 1:
            return _one(pool, certainty, named)
        return Pick(Outcome.SEVERAL, tuple(sorted(pool)), min(certainty, 0.99), named)

    def framed(self, kept: list[Feature]) -> bool:
        """Whether a description stands as one does that picks: after an article, or as all that is said."""
        message = self.message
        articles = word_set(message.language, "definite")
        for feature in kept:
            if feature.sort is Sort.PART and self.titled(feature):
                return True
            begin = message.clause(feature.start)[0]
            before = [t for t in message.words if begin <= t.start and t.end <= feature.start]
            while before and any(f.start <= before[-1].start < f.end for f in self.features):
                before.pop()
            if before and before[-1].text in articles:
                return True
            own = [m for m in message.mentions if self.at in m.lists and begin <= m.start and m.definite]
            if any(self.qualifies(m.end, feature.start) for m in own):
                return True
        if message.decoys:
            return False
        return all(
            token.filler or any(f.start <= token.start < f.end for f in self.features) for token in message.words
        )

    def titled(self, feature: Feature) -> bool:
        """Whether a word of a name is written as one: capitalised within a sentence, or two characters without case."""
        said = self.message.text[feature.start : feature.end]
        if not said[:1].isupper():
            return len(said) > 1 and said[0].lower() == said[0].upper()
        return bool(self.message.text[: feature.start].strip())
