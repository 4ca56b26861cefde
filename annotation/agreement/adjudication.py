"""Turn labels into ground truth: by a single label, agreement, a majority, or an adjudicator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal

from wildtool.annotation.agreement.compare import content, differing_fields, label_content
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Adjudication, Label
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Decision


def adjudicate(draft: Draft, labels: Sequence[Label], *, adjudicator: Label | None = None) -> Adjudication | None:
    """Settle a draft; return None while people disagree and nobody decided, or while nobody labelled it.

    Skipped labels and labels of other drafts do not count; of each person the newest counts. Whole labels are compared,
    so that somebody saw everything that is published in one piece.
    """
    counted = _newest([each for each in labels if each.draft == draft.id and each.decision is not Decision.SKIP])
    differing = differing_fields(counted)
    if adjudicator is not None and adjudicator.draft == draft.id and adjudicator.decision is not Decision.SKIP:
        others = [label for label in counted if label.id != adjudicator.id]
        return _settled(
            draft, adjudicator, [*others, adjudicator], "adjudicator", differing_fields(others), adjudicator
        )
    if not counted:
        return None
    groups: dict[tuple[str, ...], list[Label]] = defaultdict(list)
    for label in counted:
        groups[label_content(label)].append(label)
    largest = max(groups.values(), key=len)
    if len(counted) == 1:
        return _settled(draft, counted[0], counted, "single", ())
    if len(groups) == 1:
        return _settled(draft, largest[0], counted, "agreement", ())
    if 2 * len(largest) > len(counted):
        return _settled(draft, largest[0], counted, "majority", differing)
    return None


def disagreement(draft: Draft, labels: Sequence[Label]) -> tuple[str, ...]:
    """List the fields in which the newest labels of a draft differ: what an adjudicator is asked about."""
    return differing_fields(
        _newest([each for each in labels if each.draft == draft.id and each.decision is not Decision.SKIP])
    )


def reopened(draft: Draft, labels: Sequence[Label]) -> Adjudication:
    """Replace an adjudication whose labels changed so that people disagree now: nothing is settled."""
    return Adjudication.of(
        session=draft.session.id,
        draft=draft.id,
        decision=Decision.SKIP,
        tasks=(),
        labels=tuple(label.id for label in labels),
        method="open",
        simulated=any(label.simulated for label in labels),
        disagreements=disagreement(draft, labels),
    )


def confirms(label: Label, settled: Adjudication) -> bool:
    """Return whether a label of a settled session confirms all of it."""
    return label_content(label) == content(settled.decision, settled.tasks)


def _newest(labels: Sequence[Label]) -> list[Label]:
    newest: dict[str, Label] = {}
    for label in sorted(labels, key=lambda each: (each.round, each.updated_at, each.annotation_id, each.id)):
        newest[label.annotator] = label
    return [newest[name] for name in sorted(newest)]


def _settled(
    draft: Draft,
    chosen: Label,
    labels: Sequence[Label],
    method: Literal["single", "agreement", "majority", "adjudicator"],
    differing: tuple[str, ...],
    adjudicator: Label | None = None,
) -> Adjudication:
    return Adjudication.of(
        session=draft.session.id,
        draft=draft.id,
        decision=chosen.decision,
        tasks=chosen.tasks,
        labels=tuple(label.id for label in labels),
        method=method,
        annotator=None if adjudicator is None else adjudicator.annotator,
        simulated=any(label.simulated for label in labels),
        disagreements=differing,
    )


def labelled_session(draft: Draft, adjudication: Adjudication) -> Session:
    """Return the draft's session with the final tasks; its id stays, its provenance names the labels.

    Raises ``ValueError`` for a rejected session and for the adjudication of another draft.
    """
    if adjudication.draft != draft.id:
        raise ValueError(f"adjudication {adjudication.id} belongs to draft {adjudication.draft}, not to {draft.id}")
    if adjudication.decision is not Decision.ACCEPT:
        raise ValueError(f"session {draft.session.id} was rejected: it has no ground truth")
    provenance = draft.session.provenance.model_copy(
        update={
            "draft": draft.id,
            "plan": draft.plan.id,
            "seed": draft.session.provenance.seed or draft.plan.seed,
            "labels": adjudication.labels,
            "offline": draft.offline or draft.session.provenance.offline,
            "simulated_labels": adjudication.simulated,
        }
    )
    return draft.session.model_copy(update={"tasks": adjudication.tasks, "provenance": provenance})
