"""The rounds of labelling by the command line, on a real Label Studio server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from wildtool.annotation import (
    Connection,
    LabelStudioBackend,
    LabelStudioServer,
    RunningServer,
    connect,
    default_annotators,
    push_drafts,
)
from wildtool.annotation.agreement.compare import content
from wildtool.annotation.form.annotation import Form
from wildtool.annotation.form.encode import draft_form
from wildtool.annotation.form.interface import InterfaceSpec
from wildtool.annotation.label_studio.accounts import account_token
from wildtool.annotation.label_studio.projects import find_project
from wildtool.annotation.label_studio.results import form_result
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Adjudication, Label
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Decision
from wildtool.warehouse import Store

pytestmark = pytest.mark.e2e


def _project(connection: Connection, title: str) -> int:
    there = find_project(connection, title)
    assert there is not None, title
    return int(there["id"])


def _submit(connection: Connection, task: int, draft: Draft, token: str | None = None, **changes: list[str]) -> None:
    form: Form = {**draft_form(draft, InterfaceSpec()), "decision": ["accept"], **changes}
    body = {"result": form_result(form), "lead_time": 60}
    connection.request("POST", f"/api/tasks/{task}/annotations/", json=body, token=token)


def _said(tasks: tuple[Task, ...]) -> tuple[str, ...]:
    """All that tasks say; where values came from is no part of a label."""
    return content(Decision.ACCEPT, tasks)


def _all_that_is_offered(connection: Connection, project: int, token: str, drafts: dict[str, Draft]) -> list[str]:
    """What "Label All Tasks" gives a person, one after another, till nothing is left; each one is accepted."""
    given: list[str] = []
    while True:
        task = connection.request("GET", f"/api/projects/{project}/next", token=token, missing_ok=True)
        if task is None:
            return given
        assert task["data"]["uid"] not in given
        given.append(task["data"]["uid"])
        _submit(connection, int(task["id"]), drafts[given[-1]], token)


def test_a_slice_is_offered_to_two_people_and_the_rest_to_one(
    connection: Connection, annotation_drafts: ModuleType
) -> None:
    doubt = annotation_drafts.DOUBT
    drafts = {each.id: each for each in (annotation_drafts.draft(i, verdicts=(doubt,) * (i % 3)) for i in range(20))}
    first = push_drafts(
        list(drafts.values())[:10], LabelStudioBackend(connection), project="a slice twice", double_share=0.2
    )
    assert sum(entry.people for entry in first.pushed) == 12
    # The ledger is lost, there are more drafts: those that were for two people stay so.
    pushed = push_drafts(
        list(drafts.values()), LabelStudioBackend(connection), project="a slice twice", double_share=0.2
    )
    twice = {entry.draft for entry in pushed.pushed if entry.people == 2}
    assert {entry.draft for entry in first.pushed if entry.people == 2} <= twice
    assert 4 <= len(twice) <= 6  # 20 %, and those that further drafts displaced from the slice
    again = push_drafts(
        list(drafts.values()),
        LabelStudioBackend(connection),
        project="a slice twice",
        already=pushed.pushed,
        double_share=0.2,
    )
    assert (again.new, again.pushed) == (0, pushed.pushed)

    one, other, third = (account_token(connection, who.email) for who in default_annotators(0, 3))
    project = pushed.project_id
    assert len(_all_that_is_offered(connection, project, one, drafts)) == 20
    assert set(_all_that_is_offered(connection, project, other, drafts)) == twice
    assert _all_that_is_offered(connection, project, third, drafts) == []


def test_rounds_by_command(
    maintainer: Any,
    label_studio: RunningServer,
    connection: Connection,
    personal_token: str,
    annotation_drafts: ModuleType,
) -> None:
    drafts = [annotation_drafts.draft(index) for index in range(30)]
    maintainer.store.put(drafts)
    project = ("--project", "by command")

    # A personal access token serves as well as a legacy one.
    maintainer.monkeypatch.setenv("LABEL_STUDIO_API_KEY", personal_token)
    pushed = maintainer("annotate", "push", *project)
    assert (pushed["pushed"], pushed["new"], pushed["twice"]) == (30, 30, 6)
    assert maintainer("annotate", "push", *project)["new"] == 0
    personal = os.environ["LABEL_STUDIO_API_KEY"]
    maintainer.monkeypatch.setenv("LABEL_STUDIO_API_KEY", label_studio.token)  # whose accounts those of programs are
    made = maintainer("annotate", "simulate", *project)
    assert made["labelled"] == 36
    maintainer.monkeypatch.setenv("LABEL_STUDIO_API_KEY", personal)

    # One person's second thoughts do not hold: the label comes back, with the reason.
    by_uid = {task["data"]["uid"]: int(task["id"]) for task in connection.tasks(_project(connection, "by command"))}
    broken = drafts[0]
    _submit(connection, by_uid[broken.id], broken, t1_c1_arguments=["{broken"])
    pulled = maintainer("annotate", "pull", *project)
    assert (pulled["labels"], pulled["steps"][0]["quarantined"]) == (36, 1)
    settled = maintainer("annotate", "adjudicate", *project)
    assert settled["labelled_again"] == settled["waiting"] == 1
    assert settled["accepted"] + settled["open"] + 1 <= 30
    again = _project(connection, "by command · again")
    (task,) = connection.tasks(again)
    assert task["data"]["uid"] == broken.id
    assert "Came back: task 1 c1: arguments" in task["data"]["dialogue_html"]
    states = {each["project"]: each for each in maintainer("annotate", "status")["projects"]}
    assert states["by command"]["failed"] == 1
    assert states["by command · again"]["left"] == 1
    assert states["by command"]["wanted"] == 36
    assert states["by command"]["left"] == 0
    assert len(states["by command"]["people"]) == 2

    # Labelled again, and broken again: it comes back once more. Then it holds.
    _submit(connection, int(task["id"]), broken, t1_c1_arguments=["{}"])
    maintainer("annotate", "pull", *project)
    assert maintainer("annotate", "adjudicate", *project)["labelled_again"] == 1
    (task,) = connection.tasks(_project(connection, "by command · again 2"))
    assert "is a required property" in task["data"]["dialogue_html"]
    _submit(connection, int(task["id"]), broken, t1_c1_arguments=['{"city": "Lille"}'])
    maintainer("annotate", "pull", *project)
    maintainer.monkeypatch.setenv("LABEL_STUDIO_API_KEY", label_studio.token)
    settled = maintainer("annotate", "adjudicate", *project, "--simulate")
    assert (settled["labelled_again"], settled["waiting"], settled["open"]) == (0, 0, 0)

    # The spot check: what it finds wrong is exactly what is not the draft, which the simulated person takes for truth.
    asked = maintainer("annotate", "spotcheck", *project)
    assert not asked["passed"]
    assert asked["checked"] == 0
    assert (
        asked["still_needed"] == asked["sample"] == len(list(connection.tasks(_project(connection, asked["project"]))))
    )
    by_session = {draft.session.id: draft for draft in drafts}
    before = {each.session: each for each in maintainer.store.read(Adjudication) if each.decision is Decision.ACCEPT}
    differing = {s for s, each in before.items() if _said(each.tasks) != _said(by_session[s].session.tasks)}
    checked = maintainer("annotate", "spotcheck", *project, "--simulate")
    assert checked["checked"] == checked["sample"]
    assert set(checked["wrong_sessions"]) <= differing
    if checked["checked"] == len(before):
        assert set(checked["wrong_sessions"]) == differing
    assert checked["passed"] is (checked["upper"] <= 0.05)
    after = {each.session: each for each in maintainer.store.read(Adjudication)}
    for session in checked["wrong_sessions"]:
        assert after[session].method == "adjudicator"
        assert _said(after[session].tasks) == _said(by_session[session].session.tasks)
    same = maintainer("annotate", "spotcheck", *project)
    assert (same["checked"], same["wrong_sessions"]) == (checked["checked"], checked["wrong_sessions"])
    states = maintainer("annotate", "status")["projects"]
    assert [each["round"] for each in states] == sorted(each["round"] for each in states)
    assert {each["round"] for each in states} >= {1, 3}
    assert all(each["left"] == 0 for each in states)

    # A label that is changed after all was settled opens its session again.
    doubled = next(
        t for t in connection.tasks(_project(connection, "by command"), fields="all") if len(t["annotations"]) > 1
    )
    label = doubled["annotations"][0]
    result = [
        {**region, "value": {"text": ["Something else."]}} if region["from_name"] == "t4_answer" else region
        for region in label["result"]
    ]
    connection.patch(f"/api/annotations/{label['id']}/", {"result": result})
    maintainer("annotate", "pull", *project)
    reopened = maintainer("annotate", "adjudicate", *project)
    uid = doubled["data"]["uid"]
    now = {each.draft: each for each in maintainer.store.read(Adjudication)}[uid]
    decided = any(each.draft == uid for each in maintainer.store.read(Label, round=2))
    assert (now.decision is Decision.SKIP) is not decided
    assert reopened["open"] == int(not decided)


def test_a_webhook_brings_labels_and_only_with_the_secret(
    maintainer: Any, label_studio: RunningServer, annotation_drafts: ModuleType, tmp_path: Path
) -> None:
    drafts = [annotation_drafts.draft(0)]
    maintainer.store.put(drafts)
    maintainer("annotate", "push", "--project", "listened to")
    # This server was started without --hooks: it refuses to call its own machine, and that is told.
    refused = maintainer("annotate", "listen", "--project", "listened to", code=2)
    assert "does not take http://127.0.0.1" in refused
    assert "serve --hooks" in refused

    for name in ("LABEL_STUDIO_URL", "LABEL_STUDIO_API_KEY"):
        maintainer.monkeypatch.delenv(name)
    home = tmp_path / "hooked"
    own = type(maintainer)(home, maintainer.monkeypatch, maintainer.capfd)
    served = own("annotate", "serve", "--hooks")
    try:
        own.store.put(drafts)
        own("annotate", "push")
        line = [sys.executable, "-c", "from wildtool.flows.cli import main; main()", "annotate", "listen"]
        line += ["--home", str(home), "--json", "--pulls", "1"]
        secret = {"WILDTOOL_HOOK_SECRET": "a-secret-of-some-length"}
        listener = subprocess.Popen(
            line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **secret}
        )
        try:
            assert listener.stderr is not None
            while "listening at" not in (said := listener.stderr.readline()):
                assert said, "the listener ended"
            url = said.partition("listening at ")[2].partition(";")[0]
            assert url.startswith("http://127.0.0.1:")
            import httpx

            assert httpx.post(url, json={}, headers={"X-Wildtool-Secret": "wrong"}, trust_env=False).status_code == 403
            token = LabelStudioServer(home).credentials().token
            with connect(served["url"], token) as connection:
                (hook,) = connection.get("/api/webhooks/", project=1)
                assert hook["send_payload"] is False
                (task,) = connection.tasks(1)
                _submit(connection, int(task["id"]), drafts[0])
            out, _ = listener.communicate(timeout=60)
        finally:
            listener.kill()
        told = json.loads(out)
        assert (told["hints"], told["new"], told["failed_pulls"]) == (1, 1, 0)
        assert len(Store(home / "warehouse.duckdb").read(Label)) == 1
    finally:
        own("annotate", "serve", "--stop")
