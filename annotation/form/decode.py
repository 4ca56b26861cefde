"""Label Studio annotation + draft → label, or quarantine with all that does not hold.

Nothing is mended silently: a label whose JSON, schema or dependencies do not hold goes back to people.
"""

from __future__ import annotations

import json

from wildtool.annotation.form.decode_task import Problem, TaskReader, first
from wildtool.annotation.form.encode import Form, draft_form, misfit, result_form
from wildtool.annotation.form.interface import HIDDEN_FIELD, Interface, InterfaceSpec
from wildtool.schemas.base import JsonObject
from wildtool.schemas.draft import Draft
from wildtool.schemas.label import Label
from wildtool.schemas.quarantine import Quarantined
from wildtool.schemas.session import Task
from wildtool.schemas.vocabulary import Decision, SlotStatus, Stage


def decode_annotation(
    annotation: JsonObject,
    draft: Draft,
    interface: Interface | None,
    *,
    project_id: int,
    annotator: str,
    simulated: bool = False,
    round: int = 1,
) -> Label | Quarantined:
    """What one person said of one draft.

    ``annotation`` is Label Studio's, with ``result``, ``was_cancelled``, ``updated_at``, ``lead_time``;
    ``interface`` is the one that the project has now, None where it is none of ours. A skipped session gives a label
    with ``Decision.SKIP`` and no tasks. A rejected one keeps its tasks if they hold, else none.
    """
    problems: list[Problem] = []
    form: Form = {}
    try:
        form = result_form(annotation.get("result") or [])
    except ValueError as error:
        problems.append(("broken_result", str(error)))
    simulated = simulated or HIDDEN_FIELD in form
    decision = _decision(annotation, form, problems)
    tasks: tuple[Task, ...] = ()
    slots: tuple[tuple[SlotStatus, ...], ...] = ()
    if interface is None:
        problems.append(("unknown_interface", "the project's labelling interface is none of ours: it was edited"))
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
        if decision is Decision.REJECT and not form.get("reasons"):
            problems.append(("reason_missing", "rejected without a reason"))
    if problems or interface is None or decision is None:
        return Quarantined.of(
            stage=Stage.PULL,
            step="check",
            reason=problems[0][0],
            detail="; ".join(text for _, text in problems),
            source=draft.id,
            # Not our canonical form: what is kept is what came, infinities and all.
            raw=json.dumps(
                {"project": project_id, "annotator": annotator, "round": round, "annotation": annotation},
                ensure_ascii=False,
            ),
        )
    return Label.of(
        draft=draft.id,
        session=draft.session.id,
        annotator=annotator,
        simulated=simulated,
        round=round,
        project_id=project_id,
        annotation_id=int(annotation["id"]),
        interface=interface.hash,
        updated_at=str(annotation["updated_at"]).replace("Z", "+00:00"),
        decision=decision,
        reject_reasons=tuple(form.get("reasons", ())) if decision is Decision.REJECT else (),
        remark=first(form, "remark"),
        tasks=tasks,
        slots=slots,
        lead_seconds=annotation.get("lead_time"),
    )


def _decision(annotation: JsonObject, form: Form, problems: list[Problem]) -> Decision | None:
    if annotation.get("was_cancelled"):
        return Decision.SKIP
    said = first(form, "decision")
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
