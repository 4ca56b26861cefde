"""Push drafts into an annotation project, each once, whatever happens in the middle.

Before anything is sent, the backend is asked what it has. So a killed push, an import that timed out after it was
done, and a lost ledger all end the same way: each draft once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from wildtool.annotation.backend import AnnotationBackend, PresentTask, Project
from wildtool.annotation.form.annotation import FormTask
from wildtool.annotation.form.encode import encode_draft
from wildtool.annotation.form.interface import Interface, Purpose, fitting_spec
from wildtool.annotation.form.render import open_doubts
from wildtool.annotation.rounds import double_slice
from wildtool.schemas.base import Record
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.label import Label, PushedTask
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Stage

BATCH = 100
"""Drafts per import: some seconds of work, 2 MB."""


class PushResult(Record):
    """What a push did."""

    project: str
    """Title of the project."""
    project_id: int
    """The backend's project id."""
    url: str
    """Address of the project's page."""
    interface: str
    """Hash of the labelling form."""
    pushed: tuple[PushedTask, ...]
    """Ledger entries of all given drafts that are on the server now, whether pushed before or just now."""
    new: int
    """How many of them were pushed just now."""
    quarantined: tuple[Quarantined, ...] = ()
    """Drafts that do not fit the form."""


class Case(Record):
    """A draft that people label again."""

    draft: Draft
    """The draft."""
    labels: tuple[Label, ...] = ()
    """Labels shown side by side."""
    differing: tuple[str, ...] = ()
    """Fields in which they differ."""
    note: str = ""
    """Why it came back."""
    prefill: tuple[Task, ...] | None = None
    """What the form starts with; None for the draft's own tasks."""
    people: int = 1
    """How many people shall label it; the backend offers it to that many."""


def push_drafts(
    drafts: Sequence[Draft],
    backend: AnnotationBackend,
    *,
    project: str,
    round: int = 1,
    already: Collection[PushedTask] = (),
    notes: Mapping[str, str] | None = None,
    double_share: float = 1.0,
    seed: int = 0,
    guide_url: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_pushed: Callable[[Sequence[PushedTask]], object] | None = None,
) -> PushResult:
    """Push drafts into a project (made if missing), those with most open doubts first.

    ``already`` is the ledger: its drafts are skipped without asking, if it speaks of this server and project and
    the project still exists. ``notes`` says by draft id why a session came back. ``double_share`` is the share of
    drafts that two people label, chosen by ``seed``. ``progress(done, all)`` and ``on_pushed`` are called after
    each batch. Raises ``ServiceError``.
    """
    notes = notes or {}
    doubled = {entry.draft for entry in already if entry.project == project and entry.people > 1}
    twice = set(double_slice({draft.id for draft in drafts}, share=double_share, seed=seed, already=doubled))
    cases = [Case(draft=draft, note=notes.get(draft.id, ""), people=1 + (draft.id in twice)) for draft in drafts]
    return push_cases(
        cases,
        backend,
        project=project,
        round=round,
        already=already,
        guide_url=guide_url,
        progress=progress,
        on_pushed=on_pushed,
    )


def push_adjudication(
    cases: Sequence[Case],
    backend: AnnotationBackend,
    *,
    project: str,
    round: int = 2,
    already: Collection[PushedTask] = (),
    progress: Callable[[int, int], None] | None = None,
    on_pushed: Callable[[Sequence[PushedTask]], object] | None = None,
) -> PushResult:
    """Push sessions that people disagree on into a project that shows their labels side by side, for one person."""
    return push_cases(
        cases,
        backend,
        project=project,
        round=round,
        already=already,
        purpose="adjudicate",
        progress=progress,
        on_pushed=on_pushed,
    )


def push_cases(
    cases: Sequence[Case],
    backend: AnnotationBackend,
    *,
    project: str,
    round: int,
    already: Collection[PushedTask] = (),
    purpose: Purpose = "label",
    guide_url: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_pushed: Callable[[Sequence[PushedTask]], object] | None = None,
) -> PushResult:
    """Push cases into a project; ``push_drafts`` and ``push_adjudication`` do so with their defaults."""
    ordered = sorted({case.draft.id: case for case in cases}.values(), key=lambda case: -len(open_doubts(case.draft)))
    spec = fitting_spec([case.draft for case in ordered], purpose=purpose)
    people = min((case.people for case in ordered), default=1)
    opened = backend.open_project(project, spec, people=people, guide_url=guide_url)
    if opened.interface is None:
        raise ServiceError(f"project {project!r} shows no form of wildtool", "push to another project with --project")
    interface = opened.interface
    known = {
        entry.draft: entry
        for entry in already
        if entry.server == backend.url and entry.project == project and entry.project_id == opened.id
    }
    waiting = [case for case in ordered if case.draft.id not in known or known[case.draft.id].people < case.people]
    present = dict(backend.present(opened)) if waiting else {}
    quarantined: list[Quarantined] = []
    new = 0
    for batch in _batches(waiting):
        tasks, unfit = _encoded(batch, interface, round)
        quarantined += unfit
        outcome = backend.push(opened, [task for task in tasks if _lacks(present, task)])
        by_id = {case.draft.id: case.draft for case in batch}
        quarantined += [_refused(by_id[draft], why) for draft, why in outcome.refused.items()]
        new += len(outcome.present.keys() - present.keys())
        present |= outcome.present
        entries = [
            _entry(backend.url, opened, interface, task, present[task.draft]) for task in tasks if task.draft in present
        ]
        known |= {entry.draft: entry for entry in entries}
        if on_pushed is not None:
            on_pushed(entries)
        if progress is not None:
            progress(len(known) + len(quarantined), len(ordered))
    return PushResult(
        project=project,
        project_id=opened.id,
        url=opened.url,
        interface=interface.hash,
        pushed=tuple(known[case.draft.id] for case in ordered if case.draft.id in known),
        new=new,
        quarantined=tuple(quarantined),
    )


def _batches(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
    for start in range(0, len(cases), BATCH):
        yield cases[start : start + BATCH]


def _encoded(batch: Sequence[Case], interface: Interface, round: int) -> tuple[list[FormTask], list[Quarantined]]:
    tasks, unfit = [], []
    for case in batch:
        try:
            task = encode_draft(
                case.draft,
                interface.spec,
                round=round,
                people=case.people,
                note=case.note,
                labels=case.labels,
                differing=case.differing,
                prefill=case.prefill,
            )
        except InputError as error:
            unfit.append(_refused(case.draft, error.cause))
        else:
            tasks.append(task)
    return tasks, unfit


def _lacks(present: Mapping[str, PresentTask], task: FormTask) -> bool:
    """Return whether the project lacks a task, its prefill, or people to offer it to."""
    there = present.get(task.draft)
    return there is None or not there.prefilled or there.people < task.people


def _entry(server: str, project: Project, interface: Interface, task: FormTask, there: PresentTask) -> PushedTask:
    return PushedTask(
        draft=task.draft,
        project=project.title,
        server=server,
        project_id=project.id,
        task_id=there.id,
        interface=interface.hash,
        round=task.round,
        people=there.people,
    )


def _refused(draft: Draft, why: str) -> Quarantined:
    return Quarantined.of(
        stage=Stage.PUSH, step="encode", reason="does_not_fit", detail=why, source=draft.id, raw=draft.to_json()
    )
