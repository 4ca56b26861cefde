"""Stage: drafts → Label Studio → labels → labelled sessions.

Four steps, each a function that can run alone and again: push, simulate, pull, adjudicate. ``run`` does them in order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flows.run import Run
from flows.stages.summary import run_id, summary
from schemas.base import JsonObject
from schemas.draft import Draft
from schemas.errors import InputError, SettingsError
from schemas.label import Adjudication, AgreementReport, Label, PushedTask
from schemas.quarantine import Quarantined, StageReport, StepCount
from schemas.session import Session
from schemas.vocabulary import Decision, Stage

if TYPE_CHECKING:
    from annotation import Connection, ProjectStatus
    from warehouse import Store

ADJUDICATION_ROUND = 2
"""Round whose labels decide between those of round 1."""


@dataclass(frozen=True)
class Studio:
    """A Label Studio that answers."""

    connection: Connection
    url: str
    email: str | None
    """Log-in of our own server; None for somebody else's."""
    password: str | None


def run(run: Run, *, project: str | None = None, simulate: bool = False) -> JsonObject:
    """Push every draft; with ``simulate`` also label, pull and adjudicate, so that sessions are ready to freeze."""
    if project is not None:
        run = _with_project(run, project)
    run.progress.stage("bringing drafts to Label Studio")
    with studio(run) as server:
        pushed = push(run, server, everyone_twice=simulate)
        if not simulate:
            return pushed
        simulated = simulate_labels(run, server)
        pulled = pull(run, server)
        adjudicated = adjudicate(run, server, simulate=True)
        return {**adjudicated, "push": pushed, "simulate": simulated, "pull": pulled, "unchanged": pushed["unchanged"]}


@contextmanager
def studio(run: Run) -> Iterator[Studio]:
    """A connection to the Label Studio of the settings, or to our own server, started if need be (it stays)."""
    from annotation import LabelStudioServer, connect

    settings = run.settings
    if settings.label_studio_url is not None:
        if settings.label_studio_api_key is None:
            raise SettingsError(
                f"there is no token for Label Studio at {settings.label_studio_url}",
                "set LABEL_STUDIO_API_KEY to an access token of your account there (Account & Settings)",
            )
        url, token = settings.label_studio_url, settings.label_studio_api_key.get_secret_value()
        email = password = None
    else:
        server = LabelStudioServer(run.home.path).start(run.progress.note)
        url, token, email, password = server.url, server.token, server.email, server.password
    with connect(url, token) as connection:
        yield Studio(connection, connection.url, email, password)


def push(run: Run, server: Studio, *, everyone_twice: bool = False) -> JsonObject:
    """Push drafts that the project has not; a draft is a task once, whatever was killed in the middle."""
    from annotation import push_drafts

    store = run.store()
    drafts = store.read(Draft)
    if not drafts:
        raise InputError("there is no draft to push", "draft some first: wildtool draft")
    result = push_drafts(
        drafts,
        server.connection,
        project=run.settings.project,
        already=store.read(PushedTask),
        double_share=1.0 if everyone_twice else run.settings.double_share,
        progress=lambda done, total: run.progress.update("drafts pushed", done, total),
        on_pushed=lambda pushed: _keep(store, pushed),
    )
    store.put(result.pushed)
    store.quarantine(result.quarantined)
    report = StageReport(
        stage=Stage.PUSH,
        run=run_id(Stage.PUSH, [server.url, run.settings.project, sorted(draft.id for draft in drafts)]),
        steps=(
            StepCount(
                step="push",
                rows_in=len(result.pushed) + len(result.quarantined),
                rows_out=len(result.pushed),
                quarantined=len(result.quarantined),
            ),
        ),
        notes={"project": run.settings.project, "server": server.url, "interface": result.interface},
    )
    if result.new or result.quarantined:
        store.put_report(report)
    run.progress.note(
        f"{len(result.pushed):,} drafts are in project “{run.settings.project}”, {result.new:,} of them new"
    )
    return summary(
        report,
        unchanged=not result.new,
        new=result.new,
        pushed=len(result.pushed),
        project=run.settings.project,
        url=result.url,
        login=server.email,
        password=server.password,
    )


def simulate_labels(run: Run, server: Studio) -> JsonObject:
    """Let two simulated annotators label every pushed draft over the HTTP API; their labels say what they are."""
    from annotation import default_annotators, simulate_annotators

    result = simulate_annotators(
        server.connection,
        project=run.settings.project,
        drafts=_pushed_drafts(run, server, round=1),
        annotators=default_annotators(run.settings.seed),
        progress=lambda done, total: run.progress.update("drafts labelled by simulated annotators", done, total),
    )
    run.progress.note(
        f"{result.labelled:,} simulated labels made, {result.present:,} were there; errors planted in all: {len(result.planted)}"
    )
    return {
        "labelled": result.labelled,
        "present": result.present,
        "planted_errors": len(result.planted),
        "annotators": list(result.pseudonyms),
        "simulated": True,
    }


def pull(run: Run, server: Studio) -> JsonObject:
    """Bring back what changed since the last pull, of the labelling project and of its adjudication project."""
    from annotation import pull_labels

    store = run.store()
    labels = skipped = bad = 0
    for project, round_ in ((run.settings.project, 1), (_adjudication_project(run), ADJUDICATION_ROUND)):
        drafts = _pushed_drafts(run, server, round=round_)
        if not drafts:
            continue
        key = f"pull:{server.url}:{project}"
        result = pull_labels(server.connection, project=project, drafts=drafts, since=store.get_state(key))
        store.put((*result.labels, *result.skipped))
        store.quarantine(result.quarantined)
        if result.newest is not None:
            store.set_state(key, result.newest)
        labels, skipped, bad = labels + len(result.labels), skipped + len(result.skipped), bad + len(result.quarantined)
    report = StageReport(
        stage=Stage.PULL,
        run=run_id(Stage.PULL, [server.url, run.settings.project, sorted(store.ids(Label))]),
        steps=(StepCount(step="pull", rows_in=labels + skipped + bad, rows_out=labels + skipped, quarantined=bad),),
        notes={"skipped": skipped, "labels_in_all": store.count(Label)},
    )
    store.put_report(report)
    run.progress.note(f"{labels:,} labels pulled, {skipped:,} skipped ones, {bad:,} in quarantine")
    return summary(report, unchanged=not labels + skipped + bad, labels=labels, skipped=skipped)


def adjudicate(run: Run, server: Studio | None, *, simulate: bool = False) -> JsonObject:
    """Settle every labelled draft: equal labels at once, the others in an adjudication project of Label Studio.

    Sessions that are settled and accepted become labelled sessions. With ``simulate`` a simulated adjudicator decides
    the disagreements (marked); otherwise they wait for a person. Without ``server`` nothing new is pushed.
    """
    from annotation import Case, disagreement, push_adjudication, simulate_adjudicator

    store = run.store()
    drafts = {draft.id: draft for draft in store.iterate(Draft)}
    open_ = _settle(run, drafts)
    if open_ and server is not None:
        labels = _labels(run)
        cases = [
            Case(draft=drafts[one], labels=tuple(labels[one]), differing=disagreement(drafts[one], labels[one]))
            for one in open_
        ]
        result = push_adjudication(
            cases,
            server.connection,
            project=_adjudication_project(run),
            round=ADJUDICATION_ROUND,
            already=store.read(PushedTask),
            on_pushed=lambda pushed: _keep(store, pushed),
        )
        store.put(result.pushed)
        store.quarantine(result.quarantined)
        run.progress.note(f"{len(open_):,} sessions that people disagree on are in “{_adjudication_project(run)}”")
        if simulate:
            simulate_adjudicator(
                server.connection,
                project=_adjudication_project(run),
                drafts=[drafts[one] for one in open_],
                seed=run.settings.seed,
            )
            pull(run, server)
            open_ = _settle(run, drafts)
    adjudications = store.read(Adjudication)
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
        notes={"open": len(open_), "labelled_sessions": store.count(Session)},
    )
    store.put_report(report)
    run.progress.note(
        f"{accepted:,} sessions accepted, {len(adjudications) - accepted:,} rejected, {len(open_):,} open"
    )
    agreement = measure(run)
    return summary(report, accepted=accepted, open=len(open_), agreement=agreement.model_dump(mode="json"))


def measure(run: Run) -> AgreementReport:
    """Agreement over all labels of the first round."""
    store = run.store()
    return agreement_of(store.read(Label), store.iterate(Draft), run.settings.seed)


def agreement_of(labels: Iterable[Label], drafts: Iterable[Draft], seed: int) -> AgreementReport:
    """Agreement of the first round's labels: an adjudicator decides between them, and is no third vote."""
    from annotation import measure_agreement

    return measure_agreement(
        [label for label in labels if label.round == 1],
        categories={draft.session.id: draft.session.category for draft in drafts},
        seed=seed,
    )


def status(run: Run) -> tuple[ProjectStatus, ...]:
    """How far each project is, from the ledger and what was pulled."""
    from annotation import project_status

    store = run.store()
    return project_status(
        store.read(PushedTask),
        store.read(Label),
        quarantined=store.read(Quarantined, stage=Stage.PULL),
        double_share=run.settings.double_share,
    )


def _keep(store: Store, pushed: Sequence[PushedTask]) -> None:
    """Write ledger entries as soon as the server has the tasks."""
    store.put(pushed)


def _settle(run: Run, drafts: dict[str, Draft]) -> list[str]:
    """Adjudicate all that can be; ids of drafts that people disagree on and nobody decided."""
    from annotation import adjudicate as decide
    from annotation import labelled_session

    store = run.store()
    decisions = {label.draft: label for label in store.read(Label, round=ADJUDICATION_ROUND)}
    settled: list[Adjudication] = []
    open_: list[str] = []
    for draft, labels in sorted(_labels(run).items()):
        outcome = decide(drafts[draft], labels, adjudicator=decisions.get(draft))
        if outcome is None:
            open_.append(draft)
        else:
            settled.append(outcome)
    store.put(settled)
    store.put(labelled_session(drafts[each.draft], each) for each in settled if each.decision is Decision.ACCEPT)
    return open_


def _labels(run: Run) -> dict[str, list[Label]]:
    """Labels of the first round by draft; skipped ones do not count."""
    found: dict[str, list[Label]] = defaultdict(list)
    for label in run.store().read(Label, round=1):
        if label.decision is not Decision.SKIP:
            found[label.draft].append(label)
    return found


def _pushed_drafts(run: Run, server: Studio, *, round: int) -> Sequence[Draft]:
    store = run.store()
    project = run.settings.project if round == 1 else _adjudication_project(run)
    pushed = {task.draft for task in store.read(PushedTask) if task.project == project and task.server == server.url}
    return [draft for draft in store.iterate(Draft) if draft.id in pushed]


def _adjudication_project(run: Run) -> str:
    return f"{run.settings.project} · adjudication"


def _with_project(run: Run, project: str) -> Run:
    return replace(run, settings=run.settings.model_copy(update={"project": project}))
