"""Stage: the rounds of labelling: pull, settle, adjudicate disagreements, spot check the settled sessions.

Each step can run alone and again. Labels that do not hold go back to people, in a project of their own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.labelling import (
    ADJUDICATION,
    SPOT_CHECK,
    counted,
    keep_pushed,
    ledger,
    title_again,
    title_of,
)
from wildtool.flows.stages.settlement import Settlement, keep, measure, settle
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError
from wildtool.schemas.label import Adjudication, Label, PushedTask
from wildtool.schemas.quarantine import StageReport, StepCount
from wildtool.schemas.session import Session
from wildtool.schemas.vocabulary import Decision, Stage

if TYPE_CHECKING:
    from wildtool.annotation import AnnotationBackend, Case, FailedLabel, SpotCheck


def pull(run: Run, backend: AnnotationBackend) -> JsonObject:
    """Pull the labels that changed since the last pull, from the projects of all rounds."""
    from wildtool.annotation import pull_labels

    store = run.store()
    labels = fresh = skipped = bad = new = 0
    by_project: dict[str, set[str]] = {}
    for entry in sorted(ledger(run, backend.url), key=lambda each: (each.round, each.project)):
        by_project.setdefault(entry.project, set()).add(entry.draft)
    for project, pushed in by_project.items():
        key = f"pull:{backend.url}:{project}"
        result = pull_labels(
            backend,
            project=project,
            drafts=_shown(run, project, pushed),
            since=store.get_state(key),
        )
        added = store.put(result.labels)
        fresh, new = fresh + added, new + added + store.put(result.skipped) + store.quarantine(result.quarantined)
        if result.newest is not None:  # last, so that a killed pull is repeated
            store.set_state(key, result.newest)
        labels, skipped, bad = labels + len(result.labels), skipped + len(result.skipped), bad + len(result.quarantined)
    report = StageReport(
        stage=Stage.PULL,
        run=run_id(Stage.PULL, [backend.url, run.settings.project, sorted(store.ids(Label))]),
        steps=(StepCount(step="pull", rows_in=labels + skipped + bad, rows_out=labels + skipped, quarantined=bad),),
        notes={"skipped": skipped, "labels_in_all": store.count(Label)},
    )
    store.put_report(report)
    run.progress.note(f"Pulled {counted(labels, 'label')} ({fresh:,} new, {skipped:,} skipped, {bad:,} quarantined).")
    # Each pull reads the last minutes again, so the number of new labels says more than the number read.
    return summary(report, unchanged=not new, labels=labels, skipped=skipped, new=new)


def _shown(run: Run, project: str, pushed: Collection[str]) -> list[Draft]:
    """Return the drafts as a project shows them: a spot check shows the settled tasks."""
    if project.startswith(title_of(run, SPOT_CHECK)):
        now = settle(run)
        return [now.as_settled(draft) for draft in sorted(pushed) if draft in now.settled]
    return [draft for draft in run.store().iterate(Draft) if draft.id in pushed]


def adjudicate(run: Run, backend: AnnotationBackend, *, simulate: bool = False, on_one: bool = False) -> JsonObject:
    """Settle every labelled draft: equal labels at once, the others through an adjudication project.

    Labels that do not hold go to a re-labelling project. Settled and accepted sessions become labelled sessions. With
    ``simulate`` a simulated adjudicator decides the disagreements (marked); otherwise they wait for a person. With
    ``on_one`` one label is enough where two are wanted.
    """
    from wildtool.annotation import disagreement, simulate_adjudicator

    now = settle(run, on_one=on_one)
    keep(run, now)
    again = _push_again(run, backend, now)
    if now.open:
        title = title_of(run, ADJUDICATION)
        _push(
            run,
            backend,
            [_beside(now, draft, disagreement(now.drafts[draft], now.labels[draft])) for draft in now.open],
            title,
            ADJUDICATION,
        )
        run.progress.note(f"Pushed {counted(len(now.open), 'disagreement')} to “{title}”.")
        if simulate:
            simulate_adjudicator(
                backend,
                project=title,
                drafts=[now.drafts[draft] for draft in now.open],
                seed=run.settings.seed,
            )
            pull(run, backend)
            now = settle(run, on_one=on_one)
            keep(run, now)
    store = run.store()
    adjudications = [each for each in store.read(Adjudication) if each.decision is not Decision.SKIP]
    accepted = sum(each.decision is Decision.ACCEPT for each in adjudications)
    report = StageReport(
        stage=Stage.ADJUDICATE,
        run=run_id(Stage.ADJUDICATE, sorted(each.id for each in adjudications)),
        steps=(
            StepCount(
                step="settled sessions",
                rows_in=len(adjudications),
                rows_out=accepted,
                quarantined=len(adjudications) - accepted,
            ),
        ),
        notes={"open": len(now.open), "labelled_sessions": store.count(Session)},
    )
    store.put_report(report)
    run.progress.note(
        f"Settled {counted(len(adjudications), 'session')}: {accepted:,} accepted, {len(adjudications) - accepted:,} "
        f"rejected ({len(now.open):,} open, {len(now.waiting):,} waiting for another label)."
    )
    return summary(
        report,
        accepted=accepted,
        open=len(now.open),
        waiting=len(now.waiting),
        labelled_again=again,
        agreement=measure(run).model_dump(mode="json"),
    )


def spot_check(
    run: Run, backend: AnnotationBackend | None, *, accepted_error: float, confidence: float, simulate: bool = False
) -> tuple[SpotCheck, JsonObject]:
    """Have a random sample of the accepted sessions checked, until it shows that the error is acceptable.

    Evaluates the labels so far and pushes the sessions still to be checked; without ``backend`` nothing is pushed. A
    session that its checker does not confirm counts as wrong and is corrected.
    """
    from wildtool.annotation import (
        Case,
        confirms,
        sample_size,
        simulate_adjudicator,
        spot_check_result,
        spot_check_sample,
    )

    while True:
        now = settle(run)
        population = [draft for draft, each in now.settled.items() if each.decision is Decision.ACCEPT]
        if not population:
            raise InputError(
                "there are no settled sessions to check", "label drafts and run `wildtool annotate adjudicate`"
            )
        wrong = 0
        while True:  # each error found needs a larger sample, which may contain further labels
            size = sample_size(len(population), accepted_error=accepted_error, confidence=confidence, wrong=wrong)
            sample = spot_check_sample(population, size, seed=run.settings.seed)
            verdicts = {draft: confirms(now.spot[draft], now.settled[draft]) for draft in sample if draft in now.spot}
            found = sum(not right for right in verdicts.values())
            if found <= wrong:
                break
            wrong = found
        result = spot_check_result(
            len(population), list(verdicts.values()), accepted_error=accepted_error, confidence=confidence
        )
        keep(run, now)
        missing = [draft for draft in sample if draft not in verdicts]
        title = title_of(run, SPOT_CHECK)
        if not missing or backend is None:
            break
        _push(run, backend, [Case(draft=now.as_settled(draft)) for draft in missing], title, SPOT_CHECK)
        run.progress.note(f"Pushed {counted(len(missing), 'session')} to check to “{title}”.")
        if not simulate:
            break
        drafts = [now.drafts[draft] for draft in missing]
        simulate_adjudicator(backend, project=title, drafts=drafts, seed=run.settings.seed)
        pull(run, backend)
    told = {
        **result.model_dump(mode="json"),
        "sample": size,
        "wrong_sessions": [now.drafts[draft].session.id for draft, right in verdicts.items() if not right],
        "project": title,
    }
    return result, told


def _push_again(run: Run, backend: AnnotationBackend, now: Settlement) -> int:
    """Push labels that do not hold to a re-labelling project, with the reason; return how many drafts wait there."""
    from wildtool.annotation import Case

    entries = ledger(run, backend.url)
    title_by_id = {entry.project_id: entry.project for entry in entries}
    groups: dict[tuple[str, int], dict[str, list[FailedLabel]]] = defaultdict(lambda: defaultdict(list))
    for failed in now.failed:
        if failed.project_id in title_by_id:
            groups[title_by_id[failed.project_id], failed.round][failed.draft].append(failed)
    for (title, round), by_draft in sorted(groups.items()):
        again = _next_title(run, title, round)
        cases = []
        for draft, all_failed in sorted(by_draft.items()):
            note = "; ".join(dict.fromkeys(each.reason for each in all_failed))
            if round == ADJUDICATION:
                case = _beside(now, draft, ()).model_copy(update={"note": note})
            elif round == SPOT_CHECK and draft in now.settled:
                case = Case(draft=now.as_settled(draft), note=note)
            else:
                case = Case(draft=now.drafts[draft], note=note, people=len(all_failed))
            cases.append(case)
        _push(run, backend, cases, again, round)
        run.progress.note(
            f"Pushed {counted(len(cases), 'session')} whose labels do not hold to “{again}”, with the reason."
        )
    return len({draft for by_draft in groups.values() for draft in by_draft})


def _next_title(run: Run, title: str, round: int) -> str:
    """Return the title of the project where failed labels of ``title`` are made again."""
    first = title_of(run, round)
    level = 0
    while title_again(first, level) != title:
        level += 1
    return title_again(first, level + 1)


def _beside(now: Settlement, draft: str, differing: Sequence[str]) -> Case:
    from wildtool.annotation import Case, disagreement

    labels = now.labels.get(draft, [])
    return Case(
        draft=now.drafts[draft],
        labels=tuple(labels),
        differing=tuple(differing) or disagreement(now.drafts[draft], labels),
    )


def _push(run: Run, backend: AnnotationBackend, cases: Sequence[Case], title: str, round: int) -> None:
    from wildtool.annotation import push_cases

    store = run.store()
    result = push_cases(
        cases,
        backend,
        project=title,
        round=round,
        purpose="adjudicate" if round == ADJUDICATION else "label",
        already=store.read(PushedTask, server=backend.url),
        guide_url=run.settings.guide_url,
        on_pushed=store.put,
    )
    keep_pushed(run, result)
