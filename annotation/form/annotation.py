"""Records that a form takes and returns, whatever tool shows it."""

from __future__ import annotations

from pydantic import Field

from wildtool.schemas.base import JsonObject, Record, Timestamp

Form = dict[str, list[str]]
"""Values by control, as in ``{"t1_type": ["multi"], "t1_c2_after": ["c1"]}``; an empty control is absent."""


class FormTask(Record):
    """One draft as a form shows it."""

    draft: str
    """Id of the draft: a backend finds the task again by it."""
    session: str
    """Id of the session."""
    language: str
    """Language of the session."""
    category: str
    """Category of the session."""
    round: int
    """Round of labelling."""
    people: int
    """How many people shall label it."""
    dialogue_html: str
    """The dialogue; safe HTML."""
    tools_html: str
    """The session's tools; safe HTML."""
    labels_html: str = ""
    """People's labels side by side, for an adjudicator; safe HTML."""
    tools: tuple[str, ...]
    """Names of the tools that a call can choose."""
    doubts: dict[str, str]
    """Doubts by key of the layout; plain text."""
    open_doubts: int
    """How many verdicts are doubtful: the most doubtful tasks come first."""
    form: Form
    """What the form starts with."""
    author: str
    """Model that wrote the draft."""


class Annotation(Record):
    """A form that one person submitted."""

    id: int
    """The backend's id."""
    author: str
    """E-mail of the person, or what else the backend knows them by; empty if unknown."""
    updated_at: Timestamp
    """When it changed last, by the backend's clock."""
    form: Form = Field(default_factory=dict)
    """What the person filled in."""
    broken: str | None = None
    """Why the form cannot be read; None if it can."""
    skipped: bool = False
    """True if the person passed the session on."""
    lead_seconds: float | None = None
    """Time that the person took, as the backend measures it."""
    raw: JsonObject
    """The annotation in the backend's own format, kept if it has to go to quarantine."""
