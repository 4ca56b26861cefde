"""Track labels that did not hold: which of them still wait for a new label, and which labels they overrule. Pure.

A failed label is in quarantine with its reason. It is answered once the same annotation was corrected in place, or once
somebody labelled the draft in the re-labelling project.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from wildtool.schemas.base import Record, Timestamp
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Decision, Stage


class FailedLabel(Record):
    """A label that did not hold."""

    draft: str
    """Id of the draft."""
    annotator: str
    """Pseudonym of the annotator."""
    round: int
    """Round of labelling."""
    project_id: int
    """The backend's project id."""
    annotation_id: int
    """The backend's annotation id."""
    updated_at: Timestamp
    """When it changed last, by the backend's clock."""
    reason: str
    """Everything that does not hold, in one line for a person."""


def failed_labels(quarantined: Iterable[Quarantined]) -> list[FailedLabel]:
    """List what pulls put into quarantine: the newest state of each annotation, the oldest first.

    Annotations of drafts that wildtool did not push are left out: nobody could label those again.
    """
    newest: dict[tuple[int, int], FailedLabel] = {}
    for row in quarantined:
        if row.stage is not Stage.PULL or row.step != "check":
            continue
        raw = json.loads(row.raw)
        failed = FailedLabel(
            draft=row.source,
            annotator=raw["annotator"],
            round=raw["round"],
            project_id=raw["project"],
            annotation_id=raw["annotation"]["id"],
            updated_at=str(raw["annotation"]["updated_at"]).replace("Z", "+00:00"),
            reason=row.detail,
        )
        before = newest.get(_annotation(failed))
        if before is None or _moment(before) < _moment(failed):
            newest[_annotation(failed)] = failed
    return sorted(newest.values(), key=lambda each: (_moment(each), each.annotation_id))


def open_failures(failed: Iterable[FailedLabel], labels: Iterable[Label]) -> list[FailedLabel]:
    """List those that nobody answered, neither in place nor in another project of the round.

    One answer settles one failure, so that a draft with two failed labels comes back for two. An answer that fails in
    its turn counts too: then it is the one that is open.
    """
    held = [label for label in labels if label.decision is not Decision.SKIP]
    corrected = {_annotation(label): _moment(label) for label in held}
    uncorrected = [each for each in failed if corrected.get(_annotation(each), _NEVER) < _moment(each)]
    answers: dict[tuple[str, int], list[Label | FailedLabel]] = {}
    attempts: list[Label | FailedLabel] = [*held, *uncorrected]
    for answer in sorted(attempts, key=_moment):
        answers.setdefault((answer.draft, answer.round), []).append(answer)
    still = []
    for each in sorted(uncorrected, key=_moment):
        later = answers[each.draft, each.round]
        found = next((a for a in later if a.project_id != each.project_id and _moment(a) > _moment(each)), None)
        if found is None:
            still.append(each)
        else:
            later.remove(found)
    return still


def standing(labels: Iterable[Label], failed: Iterable[FailedLabel]) -> list[Label]:
    """Drop labels whose annotation was changed later to something that fails."""
    overruled = {_annotation(each): _moment(each) for each in failed}
    return [label for label in labels if overruled.get(_annotation(label), _NEVER) <= _moment(label)]


_NEVER = datetime.fromisoformat("0001-01-01T00:00:00+00:00")


def _annotation(of: Label | FailedLabel) -> tuple[int, int]:
    return of.project_id, of.annotation_id


def _moment(of: Label | FailedLabel) -> datetime:
    return datetime.fromisoformat(of.updated_at)
