"""Write the files of a release folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from wildtool.schemas.base import canonical_json, sha256_hex
from wildtool.schemas.generate import schema_texts
from wildtool.schemas.label import AgreementReport, Label
from wildtool.schemas.release import ReleaseFile, ReleaseManifest
from wildtool.schemas.session import Session
from wildtool.schemas.session_world import FrozenWorld
from wildtool.schemas.tool import ToolList
from wildtool.schemas.vocabulary import Language
from wildtool.warehouse.formats.benchmark import write_benchmark
from wildtool.warehouse.formats.card import card
from wildtool.warehouse.formats.chat_lines import chat_line
from wildtool.warehouse.formats.croissant import croissant
from wildtool.warehouse.formats.tabular import flat_rows, write_parquet
from wildtool.warehouse.formats.wildtoolbench import ORIGINAL_LANGUAGES, in_file_order, original_row
from wildtool.warehouse.formats.worlds import WORLDS, database_rows, write_worlds
from wildtool.warehouse.release.counts import composition
from wildtool.warehouse.release.errata import Erratum

MANIFEST = "manifest.json"
MANIFEST_SUM = "manifest.json.sha256"
"""The manifest's own checksum, as ``sha256sum -c`` reads it: the manifest holds those of all other files."""
SPLITS = ("dev", "test", "private")
HASH_BLOCK = 1 << 20
"""Bytes read at once while hashing."""


NO_WORLDS: Mapping[str, FrozenWorld] = MappingProxyType({})
"""Of sessions of 0.1.0 and imported ones."""


def write_files(
    folder: Path,
    sessions: Sequence[Session],
    splits: Mapping[str, str],
    manifest: ReleaseManifest,
    labels: Sequence[Label],
    annotators: Mapping[str, str],
    tool_lists: Sequence[ToolList],
    agreement: AgreementReport | None,
    errata: Sequence[Erratum],
    licence: str,
    worlds: Mapping[str, FrozenWorld] = NO_WORLDS,
) -> None:
    """Write all files but the manifest into an empty folder. The same input gives the same bytes."""
    canary = manifest.canary
    files: dict[tuple[str, str], str] = {}
    # The original's files are there even if they are empty, as in the first release.
    for language in map(Language, sorted({*ORIGINAL_LANGUAGES, *(session.language for session in sessions)})):
        for split in SPLITS:
            chosen = [s for s in sessions if s.language is language and splits[s.id] == split]
            if chosen:
                path = f"data/{language.value}/{split}.parquet"
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_parquet(chosen, folder / path, canary)
                files[language.value, split] = path
        original = in_file_order(session for session in sessions if session.language is language)
        write_lines(
            folder / "original" / f"{language.value}.jsonl",
            (canonical_json(original_row(session, number, canary)) for number, session in enumerate(original)),
        )
    write_lines(folder / "sessions.jsonl", (chat_line(session, splits[session.id], canary) for session in sessions))
    write_benchmark(
        folder / "benchmark.duckdb", _tables(sessions, splits, manifest, labels, annotators, tool_lists, worlds)
    )
    own = [worlds[session.id] for session in sessions if session.id in worlds]
    if own:
        write_worlds(own, folder / WORLDS, canary)
    for name, text in schema_texts().items():
        schema = {"$comment": canary, **json.loads(text)}
        write_lines(folder / "schemas" / name, [json.dumps(schema, ensure_ascii=False, indent=2)])
    listed = {"canary": canary, "errata": [erratum.model_dump(mode="json") for erratum in errata]}
    write_lines(folder / "errata.json", [json.dumps(listed, ensure_ascii=False, indent=2, sort_keys=True)])
    parquet = [describe(folder / path, path) for path in files.values()]
    write_lines(folder / "croissant.json", [json.dumps(croissant(manifest, parquet, licence), indent=2)])
    text = card(manifest, composition(sessions), files, agreement, errata, licence)
    (folder / "README.md").write_text(text, encoding="utf-8", newline="\n")


def _tables(
    sessions: Sequence[Session],
    splits: Mapping[str, str],
    manifest: ReleaseManifest,
    labels: Sequence[Label],
    annotators: Mapping[str, str],
    tool_lists: Sequence[ToolList],
    worlds: Mapping[str, FrozenWorld],
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
        if session.id in worlds:
            yield database_rows(worlds[session.id])


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write lines, each ended by a line feed, and the folder they need."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def file_digest(path: Path) -> str:
    """SHA-256 of a file in hex, read in blocks."""
    import hashlib

    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def hash_files(folder: Path) -> list[ReleaseFile]:
    """Every file of a folder with its size and checksum, sorted by path."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return sorted((describe(path, path.relative_to(folder).as_posix()) for path in paths), key=lambda file: file.path)


def describe(path: Path, name: str) -> ReleaseFile:
    """Size and checksum of a file, under its name in the release."""
    return ReleaseFile(path=name, sha256=file_digest(path), bytes=path.stat().st_size)


def manifest_sum(manifest: bytes, canary: str) -> str:
    """Text of ``manifest.json.sha256``."""
    return f"{sha256_hex(manifest)}  {MANIFEST}\n# {canary}\n"


def seal(folder: Path) -> None:
    """Make sure that every byte is on the disk before the folder gets its name, and close it for writing."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
            path.chmod(0o444)


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_problems(folder: Path, manifest: ReleaseManifest) -> Iterator[str]:
    """Each file that is not as the manifest says, that is missing, or that does not belong."""
    listed = {file.path for file in manifest.files} | {MANIFEST, MANIFEST_SUM}
    if (folder / MANIFEST_SUM).is_file():
        wanted = manifest_sum((folder / MANIFEST).read_bytes(), manifest.canary).encode("utf-8")
        if (folder / MANIFEST_SUM).read_bytes() != wanted:
            yield f"{MANIFEST} or {MANIFEST_SUM} was changed: they do not fit each other"
    else:
        yield f"{MANIFEST_SUM} is missing"
    for file in manifest.files:
        path = folder / file.path
        if not path.is_file():
            yield f"{file.path} is missing"
        elif path.stat().st_size != file.bytes:
            yield f"{file.path} has {path.stat().st_size} bytes, the manifest says {file.bytes}"
        elif file_digest(path) != file.sha256:
            yield f"{file.path} was changed: its SHA-256 is not the manifest's"
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in listed:
            yield f"{name} does not belong to the release"
