"""Protocol of an annotation tool. ``label_studio`` implements it; ``backends`` registers others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import Field

from wildtool.annotation.form.annotation import Annotation, Form, FormTask
from wildtool.annotation.form.interface import Interface, InterfaceSpec
from wildtool.schemas.base import Record, Timestamp


class Login(Record):
    """How a person logs in to a server that wildtool started."""

    email: str
    """Log-in name."""
    password: str
    """Password."""

    def __repr__(self) -> str:
        return f"Login(email={self.email!r})"

    __str__ = __repr__


class Project(Record):
    """A project: the sessions of one round, all shown in one form."""

    id: int
    """The backend's id."""
    title: str
    """Title."""
    url: str
    """Address of its page."""
    interface: Interface | None
    """The form it shows now; None if wildtool did not generate it, or if somebody edited it."""
    people: int = 1
    """How many people it offers a new task to."""


class PresentTask(Record):
    """A task that a project has."""

    id: int
    """The backend's id."""
    people: int
    """How many people it is offered to."""
    prefilled: bool = True
    """False if a push died after the task and before its prefill."""


class Pushed(Record):
    """What a push of some tasks came to. Every task is in one of the two."""

    present: dict[str, PresentTask]
    """Tasks in the project, by draft id."""
    refused: dict[str, str] = Field(default_factory=dict)
    """Why the backend cannot hold a task, by draft id."""


class AnnotatedTask(Record):
    """A task with every finished annotation of it."""

    draft: str
    """Draft id that the task carries; another tool's task may carry anything."""
    round: int
    """Round of labelling."""
    task_id: int
    """The backend's id."""
    annotations: tuple[Annotation, ...]
    """All of them, changed or not."""


@dataclass(frozen=True)
class Changes:
    """Tasks whose annotations changed."""

    tasks: Iterable[AnnotatedTask]
    """Read as they are needed; one pass."""
    until: Timestamp | None = None
    """Last change known before reading began. What changes meanwhile may be missed, so the next pull starts here."""


class AnnotationBackend(Protocol):
    """A connection to an annotation tool. Every method raises ``ServiceError`` where the tool does not answer.

    All methods may be called again after a crash: the same calls give the same projects and tasks.
    """

    @property
    def url(self) -> str:
        """Address of the server, without credentials. The ledger of pushed tasks names it."""

    @property
    def login(self) -> Login | None:
        """How people log in; None unless wildtool started the server."""

    def open_project(self, title: str, spec: InterfaceSpec, *, people: int, guide_url: str | None = None) -> Project:
        """Return the project of this title, made if missing, its form grown until it covers ``spec``.

        ``people`` is how many people a new project offers its tasks to. Raises ``InputError`` for a title that the
        tool refuses and for a project with another purpose, ``ServiceError`` for a form that somebody edited.
        """

    def find_project(self, title: str) -> Project | None:
        """Return the project of this title; None if there is none."""

    def present(self, project: Project) -> Mapping[str, PresentTask]:
        """List the project's tasks by draft id. Of copies the oldest counts."""

    def push(self, project: Project, tasks: Sequence[FormTask]) -> Pushed:
        """Make sure that the project has each task once, with its prefill, offered to at least ``people`` people.

        After a failure the backend looks up what arrived before it sends anything again.
        """

    def changes(self, project: Project, since: Timestamp | None) -> Changes:
        """Find the tasks whose annotations changed after ``since``; None for all that have annotations."""

    def submit(self, project: Project, task_id: int, form: Form, *, author: str, seconds: float) -> None:
        """Submit a form as ``author``, whose account is made if missing. Only programs label like this.

        Raises ``InputError`` unless the address ends with ``.invalid``, so that no person can be meant.
        """

    def notify(self, project: Project, url: str, secret: str) -> None:
        """Have the tool call ``url`` when annotations of a project change, with the secret in ``SECRET_HEADER``."""

    def derived_secret(self, purpose: str) -> str:
        """Derive a secret from the credentials and a purpose: stable, and useless for logging in."""

    def close(self) -> None:
        """Close the connection."""


@dataclass(frozen=True)
class BackendOptions:
    """What a backend is opened with."""

    home: str
    """Folder that holds everything that is kept."""
    settings: Mapping[str, str | None] = field(default_factory=dict, repr=False)
    """Settings that begin with the backend's name, without it: ``url`` and ``api_key`` for Label Studio."""
    loopback_hooks: bool = False
    """Lets the tool's webhooks reach this machine, where wildtool starts the server."""
