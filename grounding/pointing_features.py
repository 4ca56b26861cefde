"""Finds in a text what describes items of a list: their names, words of their values, flags, numbers, times and days."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

from wildtool.grounding.pointing_items import HAN, Field, Table, clock_of, columns, day_of, numbers_of, unit_codes
from wildtool.language.numbers import read_numbers
from wildtool.language.pointer_grammar import compiled, concepts, fold, grammar, rank_of, rules, word_set
from wildtool.language.pointer_tokens import Token, alike, kinds_of, stem
from wildtool.language.superlatives import dimension_of
from wildtool.language.units import convert

_LATIN = re.compile(r"[^\W_\u3400-\u9fff]+(?:['&-][^\W_\u3400-\u9fff]+)*")
_CODE = re.compile(r"([a-z]{1,2})\d+")


class Sort(StrEnum):
    """What a feature was found in."""

    NAME = "name"
    """The whole name of an item."""
    PART = "part"
    """Words of a name."""
    TEXT = "text"
    FLAG = "flag"
    NUMBER = "number"
    TIME = "time"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Feature:
    """A stretch of the text and the items that it describes."""

    sort: Sort
    start: int
    end: int
    items: frozenset[int]
    certainty: float
    """Probability that these words are about the items' values at all."""


Free = Callable[[int, int], bool]
"""Whether a stretch of the text is not yet explained."""


def read_features(
    text: str, words: Sequence[Token], table: Table, language: str, free: Free
) -> tuple[Feature, ...]:
    """Finds all features of a table's items, in order of appearance; stretches that are not ``free`` are left alone."""
    folded = fold(text)
    found: list[Feature] = named_items(folded, table)
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
    take(_implied(folded, table, language, open_))
    take(_clocks(folded, table, language, open_))
    take(_numbers(text, folded, table, language, open_))
    take(_days(words, table, open_))
    take(_flags(words, folded, table, open_))
    take(_texts(words, folded, table, open_))
    take(_parts_of_day(folded, table, language, open_))
    return tuple(sorted(found, key=lambda each: each.start))


# --------------------------------------------------------------------- texts


def bounded(folded: str, word: str) -> Iterable[tuple[int, int]]:
    start = folded.find(word)
    while start >= 0:
        end = start + len(word)
        before = start == 0 or HAN.match(word[0]) or not folded[start - 1].isalnum()
        after = end == len(folded) or HAN.match(word[-1]) or not folded[end].isalnum()
        if before and after:
            yield start, end
        start = folded.find(word, end)


def named_items(folded: str, table: Table) -> list[Feature]:
    found: list[Feature] = []
    wanted = dict.fromkeys(name for name in table.names if len(name) > 1)
    for name in sorted(wanted, key=len, reverse=True):
        items = frozenset(at for at, each in enumerate(table.names) if each == name)
        spellings = dict.fromkeys((name, name.removeprefix("the "), name.replace("&", "and"), name.replace(" and ", " & ")))
        for each in spellings:
            for start, end in bounded(folded, each):
                if not any(other.start <= start < other.end for other in found):
                    found.append(Feature(Sort.NAME, start, end, items, 0.995 if len(each) > 2 else 0.95))
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
        same = frozenset(at for at, text in enumerate(han) if word in text)
        if same:
            return same, 0.99 if len(word) > 1 else 0.85
    else:
        same = by_word.get(word, frozenset())
        if same:
            return same, 0.99
        rooted = frozenset(at for each, items in by_word.items() if len(each) > 3 and stem(each) == stem(word) for at in items)
        if rooted:
            return rooted, 0.97
    near: set[int] = set()
    for other in alike(word):
        if HAN.search(other):
            near |= {at for at, text in enumerate(han) if other in text}
        elif " " in other:
            near |= {at for at in range(table.length) if all(at in by_word.get(part, ()) for part in other.split())}
        else:
            near |= by_word.get(other, frozenset())
            if len(other) <= 2:
                near |= by_word.get(other + "#", frozenset())
    if near:
        return frozenset(near), 0.93
    if len(word) >= 5 and word.isalpha() and not HAN.search(word):
        typos = {at for each, items in by_word.items() if _slip(word, each) for at in items}
        if typos:
            return frozenset(typos), 0.85
    return frozenset(), 0.0


@cache
def _slip(word: str, other: str) -> bool:
    """One letter wrong, missing, added or two swapped, in words of five letters or more that begin alike."""
    if min(len(word), len(other)) < 5 or word[0] != other[0] or abs(len(word) - len(other)) > 1:
        return False
    at = next((n for n, (a, b) in enumerate(zip(word, other, strict=False)) if a != b), min(len(word), len(other)))
    rest, tail = word[at:], other[at:]
    return rest[1:] == tail[1:] or rest[1:] == tail or rest == tail[1:] or rest[:2] == tail[1::-1] and rest[2:] == tail[2:]


def _texts(words: Sequence[Token], folded: str, table: Table, free: Free) -> Iterable[Feature]:
    _, han, names = _vocabulary(table)
    used_to = 0
    for number, token in enumerate(words):
        if token.start < used_to or not free(token.start, token.end):
            continue
        end, word = token.end, token.text
        if HAN.match(word):
            if token.filler and len(word) > 1:
                continue
            longest = 0
            for size in range(8, 1, -1):
                piece = folded[token.start : token.start + size]
                if len(piece) == size and free(token.start, token.start + size) and any(piece in text for text in han):
                    longest = size
                    break
            if longest > len(word):
                word, end = folded[token.start : token.start + longest], token.start + longest
            if token.filler and longest < 2:
                continue
        elif token.filler:
            continue
        else:  # two words that are one phrase of the tables: "city centre"
            nexts = words[number + 1] if number + 1 < len(words) else None
            pair = f"{word} {nexts.text}" if nexts else ""
            if nexts and any(pair in group for group in concepts("alike").values()):
                word, end = pair, nexts.end
        items, certainty = _holders(word, table)
        if " " in word and not items:
            word, end = token.text, token.end
            items, certainty = _holders(word, table)
        if not items:
            continue
        used_to = end
        in_name = all(word in table.names[at] or word in names[at] for at in items)
        yield Feature(Sort.PART if in_name else Sort.TEXT, token.start, end, items, certainty)


# --------------------------------------------------------------------- flags


def _flags(words: Sequence[Token], folded: str, table: Table, free: Free) -> Iterable[Feature]:
    for field in table.fields:
        known = [value for value in field.values if value is not None]
        if not known or not all(isinstance(value, bool) for value in known):
            continue
        hits = [span for word in field.telling for span in _mentions(word, words, folded, free)]
        spans = sorted(set(hits))
        if not spans or (len(field.telling) > 1 and len(spans) < len(field.telling) / 2):
            continue
        items = frozenset(at for at, value in enumerate(field.values) if value is True)
        yield Feature(Sort.FLAG, spans[0][0], spans[0][1], items, 0.985)


def _mentions(word: str, words: Sequence[Token], folded: str, free: Free) -> Iterable[tuple[int, int]]:
    if HAN.search(word):
        bare = re.sub(r"^(?:是否|含|有|可以|可|带|能|支持|提供|包|允许)+", "", word) or word
        for each in dict.fromkeys((word, bare, *alike(bare), *alike(word))):
            if len(each) > 1 or HAN.match(each):
                start = folded.find(each)
                if start >= 0 and free(start, start + len(each)):
                    yield start, start + len(each)
                    return
        return
    for token in words:
        if free(token.start, token.end) and (
            stem(token.text) == stem(word) or token.text in alike(word) or word in token.text.split("-")
        ):
            yield token.start, token.end


def _implied(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    for rule in rules(language, "implies"):
        match = rule.find.search(folded)
        if match is None or not free(*match.span()):
            continue
        for field in table.fields:
            named = " ".join(field.words)
            if not any(re.search(rf"\b{re.escape(word)}\b", named) or (HAN.search(word) and word in named) for word in rule.table["fields"]):
                continue
            items = frozenset(at for at, value in enumerate(field.values) if _fits(value, rule.table))
            if items and len(items) < table.length or any(isinstance(value, bool) for value in field.values):
                yield Feature(Sort.FLAG, *match.span(), items, 0.99)
                break


def _fits(value: Any, entry: Mapping[str, Any]) -> bool:
    if isinstance(value, bool):
        return value is bool(entry.get("flag", True))
    numbers = numbers_of(value)
    if not numbers:
        return False
    number = min(numbers)
    return number == entry["is"] if "is" in entry else number >= float(entry["at_least"])


# ------------------------------------------------------------------- numbers


def _numbers(text: str, folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    bounds = {name: compiled(language, pattern) for name, pattern in grammar(language)["bounds"].items()}
    for span in read_numbers(text, language):
        if not free(span.start, span.end):
            continue
        before, after = folded[max(0, span.start - 24) : span.start], folded[span.end : span.end + 24]
        money = bool(re.search(r"[$€£¥]\s*$", before) or re.match(r"\s*(?:[$€£¥元]|块|euros?\b|dollars?\b|bucks?\b|pounds?\b|quid\b|usd\b|eur\b|刀)", after))
        before = re.sub(r"[$€£¥]\s*$", "", before)
        word, size = _unit_after(after)
        fields = _fields_for(table, word, money, before)
        value = span.best.value
        at_most = bounds["at_most"].search(before) or bounds["at_most_after"].match(after)
        at_least = bounds["at_least"].search(before) or bounds["at_least_after"].match(after)
        if at_most or at_least:
            pool = fields if fields is not None else [field for field, _ in columns(table, "price")] or _numeric(table)
            for field in pool[:1]:
                held = [_in_unit(each, field, word) for each in field.values]
                items = frozenset(at for at, n in enumerate(held) if n is not None and (n <= value if at_most else n >= value))
                yield Feature(Sort.NUMBER, span.start, span.end + size, items, 0.97)
            continue
        if fields == [] and word:
            continue  # counts what no field tells: "for 2 nights"
        pool = fields if fields else _numeric(table)
        items = frozenset(
            at
            for field in pool
            for at, each in enumerate(field.values)
            if any(abs(n - value) < 1e-6 for n in ({_in_unit(each, field, word)} - {None} if word else numbers_of(each)))
        )
        if items:
            telling = fields or money or value >= 13 or value != int(value)
            yield Feature(Sort.NUMBER, span.start, span.end + size, items, 0.99 if telling else 0.8)


def _unit_after(after: str) -> tuple[str, int]:
    """The word right after a number and its length with the blank before it; empty where none follows."""
    if match := re.match(r"[ -]?([^\W\d_\u3400-\u9fff]{1,14}²?|%|°[cf])", after):
        return match[1], match.end()
    if match := re.match(r"([\u3400-\u9fff]{1,4})", after):
        for size in range(len(match[1]), 0, -1):
            word = match[1][:size]
            if word in unit_codes() or dimension_of(word) or kinds_of(word):
                return word, size
    return "", 0


_STOPPERS = frozenset("one is in and or for please the to with on of at that then was option looks sounds pls works".split())


def _fields_for(table: Table, word: str, money: bool, before: str) -> list[Field] | None:
    """Fields that a number with this word after it is about; None where the word does not say."""
    if money:
        return [field for field, _ in columns(table, "price")] or [field for field, _ in columns(table, "salary")]
    if not word or word in _STOPPERS:
        return None
    root = stem(word)
    named = [field for field in table.fields if any(stem(each) == root or (HAN.search(each) and word in each and len(word) > 1) for each in field.words)]
    if named:
        return named
    code = unit_codes().get(word)
    if code:
        own = [f for f in table.fields if f.unit is not None and convert(1.0, code, f.unit) is not None]
        if own:
            return own
        written = [f for f in table.fields if any(isinstance(v, str) and re.search(rf"\d\s*{re.escape(word)}", fold(v)) for v in f.values)]
        if written:
            return written
    dimension = dimension_of(word)
    if dimension:
        return [field for field, _ in columns(table, dimension)]
    if kinds_of(word) & kinds_of(table.name) or word in table.name:
        return None
    return [] if code or word.isalpha() and not HAN.search(word) else None


def _in_unit(value: Any, field: Field, word: str) -> float | None:
    """A field's value in the unit that the text uses."""
    numbers = numbers_of(value)
    if len(numbers) != 1:
        return None
    number = next(iter(numbers))
    code = unit_codes().get(word)
    own = field.unit
    if own is None and isinstance(value, str) and (match := re.search(r"\d\s*([^\W\d_]+)", fold(value))):
        own = unit_codes().get(match[1])
    if code and own and code != own:
        return convert(number, own, code)
    return number


def _numeric(table: Table) -> list[Field]:
    return [field for field in table.fields if field.words[-1:] != ("id",) and any(numbers_of(value) for value in field.values)]


# --------------------------------------------------------------------- times


def _clock_fields(table: Table, folded: str) -> list[Field]:
    """Fields with a time of day; the arrival only where the text speaks of arriving."""
    timed = [field for field in table.fields if any(clock_of(value) is not None for value in field.values)]
    arrival = [field for field in timed if any(dimension_of(word) == "arrival" for word in (*field.words, field.name))]
    asked = any(word in folded for word in concepts("fields")["arrival"] if len(word) > 1)
    if asked and arrival:
        return arrival
    rest = [field for field in timed if field not in arrival]
    return rest[:1] or timed[:1]


def _clocks(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    fields = _clock_fields(table, folded)
    entry = grammar(language)["clock"]
    bounds = {name: compiled(language, pattern) for name, pattern in grammar(language)["bounds"].items()}
    if not fields:
        return
    held = [clock_of(value) for value in fields[0].values]
    for pattern in entry["find"]:
        for match in compiled(language, pattern).finditer(folded):
            if not free(*match.span()):
                continue
            groups = match.groupdict()
            hour = rank_of(language, groups["h"]) if groups["h"] not in ("0", "00") else 0
            minute = int(groups["m"]) if (groups.get("m") or "").isdigit() else rank_of(language, groups["m"]) if groups.get("m") else 0
            if hour is None or minute is None or hour > 24:
                continue
            if groups.get("past") or groups.get("quarter") or groups.get("quarters"):
                quarter = groups.get("past") == "quarter" or groups.get("quarter")
                minute = entry["quarter"] if quarter else 3 * entry["quarter"] if groups.get("quarters") else entry["half"]
            at = hour * 60 + minute - (entry["quarter"] if groups.get("to") else 0)
            ways = _halves(at, groups.get("half"), groups.get("part"), language)
            before, after = folded[max(0, match.start() - 20) : match.start()], folded[match.end() : match.end() + 8]
            if bounds["at_most"].search(before) or re.match("(?:之前|以前|前)", after):
                items = frozenset(n for n, each in enumerate(held) if each is not None and each < ways[0])
            elif bounds["at_least"].search(before) or re.match("(?:之后|以后|后)", after):
                items = frozenset(n for n, each in enumerate(held) if each is not None and each > ways[-1])
            else:
                items = next((s for way in ways if (s := frozenset(n for n, each in enumerate(held) if each == way))), frozenset())
                if not items and not minute:  # "the nine o'clock" of 9:05
                    items = next((s for way in ways if (s := frozenset(n for n, each in enumerate(held) if each is not None and each // 60 == way // 60))), frozenset())
            if items:
                yield Feature(Sort.TIME, *match.span(), items, 0.99)


def _halves(at: int, half: str | None, part: str | None, language: str) -> tuple[int, ...]:
    """Minutes since midnight that a time may mean: 9:00 is also 21:00 where nothing tells."""
    if half:
        return ((at % 720) + (720 if half == "p" else 0),)
    if part:
        low, high = grammar(language)["parts"].get(part, (0, 1440))
        return tuple(way for way in (at, at + 720) if low <= way % 1440 < high or low <= way % 1440 + 1440 < high) or (at,)
    return (at, at + 720) if at < 780 else (at,)


def _parts_of_day(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    fields = _clock_fields(table, folded)
    if not fields:
        return
    held = [clock_of(value) for value in fields[0].values]
    for part, (low, high) in grammar(language)["parts"].items():
        for start, end in bounded(folded, part):
            if free(start, end):
                items = frozenset(at for at, each in enumerate(held) if each is not None and (low <= each < high or low <= each + 1440 < high))
                if items:
                    yield Feature(Sort.TIME, start, end, items, 0.98)


def _days(words: Sequence[Token], table: Table, free: Free) -> Iterable[Feature]:
    names = [(at, word) for at, words_of in enumerate(concepts("days").values()) for word in words_of]
    for token in words:
        here = {at for at, word in names if token.text in (word, f"{word}s", f"{word}'s")}
        if not here or not free(token.start, token.end):
            continue
        weekday = here.pop()
        items = set()
        spelled = {word for at, word in names if at == weekday}
        for field in table.fields:
            for at, value in enumerate(field.values):
                day = day_of(value)
                text = fold(value) if isinstance(value, str) else ""
                if (day and day.weekday() == weekday) or any(list(bounded(text, word)) for word in spelled):
                    items.add(at)
        if items:
            yield Feature(Sort.DAY, token.start, token.end, frozenset(items), 0.985)


def content(words: Sequence[Token], language: str) -> list[Token]:
    """Words that are neither fillers nor generic nouns."""
    generic = word_set(language, "generic")
    return [token for token in words if not token.filler and token.text not in generic]
