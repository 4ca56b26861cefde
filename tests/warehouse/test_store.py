"""The store: idempotent writes, filters, newest rows, status."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wildtool.schemas.errors import StoreError
from wildtool.schemas.label import Adjudication, Label, PushedTask
from wildtool.schemas.quarantine import Quarantined, StageReport, StepCount
from wildtool.schemas.score import Rate, ScoreReport, TaskScore
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Language, Stage
from wildtool.warehouse.store.store import READ_BATCH, Store


def bad_row(number: int, stage: Stage = Stage.MINE, reason: str = "broken_json") -> Quarantined:
    return Quarantined.of(stage=stage, step="read", reason=reason, line=number, raw="{")


def report(run: str, rows: int, stage: Stage = Stage.MINE) -> StageReport:
    steps = (StepCount(step="read", rows_in=rows, rows_out=rows, quarantined=0),)
    return StageReport(stage=stage, run=run, steps=steps)


def test_a_store_that_was_never_written_is_empty_and_makes_no_file(store: Store) -> None:
    assert store.read(Session) == []
    assert store.get(Session, "ses_1") is None
    assert store.get_state("x", 7) == 7
    status = store.status()
    assert not status.exists and status.counts["Session"] == 0 and status.stages == {}
    assert not store.path.parent.exists()


def test_put_is_idempotent_by_id(store: Store, sessions: list[Session]) -> None:
    assert store.put(sessions) == 24
    assert store.put(sessions) == 0
    assert store.put([*sessions, sessions[0]]) == 0
    assert store.read(Session) == sorted(sessions, key=lambda session: session.id)
    assert store.get(Session, sessions[3].id) == sessions[3]


def test_a_second_run_leaves_the_file_as_it_was(store: Store, sessions: list[Session]) -> None:
    store.put(sessions)
    before = store.path.read_bytes()
    store.put(sessions)
    assert store.path.read_bytes() == before


def test_records_of_several_types_in_one_put(store: Store, sessions: list[Session], label: Any) -> None:
    assert store.put([sessions[0], bad_row(1), label(sessions[0]), sessions[1], bad_row(1)]) == 4
    assert store.count(Session) == 2
    assert store.count(Quarantined) == 1
    with pytest.raises(TypeError, match="no StepCount"):
        store.put([StepCount(step="x", rows_in=0, rows_out=0, quarantined=0)])


def test_filters(store: Store, sessions: list[Session]) -> None:
    store.put(sessions)
    assert {session.language for session in store.read(Session, language=Language.ZH)} == {Language.ZH}
    assert store.count(Session, language=["en", "zh"]) == 24
    assert store.count(Session, language="en", draft="drf_3") == 1
    assert store.count(Session, draft=None) == 0
    assert store.ids(Session, id=[sessions[1].id, "ses_none"]) == [sessions[1].id]
    with pytest.raises(ValueError, match="no column colour"):
        store.read(Session, colour="red")


def test_iterate_pages(store: Store) -> None:
    rows = [bad_row(number) for number in range(READ_BATCH * 2)]
    assert store.quarantine(rows) == len(rows)
    seen = [row.id for row in store.iterate(Quarantined)]
    assert seen == sorted(row.id for row in rows)
    # The file is free between pages: a writer gets in while a reader stands still.
    reading = store.iterate(Quarantined)
    next(reading)
    assert store.quarantine([bad_row(-1)]) == 1


def test_a_corrected_session_replaces_the_old(store: Store, make: Callable[..., Session]) -> None:
    session = make(1)
    store.put([session])
    changed = session.model_copy(update={"category": "Other"})
    assert store.put([changed]) == 0
    assert store.read(Session) == [changed]


def test_of_labels_the_newest_by_annotation_is_current(store: Store, make: Any, label: Any) -> None:
    session = make(1)
    first = label(session)
    second = label(session, decision="reject", updated_at="2026-01-02T05:00:00+01:00")
    other = label(session, annotator="ann-2", annotation_id=2)
    store.put([second, first, other])
    # 05:00+01:00 is 04:00 UTC, later than 03:04 UTC.
    assert {row.id for row in store.read(Label)} == {second.id, other.id}
    assert store.get(Label, first.id) == first
    back = label(session, updated_at="2026-01-02T06:00:00+00:00")
    assert back.id == first.id
    store.put([back])
    assert {row.id for row in store.read(Label)} == {back.id, other.id}
    store.put([first])
    assert store.get(Label, first.id) == back


def test_of_adjudications_the_last_written_is_current(store: Store, make: Any) -> None:
    session = make(1)

    def adjudication(method: str) -> Adjudication:
        return Adjudication.of(
            session=session.id, draft="drf_1", decision="accept", tasks=session.tasks, labels=(), method=method,
            simulated=True,
        )  # fmt: skip

    one, two = adjudication("single"), adjudication("agreement")
    store.put([one])
    store.put([two])
    assert store.read(Adjudication) == [two]
    store.put([one])
    assert store.read(Adjudication) == [one]
    before = store.path.read_bytes()
    store.put([one])
    assert store.path.read_bytes() == before


def test_ledger(store: Store) -> None:
    entry = PushedTask(draft="d", project="p", server="http://s", project_id=1, task_id=7, interface="i")
    assert store.put([entry]) == 1
    assert store.put([entry.model_copy(update={"task_id": 8})]) == 0
    found = store.pushed("d", "http://s", "p")
    assert found is not None and found.task_id == 8
    assert store.pushed("d", "http://s", "other") is None
    assert store.put([entry.model_copy(update={"round": 2})]) == 1


def test_reports_and_status(store: Store, sessions: list[Session]) -> None:
    store.put(sessions)
    store.put_report(report("a", 1))
    store.put_report(report("b", 2))
    store.put_report(report("c", 3, Stage.DRAFT))
    store.put_report(report("a", 5))
    assert [row.run for row in store.reports(Stage.MINE)] == ["b", "a"]
    store.quarantine([bad_row(1), bad_row(2), bad_row(3, Stage.DRAFT, "schema")])
    assert len(store.quarantined(Stage.MINE)) == 2 and len(store.quarantined()) == 3
    status = store.status()
    assert status.exists and status.bytes > 0 and status.version >= 2
    assert status.counts["Session"] == 24
    assert list(status.stages) == [Stage.MINE, Stage.DRAFT]
    assert status.stages[Stage.MINE].steps[0].rows_in == 5
    assert status.quarantine == {Stage.MINE: {"broken_json": 2}, Stage.DRAFT: {"schema": 1}}
    assert type(status).model_validate_json(status.to_json()) == status


def test_scores_of_a_run_replace_the_earlier_ones(store: Store) -> None:
    rate = Rate(value=1.0, n=1)
    score = ScoreReport(
        release="0.1.0", release_digest="d", candidate="gold", rules="exact", rules_version="1", code_version="1",
        complete_run=True, sessions=1, task_accuracy=rate, session_accuracy=rate, optimal_path_rate=rate,
        accomplish_progress_rate=rate,
    )  # fmt: skip

    def task_score(task: int, correct: bool) -> TaskScore:
        return TaskScore(
            session="s", task=task, language="en", category="c", type="single", complete=True, correct=correct,
            optimal=True, depth=1, steps=1, actions_done=1, actions_total=1,
        )  # fmt: skip

    store.put_scores(score, [task_score(0, True), task_score(1, True)])
    store.put_scores(score, [task_score(1, False), task_score(2, True)])
    assert store.task_scores(score) == [task_score(1, False), task_score(2, True)]
    assert store.read(ScoreReport) == [score]


def test_state(store: Store) -> None:
    store.set_state("pulled", {"project": "2026-01-01T00:00:00+00:00"})
    store.set_state("pulled", ["x", None, 1])
    assert store.get_state("pulled") == ["x", None, 1]


def test_threads_of_one_process_take_turns(store: Store) -> None:
    errors: list[Exception] = []

    def write(start: int) -> None:
        try:
            for number in range(start, start + 5):
                Store(store.path).quarantine([bad_row(number), bad_row(0)])
                store.status()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(start * 100,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert store.count(Quarantined) == 20


def test_backup_and_restore(store: Store, sessions: list[Session], tmp_path: Path) -> None:
    store.put(sessions[:5])
    copy = tmp_path / "it's a copy.duckdb"
    assert store.backup(copy) > 0
    with pytest.raises(StoreError, match="exists"):
        store.backup(copy)
    store.put(sessions)
    kept = store.restore(copy)
    assert kept is not None and Store(kept).count(Session) == 24
    assert store.count(Session) == 5
    assert store.put(sessions) == 19
    elsewhere = Store(tmp_path / "new" / "warehouse.duckdb")
    assert elsewhere.restore(copy) is None
    assert elsewhere.count(Session) == 5


def test_restore_mends_a_damaged_store(store: Store, sessions: list[Session], tmp_path: Path) -> None:
    store.put(sessions)
    store.backup(tmp_path / "copy.duckdb")
    store.path.write_bytes(b"garbage" * 5000)
    with pytest.raises(StoreError, match="not a DuckDB file"):
        store.count(Session)
    store.restore(tmp_path / "copy.duckdb")
    assert store.count(Session) == 24


def test_many_rows_take_seconds(store: Store) -> None:
    rows = [bad_row(number) for number in range(10_000)]
    start = time.monotonic()
    assert store.put(rows) == 10_000
    assert store.put(rows) == 0
    assert store.count(Quarantined) == 10_000
    # 1 s alone on two cores; the bound leaves room for a busy machine.
    assert time.monotonic() - start < 30
