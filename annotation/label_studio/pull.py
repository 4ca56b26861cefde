"""Annotations → labels: incremental, the newest of each person, each one checked.

Webhooks may hint that there is something to pull; what is true is what the server lists.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from wildtool.annotation.form.decode import decode_annotation
from wildtool.annotation.form.interface import Interface, read_interface
from wildtool.annotation.label_studio.connection import Connection
from wildtool.annotation.label_studio.push import find_project
from wildtool.schemas.base import JsonObject, Record, canonical_json, sha256_hex
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import ServiceError
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Decision, Stage

OVERLAP = timedelta(minutes=2)
"""Asked again at each pull: a transaction may commit after a later one was listed. Ids are content hashes, so what
comes twice is one label."""

SALT = "wildtool"
"""Keeps pseudonyms from being looked up in a table of hashed e-mails; give a salt of your own for more."""


class PullResult(Record):
    """What a pull brought."""

    project: str
    """Title of the project."""
    project_id: int
    """Label Studio's project id."""
    labels: tuple[Label, ...]
    """Accepted and rejected sessions: the newest label of each person for each draft."""
    skipped: tuple[Label, ...]
    """Sessions that people skipped, kept apart."""
    quarantined: tuple[Quarantined, ...]
    """What does not hold, one entry an annotation."""
    newest: str | None
    """Pass it as ``since`` next time; None where there is no annotation."""
    seen: int
    """Changed annotations: labels + skipped + quarantined + superseded."""
    superseded: int = 0
    """Older annotations by the same person."""


def pull_labels(
    connection: Connection,
    *,
    project: str,
    drafts: Iterable[Draft],
    since: str | None = None,
    simulated_annotators: Collection[str] = (),
    salt: str = SALT,
    progress: Callable[[int], None] | None = None,
) -> PullResult:
    """Labels of a project that changed after ``since`` (ISO 8601; None for all).

    ``drafts`` are those that were pushed; ``simulated_annotators`` are e-mails or pseudonyms of programs (those that
    sign their results are known anyway). Raises ``ServiceError``, also where there is no such project.
    """
    there = find_project(connection, project)
    if there is None:
        raise ServiceError(
            f"there is no project {project!r} at {connection.url}", "push drafts first, or correct --project"
        )
    project_id = int(there["id"])
    interface = read_interface(there.get("label_config") or "")
    by_id = {draft.id: draft for draft in drafts}
    people = annotators(connection, salt=salt)
    simulated = set(simulated_annotators)
    labels: list[Label] = []
    skipped: list[Label] = []
    quarantined: list[Quarantined] = []
    newest, seen, superseded = since, 0, 0
    floor = None if since is None else _moment(since) - OVERLAP
    # What changes while a long pull reads may be on a page that was read already: the next pull starts before it.
    bound = _newest_change(connection, project_id)
    read: set[int] = set()
    for task in connection.tasks(project_id, query=_changed_after(floor), fields="all"):
        if int(task["id"]) in read:  # a change moves tasks to the next page
            continue
        read.add(int(task["id"]))
        annotations = [each for each in task.get("annotations") or [] if not each.get("draft")]
        changed = [each for each in annotations if floor is None or _moment(each["updated_at"]) > floor]
        chosen = [each for each in _newest_of_each(annotations) if each in changed]
        superseded += len(changed) - len(chosen)
        seen += len(changed)
        for annotation in chosen:
            newest = max(filter(None, (newest, _iso(annotation["updated_at"]))), key=_moment, default=None)
            email, pseudonym = people.get(_person(annotation), ("", "unknown"))
            decoded = _decode(
                annotation,
                by_id.get(str(task["data"].get("uid"))),
                interface,
                task=task,
                project_id=project_id,
                annotator=pseudonym,
                simulated=bool({email, pseudonym} & simulated),
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
        project_id=project_id,
        labels=tuple(labels),
        skipped=tuple(skipped),
        quarantined=tuple(quarantined),
        newest=None if newest is None else min(newest, bound or newest, key=_moment),
        seen=seen,
        superseded=superseded,
    )


def annotators(connection: Connection, *, salt: str = SALT) -> dict[int, tuple[str, str]]:
    """E-mail and pseudonym of the server's people, by Label Studio's user id."""
    return {
        int(user["id"]): (user["email"], pseudonym(user["email"], salt=salt)) for user in connection.get("/api/users/")
    }


def pseudonym(email: str, *, salt: str = SALT) -> str:
    """``ann_`` and 8 hex digits: stable for a person and a salt, and no way back."""
    salted = f"{salt}\n{email.strip().lower()}"
    return f"ann_{sha256_hex(salted)[:8]}" if email else "unknown"


def _decode(
    annotation: JsonObject,
    draft: Draft | None,
    interface: Interface | None,
    *,
    task: JsonObject,
    project_id: int,
    annotator: str,
    simulated: bool,
) -> Label | Quarantined:
    if draft is None:
        return Quarantined.of(
            stage=Stage.PULL,
            step="match",
            reason="unknown_draft",
            detail=f"task {task['id']} of project {project_id}: {task['data'].get('uid')!r} is no draft of ours",
            source=str(task["data"].get("uid") or f"task {task['id']}"),
            raw=canonical_json(annotation),
        )
    return decode_annotation(
        annotation,
        draft,
        interface,
        project_id=project_id,
        annotator=annotator,
        simulated=simulated,
        round=int(task["data"].get("round") or 1),
    )


def _newest_of_each(annotations: list[JsonObject]) -> list[JsonObject]:
    """Anybody can submit twice: the newest of each person counts."""
    newest: dict[int, JsonObject] = {}
    for annotation in sorted(annotations, key=lambda each: (_iso(each["updated_at"]), int(each["id"]))):
        newest[_person(annotation)] = annotation
    return list(newest.values())


def _person(annotation: JsonObject) -> int:
    who: Any = annotation.get("completed_by")
    return int(who["id"] if isinstance(who, dict) else who or 0)


def _iso(moment: str) -> str:
    return moment.replace("Z", "+00:00")


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(_iso(text))


def _newest_change(connection: Connection, project: int) -> str | None:
    """When a project's newest task changed last, by the server's clock; None for an empty project."""
    asked = {"project": project, "page": 1, "page_size": 1, "resolve_uri": "false", "include": "id,updated_at"}
    query = canonical_json({"ordering": ["-tasks:updated_at"]})
    answer = connection.request("GET", "/api/tasks", params={**asked, "query": query}, missing_ok=True)
    tasks = [] if answer is None else answer["tasks"]
    return _iso(tasks[0]["updated_at"]) if tasks and tasks[0].get("updated_at") else None


def _changed_after(floor: datetime | None) -> JsonObject:
    """Tasks that changed after a moment. A task changes with its annotations, some milliseconds after them."""
    items: list[JsonObject] = []
    if floor is not None:
        moment = floor.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        items.append({"filter": "filter:tasks:updated_at", "operator": "greater", "type": "Datetime", "value": moment})
    return {"filters": {"conjunction": "and", "items": items}}
