"""Releases: frozen, versioned, checksummed sets of labelled sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum

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


class Outcome(StrEnum):
    """What a rule says of what it judged."""

    PASS = "pass"
    """It found nothing wrong."""
    FAIL = "fail"
    """It found something wrong, and is certain enough to refuse it."""
    UNKNOWN = "unknown"
    """It doubts something, or could not judge at all: a person must look."""


class GateFailure(Record):
    """One place where a rule found something."""

    session: str
    """Id of the session; empty where the rule judges the whole release."""
    task: int | None = None
    """Task, from 0."""
    action: int | None = None
    """Action of the task."""
    reason: str
    """One line."""
    evidence: str = ""
    """What the rule looked at."""
    certainty: float = 1.0
    """Probability, in [0, 1], that the finding is right."""


SHOWN_FINDINGS = 200
"""Findings of one rule that a manifest lists, so that a broken batch of 25,600 sessions stays readable."""


class GateResult(Record):
    """What one rule says of a release."""

    gate: str
    """Id of the rule."""
    title: str
    """What must be true, in a few words."""
    checked: int
    """Units that it looked at."""
    failures: tuple[GateFailure, ...] = ()
    """Where it failed: these refuse the release unless allowed."""
    allowed: bool = False
    """True if the maintainer let the failures pass; the card says so."""
    failed: int = 0
    """Failures in all; the list may be shorter. 0 in manifests of version 0.1.0, which counted only the list."""
    doubts: tuple[GateFailure, ...] = ()
    """Where it doubts: people look at these, they refuse nothing."""
    doubted: int = 0
    """Doubts in all; the list may be shorter."""
    unknown: str = ""
    """Why the rule could not judge; empty where it could."""

    @property
    def ok(self) -> bool:
        """Passed, or let pass."""
        return self.allowed or not self.failures

    @property
    def outcome(self) -> Outcome:
        """Fail where anything is refused or had to be allowed, unknown where anything is doubted or not judged."""
        if self.failures:
            return Outcome.FAIL
        return Outcome.UNKNOWN if self.doubts or self.unknown else Outcome.PASS

    def of_sessions(self, ids: Collection[str]) -> GateResult:
        """The result without findings in other sessions; findings on the whole stay."""
        failures, doubts = (
            tuple(one for one in found if not one.session or one.session in ids)
            for found in (self.failures, self.doubts)
        )
        return self.model_copy(
            update={"failures": failures, "failed": len(failures), "doubts": doubts, "doubted": len(doubts)}
        )

    def shortened(self) -> GateResult:
        """The result with as many findings as a manifest lists, and a line that counts the others."""
        return self.model_copy(
            update={"failures": _first(self.failures, "failures"), "doubts": _first(self.doubts, "doubts")}
        )


def _first(found: tuple[GateFailure, ...], noun: str) -> tuple[GateFailure, ...]:
    left = len(found) - SHOWN_FINDINGS
    if left <= 0:
        return found
    return (*found[:SHOWN_FINDINGS], GateFailure(session="", reason=f"and {left} more {noun}"))


class GateCounts(Record):
    """How a release stands with its rules, in four numbers."""

    passed: int
    """Rules that refuse nothing. A rule that only doubts has passed: its doubts are counted beside."""
    not_judged: int = 0
    """Rules that lacked what they need to judge and refuse nothing."""
    allowed: int
    """Rules whose failures the maintainer let pass."""
    failed: int
    """Rules that refuse the release."""
    doubts: int
    """Findings that people should look at, over all rules."""

    @classmethod
    def of(cls, gates: Iterable[GateResult]) -> GateCounts:
        """Count the results of all rules."""
        results = tuple(gates)
        return cls(
            passed=sum(not gate.failures and not gate.unknown for gate in results),
            not_judged=sum(not gate.failures and bool(gate.unknown) for gate in results),
            allowed=sum(bool(gate.failures) and gate.allowed for gate in results),
            failed=sum(not gate.ok for gate in results),
            doubts=sum(max(gate.doubted, len(gate.doubts)) for gate in results),
        )

    def __str__(self) -> str:
        failed = f"{self.failed} failed, " if self.failed else ""
        left = f", {self.not_judged} not judged" if self.not_judged else ""
        return f"{self.passed} gates passed, {failed}{self.allowed} allowed, {self.doubts:,} doubts{left}"


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
