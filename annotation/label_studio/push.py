"""Drafts → tasks of a Label Studio project, each once, whatever happens in the middle.

Before anything is sent, and again after an import that failed, the server is asked what it has. So a killed push, an
import that timed out after it was done, and a lost ledger all end the same way: each draft once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from wildtool.annotation.form.encode import encode_draft, model_version
from wildtool.annotation.form.guide import instructions
from wildtool.annotation.form.interface import Interface, InterfaceSpec, build_interface, fitting_spec, read_interface
from wildtool.annotation.form.render import open_doubts
from wildtool.annotation.label_studio.connection import BACKOFF_SECONDS, Connection
from wildtool.annotation.rounds import double_slice
from wildtool.schemas.base import JsonObject, Record
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, ServiceError
from wildtool.schemas.label import Label, PushedTask
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Stage

log = logging.getLogger(__name__)

BATCH = 100
"""Drafts an import: some seconds of work, 2 MB."""


class PushResult(Record):
    """What a push did."""

    project: str
    """Title of the project."""
    project_id: int
    """Label Studio's project id."""
    url: str
    """Address of the project's page."""
    interface: str
    """Hash of the labelling interface."""
    pushed: tuple[PushedTask, ...]
    """Ledger entries of all drafts given that are on the server now, pushed before or just now."""
    new: int
    """How many of them were pushed just now."""
    quarantined: tuple[Quarantined, ...] = ()
    """Drafts that do not fit the form."""


class Case(Record):
    """A draft that people look at a second time."""

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
    """How many people shall label it; Label Studio offers it to so many."""


def push_drafts(
    drafts: Sequence[Draft],
    connection: Connection,
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
    """Push drafts into a project (made if need be), those with most open doubts first.

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
        connection,
        project=project,
        round=round,
        already=already,
        guide_url=guide_url,
        progress=progress,
        on_pushed=on_pushed,
    )


def push_adjudication(
    cases: Sequence[Case],
    connection: Connection,
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
        connection,
        project=project,
        round=round,
        already=already,
        purpose="adjudicate",
        progress=progress,
        on_pushed=on_pushed,
    )


def push_cases(
    cases: Sequence[Case],
    connection: Connection,
    *,
    project: str,
    round: int,
    already: Collection[PushedTask] = (),
    purpose: Literal["label", "adjudicate"] = "label",
    guide_url: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    on_pushed: Callable[[Sequence[PushedTask]], object] | None = None,
) -> PushResult:
    """What all pushes share."""
    ordered = sorted(_unique(cases), key=lambda case: -len(open_doubts(case.draft)))
    spec = fitting_spec([case.draft for case in ordered], purpose=purpose)
    project_id, interface, people = _open_project(
        connection, project, spec, people=min((case.people for case in ordered), default=1), guide_url=guide_url
    )
    known = {
        entry.draft: entry
        for entry in already
        if entry.server == connection.url and entry.project == project and entry.project_id == project_id
    }
    quarantined: list[Quarantined] = []
    new = 0
    waiting = [case for case in ordered if case.draft.id not in known or known[case.draft.id].people < case.people]
    present = look_up(connection, project_id) if waiting else {}
    for batch in _batches(waiting):
        encoded: dict[str, JsonObject] = {}
        for case in batch:
            try:
                encoded[case.draft.id] = encode_draft(
                    case.draft,
                    interface,
                    round=round,
                    note=case.note,
                    labels=case.labels,
                    differing=case.differing,
                    prefill=case.prefill,
                )
            except InputError as error:
                quarantined.append(_refused(case.draft, error))
        new += _bring(connection, project_id, encoded, present, people=people)
        wanted = {case.draft.id: case.people for case in batch if case.draft.id in encoded}
        _offer(connection, wanted, present)
        entries = [
            PushedTask(
                draft=uid,
                project=project,
                server=connection.url,
                project_id=project_id,
                task_id=present[uid].task_id,
                interface=interface.hash,
                round=round,
                people=present[uid].people,
            )
            for uid in encoded
        ]
        known |= {entry.draft: entry for entry in entries}
        if on_pushed is not None:
            on_pushed(entries)
        if progress is not None:
            progress(len(known) + len(quarantined), len(ordered))
    if new:
        _show_predictions_of(connection, project_id, ordered[0].draft)
    return PushResult(
        project=project,
        project_id=project_id,
        url=f"{connection.url}/projects/{project_id}/data",
        interface=interface.hash,
        pushed=tuple(known[case.draft.id] for case in ordered if case.draft.id in known),
        new=new,
        quarantined=tuple(quarantined),
    )


def _unique(cases: Sequence[Case]) -> list[Case]:
    return list({case.draft.id: case for case in cases}.values())


def _batches(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
    for start in range(0, len(cases), BATCH):
        yield cases[start : start + BATCH]


def _refused(draft: Draft, error: InputError) -> Quarantined:
    return Quarantined.of(
        stage=Stage.PUSH, step="encode", reason="does_not_fit", detail=error.cause, source=draft.id, raw=draft.to_json()
    )


class Arrived(NamedTuple):
    """A task that a project has."""

    task_id: int
    predictions: int
    people: int


Present = dict[str, Arrived]
"""What a project has, by draft id."""


def _bring(
    connection: Connection, project: int, encoded: Mapping[str, JsonObject], present: Present, *, people: int
) -> int:
    """Import what the server lacks of a batch, and note it in ``present``. Returns how many were imported.

    ``people`` is how many the project offers a new task to.

    An import is never repeated blindly: after a failure the server is asked first what it has by now.
    """
    sent = 0
    for wait in (*BACKOFF_SECONDS, None):
        missing = [uid for uid in encoded if uid not in present]
        if not missing:
            break
        tasks = [encoded[uid] for uid in missing]
        try:
            path = f"/api/projects/{project}/import?return_task_ids=true"
            task_ids = connection.post(path, tasks, retry=False)["task_ids"]
        except ServiceError as error:
            if wait is None:
                raise
            log.warning("import failed, looking up what arrived: %s", error.cause)
            connection.sleep(wait)
            present.update(look_up(connection, project))
        else:
            arrived = zip(missing, task_ids, strict=True)
            present.update({uid: Arrived(int(task_id), 1, people) for uid, task_id in arrived})
            sent += len(missing)
    for uid, task in encoded.items():
        if not present[uid].predictions:  # the import died between a task and its prediction
            connection.post("/api/predictions/", {"task": present[uid].task_id, **task["predictions"][0]})
    return sent


def _offer(connection: Connection, wanted: Mapping[str, int], present: Present) -> None:
    """Let Label Studio offer tasks to as many people as shall label them; none is taken back.

    Label Studio can choose a share of tasks by itself, but takes the first ones, which here are the most doubtful, and
    chooses anew at every import: agreement would be measured on the hardest sessions alone.
    """
    for uid, people in wanted.items():
        if present[uid].people < people:
            connection.patch(f"/api/tasks/{present[uid].task_id}/", {"overlap": people})
            present[uid] = present[uid]._replace(people=people)


def look_up(connection: Connection, project: int) -> Present:
    """All that a project has; of copies the one with the lowest task id.

    Everything is listed: a filter on ``data.uid`` reads all data too, once a batch, and finds nothing, silently, where
    Label Studio does not know the column yet.
    """
    found: Present = {}
    for task in connection.tasks(project, page_size=1000, include="id,data,total_predictions,overlap"):
        uid, task_id = str(task["data"].get("uid")), int(task["id"])
        if uid not in found or task_id < found[uid].task_id:
            found[uid] = Arrived(task_id, int(task.get("total_predictions") or 0), int(task.get("overlap") or 1))
    return found


def find_project(connection: Connection, title: str) -> JsonObject | None:
    """The oldest project of exactly this title, or None."""
    page = 1
    found: list[JsonObject] = []
    while True:
        answer = connection.request(
            "GET", "/api/projects", params={"title": title, "page": page, "page_size": 100}, missing_ok=True
        )
        results = [] if answer is None else answer["results"]
        found += [project for project in results if project["title"] == title]
        if len(results) < 100:
            break
        page += 1
    return min(found, key=lambda project: int(project["id"])) if found else None


def _open_project(
    connection: Connection, title: str, spec: InterfaceSpec, *, people: int, guide_url: str | None
) -> tuple[int, Interface, int]:
    """The project's id, its interface, made or grown so that ``spec`` fits, and to how many it offers a new task.

    ``people`` is that number for a project that is made. Later changes of it would change tasks that are there.
    """
    if not 3 <= len(title) <= 50:
        raise InputError(f"{title!r} is no title for a project", "Label Studio wants 3 to 50 characters")
    settings: JsonObject = {
        "description": f"wildtool: {'adjudication' if spec.purpose == 'adjudicate' else 'labelling'}",
        "expert_instruction": instructions(guide_url),
        # A button shows them. Of itself the page would show them over a blurred form, which without a graphics card
        # costs half a minute.
        "show_instruction": False,
        "show_skip_button": True,
        "show_collab_predictions": True,
        "enable_empty_annotation": False,
        "sampling": "Sequential sampling",  # tasks come in the order of import: most doubtful first
    }
    there = find_project(connection, title)
    if there is None:
        interface = build_interface(spec)
        # A retry could make a second project of this title; then the oldest counts, and the other one stays empty.
        once = {"maximum_annotations": people, "overlap_cohort_percentage": 100}
        made = connection.post("/api/projects", {"title": title, "label_config": interface.xml, **settings, **once})
        return int(made["id"]), interface, people
    project_id, offered = int(there["id"]), int(there.get("maximum_annotations") or 1)
    now = read_interface(there.get("label_config") or "")
    if now is None and int(there.get("task_number") or 0) > 0:
        raise ServiceError(
            f"project {title!r} has a labelling interface that is none of ours",
            "push to another project with --project, or restore its labelling interface",
        )
    if now is not None and now.spec.purpose != spec.purpose:
        raise InputError(f"project {title!r} is for another purpose", "choose another title with --project")
    if now is not None and now.spec.covers(spec):
        return project_id, now, offered
    interface = build_interface(spec if now is None else now.spec.joined(spec))
    connection.patch(f"/api/projects/{project_id}", {"label_config": interface.xml, **settings})
    return project_id, interface, offered


def _show_predictions_of(connection: Connection, project: int, draft: Draft) -> None:
    """Choose which predictions prefill the form; Label Studio accepts the choice only once there are some."""
    connection.patch(f"/api/projects/{project}", {"model_version": model_version(draft)})
