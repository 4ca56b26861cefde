"""Decode an annotation of a draft: a label, or a quarantined row with everything that does not hold.

Nothing is corrected silently: a label whose JSON, schema or dependencies do not hold goes back to people.
"""

from __future__ import annotations

import json

from wildtool.annotation.form.annotation import Annotation, Form
from wildtool.annotation.form.controls import DECISION, MADE_BY, REASONS, REMARK
from wildtool.annotation.form.decode_task import Problem, TaskReader, first
from wildtool.annotation.form.encode import draft_form, misfit
from wildtool.annotation.form.interface import Interface, InterfaceSpec
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Decision, SlotStatus, Stage


def decode_annotation(
    annotation: Annotation,
    draft: Draft,
    interface: Interface | None,
    *,
    project_id: int,
    annotator: str,
    simulated: bool = False,
    round: int = 1,
) -> Label | Quarantined:
    """Decode what one person said of one draft.

    ``interface`` is the form that the project shows now, None if wildtool did not generate it. A skipped session gives
    a label with ``Decision.SKIP`` and no tasks. A rejected one keeps its tasks if they hold, else none.
    """
    form = annotation.form
    problems: list[Problem] = [] if annotation.broken is None else [("broken_result", annotation.broken)]
    decision = _decision(annotation, problems)
    tasks: tuple[Task, ...] = ()
    slots: tuple[tuple[SlotStatus, ...], ...] = ()
    if interface is None:
        problems.append(("unknown_interface", "wildtool did not generate the project's form: somebody edited it"))
    elif (unfit := misfit(draft, interface.spec)) is not None:
        problems.append(("does_not_fit", unfit))
    elif decision is not None and decision is not Decision.SKIP and not problems:
        found: list[Problem] = []
        decoded = _tasks(form, draft, interface.spec, found)
        if not found:
            tasks = tuple(task for task, _ in decoded)
            slots = tuple(statuses for _, statuses in decoded)
        elif decision is Decision.ACCEPT:
            problems += found
        if decision is Decision.REJECT and not form.get(REASONS):
            problems.append(("reason_missing", "rejected without a reason"))
    if problems or interface is None or decision is None:
        kept = {**annotation.raw, "id": annotation.id}
        kept.setdefault("updated_at", annotation.updated_at)
        return Quarantined.of(
            stage=Stage.PULL,
            step="check",
            reason=problems[0][0],
            detail="; ".join(text for _, text in problems),
            source=draft.id,
            # Not in canonical form: keep what came, infinities included.
            raw=json.dumps(
                {"project": project_id, "annotator": annotator, "round": round, "annotation": kept},
                ensure_ascii=False,
            ),
        )
    return Label.of(
        draft=draft.id,
        session=draft.session.id,
        annotator=annotator,
        simulated=simulated or MADE_BY in form,
        round=round,
        project_id=project_id,
        annotation_id=annotation.id,
        interface=interface.hash,
        updated_at=annotation.updated_at,
        decision=decision,
        reject_reasons=tuple(form.get(REASONS, ())) if decision is Decision.REJECT else (),
        remark=first(form, REMARK),
        tasks=tasks,
        slots=slots,
        lead_seconds=annotation.lead_seconds,
    )


def _decision(annotation: Annotation, problems: list[Problem]) -> Decision | None:
    if annotation.skipped:
        return Decision.SKIP
    said = first(annotation.form, DECISION)
    if said in (Decision.ACCEPT, Decision.REJECT):
        return Decision(said)
    if not problems:
        problems.append(("decision_missing", f"the decision is {said!r}, neither accept nor reject"))
    return None


def _tasks(
    form: Form, draft: Draft, spec: InterfaceSpec, problems: list[Problem]
) -> list[tuple[Task, tuple[SlotStatus, ...]]]:
    prefilled = draft_form(draft, spec)
    session = draft.session
    read = [TaskReader(form, prefilled, session, spec, number, problems) for number in range(1, len(session.tasks) + 1)]
    for reader in read:
        reader.read_slots()
    kept, turns = [reader.new_index for reader in read], [reader.turns for reader in read]
    decoded = []
    for reader in read:
        task = reader.task(kept, turns)
        if task is not None:
            decoded.append((task, reader.statuses))
    return decoded
