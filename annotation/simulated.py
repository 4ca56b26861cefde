"""Simulate annotators: programs that label through the backend, with planted errors.

They serve demonstrations and tests of the statistics, and are marked in every record: each form is signed, so that
``simulated`` is true in every label, whoever pulls it. They take the draft for the truth; their errors follow from the
seed, and ``planted_errors`` lists them without a server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from wildtool.annotation.backend import AnnotationBackend
from wildtool.annotation.form.annotation import Form
from wildtool.annotation.form.controls import DECISION, MADE_BY, REASONS, slot_field, task_field
from wildtool.annotation.form.encode import draft_form
from wildtool.annotation.form.interface import NO_INTENT, InterfaceSpec
from wildtool.annotation.form.order import slot_labels
from wildtool.annotation.people import pseudonym
from wildtool.schemas.base import Record, sha256_hex
from wildtool.schemas.draft import Draft
from wildtool.schemas.errors import ServiceError
from wildtool.schemas.session import Call
from wildtool.schemas.vocabulary import Decision, SlotStatus, TaskType

MAKER = "wildtool simulator"
"""How programs sign their forms."""


class ErrorRates(Record):
    """How often a simulated annotator errs; each a probability."""

    argument: float = 0.02
    """A call: one text argument changed."""
    edge: float = 0.02
    """A dependency between calls: dropped."""
    type: float = 0.02
    """A task: its type flipped between single and chat, clarify and single, multi and single."""
    intent: float = 0.02
    """A later task: its hidden intent flipped."""
    deletion: float = 0.01
    """A call that nothing waits for: deleted (never a task's only call)."""
    decision: float = 0.02
    """A session: rejected where it should be accepted."""


class SimulatedAnnotator(Record):
    """One simulated person."""

    email: str
    """Account at the backend, made if missing. Must end with ``.invalid``, so that no mailbox can be meant."""
    rates: ErrorRates = ErrorRates()
    """How often it errs."""
    seed: int
    """Seed of its errors, together with its e-mail and the draft."""
    label: str = MAKER
    """How it signs its forms."""
    apart: tuple[int, int] | None = None
    """``(number, of)``: which one of how many annotators, from 0. Each place of a draft belongs to one annotator, who alone
    may err there. Two who agree on an error would make it gold, as may happen among people; labels that only programs
    make should not depend on that luck."""


class PlantedError(Record):
    """One error that a simulated annotator makes."""

    email: str
    """Who."""
    draft: str
    """In which draft."""
    task: int | None
    """Task, from 0; None for the decision."""
    kind: str
    """``argument``, ``edge``, ``type``, ``intent``, ``deletion`` or ``decision``."""
    detail: str
    """What was changed."""


class SimulationResult(Record):
    """What a simulation did."""

    labelled: int
    """Labels made just now."""
    present: int
    """Labels that were there already, and were left."""
    emails: tuple[str, ...]
    """The annotators' accounts: pass them to ``pull_labels``."""
    pseudonyms: tuple[str, ...]
    """What labels call them (with the default salt)."""
    planted: tuple[PlantedError, ...]
    """The errors in all their labels, those made before included."""


def default_annotators(seed: int, n: int = 2, rates: ErrorRates | None = None) -> tuple[SimulatedAnnotator, ...]:
    """Return ``n`` annotators with the same error rates, who err independently."""
    return tuple(
        SimulatedAnnotator(email=f"simulated-{number}@wildtool.invalid", rates=rates or ErrorRates(), seed=seed)
        for number in range(1, n + 1)
    )


def annotators_apart(seed: int, n: int = 2) -> tuple[SimulatedAnnotator, ...]:
    """Return ``n`` annotators who never make the same error; each errs as often as an independent one."""
    return tuple(
        annotator.model_copy(update={"apart": (number, n)})
        for number, annotator in enumerate(default_annotators(seed, n))
    )


def simulate_annotators(
    backend: AnnotationBackend,
    *,
    project: str,
    drafts: Sequence[Draft],
    annotators: Sequence[SimulatedAnnotator],
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Let annotators label every pushed draft of a project, each draft by as many as the project offers it to.

    Existing labels are left alone. Which annotators label a draft follows from its id, so that their work is even.
    Raises ``ServiceError``, and ``InputError`` for an account that could be a person's.
    """
    there = backend.find_project(project)
    if there is None or there.interface is None:
        raise ServiceError(f"{backend.url} has no project {project!r} with a form of wildtool", "push drafts first")
    by_id = {draft.id: draft for draft in drafts}
    tasks = {draft: task for draft, task in backend.present(there).items() if draft in by_id}
    done = {
        (task.draft, annotation.author)
        for task in backend.changes(there, None).tasks
        for annotation in task.annotations
    }
    labelled = present = 0
    wanted = sum(min(task.people, len(annotators)) for task in tasks.values())
    planted: list[PlantedError] = []
    for place, annotator in enumerate(annotators):
        for uid, task in sorted(tasks.items(), key=lambda item: item[1].id):
            draft = by_id[uid]
            turn = (place - int(sha256_hex(draft.id)[:8], 16)) % len(annotators)
            if turn >= task.people:
                continue
            form, errors = simulated_form(draft, annotator, there.interface.spec)
            planted += errors
            if (uid, annotator.email) in done:
                present += 1
            else:
                backend.submit(there, task.id, form, author=annotator.email, seconds=_seconds(draft, annotator))
                labelled += 1
            if progress is not None:
                progress(labelled + present, wanted)
    return SimulationResult(
        labelled=labelled,
        present=present,
        emails=tuple(annotator.email for annotator in annotators),
        pseudonyms=tuple(pseudonym(annotator.email) for annotator in annotators),
        planted=tuple(planted),
    )


def simulate_adjudicator(
    backend: AnnotationBackend,
    *,
    project: str,
    drafts: Sequence[Draft],
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> SimulationResult:
    """Let one simulated adjudicator decide an adjudication project, always for the draft."""
    none = ErrorRates(argument=0, edge=0, type=0, intent=0, deletion=0, decision=0)
    adjudicator = SimulatedAnnotator(email="simulated-adjudicator@wildtool.invalid", rates=none, seed=seed)
    return simulate_annotators(backend, project=project, drafts=drafts, annotators=[adjudicator], progress=progress)


def planted_errors(draft: Draft, annotator: SimulatedAnnotator, spec: InterfaceSpec) -> list[PlantedError]:
    """List the errors that an annotator makes in a draft."""
    return simulated_form(draft, annotator, spec)[1]


def simulated_form(draft: Draft, annotator: SimulatedAnnotator, spec: InterfaceSpec) -> tuple[Form, list[PlantedError]]:
    """Return the form that an annotator submits for a draft, and the errors in it. Pure."""
    rng = Random(sha256_hex(f"{annotator.seed}\n{annotator.email}\n{draft.id}"))
    rates = annotator.rates
    form = draft_form(draft, spec)
    errors: list[PlantedError] = []

    def planted(task: int | None, kind: str, detail: str) -> None:
        errors.append(PlantedError(email=annotator.email, draft=draft.id, task=task, kind=kind, detail=detail))

    def errs(rate: float, *place: object) -> bool:
        drawn = rng.random()
        if annotator.apart is None:
            return drawn < rate
        number, of = annotator.apart
        return int(sha256_hex(f"{draft.id} {place}")[:8], 16) % of == number and drawn < rate * of

    for index, task in enumerate(draft.session.tasks):
        labels = slot_labels(task.actions)
        calls = [label for label, action in zip(labels, task.actions, strict=True) if isinstance(action, Call)]
        waited_for = {labels[on] for action in task.actions[:-1] for on in action.depends_on}
        for label in calls:
            free = label not in waited_for and len(calls) > 2
            if errs(rates.deletion, "deletion", index, label) and free:
                _delete(form, index + 1, label)
                calls = [each for each in calls if each != label]
                planted(index, "deletion", label)
                continue
            if errs(rates.argument, "argument", index, label) and (
                detail := _change_argument(form, index + 1, label, draft)
            ):
                planted(index, "argument", f"{label}.{detail}")
            control = slot_field(index + 1, label, "after")
            for on in list(form.get(control, [])):
                if errs(rates.edge, "edge", index, label, on):
                    form[control].remove(on)
                    planted(index, "edge", f"{label} after {on}")
            if control in form and not form[control]:
                del form[control]
        if errs(rates.type, "type", index):
            flipped = _flipped(task.type)
            form[task_field(index + 1, "type")] = [str(flipped)]
            form.pop(task_field(index + 1, "topology"), None)
            planted(index, "type", f"{task.type} to {flipped}")
        if index and errs(rates.intent, "intent", index):
            planted(index, "intent", _flip_intent(form, index + 1, rng, spec))
    rejects = errs(rates.decision, "decision")
    form[DECISION] = [str(Decision.REJECT if rejects else Decision.ACCEPT)]
    if rejects:
        form[REASONS] = ["other"]
        planted(None, "decision", "rejected")
    form[MADE_BY] = [f"{annotator.label}, seed {annotator.seed}"]
    return form, errors


def _flipped(kind: TaskType) -> TaskType:
    """Flip a type, never to multi: the form holds no topology for it."""
    return TaskType.CHAT if kind is TaskType.SINGLE else TaskType.SINGLE


def _flip_intent(form: Form, number: int, rng: Random, spec: InterfaceSpec) -> str:
    control = task_field(number, "intent")
    before = form[control][0]
    others = [kind for kind in spec.intents if kind != before]
    form[control] = [rng.choice(others)]
    if before == NO_INTENT:
        form[task_field(number, "piece")] = ["topic"]
        form[task_field(number, "said_in")] = ["1"]
    return f"{before} to {form[control][0]}"


def _delete(form: Form, number: int, label: str) -> None:
    for field in ("name", "arguments", "observation", "after", "alternatives"):
        form.pop(slot_field(number, label, field), None)
    form[slot_field(number, label, "status")] = [str(SlotStatus.DELETE)]


def _change_argument(form: Form, number: int, label: str, draft: Draft) -> str | None:
    """Change the first text argument that may hold any text; return None where there is none."""
    control = slot_field(number, label, "arguments")
    name = form[slot_field(number, label, "name")][0]
    functions = [tool.get("function", tool) for tool in draft.session.tools]
    properties: dict[str, Any] = next(
        (f["parameters"].get("properties", {}) for f in functions if f["name"] == name), {}
    )
    arguments = json.loads(form[control][0])
    limits = {"enum", "const", "format", "pattern", "maxLength"}
    for parameter, value in arguments.items():
        schema = properties.get(parameter, {})
        if isinstance(value, str) and schema.get("type") == "string" and not limits & set(schema):
            arguments[parameter] = f"{value} (?)"
            form[control] = [json.dumps(arguments, ensure_ascii=False, indent=2)]
            form[slot_field(number, label, "status")] = [str(SlotStatus.CHANGE)]
            return str(parameter)
    return None


def _seconds(draft: Draft, annotator: SimulatedAnnotator) -> float:
    """Make up a time on task, so that figures of pace have something to show."""
    return round(Random(sha256_hex(f"pace {annotator.email} {draft.id}")).uniform(60, 240), 1)
