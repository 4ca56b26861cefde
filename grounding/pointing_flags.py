"""Finds in a text what items have or lack: fields of true and false, and counts that may be zero."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from wildtool.grounding.pointing_items import HAN, Feature, Field, Free, Sort, Table, bounded, numbers_of
from wildtool.language.pointer_grammar import concepts, grammar, rules, shared_words, word_set
from wildtool.language.pointer_tokens import Token, alike, stem


def flags(words: Sequence[Token], folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """Fields of true and false, and counts that may be zero, that the text names, or whose opposite it names: "unfurnished"."""
    for field in table.fields:
        counted = _some(field)
        held = counted or field.values
        known = [value for value in held if value is not None]
        if not known or not all(isinstance(value, bool) for value in known):
            continue
        no, yes = (frozenset(at for at, value in enumerate(held) if value is wanted) for wanted in (False, True))
        against = [
            span
            for word in field.telling
            for each in _opposites(word)
            for span in _mentions(each, words, folded, free, exact=True)
        ]
        if against:
            yield Feature(Sort.FLAG, *against[0], no, 0.97)
            continue
        spans = sorted({span for word in field.telling for span in _mentions(word, words, folded, free)})
        if counted:  # "with spaces": a count that is named without a word of having is no description
            spans = [span for span in spans if _had(span[0], words, folded, language)]
        if not spans or (len(field.telling) > 1 and not counted and len(spans) < len(field.telling) / 2):
            continue
        yield Feature(Sort.FLAG, *spans[0], yes, 0.97 if counted else 0.985)


def _some(field: Field) -> tuple[bool, ...]:
    """Of counts some of which are zero, whether there are any; empty for other fields."""
    numbers = [value for value in field.values if isinstance(value, int | float) and not isinstance(value, bool)]
    if len(numbers) != len(field.values) or 0 not in numbers or max(numbers) <= 0:
        return ()
    return tuple(number > 0 for number in numbers)


def _had(start: int, words: Sequence[Token], folded: str, language: str) -> bool:
    """Whether a word of having, or of going without, stands right before, with at most an article between."""
    having = word_set(language, "having")
    if not grammar(language).get("spaced"):
        return any(folded[:start].endswith(word) for word in having)
    before = [token.text for token in words if token.end <= start][-2:]
    articles = word_set(language, "definite") | word_set(language, "indefinite")
    return bool(before) and (before[-1] in having or (before[-1] in articles and before[0] in having))


@cache
def _dress() -> re.Pattern[str]:
    front, back = ("|".join(sorted(shared_words(name), key=len, reverse=True)) for name in ("flag_front", "flag_back"))
    return re.compile(rf"^(?:{front})+|(?:{back})$")


@cache
def _opposites(word: str) -> frozenset[str]:
    spelled = {f"un{word}", f"non{word}", f"non-{word}", f"in{word}"} if not HAN.search(word) else set()
    return frozenset(spelled) | concepts("opposites").get(word, frozenset())


def _mentions(
    word: str, words: Sequence[Token], folded: str, free: Free, exact: bool = False
) -> Iterable[tuple[int, int]]:
    if exact:
        for start, end in bounded(folded, word):
            if free(start, end):
                yield start, end
    elif HAN.search(word):
        bare = _dress().sub("", word) or word
        for each in dict.fromkeys((word, bare, *alike(bare), *alike(word))):
            if len(each) > 1 or HAN.match(each):
                start = folded.find(each)
                if start >= 0 and free(start, start + len(each)):
                    yield start, start + len(each)
                    return
    else:
        for token in words:
            same = stem(token.text) == stem(word) or token.text in alike(word) or word in token.text.split("-")
            if same and free(token.start, token.end):
                yield token.start, token.end


def implied(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    for rule in rules(language, "implies"):
        match = rule.find.search(folded)
        if match is None or not free(*match.span()):
            continue
        for field in table.fields:
            named = " ".join(field.words)
            if not any(
                re.search(rf"\b{re.escape(word)}\b", named) or (HAN.search(word) and word in named)
                for word in rule.table["fields"]
            ):
                continue
            items = frozenset(at for at, value in enumerate(field.values) if _fits(value, rule.table))
            if (items and len(items) < table.length) or any(isinstance(value, bool) for value in field.values):
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
