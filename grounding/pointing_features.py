"""Finds in a text what describes items of a list: their names, words of their values, flags, numbers, times and days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, lru_cache

from wildtool.grounding.pointing_amounts import amounts, levels
from wildtool.grounding.pointing_flags import flags, implied
from wildtool.grounding.pointing_items import HAN, Feature, Free, Sort, Table, bounded
from wildtool.grounding.pointing_times import calendar_days, clocks, parts_of_day, weekdays
from wildtool.language.numbers import parse_number
from wildtool.language.pointer_grammar import compiled, concepts, fold, grammar, shared_words, word_set
from wildtool.language.pointer_tokens import Token, alike, is_word, stem

_LATIN = re.compile(r"[^\W_\u3400-\u9fff]+(?:['&-][^\W_\u3400-\u9fff]+)*")
_CODE = re.compile(r"([a-z]{1,2})\d+")


def denied(word: str, table: Table, language: str) -> frozenset[int]:
    """Items whose texts hold a word with a negation right before it: 未发货, "not shipped"."""
    found: set[int] = set()
    for at in range(table.length):
        texts = [fold(value) for field in table.fields if isinstance(value := field.values[at], str)]
        if any(
            f"{no}{gap}{word}" in text
            for text in texts
            for no in word_set(language, "negators")
            for gap in ("", " ", "-")
        ):
            found.add(at)
    return frozenset(found)


def read_features(
    text: str,
    words: Sequence[Token],
    table: Table,
    language: str,
    free: Free,
    decoys: Sequence[tuple[int, int]] = (),
    definite: Sequence[tuple[int, int]] = (),
) -> tuple[Feature, ...]:
    """Finds all features of a table's items, in order of appearance; stretches that are not ``free`` are left alone.

    Days may be written like positions, so ``decoys`` of positions are closed to all but them. ``definite`` are the places
    of what points at one item, so that a word right before describes it, however empty it is elsewhere: 打电话那个.
    """
    folded = fold(text)
    found: list[Feature] = named_items(folded, table, language)
    taken = bytearray(len(folded))

    def take(features: Iterable[Feature]) -> None:
        for feature in features:
            if not any(taken[feature.start : feature.end]):
                taken[feature.start : feature.end] = b"\1" * (feature.end - feature.start)
                if feature not in found:
                    found.append(feature)

    def open_(start: int, end: int) -> bool:
        return free(start, end) and not any(taken[start:end])

    take(list(found))
    take(_codes(folded, table, open_))
    take(calendar_days(folded, table, language, open_))
    take(levels(folded, table, language, decoys))
    take(_pairs(folded, table, open_))
    for start, end in decoys:
        taken[start:end] = b"\1" * (end - start)
    take(implied(folded, table, language, open_))
    take(clocks(folded, table, language, open_))
    take(amounts(text, folded, table, language, open_))
    take(weekdays(words, table, open_))
    take(_surnames(folded, table, language, open_))
    take(flags(words, folded, table, language, open_))
    take(_texts(text, words, table, language, open_, {start for start, _ in definite}))
    take(parts_of_day(folded, table, language, open_))
    return tuple(sorted(found, key=lambda each: each.start))


# --------------------------------------------------------------------- texts


def named_items(folded: str, table: Table, language: str) -> list[Feature]:
    """Whole names of items in a text, the longest first."""
    found: list[Feature] = []
    wanted = dict.fromkeys(name for name in table.names if len(name) > 1)
    for name in sorted(wanted, key=len, reverse=True):
        items = frozenset(at for at, each in enumerate(table.names) if each == name)
        spellings = dict.fromkeys(
            (name, name.removeprefix("the "), name.replace("&", "and"), name.replace(" and ", " & "))
        )
        for each in spellings:
            for start, end in bounded(folded, each):
                if not any(other.start <= start < other.end for other in found):
                    found.append(
                        Feature(
                            Sort.NAME,
                            start,
                            end,
                            items,
                            0.995 if len(each) > 2 or (HAN.match(each) and not is_word(each, language)) else 0.95,
                        )
                    )
    return found


@lru_cache(maxsize=256)
def _vocabulary(table: Table) -> tuple[Mapping[str, frozenset[int]], tuple[str, ...], tuple[frozenset[str], ...]]:
    """Of a table: items by each Latin word of their texts, the Han text of each item, the words of each name."""
    by_word: dict[str, set[int]] = {}
    han: list[str] = []
    for at in range(table.length):
        texts = [value for field in table.fields if isinstance(value := field.values[at], str)]
        han.append("\n".join(fold(text) for text in texts if HAN.search(text)))
        for text in texts:
            for word in _LATIN.findall(fold(text)):
                for each in (word, *word.replace("'", "-").split("-")):
                    by_word.setdefault(each, set()).add(at)
                if code := _CODE.fullmatch(word):
                    by_word.setdefault(code[1] + "#", set()).add(at)
    names = tuple(frozenset(_LATIN.findall(name)) for name in table.names)
    return {word: frozenset(items) for word, items in by_word.items()}, tuple(han), names


def _holders(word: str, table: Table) -> tuple[frozenset[int], float]:
    """Items whose texts hold a word or what may stand for it, and how sure that is."""
    by_word, han, _ = _vocabulary(table)
    if HAN.search(word):
        if len(word) == 1 and (near := _synonyms(word, table))[0]:
            return near
        same = frozenset(at for at, text in enumerate(han) if word in text)
        if same:
            return same, 0.99 if len(word) > 1 else 0.85
    else:
        same = by_word.get(word, frozenset())
        if same:
            return same, 0.99
        rooted = frozenset(
            at for each, items in by_word.items() if len(each) > 2 and stem(each) == stem(word) for at in items
        )
        if rooted:
            return rooted, 0.97
        common = frozenset(at for each, items in by_word.items() if _kindred(word, each) for at in items)
        if common:
            return common, 0.96
    if (near := _synonyms(word, table))[0]:
        return near
    if len(word) == 2 and HAN.match(word):  # a chair is 椅子, and 椅 in longer words
        same = frozenset(at for at, text in enumerate(han) if word[0] in text)
        if same:
            return same, 0.8
    if len(word) == 3 and word.isalpha() and not HAN.search(word):
        same = frozenset(at for each, items in by_word.items() if each.startswith(word) for at in items)
        return same, 0.85
    if len(word) >= 5 and word.isalpha() and not HAN.search(word):
        typos = {at for each, items in by_word.items() if _slip(word, each) for at in items}
        if typos:
            return frozenset(typos), 0.85
    return frozenset(), 0.0


def _synonyms(word: str, table: Table) -> tuple[frozenset[int], float]:
    """Items whose texts hold a word of the same meaning; surer where it is no part of a name."""
    by_word, han, _ = _vocabulary(table)
    near: set[int] = set()
    named = False
    for other in alike(word):
        if HAN.search(other):
            found = {at for at, text in enumerate(han) if len(word + other) > 2 and other in text}
        elif " " in other:
            found = {at for at in range(table.length) if all(at in by_word.get(part, ()) for part in other.split())}
        else:
            found = set(by_word.get(other, ()))
            if len(other) <= 2:
                found |= by_word.get(other + "#", frozenset())
        near |= found
        named = named or any(other in table.names[at] and not table.names[at].endswith(f".{other}") for at in found)
    exact = any(word in group for group in concepts("alike").values())
    return frozenset(near), 0.985 if exact and not named else 0.93


@cache
def _kindred(word: str, other: str) -> bool:
    """Whether words share most of their letters from the front: cardiology, cardiologist; or one is short for the other."""
    short, long = sorted((word, other), key=len)
    if len(word) >= 4 and (other.startswith(word) or other.endswith(word)) and len(word) * 3 >= len(other):
        return True
    same = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return same >= 5 and same >= 0.65 * len(long)


@cache
def _slip(word: str, other: str) -> bool:
    """One letter wrong, missing, added or two swapped, in words of five letters or more that begin alike."""
    if min(len(word), len(other)) < 5 or word[0] != other[0] or abs(len(word) - len(other)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, tail = word[at:], other[at:]
    return (
        rest[1:] == tail[1:]
        or rest[1:] == tail
        or rest == tail[1:]
        or (rest[:2] == tail[1::-1] and rest[2:] == tail[2:])
    )


def _told(text: str, number: int, words: Sequence[Token], language: str, pointed: Set[int]) -> bool:
    """Whether a word that tells nothing elsewhere does here: "the book", "Dr Said", 打电话那个."""
    token = words[number]
    if HAN.match(token.text):
        return len(token.text) > 1 and any(0 <= start - token.end < 2 for start in pointed)
    if number == 0 or len(token.text) < 4:
        return False
    return text[token.start].isupper() or words[number - 1].text in word_set(language, "definite")


def _surnames(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """People by family name and title: 王医生, 老刘. One that somebody's whole name tells is left to other readers."""
    for pattern in grammar(language).get("surnames", ()):
        for match in compiled(language, pattern).finditer(folded):
            holders = {
                at
                for field in table.fields
                for at, value in enumerate(field.values)
                if isinstance(value, str) and 1 < len(value) < 5 and fold(value).startswith(match["name"])
            }
            whole = any(match[0] in fold(value) for f in table.fields for value in f.values if isinstance(value, str))
            if holders and not whole and free(*match.span("name")):
                yield Feature(Sort.PART, *match.span(), frozenset(holders), 0.97)


def _codes(folded: str, table: Table, free: Free) -> Iterable[Feature]:
    """Ids and numbers of items: T-57, SF1001."""
    for field in table.fields:
        for value in dict.fromkeys(value for value in field.values if isinstance(value, str) and 2 < len(value) < 24):
            code = fold(value)
            if code.isascii() and any(c.isdigit() for c in code) and any(c.isalpha() for c in code) and " " not in code:
                items = frozenset(at for at, each in enumerate(field.values) if each == value)
                for start, end in bounded(folded, code):
                    if free(start, end):
                        yield Feature(Sort.TEXT, start, end, items, 0.99)


@cache
def _phrases() -> frozenset[str]:
    return frozenset(word for group in concepts("alike").values() for word in group if " " in word)


def _phrase_end(words: Sequence[Token], number: int) -> int:
    """The number of the last word of the phrase of the tables that begins here: "city centre", "work from home"."""
    said = [token.text for token in words[number : number + 4]]
    return max((number + n for n in range(1, len(said)) if " ".join(said[: n + 1]) in _phrases()), default=number)


def _texts(
    text: str, words: Sequence[Token], table: Table, language: str, free: Free, pointed: Set[int]
) -> Iterable[Feature]:
    _, han, names = _vocabulary(table)
    folded = fold(text)
    generic = word_set(language, "generic") | frozenset(grammar(language)["ranks"])
    used_to = 0
    for number, token in enumerate(words):
        if token.start < used_to or not free(token.start, token.end):
            continue
        end, word = token.end, token.text
        if HAN.match(word):
            if (
                len(word) > 1
                and (token.filler or word in generic)
                and not _told(text, number, words, language, pointed)
            ):
                continue
            longest = 0
            for size in range(8, 1, -1):
                piece = folded[token.start : token.start + size]
                if len(piece) == size and free(token.start, token.start + size) and any(piece in held for held in han):
                    longest = size
                    break
            if longest > len(word):
                word, end = folded[token.start : token.start + longest], token.start + longest
            if longest < 2 and (token.filler or word in generic):
                continue
        elif not number and words[1:2] and words[1].text in word_set(language, "definite"):
            continue  # the verb of "close the open one"
        elif (last := _phrase_end(words, number)) > number:
            word, end = " ".join(each.text for each in words[number : last + 1]), words[last].end
        elif word in generic or (token.filler and not _told(text, number, words, language, pointed)):
            continue
        items, certainty = _holders(word, table)
        if token.filler and not HAN.match(word):
            certainty = min(certainty, 0.9)
        if " " in word and not items:
            word, end = token.text, token.end
            items, certainty = _holders(word, table)
        if not items:
            continue
        used_to = end
        if certainty > 0.85 and not word.isdigit() and parse_number(word, language) is not None:
            certainty = 0.85  # "two seats" is not Part Two
        in_name = all(word in table.names[at] or word in names[at] for at in items)
        yield Feature(Sort.PART if in_name else Sort.TEXT, token.start, end, items, certainty)


def _pairs(folded: str, table: Table, free: Free) -> Iterable[Feature]:
    """A field's name with a value right after or before it: "size L", 优先级中的, 中风险的."""
    for field in table.fields:
        for start, end in bounded(folded, fold(field.name).replace("_", " ")) if field.name else ():
            rest = folded[end:]
            gap = len(rest) - len(rest.lstrip(" :：" + "".join(w for w in shared_words("copula") if len(w) == 1)))
            values = {fold(value) for value in field.values if isinstance(value, str) and value}
            said = max((v for v in values if any(s == gap for s, _ in bounded(rest, v))), key=len, default="")
            if said and free(start, end + gap + len(said)):
                items = frozenset(at for at, v in enumerate(field.values) if isinstance(v, str) and fold(v) == said)
                yield Feature(Sort.TEXT, start, end + gap + len(said), items, 0.985)
                continue
            front = folded[:start].rstrip(" ")
            said = max((v for v in values if front.endswith(v)), key=len, default="")
            begin = len(front) - len(said)
            if said and any(s == begin for s, _ in bounded(folded, said)) and free(begin, end):
                items = frozenset(at for at, v in enumerate(field.values) if isinstance(v, str) and fold(v) == said)
                yield Feature(Sort.TEXT, begin, end, items, 0.985)
