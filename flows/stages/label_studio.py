"""Stage: drafts to Label Studio: the server, its projects by round, push, simulated labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError, SettingsError
from wildtool.schemas.label import PushedTask
from wildtool.schemas.quarantine import StageReport, StepCount
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    from wildtool.annotation import Connection, PushResult

LABELLING, ADJUDICATION, SPOT_CHECK = 1, 2, 3
"""Rounds: every draft, what people disagree on, a random sample of what is settled."""

TITLES = {LABELLING: "", ADJUDICATION: " · adjudication", SPOT_CHECK: " · spot check"}
"""What the title of a round's project adds to the title of the first one."""

TITLE_LENGTH = 50
"""Label Studio takes no longer title."""


@dataclass(frozen=True)
class Studio:
    """A Label Studio that answers."""

    connection: Connection
    url: str
    email: str | None
    """Log-in of our own server; None for somebody else's."""
    password: str | None


@contextmanager
def studio(run: Run, *, loopback_hooks: bool = False) -> Iterator[Studio]:
    """A connection to the Label Studio of the settings, or to our own server, started if need be (it stays)."""
    from wildtool.annotation import LabelStudioServer, connect

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
        server = LabelStudioServer(run.home.path, loopback_hooks=loopback_hooks).start(run.progress.note)
        url, token, email, password = server.url, server.token, server.email, server.password
    with connect(url, token) as connection:
        yield Studio(connection, connection.url, email, password)


# Projects: one a round, and others for labels that did not hold


def title_of(run: Run, round: int) -> str:
    """Title of a round's project; a long title of the first one is cut to make room."""
    return _with_tail(run.settings.project, TITLES[round])


def title_again(title: str, level: int) -> str:
    """Title of the project for labels of ``title`` that did not hold the ``level``-th time."""
    return title if level == 0 else _with_tail(title, " · again" if level == 1 else f" · again {level}")


def ledger(run: Run, server_url: str) -> list[PushedTask]:
    """Ledger entries of all projects of the run's rounds."""
    titles = {title_of(run, round) for round in TITLES}
    return [
        entry
        for entry in run.store().read(PushedTask, server=server_url)
        if entry.project in titles or entry.project.rpartition(" · again")[0] in titles
    ]


def _with_tail(title: str, tail: str) -> str:
    return title[: TITLE_LENGTH - len(tail)].rstrip() + tail


# Steps


def push(run: Run, server: Studio, *, everyone_twice: bool = False) -> JsonObject:
    """Push drafts that the project has not; a draft is a task once, whatever was killed in the middle."""
    from wildtool.annotation import push_drafts

    store = run.store()
    drafts = store.read(Draft)
    if not drafts:
        raise InputError("there is no draft to push", "draft some first: wildtool draft")
    result = push_drafts(
        drafts,
        server.connection,
        project=run.settings.project,
        already=store.read(PushedTask, server=server.url),
        double_share=1.0 if everyone_twice else run.settings.double_share,
        seed=run.settings.seed,
        guide_url=run.settings.guide_url,
        progress=lambda done, total: run.progress.update("drafts pushed", done, total),
        on_pushed=store.put,  # at once: the ledger knows what the server has
    )
    keep_pushed(run, result)
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
    twice = sum(entry.people > 1 for entry in result.pushed)
    run.progress.note(
        f"{len(result.pushed):,} drafts are in project “{run.settings.project}”, {result.new:,} of them new, "
        f"{twice:,} for two people"
    )
    return summary(
        report,
        unchanged=not result.new,
        new=result.new,
        pushed=len(result.pushed),
        twice=twice,
        project=run.settings.project,
        url=result.url,
        login=server.email,
        password=server.password,
    )


def keep_pushed(run: Run, result: PushResult) -> None:
    """Write what a push brought into the store."""
    store = run.store()
    store.put(result.pushed)
    store.quarantine(result.quarantined)


def simulate_labels(run: Run, server: Studio) -> JsonObject:
    """Let simulated annotators label every pushed draft over the HTTP API; their labels say what they are."""
    from wildtool.annotation import annotators_apart, simulate_annotators

    result = simulate_annotators(
        server.connection,
        project=run.settings.project,
        drafts=pushed_drafts(run, server, run.settings.project),
        annotators=annotators_apart(run.settings.seed),
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


def pushed_drafts(run: Run, server: Studio, project: str) -> Sequence[Draft]:
    """Drafts that are tasks of a project."""
    store = run.store()
    pushed = set(store.read_column(PushedTask, "draft", server=server.url, project=project))
    return [draft for draft in store.iterate(Draft) if draft.id in pushed]
