"""Finds times of day and days in a text that describe items of a list."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

from wildtool.grounding.pointing_columns import scales_of
from wildtool.grounding.pointing_items import Feature, Field, Free, Sort, Table, bounded, clock_of, day_of, month_day
from wildtool.language.pointer_grammar import compiled, concepts, fold, grammar, rank_of
from wildtool.language.pointer_tokens import Token
from wildtool.language.superlatives import dimension_of

# --------------------------------------------------------------------- times


def _clock_fields(table: Table, folded: str) -> list[Field]:
    """Fields with a time of day; that of arriving or closing only where the text speaks of it."""
    timed = [field for field in table.fields if any(clock_of(value) is not None for value in field.values)]
    timed = [field for field in timed if not {"duration", "length"} & set(scales_of(field.words)[:1])]
    rest = timed
    for end in ("arrival", "closing"):
        ends = [f for f in timed if any(dimension_of(word) == end for word in (*f.words, fold(f.name)))]
        if ends and any(bounded_any(folded, word) for word in concepts("fields")[end]):
            return ends
        rest = [field for field in rest if field not in ends]
    return rest[:1] or timed[:1]


def bounded_any(folded: str, word: str) -> bool:
    """Whether a word stands in a text."""
    return any(True for _ in bounded(folded, word))


def clocks(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """Times of day: "the 9:45", 九点的; a time before one o'clock is also meant of the afternoon where only that fits."""
    fields = _clock_fields(table, folded)
    if not fields:
        return
    entry = grammar(language)["clock"]
    held = [clock_of(value) for value in fields[0].values]

    def at(test: Callable[[int], bool]) -> frozenset[int]:
        return frozenset(n for n, each in enumerate(held) if each is not None and test(each))

    for pattern in entry["find"]:
        for match in compiled(language, pattern).finditer(folded):
            ways = _ways(match, language) if free(*match.span()) else ()
            if not ways:
                continue
            items = _bounded_time(folded, match, ways, language, at)
            if items is None:
                items = _first(held, ways, 1)
            if not items and not ways[0] % 60:  # "the nine o'clock" of 9:05
                items = _first(held, ways, 60)
            if items:
                yield Feature(Sort.TIME, *match.span(), items, 0.99)


def _first(held: Sequence[int | None], ways: tuple[int, ...], step: int) -> frozenset[int]:
    """Items at the first of the times that any is at; a step of 60 compares hours only."""
    for way in ways:
        if found := frozenset(n for n, each in enumerate(held) if each is not None and each // step == way // step):
            return found
    return frozenset()


def _bounded_time(
    folded: str,
    match: re.Match[str],
    ways: tuple[int, ...],
    language: str,
    at: Callable[[Callable[[int], bool]], frozenset[int]],
) -> frozenset[int] | None:
    bounds = {name: compiled(language, pattern) for name, pattern in grammar(language)["bounds"].items()}
    before, after = folded[max(0, match.start() - 20) : match.start()], folded[match.end() : match.end() + 8]
    if bounds["at_most"].search(before) or bounds["before_after"].match(after):
        return at(lambda each: each < ways[0])
    if bounds["at_least"].search(before) or bounds["after_after"].match(after):
        return at(lambda each: each > ways[-1])
    return None


def _ways(match: re.Match[str], language: str) -> tuple[int, ...]:
    """Minutes since midnight that a time may mean: 9:00 is also 21:00 where nothing tells."""
    entry = grammar(language)["clock"]
    groups = match.groupdict()
    if word := groups.get("word"):
        return (entry["words"][word],)
    hour = 0 if groups["h"] in ("0", "00") else rank_of(language, groups["h"])
    minutes = groups.get("m") or ""
    minute = int(minutes) if minutes.isdigit() else rank_of(language, minutes) if minutes else 0
    if hour is None or minute is None or hour > 24 or minute > 59:
        return ()
    if past := groups.get("past"):
        minute = entry["quarters"].get(past, entry["half"])
    at = hour * 60 + minute - (entry["quarters"]["to"] if groups.get("to") else 0)
    if half := groups.get("half"):
        return ((at % 720) + (720 if half == "p" else 0),)
    if part := groups.get("part"):
        low, high = grammar(language)["parts"].get(part, (0, 1440))
        fitting = tuple(w for w in (at, at + 720) if low <= w < high or low <= w + 1440 < high)
        return fitting or (at,)
    return (at, at + 720) if at < 780 else (at,)


def parts_of_day(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """Parts of the day: "the morning one", 晚上那趟."""
    fields = _clock_fields(table, folded)
    if not fields:
        return
    held = [clock_of(value) for value in fields[0].values]
    for part, (low, high) in grammar(language)["parts"].items():
        for start, end in bounded(folded, part):
            if free(start, end):
                items = frozenset(
                    n for n, at in enumerate(held) if at is not None and (low <= at < high or low <= at + 1440 < high)
                )
                if items:
                    yield Feature(Sort.TIME, start, end, items, 0.98)


# ---------------------------------------------------------------------- days


@cache
def _calendar(table: str) -> tuple[tuple[int, str], ...]:
    return tuple((at, word) for at, words in enumerate(concepts(table).values()) for word in words)


def weekdays(words: Sequence[Token], table: Table, free: Free) -> Iterable[Feature]:
    """Days of the week: "the Saturday one", 周六那场."""
    names = _calendar("days")
    for token in words:
        here = [at for at, word in names if token.text in (word, f"{word}s", f"{word}'s")]
        if not here or not free(token.start, token.end):
            continue
        spelled = [word for at, word in names if at == here[0]]
        items = frozenset(
            at
            for field in table.fields
            for at, value in enumerate(field.values)
            if ((day := day_of(value)) and day.weekday() == here[0])
            or (isinstance(value, str) and any(bounded_any(fold(value), word) for word in spelled))
        )
        if items:
            yield Feature(Sort.DAY, token.start, token.end, items, 0.985)


def calendar_days(folded: str, table: Table, language: str, free: Free) -> Iterable[Feature]:
    """Days of a month and months: "the one on the 21st", 七月十号那场."""
    fields = [field for field in table.fields if any(month_day(value) for value in field.values)]
    if not fields:
        return
    months = {word: at + 1 for at, word in _calendar("months")}
    for pattern in grammar(language)["calendar"]["find"]:
        for match in compiled(language, pattern).finditer(folded):
            groups = match.groupdict()
            month = months.get(groups.get("month") or "")
            day = rank_of(language, groups["day"]) if groups.get("day") else None
            if not free(*match.span()) or (month is None and day is None):
                continue
            items = frozenset(
                at
                for field in fields
                for at, value in enumerate(field.values)
                if (held := month_day(value)) and month in (None, held[0]) and day in (None, held[1])
            )
            if items:
                yield Feature(Sort.DAY, *match.span(), items, 0.985)
