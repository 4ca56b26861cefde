"""The sample of openings: bounded however long the log, the same in whatever order it comes, everything where it is small."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import orjson
import pyarrow as pa
import pytest

from wildtool.language.lexicon import languages
from wildtool.mining.scenarios.domains import domain_of, domain_scores
from wildtool.mining.shard_reader import Openers

MOST = 200


def shards(order: list[int], size: int = 50) -> Iterator[pa.Table]:
    """Rows of 1 to 12 openings each, in this order."""
    for start in range(0, len(order), size):
        yield pa.Table.from_pylist(
            [
                {"row": place, "id": f"cnv_{number * 7919 % 10_007:05d}", "user": f"u{number}", "counts": b"",
                 "openings": orjson.dumps([[turn, "", f"opening {turn} of {number}", ""] for turn in range(1 + number % 12)]).decode()}
                for place, number in enumerate(order[start : start + size], start)
            ]
        )  # fmt: skip


def taken(order: list[int]) -> tuple[set[str], int, bool, int]:
    """Ids taken, openings in all, whether that is a sample, and the most rows that were ever held."""
    openers, held = Openers(MOST), 0
    for table in shards(order):
        openers.add(table)
        held = max(held, len(openers))
    rows = openers.taken()
    assert [row["row"] for row in rows] == sorted(row["row"] for row in rows)
    return {row["id"] for row in rows}, sum(len(row["openings"]) for row in rows), openers.sampled, held


def test_rows_held_do_not_grow_with_the_log() -> None:
    _, openings, sampled, held = taken(list(range(10_000)))
    assert sampled
    assert held <= 2 * MOST
    assert MOST - 12 < openings <= MOST


def test_no_order_of_the_log_changes_the_sample() -> None:
    order = list(range(5_000))
    first = taken(order)[0]
    for seed in range(3):
        np.random.default_rng(seed).shuffle(order)
        assert taken(order)[0] == first


@pytest.mark.parametrize("rows", [0, 1, 30])
def test_few_openings_are_all_taken(rows: int) -> None:
    ids, openings, sampled, _ = taken(list(range(rows)))
    assert len(ids) == rows
    assert openings == sum(1 + number % 12 for number in range(rows))
    assert not sampled


def test_one_row_of_more_openings_than_wanted_is_taken_all_the_same() -> None:
    openers = Openers(5)
    for table in shards([11, 23]):
        openers.add(table)
    assert len(openers.taken()) == 1
    assert openers.sampled


@pytest.mark.parametrize(
    ("text", "language", "domains"),
    [
        # "share price" is a word of one category and begins with no word that hides another's
        ("share price of ACME, and share the recipe", "en", {"stocks and crypto", "food and drink"}),
        ("WEATHER in Lyon; trains to Bergen?", "en", {"weather and astronomy", "rail and transit"}),
        ("查天气，再订高铁", "zh", {"weather and astronomy", "rail and transit"}),
        ("", "en", set()),
    ],
)
def test_every_category_with_a_word_scores(text: str, language: str, domains: set[str]) -> None:
    assert domains <= set(domain_scores(text, language))
    assert (domain_of(text, language) is None) == (not domains)


def test_one_look_for_all_words_misses_no_category(monkeypatch: pytest.MonkeyPatch) -> None:
    from wildtool.mining.scenarios.domains import _lists, _terms

    monkeypatch.setattr("wildtool.mining.scenarios.domains.in_sense", lambda *_: True)  # whatever they mean

    for language in languages():
        for words in _lists(language).values():
            for word in words:
                for text in (word, word.upper(), f"so {word} and", f"x{word}s, {word}s"):
                    alone = {minor for minor, expression in _terms(language).items() if expression.search(text)}
                    assert set(domain_scores(text, language)) == alone
