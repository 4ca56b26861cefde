"""Picks the items of one list that a message points at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from wildtool.grounding.pointing_columns import columns, scales_of
from wildtool.grounding.pointing_evidence import Evidence
from wildtool.grounding.pointing_items import Feature, Sort, Table, places
from wildtool.grounding.pointing_message import Message, Part
from wildtool.language.ordinals import Ordinal
from wildtool.language.pointer_grammar import compiled, grammar, word_set
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
    e = Evidence(message, table, at)
    found = _pick(e)
    against = found.outcome is Outcome.ITEM and any(
        f.certainty >= 0.9 and found.items[0] not in e.meant(f) for f in e.by_part[Part.KEPT]
    )
    if (against and not found.named) or _length(e, found) > LONG:
        return replace(found, certainty=min(found.certainty, 0.97))
    return found


def _length(e: Evidence, found: Pick) -> int:
    """Words of the clauses that tell something, of all where nothing is pointed at."""
    message = e.message
    told = places(e.features, message.ordinals, message.superlatives, message.pointers)
    words = [
        token
        for token in message.words
        if found.outcome is Outcome.NOTHING
        or any(message.clause(start)[0] <= token.start < message.clause(start)[1] for start, _ in told)
    ]
    # Without blanks, words are cut shorter.
    return len(words) if grammar(message.language).get("spaced") else len(words) * 2 // 3


def _pick(e: Evidence) -> Pick:
    message = e.message
    rejected = _rejected(e)
    kept = [  # "an automatic, but not the Tesla" speaks of what was shown
        f for f in e.by_part[Part.KEPT] if f.sort is Sort.NAME or rejected or not message.indefinite(f.start, f.end)
    ]
    ordinals, superlatives = e.spans(Part.KEPT)
    superlatives = [s for s in superlatives if not message.indefinite(s.start, s.end)]
    if (found := _neighbour(e, kept, ordinals)) is not None:
        return found
    names = [f for f in kept if f.sort is Sort.NAME]
    others = [p for p in message.having(Device.OTHER) if message.part(p.start) is Part.KEPT]
    if others and not superlatives:
        return _other(e, rejected, kept, ordinals, others[0])
    if superlatives:
        return _extreme(e, superlatives, ordinals, names, kept, rejected)
    if ordinals:
        return _placed(e, ordinals, names, kept, rejected)
    if names:
        return _named(e, names, kept)
    return _described_by(e, kept, rejected)


def _rejected(e: Evidence) -> frozenset[int]:
    """Items that the message turns down."""
    ordinals, superlatives = e.spans(Part.REJECTED)
    found: set[int] = set()
    for ordinal in ordinals:
        index = ordinal.best.value.index(e.table.length)
        found |= {index} if index is not None else set()
    for superlative in superlatives:
        found |= _ends(e, superlative, e.all)[0]
    wanted = {e.meant(f) for f in e.by_part[Part.KEPT]}  # "my eyes aren't good, so the eye doctor" rejects nobody
    features = [f for f in e.by_part[Part.REJECTED] if f.items not in wanted]
    for clause in {e.message.clause(f.start) for f in features}:
        here = [f for f in features if e.message.clause(f.start) == clause]
        found |= frozenset.intersection(*(f.items for f in here))  # "not the red leather one"
        found |= {at for f in here if f.sort in (Sort.NAME, Sort.PART) or len(f.items) == 1 for at in f.items}
    return frozenset(found) if len(found) < e.table.length else frozenset()


def _anchors(e: Evidence, kept: list[Feature], ordinals: list[Span[Ordinal]]) -> list[tuple[int, int, int]]:
    """(Start, end, item) of each single item that the message mentions."""
    found = [
        (f.start, f.end, next(iter(f.items))) for f in kept if f.sort in (Sort.NAME, Sort.PART) and len(f.items) == 1
    ]
    for ordinal in ordinals:
        index = ordinal.best.value.index(e.table.length)
        if index is not None:
            found.append((ordinal.start, ordinal.end, index))
    return sorted(found)


def _neighbour(e: Evidence, kept: list[Feature], ordinals: list[Span[Ordinal]]) -> Pick | None:
    message = e.message
    anchors = _anchors(e, kept, ordinals)
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
                message.folded[pointer.end : start] if device.anchor == "right" else message.folded[end : pointer.start]
            )
            after = start >= pointer.end if device.anchor == "right" else end <= pointer.start
            if (
                not after
                or len(gap) > 5
                or (gap.strip() and gap.strip() not in word_set(e.message.language, "particle"))
            ):
                continue
            index = item + (1 if device.device is Device.AFTER else -1)
            if 0 <= index < e.table.length:
                return _one([index], 0.99 - 0.03 * min(2, e.unexplained(pointer.start)) + 0.003, True)
    return None


def _other(
    e: Evidence, rejected: frozenset[int], kept: list[Feature], ordinals: list[Span[Ordinal]], pointer: Span[Pointer]
) -> Pick:
    mentioned = rejected | {item for _, _, item in _anchors(e, kept, ordinals)}
    foreign, _ = e.foreign(pointer.end)
    if foreign:
        return Pick(Outcome.NOTHING, (), 0.8)
    left = e.all - mentioned
    if mentioned and len(left) == 1:
        return _one(left, 0.99, True)
    described = e.filtered(kept, left)
    if 0 < len(described) < len(left):
        return _one(described, 0.9, True)
    plain = not mentioned and not e.message.having(Device.REJECT)
    return Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.99 if plain else 0.9)


def _placed(
    e: Evidence, ordinals: list[Span[Ordinal]], names: list[Feature], kept: list[Feature], rejected: frozenset[int]
) -> Pick:
    length = e.table.length
    first = ordinals[0]
    checks = [e.foreign(each.end) for each in ordinals]
    if all(other for other, _ in checks):
        return Pick(Outcome.NOTHING, (), 0.9)
    distinct = {each.best.value for each in ordinals}
    if len(distinct) > 1 and _switches(e, ordinals):
        return _one([at] if (at := ordinals[-1].best.value.index(length)) is not None else [], 0.95)
    if len(distinct) > 1:
        where = [each.index(length) for each in distinct]
        items = tuple(sorted({each for each in where if each is not None} - rejected))
        one_clause = len({e.message.clause(each.start) for each in ordinals}) == 1
        return _one(items, 0.97) if len(items) == 1 else Pick(Outcome.SEVERAL, items, 0.99 if one_clause else 0.95)
    value = first.best.value
    unknown = sum(count for _, count in checks)
    certainty = (
        min(first.best.certainty, 0.9 if e.narrowed(first.end) or e.praised(first.end) else 1.0)
        - 0.0045 * min(2, e.unexplained(first.start))
        - e.doubt * min(2, unknown)
    )
    index = value.index(length)
    near = e.near(kept, first.start, first.end)
    pool = sorted(e.filtered(near, e.all)) if near else []
    if pool and len(pool) < length:
        inner = value.index(len(pool)) if value.end != "middle" else None
        if index in pool and inner is not None and pool[inner] != index:
            certainty = 0.8
        if inner is not None and (index not in pool or near):
            return _one([pool[inner]], min(certainty, 0.96))
    if names and index is not None and not any(index in f.items for f in names):
        return _named(e, names, kept, 0.6)
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


def _switches(e: Evidence, ordinals: list[Span[Ordinal]]) -> bool:
    """Whether the last position replaces the ones before: "the first looks nice, but let's do the second"."""
    message = e.message
    last = ordinals[-1]
    begin, end = message.clause(last.start)
    if any(begin <= each.start for each in ordinals[:-1]):
        return False
    between = message.folded[ordinals[-2].end : last.start] + message.folded[last.end : end]
    return compiled(message.language, grammar(message.language)["switch"]).search(between) is not None


def _ends(e: Evidence, span: Span[Superlative], base: frozenset[int]) -> tuple[frozenset[int], float]:
    """Items at the end of the scale meant, and how sure the scale is; none where no field tells."""
    head = [token.text for token in e.head(span.end) if e.described(token)]
    for rank, reading in enumerate(span.readings):
        value = reading.value
        found = columns(e.table, value.dimension, value.subject or (head[0] if head else ""))
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
                or (len(found) == 1 and value.dimension in ("time", "date", "duration"))
            )
            certainty = 0.995 if agree and whole and known_field else 0.9
            if rank and value.degree is not Degree.SUPERLATIVE:
                certainty = min(certainty, 0.95)
            return picks[0], certainty if len(span.readings) > 1 else min(certainty, max(reading.certainty, 0.9))
    return frozenset(), 0.0


def _extreme(
    e: Evidence,
    spans: list[Span[Superlative]],
    ordinals: list[Span[Ordinal]],
    names: list[Feature],
    kept: list[Feature],
    rejected: frozenset[int],
) -> Pick:
    checks = [e.foreign(each.end) for each in spans]
    if all(other for other, _ in checks):
        return Pick(Outcome.NOTHING, (), 0.9)
    chosen = {index for o in ordinals if (index := o.best.value.index(e.table.length)) is not None}
    named = frozenset(chosen) | {at for f in names for at in f.items}
    counted = any(each.best.value.rank > 1 for each in spans)  # the second cheapest counts the cheapest, wanted or not
    base = named if len(named) > 1 else e.filtered(kept, e.all if counted else e.all - rejected)
    certainty = (
        0.995
        - 0.0045 * min(2, sum(e.unexplained(s.start) for s in spans))
        - e.doubt * min(2, sum(n for _, n in checks))
    )
    if any(e.narrowed(s.end) for s in spans):
        certainty = min(certainty, 0.9)
    found = base
    for span in spans:
        items, sure = _ends(e, span, base)
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
        describing = min((f.certainty for f in kept if f.sort is not Sort.NAME), default=1.0)
        whole = frozenset.intersection(*(_ends(e, span, e.all - rejected)[0] for span in spans))
        if found == whole or describing >= 0.985:  # else all hangs on the description
            return _one(found, certainty)
        return _one(found, min(certainty, describing if len(base) < 2 else 0.985))
    return Pick(Outcome.SEVERAL, tuple(sorted(found)), 0.99 if found else 0.9)


def _named(e: Evidence, names: list[Feature], kept: list[Feature], factor: float = 1.0) -> Pick:
    items = frozenset(at for f in names for at in f.items)
    certainty = min(f.certainty for f in names) - 0.004 * min(2, e.unexplained(names[0].start))
    apart = [f for f in kept if f.sort is not Sort.NAME and not e.meant(f) & items]
    certainty = min(certainty, 0.85) if apart else certainty
    for name in names:
        said = e.message.text[name.start : name.end]
        if said.islower() and any(a < name.end and name.start < b for a, b in e.message.idioms):
            certainty = min(certainty, 0.85)
    if len(items) > 1:
        inner = e.filtered(kept, items)
        items = inner if len(inner) == 1 else items
        same = len({e.table.names[at] for at in items}) == 1 and len(kept) == len(names)
        certainty = 0.95 if len(inner) == 1 else 0.992 if same else 0.97
    return _one(items, certainty * factor, True)


def _described_by(e: Evidence, kept: list[Feature], rejected: frozenset[int]) -> Pick:
    message = e.message
    definite = [p for p in message.having(Device.DEFINITE) if message.part(p.start) is Part.KEPT]
    definite = [p for p in definite if not message.indefinite(p.start, p.end)]
    pointed = message.having(Device.DEMONSTRATIVE, Device.SEVERAL)
    loose = [p for p in pointed if message.part(p.start) is Part.KEPT]
    if kept:
        return _features_only(e, kept, rejected, bool(definite))
    if message.having(Device.OUTSIDE) and not loose:
        return Pick(Outcome.NOTHING, (), 0.99)
    if message.having(Device.INDEFINITE):
        return Pick(Outcome.NOTHING, (), min(0.97, *(p.best.certainty for p in message.having(Device.INDEFINITE)), 1.0))
    left = e.all - rejected
    if rejected and len(left) == 1 and e.message.part(0) is Part.REJECTED:
        return _one(left, 0.8, True)
    if rejected and not definite and not loose:
        asked = "?" in message.folded and len(rejected) == 1  # "the last one is sold out, right?"
        return _one(rejected, 0.8, True) if asked else Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.85)
    if definite or loose or rejected:
        foreign = [e.foreign(p.end)[0] for p in (*definite, *loose)]
        if foreign and all(foreign):
            return Pick(Outcome.NOTHING, (), 0.8)
        if len(e.all) == 1 and not rejected and (definite or loose[0].best.value.device != Device.SEVERAL):
            return _one(
                e.all, 0.992 if message.count == 1 and not any(e.unexplained(p.start) for p in pointed) else 0.97
            )
        told = any(e.unexplained(p.start) for p in definite)  # in words that the list does not have
        return Pick(
            Outcome.SEVERAL,
            tuple(sorted(left)),
            min([0.99 if not rejected else 0.9, *(p.best.certainty for p in loose)])
            if loose or not definite
            else 0.93
            if told
            else 0.98,
        )
    own = [m for m in message.mentions if e.at in m.lists and e.article(m.start) and not e.unexplained(m.start)]
    own = own if "?" not in message.folded else []  # "do you take the train to work?"
    if own or any(p.best.value.device is Device.DEMONSTRATIVE for p in pointed):  # "the museum", "that one looks wrong"
        return Pick(Outcome.SEVERAL, tuple(sorted(left)), 0.85)
    return Pick(Outcome.NOTHING, (), e.nothing())


def _features_only(e: Evidence, kept: list[Feature], rejected: frozenset[int], definite: bool) -> Pick:
    pool = e.filtered(kept, e.all - rejected)
    apart = [f for f in kept if f.sort is Sort.PART]
    if len({f.items for f in apart}) > 1 and not frozenset.intersection(*(f.items for f in apart)):
        return Pick(Outcome.SEVERAL, tuple(sorted({at for f in apart for at in f.items})), 0.9, True)
    unknown = min(e.unexplained(f.start) for f in kept)
    framed = definite or e.framed(kept)
    loose = max(f.certainty for f in kept) < 0.98
    decoyed = any(not any(f.start < b and a < f.end for f in kept) for a, b in e.message.decoys)
    if (not framed and (unknown > 1 or decoyed)) or (unknown and loose and not definite and (decoyed or not framed)):
        return Pick(Outcome.NOTHING, (), 0.7)
    fits = [f for f in kept if pool & e.meant(f)]
    certainty = (
        max(f.certainty for f in fits or kept)
        - 0.06 * (len(kept) - len(fits))
        - 0.02 * min(3, unknown)
        - (0.0 if framed else 0.05)
    )
    if framed and not unknown and len(fits) == len(kept) and min(f.certainty for f in kept) >= 0.97:
        certainty = 0.992
    if len(fits) == len(kept) and min(f.certainty for f in kept) >= 0.985 and any(e.tight(f) for f in kept):
        certainty = 0.992
    if any(f.sort in (Sort.TEXT, Sort.PART) and e.turned(f) for f in kept):
        certainty = min(certainty, 0.85)
    if "?" in e.message.folded and not any(e.tight(f) or f.sort is Sort.PART for f in kept):
        certainty = min(certainty, 0.9)  # "is the breakfast any good?" asks of what there is
    named = any(f.sort in (Sort.PART, Sort.TEXT) for f in kept)
    if len(pool) == 1:
        return _one(pool, certainty, named)
    dropped = len(kept) < len(e.by_part[Part.KEPT])  # more words may tell the one that is meant
    return Pick(Outcome.SEVERAL, tuple(sorted(pool)), min(certainty, 0.93 if unknown or dropped else 0.99), named)
