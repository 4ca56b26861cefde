"""The evidence of one message for one list: which stretches describe, which count, and what is left unexplained."""

from __future__ import annotations

import re
from itertools import pairwise

from wildtool.grounding.pointing_columns import columns
from wildtool.grounding.pointing_features import denied, read_features
from wildtool.grounding.pointing_items import HAN, Feature, Sort, Table, bounded, list_kinds, month_day, places
from wildtool.grounding.pointing_message import Message, Part
from wildtool.language.ordinals import Ordinal
from wildtool.language.pointer_grammar import concepts, fold, grammar, word_set
from wildtool.language.pointer_tokens import Token, kinds_of
from wildtool.language.pointers import Device
from wildtool.language.spans import Span
from wildtool.language.superlatives import Degree, Superlative


class Evidence:
    """The evidence of one message for one list."""

    def __init__(self, message: Message, table: Table, at: int) -> None:
        self.message, self.table, self.at = message, table, at
        # Without blanks, what follows a measure word is as often a verb as a noun.
        self.doubt = 0.15 if grammar(message.language).get("spaced") else 0.005
        self.all = frozenset(range(table.length))
        self.ordinals = [o for o in message.ordinals if not self.beyond(o)]
        self.superlatives = [s for s in message.superlatives if not self.worded(s) and not self.idle(s)]
        self.kinds = list_kinds(table.name)
        devices = (Device.LIST, Device.BETWEEN, Device.OTHER, Device.REJECT)
        used = places(self.ordinals, self.superlatives, message.having(*devices))
        used += [
            (m.start, m.end)
            for m in message.mentions
            if at in m.lists and message.folded[m.start : m.end].removesuffix("s") in table.name
        ]

        def free(start: int, end: int) -> bool:
            return not any(start < b and a < end for a, b in used)

        definite = places(message.having(Device.DEFINITE))
        features = read_features(message.text, message.words, table, message.language, free, message.decoys, definite)
        self.features = [f for f in features if 0 < len(f.items) < table.length or f.sort is Sort.NAME]
        self.by_part: dict[Part, list[Feature]] = {part: [] for part in Part}
        for feature in self.features:
            self.by_part[message.part(feature.start)].append(feature)

    def spans(self, part: Part) -> tuple[list[Span[Ordinal]], list[Span[Superlative]]]:
        message = self.message
        return (
            [o for o in self.ordinals if message.part(o.start) is part],
            [s for s in self.superlatives if message.part(s.start) is part],
        )

    def beyond(self, span: Span[Ordinal]) -> bool:
        """Whether a list of days or numbers is too short for a position: 16号 is a day there, "bus 48" a bus."""
        value = span.best.value
        dated = any(month_day(each) for field in self.table.fields for each in field.values)
        held = any(each == str(value.place) for field in self.table.fields for each in field.values)  # "bus 48"
        return (dated or held) and value.count == 1 and value.place > self.table.length

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
        particles = "".join(word for word in word_set(message.language, "particle") if len(word) == 1)
        found: list[Token] = []
        limit = message.clause(max(0, end - 1))[1]
        for token in message.words:
            if token.start < end:
                continue
            if token.end > limit or len(found) == 4 or (token.filler and token.text not in generic):
                break
            if message.folded[(found[-1].end if found else end) : token.start].strip(f" -{particles}"):
                break
            found.append(token)
            if token.text in generic and HAN.match(token.text) is None:
                break  # "the first one safe for cats": what follows "one" is no part of its noun
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
            elif (
                any(f.start <= token.start < f.end for f in self.features)
                or self.described(token)
                or any(
                    p.start <= token.start < p.end
                    for p in self.message.having(Device.LIST, Device.REJECT, Device.OUTSIDE)
                )
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
        return len(self.loose(*self.message.clause(start)))

    def loose(self, begin: int, end: int) -> list[Token]:
        """Words of a stretch that nothing accounts for."""
        message = self.message
        generic = word_set(message.language, "generic")
        known = places(self.features, message.ordinals, message.superlatives, message.pointers, message.mentions)
        return [
            token
            for token in message.words
            if begin <= token.start < end
            and not token.filler
            and token.text not in generic
            and not any(a <= token.start < b for a, b in known)
            and not self.orders(token)
        ]

    def praised(self, end: int) -> bool:
        """Whether a word that tells nothing stands between a position and its noun: the good of "the first good one"."""
        after = [token for token in self.message.words if token.start >= end][:2]
        generic = word_set(self.message.language, "generic")
        return (
            len(after) == 2
            and after[0].filler
            and after[0].text not in generic
            and after[1].text in generic
            and not HAN.match(after[1].text)
        )

    def orders(self, token: Token) -> bool:
        """Whether a word is the verb that a clause begins with: "archive the invoice"."""
        message = self.message
        begin, end = message.clause(token.start)
        here = [each for each in message.words if begin <= each.start < end][:2]
        return len(here) == 2 and here[0] == token and here[1].text in word_set(message.language, "definite")

    def narrowed(self, end: int) -> bool:
        """Whether words that nothing accounts for qualify what goes before: the mile of "the cheapest within a mile"."""
        limit = self.message.clause(max(0, end - 1))[1]
        return any(self.qualifies(end, token.start) for token in self.loose(end, limit))

    def meant(self, feature: Feature) -> frozenset[int]:
        """Items that a description means, turned round where it is denied."""
        message = self.message
        before = message.folded[: feature.start]
        denying = feature.sort in (Sort.FLAG, Sort.TEXT) and any(
            HAN.match(word) and before.endswith(word) for word in word_set(message.language, "negators")
        )
        if not denying and not self.turned(feature):
            return feature.items
        word = self.message.folded[feature.start : feature.end]
        said_so = (
            denied(word, self.table, self.message.language) if feature.sort in (Sort.TEXT, Sort.PART) else frozenset()
        )
        return said_so or self.all - feature.items

    def turned(self, feature: Feature) -> bool:
        """Whether a description is turned round: "without breakfast", but not the evening of "without stops, in the evening"."""
        message = self.message
        for pointer in message.having(Device.WITHOUT):
            if not pointer.end <= feature.start < message.reach(pointer)[1]:
                continue
            used = any(f.start < pointer.end and pointer.start < f.end for f in self.features)
            between = [f for f in self.features if pointer.end <= f.start < feature.start]
            over = between and (self.qualifies(between[-1].end, feature.start) or self.owning(feature.start))
            if not used and not over:
                return True
        return False

    def owning(self, start: int) -> bool:
        """Whether a word of having stands right before: the kitchen of "without a curfew and with a kitchen"."""
        language = self.message.language
        having, lacking = word_set(language, "having"), word_set(language, "negators")
        if not grammar(language).get("spaced"):
            before = self.message.folded[:start]
            return any(map(before.endswith, having - lacking)) and not any(map(before.endswith, lacking))
        near = [token.text for token in self.message.words if token.end <= start][-2:]
        return bool((having - lacking) & set(near))

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
        generic = word_set(message.language, "generic")
        head = self.head(end)
        last = head[-1].end if head else end
        after = next((t for t in message.words if t.start >= last), None)
        whole = after.end if after is not None and after.start - last <= 1 and after.text in generic else last
        return [
            f
            for f in kept
            if f.sort is not Sort.NAME
            and begin <= f.start < finish
            and (end <= f.start < last + 1 or self.qualifies(whole, f.start) or f.end <= start)
        ]

    def qualifies(self, end: int, start: int) -> bool:
        """Whether only words of qualification stand between a noun and a description: "the first with breakfast"."""
        between = self.message.folded[end:start]
        words = word_set(self.message.language, "qualifier")
        found = re.findall(r"[^\W\d_]+", between)
        return start >= end and bool(found) and found[0] in words and len(found) <= 4

    def nothing(self) -> float:
        """How sure it is that a message without any evidence points at nothing: a name in other words may be left."""
        message = self.message
        if self.features:
            return 0.9
        articles = word_set(message.language, "definite")
        loose = [t for t in message.words if not t.filler and not any(a <= t.start < b for a, b in message.decoys)]
        told = any(b.text in articles and t in loose for b, t in pairwise(message.words))
        if message.decoys:
            return 0.95 if told or self.timely() else 0.995
        if message.words and all(t.text in word_set(message.language, "courtesy") for t in message.words):
            return 0.995
        asks = sum(t.filler for t in message.words) >= 2
        return (
            0.985
            if asks and not told and len(loose) <= 3 and bool(grammar(message.language).get("spaced"))
            else 0.95
            if loose
            else 0.97
        )

    def timely(self) -> bool:
        """Whether what only looks like a position may be a day of what was shown: "the first weekend in June"."""
        message = self.message
        days = [word for table in ("days", "months") for words in concepts(table).values() for word in words]
        said = [t.text for t in message.words if any(a <= t.start < b for a, b in message.decoys)]
        dated = any(month_day(value) for field in self.table.fields for value in field.values)
        return dated and any(word in days or "day" in kinds_of(word) for word in said)

    def framed(self, kept: list[Feature]) -> bool:
        """Whether a description stands as one does that picks: after an article, or as all that is said."""
        message = self.message
        articles = word_set(message.language, "definite")
        if any(f.sort in (Sort.NUMBER, Sort.TIME) and f.certainty >= 0.95 for f in kept) and message.having(
            Device.DEMONSTRATIVE
        ):
            return True  # "under 60, so that one"
        for feature in kept:
            if feature.sort is Sort.PART and self.titled(feature):
                return True
            if feature.sort is Sort.TEXT and self.owned(feature):
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

    def owned(self, feature: Feature) -> bool:
        """Whether a description stands for what somebody has: "reply to Priya's"."""
        message = self.message
        token = next((t for t in message.words if t.start == feature.start), None)
        if token is None or not token.text.endswith("'s") or not message.text[feature.start].isupper():
            return False
        after = next((t for t in message.words if t.start >= token.end), None)
        return after is None or after.filler or after.text in word_set(message.language, "generic")

    def tight(self, feature: Feature) -> bool:
        """Whether a description and what points by it are one phrase: "the red one", 绿色的那个."""
        message = self.message
        articles, generic = (word_set(message.language, name) for name in ("definite", "generic"))
        for pointer in message.having(Device.DEFINITE):
            gap = message.folded[pointer.end : feature.start].strip()
            inside = pointer.start <= feature.start < pointer.end or 0 <= pointer.start - feature.end < 2
            after = pointer.end <= feature.start and (gap in articles or not gap)
            if inside or after or self.qualifies(pointer.end, feature.start):
                return not message.indefinite(min(pointer.start, feature.start), max(pointer.end, feature.end))
        if message.indefinite(feature.start, feature.end):
            return False
        behind = next((t for t in message.words if t.start >= feature.end), None)
        if behind is not None and behind.text in generic and behind.start - feature.end == 1:
            return True
        own = [m for m in message.mentions if self.at in m.lists and m.definite]
        particles = word_set(message.language, "particle")
        return any(
            (m.start - feature.end == 1 and self.article(feature.start))
            or message.folded[feature.end : m.start] in particles
            or (self.article(m.start) and self.qualifies(m.end, feature.start))
            for m in own
        )

    def article(self, start: int) -> bool:
        """Whether a definite article stands before a stretch and what describes it."""
        before = [t for t in self.message.words if t.end <= start]
        while before and any(f.start <= before[-1].start < f.end for f in self.features):
            before.pop()
        return bool(before) and before[-1].text in word_set(self.message.language, "definite")

    def titled(self, feature: Feature) -> bool:
        """Whether a word of a name is written as one: capitalised within a sentence, or two characters without case."""
        said = self.message.text[feature.start : feature.end]
        if not said[:1].isupper():
            return len(said) > 1 and said[0].lower() == said[0].upper()
        return bool(self.message.text[: feature.start].strip())
