"""Labels: what people say of drafts, and what came of it."""

from __future__ import annotations

from typing import ClassVar, Literal

from wildtool.schemas.base import Identified, Record, Timestamp
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Decision, SlotStatus


class PushedTask(Record):
    """Ledger entry: a draft that is a task in Label Studio."""

    draft: str
    """Id of the draft."""
    project: str
    """Title of the project."""
    server: str
    """Address of the server, without credentials."""
    project_id: int
    """Label Studio's project id."""
    task_id: int
    """Label Studio's task id."""
    interface: str
    """Hash of the labelling interface."""
    round: int = 1
    """Round of labelling."""
    people: int = 1
    """How many people shall label it."""


class Label(Identified):
    """One annotator's judgement of one draft."""

    PREFIX: ClassVar[str] = "lab"
    IDENTITY: ClassVar[tuple[str, ...]] = ("draft", "annotator", "round", "decision", "tasks", "remark")

    draft: str
    """Id of the draft."""
    session: str
    """Id of the session."""
    annotator: str
    """Pseudonym of the annotator."""
    simulated: bool
    """True if a program labelled."""
    round: int = 1
    """Round of labelling."""
    project_id: int
    """Label Studio's project id."""
    annotation_id: int
    """Label Studio's annotation id."""
    interface: str
    """Hash of the labelling interface it was made with."""
    updated_at: Timestamp
    """Label Studio's time of the last change."""
    decision: Decision
    """Accept, reject or skip."""
    reject_reasons: tuple[str, ...] = ()
    """Why it was rejected."""
    remark: str = ""
    """Free remark."""
    tasks: tuple[Task, ...]
    """The tasks as the annotator left them; empty for skipped ones."""
    slots: tuple[tuple[SlotStatus, ...], ...] = ()
    """By task, what the annotator did with each used slot."""
    lead_seconds: float | None = None
    """Time that the annotator took, as Label Studio measures it."""


class Figure(Record):
    """An agreement figure with its interval."""

    value: float | None
    """The figure; None where it is undefined."""
    low: float | None = None
    """Lower end of the 95 % bootstrap interval over sessions."""
    high: float | None = None
    """Upper end."""
    n: int
    """Units that it rests on."""
    undefined: str | None = None
    """Why there is no figure, in words; None where there is one."""


class AgreementReport(Record):
    """How far annotators agree over double-labelled sessions."""

    sessions: int
    """Sessions labelled by at least two people."""
    annotators: tuple[str, ...]
    """Pseudonyms."""
    simulated: bool
    """True if any label is simulated."""
    alpha: dict[str, Figure]
    """Nominal Krippendorff's alpha by field: type, topology, hidden_intent, decision."""
    call_f1: Figure
    """Mean F1 of the multisets of called names, over tasks."""
    argument_exact: Figure
    """Share of matched calls with equal arguments."""
    argument_normalised: Figure | None = None
    """The same, where case, blanks, width and the type of a number do not count."""
    edge_f1: Figure
    """F1 of dependency edges between matched calls."""
    by_category: dict[str, dict[str, float]] = {}
    """Figures by category of the sessions, with the number of sessions."""
    by_annotator: dict[str, dict[str, float]] = {}
    """Figures over the pairs that an annotator is in, and (as ``a & b``) over each pair of annotators."""
    disagreements: dict[str, tuple[str, ...]] = {}
    """Fields that people disagree on, by session id."""


class Adjudication(Identified):
    """The final labels of a session, and how they came about."""

    PREFIX: ClassVar[str] = "adj"

    session: str
    """Id of the session."""
    draft: str
    """Id of the draft."""
    decision: Decision
    """Accept or reject; skip where it had been settled and is open again."""
    tasks: tuple[Task, ...]
    """The final tasks; empty where it is open again."""
    labels: tuple[str, ...]
    """Ids of the labels that it rests on."""
    method: Literal["single", "agreement", "majority", "adjudicator", "open"]
    """One label only, all equal, most equal, a person decided between them, or open again: later labels differ."""
    annotator: str | None = None
    """Pseudonym of the adjudicator."""
    simulated: bool
    """True if any of its labels, or the adjudicator, is simulated."""
    disagreements: tuple[str, ...] = ()
    """Fields that had differed."""
