"""Compute the progress of labelling by project: people, pace, labels left. Figures for ``wildtool annotate status``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from statistics import median

from wildtool.annotation.failed import FailedLabel, open_failures
from wildtool.schemas.base import Record
from wildtool.schemas.label import Label, PushedTask
from wildtool.schemas.vocabulary import Decision


class Person(Record):
    """One annotator's work."""

    annotator: str
    """Pseudonym."""
    simulated: bool
    """True for a program."""
    accepted: int
    """Sessions accepted."""
    rejected: int
    """Sessions rejected."""
    skipped: int
    """Sessions skipped."""
    median_seconds: float | None
    """Median time per session, as the backend measures it."""
    newest: str
    """Time of the last label."""


class ProjectStatus(Record):
    """Progress of one project."""

    project: str
    """Title."""
    round: int
    """Round of labelling."""
    pushed: int
    """Sessions in it."""
    labelled_once: int
    """Sessions that one person labelled."""
    labelled_twice: int
    """Sessions that two or more people labelled."""
    rejected: int
    """Sessions that at least one person rejected."""
    failed: int
    """Labels that do not hold and that nobody has replaced yet."""
    left: int
    """Labels still to make."""
    wanted: int
    """Labels wanted in total."""
    people: tuple[Person, ...]
    """The annotators, the busiest first."""
    labels_a_day: float | None
    """Pace since the first label; None with fewer than two labels."""
    days_left: float | None
    """Days left at that pace; None without one."""


def project_status(
    pushed: Iterable[PushedTask], labels: Iterable[Label], *, failed: Iterable[FailedLabel] = ()
) -> tuple[ProjectStatus, ...]:
    """Report each project in order of rounds, from the ledger and the pulled labels.

    ``labels`` include skipped ones; ``failed`` are those that did not hold (``failed_labels``). A failed label counts
    as made: the work that it leaves is a task of the project where the draft came back.
    """
    tasks: dict[tuple[int, int, str], dict[str, int]] = {}
    for entry in pushed:
        tasks.setdefault((entry.round, entry.project_id, entry.project), {})[entry.draft] = entry.people
    all_labels, all_failed = list(labels), list(failed)
    still = open_failures(all_failed, all_labels)
    return tuple(
        _project(
            round_,
            title,
            wanted,
            [label for label in all_labels if label.project_id == project_id and label.draft in wanted],
            [each for each in all_failed if each.project_id == project_id and each.draft in wanted],
            sum(each.project_id == project_id and each.draft in wanted for each in still),
        )
        for (round_, project_id, title), wanted in sorted(tasks.items(), key=lambda item: item[0])
    )


def _project(
    round_: int,
    title: str,
    people: Mapping[str, int],
    labels: Sequence[Label],
    failed: Sequence[FailedLabel],
    open_failed: int,
) -> ProjectStatus:
    judged = [label for label in labels if label.decision is not Decision.SKIP]
    people_by_draft = Counter(draft for draft, _ in {(label.draft, label.annotator) for label in judged})
    wanted = sum(people.values())
    made = Counter(
        draft for draft, _ in {(e.draft, e.annotator) for e in judged} | {(e.draft, e.annotator) for e in failed}
    )
    done = sum(min(count, people[draft]) for draft, count in made.items())
    pace = _pace(judged)
    left = max(0, wanted - done)
    return ProjectStatus(
        project=title,
        round=round_,
        pushed=len(people),
        labelled_once=sum(count == 1 for count in people_by_draft.values()),
        labelled_twice=sum(count > 1 for count in people_by_draft.values()),
        rejected=len({label.draft for label in judged if label.decision is Decision.REJECT}),
        failed=open_failed,
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
