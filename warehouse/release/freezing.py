"""Freeze labelled sessions into a folder that never changes again."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from wildtool.grounding.ngrams import user_text
from wildtool.schemas.base import SCHEMA_VERSION, sha256_hex
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.errors import FrozenError, HomeError, InputError
from wildtool.schemas.label import Adjudication, AgreementReport, Label
from wildtool.schemas.release import GateFailure, ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import FrozenWorld, SessionWorld
from wildtool.schemas.tool import ToolList
from wildtool.warehouse.release.counts import counts_of
from wildtool.warehouse.release.errata import Parent, check_version, errata_since, read_parent
from wildtool.warehouse.release.layout import (
    MANIFEST,
    MANIFEST_SUM,
    file_digest,
    file_problems,
    hash_files,
    manifest_sum,
    seal,
    sync_folder,
    write_files,
)
from wildtool.warehouse.release.rules import ReleaseRules, judged_golds, require
from wildtool.worlds.replay import freeze_world

SEMANTIC_VERSION = re.compile(r"(?<!\d)\d++\.\d++\.\d++(?:-[0-9A-Za-z.-]+)?")
BENCHMARK_NAME = re.compile(r"[^\W\d_][\w .-]{0,79}")
PRIVATE_SUFFIX = "-private"
"""Ending of the name and folder of a release's private part."""


@dataclass(frozen=True)
class FreezeRequest:
    """What to freeze, and under which terms."""

    sessions: Sequence[Session]
    """The labelled sessions."""
    version: str
    """Semantic version, as in ``1.0.0``."""
    folder: Path
    """The release's own folder. It appears whole or not at all."""
    name: str = "wildtool"
    """Name of the benchmark."""
    licence: str = "CC-BY-4.0"
    """Licence of the release."""
    labels: Sequence[Label] = ()
    """All labels that are known. A session that none of them judges must be as an earlier release holds it, which is
    the parent, or one whose judged gold ``judged`` names."""
    adjudications: Sequence[Adjudication] = ()
    """Settlements of sessions that annotators disagreed on."""
    agreement: AgreementReport | None = None
    """Agreement over the double-labelled slice; None takes the parent's."""
    agreement_threshold: float | None = None
    """Least agreement, from -1 to 1; None takes the default, 0.61."""
    tool_lists: Sequence[ToolList] = ()
    """Tool lists that the sessions rest on, for their licences."""
    worlds: Mapping[str, SessionWorld] = field(default_factory=dict)
    """Worlds by session id; the release holds them, and gold must replay on them."""
    sources: Mapping[str, str] = field(default_factory=dict)
    """What the sessions rest on, for the manifest."""
    allow: Collection[str] = ()
    """Ids of rules whose failures are let pass; the card says so."""
    parent: Path | None = None
    """Folder of the release that this one continues: sessions keep their split, differences become errata."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Why a session differs from the parent, by session id."""
    foreign: frozenset[int] = frozenset()
    """N-grams that no session may repeat (``file_ngrams``)."""
    earlier: Mapping[str, str] = field(default_factory=dict)
    """The users' words of other releases by session id (``release_texts``)."""
    judged: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Hashes of gold that was judged in earlier releases, by session id (``gold_hash``)."""
    split_seed: int = 0
    """Seed of the split."""
    dev_share: float = 0.2
    """Share of the sessions in ``dev``, from 0 to below 1."""
    private_share: float = 0.0
    """Share of the sessions that go to a release beside it, ``FOLDER-private``, from 0 to below 1."""
    tasks_per_session: int = 4
    """Most tasks a session."""
    schema_version: str = SCHEMA_VERSION
    """Version of the records."""


def freeze(request: FreezeRequest, *, rules: ReleaseRules, code_version: str, rules_version: str) -> ReleaseManifest:
    """Freeze sessions into a folder that never changes again; return its manifest.

    The sessions pass the ``rules`` first; the folder appears whole or not at all; the same input gives the same
    bytes. Where the folder is there already with exactly this content, nothing is written. ``code_version`` is that of
    wildtool, ``rules_version`` that of the scoring rules.

    Raises ``GateError`` where a rule refuses and ``allow`` does not name it (nothing is written), ``FrozenError``
    where the folder holds something else, ``InputError`` for a bad version or no session, ``HomeError`` where
    the disk refuses.
    """
    _check_request(request)
    folder, name, version = Path(request.folder), request.name, request.version
    ordered = sorted(request.sessions, key=lambda session: session.id)
    parents = _Parents.of(request.parent)
    before, hidden = parents.public, parents.private
    agreement = request.agreement
    if agreement is None and before is not None and before.manifest.agreement is not None:
        agreement = AgreementReport.model_validate(before.manifest.agreement)
    worlds = {each.id: freeze_world(request.worlds[each.id], each) for each in ordered if each.id in request.worlds}
    results = rules(ordered, _context(request, agreement, parents, worlds), request.allow)
    require(results)
    splits = split_sessions(
        ordered,
        seed=request.split_seed,
        dev_share=request.dev_share,
        private_share=request.private_share,
        # What was private once stays so, whatever share is asked for now.
        earlier={**(before.splits if before else {}), **(hidden.splits if hidden else {})},
    )
    canary = canary_of(name, version, ordered)
    annotators = _pseudonyms(request.labels, canary)

    def frozen_part(part: Sequence[Session], name: str, folder: Path, before: Parent | None) -> ReleaseManifest:
        ids = {session.id for session in part}
        own_labels = [label for label in request.labels if label.session in ids]
        manifest = ReleaseManifest(
            name=name,
            version=version,
            schema_version=request.schema_version,
            rules_version=rules_version,
            code_version=code_version,
            offline=any(session.provenance.offline for session in part),
            simulated_labels=any(session.provenance.simulated_labels for session in part)
            or any(label.simulated for label in own_labels),
            counts={**counts_of(part, splits), "annotators": len({label.annotator for label in own_labels})},
            models=_values(session.provenance.models for session in part),
            prompts=_values(session.provenance.prompts for session in part),
            sources=dict(request.sources)
            | ({"parent": f"{before.manifest.version} {before.digest}"} if before else {})
            | {"licence": request.licence},
            agreement=agreement.model_dump(mode="json") if agreement else None,
            # The public part must not name private sessions.
            gates=tuple(result.of_sessions(ids).shortened() for result in results),
            canary=canary,
            files=(),
        )
        manifest = _names_hidden(manifest, ids, {session.id for session in ordered} - ids, annotators)
        errata = errata_since(before, part, version, request.reasons) if before else ()
        _freeze_folder(
            folder,
            manifest,
            lambda temporary: write_files(
                temporary,
                part,
                splits,
                manifest,
                own_labels,
                annotators,
                request.tool_lists,
                agreement,
                errata,
                request.licence,
                worlds,
            ),
        )
        return ReleaseManifest.model_validate_json((folder / MANIFEST).read_bytes())

    public = [session for session in ordered if splits[session.id] != "private"]
    private = [session for session in ordered if splits[session.id] == "private"]
    if before:
        check_version(
            before, version, sessions=public, schema_version=request.schema_version, rules_version=rules_version
        )
    if private:
        frozen_part(private, name + PRIVATE_SUFFIX, folder.with_name(folder.name + PRIVATE_SUFFIX), hidden)
    return frozen_part(public, name, folder, before)


def _check_request(request: FreezeRequest) -> None:
    if not SEMANTIC_VERSION.fullmatch(request.version):
        raise InputError(f"{request.version!r} is not a semantic version", "name it like 1.0.0")
    if not BENCHMARK_NAME.fullmatch(request.name):
        raise InputError(
            f"{request.name!r} cannot name a benchmark",
            "use letters, digits, blanks, dots and hyphens, a letter first",
        )
    if not request.sessions:
        raise InputError("there is no labelled session to freeze", "label drafts and run wildtool annotate pull first")


@dataclass(frozen=True)
class _Parents:
    """The two parts of the release that a new one continues."""

    public: Parent | None
    private: Parent | None

    @classmethod
    def of(cls, folder: Path | None) -> _Parents:
        if folder is None:
            return cls(None, None)
        private = folder.with_name(folder.name + PRIVATE_SUFFIX)
        return cls(_read_unchanged(folder), _read_unchanged(private) if private.is_dir() else None)


def _context(
    request: FreezeRequest, agreement: AgreementReport | None, parents: _Parents, worlds: Mapping[str, FrozenWorld]
) -> ReleaseContext:
    by_session: dict[str, list[Label]] = {}
    for label in request.labels:
        by_session.setdefault(label.session, []).append(label)
    before = parents.public
    threshold = request.agreement_threshold
    return ReleaseContext(
        labels=by_session,
        adjudications={adjudication.session: adjudication for adjudication in request.adjudications},
        agreement=agreement,
        tasks_per_session=request.tasks_per_session,
        licences={tools.id: tools.licence for tools in request.tool_lists} if request.tool_lists else None,
        earlier={**request.earlier, **({id: user_text(one) for id, one in before.sessions.items()} if before else {})},
        judged=_judged_earlier(request.judged, *(old for old in (before, parents.private) if old)),
        foreign=request.foreign,
        worlds=worlds,
        **({} if threshold is None else {"agreement_threshold": threshold}),
    )


def _judged_earlier(judged: Mapping[str, Collection[str]], *releases: Parent) -> dict[str, set[str]]:
    found = {id: set(golds) for id, golds in judged.items()}
    for old in releases:
        for id, gold in judged_golds(old.sessions, old.manifest.gates).items():
            found.setdefault(id, set()).add(gold)
    return found


def _read_unchanged(folder: Path) -> Parent:
    """The release that a new one follows, if its files are still what its manifest says."""
    parent = read_parent(folder)
    for problem in file_problems(folder, parent.manifest):
        raise InputError(f"{folder} is not as it was frozen: {problem}", "get the release again, or name another")
    return parent


def _names_hidden(
    manifest: ReleaseManifest, ids: Collection[str], others: Collection[str], annotators: Mapping[str, str]
) -> ReleaseManifest:
    """The manifest without ids of other sessions than its own, and with annotators under the release's own names."""
    private = dict.fromkeys(others, "another session")

    def without_names(findings: Sequence[GateFailure]) -> tuple[GateFailure, ...]:
        return tuple(one.model_copy(update={"reason": _replaced(one.reason, private)}) for one in findings)

    gates = tuple(
        result.model_copy(update={"failures": without_names(result.failures), "doubts": without_names(result.doubts)})
        for result in manifest.gates
    )
    agreement = manifest.agreement
    if agreement is not None:
        people = {**agreement, "annotators": [annotators.get(one, one) for one in agreement["annotators"]]}
        pairs = agreement.get("by_annotator") or {}
        people["by_annotator"] = {
            " & ".join(annotators.get(one, one) for one in name.split(" & ")): figures
            for name, figures in pairs.items()
        }
        disagreements = agreement.get("disagreements") or {}
        people["disagreements"] = {id: fields for id, fields in disagreements.items() if id in ids}
        agreement = people
    return manifest.model_copy(update={"gates": gates, "agreement": agreement})


def _replaced(text: str, words: Mapping[str, str]) -> str:
    for old, new in words.items():
        text = text.replace(old, new)
    return text


def _freeze_folder(folder: Path, manifest: ReleaseManifest, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a temporary folder beside it, add the manifest, and give it its name at once."""
    temporary = folder.with_name(f".{folder.name}.freezing")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            write(temporary)
            complete = manifest.model_copy(update={"files": tuple(hash_files(temporary))})
            text = _pretty(complete)
            (temporary / MANIFEST).write_text(text, encoding="utf-8", newline="\n")
            own = manifest_sum(text.encode("utf-8"), manifest.canary)
            (temporary / MANIFEST_SUM).write_text(own, encoding="utf-8", newline="\n")
            seal(temporary)
            if folder.exists():
                _refuse_unless_same(folder, temporary)
            else:
                temporary.rename(folder)
                sync_folder(folder.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise HomeError(
            f"the release cannot be written to {folder}: {error.strerror or error}",
            "free some space or make the folder writable, then freeze again",
        ) from error


def split_sessions(
    sessions: Sequence[Session],
    *,
    seed: int,
    dev_share: float,
    private_share: float = 0.0,
    earlier: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """``dev``, ``test`` or ``private`` by session id: by a hash of seed and id, so that later sessions move nobody.

    Sessions of an earlier release keep their split. A language of two or more public sessions has at least one
    in ``dev`` and one in ``test``.
    """
    if not (0 <= dev_share < 1 and 0 <= private_share < 1):
        raise InputError(f"shares of {dev_share} and {private_share} are not possible", "choose them from 0 to below 1")
    fixed = dict(earlier or {})
    chosen: dict[str, str] = {}
    ranks = {session.id: _rank(f"private:{seed}", session.id) for session in sessions if session.id not in fixed}
    if private_share > 0 and not fixed and len(ranks) > 1 and min(ranks.values()) >= private_share:
        fixed[min(ranks, key=ranks.__getitem__)] = "private"  # who asks for a private part gets one
    for language in sorted({session.language for session in sessions}):
        public: list[tuple[float, str]] = []
        for id in (session.id for session in sessions if session.language is language):
            if fixed.get(id) == "private" or (id not in fixed and _rank(f"private:{seed}", id) < private_share):
                chosen[id] = "private"
                continue
            rank = _rank(str(seed), id)
            public.append((rank, id))
            chosen[id] = fixed.get(id) or ("dev" if rank < dev_share else "test")
        public.sort()
        free = [id for _, id in public if id not in fixed]
        if dev_share > 0 and len(public) > 1 and free:
            held = Counter(chosen[id] for _, id in public)
            if not held["dev"]:
                chosen[free[0]] = "dev"
            elif not held["test"]:
                chosen[free[-1]] = "test"
    if "private" in chosen.values() and set(chosen.values()) == {"private"}:
        raise InputError("every session would be private", "lower the private share, or add sessions")
    return chosen


def _rank(seed: str, id: str) -> float:
    return int(sha256_hex(f"{seed}:{id}")[:12], 16) / 16**12


def canary_of(name: str, version: str, sessions: Iterable[Session]) -> str:
    """A string that is found nowhere but in this release."""
    ids = sha256_hex("\n".join(session.id for session in sessions))
    return f"{name}-canary-{sha256_hex(f'{name} {version} {ids}')[:32]}"


def _pseudonyms(labels: Iterable[Label], canary: str) -> dict[str, str]:
    """A name that tells nothing, by annotator: numbered in an order that another release does not share."""
    found = sorted({label.annotator for label in labels}, key=lambda annotator: sha256_hex(canary + annotator))
    return {annotator: f"annotator_{number:02d}" for number, annotator in enumerate(found, 1)}


def _values(maps: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for one in maps:
        for key, value in one.items():
            found.setdefault(key, set()).add(value)
    return {key: tuple(sorted(values)) for key, values in sorted(found.items())}


def _pretty(manifest: ReleaseManifest) -> str:
    return json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def _refuse_unless_same(folder: Path, fresh: Path) -> None:
    old = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    new = {file.relative_to(fresh).as_posix() for file in fresh.rglob("*") if file.is_file()}
    changed = sorted(
        name for name in old | new if name not in old & new or file_digest(folder / name) != file_digest(fresh / name)
    )
    if changed:
        raise FrozenError(
            f"{folder} is frozen, and this content differs in {', '.join(changed[:3])}"
            + (f" and {len(changed) - 3} more files" if len(changed) > 3 else ""),
            "freeze under a new version: patch for corrected labels, minor for more sessions, major for new rules",
        )
