"""Stage: labelled sessions → a frozen release."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from flows.run import Run
from flows.stages.annotate import agreement_of
from flows.stages.summary import run_id, summary
from schemas.base import JsonObject
from schemas.draft import Draft
from schemas.errors import InputError
from schemas.label import Adjudication, Label
from schemas.quarantine import Quarantined, StageReport, StepCount
from schemas.release import ReleaseManifest
from schemas.session import Session
from schemas.vocabulary import Decision, Stage

if TYPE_CHECKING:
    from warehouse import Gate, Release, VerifyResult


def run(
    run: Run, *, version: str, allow: list[str] | None = None, parent: str | None = None, name: str = "wildtool"
) -> JsonObject:
    """Freeze all accepted sessions as a version. Freezing the same again changes nothing.

    Raises ``InputError`` where nothing is labelled, ``GateError`` where a gate fails, ``FrozenError`` where the version
    holds something else.
    """
    from evaluation import RULES_VERSION
    from flows.versions import code_version
    from warehouse import freeze

    run.progress.stage(f"freezing release {version}")
    store = run.store()
    adjudications = store.read(Adjudication)
    accepted = {each.session for each in adjudications if each.decision is Decision.ACCEPT}
    # A session that was accepted once and rejected later lies in the store still; an imported one was never judged here.
    sessions = [each for each in store.read(Session) if each.id in accepted or each.provenance.imported]
    if not sessions:
        raise InputError(
            "there is no labelled session to freeze",
            "label drafts and run `wildtool annotate pull`, or label by simulated annotators: wildtool annotate simulate",
        )
    folder = run.home.release(version)
    existed = folder.exists()
    wanted = {session.provenance.draft for session in sessions}
    drafts = {draft.id: draft for draft in store.iterate(Draft) if draft.id in wanted}
    labels = [label for label in store.read(Label) if label.draft in wanted]
    agreement = agreement_of(labels, drafts.values(), run.settings.seed)
    manifest = freeze(
        sessions,
        version,
        folder,
        name=name,
        code_version=code_version(),
        rules_version=RULES_VERSION,
        labels=labels,
        adjudications=[each for each in adjudications if each.draft in wanted],
        agreement=agreement,
        tool_lists=list({draft.plan.tool_list.id: draft.plan.tool_list for draft in drafts.values()}.values()),
        sources=_sources(list(drafts.values()), labels),
        gates=release_gates(),
        allow=allow or (),
        parent=None if parent is None else release_folder(run, parent),
        tasks_per_session=max(len(session.tasks) for session in sessions),
    )
    rejected = len(adjudications) - len(accepted)
    report = StageReport(
        stage=Stage.RELEASE,
        run=run_id(Stage.RELEASE, {"version": version, "sessions": sorted(session.to_json() for session in sessions)}),
        steps=(
            StepCount(
                step="accepted sessions",
                rows_in=len(sessions) + rejected,
                rows_out=len(sessions),
                quarantined=rejected,
            ),
        ),
        notes={"version": version, "offline": manifest.offline, "simulated_labels": manifest.simulated_labels},
    )
    store.put_report(report)
    run.progress.note(
        f"{folder} {'was frozen before, with the same content' if existed else 'is frozen'}: "
        f"{manifest.counts['sessions']:,} sessions, {len(manifest.files):,} files, {len(manifest.gates)} gates passed"
    )
    return summary(report, unchanged=existed, folder=str(folder), manifest=_head(manifest))


def release_gates() -> tuple[Gate, ...]:
    """All gates that a release must pass."""
    from flows.gold import GOLD_GATE
    from warehouse import GATES

    return (*GATES, GOLD_GATE)


def release_folder(run: Run, release: str) -> Path:
    """A release by its version in the home folder, or by its path."""
    path = Path(release)
    if (path / "manifest.json").exists():
        return path
    folder = run.home.release(release)
    if not folder.exists():
        there = ", ".join(sorted(each.name for each in run.home.releases.glob("*.*.*"))) or "none"
        raise InputError(f"there is no release {release} (here: {there})", "name a version or the folder of a release")
    return folder


def open_release(run: Run, release: str) -> Release:
    """The release, loaded."""
    from warehouse import load_release

    return load_release(release_folder(run, release))


def import_benchmark(run: Run, path: Path) -> JsonObject:
    """Sessions of an existing benchmark into the store; rows that cannot be read go to quarantine."""
    from warehouse import import_sessions

    if not path.exists():
        raise InputError(f"there is nothing at {path}", "name a release's folder, its Parquet, or a JSONL file")
    store = run.store()
    bad: list[Quarantined] = []
    sessions = list(import_sessions(path, bad.append))
    new = store.put(sessions)
    store.quarantine(bad)
    return {"sessions": len(sessions), "new": new, "quarantined": len(bad)}


def verify(run: Run, folder: str) -> VerifyResult:
    """Checksums, schemas, counts and gates of a release, on any machine."""
    from warehouse import verify_release

    return verify_release(release_folder(run, folder), gates=release_gates())


def _sources(drafts: list[Draft], labels: list[Label]) -> dict[str, str]:
    """What the sessions rest on, for the manifest."""
    lists = [draft.plan.tool_list for draft in drafts]
    kinds = Counter(each.source.split()[0].split(":")[0] for each in lists)
    return {
        "tool lists": ", ".join(f"{count} from {kind}" for kind, count in sorted(kinds.items())),
        "profiles": ", ".join(sorted({draft.plan.profile for draft in drafts})),
        "catalogue": ", ".join(sorted({f"{each.source.split(':')[0]} {each.version}" for each in lists}))[:500],
        "interfaces": ", ".join(sorted({label.interface for label in labels})),
        "seeds": str(len({draft.plan.seed for draft in drafts})),
    }


def _head(manifest: ReleaseManifest) -> JsonObject:
    """The manifest without its long lists."""
    return manifest.model_dump(mode="json", exclude={"files", "gates", "agreement"}) | {
        "files": len(manifest.files),
        "gates": {gate.gate: "allowed" if gate.allowed and gate.failures else "passed" for gate in manifest.gates},
    }
