"""Pull annotations as labels: incrementally, the newest of each person, each one checked.

Webhooks may hint that there is something to pull; only what the backend lists counts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta

from wildtool.annotation.backend import AnnotatedTask, AnnotationBackend, Project
from wildtool.annotation.form.annotation import Annotation
from wildtool.annotation.form.decode import decode_annotation
from wildtool.annotation.people import SALT, pseudonym
from wildtool.schemas.base import Record
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import ServiceError
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Decision, Stage

OVERLAP = timedelta(minutes=2)
"""Read again at each pull: a transaction may commit after a later one was listed. Ids are content hashes, so an
annotation that is read twice is one label."""


class PullResult(Record):
    """What a pull brought."""

    project: str
    """Title of the project."""
    project_id: int
    """The backend's project id."""
    labels: tuple[Label, ...]
    """Accepted and rejected sessions: the newest label of each person for each draft."""
    skipped: tuple[Label, ...]
    """Sessions that people skipped, kept apart."""
    quarantined: tuple[Quarantined, ...]
    """Annotations that do not hold, one row each."""
    newest: str | None
    """Pass it as ``since`` next time; None where there is no annotation."""
    seen: int
    """Changed annotations: labels + skipped + quarantined + superseded."""
    superseded: int = 0
    """Older annotations by the same person."""


def pull_labels(
    backend: AnnotationBackend,
    *,
    project: str,
    drafts: Iterable[Draft],
    since: str | None = None,
    simulated_annotators: Collection[str] = (),
    salt: str = SALT,
    progress: Callable[[int], None] | None = None,
) -> PullResult:
    """Pull the labels of a project that changed after ``since`` (ISO 8601; None for all).

    ``drafts`` are those that were pushed; ``simulated_annotators`` are e-mails or pseudonyms of programs (programs
    that sign their forms are known anyway). Raises ``ServiceError``, also if the project does not exist.
    """
    there = backend.find_project(project)
    if there is None:
        raise ServiceError(
            f"there is no project {project!r} at {backend.url}", "push drafts first, or correct --project"
        )
    by_id = {draft.id: draft for draft in drafts}
    simulated = set(simulated_annotators)
    labels: list[Label] = []
    skipped: list[Label] = []
    quarantined: list[Quarantined] = []
    newest, seen, superseded = since, 0, 0
    floor = None if since is None else _moment(since) - OVERLAP
    changes = backend.changes(there, None if floor is None else floor.isoformat())
    for task in changes.tasks:
        changed = [each for each in task.annotations if floor is None or _moment(each.updated_at) > floor]
        chosen = [each for each in _newest_of_each(task.annotations) if each in changed]
        superseded += len(changed) - len(chosen)
        seen += len(changed)
        for annotation in chosen:
            newest = max(filter(None, (newest, annotation.updated_at)), key=_moment, default=None)
            annotator = pseudonym(annotation.author, salt=salt)
            decoded = _decode(
                annotation,
                by_id.get(task.draft),
                there,
                task=task,
                annotator=annotator,
                simulated=bool({annotation.author, annotator} & simulated),
            )
            match decoded:
                case Quarantined():
                    quarantined.append(decoded)
                case Label(decision=Decision.SKIP):
                    skipped.append(decoded)
                case _:
                    labels.append(decoded)
        if progress is not None:
            progress(seen)
    return PullResult(
        project=project,
        project_id=there.id,
        labels=tuple(labels),
        skipped=tuple(skipped),
        quarantined=tuple(quarantined),
        newest=None if newest is None else min(newest, changes.until or newest, key=_moment),
        seen=seen,
        superseded=superseded,
    )


def _decode(
    annotation: Annotation,
    draft: Draft | None,
    project: Project,
    *,
    task: AnnotatedTask,
    annotator: str,
    simulated: bool,
) -> Label | Quarantined:
    if draft is None:
        return Quarantined.of(
            stage=Stage.PULL,
            step="match",
            reason="unknown_draft",
            detail=f"task {task.task_id} of project {project.id}: wildtool pushed no draft {task.draft!r} there",
            source=task.draft or f"task {task.task_id}",
            # Canonical JSON, but with the infinities and NaN that came.
            raw=json.dumps(annotation.raw, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        )
    return decode_annotation(
        annotation,
        draft,
        project.interface,
        project_id=project.id,
        annotator=annotator,
        simulated=simulated,
        round=task.round,
    )


def _newest_of_each(annotations: Iterable[Annotation]) -> list[Annotation]:
    """Keep the newest annotation of each person: anybody can submit twice."""
    newest = {
        annotation.author: annotation
        for annotation in sorted(annotations, key=lambda each: (_moment(each.updated_at), each.id))
    }
    return list(newest.values())


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)
