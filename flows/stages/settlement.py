"""Evaluate the labels: which drafts are settled, which wait for whom, agreement, progress by project."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.labelling import ADJUDICATION, LABELLING, SPOT_CHECK
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Adjudication, AgreementReport, Label, PushedTask
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.vocabulary import Decision, Stage

if TYPE_CHECKING:
    from wildtool.annotation import FailedLabel, ProjectStatus


@dataclass(frozen=True)
class Settlement:
    """State of every labelled draft. Computed from the pulled labels; ``keep`` stores it."""

    drafts: Mapping[str, Draft]
    """All drafts, by id."""
    labels: Mapping[str, list[Label]]
    """Standing labels of the first round by draft, without skipped ones."""
    settled: Mapping[str, Adjudication]
    """Outcome of rounds 1 and 2, by draft. The spot check is measured against it."""
    spot: Mapping[str, Label]
    """Newest label of the spot check, by draft."""
    open: tuple[str, ...]
    """Drafts that people disagree on and nobody decided."""
    failed: tuple[FailedLabel, ...]
    """Labels that do not hold and that nobody has replaced yet."""
    waiting: tuple[str, ...]
    """Drafts that need more labels before they are settled."""

    def final(self, draft: str) -> Adjudication:
        """Return the final outcome of a settled draft: a spot check corrects it."""
        from wildtool.annotation import adjudicate, confirms

        settled, label = self.settled[draft], self.spot.get(draft)
        if label is None or confirms(label, settled):
            return settled
        return adjudicate(self.drafts[draft], self.labels.get(draft, []), adjudicator=label) or settled

    def as_settled(self, draft: str) -> Draft:
        """Return the draft with the settled tasks, to be checked once more; its doubts were about other tasks."""
        before = self.drafts[draft]
        session = before.session.model_copy(update={"tasks": self.settled[draft].tasks})
        return before.model_copy(update={"session": session, "verdicts": ()})


def settle(run: Run, *, on_one: bool = False) -> Settlement:
    """Settle every draft that can be settled; with ``on_one`` one label is enough where two are wanted."""
    from wildtool.annotation import adjudicate, failed_labels, open_failures, standing

    store = run.store()
    drafts = {draft.id: draft for draft in store.iterate(Draft)}
    all_labels = store.read(Label)
    all_failed = failed_labels(store.read(Quarantined, stage=Stage.PULL))
    labels = [label for label in standing(all_labels, all_failed) if label.decision is not Decision.SKIP]
    failed = [each for each in open_failures(all_failed, labels) if each.draft in drafts]
    first: dict[str, list[Label]] = defaultdict(list)
    for label in labels:
        if label.round == LABELLING and label.draft in drafts:
            first[label.draft].append(label)
    decisions, spot = _newest(labels, ADJUDICATION), _newest(labels, SPOT_CHECK)
    wanted = {entry.draft: 0 for entry in store.read(PushedTask, round=LABELLING)}
    for entry in store.read(PushedTask, round=LABELLING):
        wanted[entry.draft] = max(wanted[entry.draft], entry.people)
    failing = {each.draft for each in failed if each.round == LABELLING}
    settled: dict[str, Adjudication] = {}
    open_: list[str] = []
    waiting: list[str] = []
    for draft in sorted(first):
        people = {label.annotator for label in first[draft]}
        enough = len(people) >= (1 if on_one else wanted.get(draft, 1))
        if draft not in decisions and (draft in failing or not enough):
            waiting.append(draft)
            continue
        outcome = adjudicate(drafts[draft], first[draft], adjudicator=decisions.get(draft))
        if outcome is None:
            open_.append(draft)
        else:
            settled[draft] = outcome
    return Settlement(drafts, first, settled, spot, tuple(open_), tuple(failed), tuple(waiting))


def _newest(labels: Iterable[Label], round: int) -> dict[str, Label]:
    """Find the newest label of each draft in a round that one person labels."""
    found = [label for label in labels if label.round == round]
    return {label.draft: label for label in sorted(found, key=lambda each: datetime.fromisoformat(each.updated_at))}


def keep(run: Run, now: Settlement) -> None:
    """Store settled drafts, and reopen those that were settled and no longer are."""
    from wildtool.annotation import labelled_session, reopened

    store = run.store()
    final = [now.final(draft) for draft in now.settled]
    before = {each.draft for each in store.read(Adjudication) if each.decision is not Decision.SKIP}
    unsettled = before.intersection({*now.open, *(each.draft for each in now.failed)}.difference(now.settled))
    store.put([*final, *(reopened(now.drafts[draft], now.labels.get(draft, [])) for draft in sorted(unsettled))])
    store.put(labelled_session(now.drafts[each.draft], each) for each in final if each.decision is Decision.ACCEPT)


def measure(run: Run) -> AgreementReport:
    """Measure agreement over all labels of the first round."""
    store = run.store()
    return agreement_of(store.read(Label), store.iterate(Draft), run.settings.seed)


def agreement_of(labels: Iterable[Label], drafts: Iterable[Draft], seed: int) -> AgreementReport:
    """Measure agreement of the first round's labels: an adjudicator decides between them and does not vote."""
    from wildtool.annotation import measure_agreement

    return measure_agreement(
        [label for label in labels if label.round == LABELLING],
        categories={draft.session.id: draft.session.category for draft in drafts},
        seed=seed,
    )


def status(run: Run) -> tuple[ProjectStatus, ...]:
    """Report the progress of each project, from the ledger and the pulled labels."""
    from wildtool.annotation import failed_labels, project_status, standing

    store = run.store()
    failed = failed_labels(store.read(Quarantined, stage=Stage.PULL))
    return project_status(store.read(PushedTask), standing(store.read(Label), failed), failed=failed)
