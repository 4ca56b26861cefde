"""Stage: bring drafts to annotators: the backend, its projects by round, push, simulated labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from pydantic import SecretStr

from wildtool.flows.run import Run
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError
from wildtool.schemas.label import PushedTask
from wildtool.schemas.quarantine import StageReport, StepCount
from wildtool.schemas.vocabulary import Stage

if TYPE_CHECKING:
    from wildtool.annotation import AnnotationBackend, PushResult

LABELLING, ADJUDICATION, SPOT_CHECK = 1, 2, 3
"""Rounds: every draft, disagreements, a random sample of the settled sessions."""

TITLES = {LABELLING: "", ADJUDICATION: " · adjudication", SPOT_CHECK: " · spot check"}
"""What the title of a round's project adds to the title of the first one."""

TITLE_LENGTH = 50
"""Longest title: Label Studio refuses longer ones."""


@contextmanager
def annotation_backend(run: Run, *, loopback_hooks: bool = False) -> Iterator[AnnotationBackend]:
    """Open the annotation backend of the settings; a server that it starts keeps running."""
    from wildtool.annotation import BackendOptions, open_backend

    name = run.settings.annotation_backend
    options = BackendOptions(home=str(run.home.path), settings=_settings_of(run, name), loopback_hooks=loopback_hooks)
    with closing(open_backend(name, options, run.progress.note)) as backend:
        yield backend


def _settings_of(run: Run, backend: str) -> dict[str, str | None]:
    """Pick the settings that begin with a backend's name, and drop the name: ``label_studio_url`` becomes ``url``."""
    found: dict[str, str | None] = {}
    for name, value in run.settings:
        if name.startswith(f"{backend}_"):
            text = value.get_secret_value() if isinstance(value, SecretStr) else value
            found[name.removeprefix(f"{backend}_")] = None if text is None else str(text)
    return found


# Projects: one per round, and others for labels that did not hold


def title_of(run: Run, round: int) -> str:
    """Return the title of a round's project; a long title of the first one is cut to make room."""
    return _with_tail(run.settings.project, TITLES[round])


def title_again(title: str, level: int) -> str:
    """Return the title of the project for labels of ``title`` that did not hold for the ``level``-th time."""
    return title if level == 0 else _with_tail(title, " · again" if level == 1 else f" · again {level}")


def ledger(run: Run, server_url: str) -> list[PushedTask]:
    """Read the ledger entries of all projects of the run's rounds."""
    titles = {title_of(run, round) for round in TITLES}
    return [
        entry
        for entry in run.store().read(PushedTask, server=server_url)
        if entry.project in titles or entry.project.rpartition(" · again")[0] in titles
    ]


def _with_tail(title: str, tail: str) -> str:
    return title[: TITLE_LENGTH - len(tail)].rstrip() + tail


# Steps


def push(run: Run, backend: AnnotationBackend, *, everyone_twice: bool = False) -> JsonObject:
    """Push the drafts that the project lacks. A draft becomes one task, whatever was killed in the middle."""
    from wildtool.annotation import push_drafts

    store = run.store()
    drafts = store.read(Draft)
    if not drafts:
        raise InputError("there are no drafts to push", "draft some first: wildtool draft")
    result = push_drafts(
        drafts,
        backend,
        project=run.settings.project,
        already=store.read(PushedTask, server=backend.url),
        double_share=1.0 if everyone_twice else run.settings.double_share,
        seed=run.settings.seed,
        guide_url=run.settings.guide_url,
        progress=lambda done, total: run.progress.update("drafts pushed", done, total),
        on_pushed=store.put,  # at once: the ledger knows what the server has
    )
    keep_pushed(run, result)
    report = StageReport(
        stage=Stage.PUSH,
        run=run_id(Stage.PUSH, [backend.url, run.settings.project, sorted(draft.id for draft in drafts)]),
        steps=(
            StepCount(
                step="push",
                rows_in=len(result.pushed) + len(result.quarantined),
                rows_out=len(result.pushed),
                quarantined=len(result.quarantined),
            ),
        ),
        notes={"project": run.settings.project, "server": backend.url, "interface": result.interface},
    )
    if result.new or result.quarantined:
        store.put_report(report)
    twice = sum(entry.people > 1 for entry in result.pushed)
    run.progress.note(
        f"Pushed {counted(len(result.pushed), 'draft')} to “{run.settings.project}” "
        f"({result.new:,} new, {twice:,} for two people)."
    )
    return summary(
        report,
        unchanged=not result.new,
        new=result.new,
        pushed=len(result.pushed),
        twice=twice,
        project=run.settings.project,
        url=result.url,
        login=None if backend.login is None else backend.login.email,
        password=None if backend.login is None else backend.login.password,
    )


def keep_pushed(run: Run, result: PushResult) -> None:
    """Store the result of a push."""
    store = run.store()
    store.put(result.pushed)
    store.quarantine(result.quarantined)


def simulate_labels(run: Run, backend: AnnotationBackend) -> JsonObject:
    """Let simulated annotators label every pushed draft through the backend; their labels are marked."""
    from wildtool.annotation import annotators_apart, simulate_annotators

    result = simulate_annotators(
        backend,
        project=run.settings.project,
        drafts=pushed_drafts(run, backend, run.settings.project),
        annotators=annotators_apart(run.settings.seed),
        progress=lambda done, total: run.progress.update("drafts labelled by simulated annotators", done, total),
    )
    run.progress.note(
        f"Simulated {counted(result.labelled, 'label')} ({result.present:,} existed; "
        f"{counted(len(result.planted), 'error')} planted in total)."
    )
    return {
        "labelled": result.labelled,
        "present": result.present,
        "planted_errors": len(result.planted),
        "annotators": list(result.pseudonyms),
        "simulated": True,
    }


def pushed_drafts(run: Run, backend: AnnotationBackend, project: str) -> Sequence[Draft]:
    """Read the drafts that are tasks of a project."""
    store = run.store()
    pushed = set(store.read_column(PushedTask, "draft", server=backend.url, project=project))
    return [draft for draft in store.iterate(Draft) if draft.id in pushed]


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: "1 label", "32 labels"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
