"""An annotation tool in memory: it keeps projects, tasks and annotations, and can fail where servers do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from wildtool.annotation import (
    AnnotatedTask,
    Annotation,
    Changes,
    Form,
    FormTask,
    Interface,
    InterfaceSpec,
    Login,
    PresentTask,
    Project,
    Pushed,
    layout,
)
from wildtool.schemas.base import content_id
from wildtool.schemas.errors import InputError, ServiceError


@dataclass
class Kept:
    """A task and what people submitted."""

    id: int
    task: FormTask
    people: int
    annotations: list[Annotation] = field(default_factory=list)


@dataclass
class Tool:
    """The server: it outlives connections."""

    url: str = "memory://tool"
    projects: dict[str, Project] = field(default_factory=dict)
    tasks: dict[int, dict[str, Kept]] = field(default_factory=dict)
    hooks: list[tuple[int, str, str]] = field(default_factory=list)
    ids: int = 0
    now: datetime = datetime(2024, 7, 12, 9, 30, tzinfo=UTC)
    refuses: Callable[[FormTask], str | None] = lambda task: None
    dies_after: int | None = None
    """Tasks that arrive before a push dies, once."""

    def tick(self) -> str:
        """A later moment each time: an hour, so that pulls do not overlap."""
        self.now += timedelta(hours=1)
        return self.now.isoformat()

    def new_id(self) -> int:
        self.ids += 1
        return self.ids

    def annotate(self, title: str, draft: str, form: Form, author: str, *, skip: bool = False) -> None:
        """Submit as a person does."""
        kept = self.tasks[self.projects[title].id][draft]
        annotation = Annotation(
            id=self.new_id(),
            author=author,
            updated_at=self.tick(),
            form=form,
            skipped=skip,
            lead_seconds=60.0,
            raw={"form": form},
        )
        kept.annotations.append(annotation)


class MemoryBackend:
    """A connection to the tool."""

    def __init__(self, tool: Tool) -> None:
        self.tool = tool
        self.login: Login | None = None
        self.closed = False

    @property
    def url(self) -> str:
        return self.tool.url

    def open_project(self, title: str, spec: InterfaceSpec, *, people: int, guide_url: str | None = None) -> Project:
        there = self.tool.projects.get(title)
        before = None if there is None or there.interface is None else there.interface.spec
        if before is not None and before.purpose != spec.purpose:
            raise InputError("another purpose", "choose another title")
        if there is None or before is None or not before.covers(spec):
            spec = spec if before is None else before.joined(spec)
            interface = Interface(spec=spec, hash=content_id("form", layout(spec).model_dump(mode="json")))
            there = Project(
                id=self.tool.new_id() if there is None else there.id,
                title=title,
                url=f"{self.url}/{title}",
                interface=interface,
                people=people if there is None else there.people,
            )
            self.tool.projects[title] = there
            self.tool.tasks.setdefault(there.id, {})
        return there

    def find_project(self, title: str) -> Project | None:
        return self.tool.projects.get(title)

    def present(self, project: Project) -> Mapping[str, PresentTask]:
        return {
            draft: PresentTask(id=kept.id, people=kept.people) for draft, kept in self.tool.tasks[project.id].items()
        }

    def push(self, project: Project, tasks: Sequence[FormTask]) -> Pushed:
        refused = {task.draft: why for task in tasks if (why := self.tool.refuses(task))}
        held = self.tool.tasks[project.id]
        for number, task in enumerate(task for task in tasks if task.draft not in refused):
            if self.tool.dies_after is not None and number >= self.tool.dies_after:
                self.tool.dies_after = None
                raise ServiceError("the tool died", "start it again")
            kept = held.setdefault(task.draft, Kept(self.tool.new_id(), task, project.people))
            kept.people = max(kept.people, task.people)
        present = self.present(project)
        return Pushed(present={t.draft: present[t.draft] for t in tasks if t.draft in present}, refused=refused)

    def changes(self, project: Project, since: str | None) -> Changes:
        after = None if since is None else datetime.fromisoformat(since)
        return Changes(tasks=self._changed(project, after))

    def _changed(self, project: Project, after: datetime | None) -> Iterator[AnnotatedTask]:
        for draft, kept in list(self.tool.tasks[project.id].items()):
            moments = [datetime.fromisoformat(annotation.updated_at) for annotation in kept.annotations]
            if any(after is None or moment > after for moment in moments):
                yield AnnotatedTask(
                    draft=draft, round=kept.task.round, task_id=kept.id, annotations=tuple(kept.annotations)
                )

    def submit(self, project: Project, task_id: int, form: Form, *, author: str, seconds: float) -> None:
        if not author.endswith(".invalid"):
            raise InputError(f"{author} could be a person's address", "simulated annotators end with .invalid")
        draft = next(draft for draft, kept in self.tool.tasks[project.id].items() if kept.id == task_id)
        self.tool.annotate(project.title, draft, form, author)

    def notify(self, project: Project, url: str, secret: str) -> None:
        self.tool.hooks.append((project.id, url, secret))

    def derived_secret(self, purpose: str) -> str:
        return f"secret of the memory tool for {purpose}"

    def close(self) -> None:
        self.closed = True
