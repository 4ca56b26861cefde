"""Releases: frozen, versioned, checksummed sets of labelled sessions."""

from __future__ import annotations

from pydantic import Field

from wildtool.schemas.base import JsonObject, Record


class ReleaseFile(Record):
    """One file of a release."""

    path: str
    """Path within the release, with forward slashes."""
    sha256: str
    """SHA-256 in hex."""
    bytes: int
    """Size."""


class GateFailure(Record):
    """One place where a gate failed."""

    session: str
    """Id of the session; empty where the gate judges the whole release."""
    task: int | None = None
    """Task, from 0."""
    action: int | None = None
    """Action of the task."""
    reason: str
    """One line."""


class GateResult(Record):
    """What one gate says of a release."""

    gate: str
    """Id of the gate."""
    title: str
    """What must be true, in a few words."""
    checked: int
    """Units that it looked at."""
    failures: tuple[GateFailure, ...] = ()
    """Where it failed."""
    allowed: bool = False
    """True if the maintainer let the failures pass; the card says so."""

    @property
    def ok(self) -> bool:
        """Passed, or let pass."""
        return self.allowed or not self.failures


class ReleaseManifest(Record):
    """What a release holds, and what it was made of. ``manifest.json`` in the release."""

    name: str
    """Name of the benchmark."""
    version: str = Field(pattern=r"^[0-9]+\.[0-9]+\.[0-9]+(?:-[0-9A-Za-z.-]+)?$")
    """Semantic version; folders and pages are named after it."""
    schema_version: str
    """Version of the records."""
    rules_version: str
    """Version of the scoring rules that gold was checked with."""
    code_version: str
    """Version of wildtool."""
    offline: bool
    """True if a simulator wrote any session."""
    simulated_labels: bool
    """True if a simulator labelled any session."""
    counts: dict[str, int]
    """Sessions, tasks, actions, calls, dependencies, tools, tool lists, annotators, and by language and split."""
    models: dict[str, tuple[str, ...]]
    """Models by agent role."""
    prompts: dict[str, tuple[str, ...]]
    """SHA-256 hashes of prompt files, by name."""
    sources: dict[str, str]
    """Catalogue, profile, interface hash, seeds: what the sessions rest on."""
    agreement: JsonObject | None = None
    """The agreement report."""
    gates: tuple[GateResult, ...]
    """Gates in order."""
    canary: str
    """Canary string that every file of the release carries."""
    files: tuple[ReleaseFile, ...]
    """All files but the manifest itself, sorted by path."""
