"""A whole round of labelling through the stages of flows, on a backend in memory: no server, no vendor."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests.annotation.memory_backend import MemoryBackend, Tool
from wildtool.annotation import AnnotationBackend, Form, draft_form, pseudonym
from wildtool.annotation import backends as registry
from wildtool.flows.progress import Silent
from wildtool.flows.run import Run, open_run
from wildtool.flows.settings import Settings
from wildtool.flows.stages import rounds
from wildtool.flows.stages.annotate import run as annotate
from wildtool.flows.stages.labelling import annotation_backend, push
from wildtool.flows.stages.settlement import status
from wildtool.flows.stages.webhook_listener import listen
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import SettingsError
from wildtool.schemas.label import Adjudication, Label, PushedTask
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Decision, Stage

ANNA, BEN, JUDGE = "anna@example.org", "ben@example.org", "judge@example.org"


class Notes(Silent):
    """Keeps what the stages tell people."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, text: str) -> None:
        self.said.append(text)


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Tool:
    tool = Tool()
    monkeypatch.setitem(registry._FACTORIES, "memory", lambda options, progress: MemoryBackend(tool))
    return tool


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def run(tool: Tool, notes: Notes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in list(os.environ):
        if name.startswith(("WILDTOOL_", "LABEL_STUDIO_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    return open_run(Settings(home=tmp_path / "home", annotation_backend="memory", double_share=1.0), notes)


@pytest.fixture
def backend(run: Run) -> Iterator[AnnotationBackend]:
    with annotation_backend(run) as opened:
        yield opened
    assert isinstance(opened, MemoryBackend)
    assert opened.closed


def _accepting(tool: Tool, title: str, draft: Draft, **changes: list[str]) -> Form:
    interface = tool.projects[title].interface
    assert interface is not None
    return {**draft_form(draft, interface.spec), "decision": ["accept"], **changes}


def test_two_people_one_error_one_broken_label(
    run: Run, backend: AnnotationBackend, tool: Tool, notes: Notes, drafts: ModuleType
) -> None:
    four = [drafts.draft(index) for index in range(4)]
    wrong, broken = four[0], four[1]
    store, title = run.store(), run.settings.project
    store.put(four)

    # Push: each draft once, for two people; the second push finds nothing to do.
    first = push(run, backend)
    assert (first["new"], first["pushed"], first["twice"], first["url"]) == (4, 4, 4, f"memory://tool/{title}")
    assert push(run, backend)["unchanged"]
    assert len(tool.tasks[tool.projects[title].id]) == 4

    # Label: Ben changes an argument of one session, and breaks the JSON of another one.
    for draft in four:
        tool.annotate(title, draft.id, _accepting(tool, title, draft), ANNA)
    changes = {wrong.id: {"t1_c1_arguments": ['{"city": "Lille"}']}, broken.id: {"t1_c1_arguments": ["{broken"]}}
    for draft in four:
        tool.annotate(title, draft.id, _accepting(tool, title, draft, **changes.get(draft.id, {})), BEN)

    # Pull: what holds is a label under a pseudonym, what does not is quarantined with its reason.
    pulled = rounds.pull(run, backend)
    assert (pulled["labels"], pulled["new"], pulled["steps"][0]["quarantined"]) == (7, 8, 1)
    assert notes.said[-1] == "Pulled 7 labels (7 new, 0 skipped, 1 quarantined)."
    assert {label.annotator for label in store.read(Label)} == {pseudonym(ANNA), pseudonym(BEN)}
    assert not any(label.simulated for label in store.read(Label))
    assert [row.reason for row in store.read(Quarantined, stage=Stage.PULL)] == ["broken_json"]
    assert rounds.pull(run, backend)["unchanged"]

    # Adjudicate: two sessions agree, one is open, one waits for a new label.
    settled = rounds.adjudicate(run, backend)
    assert (settled["accepted"], settled["open"], settled["waiting"], settled["labelled_again"]) == (2, 1, 1, 1)
    assert settled["agreement"]["argument_exact"]["value"] < 1
    shown = tool.tasks[tool.projects[f"{title} · adjudication"].id][wrong.id].task
    assert "Lille" in shown.labels_html
    assert "task 1: arguments" in shown.labels_html
    again = tool.tasks[tool.projects[f"{title} · again"].id][broken.id].task
    assert "Came back: task 1 c1: arguments" in again.dialogue_html

    # A person decides between the two labels, and Ben labels the broken one again.
    tool.annotate(f"{title} · adjudication", wrong.id, _accepting(tool, title, wrong), JUDGE)
    tool.annotate(f"{title} · again", broken.id, _accepting(tool, title, broken), BEN)
    rounds.pull(run, backend)
    final = rounds.adjudicate(run, backend)
    assert (final["accepted"], final["open"], final["waiting"], final["labelled_again"]) == (4, 0, 0, 0)
    methods = {each.draft: each.method for each in store.read(Adjudication)}
    assert methods == {draft.id: "adjudicator" if draft is wrong else "agreement" for draft in four}
    sessions = {session.id: session for session in store.read(Session)}
    assert {id: session.tasks for id, session in sessions.items()} == {
        draft.session.id: draft.session.tasks for draft in four
    }
    assert not any(session.provenance.simulated_labels for session in sessions.values())
    assert all(session.provenance.labels for session in sessions.values())
    assert {(each.project, each.left, each.failed) for each in status(run)} == {
        (title, 0, 0),
        (f"{title} · adjudication", 0, 0),
        (f"{title} · again", 0, 0),
    }

    # The spot check asks for all four sessions, and a wrong one is corrected.
    asked, _ = rounds.spot_check(run, backend, accepted_error=0.05, confidence=0.95)
    assert (asked.checked, asked.still_needed) == (0, 4)
    check = f"{title} · spot check"
    for draft in four:
        lines = {"t4_answer": ["Have a good evening!"]} if draft is four[3] else {}
        tool.annotate(check, draft.id, _accepting(tool, check, draft, **lines), JUDGE)
    rounds.pull(run, backend)
    result, told = rounds.spot_check(run, backend, accepted_error=0.05, confidence=0.95)
    assert (result.checked, result.wrong, result.passed) == (4, 1, False)
    assert told["wrong_sessions"] == [four[3].session.id]
    (corrected,) = [each for each in store.read(Session) if each.id == four[3].session.id]
    assert corrected.tasks[3].actions[-1].text == "Have a good evening!"  # type: ignore[union-attr]


def test_a_rejected_and_a_skipped_session(
    run: Run, backend: AnnotationBackend, tool: Tool, notes: Notes, drafts: ModuleType
) -> None:
    title, one, other = run.settings.project, drafts.draft(0), drafts.draft(1)
    run.store().put([one, other])
    push(run, backend)
    for who in (ANNA, BEN):
        form = {**_accepting(tool, title, one), "decision": ["reject"], "reasons": ["duplicate"]}
        tool.annotate(title, one.id, form, who)
    tool.annotate(title, other.id, {}, ANNA, skip=True)
    rounds.pull(run, backend)
    assert notes.said[-1] == "Pulled 2 labels (2 new, 1 skipped, 0 quarantined)."
    settled = rounds.adjudicate(run, backend)
    assert (settled["accepted"], settled["open"]) == (0, 0)
    (adjudication,) = run.store().read(Adjudication)
    assert (adjudication.decision, adjudication.method) == (Decision.REJECT, "agreement")
    assert run.store().count(Session) == 0


def test_all_steps_in_order_with_simulated_people(run: Run, tool: Tool, drafts: ModuleType) -> None:
    run.store().put([drafts.draft(index) for index in range(6)])
    done = annotate(run, simulate=True)
    assert (done["push"]["new"], done["simulate"]["labelled"], done["accepted"] >= 5) == (6, 12, True)
    assert done["open"] == 0
    assert all(label.simulated for label in run.store().read(Label))
    again = annotate(run, simulate=True)
    assert (again["push"]["new"], again["simulate"]["labelled"], again["simulate"]["present"]) == (0, 0, 12)


def test_a_webhook_is_registered_and_a_hint_pulls(
    run: Run, backend: AnnotationBackend, tool: Tool, drafts: ModuleType
) -> None:
    draft = drafts.draft(0)
    run.store().put([draft])
    push(run, backend)
    tool.annotate(run.settings.project, draft.id, _accepting(tool, run.settings.project, draft), ANNA)
    told = listen(run, backend, pulls=0)
    assert (told["new"], told["hints"]) == (1, 0)
    ((project, url, secret),) = tool.hooks
    assert (project, url) == (tool.projects[run.settings.project].id, told["address"])
    assert len(secret) >= 16


def test_the_ledger_names_the_server(run: Run, backend: AnnotationBackend, drafts: ModuleType) -> None:
    run.store().put([drafts.draft(0)])
    push(run, backend)
    (entry,) = run.store().read(PushedTask)
    assert (entry.server, entry.project, entry.people) == ("memory://tool", run.settings.project, 2)


def test_an_unknown_backend_is_refused_with_the_known_ones(run: Run, tmp_path: Path) -> None:
    other = open_run(Settings(home=tmp_path / "home", annotation_backend="nowhere"))
    with pytest.raises(SettingsError, match="no annotation backend 'nowhere'") as caught, annotation_backend(other):
        pytest.fail("it opened")
    assert "label_studio, memory" in caught.value.remedy
