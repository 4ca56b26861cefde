"""Label Studio that is slow, down, restarted, answers 5xx or forgets tokens in the middle: nothing lost, nothing twice.

A proxy in front of the real server does to requests what networks do.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tests.annotation.faulty_proxy import PATIENCE_SECONDS, FaultyProxy
from wildtool.annotation import (
    Connection,
    LabelStudioBackend,
    LabelStudioServer,
    RunningServer,
    connect,
    default_annotators,
    pull_labels,
    push,
    push_drafts,
    simulate_annotators,
)
from wildtool.annotation.label_studio import connection as client
from wildtool.annotation.label_studio.projects import find_project
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import ServiceError

pytestmark = pytest.mark.e2e


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many requests for few drafts."""
    monkeypatch.setattr(push, "BATCH", 5)


def _drafts(annotation_drafts: ModuleType, n: int) -> list[Draft]:
    return [annotation_drafts.draft(index) for index in range(n)]


def _once(connection: Connection, project: str, drafts: list[Draft]) -> None:
    there = find_project(connection, project)
    assert there is not None
    tasks = list(connection.tasks(int(there["id"]), page_size=1000, include="id,data,total_predictions"))
    assert Counter(task["data"]["uid"] for task in tasks) == Counter(draft.id for draft in drafts)
    assert {task["total_predictions"] for task in tasks} == {1}


@pytest.mark.parametrize("kind", ["502", "drop", "lose", "hang"])
def test_push_and_pull_over_a_bad_line(
    kind: str,
    label_studio: RunningServer,
    connection: Connection,
    annotation_drafts: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every third request fails, whichever it is (every eighth hangs)."""
    every = 8 if kind == "hang" else 3
    drafts, project = _drafts(annotation_drafts, 12), f"bad line {kind}"
    push_drafts(
        [], LabelStudioBackend(connection), project=project
    )  # a lost answer to its making would make a second, empty one
    with FaultyProxy(label_studio.url, lambda n, method, path: kind if n % every == 0 else "") as proxy:
        if kind == "hang":
            monkeypatch.setattr(client, "TIMEOUT_SECONDS", PATIENCE_SECONDS)
        with connect(proxy.url, label_studio.token, sleep=lambda seconds: None) as shaky:
            pushed = push_drafts(drafts, LabelStudioBackend(shaky), project=project, double_share=0.5)
            assert {entry.draft for entry in pushed.pushed} == {draft.id for draft in drafts}
            assert sum(entry.people for entry in pushed.pushed) == 18
            _once(connection, project, drafts)
            simulate_annotators(
                LabelStudioBackend(connection), project=project, drafts=drafts, annotators=default_annotators(1)
            )
            over_it = pull_labels(LabelStudioBackend(shaky), project=project, drafts=drafts)
        assert proxy.met[kind] >= 2
    assert over_it.labels == pull_labels(LabelStudioBackend(connection), project=project, drafts=drafts).labels
    assert len(over_it.labels) == 18


def test_a_token_that_expires_in_the_middle_is_renewed(
    label_studio: RunningServer, connection: Connection, personal_token: str, annotation_drafts: ModuleType
) -> None:
    drafts, project = _drafts(annotation_drafts, 10), "token expires"
    refreshed: list[int] = []

    def fault(n: int, method: str, path: str) -> str:
        if path.startswith("/api/token/refresh"):
            refreshed.append(n)
            return ""
        # Every access token serves for four requests.
        return "401" if refreshed and n - refreshed[-1] > 4 else ""

    with FaultyProxy(label_studio.url, fault) as proxy:
        with connect(proxy.url, personal_token) as personal:
            assert len(push_drafts(drafts, LabelStudioBackend(personal), project=project).pushed) == 10
        assert len(refreshed) >= 2
    _once(connection, project, drafts)
    # One that is taken back for good is told, with what to do.
    with FaultyProxy(label_studio.url, lambda n, method, path: "401" if n > 3 else "") as proxy:
        with connect(proxy.url, personal_token) as personal, pytest.raises(ServiceError, match="refuses") as told:
            push_drafts(drafts, LabelStudioBackend(personal), project=project)
        assert "LABEL_STUDIO_API_KEY" in told.value.remedy


def test_a_server_that_stays_down_is_told_and_the_next_run_finishes(
    label_studio: RunningServer, connection: Connection, annotation_drafts: ModuleType
) -> None:
    drafts, project = _drafts(annotation_drafts, 12), "goes down"
    with (
        FaultyProxy(label_studio.url, lambda n, method, path: "drop" if n > 6 else "") as proxy,
        connect(proxy.url, label_studio.token, sleep=lambda seconds: None) as shaky,
    ):
        with pytest.raises(ServiceError, match="does not answer"):
            push_drafts(drafts, LabelStudioBackend(shaky), project=project)
        with pytest.raises(ServiceError, match="does not answer"):
            pull_labels(LabelStudioBackend(shaky), project=project, drafts=drafts)
    assert push_drafts(drafts, LabelStudioBackend(connection), project=project).pushed
    _once(connection, project, drafts)


def test_a_bad_line_of_every_kind_at_random(
    label_studio: RunningServer, connection: Connection, annotation_drafts: ModuleType
) -> None:
    drafts, project = _drafts(annotation_drafts, 30), "at random"
    push_drafts([], LabelStudioBackend(connection), project=project)
    rng = Random(5)
    kinds = ["502", "503", "429", "drop", "lose"]

    def fault(n: int, method: str, path: str) -> str:
        return rng.choice(kinds) if n > 1 and rng.random() < 0.35 else ""

    with FaultyProxy(label_studio.url, fault) as proxy:
        for _ in range(20):
            try:
                with connect(proxy.url, label_studio.token, sleep=lambda seconds: None) as shaky:
                    push_drafts(drafts, LabelStudioBackend(shaky), project=project)
                break
            except ServiceError:
                continue
        else:
            pytest.fail("never done")
        assert len(proxy.met) > 4
    _once(connection, project, drafts)


def test_a_server_restarted_in_the_middle_of_a_push_and_of_a_pull(
    tmp_path: Path, annotation_drafts: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts, project = _drafts(annotation_drafts, 15), "restarted"
    server = LabelStudioServer(tmp_path)
    running = server.start()
    restarts: list[threading.Thread] = []

    def restart() -> None:
        os.killpg(server.running().pid, signal.SIGKILL)  # type: ignore[union-attr]
        restarts.append(threading.Thread(target=server.start))
        restarts[-1].start()

    def after_a_batch(_: object) -> None:
        if not restarts:
            restart()

    try:
        with connect(running.url, running.token) as connection:
            result = push_drafts(drafts, LabelStudioBackend(connection), project=project, on_pushed=after_a_batch)
            assert len(result.pushed) == 15
            _once(connection, project, drafts)
            simulate_annotators(
                LabelStudioBackend(connection), project=project, drafts=drafts, annotators=default_annotators(1)
            )
            whole = pull_labels(LabelStudioBackend(connection), project=project, drafts=drafts)
            monkeypatch.setattr(client, "PAGE_SIZE", 5)
            original, pages = Connection.request, []

            def request(self: Connection, method: str, path: str, **rest: object) -> object:
                if path == "/api/tasks":
                    pages.append(path)
                    if len(pages) == 3:
                        restart()
                return original(self, method, path, **rest)  # type: ignore[arg-type]

            monkeypatch.setattr(Connection, "request", request)
            assert pull_labels(LabelStudioBackend(connection), project=project, drafts=drafts).labels == whole.labels
            assert len(whole.labels) == 30
        assert len(restarts) == 2
    finally:
        for thread in restarts:
            thread.join()
        server.stop()
