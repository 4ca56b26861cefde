"""Interface of the rules that judge a release; callers pass the rules in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from wildtool.schemas.context import ReleaseContext
from wildtool.schemas.errors import GateError
from wildtool.schemas.gold import gold_hash
from wildtool.schemas.release import SHOWN_FINDINGS, GateFailure, GateResult
from wildtool.schemas.session import Session


class ReleaseRules(Protocol):
    """Judges all sessions of a release by rules."""

    @property
    def ids(self) -> Collection[str]:
        """Every id that ``allow`` may name, those of earlier versions too."""
        ...

    def __call__(
        self, sessions: Sequence[Session], context: ReleaseContext, allow: Collection[str]
    ) -> tuple[GateResult, ...]:
        """The result of each rule with all its findings; failures of rules that ``allow`` names are let pass.

        Raises ``InputError`` where ``allow`` names no rule.
        """
        ...


class NoRules:
    """Judges nothing: for sessions that were judged elsewhere."""

    ids: Collection[str] = ()

    def __call__(
        self, sessions: Sequence[Session], context: ReleaseContext, allow: Collection[str]
    ) -> tuple[GateResult, ...]:
        """No results."""
        return ()


def require(results: Iterable[GateResult]) -> None:
    """Raise ``GateError`` if a rule refuses and was not let pass; each failure is a note of the error."""
    failed = [result for result in results if not result.ok]
    if not failed:
        return
    named = ", ".join(f"{result.gate} ({len(result.failures)})" for result in failed)
    first = failed[0].failures[0]
    error = GateError(
        f"{len(failed)} of the release gates failed: {named}; first {place(first)}: {first.reason}",
        "correct these sessions, leave them out, or let them pass: "
        + " ".join(f"--allow {result.gate}" for result in failed),
    )
    for result in failed:
        for failure in result.failures[:SHOWN_FINDINGS]:
            error.add_note(f"{result.gate}: {place(failure)}: {failure.reason}")
    raise error


def place(failure: GateFailure) -> str:
    """Where a failure is, for a person."""
    where = failure.session or "the release"
    if failure.task is not None:
        where += f" task {failure.task}"
    if failure.action is not None:
        where += f" action {failure.action}"
    return where


def judged_golds(sessions: Mapping[str, Session], gates: Sequence[GateResult]) -> dict[str, str]:
    """``gold_hash`` by id of a release's sessions, but for those that its rule ``judged`` had to let pass."""
    results = [gate for gate in gates if gate.gate == "judged"]
    let_pass = {failure.session for gate in results for failure in gate.failures}
    if not results or "" in let_pass:  # more failures than the manifest lists: it does not name them all
        return {}
    return {id: gold_hash(session) for id, session in sessions.items() if id not in let_pass}
