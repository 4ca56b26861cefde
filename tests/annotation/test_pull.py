"""Pulling through a backend in memory: incrementally, the newest of each person."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from types import ModuleType

import pytest

from tests.annotation.memory_backend import MemoryBackend, Tool
from wildtool.annotation import (
    AnnotatedTask,
    Changes,
    Form,
    InterfaceSpec,
    Project,
    draft_form,
    pseudonym,
    pull,
    pull_labels,
    push_drafts,
)
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import ServiceError

ANNA, BEN = "anna@example.org", "ben@example.org"


@pytest.fixture
def tool() -> Tool:
    return Tool()


@pytest.fixture
def backend(tool: Tool) -> MemoryBackend:
    return MemoryBackend(tool)


@pytest.fixture
def three(drafts: ModuleType, backend: MemoryBackend) -> list[Draft]:
    three = [drafts.draft(index) for index in range(3)]
    push_drafts(three, backend, project="p")
    return three


def _form(draft: Draft, city: str = "Lyon") -> Form:
    change = {"t1_c1_arguments": [f'{{"city": "{city}"}}']}
    return {**draft_form(draft, InterfaceSpec()), "decision": ["accept"], **change}


def test_only_what_changed_is_pulled_again(
    tool: Tool, backend: MemoryBackend, three: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull, "OVERLAP", timedelta(0))
    tool.annotate("p", three[0].id, _form(three[0]), ANNA)
    first = pull_labels(backend, project="p", drafts=three)
    assert [label.draft for label in first.labels] == [three[0].id]
    tool.annotate("p", three[1].id, _form(three[1]), ANNA)
    second = pull_labels(backend, project="p", drafts=three, since=first.newest)
    assert [label.draft for label in second.labels] == [three[1].id]
    assert second.newest == tool.now.isoformat()
    assert pull_labels(backend, project="p", drafts=three, since=second.newest).seen == 0
    assert len(pull_labels(backend, project="p", drafts=three).labels) == 2


def test_the_last_minutes_are_read_again(
    tool: Tool, backend: MemoryBackend, three: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Tool, "tick", lambda self: self.now.isoformat())
    tool.annotate("p", three[0].id, _form(three[0]), ANNA)
    newest = pull_labels(backend, project="p", drafts=three).newest
    tool.now -= timedelta(minutes=1)  # a transaction that began earlier and committed later
    tool.annotate("p", three[1].id, _form(three[1]), ANNA)
    assert {label.draft for label in pull_labels(backend, project="p", drafts=three, since=newest).labels} == {
        three[0].id,
        three[1].id,
    }


def test_the_newest_of_each_person_counts(tool: Tool, backend: MemoryBackend, three: list[Draft]) -> None:
    for city in ("Lille", "Nice"):
        tool.annotate("p", three[0].id, _form(three[0], city), ANNA)
    tool.annotate("p", three[0].id, _form(three[0], "Metz"), BEN)
    pulled = pull_labels(backend, project="p", drafts=three)
    cities = {label.annotator: label.tasks[0].actions[0].arguments["city"] for label in pulled.labels}  # type: ignore[union-attr]
    assert cities == {pseudonym(ANNA): "Nice", pseudonym(BEN): "Metz"}
    assert (pulled.seen, pulled.superseded) == (3, 1)


def test_what_changes_while_a_pull_reads_is_not_missed(
    tool: Tool, three: list[Draft], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next pull starts before the last change that was known when this one began."""
    backend = MemoryBackend(tool)
    tool.annotate("p", three[0].id, _form(three[0]), ANNA)
    known = tool.now.isoformat()
    listed = backend.changes

    def changes(project: Project, since: str | None) -> Changes:
        def tasks() -> Iterator[AnnotatedTask]:
            yield from listed(project, since).tasks
            tool.annotate("p", three[0].id, _form(three[0], "Nice"), ANNA)  # on a page that was read already
            tool.annotate("p", three[2].id, _form(three[2]), ANNA)
            yield from [task for task in listed(project, since).tasks if task.draft == three[2].id]

        return Changes(tasks=tasks(), until=known)

    monkeypatch.setattr(backend, "changes", changes)
    first = pull_labels(backend, project="p", drafts=three)
    assert first.newest == known
    monkeypatch.undo()
    second = pull_labels(backend, project="p", drafts=three, since=first.newest)
    assert "Nice" in str([label.tasks[0].actions[0] for label in second.labels if label.draft == three[0].id])


def test_skipped_broken_and_foreign_annotations_are_told_apart(
    tool: Tool, backend: MemoryBackend, three: list[Draft]
) -> None:
    tool.annotate("p", three[0].id, {}, ANNA, skip=True)
    tool.annotate("p", three[1].id, {**_form(three[1]), "t1_c1_arguments": ["{broken"]}, ANNA)
    tool.annotate("p", three[2].id, {**_form(three[2]), "remark": ["NaN"]}, ANNA)
    pulled = pull_labels(backend, project="p", drafts=three[:2])
    assert [label.draft for label in pulled.skipped] == [three[0].id]
    assert {row.source: row.reason for row in pulled.quarantined} == {
        three[1].id: "broken_json",
        three[2].id: "unknown_draft",
    }
    assert pulled.seen == len(pulled.labels) + len(pulled.skipped) + len(pulled.quarantined) + pulled.superseded == 3


def test_a_form_that_was_edited_is_not_trusted(tool: Tool, backend: MemoryBackend, three: list[Draft]) -> None:
    tool.annotate("p", three[0].id, _form(three[0]), ANNA)
    tool.projects["p"] = tool.projects["p"].model_copy(update={"interface": None})
    pulled = pull_labels(backend, project="p", drafts=three)
    assert [row.reason for row in pulled.quarantined] == ["unknown_interface"]


def test_programs_are_known_by_e_mail_pseudonym_or_signature(
    tool: Tool, backend: MemoryBackend, three: list[Draft]
) -> None:
    tool.annotate("p", three[0].id, _form(three[0]), ANNA)
    for named in ([], [ANNA], [pseudonym(ANNA)]):
        (label,) = pull_labels(backend, project="p", drafts=three, simulated_annotators=named).labels
        assert label.simulated is bool(named)
    tool.annotate("p", three[1].id, {**_form(three[1]), "made_by": ["a program"]}, BEN)
    assert {label.simulated for label in pull_labels(backend, project="p", drafts=three).labels} == {True, False}


def test_no_such_project(backend: MemoryBackend) -> None:
    with pytest.raises(ServiceError, match="no project 'never pushed'"):
        pull_labels(backend, project="never pushed", drafts=[])
