"""How far labelling is: rounds, people, pace, what is left. Figures for ``wildtool annotate status``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from statistics import median

from schemas.base import Record
from schemas.label import Label, PushedTask
from schemas.quarantine import Quarantined
from schemas.vocabulary import Decision


class Person(Record):
    """What one annotator did."""

    annotator: str
    """Pseudonym."""
    simulated: bool
    """True if a program."""
    accepted: int
    """Sessions accepted."""
    rejected: int
    """Sessions rejected."""
    skipped: int
    """Sessions skipped."""
    median_seconds: float | None
    """Median time on a session, as Label Studio measures it."""
    newest: str
    """Time of the last label."""


class ProjectStatus(Record):
    """How far one project is."""

    project: str
    """Title."""
    round: int
    """Round of labelling."""
    pushed: int
    """Sessions in it."""
    labelled_once: int
    """Sessions with one person's label."""
    labelled_twice: int
    """Sessions with labels of two people or more."""
    rejected: int
    """Sessions that somebody rejected."""
    quarantined: int
    """Labels that do not hold and wait for a second look."""
    left: int
    """Labels still to make for ``wanted``."""
    wanted: int
    """Labels wanted in all."""
    people: tuple[Person, ...]
    """The annotators, the busiest first."""
    labels_a_day: float | None
    """Pace since the first label; None before there are two."""
    days_left: float | None
    """At that pace; None where there is no pace."""


def project_status(
    pushed: Iterable[PushedTask],
    labels: Iterable[Label],
    *,
    quarantined: Iterable[Quarantined] = (),
    double_share: float = 1.0,
) -> tuple[ProjectStatus, ...]:
    """One entry a project, in order of rounds, from the ledger and what was pulled. ``labels`` include skipped ones."""
    tasks: dict[tuple[int, int, str], set[str]] = {}
    for entry in pushed:
        tasks.setdefault((entry.round, entry.project_id, entry.project), set()).add(entry.draft)
    all_labels, held = list(labels), list(quarantined)
    return tuple(
        _project(
            round_,
            title,
            drafts,
            [label for label in all_labels if label.project_id == project_id and label.draft in drafts],
            sum(row.source in drafts for row in held),
            double_share if round_ == 1 else 0.0,
        )
        for (round_, project_id, title), drafts in sorted(tasks.items())
    )


def _project(
    round_: int, title: str, drafts: set[str], labels: Sequence[Label], quarantined: int, double_share: float
) -> ProjectStatus:
    judged = [label for label in labels if label.decision is not Decision.SKIP]
    people_by_draft = Counter(draft for draft, _ in {(label.draft, label.annotator) for label in judged})
    wanted = len(drafts) + round(double_share * len(drafts))
    done = sum(min(count, 2 if double_share else 1) for count in people_by_draft.values())
    pace = _pace(judged)
    left = max(0, wanted - done)
    return ProjectStatus(
        project=title,
        round=round_,
        pushed=len(drafts),
        labelled_once=sum(count == 1 for count in people_by_draft.values()),
        labelled_twice=sum(count > 1 for count in people_by_draft.values()),
        rejected=len({label.draft for label in judged if label.decision is Decision.REJECT}),
        quarantined=quarantined,
        left=left,
        wanted=wanted,
        people=_people(labels),
        labels_a_day=pace,
        days_left=left / pace if pace else None,
    )


def _people(labels: Sequence[Label]) -> tuple[Person, ...]:
    people = []
    for name in {label.annotator for label in labels}:
        own = [label for label in labels if label.annotator == name]
        seconds = [label.lead_seconds for label in own if label.lead_seconds is not None]
        people.append(
            Person(
                annotator=name,
                simulated=any(label.simulated for label in own),
                accepted=sum(label.decision is Decision.ACCEPT for label in own),
                rejected=sum(label.decision is Decision.REJECT for label in own),
                skipped=sum(label.decision is Decision.SKIP for label in own),
                median_seconds=median(seconds) if seconds else None,
                newest=max(label.updated_at for label in own),
            )
        )
    return tuple(sorted(people, key=lambda each: (-(each.accepted + each.rejected), each.annotator)))


def _pace(labels: Sequence[Label]) -> float | None:
    moments = sorted(datetime.fromisoformat(label.updated_at) for label in labels)
    if len(moments) < 2 or moments[0] == moments[-1]:
        return None
    return (len(moments) - 1) / ((moments[-1] - moments[0]).total_seconds() / 86_400)
