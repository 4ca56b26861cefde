"""Scores: verdicts on trajectories, and their sums."""

from __future__ import annotations

from typing import Any

from wildtool.schemas.base import Record
from wildtool.schemas.vocabulary import ErrorKind, HiddenIntentKind, Language, RuleSet, TaskType, Topology


def same_rules(one: str, other: str) -> bool:
    """Whether two versions of the scorer's rules decide alike.

    A version is a number (``3``), since 0.2 followed by the hash of the rule table and, where plug-ins add rules, a hash of
    these: ``3+1f3a9c02``, ``3+1f3a9c02.77e0d1b4``. The number is raised with every change that can change a verdict, so the
    table's own hash may differ where the code was only reordered; the plug-ins' may not.
    """
    return _deciding(one) == _deciding(other)


def _deciding(version: str) -> tuple[str, str]:
    number, _, hashes = version.partition("+")
    return number, hashes.partition(".")[2]


class ArgumentVerdict(Record):
    """Whether one argument is right, and by which rule."""

    path: str
    """Path of the argument."""
    ok: bool
    """Right or wrong."""
    rule: str
    """Id of the rule that decided: ``number.value``, ``date.relative``."""
    expected: Any = None
    """Gold value."""
    got: Any = None
    """The candidate's value."""


class TaskScore(Record):
    """The verdict on one task."""

    session: str
    """Id of the session."""
    trial: int = 0
    """Number of the trial."""
    task: int
    """Task, from 0."""
    language: Language
    """Language of the session."""
    category: str
    """Major category of the session."""
    type: TaskType
    """Task type."""
    topology: Topology | None = None
    """Of a multi task."""
    hidden_intent: HiddenIntentKind | None = None
    """How it leans on earlier turns."""
    transitions: int = 0
    """Transitions of type up to and with this task."""
    complete: bool
    """All actions done in a valid order, and no step too many."""
    correct: bool
    """Complete, and every argument and ask right."""
    optimal: bool
    """Correct in the fewest possible steps."""
    depth: int
    """Fewest possible steps before the answer."""
    steps: int
    """Steps that the candidate took before its answer."""
    actions_done: int
    """Gold actions (calls and asks) completed with right arguments."""
    actions_total: int
    """Gold actions (calls and asks)."""
    errors: tuple[ErrorKind, ...] = ()
    """Why it failed, the first cause first."""
    failed_step: int | None = None
    """Step (from 0) that broke it."""
    reason: str = ""
    """One line for a person."""
    arguments: tuple[ArgumentVerdict, ...] = ()
    """Verdicts on arguments, the wrong ones at least."""
    path_cost: float | None = None
    """Cost of the steps taken: the sum over steps of the dearest call in each (1 a call where no table says else)."""
    least_cost: float | None = None
    """Cost of the dearest chain of the gold actions: no path costs less."""
    unsupported: tuple[str, ...] = ()
    """Numbers in the final answer that no observation, argument or message of the task holds. Beside the headline."""
    answered: bool = False
    """The candidate gave a final answer in its place."""
    ask_uncertain: bool = False
    """The rules are not sure of their verdict on an ask; such tasks are scored as any other and counted apart."""


class Rate(Record):
    """A share with its interval."""

    value: float | None
    """0 to 1; None where nothing was counted."""
    low: float | None = None
    """Lower end of the 95 % bootstrap interval over sessions."""
    high: float | None = None
    """Upper end."""
    n: int
    """Denominator."""


class ScoreReport(Record):
    """The score of one candidate on one release."""

    release: str
    """Version of the release."""
    release_digest: str
    """SHA-256 of the release's manifest."""
    candidate: str
    """Model name."""
    rules: RuleSet
    """Rule set."""
    rules_version: str
    """Version of the rules."""
    code_version: str
    """Version of wildtool."""
    complete_run: bool
    """False: sessions are missing or requests failed, so there is no headline."""
    sessions: int
    """Sessions scored."""
    failed_requests: int = 0
    """Tasks that failed for want of an answer."""
    task_accuracy: Rate
    """Correct tasks."""
    session_accuracy: Rate
    """Sessions with all tasks correct."""
    optimal_path_rate: Rate
    """OP: optimal over parallel and mixed multi tasks."""
    accomplish_progress_rate: Rate
    """AP: gold actions completed, over sequential and mixed multi tasks."""
    breakdown: dict[str, dict[str, Rate]] = {}
    """Task accuracy by dimension (type, topology, hidden_intent, order, transitions, category, language) and value."""
    errors: dict[ErrorKind, int] = {}
    """First causes of failed tasks."""
    extra: dict[str, Any] = {}
    """Further figures: pass^k, weighted OP, answer faithfulness."""
