"""Shards: any cut of a log gives the same result, copies are found across shards, a killed run goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wildtool.language.detection import with_language
from wildtool.mining import MiningResult, MiningSettings, mine, read_logs
from wildtool.mining.behaviour import observe
from wildtool.mining.deduplicate import jaccard, normal, shingles, sketches
from wildtool.mining.parallel import in_processes
from wildtool.mining.privacy import scrub
from wildtool.mining.process_shard import Shard, digest, shards, written
from wildtool.mining.readers import RawRow
from wildtool.mining.statistics import counted, stats_of, summed

PLACES = "Lyon Bergen Tucson Sapporo Delhi Quito Accra Perth Turin Leeds".split()


def rows(count: int) -> list[dict[str, Any]]:
    """Conversations that differ from each other in most words."""
    rng = np.random.default_rng(3)
    made = []
    for number in range(count):
        words = " ".join("".join(chr(97 + int(sign)) for sign in rng.integers(0, 26, 6)) for _ in range(20))
        text = f"what is the weather in {PLACES[number % 10]} tomorrow, and is {words} open"
        made.append({"id": f"c{number}", "user": f"u{number}", "messages": [{"role": "user", "content": text}]})
    return made


def log(path: Path, made: list[dict[str, Any]]) -> str:
    path.write_text("\n".join(map(json.dumps, made)), encoding="utf-8")
    return str(path)


def facts(result: MiningResult) -> tuple[Any, ...]:
    return (
        result.seeds,
        list(result.behaviours),
        sorted((row.source, row.line, row.reason, row.detail, row.raw) for row in result.quarantined),
        result.stats,
        result.report,
        result.copies,
        result.personal,
    )


def here(function: Callable[[Any], Any], items: Iterable[Any], *, name: str) -> Iterator[tuple[Any, Any]]:
    """A runner in this process that finishes shards in the wrong order."""
    yield from ((item, function(item)) for item in reversed(list(items)))


def test_any_cut_of_a_log_gives_the_same_result(repository: Path) -> None:
    logs = [str(repository / "examples" / "logs")]
    whole = mine(logs)
    assert facts(mine(logs, shard_rows=50, runner=here)) == facts(whole)


@pytest.mark.e2e  # processes of its own
def test_worker_processes_change_no_result(repository: Path) -> None:
    logs = [str(repository / "examples" / "logs")]
    assert facts(mine(logs, shard_rows=120, runner=in_processes)) == facts(mine(logs, runner=here))


def test_copies_are_found_across_shards_and_stand_behind_the_first(tmp_path: Path) -> None:
    made = rows(40)
    exact = made[3] | {"id": "again"}
    near = json.loads(json.dumps(made[5]).replace("tomorrow", "tomorow"))
    shouted = json.loads(json.dumps(made[3]).replace("what is", "WHAT  IS")) | {"id": "loud"}
    made += [exact, near | {"id": "near"}, shouted]
    result = mine(
        [log(tmp_path / "log.jsonl", made)], shard_rows=7, runner=here, settings=MiningSettings(keep_raw=True)
    )
    dropped = {row.line: row for row in result.quarantined}
    assert {line: row.reason for line, row in dropped.items()} == {
        41: "exact_duplicate",
        42: "near_duplicate",
        43: "exact_duplicate",
    }
    assert sorted(result.copies.values()) == [2, 3]
    kept = {one.conversation: one.copies for one in result.behaviours if one.copies > 1}
    assert kept == result.copies  # so it goes to the store with them
    for row in dropped.values():
        assert row.detail.removeprefix("stands behind ") in result.copies
    assert json.loads(dropped[41].raw) == exact


def test_a_killed_run_digests_only_what_is_missing(tmp_path: Path) -> None:
    path = log(tmp_path / "log.jsonl", rows(60))
    spool = tmp_path / "spool"
    digested: list[int] = []

    def dies(function: Callable[[Any], Any], items: Iterable[Any], *, name: str) -> Iterator[tuple[Any, Any]]:
        for item in items:
            if len(digested) == 4:
                raise KeyboardInterrupt
            digested.append(item.number)
            yield item, function(item)

    with pytest.raises(KeyboardInterrupt):
        mine([path], spool=spool, runner=dies, shard_rows=10)
    (spool / ".123-shard-000004.parquet.new").write_bytes(b"half a fi")

    def counts(function: Callable[[Any], Any], items: Iterable[Any], *, name: str) -> Iterator[tuple[Any, Any]]:
        for item in items:
            digested.append(item.number)
            yield item, function(item)

    result = mine([path], spool=spool, runner=counts, shard_rows=10)
    assert digested == [0, 1, 2, 3, 4, 5]
    assert facts(result) == facts(mine([path], runner=here))


def test_a_shard_is_full_at_its_rows_or_bytes() -> None:
    many = [RawRow("log", number, b"x" * 10) for number in range(10)]
    assert [(shard.first, len(shard.rows)) for shard in shards(many, size=4)] == [(0, 4), (4, 4), (8, 2)]
    assert [len(shard.rows) for shard in shards(many, most_bytes=30)] == [3, 3, 3, 1]


def test_a_shard_of_nothing_but_bad_rows_is_a_table_all_the_same() -> None:
    table = digest(Shard(0, 0, (RawRow("log", 1, b"{"), RawRow("log", 2, b"[1]"))))
    assert table["step"].to_pylist() == ["read", "read"]


def test_behaviours_are_written_as_the_record_writes_itself(repository: Path) -> None:
    seen = 0
    for one in read_logs(str(repository / "examples" / "logs"), quarantine=lambda row: None):
        behaviour = observe(scrub(with_language(one)))
        assert written(behaviour.conversation, behaviour.language, behaviour.turns) == (
            behaviour.id,
            behaviour.to_json(),
        )
        seen += len(behaviour.turns)
    assert seen > 300


def test_stats_are_those_of_the_kept_behaviours(repository: Path) -> None:
    result = mine([str(repository / "examples" / "logs")])
    for language, stats in result.stats.items():
        vectors = [counted(one.turns).tobytes() for one in result.behaviours if one.language == language]
        assert stats == stats_of(summed(vectors))


def test_sketches_agree_as_sets_do() -> None:
    rng = np.random.default_rng(1)
    base = "".join(chr(97 + int(sign)) for sign in rng.integers(0, 26, 3000))
    for cut in (0, 150, 400, 1200):
        left, right = shingles(base), shingles(base[cut:] + normal("Other " * 3 + base[:0]))
        found = sketches([left, right])
        agreement = float((found.values[0] == found.values[1]).mean())
        assert abs(agreement - jaccard(left, right)) < 0.17


def test_jaccard_counts_distinct_shingles() -> None:
    assert jaccard(shingles("abcdef"), shingles("abcdef")) == 1
    assert jaccard(shingles("abcdef"), shingles("bcdefg")) == pytest.approx(1 / 3)
    assert jaccard(shingles("abc"), shingles("abc")) == 0


def test_a_log_of_one_template_stands_behind_its_first_row(tmp_path: Path) -> None:
    """Every pair is near: what is compared is bounded, and what was found is folded in the order of the log."""
    text = "please book the usual table by the window for the two of us at the harbour restaurant tomorrow evening, number {}"
    made = [
        {"id": f"c{number}", "user": f"u{number}", "messages": [{"role": "user", "content": text.format(number)}]}
        for number in range(300)
    ]
    result = mine([log(tmp_path / "log.jsonl", made)], shard_rows=40, runner=here)
    (kept,) = result.behaviours
    assert result.copies == {kept.conversation: 300}
    assert {row.reason for row in result.quarantined} == {"near_duplicate"}
    assert sorted(row.line or 0 for row in result.quarantined) == list(range(2, 301))
