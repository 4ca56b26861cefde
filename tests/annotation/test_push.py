"""Pushing through a backend in memory: each draft once, whatever happens in the middle."""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.annotation.memory_backend import MemoryBackend, Tool
from wildtool.annotation import Case, push, push_adjudication, push_cases, push_drafts
from wildtool.annotation.form.annotation import FormTask
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.label import PushedTask


@pytest.fixture
def tool() -> Tool:
    return Tool()


@pytest.fixture
def backend(tool: Tool) -> MemoryBackend:
    return MemoryBackend(tool)


@pytest.fixture
def five(drafts: ModuleType) -> list[Draft]:
    return [drafts.draft(index, verdicts=(drafts.DOUBT,) * (index % 3)) for index in range(5)]


def _held(tool: Tool, title: str) -> dict[str, int]:
    return {draft: kept.people for draft, kept in tool.tasks[tool.projects[title].id].items()}


def test_each_draft_once_the_most_doubtful_first(tool: Tool, backend: MemoryBackend, five: list[Draft]) -> None:
    seen: list[tuple[int, int]] = []
    first = push_drafts(five[:3], backend, project="p", progress=lambda done, total: seen.append((done, total)))
    assert (first.new, len(first.pushed), seen) == (3, 3, [(3, 3)])
    assert [len(kept.task.doubts) for kept in tool.tasks[first.project_id].values()] == [1, 1, 0]
    assert [entry.task_id for entry in first.pushed] == sorted(entry.task_id for entry in first.pushed)
    again = push_drafts(five, backend, project="p", already=first.pushed)
    lost = push_drafts(five, backend, project="p")  # without the ledger
    assert (again.new, lost.new) == (2, 0)
    assert lost.pushed == again.pushed
    assert set(_held(tool, "p").values()) == {2}


def test_a_ledger_of_another_server_or_project_does_not_count(backend: MemoryBackend, five: list[Draft]) -> None:
    first = push_drafts(five, backend, project="p")
    elsewhere = [entry.model_copy(update={"server": "http://elsewhere"}) for entry in first.pushed]
    moved = [entry.model_copy(update={"project_id": 99}) for entry in first.pushed]
    for ledger in (elsewhere, moved):
        result = push_drafts(five, backend, project="p", already=ledger)
        assert (result.new, result.pushed) == (0, first.pushed)
    assert push_drafts(five, backend, project="q", already=first.pushed).new == 5


def test_a_push_that_died_is_finished_by_the_next(
    tool: Tool, backend: MemoryBackend, five: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "BATCH", 2)
    ledger: list[PushedTask] = []

    def keep(entries: object) -> None:
        ledger.extend(entries)  # type: ignore[call-overload]
        tool.dies_after = 1

    with pytest.raises(ServiceError):
        push_drafts(five, backend, project="p", on_pushed=keep)
    assert len(ledger) == 2
    assert len(_held(tool, "p")) == 3
    tool.dies_after = None
    done = push_drafts(five, backend, project="p", already=ledger)
    assert (done.new, len(done.pushed)) == (2, 5)


def test_a_slice_goes_to_two_people_and_stays_there(tool: Tool, backend: MemoryBackend, drafts: ModuleType) -> None:
    many = [drafts.draft(index) for index in range(20)]
    first = push_drafts(many[:10], backend, project="p", double_share=0.2)
    assert sorted(_held(tool, "p").values()) == [1] * 8 + [2] * 2
    twice = {draft for draft, people in _held(tool, "p").items() if people == 2}
    result = push_drafts(many, backend, project="p", double_share=0.2, already=first.pushed)
    now = {entry.draft for entry in result.pushed if entry.people == 2}
    assert twice < now
    assert len(now) == 4


def test_an_existing_task_is_offered_to_more_people(tool: Tool, backend: MemoryBackend, five: list[Draft]) -> None:
    once = push_cases([Case(draft=five[0])], backend, project="p", round=1)
    again = push_cases([Case(draft=five[0], people=2)], backend, project="p", round=1, already=once.pushed)
    assert (again.new, again.pushed[0].people, _held(tool, "p")[five[0].id]) == (0, 2, 2)


def test_what_the_form_or_the_tool_refuses_is_quarantined_and_the_rest_arrives(
    tool: Tool, backend: MemoryBackend, five: list[Draft]
) -> None:
    def refuses(task: FormTask) -> str | None:
        return "too large" if task.draft == five[1].id else None

    tool.refuses = refuses
    session = five[2].session.model_copy(update={"tools": ()})
    bare = five[2].model_copy(update={"session": session})
    result = push_drafts([five[0], five[1], bare], backend, project="p")
    assert [entry.draft for entry in result.pushed] == [five[0].id]
    why = {row.source: row.detail for row in result.quarantined}
    assert why[five[1].id] == "too large"
    assert "does not offer" in why[bare.id]
    assert {row.reason for row in result.quarantined} == {"does_not_fit"}


def test_adjudication_shows_labels_and_has_a_project_of_its_own(
    tool: Tool, backend: MemoryBackend, five: list[Draft], say: object, form: object
) -> None:
    case = Case(draft=five[0], differing=("task 1: arguments",), note="look at task 1")
    result = push_adjudication([case], backend, project="p · adjudication")
    (kept,) = tool.tasks[result.project_id].values()
    assert "They differ in: task 1: arguments" in kept.task.labels_html
    assert "Came back: look at task 1" in kept.task.dialogue_html
    assert (kept.task.round, kept.people) == (2, 1)
    with pytest.raises(InputError, match="another purpose"):
        push_drafts([five[0]], backend, project="p · adjudication")


def test_the_form_grows_for_longer_drafts(tool: Tool, backend: MemoryBackend, five: list[Draft]) -> None:
    first = push_drafts(five[:1], backend, project="p")
    tasks = (*five[1].session.tasks, five[1].session.tasks[3])
    longer = five[1].model_copy(update={"session": five[1].session.model_copy(update={"tasks": tasks})})
    second = push_drafts([five[0], longer], backend, project="p")
    assert second.project_id == first.project_id
    assert second.interface != first.interface
    interface = tool.projects["p"].interface
    assert interface is not None
    assert interface.spec.tasks == 5


def test_a_project_with_a_form_of_strangers_is_refused(
    tool: Tool, five: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = MemoryBackend(tool)
    opened = backend.open_project
    monkeypatch.setattr(backend, "open_project", lambda *a, **k: opened(*a, **k).model_copy(update={"interface": None}))
    with pytest.raises(ServiceError, match="no form of wildtool"):
        push_drafts(five, backend, project="p")
