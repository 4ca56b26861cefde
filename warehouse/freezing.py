"""Freezing: from labelled sessions to a folder that never changes again."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schemas.base import SCHEMA_VERSION, canonical_json, sha256_hex
from schemas.errors import FrozenError, HomeError, InputError
from schemas.generate import schema_texts
from schemas.label import Adjudication, AgreementReport, Label
from schemas.release import ReleaseFile, ReleaseManifest
from schemas.session import Session
from schemas.tool import ToolList
from schemas.vocabulary import Language
from warehouse.benchmark import write_benchmark
from warehouse.card import card
from warehouse.conversation import chat_line
from warehouse.counts import composition, counts_of
from warehouse.gates import GATES, Gate, GateContext, require, run_gates
from warehouse.original import original_row
from warehouse.tabular import flat_rows, write_parquet

MANIFEST = "manifest.json"
SEMANTIC_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
SPLITS = ("dev", "test")
HASH_BLOCK = 1 << 20
"""Bytes read at once while hashing."""


def freeze(
    sessions: Sequence[Session],
    version: str,
    folder: Path,
    *,
    code_version: str,
    rules_version: str,
    name: str = "wildtool",
    labels: Sequence[Label] = (),
    adjudications: Sequence[Adjudication] = (),
    agreement: AgreementReport | None = None,
    tool_lists: Sequence[ToolList] = (),
    sources: Mapping[str, str] | None = None,
    gates: Sequence[Gate] = GATES,
    allow: Collection[str] = (),
    parent: Path | None = None,
    split_seed: int = 0,
    dev_share: float = 0.2,
    tasks_per_session: int = 4,
    licence: str = "CC-BY-4.0",
    schema_version: str = SCHEMA_VERSION,
) -> ReleaseManifest:
    """Freeze sessions as release ``version`` in ``folder`` (the release's own); its manifest.

    The sessions pass the gates first; the folder appears whole or not at all; the same input gives the same
    bytes. Where the folder is there already with exactly this content, nothing is written.
    Sessions of ``parent`` (an earlier release's folder) keep their split.

    Raises ``GateError`` where a gate fails that ``allow`` does not name (nothing is written), ``FrozenError``
    where the folder holds something else, ``InputError`` for a bad version or no session, ``HomeError`` where
    the disk refuses.
    """
    if not SEMANTIC_VERSION.fullmatch(version):
        raise InputError(f"{version!r} is no semantic version", "name it like 1.0.0")
    if not sessions:
        raise InputError("there is no labelled session to freeze", "label drafts and run wildtool annotate pull first")
    folder = Path(folder)
    ordered = sorted(sessions, key=lambda session: session.id)
    by_session: dict[str, list[Label]] = {}
    for label in labels:
        by_session.setdefault(label.session, []).append(label)
    context = GateContext(
        labels=by_session if labels else None,
        adjudications={adjudication.session: adjudication for adjudication in adjudications},
        agreement=agreement,
        tasks_per_session=tasks_per_session,
        licences={tools.id: tools.licence for tools in tool_lists} if tool_lists else None,
    )
    results = run_gates(ordered, gates, context, allow=allow)
    require(results)
    splits = split_sessions(ordered, seed=split_seed, dev_share=dev_share, earlier=_splits_of(parent))
    annotators = _pseudonyms(labels)
    manifest = ReleaseManifest(
        name=name,
        version=version,
        schema_version=schema_version,
        rules_version=rules_version,
        code_version=code_version,
        offline=any(session.provenance.offline for session in ordered),
        simulated_labels=any(session.provenance.simulated_labels for session in ordered)
        or any(label.simulated for label in labels),
        counts={**counts_of(ordered, splits), "annotators": len(annotators)},
        models=_values(session.provenance.models for session in ordered),
        prompts=_values(session.provenance.prompts for session in ordered),
        sources=dict(sources or {}) | ({"parent": _digest_of(parent)} if parent else {}),
        agreement=agreement.model_dump(mode="json") if agreement else None,
        gates=results,
        canary=canary_of(name, version, ordered),
        files=(),
    )
    temporary = folder.with_name(f".{folder.name}.freezing")
    try:
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            _write_files(temporary, ordered, splits, manifest, labels, annotators, tool_lists, agreement, licence)
            manifest = manifest.model_copy(update={"files": tuple(_hash_files(temporary))})
            (temporary / MANIFEST).write_text(_pretty(manifest), encoding="utf-8", newline="\n")
            _sync(temporary)
            if folder.exists():
                _refuse_unless_same(folder, temporary)
            else:
                temporary.rename(folder)
                _sync_folder(folder.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise HomeError(
            f"the release cannot be written to {folder}: {error.strerror or error}",
            "free some space or make the folder writable, then freeze again",
        ) from error
    return manifest


def split_sessions(
    sessions: Sequence[Session], *, seed: int, dev_share: float, earlier: Mapping[str, str] | None = None
) -> dict[str, str]:
    """``dev`` or ``test`` by session id: by a hash of seed and id, so that later sessions move nobody.

    Sessions of an earlier release keep their split. A language of two or more sessions has at least one in each.
    """
    if not 0 <= dev_share < 1:
        raise InputError(f"a share of {dev_share} for dev is not possible", "choose one from 0 to below 1")
    chosen: dict[str, str] = {}
    for language in Language:
        ranked = sorted((_rank(seed, session.id), session.id) for session in sessions if session.language is language)
        for rank, id in ranked:
            chosen[id] = (earlier or {}).get(id) or ("dev" if rank < dev_share else "test")
        free = [id for _, id in ranked if id not in (earlier or {})]
        if dev_share > 0 and len(ranked) > 1 and free:
            held = Counter(chosen[id] for _, id in ranked)
            if not held["dev"]:
                chosen[free[0]] = "dev"
            elif not held["test"]:
                chosen[free[-1]] = "test"
    return chosen


def _rank(seed: int, id: str) -> float:
    return int(sha256_hex(f"{seed}:{id}")[:12], 16) / 16**12


def _splits_of(parent: Path | None) -> dict[str, str]:
    if parent is None:
        return {}
    lines = (Path(parent) / "sessions.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["id"]: row["split"] for row in map(json.loads, lines)}


def _digest_of(parent: Path) -> str:
    return sha256_hex((Path(parent) / MANIFEST).read_bytes())


def canary_of(name: str, version: str, sessions: Iterable[Session]) -> str:
    """A string that is found nowhere but in this release."""
    ids = sha256_hex("\n".join(session.id for session in sessions))
    return f"{name}-canary-{sha256_hex(f'{name} {version} {ids}')[:32]}"


def _pseudonyms(labels: Iterable[Label]) -> dict[str, str]:
    """A name that tells nothing, by annotator: numbered in the order of a hash."""
    found = sorted({label.annotator for label in labels}, key=sha256_hex)
    return {annotator: f"annotator_{number:02d}" for number, annotator in enumerate(found, 1)}


def _values(maps: Iterable[Mapping[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for one in maps:
        for key, value in one.items():
            found.setdefault(key, set()).add(value)
    return {key: tuple(sorted(values)) for key, values in sorted(found.items())}


def _write_files(
    folder: Path,
    sessions: Sequence[Session],
    splits: Mapping[str, str],
    manifest: ReleaseManifest,
    labels: Sequence[Label],
    annotators: Mapping[str, str],
    tool_lists: Sequence[ToolList],
    agreement: AgreementReport | None,
    licence: str,
) -> None:
    canary = manifest.canary
    files: dict[tuple[str, str], str] = {}
    for language in Language:
        for split in SPLITS:
            chosen = [s for s in sessions if s.language is language and splits[s.id] == split]
            if chosen:
                path = f"data/{language.value}/{split}.parquet"
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_parquet(chosen, folder / path, canary)
                files[language.value, split] = path
        original = [session for session in sessions if session.language is language]
        _write_lines(
            folder / "original" / f"{language.value}.jsonl",
            (canonical_json(original_row(session, number, canary)) for number, session in enumerate(original)),
        )
    _write_lines(folder / "sessions.jsonl", (chat_line(session, splits[session.id], canary) for session in sessions))
    write_benchmark(folder / "benchmark.duckdb", _tables(sessions, splits, manifest, labels, annotators, tool_lists))
    for name, text in schema_texts().items():
        schema = {"$comment": canary, **json.loads(text)}
        _write_lines(folder / "schemas" / name, [json.dumps(schema, ensure_ascii=False, indent=2)])
    text = card(manifest, composition(sessions), files, agreement, licence)
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")


def _tables(
    sessions: Sequence[Session],
    splits: Mapping[str, str],
    manifest: ReleaseManifest,
    labels: Sequence[Label],
    annotators: Mapping[str, str],
    tool_lists: Sequence[ToolList],
) -> Iterator[dict[str, list[tuple[Any, ...]]]]:
    by_label = {label.id: annotators[label.annotator] for label in labels}
    used = {session.tool_list for session in sessions}
    yield {
        "about": [
            (key, str(getattr(manifest, key)))
            for key in ("name", "version", "canary", "schema_version", "rules_version", "code_version", "offline")
        ]
        + [("simulated_labels", str(manifest.simulated_labels))],
        "annotators": [
            (
                annotators[annotator],
                sum(label.annotator == annotator for label in labels),
                len({label.session for label in labels if label.annotator == annotator}),
                any(label.simulated for label in labels if label.annotator == annotator),
            )
            for annotator in sorted(annotators, key=annotators.__getitem__)
        ],
        "tool_lists": [
            (tools.id, tools.title, tools.source, tools.version, tools.licence)
            for tools in sorted({tools.id: tools for tools in tool_lists}.values(), key=lambda tools: tools.id)
            if tools.id in used
        ],
    }
    for session in sessions:
        who = sorted({by_label[id] for id in session.provenance.labels if id in by_label})
        yield flat_rows(session, splits[session.id], who)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def _pretty(manifest: ReleaseManifest) -> str:
    return json.dumps(manifest.model_dump(mode="json"), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def file_digest(path: Path) -> str:
    """SHA-256 of a file in hex, read in blocks."""
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def _hash_files(folder: Path) -> list[ReleaseFile]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = [
        ReleaseFile(path=path.relative_to(folder).as_posix(), sha256=file_digest(path), bytes=path.stat().st_size)
        for path in paths
    ]
    return sorted(files, key=lambda file: file.path)


def _sync(folder: Path) -> None:
    """Make sure that every byte is on the disk before the folder gets its name, and close it for writing."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
            path.chmod(0o444)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
