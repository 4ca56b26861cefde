"""The annotation room against a real Label Studio server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from wildtool.annotation import (
    Case,
    Connection,
    ErrorRates,
    HookServer,
    LabelStudioBackend,
    LabelStudioServer,
    RunningServer,
    adjudicate,
    connect,
    default_annotators,
    disagreement,
    measure_agreement,
    pull_labels,
    push_adjudication,
    push_drafts,
    simulate_adjudicator,
    simulate_annotators,
)
from wildtool.annotation.form.encode import draft_form
from wildtool.annotation.label_studio.accounts import account_token
from wildtool.annotation.label_studio.projects import find_project
from wildtool.annotation.label_studio.results import form_result
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.vocabulary import Decision

pytestmark = pytest.mark.e2e


def _uids(connection: Connection, project: str) -> Counter[str]:
    there = find_project(connection, project)
    assert there is not None
    return Counter(task["data"]["uid"] for task in connection.tasks(there["id"], page_size=1000, include="id,data"))


def test_two_homes_two_servers_restart_and_stale_pid(label_studio: RunningServer, tmp_path: Path) -> None:
    said: list[str] = []
    server = LabelStudioServer(tmp_path / "second")
    second = server.start(said.append)
    try:
        assert second.url != label_studio.url
        assert httpx.get(f"{label_studio.url}/health", trust_env=False).status_code == 200
        assert LabelStudioServer(tmp_path / "second").start() == second  # a second start returns the running one
        with pytest.raises(ServiceError, match="refuses the token"):
            connect(second.url, label_studio.token)
        # Killed with all its processes: the pid file is stale, the same command starts it again with its data.
        os.killpg(second.pid, signal.SIGKILL)
        again = server.start(said.append)
        assert (again.url, again.token) == (second.url, second.token)
        assert again.pid != second.pid
    finally:
        assert server.stop()
    assert not server.stop()
    assert not server.status().running
    log = server.log.read_text(encoding="utf-8", errors="replace")
    told = "\n".join(said)
    for secret in (second.token, second.password):
        assert secret not in log
        assert secret not in told
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{second.url}/health", trust_env=False)


def test_it_listens_on_loopback_and_sign_up_needs_the_link(label_studio: RunningServer) -> None:
    port = int(label_studio.url.rpartition(":")[2])
    listening = Path("/proc/net/tcp")
    if listening.exists():
        rows = [
            line.split()[1]
            for line in listening.read_text(encoding="utf-8").splitlines()[1:]
            if line.split()[3] == "0A"
        ]
        assert [row for row in rows if int(row.rpartition(":")[2], 16) == port] == [f"0100007F:{port:04X}"]
    with httpx.Client(base_url=label_studio.url, trust_env=False) as browser:
        browser.get("/user/signup/")
        form = {"email": "x@y.invalid", "password": "longenough1", "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        answer = browser.post("/user/signup/", data=form, headers={"Referer": label_studio.url})
    assert answer.status_code == 403


def test_a_personal_access_token_serves_too(label_studio: RunningServer, personal_token: str) -> None:
    with connect(label_studio.url, personal_token) as personal:
        assert personal.get("/api/current-user/whoami")["email"] == label_studio.email


def test_push_twice_is_each_draft_once_most_doubtful_first(
    connection: Connection, annotation_drafts: ModuleType
) -> None:
    doubt = annotation_drafts.DOUBT
    drafts = [annotation_drafts.draft(index, verdicts=(doubt,) * (index % 3)) for index in range(60)]
    first = push_drafts(drafts[:30], LabelStudioBackend(connection), project="push twice")
    second = push_drafts(drafts, LabelStudioBackend(connection), project="push twice", already=first.pushed)
    third = push_drafts(drafts, LabelStudioBackend(connection), project="push twice")  # the ledger is lost
    assert (first.new, second.new, third.new) == (30, 30, 0)
    assert set(_uids(connection, "push twice").values()) == {1}
    assert {entry.draft: entry.task_id for entry in third.pushed} == {e.draft: e.task_id for e in second.pushed}
    there = connection.tasks(first.project_id, page_size=1000, include="id,data")
    assert {entry.task_id: entry.draft for entry in third.pushed} == {task["id"]: task["data"]["uid"] for task in there}
    by_id = {draft.id: draft for draft in drafts}
    order = sorted(first.pushed, key=lambda entry: entry.task_id)
    doubts = [len(by_id[entry.draft].verdicts) for entry in order]
    assert doubts == sorted(doubts, reverse=True)
    project = connection.get(f"/api/projects/{first.project_id}")
    assert (project["maximum_annotations"], project["model_version"]) == (2, "offline")
    assert "Hidden intent" in project["expert_instruction"]
    predictions = connection.get(f"/api/tasks/{order[0].task_id}/")["predictions"]
    assert len(predictions) == 1


def test_a_push_killed_in_the_middle_is_finished_by_the_next(
    label_studio: RunningServer, connection: Connection, annotation_drafts: ModuleType, repository: Path
) -> None:
    script = f"""
        import importlib.util, os, signal
        from wildtool.annotation import push
        from wildtool.annotation import LabelStudioBackend, connect
        spec = importlib.util.spec_from_file_location("d", {str(repository / "tests/annotation/drafts.py")!r})
        d = importlib.util.module_from_spec(spec); spec.loader.exec_module(d)
        push.BATCH = 10
        def kill(entries):
            if len(seen := globals().setdefault("_seen", [])) == 1: os.kill(os.getpid(), signal.SIGKILL)
            seen.append(entries)
        with connect({label_studio.url!r}, os.environ["TOKEN"]) as connection:
            push.push_drafts([d.draft(i) for i in range(40)], LabelStudioBackend(connection), project="killed", on_pushed=kill)
    """
    environment = {**os.environ, "TOKEN": label_studio.token}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment, cwd=repository, check=False, timeout=120
    )
    assert done.returncode == -signal.SIGKILL
    assert 0 < len(_uids(connection, "killed")) < 40
    result = push_drafts(
        [annotation_drafts.draft(index) for index in range(40)], LabelStudioBackend(connection), project="killed"
    )
    uids = _uids(connection, "killed")
    assert (len(uids), set(uids.values()), len(result.pushed)) == (40, {1}, 40)


def test_the_interface_grows_for_longer_drafts_and_old_labels_hold(
    connection: Connection, annotation_drafts: ModuleType
) -> None:
    draft = annotation_drafts.draft(0)
    first = push_drafts([draft], LabelStudioBackend(connection), project="growing")
    (annotator,) = default_annotators(1, 1, ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0))
    simulate_annotators(LabelStudioBackend(connection), project="growing", drafts=[draft], annotators=[annotator])
    chat = draft.session.tasks[3]
    longer = annotation_drafts.draft(1)
    session = longer.session.model_copy(update={"tasks": (*longer.session.tasks, chat)})
    longer = type(longer).of(plan=longer.plan, session=session, verdicts=(), offline=True)
    second = push_drafts([draft, longer], LabelStudioBackend(connection), project="growing")
    assert second.interface != first.interface
    pulled = pull_labels(LabelStudioBackend(connection), project="growing", drafts=[draft, longer])
    assert [label.tasks for label in pulled.labels] == [draft.session.tasks]
    with pytest.raises(InputError, match="another purpose"):
        push_adjudication([Case(draft=draft)], LabelStudioBackend(connection), project="growing")


def test_simulated_people_to_adjudicated_sessions(connection: Connection, annotation_drafts: ModuleType) -> None:
    drafts = [annotation_drafts.draft(index) for index in range(12)]
    push_drafts(drafts, LabelStudioBackend(connection), project="round 1")
    annotators = default_annotators(3, 2, ErrorRates(argument=0.1, edge=0.1, type=0.1, intent=0.1))
    made = simulate_annotators(LabelStudioBackend(connection), project="round 1", drafts=drafts, annotators=annotators)
    again = simulate_annotators(LabelStudioBackend(connection), project="round 1", drafts=drafts, annotators=annotators)
    assert (made.labelled, again.labelled, again.present) == (24, 0, 24)
    assert made.planted == again.planted
    pulled = pull_labels(LabelStudioBackend(connection), project="round 1", drafts=drafts)
    assert (len(pulled.labels), pulled.quarantined, pulled.seen) == (24, (), 24)
    assert all(label.simulated for label in pulled.labels)
    assert {label.annotator for label in pulled.labels} == set(made.pseudonyms)
    assert measure_agreement(pulled.labels).sessions == 12

    cases = [
        Case(draft=draft, labels=tuple(label for label in pulled.labels if label.draft == draft.id), differing=fields)
        for draft in drafts
        if (fields := disagreement(draft, pulled.labels))
    ]
    assert cases
    pushed = push_adjudication(cases, LabelStudioBackend(connection), project="adjudication")
    assert pushed.new == len(cases)
    simulate_adjudicator(LabelStudioBackend(connection), project="adjudication", drafts=drafts, seed=3)
    decided = pull_labels(LabelStudioBackend(connection), project="adjudication", drafts=drafts)
    by_draft = {label.draft: label for label in decided.labels}
    assert {label.round for label in decided.labels} == {2}
    for draft in drafts:
        final = adjudicate(draft, pulled.labels, adjudicator=by_draft.get(draft.id))
        assert final is not None
        assert final.simulated
        # The simulated adjudicator takes the draft for the truth, and planted errors never agree by chance here.
        assert final.tasks == draft.session.tasks or final.decision is Decision.REJECT


def test_pull_is_incremental_and_takes_the_newest_of_each_person(
    connection: Connection, annotation_drafts: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datetime

    from wildtool.annotation import pull

    monkeypatch.setattr(pull, "OVERLAP", datetime.timedelta(0))
    drafts = [annotation_drafts.draft(index) for index in range(3)]
    result = push_drafts(drafts, LabelStudioBackend(connection), project="incremental")
    task_of = {entry.draft: entry.task_id for entry in result.pushed}
    from wildtool.annotation import build_interface, fitting_spec

    spec = build_interface(fitting_spec(drafts)).spec

    def submit(index: int, **changes: list[str]) -> None:
        form = {**draft_form(drafts[index], spec), "decision": ["accept"], **changes}
        connection.post(
            f"/api/tasks/{task_of[drafts[index].id]}/annotations/", {"result": form_result(form), "lead_time": 1}
        )

    submit(0)
    first = pull_labels(LabelStudioBackend(connection), project="incremental", drafts=drafts)
    assert [label.draft for label in first.labels] == [drafts[0].id]
    time.sleep(0.05)
    submit(1, t1_c1_arguments=["{broken"])
    submit(2, t1_c1_arguments=['{"city": "Lille"}'])
    submit(2, t1_c1_arguments=['{"city": "Nice"}'])
    connection.post(
        f"/api/tasks/{task_of[drafts[0].id]}/annotations/?was_cancelled=1", {"result": [], "was_cancelled": True}
    )
    second = pull_labels(LabelStudioBackend(connection), project="incremental", drafts=drafts, since=first.newest)
    assert [label.tasks[0].actions[0].arguments for label in second.labels] == [{"city": "Nice"}]
    assert [label.draft for label in second.skipped] == [drafts[0].id]
    assert [(row.source, row.reason) for row in second.quarantined] == [(drafts[1].id, "broken_json")]
    assert second.seen == len(second.labels) + len(second.skipped) + len(second.quarantined) + second.superseded
    assert (
        pull_labels(LabelStudioBackend(connection), project="incremental", drafts=drafts, since=second.newest).seen == 0
    )
    stranger = pull_labels(LabelStudioBackend(connection), project="incremental", drafts=drafts[:1])
    assert {row.reason for row in stranger.quarantined} == {"unknown_draft"}

    # What came back goes to people again, with the reason.
    notes = {row.source: row.detail for row in second.quarantined}
    again = push_drafts([drafts[1]], LabelStudioBackend(connection), project="second look", round=2, notes=notes)
    shown = connection.get(f"/api/tasks/{again.pushed[0].task_id}/")["data"]["dialogue_html"]
    assert "Came back: task 1 c1" in shown


def test_an_edited_interface_is_found_out(connection: Connection, annotation_drafts: ModuleType) -> None:
    draft = annotation_drafts.draft(0)
    pushed = push_drafts([draft], LabelStudioBackend(connection), project="edited")
    simulate_annotators(
        LabelStudioBackend(connection), project="edited", drafts=[draft], annotators=default_annotators(1, 1)
    )
    xml = connection.get(f"/api/projects/{pushed.project_id}")["label_config"]
    connection.patch(f"/api/projects/{pushed.project_id}", {"label_config": xml.replace("Final answer", "Last words")})
    pulled = pull_labels(LabelStudioBackend(connection), project="edited", drafts=[draft])
    assert [row.reason for row in pulled.quarantined] == ["unknown_interface"]
    with pytest.raises(ServiceError, match="wildtool did not generate"):
        push_drafts([draft], LabelStudioBackend(connection), project="edited")


def test_accounts_of_people_are_not_simulated(connection: Connection) -> None:
    with pytest.raises(InputError, match="could be a person's"):
        account_token(connection, "someone@example.org")


def test_a_label_is_hinted_at_by_a_hook(annotation_drafts: ModuleType, tmp_path: Path) -> None:
    hinted, secret = threading.Event(), "a-secret-of-some-length"
    server = LabelStudioServer(tmp_path, loopback_hooks=True)
    running = server.start()
    try:
        with (
            connect(running.url, running.token) as connection,
            HookServer(secret, hinted.set, quiet_seconds=0.1) as hook,
        ):
            draft = annotation_drafts.draft(0)
            push_drafts([draft], LabelStudioBackend(connection), project="hooked")
            backend = LabelStudioBackend(connection)
            there = backend.find_project("hooked")
            assert there is not None
            for _ in range(2):
                backend.notify(there, hook.url, secret)
            assert len(connection.get("/api/webhooks/", project=there.id)) == 1
            simulate_annotators(
                LabelStudioBackend(connection), project="hooked", drafts=[draft], annotators=default_annotators(1, 1)
            )
            assert hinted.wait(10)
    finally:
        server.stop()


def test_no_such_project(connection: Connection) -> None:
    with pytest.raises(ServiceError, match="no project"):
        pull_labels(LabelStudioBackend(connection), project="never pushed", drafts=[])
