"""Map records to tables, and define what a second write of the same id does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from wildtool.schemas.base import Identified, Record, content_id
from wildtool.schemas.conversation import Conversation, ConversationBehaviour
from wildtool.schemas.draft import Draft, DraftTally
from wildtool.schemas.label import Adjudication, Label, PushedTask
from wildtool.schemas.plan import SessionPlan
from wildtool.schemas.quarantine import Quarantined, StageReport
from wildtool.schemas.score import ScoreReport, TaskScore
from wildtool.schemas.seed import SeedScenario
from wildtool.schemas.session import Session
from wildtool.schemas.tool import ToolList
from wildtool.schemas.trajectory import Trajectory


@dataclass(frozen=True)
class Table:
    """A record type and its table."""

    record: type[Record]
    """The type."""
    name: str
    """Name of the table."""
    columns: Mapping[str, Callable[[Any], Any]]
    """Filter columns beside ``id`` and ``body``, and how each is taken from a record."""
    key: Callable[[Any], str]
    """Id of a record."""
    replace: bool = False
    """A second write of an id replaces the row; else it changes nothing (the id hashes the content)."""
    current: tuple[str, ...] = ()
    """Only the newest row of equal values in these columns is read; all rows are kept."""
    newest: str = "seq"
    """Column that tells which row is newest."""


def pushed_id(draft: str, server: str, project: str, round: int) -> str:
    """Id of a ledger entry: one task a draft, server, project and round."""
    return content_id("psh", [draft, server, project, round])


def score_id(report: ScoreReport) -> str:
    """Id of a score: one a release, candidate and rule set; a new score replaces the old."""
    return content_id("scr", [report.release_digest, report.candidate, report.rules.value])


def microseconds(timestamp: str) -> int:
    """Microseconds since 1970 of an ISO 8601 timestamp, so that times with different offsets compare."""
    return round(datetime.fromisoformat(timestamp).timestamp() * 1_000_000)


def _own_id(record: Identified) -> str:
    return record.id


def _fields(*names: str) -> dict[str, Callable[[Any], Any]]:
    def take(name: str) -> Callable[[Any], Any]:
        return lambda record: getattr(record, name)

    return {name: take(name) for name in names}


def _scored(name: str) -> Callable[[Any], Any]:
    return lambda row: getattr(row[1], name)


TABLES: tuple[Table, ...] = (
    Table(Conversation, "conversations", _fields("language", "source"), _own_id),
    Table(ConversationBehaviour, "behaviours", _fields("conversation", "language"), _own_id),
    Table(SeedScenario, "seeds", _fields("language", "category", "subcategory", "parent"), _own_id),
    Table(ToolList, "tool_lists", _fields("slug", "language", "category", "subcategory"), _own_id),
    Table(SessionPlan, "plans", _fields("profile", "language", "index", "seed"), _own_id),
    Table(
        Draft,
        "drafts",
        {
            "plan": lambda draft: draft.plan.id,
            "session": lambda draft: draft.session.id,
            "profile": lambda draft: draft.plan.profile,
            "language": lambda draft: draft.session.language,
            "offline": lambda draft: draft.offline,
        },
        _own_id,
    ),
    Table(
        DraftTally,
        "draft_tallies",
        _fields("plan", "language", "model", "prompts", "drafted"),
        lambda tally: tally.plan,
        # A session that failed for want of an answer is tried again, and this tells how that went.
        replace=True,
    ),
    Table(
        PushedTask,
        "pushed_tasks",
        _fields("draft", "server", "project", "project_id", "task_id", "round"),
        lambda pushed: pushed_id(pushed.draft, pushed.server, pushed.project, pushed.round),
        replace=True,
    ),
    Table(
        Label,
        "labels",
        _fields("draft", "session", "annotator", "round", "simulated", "decision", "project_id", "annotation_id")
        | {"updated": lambda label: microseconds(label.updated_at)},
        _own_id,
        # An annotator who changes a label back gives the first id again, with a newer time.
        replace=True,
        current=("draft", "project_id", "annotation_id"),
        newest="updated",
    ),
    Table(
        Adjudication,
        "adjudications",
        _fields("session", "draft", "decision"),
        _own_id,
        replace=True,
        current=("draft",),
    ),
    Table(
        Session,
        "sessions",
        _fields("language", "category", "subcategory", "tool_list")
        | {"draft": lambda session: session.provenance.draft},
        _own_id,
        replace=True,
    ),
    Table(
        Trajectory,
        "trajectories",
        _fields("release", "release_digest", "candidate", "session", "trial"),
        _own_id,
        # A resumed run completes a trajectory whose request had failed.
        replace=True,
    ),
    Table(
        ScoreReport,
        "score_reports",
        _fields("release", "release_digest", "candidate", "rules"),
        score_id,
        replace=True,
    ),
    Table(Quarantined, "quarantine", _fields("stage", "step", "reason", "source"), _own_id),
    Table(
        StageReport,
        "stage_reports",
        _fields("stage", "run"),
        lambda report: content_id("rep", [report.stage.value, report.run]),
        replace=True,
    ),
)
"""All record types that ``Store.put`` takes."""

TASK_SCORES = Table(
    TaskScore,
    "task_scores",
    # A task's score names neither release nor candidate: the report's id is passed beside it.
    {"report": lambda row: row[0]} | {name: _scored(name) for name in ("session", "trial", "task", "correct")},
    lambda row: content_id("tsc", [row[0], row[1].session, row[1].trial, row[1].task]),
    replace=True,
)
"""Written by ``Store.put_scores``; its rows are (report id, TaskScore)."""

BY_TYPE: dict[type[Record], Table] = {table.record: table for table in TABLES}
