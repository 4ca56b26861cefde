"""Load, verify, compare and export frozen releases."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from pydantic import ValidationError

from wildtool.grounding.ngrams import user_text
from wildtool.schemas.base import Record, canonical_json, sha256_hex
from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.errors import HomeError, InputError
from wildtool.schemas.label import AgreementReport
from wildtool.schemas.release import GateCounts, GateResult, ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import FrozenWorld
from wildtool.warehouse.formats.chat_lines import chat_line
from wildtool.warehouse.formats.tabular import read_parquet, write_parquet
from wildtool.warehouse.formats.wildtoolbench import in_file_order, original_row
from wildtool.warehouse.formats.worlds import WORLDS, read_worlds
from wildtool.warehouse.release.counts import counts_of
from wildtool.warehouse.release.errata import session_changes
from wildtool.warehouse.release.layout import MANIFEST, file_problems
from wildtool.warehouse.release.rules import ReleaseRules, judged_golds

ExportFormat = Literal["jsonl", "original", "parquet", "records"]


@dataclass(frozen=True)
class Release:
    """A loaded release."""

    folder: Path
    """Where it lies."""
    manifest: ReleaseManifest
    """What it holds."""
    digest: str
    """SHA-256 of ``manifest.json``: the release's name in scores."""
    sessions: tuple[Session, ...]
    """Its sessions, ordered by id."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """``dev`` or ``test`` by session id."""

    def worlds(self) -> dict[str, FrozenWorld]:
        """Read the worlds of its sessions, by session id; none for releases of 0.1.0. Raises ``InputError`` for a damaged
        file."""
        path = self.folder / WORLDS
        if not path.exists():
            return {}
        try:
            return {each.session: each for each in read_worlds(path)}
        except (ValueError, OSError) as error:
            raise InputError(
                f"{path} cannot be read: {error}", "run wildtool release verify, then get the release again"
            ) from error

    def of_split(self, split: str) -> tuple[Session, ...]:
        """The sessions of one split."""
        return tuple(session for session in self.sessions if self.splits[session.id] == split)


class VerifyResult(Record):
    """Whether a release is what it says."""

    version: str
    """Version of the release; empty where the manifest cannot be read."""
    files: int
    """Files checked."""
    sessions: int
    """Sessions read."""
    problems: tuple[str, ...]
    """What is wrong, one line each: files, schemas, counts."""
    gates: tuple[GateResult, ...]
    """Gates, run again."""

    @property
    def ok(self) -> bool:
        """Nothing is wrong and every gate passed or was let pass by the maker."""
        return not self.problems and all(gate.ok for gate in self.gates)

    @property
    def gate_counts(self) -> GateCounts:
        """How many rules passed, were allowed or failed, and how many findings are doubts."""
        return GateCounts.of(self.gates)


class SessionChange(Record):
    """One field of a session that differs between two releases."""

    session: str
    """Id of the session."""
    path: str
    """Path of the field: ``tasks[1].actions[0].arguments.city``."""
    before: Any = None
    """Its value in the first; None where it is not there."""
    after: Any = None
    """Its value in the second."""


class ReleaseDiff(Record):
    """What differs between two releases."""

    before: str
    """Version of the first."""
    after: str
    """Version of the second."""
    added: tuple[str, ...]
    """Sessions of the second only."""
    removed: tuple[str, ...]
    """Sessions of the first only."""
    changes: tuple[SessionChange, ...]
    """Fields of sessions of both that differ."""
    unchanged: int
    """Sessions that are equal in both."""


def load_manifest(folder: Path) -> tuple[ReleaseManifest, str]:
    """A release's manifest and its digest. Raises ``InputError`` where the folder is not a release."""
    path = Path(folder) / MANIFEST
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"there is no release in {folder}", "name a folder that holds manifest.json") from error
    try:
        manifest = ReleaseManifest.model_validate_json(data)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            f"{path} is not a manifest: {'.'.join(str(part) for part in first['loc'])}: {first['msg']}",
            "get the release again, or verify it with the wildtool that made it",
        ) from error
    for file in manifest.files:
        if PurePosixPath(file.path).is_absolute() or ".." in PurePosixPath(file.path).parts:
            raise InputError(f"{path} names a file outside of the release: {file.path}", "do not use this release")
    return manifest, sha256_hex(data)


def load_release(folder: Path) -> Release:
    """Load a release with all its sessions, of this version or of 0.1.0.

    Args:
        folder: the release's folder. Its files are not checked against their checksums: ``verify_release`` does that.

    Returns:
        Manifest, SHA-256 of the manifest, sessions by id, and the split of each.

    Raises:
        InputError: the folder is not a release, or cannot be read.

    Source: ``warehouse/release/release.py``.
    """
    folder = Path(folder)
    manifest, digest = load_manifest(folder)
    splits: dict[str, str] = {}
    sessions: list[Session] = []
    for path, split in _parquet_files(manifest):
        try:
            for session in read_parquet(folder / path):
                sessions.append(session)
                splits[session.id] = split
        except ValueError as error:
            raise InputError(
                f"{folder / path} cannot be read: {error}", "run wildtool release verify, then get the release again"
            ) from error
    sessions.sort(key=lambda session: session.id)
    return Release(folder=folder, manifest=manifest, digest=digest, sessions=tuple(sessions), splits=splits)


def _parquet_files(manifest: ReleaseManifest) -> Iterator[tuple[str, str]]:
    for file in manifest.files:
        if file.path.startswith("data/") and file.path.endswith(".parquet"):
            yield file.path, Path(file.path).stem


def verify_release(folder: Path, rules: ReleaseRules, *, context: ReleaseContext | None = None) -> VerifyResult:
    """Check a release on its own: checksums, sessions, counts, and the rules again.

    Rules that its maker let pass stay passed. Raises ``InputError`` where there is no manifest at all.
    """
    folder = Path(folder)
    manifest, _ = load_manifest(folder)
    problems = list(file_problems(folder, manifest))
    try:
        release = load_release(folder)
    except InputError as error:
        problems.append(error.cause)
        return VerifyResult(
            version=manifest.version, files=len(manifest.files), sessions=0, problems=tuple(problems), gates=()
        )
    problems += _count_problems(release)
    allowed = {gate.gate for gate in manifest.gates if gate.allowed} & set(rules.ids)
    return VerifyResult(
        version=manifest.version,
        files=len(manifest.files),
        sessions=len(release.sessions),
        problems=tuple(problems),
        gates=rules(release.sessions, context or _context_of(release), allowed),
    )


def _context_of(release: Release) -> ReleaseContext:
    """What a stranger can know: the licences, and the agreement as the manifest gives it."""
    agreement = release.manifest.agreement
    return ReleaseContext(
        licences={id: facts["licence"] for id, facts in tool_list_facts(release.folder).items()} or None,
        agreement=AgreementReport.model_validate(agreement) if agreement else None,
        tasks_per_session=max((len(session.tasks) for session in release.sessions), default=4),
        worlds=release.worlds(),
    )


def tool_list_facts(folder: Path) -> dict[str, dict[str, str]]:
    """Title, source, version and licence of a release's tool lists, by id; empty where its database cannot be read."""
    import duckdb

    try:
        with duckdb.connect(str(folder / "benchmark.duckdb"), read_only=True) as connection:
            rows = connection.execute("SELECT id, title, source, version, licence FROM tool_lists").fetchall()
    except duckdb.Error:
        return {}  # a damaged file is named by its checksum
    return {
        id: {"title": title, "source": source, "version": version, "licence": licence}
        for id, title, source, version, licence in rows
    }


def _count_problems(release: Release) -> Iterator[str]:
    found = counts_of(release.sessions, release.splits)
    said = release.manifest.counts
    for name in sorted((found.keys() | said.keys()) - {"annotators"}):
        if found.get(name, 0) != said.get(name, 0):
            yield f"the manifest counts {said.get(name, 0)} {name}, the data hold {found.get(name, 0)}"
    try:
        with (release.folder / "sessions.jsonl").open(encoding="utf-8") as file:
            lines = sum(1 for _ in file)
        if lines != len(release.sessions):
            yield f"sessions.jsonl has {lines} lines, the Parquet files {len(release.sessions)} sessions"
        with (release.folder / "README.md").open(encoding="utf-8") as file:
            card = file.read()
        for name in ("sessions", "tasks", "calls", "dependencies"):
            if f"| {name} | {found[name]} |" not in card:
                yield f"the card does not count {found[name]} {name}"
        for path in sorted((release.folder / "schemas").glob("*.json")):
            json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        yield f"a file cannot be read: {error}"
    for name, rows in _database_counts(release.folder).items():
        if rows != found[name]:
            yield f"benchmark.duckdb holds {rows} {name}, the Parquet files {found[name]}"


def _database_counts(folder: Path) -> dict[str, int]:
    import duckdb

    try:
        with duckdb.connect(str(folder / "benchmark.duckdb"), read_only=True) as connection:
            return {
                name: int(connection.execute(query).fetchall()[0][0])
                for name, query in (
                    ("sessions", "SELECT count(*) FROM sessions"),
                    ("tasks", "SELECT count(*) FROM tasks"),
                    ("actions", "SELECT count(*) FROM actions"),
                    ("dependencies", "SELECT count(*) FROM dependencies"),
                    ("tools", "SELECT count(*) FROM tools"),
                )
            }
    except duckdb.Error:
        return {}  # a damaged file is named by its checksum


def release_texts(folder: Path) -> dict[str, str]:
    """All that the user says, as gates compare it, by session id of a release."""
    return {session.id: user_text(session) for session in load_release(folder).sessions}


def judged_in(folder: Path) -> dict[str, str]:
    """``gold_hash`` by id of the sessions that were judged when a release was frozen; none if a file was changed since."""
    manifest, _ = load_manifest(folder)
    if any(file_problems(folder, manifest)):
        return {}
    return judged_golds({session.id: session for session in load_release(folder).sessions}, manifest.gates)


def diff_releases(before: Path, after: Path) -> ReleaseDiff:
    """Compare two releases: sessions added, removed and changed, field by field.

    Args:
        before, after: folders of the two releases.

    Returns:
        The differences. ``provenance`` is left out: it names labels, not gold.

    Raises:
        InputError: one of the folders is not a release.

    Source: ``warehouse/release/release.py``.
    """
    first, second = load_release(before), load_release(after)
    old = {session.id: session for session in first.sessions}
    new = {session.id: session for session in second.sessions}
    changes: list[SessionChange] = []
    unchanged = 0
    for id in sorted(old.keys() & new.keys()):
        found = [
            SessionChange(session=id, path=path, before=a, after=b) for path, a, b in session_changes(old[id], new[id])
        ]
        changes += found
        unchanged += not found
    return ReleaseDiff(
        before=first.manifest.version,
        after=second.manifest.version,
        added=tuple(sorted(new.keys() - old.keys())),
        removed=tuple(sorted(old.keys() - new.keys())),
        changes=tuple(changes),
        unchanged=unchanged,
    )


def export_release(folder: Path, format: ExportFormat, out: Path) -> list[Path]:
    """Write a release's sessions in another format.

    Args:
        folder: the release's folder.
        format: ``jsonl``: OpenAI messages and tools, in ``sessions.jsonl``; ``original``: WildToolBench's format, one file
            for each language; ``parquet``: one file for each language and split; ``records``: our records, to edit and import
            again.
        out: folder to write into.

    Returns:
        Paths of the files written.

    Raises:
        InputError: the folder is not a release, or a file is there already.

    Source: ``warehouse/release/release.py``, ``warehouse/formats/``.
    """
    release = load_release(folder)
    canary = release.manifest.canary
    by_language: dict[str, list[Session]] = {}
    for session in release.sessions:
        by_language.setdefault(session.language.value, []).append(session)
    out = Path(out)
    written: list[Path] = []

    def target(name: str) -> Path:
        path = out / name
        if path.exists():
            raise InputError(f"{path} exists", "name an empty folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        written.append(path)
        return path

    try:
        match format:
            case "jsonl":
                lines = [chat_line(session, release.splits[session.id], canary) for session in release.sessions]
                _write(target("sessions.jsonl"), lines)
            case "original":
                for language, sessions in by_language.items():
                    rows = [
                        original_row(session, number, canary) for number, session in enumerate(in_file_order(sessions))
                    ]
                    _write(target(f"{language}.jsonl"), [canonical_json(row) for row in rows])
            case "parquet":
                for path, split in _parquet_files(release.manifest):
                    language = Path(path).parent.name
                    chosen = [session for session in release.of_split(split) if session.language.value == language]
                    write_parquet(chosen, target(f"{language}/{split}.parquet"), canary)
            case "records":
                _write(target("records.jsonl"), [session.to_json() for session in release.sessions])
            case _:
                raise InputError(f"there is no format {format!r}", "name one of jsonl, original, parquet, records")
    except OSError as error:
        raise HomeError(
            f"{out} cannot be written: {error.strerror or error}", "free space or name another folder"
        ) from error
    return written


def _write(path: Path, lines: Sequence[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
