"""List changes between two versions, and the version number they require."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from wildtool.schemas.base import Record, canonical_json, sha256_hex
from wildtool.schemas.errors import InputError
from wildtool.schemas.release import ReleaseManifest
from wildtool.schemas.score import same_rules
from wildtool.schemas.session import Session
from wildtool.warehouse.formats.tabular import read_parquet


class Erratum(Record):
    """One corrected field."""

    version: str
    """Version that corrects it."""
    session: str
    """Id of the session."""
    path: str
    """Path of the field: ``tasks[1].actions[0].arguments.city``."""
    before: Any = None
    """Its value before; None where it was not there."""
    after: Any = None
    """Its value now."""
    reason: str
    """Why it was corrected."""


@dataclass(frozen=True)
class Parent:
    """The release that a new one follows."""

    manifest: ReleaseManifest
    digest: str
    sessions: Mapping[str, Session]
    splits: Mapping[str, str]
    errata: tuple[Erratum, ...]


def read_parent(folder: Path) -> Parent:
    """Read the release that a new one follows. Raises ``InputError`` where the folder is none."""
    folder = Path(folder)
    try:
        data = (folder / "manifest.json").read_bytes()
        manifest = ReleaseManifest.model_validate_json(data)
        sessions: dict[str, Session] = {}
        splits: dict[str, str] = {}
        for file in manifest.files:
            if file.path.startswith("data/"):
                for session in read_parquet(folder / file.path):
                    sessions[session.id] = session
                    splits[session.id] = Path(file.path).stem
        listed = json.loads((folder / "errata.json").read_text(encoding="utf-8"))["errata"]
        errata = tuple(Erratum.model_validate(one) for one in listed)
    except (OSError, ValueError, KeyError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(
            f"{folder} cannot be followed by another release: {reason}", "name the folder of an earlier release"
        ) from error
    return Parent(manifest=manifest, digest=sha256_hex(data), sessions=sessions, splits=splits, errata=errata)


def field_changes(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(path, before, after) of each innermost field that differs between two JSON values."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            inner = f"{path}.{key}" if path else key
            if key in before and key in after:
                yield from field_changes(before[key], after[key], inner)
            else:
                yield inner, before.get(key), after.get(key)
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(max(len(before), len(after))):
            left = before[index : index + 1]
            right = after[index : index + 1]
            if left and right:
                yield from field_changes(left[0], right[0], f"{path}[{index}]")
            else:
                yield f"{path}[{index}]", left[0] if left else None, right[0] if right else None
    elif canonical_json(before) != canonical_json(after):
        yield path, before, after


def session_changes(before: Session, after: Session) -> list[tuple[str, Any, Any]]:
    """Fields of a session that differ; ``provenance`` is left out, since it names labels and is not gold."""
    left, right = (one.model_dump(mode="json", exclude={"provenance"}) for one in (before, after))
    return list(field_changes(left, right))


def errata_since(
    parent: Parent, sessions: Sequence[Session], version: str, reasons: Mapping[str, str]
) -> tuple[Erratum, ...]:
    """The parent's errata and those of this version, one a corrected field. ``reasons`` by session id."""
    new = [
        Erratum(
            version=version,
            session=session.id,
            path=path,
            before=before,
            after=after,
            reason=reasons.get(session.id, "corrected by its labels"),
        )
        for session in sessions
        if session.id in parent.sessions
        for path, before, after in session_changes(parent.sessions[session.id], session)
    ]
    return (*parent.errata, *new)


def check_version(
    parent: Parent, version: str, *, sessions: Sequence[Session], schema_version: str, rules_version: str
) -> None:
    """Raise ``InputError`` unless the version follows the parent's as what changed asks for.

    Patch: corrected labels. Minor: sessions added or removed. Major: another schema or other rules.
    """
    old, new = (_numbers(one) for one in (parent.manifest.version, version))
    ids = {session.id for session in sessions}
    kept = schema_version == parent.manifest.schema_version and same_rules(rules_version, parent.manifest.rules_version)
    if not kept:
        level, why = 0, "the schema or the rules changed"
    elif ids != parent.sessions.keys():
        level, why = (
            1,
            f"{len(ids - parent.sessions.keys())} sessions were added, {len(parent.sessions.keys() - ids)} removed",
        )
    else:
        level, why = 2, "labels were corrected"
    if new <= old or new[: level + 1] <= old[: level + 1]:
        wanted = [*old[:level], old[level] + 1, *(0 for _ in old[level + 1 :])]
        raise InputError(
            f"{version} does not follow {parent.manifest.version}: {why}",
            f"freeze it as {'.'.join(map(str, wanted))} or later",
        )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("-")[0].split("."))
