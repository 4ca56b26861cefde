"""Label Studio as an annotation backend: the one implementation of the Protocol that talks to a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.annotation.backend import AnnotatedTask, BackendOptions, Changes, Login, PresentTask, Project, Pushed
from wildtool.annotation.form.annotation import Form, FormTask
from wildtool.annotation.form.interface import InterfaceSpec
from wildtool.annotation.label_studio.accounts import account_token
from wildtool.annotation.label_studio.connection import Connection, connect, retries
from wildtool.annotation.label_studio.install import Progress
from wildtool.annotation.label_studio.interface import LabelStudioInterface
from wildtool.annotation.label_studio.projects import as_project, find_project, open_project
from wildtool.annotation.label_studio.results import form_result, iso, read_annotation, task_json, validation_errors
from wildtool.annotation.label_studio.server import LabelStudioServer
from wildtool.annotation.label_studio.webhooks import register_hook
from wildtool.schemas.base import JsonObject, Timestamp, canonical_json
from wildtool.schemas.errors import ServiceError, SettingsError

if TYPE_CHECKING:
    from tenacity import RetryCallState

Present = dict[str, PresentTask]
"""What a project has, by draft id."""


class LabelStudioBackend:
    """Implements ``AnnotationBackend`` over a connection to Label Studio."""

    def __init__(self, connection: Connection, *, login: Login | None = None) -> None:
        self.connection, self.login = connection, login
        self._present: dict[int, Present] = {}
        self._prefilled: set[int] = set()
        """Projects whose predictions were chosen by this connection."""
        self._tokens: dict[str, str] = {}

    @property
    def url(self) -> str:
        """See ``AnnotationBackend``."""
        return self.connection.url

    def open_project(self, title: str, spec: InterfaceSpec, *, people: int, guide_url: str | None = None) -> Project:
        """See ``AnnotationBackend``."""
        return open_project(self.connection, title, spec, people=people, guide_url=guide_url)

    def find_project(self, title: str) -> Project | None:
        """See ``AnnotationBackend``."""
        there = find_project(self.connection, title)
        return None if there is None else as_project(self.connection, there)

    def present(self, project: Project) -> Mapping[str, PresentTask]:
        """See ``AnnotationBackend``.

        Lists everything: a filter on ``data.uid`` reads all data too, once per batch, and silently finds nothing where
        Label Studio does not know the column yet.
        """
        found: Present = {}
        listed = self.connection.tasks(project.id, page_size=1000, include="id,data,total_predictions,overlap")
        for task in listed:
            uid, task_id = str(task["data"].get("uid")), int(task["id"])
            if uid not in found or task_id < found[uid].id:
                found[uid] = PresentTask(
                    id=task_id,
                    people=int(task.get("overlap") or 1),
                    prefilled=bool(task.get("total_predictions")),
                )
        self._present[project.id] = found
        return found

    def push(self, project: Project, tasks: Sequence[FormTask]) -> Pushed:
        """See ``AnnotationBackend``. An import is never repeated blindly: after a failure it lists what arrived."""
        interface = project.interface
        if not isinstance(interface, LabelStudioInterface):
            raise ServiceError(f"project {project.title!r} was not opened here", "open it before pushing")
        if not tasks:
            return Pushed(present={})
        encoded: dict[str, JsonObject] = {}
        refused: dict[str, str] = {}
        for task in tasks:
            encoded[task.draft] = task_json(task, interface)
            if errors := validation_errors(encoded[task.draft]["predictions"][0], interface):
                refused[task.draft] = "; ".join(errors)
                del encoded[task.draft]
        if project.id not in self._present:
            self.present(project)

        before = set(self._present[project.id])

        def look_up(state: RetryCallState) -> None:
            if state.attempt_number > 1:
                self.present(project)

        retries(self.connection.sleep, before=look_up)(self._import, project, encoded)
        for task in tasks:
            if task.draft in encoded:
                self._complete(project, task, encoded[task.draft])
        present = self._present[project.id]
        if project.id not in self._prefilled and encoded.keys() - before:
            # Choose the predictions that prefill the form; Label Studio accepts the choice only once there are some.
            self.connection.patch(f"/api/projects/{project.id}", {"model_version": tasks[0].author})
            self._prefilled.add(project.id)
        return Pushed(present={draft: present[draft] for draft in encoded}, refused=refused)

    def _import(self, project: Project, encoded: Mapping[str, JsonObject]) -> None:
        """Import what the project lacks, in one request that is not repeated."""
        present = self._present[project.id]
        missing = [draft for draft in encoded if draft not in present]
        if missing:
            path = f"/api/projects/{project.id}/import?return_task_ids=true"
            task_ids = self.connection.post(path, [encoded[draft] for draft in missing], retry=False)["task_ids"]
            for draft, task_id in zip(missing, task_ids, strict=True):
                present[draft] = PresentTask(id=int(task_id), people=project.people)

    def _complete(self, project: Project, task: FormTask, encoded: JsonObject) -> None:
        """Add a prediction that an import left out, and offer the task to as many people as shall label it.

        Label Studio can choose a share of tasks by itself, but takes the first ones, which here are the most doubtful,
        and chooses anew at every import: agreement would be measured on the hardest sessions alone.
        """
        there = self._present[project.id][task.draft]
        if not there.prefilled:
            self.connection.post("/api/predictions/", {"task": there.id, **encoded["predictions"][0]})
        if there.people < task.people:
            self.connection.patch(f"/api/tasks/{there.id}/", {"overlap": task.people})
        people = max(there.people, task.people)
        self._present[project.id][task.draft] = PresentTask(id=there.id, people=people)

    def changes(self, project: Project, since: Timestamp | None) -> Changes:
        """See ``AnnotationBackend``."""
        until = self._newest_change(project)
        return Changes(tasks=self._annotated(project, since), until=until)

    def _annotated(self, project: Project, since: Timestamp | None) -> Iterator[AnnotatedTask]:
        emails = {int(user["id"]): str(user["email"]) for user in self.connection.get("/api/users/")}
        read: set[int] = set()
        for task in self.connection.tasks(project.id, query=_changed_after(since), fields="all"):
            if int(task["id"]) in read:  # a change moves tasks to the next page
                continue
            read.add(int(task["id"]))
            finished = [each for each in task.get("annotations") or [] if not each.get("draft")]
            yield AnnotatedTask(
                draft=str(task["data"].get("uid") or ""),
                round=int(task["data"].get("round") or 1),
                task_id=int(task["id"]),
                annotations=tuple(read_annotation(each, _author(each, emails)) for each in finished),
            )

    def _newest_change(self, project: Project) -> str | None:
        """Return when the project's newest task changed last, by the server's clock; None for an empty project."""
        asked = {"project": project.id, "page": 1, "page_size": 1, "resolve_uri": "false", "include": "id,updated_at"}
        query = canonical_json({"ordering": ["-tasks:updated_at"]})
        answer = self.connection.request("GET", "/api/tasks", params={**asked, "query": query}, missing_ok=True)
        tasks = [] if answer is None else answer["tasks"]
        return iso(tasks[0]["updated_at"]) if tasks and tasks[0].get("updated_at") else None

    def submit(self, project: Project, task_id: int, form: Form, *, author: str, seconds: float) -> None:
        """See ``AnnotationBackend``."""
        if author not in self._tokens:
            self._tokens[author] = account_token(self.connection, author)
        body = {"result": form_result(form), "lead_time": seconds}
        self.connection.request("POST", f"/api/tasks/{task_id}/annotations/", json=body, token=self._tokens[author])

    def notify(self, project: Project, url: str, secret: str) -> None:
        """See ``AnnotationBackend``."""
        register_hook(self.connection, project_id=project.id, url=url, secret=secret)

    def derived_secret(self, purpose: str) -> str:
        """See ``AnnotationBackend``."""
        return self.connection.derived_secret(purpose)

    def close(self) -> None:
        """See ``AnnotationBackend``."""
        self.connection.close()


def open_label_studio(options: BackendOptions, progress: Progress) -> LabelStudioBackend:
    """Connect to the Label Studio of the settings, or to the home's own server, which is started and left running."""
    url, token = options.settings.get("url"), options.settings.get("api_key")
    if url is None:
        server = LabelStudioServer(Path(options.home), loopback_hooks=options.loopback_hooks).start(progress)
        login = Login(email=server.email, password=server.password)
        return LabelStudioBackend(connect(server.url, server.token), login=login)
    if token is None:
        raise SettingsError(
            f"there is no token for Label Studio at {url}",
            "set LABEL_STUDIO_API_KEY to an access token of your account there (Account & Settings)",
        )
    return LabelStudioBackend(connect(url, token))


def _author(annotation: JsonObject, emails: Mapping[int, str]) -> str:
    who = annotation.get("completed_by")
    user = int(who["id"] if isinstance(who, dict) else who or 0)
    return emails.get(user) or (f"user {user}" if user else "")


def _changed_after(since: Timestamp | None) -> JsonObject:
    """Query tasks that changed after a moment. A task changes with its annotations, some milliseconds after them."""
    items: list[JsonObject] = []
    if since is not None:
        moment = datetime.fromisoformat(since).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        items.append({"filter": "filter:tasks:updated_at", "operator": "greater", "type": "Datetime", "value": moment})
    return {"filters": {"conjunction": "and", "items": items}}
