"""What a gate is, and how gates run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from wildtool.schemas.draft import Verdict
from wildtool.schemas.errors import GateError, InputError
from wildtool.schemas.label import Adjudication, AgreementReport, Label
from wildtool.schemas.release import GateFailure, GateResult
from wildtool.schemas.session import Session, Task

SHOWN_FAILURES = 200
"""Failures of one gate that a manifest lists, so that a broken batch of 25,600 sessions stays readable."""


@dataclass(frozen=True)
class GateContext:
    """What gates may know beside the sessions. A stranger who verifies a release knows less than its maker."""

    labels: Mapping[str, Sequence[Label]] | None = None
    """Labels by session id; None where they are not at hand."""
    adjudications: Mapping[str, Adjudication] = field(default_factory=dict)
    """Adjudications by session id."""
    agreement: AgreementReport | None = None
    """Agreement over the double-labelled slice."""
    agreement_threshold: float = 0.61
    """Least alpha and F1 over the double-labelled slice: from 0.61 on agreement is called substantial."""
    tasks_per_session: int = 4
    """Most tasks a session."""
    licences: Mapping[str, str] | None = None
    """Licence by tool list id; None where tool lists are not at hand."""
    earlier: Mapping[str, str] = field(default_factory=dict)
    """All that the user says, as ``user_text`` gives it, by session id, of earlier releases."""
    judged: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Hashes of gold that earlier releases hold and that were judged there, by session id."""
    foreign: frozenset[int] = frozenset()
    """Hashes of n-grams of texts that must not be repeated, such as public benchmarks."""


Check = Callable[[Sequence[Session], GateContext], Iterable[GateFailure]]


@dataclass(frozen=True)
class Gate:
    """One condition that a release must meet."""

    id: str
    """Short name, as ``--allow`` takes it."""
    title: str
    """What must be true, in a few words."""
    check: Check
    """Yields each place where it is not."""
    scope: Literal["draft", "release"] = "draft"
    """``draft``: judges each session by itself, so it can also warn annotators; ``release``: judges the whole."""


def fail(session: Session, reason: str, task: int | None = None, action: int | None = None) -> GateFailure:
    """A failure at a place of a session."""
    return GateFailure(session=session.id, task=task, action=action, reason=reason)


def each_task(
    check: Callable[[Session, int, Task], Iterable[tuple[int | None, str]]],
) -> Check:
    """A check of the release out of one that yields (action, reason) for a task."""

    def over_all(sessions: Sequence[Session], context: GateContext) -> Iterator[GateFailure]:
        for session in sessions:
            for number, task in enumerate(session.tasks):
                for action, reason in check(session, number, task):
                    yield fail(session, reason, number, action)

    return over_all


def run_gates(
    sessions: Sequence[Session],
    gates: Sequence[Gate],
    context: GateContext | None = None,
    *,
    allow: Collection[str] = (),
) -> tuple[GateResult, ...]:
    """The result of each gate, in order; ``checked`` counts sessions.

    Raises ``InputError`` where ``allow`` names no gate.
    """
    unknown = sorted(set(allow) - {gate.id for gate in gates})
    if unknown:
        raise InputError(
            f"there is no gate named {', '.join(unknown)}", f"name one of {', '.join(gate.id for gate in gates)}"
        )
    known = context or GateContext()
    results = []
    for gate in gates:
        failures = tuple(gate.check(sessions, known))
        shown = failures[:SHOWN_FAILURES]
        if len(failures) > len(shown):
            rest = f"and {len(failures) - len(shown)} more failures"
            shown = (*shown, GateFailure(session="", reason=rest))
        results.append(
            GateResult(gate=gate.id, title=gate.title, checked=len(sessions), failures=shown, allowed=gate.id in allow)
        )
    return tuple(results)


def require(results: Iterable[GateResult]) -> None:
    """Raise ``GateError`` if a gate failed and was not let pass; each failure is a note of the error."""
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
        for failure in result.failures:
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


def draft_verdicts(session: Session, gates: Sequence[Gate]) -> tuple[Verdict, ...]:
    """What the gates that judge a session by itself say of a draft, as failed verdicts for its annotators."""
    return tuple(
        Verdict(check=f"gate.{gate.id}", ok=False, reason=failure.reason, task=failure.task, action=failure.action)
        for gate in gates
        if gate.scope == "draft"
        for failure in gate.check((session,), GateContext())
    )
