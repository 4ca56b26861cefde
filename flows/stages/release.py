"""Stage: labelled sessions → a frozen release."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from glob import glob
from pathlib import Path
from typing import TYPE_CHECKING

from wildtool.flows.run import Run
from wildtool.flows.stages.settlement import agreement_of
from wildtool.flows.stages.summary import run_id, summary
from wildtool.schemas.base import JsonObject, canonical_json
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import InputError
from wildtool.schemas.gold import gold_hash
from wildtool.schemas.label import Adjudication, Label
from wildtool.schemas.quarantine import Quarantined, StageReport, StepCount
from wildtool.schemas.release import GateCounts, GateResult, ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import SessionWorld
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Decision, Stage

if TYPE_CHECKING:
    from wildtool.warehouse import Release, VerifyResult

JUDGED_STATE = "judged_golds"
"""Under this key the store keeps, by session id, the gold hashes that imported releases hold as judged."""


def run(
    run: Run,
    *,
    version: str,
    allow: list[str] | None = None,
    parent: str | None = None,
    name: str = "wildtool",
    reasons: JsonObject | None = None,
    against: list[str] | None = None,
    dev_share: float = 0.2,
    private_share: float = 0.0,
    licence: str = "CC-BY-4.0",
    agreement_threshold: float | None = None,
) -> JsonObject:
    """Freeze all accepted and imported sessions as a version. Freezing the same again changes nothing.

    ``reasons`` of corrections by session id (``*``: of all others); ``against``: releases and files that no session
    may repeat.

    Raises ``InputError`` where nothing is labelled, ``GateError`` where a gate fails, ``FrozenError`` where the version
    holds something else.
    """
    from wildtool.flows.library import freeze
    from wildtool.warehouse import FreezeRequest, too_long_warning

    run.progress.stage(f"freezing release {version}")
    store = run.store()
    # One that was settled once and is open again is neither accepted nor rejected.
    adjudications = [each for each in store.read(Adjudication) if each.decision is not Decision.SKIP]
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
    drafts = [_head_of(draft) for draft in store.iterate(Draft) if draft.id in wanted]
    labels = [label for label in store.iterate(Label) if label.draft in wanted]
    agreement = agreement_of(labels, drafts, run.settings.seed)
    texts, ngrams = _repeated_by_none(run, against or [], sessions)
    why = {str(key): str(value) for key, value in (reasons or {}).items()}
    request = FreezeRequest(
        sessions,
        version,
        folder,
        name=name,
        labels=labels,
        adjudications=[each for each in adjudications if each.draft in wanted],
        agreement=agreement,
        tool_lists=_tool_lists(drafts, sessions),
        worlds=_worlds(drafts, sessions),
        sources=_sources(drafts, labels),
        allow=allow or (),
        parent=None if parent is None else release_folder(run, parent),
        tasks_per_session=max(len(session.tasks) for session in sessions),
        reasons={session.id: why["*"] for session in sessions} | why if "*" in why else why,
        earlier=texts,
        foreign=ngrams,
        judged=store.get_state(JUDGED_STATE, {}),
        dev_share=dev_share,
        private_share=private_share,
        licence=licence,
        agreement_threshold=agreement_threshold,
    )
    judge = _Recorded()
    manifest = freeze(request, rules=judge)
    counts = GateCounts.of(judge.results)
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
        f"{manifest.counts['sessions']:,} sessions, {len(manifest.files):,} files, {counts}"
    )
    if warning := too_long_warning(sessions):
        run.progress.note(warning)
    return summary(
        report,
        unchanged=existed,
        folder=str(folder),
        manifest=_head(manifest),
        gate_counts=counts.model_dump(mode="json"),
        findings=findings_of(judge.results),
    )


class _Recorded:
    """The default rules; keeps all they found, of which a manifest lists only the first of each rule."""

    def __init__(self) -> None:
        from wildtool.flows.rules import release_rules

        self.rules = release_rules()
        self.results: tuple[GateResult, ...] = ()

    @property
    def ids(self) -> Collection[str]:
        """Every id that may be allowed."""
        return self.rules.ids

    def __call__(
        self, sessions: Sequence[Session], context: ReleaseContext, allow: Collection[str]
    ) -> tuple[GateResult, ...]:
        """The result of each rule."""
        self.results = self.rules(sessions, context, allow)
        return self.results


def findings_of(gates: Iterable[GateResult]) -> list[JsonObject]:
    """All findings of all rules, one object each: what was refused or allowed first, then what is doubted."""
    return [
        {"gate": gate.gate, "result": result, **one.model_dump(mode="json")}
        for gate in gates
        for result, found in (
            ("allowed" if gate.allowed else "failed", gate.failures),
            ("doubt", gate.doubts),
        )
        for one in found
    ]


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
    from wildtool.warehouse import load_release

    return load_release(release_folder(run, release))


def import_benchmark(run: Run, paths: Sequence[str]) -> JsonObject:
    """Sessions of existing benchmarks into the store; rows that cannot be read go to quarantine.

    ``paths`` may be globs. What comes from our own formats is marked as imported, so that it can be frozen again;
    a session that the store holds with the same content stays as it is. Of a release whose files are as they were
    frozen the store notes what was judged there: so much of it as comes back unchanged needs no label here.
    """
    from wildtool.warehouse import import_sessions, judged_in

    store = run.store()
    files = [found for path in paths for found in _matching(path)]
    bad: list[Quarantined] = []
    sessions: dict[str, Session] = {}
    read = 0
    judged: dict[str, set[str]] = {id: set(golds) for id, golds in store.get_state(JUDGED_STATE, {}).items()}
    for folder in dict.fromkeys(folder for file in files if (folder := _release_of(file)) is not None):
        for id, gold in judged_in(folder).items():
            judged.setdefault(id, set()).add(gold)
    for file in files:
        lists = _lists_of(file)
        for session in import_sessions(file, bad.append):
            read += 1
            sessions[session.id] = _marked(session, file, lists)
    if not read:
        why = f": {bad[0].reason}, {bad[0].detail}" if bad else ""
        raise InputError(
            f"there is no session in {', '.join(map(str, files))}{why}",
            "name a release's folder, its Parquet, DuckDB or JSON lines, or the original's JSONL",
        )
    held = {session.id: session for session in store.read(Session, id=list(sessions))}
    changed = [
        session
        for session in sessions.values()
        if session.id not in held or _content(held[session.id]) != _content(session)
    ]
    new = store.put(changed)
    store.set_state(JUDGED_STATE, {id: sorted(golds) for id, golds in judged.items()})
    store.quarantine(bad)
    return {
        "files": [str(file) for file in files],
        "sessions": read,
        "distinct": len(sessions),
        "new": new,
        "changed": len(changed) - new,
        "unchanged": len(sessions) - len(changed),
        "judged": sum(gold_hash(each) in judged.get(each.id, ()) for each in sessions.values() if each.id in judged),
        "quarantined": len(bad),
    }


def _matching(path: str) -> list[Path]:
    if Path(path).exists():
        return [Path(path)]
    found = sorted(Path(each) for each in glob(path, recursive=True))  # noqa: PTH207 (a pattern may be absolute)
    if not found:
        raise InputError(
            f"there is nothing at {path}",
            "name a release's folder, its Parquet, DuckDB or JSON lines, or a pattern that matches some",
        )
    return found


def _lists_of(file: Path) -> JsonObject:
    """What the release that a file belongs to says of its tool lists, by id."""
    from wildtool.warehouse.release.release import tool_list_facts

    folder = _release_of(file)
    return {} if folder is None else tool_list_facts(folder)


def _release_of(file: Path) -> Path | None:
    """The release that a file belongs to, or is."""
    return next((up for up in (file, *file.parents[:3]) if (up / "manifest.json").is_file()), None)


def _marked(session: Session, file: Path, lists: JsonObject) -> Session:
    origin = session.provenance
    if origin.imported is not None:
        return session
    imported = {"format": "wildtool", "file": file.name, "tool_list": lists.get(session.tool_list)}
    return session.model_copy(update={"provenance": origin.model_copy(update={"imported": imported})})


def _content(session: Session) -> str:
    return canonical_json(session.model_dump(mode="json", exclude={"provenance"}))


def _head_of(draft: Draft) -> Draft:
    """A draft without its contents: a release names what it rests on, and whole drafts are 350 kB of memory each."""
    plan, session = draft.plan, draft.session
    tools = plan.tool_list.model_copy(update={"tools": (), "links": ()})
    return draft.model_copy(
        update={
            "plan": plan.model_copy(update={"tool_list": tools, "tasks": ()}),
            "session": session.model_copy(update={"tasks": (), "tools": ()}),
            "trace": (),
        }
    )


def _worlds(drafts: Iterable[Draft], sessions: Iterable[Session]) -> dict[str, SessionWorld]:
    """The worlds on which drafts were executed, by session id."""
    by_draft = {draft.id: draft.plan.world for draft in drafts}
    found = {session.id: by_draft.get(session.provenance.draft or "") for session in sessions}
    return {id: world for id, world in found.items() if world is not None}


def _tool_lists(drafts: Iterable[Draft], sessions: Iterable[Session]) -> list[ToolList]:
    """The tool lists that sessions rest on: of their drafts, or as the release they were imported from names them."""
    lists = {draft.plan.tool_list.id: draft.plan.tool_list for draft in drafts}
    for session in sessions:
        imported = session.provenance.imported or {}
        facts = imported.get("tool_list") or {}
        if session.tool_list not in lists and imported:
            lists[session.tool_list] = ToolList(
                id=session.tool_list,
                slug=session.tool_list,
                title=str(facts.get("title") or "imported"),
                description="",
                language=session.language,
                category=session.category,
                subcategory=session.subcategory,
                source=str(facts.get("source") or imported.get("format") or "imported"),
                licence=str(facts.get("licence") or ""),
                version=str(facts.get("version") or ""),
                tools=(),
            )
    return list(lists.values())


def _repeated_by_none(
    run: Run, against: Sequence[str], sessions: Sequence[Session]
) -> tuple[dict[str, str], frozenset[int]]:
    """The users' words of the releases, and the n-grams of the files, that no session may repeat."""
    from wildtool.grounding.ngrams import session_ngrams
    from wildtool.warehouse import file_ngrams, release_texts

    texts: dict[str, str] = {}
    files: list[Path] = []
    for path in against:
        if (Path(path) / "manifest.json").exists() or run.home.release(path).is_dir():
            texts |= release_texts(release_folder(run, path))
        else:
            files += [each for each in _matching(path) if each.is_file()]
    wanted = {one for session in sessions for one in session_ngrams(session)} if files else set()
    return texts, file_ngrams(files, wanted)


def verify(run: Run, folder: str) -> VerifyResult:
    """Checksums, schemas, counts and gates of a release, on any machine."""
    from wildtool.flows.library import verify_release

    return verify_release(release_folder(run, folder))


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
        "gates": {gate.gate: "allowed" if gate.failures else "passed" for gate in manifest.gates},
        "doubts": {gate.gate: gate.doubted for gate in manifest.gates if gate.doubted},
    }
